# How CTest is told of a test.  All of them are in tests/CMakeLists.txt.
#
#   sk_suite(SUITE NAME [LONG] [ALONE] [WAITS] [MEMORY] [COST n] [NEEDS preset...] [ENV name=value...]
#            COMMAND word...)
#
# A suite is one test or several; its name is their label.  LONG ones have the label `long` too.
# ALONE: what it shows depends on time, so nothing runs beside it.  WAITS: it mostly waits, so more run beside it.
# MEMORY: its temporary files are in memory.  NEEDS: the presets whose programs it uses besides
# those of this folder.  COST: its seconds; the longest begin first.
include(ProcessorCount)
ProcessorCount(sk_processors)

# ctest counts slots, four per processor (tests/run): most tests take two, since nearly all of them wait at times.
math(EXPR sk_slots "4 * ${sk_processors}")

# A preset is built by a test that comes before those that need it: `ctest -R crash` builds what it
# uses.  It leaves two slots for tests that wait.
function(sk_preset preset)
  math(EXPR slots "${sk_slots} - 2")
  add_test(NAME build_${preset} COMMAND ${CMAKE_SOURCE_DIR}/deploy/build ${preset}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(build_${preset} PROPERTIES LABELS build FIXTURES_SETUP ${preset} TIMEOUT 3600
    PROCESSORS ${slots} COST 1000 ENVIRONMENT CMAKE_BUILD_PARALLEL_LEVEL=${sk_processors})
endfunction()

function(sk_suite suite name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "LONG;ALONE;WAITS;MEMORY" "COST" "NEEDS;ENV;COMMAND")
  set(labels ${suite})
  set(timeout_s 3600)
  set(slots 2)
  set(options)
  if(arg_LONG)
    list(APPEND labels long)
    set(timeout_s 14400)
    set(arg_ALONE TRUE)
  endif()
  if(arg_WAITS)
    set(slots 1)
  endif()
  if(arg_MEMORY)
    set(options --memory)
  endif()
  if(NOT arg_COST)
    set(arg_COST 0)
  endif()
  if(CMAKE_BINARY_DIR STREQUAL "${CMAKE_SOURCE_DIR}/build/asan")
    list(REMOVE_ITEM arg_NEEDS asan)
  endif()
  add_test(NAME ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} COMMAND ${CMAKE_SOURCE_DIR}/tests/one
    ${options} ${CMAKE_BINARY_DIR}/Testing/logs/${suite}/${name} ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout_s} PROCESSORS ${slots}
    RUN_SERIAL ${arg_ALONE} COST ${arg_COST} FIXTURES_REQUIRED "${arg_NEEDS}" ENVIRONMENT "${arg_ENV}")
endfunction()
