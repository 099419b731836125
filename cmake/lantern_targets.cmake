# One house style for every folder: warnings as errors, includes from the repository's root.

add_library(lantern_options INTERFACE)
target_compile_options(lantern_options INTERFACE -Wall -Wextra -Werror)
target_include_directories(lantern_options INTERFACE ${CMAKE_SOURCE_DIR})

# lantern_library(NAME SOURCES … LINK …): a static library of one folder of the compiler.
function(lantern_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC lantern_options ${arg_LINK})
endfunction()

# lantern_test(NAME SOURCES … LINK …): a doctest executable, run by ctest.
function(lantern_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE lantern_options ${arg_LINK})
  add_test(NAME ${name} COMMAND ${name})
endfunction()
