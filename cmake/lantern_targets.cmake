# One house style for every folder: warnings as errors, includes from the repository's root.

add_library(lantern_options INTERFACE)
target_compile_options(lantern_options INTERFACE -Wall -Wextra -Werror)
target_include_directories(lantern_options INTERFACE ${PROJECT_SOURCE_DIR})

# `make` sets it, and a wheel: a build from nothing then takes half the time, and a source is compiled with its neighbours.
if(SKBUILD)
  set(together ON)
endif()
option(LANTERN_TOGETHER "Compile many sources of a folder at once" ${together})
# g++ looks for memory to use again from 128 MB on, which such sources pass several times: a fifteenth of the time, for a fifth less of memory.
if(LANTERN_TOGETHER)
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>)
endif()

# lantern_library(NAME [OBJECT] SOURCES … LINK … PRECOMPILE … REUSE …): a static library of one folder of the compiler, or its objects
# alone. Its sources have no name of their own in common, lest they cannot be compiled together.
# PRECOMPILE names the headers that most of its sources include; REUSE, a library whose precompiled headers serve this one too.
# Sources that are compiled together read a header once: to precompile it takes longer.
function(lantern_library name)
  cmake_parse_arguments(arg "OBJECT" "REUSE" "SOURCES;LINK;PRECOMPILE" ${ARGN})
  if(arg_OBJECT)
    add_library(${name} OBJECT ${arg_SOURCES})
  else()
    add_library(${name} STATIC ${arg_SOURCES})
  endif()
  target_link_libraries(${name} PUBLIC lantern_options ${arg_LINK})
  if(LANTERN_TOGETHER)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 32)
  elseif(arg_PRECOMPILE)
    target_precompile_headers(${name} PRIVATE ${arg_PRECOMPILE})
  elseif(arg_REUSE)
    target_precompile_headers(${name} REUSE_FROM ${arg_REUSE})
  endif()
endfunction()

# Tests run in a moment either way, and -Og takes a fifth less of g++'s time than what they test is compiled with.
set(test_options $<$<CONFIG:Release>:-Og>)

# lantern_test(NAME SOURCES … LINK …): a doctest executable, run by ctest.
function(lantern_test name)
  if(NOT LANTERN_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_compile_options(${name} PRIVATE ${test_options})
  target_link_libraries(${name} PRIVATE lantern_options lantern_test_main ${arg_LINK})
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# lantern_tests(FOLDER TOPICS … LINK …): tests/unit/FOLDER_TOPIC_test.cpp, in one executable, a test of ctest each. With LANTERN_TOGETHER they are compiled
# together, too: neighbours include the same headers, and their anonymous namespaces have no name in common.
function(lantern_tests folder)
  if(NOT LANTERN_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "TOPICS;LINK" ${ARGN})
  list(TRANSFORM arg_TOPICS REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/tests/unit/${folder}_\\1_test.cpp" OUTPUT_VARIABLE sources)
  add_executable(${folder}_test ${sources})
  set_target_properties(${folder}_test PROPERTIES UNITY_BUILD ${LANTERN_TOGETHER})
  target_compile_options(${folder}_test PRIVATE ${test_options})
  target_link_libraries(${folder}_test PRIVATE lantern_test_main ${arg_LINK})
  foreach(topic ${arg_TOPICS})
    add_test(NAME ${folder}_${topic}_test COMMAND ${folder}_test --source-file=*/${folder}_${topic}_test.cpp)
    set_tests_properties(${folder}_${topic}_test PROPERTIES FAIL_REGULAR_EXPRESSION "test cases: +0 ")
  endforeach()
endfunction()

# The `main` of all tests.
if(LANTERN_TESTS)
  find_package(doctest REQUIRED)
  add_library(lantern_test_main STATIC ${PROJECT_SOURCE_DIR}/tests/unit/main.cpp)
  target_compile_options(lantern_test_main PRIVATE ${test_options})
  target_link_libraries(lantern_test_main PUBLIC doctest::doctest)
endif()
