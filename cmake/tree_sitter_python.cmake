# The Python grammar for tree-sitter, as the target `tree_sitter_python`: a system copy of the right version,
# else the published sources, fetched once into the build tree and never committed.
#
# Sources come from the package's sdist (pip) or its npm package, whichever the machine can reach; the checksums
# below are those of the two C files themselves, so both routes give the same parser or none.
# Offline: -DLANTERN_TREE_SITTER_PYTHON=DIR, a folder that holds parser.c and scanner.c.

set(grammar_version 0.23.6)  # the last with ABI 14, which is what Debian 12's libtree-sitter takes
set(grammar_parser_sha256 5df63395433197cb65168e95f5ce705cb1dd4c12a11a85020755a5c4b8b55c21)
set(grammar_scanner_sha256 411b2357bc1286b171fd042ccb0f640109074cc341d3cd78b5628144887f7ab8)

set(LANTERN_TREE_SITTER_PYTHON "" CACHE PATH "Folder with tree-sitter-python's parser.c and scanner.c (default: fetched)")

find_path(TREE_SITTER_INCLUDE tree_sitter/api.h)
find_library(TREE_SITTER_LIBRARY tree-sitter)
if(NOT TREE_SITTER_INCLUDE OR NOT TREE_SITTER_LIBRARY)
  message(FATAL_ERROR "libtree-sitter is missing: install libtree-sitter-dev (`make setup` does)")
endif()

# Sets `found` to whether `folder` holds the grammar's two sources, unchanged.
function(grammar_is_in folder found)
  set(${found} FALSE PARENT_SCOPE)
  if(EXISTS ${folder}/parser.c AND EXISTS ${folder}/scanner.c)
    file(SHA256 ${folder}/parser.c parser_sha256)
    file(SHA256 ${folder}/scanner.c scanner_sha256)
    if(parser_sha256 STREQUAL grammar_parser_sha256 AND scanner_sha256 STREQUAL grammar_scanner_sha256)
      set(${found} TRUE PARENT_SCOPE)
    else()
      message(STATUS "tree-sitter-python in ${folder}: wrong checksum, not used")
    endif()
  endif()
endfunction()

# Tries each way to fetch until `folder`/src holds the sources. pip reads a package's metadata even for a plain
# download, which needs setuptools: the interpreter's own first, else pip fetches one.
function(fetch_grammar folder)
  string(CONCAT pip_download "download --quiet --disable-pip-version-check --no-deps --no-binary tree-sitter-python "
                             "--dest . tree-sitter-python==${grammar_version}")
  set(attempts
      "python3 -m pip ${pip_download} --no-build-isolation"
      "/usr/bin/python3 -m pip ${pip_download} --no-build-isolation"
      "python3 -m pip ${pip_download}"
      "/usr/bin/python3 -m pip ${pip_download}"
      "pip3 ${pip_download}"
      "npm pack --silent tree-sitter-python@${grammar_version}")
  set(failures "")
  foreach(attempt IN LISTS attempts)
    string(REPLACE " " ";" attempt "${attempt}")
    file(REMOVE_RECURSE ${folder}/fetched)
    file(MAKE_DIRECTORY ${folder}/fetched)
    execute_process(COMMAND ${attempt} WORKING_DIRECTORY ${folder}/fetched TIMEOUT 300
                    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    file(GLOB archives ${folder}/fetched/*.tar.gz ${folder}/fetched/*.tgz)
    foreach(archive IN LISTS archives)
      file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${folder}/fetched)
    endforeach()
    file(GLOB parsers ${folder}/fetched/*/src/parser.c)
    foreach(parser IN LISTS parsers)
      get_filename_component(sources ${parser} DIRECTORY)
      grammar_is_in(${sources} good)
      if(good)
        file(COPY ${sources}/parser.c ${sources}/scanner.c DESTINATION ${folder})
        file(REMOVE_RECURSE ${folder}/fetched)
        return()
      endif()
      string(APPEND output "the sources that came have another checksum\n")
    endforeach()
    list(JOIN attempt " " attempt)
    string(APPEND failures "  ${attempt}\n    ${result} ${output}\n")
  endforeach()
  message(FATAL_ERROR "Cannot fetch tree-sitter-python ${grammar_version}. Install python3-pip (`make setup` does) or npm, "
          "or pass -DLANTERN_TREE_SITTER_PYTHON=DIR. Tried:\n${failures}")
endfunction()

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(SYSTEM_GRAMMAR QUIET tree-sitter-python=${grammar_version})
endif()

if(SYSTEM_GRAMMAR_FOUND AND NOT LANTERN_TREE_SITTER_PYTHON)
  add_library(tree_sitter_python INTERFACE)
  target_link_libraries(tree_sitter_python INTERFACE ${SYSTEM_GRAMMAR_LINK_LIBRARIES} ${TREE_SITTER_LIBRARY})
  target_include_directories(tree_sitter_python INTERFACE ${TREE_SITTER_INCLUDE})
else()
  set(grammar_folder ${PROJECT_BINARY_DIR}/tree-sitter-python-${grammar_version})
  if(LANTERN_TREE_SITTER_PYTHON)
    set(grammar_folder ${LANTERN_TREE_SITTER_PYTHON})
  endif()
  grammar_is_in(${grammar_folder} grammar_present)
  if(NOT grammar_present)
    if(LANTERN_TREE_SITTER_PYTHON)
      message(FATAL_ERROR "${grammar_folder} does not hold the parser.c and scanner.c of tree-sitter-python ${grammar_version}")
    endif()
    message(STATUS "Fetching tree-sitter-python ${grammar_version}")
    fetch_grammar(${grammar_folder})
  endif()
  add_library(tree_sitter_python STATIC ${grammar_folder}/parser.c ${grammar_folder}/scanner.c)
  # Generated C: no warnings of ours. The headers it asks for are newer than Debian's; frontend/grammar fills the gap.
  target_compile_options(tree_sitter_python PRIVATE -O1 -w)
  target_include_directories(tree_sitter_python PRIVATE ${PROJECT_SOURCE_DIR}/frontend/grammar)
  target_include_directories(tree_sitter_python SYSTEM PUBLIC ${TREE_SITTER_INCLUDE})
  target_link_libraries(tree_sitter_python PUBLIC ${TREE_SITTER_LIBRARY})
endif()
