"""What a new user does first (examples/first_minutes): in Python from the wheel, in C++ from an installed prefix."""
import os
import shutil

from installed import ROOT, run

FIRST = ROOT / "examples/first_minutes"


def test_in_python(environment, tmp_path):
    shutil.copy(FIRST / "first_minutes.py", tmp_path)
    # What programs have in common is there for this runtime; test_wheel.py compiles with the wheel's.
    printed = run(environment / "bin/python", "first_minutes.py", cwd=tmp_path, LANTERN_RUNTIME=str(ROOT / "runtime/include"))
    assert "compiled: 9.75\n" in printed and "DO NOT EDIT" in printed


def test_in_cpp(prefix, tmp_path):
    cxx = shutil.which("clang++-14") or "g++"
    path, flags = f"{prefix}/bin{os.pathsep}{os.environ['PATH']}", "-O0 -DLANTERN_PACKETS_AS_COMPILED"
    printed = run(FIRST / "first_minutes.sh", tmp_path / "first", PATH=path, CXX=cxx, CXXFLAGS=flags)
    assert printed.count("sum 4, slope 6\n") == 2 and "double tree_sum(const Tree& tree, double scale)" in printed
