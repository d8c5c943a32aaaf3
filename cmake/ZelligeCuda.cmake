# CUDA in HIP's place, for HIP's other platform (ZELLIGE_PLATFORM=nvidia). It offers what ZelligeHip.cmake does, under the
# same names: a HIP source is a source that nvcc compiles as CUDA, with the names of host/runtime.hpp mapped to CUDA's.
#
#   zellige::hip_headers   the toolkit's include folder and ZELLIGE_PLATFORM_NVIDIA
#   zellige::hip           hip_headers and libcudart
#   zellige_hip_sources(<target> ARCHS <sm_90>... FILES <a.hip>...)   adds HIP sources to a target
#   zellige_kernel_objects(<target> <sm_90>), zellige_kernel_language   for targets made of kernels alone
#
# The runtime is the shared libcudart: libzellige.so launches the kernels that libzellige_sm_90.so registered, and both
# must mean one runtime. A process that has loaded one of the same major version (PyTorch's, say) goes on with that.

include_guard(GLOBAL)

# 90a: with the instructions that only this target has (warpgroup MMA), and no code for a compiler in the driver.
set(CMAKE_CUDA_ARCHITECTURES 90a-real)
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
if(NOT CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
if(NOT CMAKE_CUDA_COMPILER AND ZELLIGE_NVCC)
  set(CMAKE_CUDA_COMPILER ${ZELLIGE_NVCC})
endif()
if(NOT CMAKE_CUDA_COMPILER)
  message(FATAL_ERROR "ZELLIGE_PLATFORM=nvidia, and no nvcc in PATH or /usr/local/cuda/bin: set -DZELLIGE_NVCC=...")
endif()
enable_language(CUDA)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13)
  message(FATAL_ERROR "${CMAKE_CUDA_COMPILER} is of CUDA ${CMAKE_CUDA_COMPILER_VERSION}; Zellige needs 13 or newer")
endif()
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 knows nvcc's -std=c++17 at most
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()

find_path(ZELLIGE_CUDA_INCLUDE NAMES cuda_runtime_api.h HINTS ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES} REQUIRED)
find_library(ZELLIGE_CUDART NAMES cudart HINTS ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES} REQUIRED)
get_filename_component(zellige_cudart_folder ${ZELLIGE_CUDART} DIRECTORY)

add_library(zellige::hip_headers INTERFACE IMPORTED GLOBAL)
set_target_properties(
  zellige::hip_headers
  PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${ZELLIGE_CUDA_INCLUDE}
             INTERFACE_COMPILE_DEFINITIONS ZELLIGE_PLATFORM_NVIDIA=1)
add_library(zellige::hip INTERFACE IMPORTED GLOBAL)
set_target_properties(zellige::hip PROPERTIES INTERFACE_LINK_LIBRARIES "zellige::hip_headers;${ZELLIGE_CUDART}")
set(ZELLIGE_RUNTIME cuda)

# A build may be carried to another machine: its programs look beside themselves before they look where CUDA was here.
set(CMAKE_BUILD_RPATH "\$ORIGIN;\$ORIGIN/../lib;${zellige_cudart_folder}")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

function(zellige_check_cuda_archs)
  foreach(arch IN LISTS ARGN)
    if(NOT arch STREQUAL "sm_90")
      message(FATAL_ERROR "'${arch}' is no target of ZELLIGE_PLATFORM=nvidia, which has sm_90")
    endif()
  endforeach()
endfunction()

# zellige_hip_sources(<target> ARCHS <sm_90>... FILES <a.hip>...)
function(zellige_hip_sources TARGET)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ARCHS;FILES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_ARCHS OR NOT arg_FILES)
    message(FATAL_ERROR "usage: zellige_hip_sources(<target> ARCHS <sm_90>... FILES <a.hip>...)")
  endif()
  zellige_check_cuda_archs(${arg_ARCHS})
  target_sources(${TARGET} PRIVATE ${arg_FILES})
  set_source_files_properties(${arg_FILES} TARGET_DIRECTORY ${TARGET} PROPERTIES LANGUAGE CUDA)
  target_link_libraries(${TARGET} PRIVATE zellige::hip)
endfunction()

set(zellige_kernel_language CUDA)

# The gate on instances: spilled registers and arrays in local memory are warnings, which this project's own builds refuse.
function(zellige_kernel_objects TARGET ARCH)
  zellige_check_cuda_archs(${ARCH})
  target_compile_options(${TARGET} PRIVATE -Xptxas=-warn-spills,-warn-lmem-usage)
endfunction()
