# Installation and packages: find_package(zellige) gives zellige::headers, zellige::zellige, zellige::hip and
# zellige_hip_sources(). `cpack` in the build folder makes .deb and .tar.gz packages of the same files: zellige (libraries
# and programs) and zellige-dev (headers and CMake files).

# What of the tree is installed. An instance library is found beside libzellige.so, not linked, so any subset may ship.
get_property(zellige_instance_libraries GLOBAL PROPERTY ZELLIGE_INSTANCE_LIBRARIES)
set(zellige_installed zellige_headers)
foreach(target IN ITEMS zellige zellige_hip ${zellige_instance_libraries} zellige-profiler zellige-sim)
  if(TARGET ${target})
    list(APPEND zellige_installed ${target})
  endif()
endforeach()
set(zellige_installed_headers ${PROJECT_SOURCE_DIR}/include/)
if(TARGET zellige)
  list(APPEND zellige_installed_headers ${PROJECT_SOURCE_DIR}/library/include/)
endif()
if(ZELLIGE_PLATFORM STREQUAL "nvidia")
  # Files alone: a package for CMake needs a way to compile HIP sources, and there CUDA's own is at hand.
  list(REMOVE_ITEM zellige_installed zellige_headers)
  install(TARGETS ${zellige_installed})
  install(DIRECTORY ${zellige_installed_headers} TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
  return()
endif()
rocm_install_targets(TARGETS ${zellige_installed})
rocm_install(DIRECTORY ${zellige_installed_headers} DESTINATION include FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")

# The package remembers its runtime and where HIP was when it was built; HIP is looked for anew where that is gone.
file(
  CONFIGURE
  OUTPUT ${PROJECT_BINARY_DIR}/ZelligeHipSettings.cmake
  CONTENT
    [[# How this copy of Zellige was built.
set(ZELLIGE_RUNTIME @ZELLIGE_RUNTIME@)
set(ZELLIGE_HIP_ROOT_AT_BUILD @zellige_hip_root@)
set(ZELLIGE_GPU_TARGETS "@GPU_TARGETS@")
set(ZELLIGE_SIMULATOR_TARGET zellige::zellige_hip)
]]
  @ONLY)
rocm_export_targets(
  NAMESPACE zellige::
  TARGETS zellige::headers
  COMPATIBILITY SameMinorVersion
  INCLUDE ${PROJECT_BINARY_DIR}/ZelligeHipSettings.cmake ${PROJECT_SOURCE_DIR}/cmake/ZelligeHip.cmake)

if(PROJECT_IS_TOP_LEVEL)
  # rocm-cmake signs every package as its own maker's; the vendor is ours, set when cpack runs.
  file(WRITE ${PROJECT_BINARY_DIR}/ZelligeCPack.cmake "set(CPACK_PACKAGE_VENDOR \"Zellige authors\")\n")
  set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/ZelligeCPack.cmake)
  if(NOT CPACK_GENERATOR)
    set(CPACK_GENERATOR "DEB;TGZ")
  endif()
  if(NOT DEFINED ENV{CPACK_DEBIAN_PACKAGE_RELEASE})
    set(ENV{CPACK_DEBIAN_PACKAGE_RELEASE} 1)
  endif()
  rocm_create_package(
    NAME zellige
    DESCRIPTION "Convolution and GEMM kernels for AMD GPUs, with a profiler and a simulator"
    MAINTAINER "Zellige authors <zellige@localhost>")
endif()
