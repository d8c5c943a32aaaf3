# Installation and packages: find_package(zellige) gives zellige::headers, zellige::zellige (once the library is built),
# zellige::hip and zellige_hip_sources(). `cpack` in the build folder makes a .deb or a .tar.gz of the same files.
#
# A folder adds its own targets with rocm_install_targets(TARGETS ...); this file only adds what belongs to none of them.

# The package remembers its runtime and where HIP was when it was built; both are looked for anew where that is gone.
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
rocm_install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/zellige)

if(PROJECT_IS_TOP_LEVEL)
  # rocm-cmake signs every package as its own maker's; the vendor is ours, set when cpack runs.
  file(WRITE ${PROJECT_BINARY_DIR}/ZelligeCPack.cmake "set(CPACK_PACKAGE_VENDOR \"Zellige authors\")\n")
  set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/ZelligeCPack.cmake)
  if(NOT CPACK_GENERATOR)
    set(CPACK_GENERATOR "DEB;TGZ")
  endif()
  rocm_create_package(
    NAME zellige
    DESCRIPTION "Convolution and GEMM kernels for AMD GPUs, with a profiler and a simulator"
    MAINTAINER "Zellige authors <zellige@localhost>")
endif()
