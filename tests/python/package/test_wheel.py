"""The wheel in a clean environment: the package, and the command that lies in it."""
import os
import pathlib
import shutil
import sys
import zipfile

from installed import ROOT, run

FUNCTION = """
import pathlib, sys
import numpy as np
import lantern as lt
from lantern import core

@lt.function
def positive_squares(x):
    total = 0.0
    for v in x:
        if v > 0:
            total += v * v
    return total

assert pathlib.Path(lt.__file__).is_relative_to(sys.prefix), lt.__file__
assert pathlib.Path(core.library_path()).is_relative_to(sys.prefix), core.library_path()
print(positive_squares(np.array([1.0, -2.0, 3.0])))
"""


def test_what_the_wheel_carries(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    ours = {f"lantern/{path.relative_to(ROOT / 'python/lantern')}" for path in (ROOT / "python/lantern").rglob("*.py")}
    runtime = {f"lantern/include/{path.relative_to(ROOT / 'runtime/include')}" for path in (ROOT / "runtime/include").rglob("*") if path.is_file()}
    assert ours | runtime <= names
    assert {"lantern/bin/lantern", "lantern/lib/liblantern.so", "lantern/py.typed", "lantern/lib/cmake/Lantern/LanternConfig.cmake",
            "lantern/share/doc/lantern/LICENSE", "lantern_command.py"} <= names
    assert wheel.name.endswith("-py3-none-linux_x86_64.whl")
    assert not [name for name in names if "test" in name.lower() or "__pycache__" in name]


def test_a_function_is_compiled_in_process(environment, tmp_path):
    (tmp_path / "program.py").write_text(FUNCTION)
    assert run(environment / "bin/python", "program.py", cwd=tmp_path, LANTERN_PREPARED="none") == "10.0\n"


def test_a_package_without_its_library_says_where_it_looked(environment):
    """Here, as near the root as can be."""
    program = "import pathlib; from lantern import core; core._PACKAGE = pathlib.Path('/lantern')\ntry: core.library_path()\nexcept lt.CoreError as error: print(error)"
    printed = run(environment / "bin/python", "-c", "import lantern as lt\n" + program)
    assert "is not to be found" in printed and "/lantern/lib/liblantern.so, /lantern/../../../../lib/liblantern.so, " in printed


def test_the_command_stages_with_the_python_it_was_installed_into(environment, tmp_path):
    """Nothing is activated, and no other Python has NumPy."""
    shutil.copy(ROOT / "examples/tree_lstm.py", tmp_path)
    assert run(environment / "bin/lantern", "compile", "tree_lstm.py", "-o", "out", cwd=tmp_path, PATH="/nowhere") == ""
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["tree_lstm.cpp", "tree_lstm.h"]


def test_another_python_is_given_this_package_and_nothing_else_of_the_environment(environment, tmp_path):
    (tmp_path / "model.py").write_text("import lantern as lt, numpy, sys\nprint(lt.__file__, numpy.__file__, sys.prefix, sep='\\n')\n\n"
                                       "@lt.export\ndef double(x: float = 1.0):\n    return x * 2\n")
    package, numpy, prefix = run(environment / "bin/lantern", "compile", "model.py", "--python", sys.executable, cwd=tmp_path).splitlines()
    assert pathlib.Path(package).is_relative_to(environment)
    assert not pathlib.Path(numpy).is_relative_to(environment) and prefix == sys.prefix


def test_prefix_leads_to_the_cmake_package(environment, prefix):
    for command in (environment / "bin/lantern", prefix / "bin/lantern"):
        folder = pathlib.Path(run(command, "--prefix").strip())
        assert (folder / "lib/cmake/Lantern/LanternConfig.cmake").exists() and (folder / "include/lantern/runtime.h").exists()


def test_an_installed_prefix_works_by_itself(prefix, tmp_path):
    shutil.copy(ROOT / "examples/tree_prod.py", tmp_path)
    assert "tree_prod" in run(prefix / "bin/lantern", "compile", "tree_prod.py", "--emit", "sexpr", cwd=tmp_path, PATH=os.environ["PATH"])
