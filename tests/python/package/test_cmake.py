"""The CMake package: from an installed prefix, from a folder of another project, and pkg-config."""
import os
import shutil
import subprocess

import pytest

from installed import BUILD, ROOT, cached, run
from thorough import one_of

CXX = shutil.which("clang++-14") or shutil.which("clang++") or "g++"
FLAGS = ("-DCMAKE_CXX_FLAGS=-O0 -DLANTERN_PACKETS_AS_COMPILED -Wall -Wextra -Werror", f"-DCMAKE_CXX_COMPILER={CXX}")

# The factor is in a module that the model imports.
FILES = {
    "factor.py": "factor = 2\n",
    "model.py": "import lantern as lt\nfrom factor import factor\n\n@lt.export\ndef times(x: float) -> float:\n    return x * factor\n\n"
                "def plus(x: float) -> float:\n    return x + factor\n",
    "main.cpp": '#include <cstdio>\n#include "model.h"\n\nint main() { std::printf("%g\\n", acme::times(21)); }\n',
}
# A program that has the model's header is in test_downstream.py and in the test of a model that is made anew: to read it takes longer than the rest.
DECLARING = '#include <cstdio>\n\nnamespace acme { double times(double x); }\n\nint main() { std::printf("%g\\n", acme::times(21)); }\n'
FOUND = """cmake_minimum_required(VERSION 3.25)
project(downstream CXX)
find_package(Lantern 0.1 CONFIG REQUIRED)
lantern_add_model(doubling SOURCE model.py NAMESPACE acme DTYPE f64)
add_executable(program main.cpp)
target_link_libraries(program PRIVATE doubling)
"""


@pytest.fixture
def project(tmp_path):
    """project(CMakeLists, FILE=text, …) writes the files of a project; its folder."""

    def make(lists, **others):
        for name, text in {**FILES, "CMakeLists.txt": lists, **others}.items():
            (tmp_path / name).write_text(text)
        return tmp_path

    return make


def cmake(*arguments, **options):
    return run(cached("CMAKE_COMMAND"), *arguments, PATH=os.environ["PATH"], **options)


@pytest.mark.parametrize("generator", one_of(["Ninja", "Unix Makefiles"], 0))    # test_downstream.py has the other
def test_a_model_is_made_anew_when_a_file_that_it_imports_changes(project, prefix, generator):
    folder = project(FOUND)
    cmake("-G", generator, "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}", *FLAGS)

    def built():
        return cmake("--build", folder / "build"), run(folder / "build/program")

    assert built()[1] == "42\n"
    output, printed = built()
    assert "to C++" not in output and printed == "42\n"
    (folder / "factor.py").write_text("factor = 3\n")
    later = os.stat(folder / "build/program").st_mtime + 2
    os.utime(folder / "factor.py", (later, later))
    output, printed = built()
    assert "to C++" in output and printed == "63\n"


def test_a_model_that_is_wrong_fails_the_build_and_leaves_no_half_of_it(project, prefix):
    folder = project(FOUND)
    (folder / "model.py").write_text("import lantern as lt\n\n@lt.export\ndef times(x: float) -> float:\n    return x +\n")
    cmake("-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}", *FLAGS)
    done = subprocess.run([cached("CMAKE_COMMAND"), "--build", folder / "build"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode and "model.py:5:" in done.stdout and "[LT0101]" in done.stdout
    assert not (folder / "build/doubling.lantern/model.h").exists()


@pytest.mark.parametrize("arguments, message", [("", "SOURCE FILE is missing"), ("SOURCE model.py COLOUR red", "unknown arguments: COLOUR;red")])
def test_what_is_wrong_with_a_call(project, prefix, arguments, message):
    folder = project(FOUND.replace("SOURCE model.py NAMESPACE acme DTYPE f64", arguments))
    assert f"lantern_add_model: {message}" in cmake("-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}", *FLAGS, expect=1)


def test_the_runtime_alone_is_a_folder_of_another_project(project):
    """As FetchContent has it, for code that was generated before."""
    folder = project(f"cmake_minimum_required(VERSION 3.25)\nproject(downstream CXX)\nset(LANTERN_COMPILER OFF)\nadd_subdirectory({ROOT} lantern)\n"
                     "add_executable(program main.cpp generated/model.cpp)\ntarget_include_directories(program PRIVATE generated)\n"
                     "target_link_libraries(program PRIVATE Lantern::runtime)\n", **{"main.cpp": DECLARING})
    run(BUILD / "bin/lantern", "compile", "model.py", "-o", "generated", "--namespace", "acme", cwd=folder, PATH=os.environ["PATH"])
    cmake("-G", "Ninja", "-S", folder, "-B", folder / "build", *FLAGS)
    cmake("--build", folder / "build")
    assert run(folder / "build/program") == "42\n"


def test_the_compiler_is_a_folder_of_another_project(project):
    """It would be built, without its tests, before the model is compiled."""
    folder = project(FOUND.replace("find_package(Lantern 0.1 CONFIG REQUIRED)", f"add_subdirectory({ROOT} lantern)"))
    grammar = next(BUILD.glob("tree-sitter-python-*"), None)
    cmake("-G", "Ninja", "-S", folder, "-B", folder / "build", *FLAGS, *([f"-DLANTERN_TREE_SITTER_PYTHON={grammar}"] if grammar else []))
    steps = run(cached("CMAKE_MAKE_PROGRAM"), "-C", folder / "build", "-t", "commands", "program", PATH=os.environ["PATH"])
    link, compile_model = steps.index("-o lantern/bin/lantern "), steps.index("lantern/bin/lantern compile ")
    assert link < compile_model and "liblantern.so" in steps and "_test" not in steps


def test_pkg_config(project, prefix, tmp_path):
    folder = project("", **{"main.cpp": DECLARING})
    flags = run("pkg-config", "--cflags", "--libs", "lantern", PKG_CONFIG_PATH=str(prefix / "share/pkgconfig")).split()
    run(prefix / "bin/lantern", "compile", "model.py", "-o", ".", "--namespace", "acme", cwd=folder, PATH=os.environ["PATH"])
    run(CXX, "-std=c++17", "-DLANTERN_PACKETS_AS_COMPILED", "-fsyntax-only", *flags, "main.cpp", "model.cpp", cwd=folder)


def test_shells_find_the_manual_page_and_completions(prefix):
    assert (prefix / "share/man/man1/lantern.1").read_text() == run(prefix / "bin/lantern", "man")
    for shell, place in (("bash", "bash-completion/completions/lantern"), ("zsh", "zsh/site-functions/_lantern"), ("fish", "fish/vendor_completions.d/lantern.fish")):
        assert (prefix / "share" / place).read_text() == run(prefix / "bin/lantern", "completion", shell)


def test_the_installed_package_has_its_bytecode(prefix):
    package = prefix / "share/lantern/python/lantern"
    for folder in (package, package / "staging"):
        assert {file.name.split(".")[0] for file in (folder / "__pycache__").glob("*.pyc")} == {file.stem for file in folder.glob("*.py")}
