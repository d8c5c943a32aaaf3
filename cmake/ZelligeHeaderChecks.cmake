# header_checks: every header of include/zellige compiles alone, with each compiler that must understand it.
#
#   g++     host headers: core/, layout/, and every problem, config, check, policy and verdict header; no HIP in sight
#   clang++ all headers as HIP for gfx942, host and device side; HIP's device headers stay out (-nogpuinc), since ours
#           must not need them: that is most of what compiling a kernel costs
#           (not in a build for NVIDIA, whose compilers see all headers in every unit)
#   nvcc    all headers in one unit (that each is complete by itself, the two above have shown), where nvcc is found;
#           and each test/nvidia/*.cu, which instantiates kernels for sm_90a
#
# A check is one small unit that includes its header first and alone. The units are objects, so that ccache keeps them.

set(zellige_host_headers "^(core|layout)/|(problem|config|check|policy|verdict|split_k|fold|batch_split|row_split)[a-z_]*\\.hpp$")

# zellige_check_object(LIST UNIT COMPILER FLAGS...): compiles UNIT and appends the object to LIST; ccache keeps it.
function(zellige_check_object LIST UNIT)
  get_filename_component(name ${UNIT} NAME)
  get_filename_component(compiler ${ARGV2} NAME)
  set(object ${PROJECT_BINARY_DIR}/header_checks/${compiler}/${name}.o)
  set(launcher ${CMAKE_CXX_COMPILER_LAUNCHER})
  if(launcher AND "hip" IN_LIST ARGN)
    set(launcher ${CMAKE_COMMAND} -E env CCACHE_NODIRECT=1 ${launcher})  # zellige_hip_launcher says why
  endif()
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${launcher} ${ARGN} -MD -MF ${object}.d -c ${UNIT} -o ${object}
    DEPENDS ${UNIT}
    DEPFILE ${object}.d
    COMMENT "Checking ${name} with ${compiler}"
    VERBATIM)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/header_checks/${compiler})
  set(${LIST} ${${LIST}} ${object} PARENT_SCOPE)
endfunction()

# zellige_header_unit(UNIT HEADER...): writes a unit that includes the headers; a unit that would not change is kept.
function(zellige_header_unit UNIT)
  list(TRANSFORM ARGN REPLACE "(.+)" "#include <zellige/\\1>\n" OUTPUT_VARIABLE text)
  list(JOIN text "" text)
  file(CONFIGURE OUTPUT ${UNIT} CONTENT "${text}" @ONLY)
endfunction()

function(zellige_add_header_checks)
  set(include ${PROJECT_SOURCE_DIR}/include)
  set(folder ${PROJECT_BINARY_DIR}/header_checks)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${include}/zellige ${include}/zellige/*.hpp)
  set(host_headers ${headers})
  list(FILTER host_headers INCLUDE REGEX ${zellige_host_headers})
  set(objects "")
  set(told "")

  find_program(ZELLIGE_GXX NAMES g++ DOC "g++, for checking that the host headers need nothing of clang's")
  if(ZELLIGE_GXX)
    foreach(header IN LISTS host_headers)
      string(MAKE_C_IDENTIFIER ${header} name)
      zellige_header_unit(${folder}/${name}.cpp ${header})
      zellige_check_object(objects ${folder}/${name}.cpp ${ZELLIGE_GXX} -std=c++20 -Wall -Wextra -Werror -I${include})
    endforeach()
    list(LENGTH host_headers count)
    list(APPEND told "${count} with g++")
  endif()

  if(NOT ZELLIGE_PLATFORM STREQUAL "nvidia")
    zellige_hip_options(options gfx942)
    foreach(header IN LISTS headers)
      string(MAKE_C_IDENTIFIER ${header} name)
      zellige_header_unit(${folder}/${name}.cpp ${header})
      zellige_check_object(objects ${folder}/${name}.cpp ${CMAKE_CXX_COMPILER} -std=c++20 -Wall -Wextra -Werror
                           ${options} -nogpuinc -isystem ${zellige_hip_root}/include -I${include})
    endforeach()
    list(LENGTH headers count)
    list(APPEND told "${count} with clang++ as HIP")
  endif()

  if(ZELLIGE_NVCC)
    file(GLOB units CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/nvidia/*.cu)
    if(headers)
      zellige_header_unit(${folder}/all_headers.cu ${headers})
      list(APPEND units ${folder}/all_headers.cu)
    endif()
    foreach(unit IN LISTS units)
      zellige_check_object(objects ${unit} ${ZELLIGE_NVCC} -std=c++20 -gencode=arch=compute_90a,code=sm_90a
                           -Xcompiler=-Wall,-Wextra -Werror=all-warnings -DZELLIGE_PLATFORM_NVIDIA=1
                           -I${include})
    endforeach()
    list(LENGTH units count)
    list(APPEND told "${count} units with nvcc")
  endif()

  add_custom_target(header_checks ALL DEPENDS ${objects})
  list(JOIN told ", " told)
  set(ZELLIGE_HEADER_CHECKS "${told}" PARENT_SCOPE)
endfunction()
