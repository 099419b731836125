"""Names of Python's that mean something else in C++, or that it lacks: what is compiled of them is C++, under names that do not depend on each other."""
import keyword
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
COMPILER = os.environ.get("LANTERN_CXX", "c++")
FLAGS = ["-std=c++17", "-I", ROOT / "runtime" / "include", "-isystem", os.environ.get("LANTERN_EIGEN", "/usr/include/eigen3")]


def header_of(lantern, folder, text):
    (folder / "model.py").write_text("import lantern as lt\n\n\n" + text, "utf-8")
    made = lantern("compile", "model.py", "-o", ".")
    assert (made.returncode, made.stderr) == (0, "")
    built = subprocess.run([COMPILER, *FLAGS, "-fsyntax-only", "model.cpp"], cwd=folder, capture_output=True, text=True)
    assert (built.returncode, built.stderr) == (0, "")
    return (folder / "model.h").read_text("utf-8")


def test_macros(lantern, tmp_path):
    """Of every header of the runtime, and what it includes. Where a newer system has others, codegen/macro_names.cpp lacks them."""
    headers = sorted((ROOT / "runtime" / "include" / "lantern").glob("*.h"))
    (tmp_path / "all.cpp").write_text("".join(f'#include "lantern/{header.name}"\n' for header in headers))
    listed = subprocess.run([COMPILER, *FLAGS, "-march=native", "-dM", "-E", "all.cpp"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    macros = set(re.findall(r"#define (\w+)", listed))
    names = sorted(name for name in macros if not name.startswith(("_", "LANTERN")) and "__" not in name and not keyword.iskeyword(name))
    assert {"INT_MAX", "M_PI", "errno"} <= set(names)
    fields = "".join(f"    {name}: float\n" for name in names)
    formals = ", ".join(f"{name}: float" for name in names)
    header = header_of(lantern, tmp_path, f"@lt.struct\nclass Limits:\n{fields}\n\n@lt.export\ndef f({formals}):\n    return M_PI * INT_MAX\n\n\n"
                                          "@lt.export\ndef g(limits: Limits):\n    return limits.M_PI\n")
    assert "double M_PI_" in header and set(re.findall(r"double (\w+)", header)) & macros == set()


def test_a_parameter_is_called_as_a_structure(lantern, tmp_path):
    header = header_of(lantern, tmp_path, """@lt.struct
class node:
    value: float
    next: "node | None"


@lt.export
def add(node: node, other: node) -> float:
    return node.value + other.value


@lt.export
def walk(node: node, depth: int) -> float:
    total = 0.0
    for i in range(depth):
        total += node.value
    return total
""")
    assert "double add(const node& node_2, const node& other);" in header


def test_letters_that_ascii_lacks(lantern, tmp_path):
    text = """@lt.struct
class Größe:
    höhe: float


@lt.export
def f(α: float, dβ: float, σ2: float, größe: Größe):
    Δt = α * dβ
    return Δt / σ2 + größe.höhe


@lt.export
def é(x: float):
    return x
"""
    before = "@lt.export\ndef è(x: float):\n    return 2 * x\n\n\n"
    for header in (header_of(lantern, tmp_path, before + text), header_of(lantern, tmp_path, text)):
        assert "double f(double alpha, double d_beta, double sigma2, const Gr_u00f6_u00df_e& gr_u00f6_u00df_e)" in header and "double u00e9(double x)" in header
        assert "double h_u00f6_he;" in header
    assert "Delta_t" in (tmp_path / "model.cpp").read_text("utf-8")


@pytest.mark.parametrize("name", ["string", "errno", "unistd"])
def test_a_header_is_not_called_as_one_of_the_systems(lantern, tmp_path, name):
    (tmp_path / f"{name}.py").write_text("import lantern as lt\n\n\n@lt.export\ndef f(x: float = 1.0):\n    return x * 2\n")
    for how in (["-o", "made"], ["--standalone", "-o", "made"], []):
        made = lantern("compile", f"{name}.py", *how)
        assert made.returncode == 1 and f"a model's header cannot be called '{name}.h'" in made.stderr and "[LT0511]" in made.stderr
    assert [path.name for path in tmp_path.iterdir()] == [f"{name}.py"]
    assert lantern("run", f"{name}.py", "f").stdout == "2.0\n"


@pytest.mark.parametrize("name", ["stat", "scandir"])
def test_a_namespace_is_not_called_as_a_function_of_what_the_runtime_includes(lantern, tmp_path, name):
    (tmp_path / f"{name}.py").write_text("import lantern as lt\n\n\nmodel = lt.Module()\nmodel.w = lt.Parameter((2,))\n\n\n@lt.export\ndef f(path: str):\n"
                                         "    lt.load(path, model)\n    return lt.sum(model.w)\n")
    assert lantern("compile", f"{name}.py", "-o", ".").returncode == 0
    built = subprocess.run([COMPILER, *FLAGS, "-fsyntax-only", f"{name}.cpp"], cwd=tmp_path, capture_output=True, text=True)
    assert (built.returncode, built.stderr) == (0, "")
