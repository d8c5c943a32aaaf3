# Instance libraries: one shared object a target, from shards of 8 to 16 config rows each. The law: one --offload-arch
# per translation unit, so that a shard is compiled once for each target, in parallel and cached apart.
#
#   zellige_add_instances(<target> ARCH <gfx942> FILES <shard.cpp>... [HOST_FILES <table.cpp>...])
#
# Adds the shards to the shared library <target>, which the first call creates: libzellige_<arch>.so in BUILD/lib. A shard
# is compiled as HIP (as CUDA on NVIDIA's platform) for ARCH alone, with -DZELLIGE_INSTANCE_ARCH=<arch>; HOST_FILES see
# that definition too, but are plain C++. The targets made so far are listed in the global property ZELLIGE_INSTANCE_LIBRARIES.

include_guard(GLOBAL)

function(zellige_add_instances TARGET)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ARCH" "FILES;HOST_FILES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_ARCH OR NOT arg_FILES)
    message(FATAL_ERROR "usage: zellige_add_instances(<target> ARCH <gfx942> FILES <shard.cpp>... "
                        "[HOST_FILES <table.cpp>...])")
  endif()
  set(shards ${TARGET}_shards)
  if(NOT TARGET ${TARGET})
    add_library(${shards} OBJECT)
    # The generic code of a target runs on the devices that arch_traits() lists in runs_on.
    set(offload ${arg_ARCH})
    if(ZELLIGE_GENERIC)
      string(REGEX REPLACE "^gfx1100$" "gfx11-generic" offload ${offload})
      string(REGEX REPLACE "^gfx1201$" "gfx12-generic" offload ${offload})
    endif()
    zellige_kernel_objects(${shards} ${offload})
    # An object library takes the headers alone: naming the runtime would make its build wait for the simulator's.
    target_link_libraries(${shards} PRIVATE zellige_headers zellige::hip_headers)

    add_library(${TARGET} SHARED $<TARGET_OBJECTS:${shards}>)
    set_target_properties(${TARGET} PROPERTIES OUTPUT_NAME zellige_${arg_ARCH})
    target_link_libraries(${TARGET} PRIVATE zellige_headers zellige::hip)
    # A program may hold the same kernel, compiled from its own config: each side then launches its own copy.
    target_link_options(${TARGET} PRIVATE -Wl,-Bsymbolic)
    foreach(part IN ITEMS ${shards} ${TARGET})
      target_compile_definitions(${part} PRIVATE ZELLIGE_INSTANCE_ARCH=${arg_ARCH})
    endforeach()
    set_property(GLOBAL APPEND PROPERTY ZELLIGE_INSTANCE_LIBRARIES ${TARGET})
  endif()
  target_sources(${shards} PRIVATE ${arg_FILES})
  set_source_files_properties(${arg_FILES} TARGET_DIRECTORY ${shards} PROPERTIES LANGUAGE ${zellige_kernel_language})
  if(arg_HOST_FILES)
    target_sources(${TARGET} PRIVATE ${arg_HOST_FILES})
  endif()
endfunction()
