# lantern_add_model(TARGET SOURCE FILE [ENTRY NAME] [NAMESPACE A::B] [DTYPE f32|f64] [PYTHON PATH])
#
# A static library of a model, generated anew when FILE, a Python file that it imports, or Lantern changes. FILE is a Python file or
# an .sexpr file; NAME.h, after the file's name, is on the include path of what links with TARGET. The options are those of
# `lantern compile`. PYTHON is the Python that FILE runs under: else Lantern_PYTHON, else what `lantern` finds by itself.
# How fast the library is depends on the flags of your build: -O3 and -fno-math-errno (never -ffast-math); for one kind of processor alone, -march=…, and
# -DLANTERN_PACKETS_AS_COMPILED, which takes less of the compiler's time. All files of a program that have Lantern's headers want the same of both. Numbers are
# rounded as Python rounds them, by -ffp-contract=off.
function(lantern_add_model target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SOURCE;ENTRY;NAMESPACE;DTYPE;PYTHON" "")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "lantern_add_model: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  elseif(NOT arg_SOURCE)
    message(FATAL_ERROR "lantern_add_model: SOURCE FILE is missing")
  elseif(NOT TARGET Lantern::lantern)
    message(FATAL_ERROR "lantern_add_model: this Lantern has no compiler (LANTERN_COMPILER is off)")
  endif()
  if(NOT arg_PYTHON AND Lantern_PYTHON)
    set(arg_PYTHON ${Lantern_PYTHON})
  endif()
  cmake_path(ABSOLUTE_PATH arg_SOURCE NORMALIZE)
  cmake_path(GET arg_SOURCE STEM LAST_ONLY name)
  string(REGEX REPLACE "[^A-Za-z0-9]" "_" name "${name}")
  string(REGEX REPLACE "^([0-9]|$)" "program_\\1" name "${name}")

  set(options)
  foreach(option ENTRY NAMESPACE DTYPE PYTHON)
    if(arg_${option})
      string(TOLOWER ${option} flag)
      list(APPEND options --${flag} ${arg_${option}})
    endif()
  endforeach()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.lantern)
  add_custom_command(
    OUTPUT ${folder}/${name}.cpp ${folder}/${name}.h
    COMMAND Lantern::lantern compile ${arg_SOURCE} -o ${folder} --depfile ${folder}/${name}.d ${options}
    DEPENDS ${arg_SOURCE} Lantern::lantern
    DEPFILE ${folder}/${name}.d
    COMMENT "Compiling ${arg_SOURCE} to C++"
    VERBATIM)
  add_library(${target} STATIC ${folder}/${name}.cpp ${folder}/${name}.h)
  target_include_directories(${target} PUBLIC ${folder})
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  target_link_libraries(${target} PUBLIC Lantern::runtime)
endfunction()
