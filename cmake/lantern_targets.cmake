# One house style for every folder: warnings as errors, includes from the repository's root.

add_library(lantern_options INTERFACE)
target_compile_options(lantern_options INTERFACE -Wall -Wextra -Werror)
target_include_directories(lantern_options INTERFACE ${CMAKE_SOURCE_DIR})

# lantern_library(NAME SOURCES … LINK … PRECOMPILE …): a static library of one folder of the compiler. PRECOMPILE names
# the large headers that most of its sources include.
function(lantern_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;PRECOMPILE" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC lantern_options ${arg_LINK})
  if(arg_PRECOMPILE)
    target_precompile_headers(${name} PRIVATE ${arg_PRECOMPILE})
  endif()
endfunction()

# lantern_test(NAME SOURCES … LINK …): a doctest executable, run by ctest.
function(lantern_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE lantern_options ${arg_LINK})
  add_test(NAME ${name} COMMAND ${name})
endfunction()
