# HIP for Zellige and for projects that use its package: where the headers, the device bitcode and the runtime are, and
# how a HIP source is compiled. It obeys one law: a HIP source is a CXX source with options of its own, so that any
# clang++ >= 22 works and CMake's HIP language (which wants a complete ROCm) is not needed.
#
#   zellige::hip_headers   the include folder of HIP
#   zellige::hip           hip_headers and the runtime to link: libamdhip64, or the simulator (ZELLIGE_RUNTIME)
#   zellige_hip_sources(<target> ARCHS <gfx942>... FILES <a.hip>...)   adds HIP sources to a target
#   zellige_hip_options(<output> <gfx942>...)   the compile options of a HIP source
#   zellige_kernel_objects(<target> <gfx942>), zellige_kernel_language   for targets made of kernels alone

include_guard(GLOBAL)

set(ZELLIGE_HIP_MINIMUM 7.0)
set(ZELLIGE_HIP_ROOT "" CACHE PATH "Root of HIP (holds include/hip); found where it is not given")

# zellige_hip_version(ROOT OUTPUT): the version that hip_version.h of this root states, or nothing.
function(zellige_hip_version ROOT OUTPUT)
  set(${OUTPUT} "" PARENT_SCOPE)
  set(header ${ROOT}/include/hip/hip_version.h)
  if(EXISTS ${header} AND EXISTS ${ROOT}/include/hip/hip_runtime.h)
    file(STRINGS ${header} lines REGEX "define HIP_VERSION_(MAJOR|MINOR|PATCH) ")
    if(lines MATCHES "MAJOR ([0-9]+).*MINOR ([0-9]+).*PATCH ([0-9]+)")
      set(${OUTPUT} ${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3} PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Sets, in the caller: zellige_hip_root, zellige_hip_found_version, zellige_hip_bitcode, zellige_hip_library (may be empty).
function(zellige_find_hip)
  set(private "$ENV{ZELLIGE_PREFIX}")
  if(NOT private AND NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
    set(private "$ENV{XDG_CACHE_HOME}/zellige/hip")
  elseif(NOT private)
    set(private "$ENV{HOME}/.cache/zellige/hip")
  endif()
  if(ZELLIGE_HIP_ROOT)
    set(roots ${ZELLIGE_HIP_ROOT})
  else()
    set(roots "$ENV{ROCM_PATH}" /opt/rocm "${private}/usr" ${ZELLIGE_HIP_ROOT_AT_BUILD} /usr)
  endif()
  set(root "")
  set(version "")
  set(seen "")
  foreach(candidate IN LISTS roots)
    zellige_hip_version("${candidate}" found)
    if(found AND found VERSION_GREATER_EQUAL ZELLIGE_HIP_MINIMUM)
      set(root ${candidate})
      set(version ${found})
      break()
    elseif(found)
      list(APPEND seen "${candidate} (version ${found})")
    elseif(candidate)
      list(APPEND seen "${candidate}")
    endif()
  endforeach()
  if(NOT version)
    list(JOIN seen ", " seen)
    message(FATAL_ERROR "No HIP headers of version ${ZELLIGE_HIP_MINIMUM} or newer found; looked in: ${seen}. Run "
                        "script/setup, or name a root that holds include/hip with -DZELLIGE_HIP_ROOT=...")
  endif()
  file(GLOB bitcodes ${root}/amdgcn/bitcode ${root}/lib/llvm/lib/clang/*/lib/amdgcn/bitcode
       ${root}/lib/llvm*/lib/clang/*/amdgcn/bitcode)
  if(NOT bitcodes)
    message(FATAL_ERROR "HIP ${version} in ${root} has no device bitcode (amdgcn/bitcode): is it a complete install? "
                        "Run script/setup, or name another root with -DZELLIGE_HIP_ROOT=...")
  endif()
  list(GET bitcodes 0 bitcode)
  file(GLOB libraries ${root}/lib/libamdhip64.so ${root}/lib/*-linux-gnu/libamdhip64.so)
  set(library "")
  foreach(candidate IN LISTS libraries)
    if(EXISTS ${candidate})  # a package of headers alone may leave a link to nowhere
      set(library ${candidate})
    endif()
  endforeach()
  set(zellige_hip_root ${root} PARENT_SCOPE)
  set(zellige_hip_found_version ${version} PARENT_SCOPE)
  set(zellige_hip_bitcode ${bitcode} PARENT_SCOPE)
  set(zellige_hip_library "${library}" PARENT_SCOPE)
endfunction()

zellige_find_hip()

if(NOT ZELLIGE_RUNTIME)
  if(zellige_hip_library)
    set(ZELLIGE_RUNTIME hip)
  else()
    set(ZELLIGE_RUNTIME simulator)
  endif()
endif()
set(ZELLIGE_RUNTIME ${ZELLIGE_RUNTIME} CACHE STRING "What programs link as HIP's runtime: simulator or hip")
set_property(CACHE ZELLIGE_RUNTIME PROPERTY STRINGS simulator hip)
if(NOT ZELLIGE_RUNTIME MATCHES "^(simulator|hip)$")
  message(FATAL_ERROR "ZELLIGE_RUNTIME is '${ZELLIGE_RUNTIME}'; it must be 'simulator' or 'hip'")
endif()
if(ZELLIGE_RUNTIME STREQUAL "hip" AND NOT zellige_hip_library)
  message(FATAL_ERROR "ZELLIGE_RUNTIME=hip, but ${zellige_hip_root} holds no libamdhip64.so: install HIP's runtime, or "
                      "use -DZELLIGE_RUNTIME=simulator")
endif()

add_library(zellige::hip_headers INTERFACE IMPORTED GLOBAL)
set_target_properties(
  zellige::hip_headers
  PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${zellige_hip_root}/include
             INTERFACE_COMPILE_DEFINITIONS __HIP_PLATFORM_AMD__=1)

# ZELLIGE_SIMULATOR_TARGET is the simulator's name: zellige_hip in the tree, zellige::zellige_hip in the package.
if(NOT ZELLIGE_SIMULATOR_TARGET)
  set(ZELLIGE_SIMULATOR_TARGET zellige_hip)
endif()
add_library(zellige::hip INTERFACE IMPORTED GLOBAL)
if(ZELLIGE_RUNTIME STREQUAL "hip")
  set(zellige_hip_link ${zellige_hip_library})
else()
  set(zellige_hip_link ${ZELLIGE_SIMULATOR_TARGET})
endif()
set_target_properties(zellige::hip PROPERTIES INTERFACE_LINK_LIBRARIES "zellige::hip_headers;${zellige_hip_link}")

# One arch per object is the house's rule for instances; a program of a user's may name several. Device code is always
# optimised: at -O0 it spills, and no gate would hold.
function(zellige_hip_options OUTPUT)
  set(options -x hip -fno-gpu-rdc --offload-compress --rocm-path=${zellige_hip_root}
              --rocm-device-lib-path=${zellige_hip_bitcode})
  if(NOT ARGN)
    message(FATAL_ERROR "zellige_hip_options: no arch given")
  endif()
  foreach(arch IN LISTS ARGN)
    if(NOT arch MATCHES "^gfx[0-9a-f]+(-generic)?$")
      message(FATAL_ERROR "'${arch}' is no AMD target; expected something like gfx942")
    endif()
    list(APPEND options --offload-arch=${arch})
  endforeach()
  if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR NOT CMAKE_BUILD_TYPE)
    list(APPEND options -Xarch_device -O3)
  endif()
  set(${OUTPUT} ${options} PARENT_SCOPE)
endfunction()

# ccache's direct mode reads the names of a unit's headers from its preprocessed text. That of a HIP unit is a compressed
# bundle, so that ccache would see no header at all and hand out stale objects: it must hash the text instead.
function(zellige_hip_launcher TARGET)
  get_target_property(launcher ${TARGET} CXX_COMPILER_LAUNCHER)
  if(launcher MATCHES "ccache" AND NOT launcher MATCHES "CCACHE_NODIRECT")
    set(launcher ${CMAKE_COMMAND} -E env CCACHE_NODIRECT=1 ${launcher})
    set_target_properties(${TARGET} PROPERTIES CXX_COMPILER_LAUNCHER "${launcher}")
  endif()
endfunction()

set(zellige_kernel_language CXX)

# Every source of TARGET is compiled for ARCH. Kernels need the platform's attributes only: HIP's device headers, a second
# of each unit, stay out (same code).
function(zellige_kernel_objects TARGET ARCH)
  zellige_hip_options(options ${ARCH})
  target_compile_options(${TARGET} PRIVATE ${options} -nogpuinc)
  zellige_hip_launcher(${TARGET})
endfunction()

# zellige_hip_sources(<target> ARCHS <gfx942>... FILES <a.hip>...)
function(zellige_hip_sources TARGET)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ARCHS;FILES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_ARCHS OR NOT arg_FILES)
    message(FATAL_ERROR "usage: zellige_hip_sources(<target> ARCHS <gfx942>... FILES <a.hip>...)")
  endif()
  zellige_hip_options(options ${arg_ARCHS})
  target_sources(${TARGET} PRIVATE ${arg_FILES})
  set_source_files_properties(${arg_FILES} TARGET_DIRECTORY ${TARGET} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS
                                                                                           "${options}")
  target_link_libraries(${TARGET} PRIVATE zellige::hip)
  zellige_hip_launcher(${TARGET})
endfunction()
