# Which C++ compiler builds Zellige. zellige_pick_compiler() runs before project(): it takes a clang++ that compiles HIP
# unless the user named a compiler. zellige_check_compiler() runs after it and refuses what cannot work, in a sentence.

set(ZELLIGE_CLANG_MINIMUM 22)

# zellige_clang_major(PROGRAM OUTPUT): the major version that a clang++ reports, 0 for anything that is none.
function(zellige_clang_major PROGRAM OUTPUT)
  execute_process(COMMAND ${PROGRAM} --version OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0 AND text MATCHES "clang version ([0-9]+)")
    set(${OUTPUT} ${CMAKE_MATCH_1} PARENT_SCOPE)
  else()
    set(${OUTPUT} 0 PARENT_SCOPE)
  endif()
endfunction()

# A macro, since CMAKE_CXX_COMPILER must be set in the caller's scope. ROCm's own clang++ comes first, if new enough.
macro(zellige_pick_compiler)
  if(NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX} AND NOT ZELLIGE_PLATFORM STREQUAL "nvidia")
    foreach(candidate IN ITEMS "$ENV{ROCM_PATH}/lib/llvm/bin/clang++" /opt/rocm/lib/llvm/bin/clang++
                               clang++-${ZELLIGE_CLANG_MINIMUM} clang++)
      unset(program CACHE)
      find_program(program NAMES ${candidate} NO_CACHE)
      if(program)
        zellige_clang_major(${program} major)
        if(major GREATER_EQUAL ZELLIGE_CLANG_MINIMUM)
          set(CMAKE_CXX_COMPILER ${program})
          break()
        endif()
      endif()
      unset(program)
    endforeach()
    if(NOT CMAKE_CXX_COMPILER)
      message(FATAL_ERROR "No clang++ of version ${ZELLIGE_CLANG_MINIMUM} or newer found, and older ones do not "
                          "compile these kernels: run script/setup, or name one with -DCMAKE_CXX_COMPILER=...")
    endif()
  endif()
endmacro()

function(zellige_check_compiler)
  if(ZELLIGE_PLATFORM STREQUAL "nvidia")
    return()
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER} is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}; Zellige's HIP "
                        "code needs clang++ ${ZELLIGE_CLANG_MINIMUM} or newer: leave CMAKE_CXX_COMPILER and CXX unset "
                        "to have one picked")
  endif()
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS ZELLIGE_CLANG_MINIMUM)
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER} is clang ${CMAKE_CXX_COMPILER_VERSION}; Zellige needs "
                        "${ZELLIGE_CLANG_MINIMUM} or newer: script/setup installs one")
  endif()
endfunction()
