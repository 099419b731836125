"""What a generated file takes in of the runtime: a program without arrays what it says, any other runtime.h."""
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
HEADERS = ROOT / "runtime" / "include"
CXX = shutil.which("clang++-14") or shutil.which("clang++") or "g++"
TABLE = dict(re.findall(r'\{"(\w+)", "(\w+\.h)"\}', (ROOT / "codegen" / "includes.cpp").read_text("utf-8")))
LIGHT = {"api.h", *TABLE.values()}


def with_all_it_includes(header, found=None):
    found = set() if found is None else found
    if header not in found:
        found.add(header)
        text = (HEADERS / "lantern" / header).read_text("utf-8")
        for included in re.findall(r'#include (?:LANTERN_DEFINITIONS\()?"lantern/([\w/.]+)"', text):
            with_all_it_includes(included, found)
    return found


def declare(name, headers):
    """Those that declare something of this name outside of classes: what is at the beginning of a line."""
    declaration = re.compile(rf"^[^\s/#}}][^\n({{=]*(?<![.:&\w]){name} *(\(|\{{|:|;|=|$)", re.MULTILINE)
    return {header for header in headers if declaration.search((HEADERS / "lantern" / header).read_text("utf-8"))}


def test_a_name_is_its_header_s_and_no_other_header_has_an_overload_of_it():
    assert len(TABLE) > 20
    without_arrays = set().union(*map(with_all_it_includes, LIGHT))
    assert not without_arrays & {"expression.h", "products.h"}
    others = with_all_it_includes("runtime.h") - without_arrays
    assert "elementwise.h" in others and declare("sin", others) == {"elementwise.h"}
    for name, header in TABLE.items():
        assert declare(name, with_all_it_includes(header)), f"{header} does not declare {name}"
        assert name == "length" or not declare(name, others), f"{name} has other overloads"   # that of other headers is of arrays


PROGRAM = """
import lantern as lt

@lt.struct
class Tree:
    value: float
    sizes: list[int]
    left: "Tree | None"
    right: "Tree | None"

def total(tree: "Tree | None", scale: float) -> float:
    if tree is None:
        return 1.0
    return tree.value * scale * total(tree.left, scale) * total(tree.right, scale) + tree.value / (scale + 1.0)

def settle(x: float, steps: int) -> float:
    y = x
    for _ in range(steps):
        y = y * x + 0.5
    return y

@lt.export
def count(tree: Tree, n: int) -> int:
    if n < 0:
        raise ValueError("less than nothing")
    steps = n * 2 - 1
    for number in tree.sizes:
        steps += -number
    print("steps", steps)
    return int(tree.value) + len(tree.sizes)

@lt.export
def grown(tree: Tree, flag: bool) -> Tree:
    print(f"{tree.value} is {flag}")
    return Tree(tree.value + 1.0, tree.sizes, tree, None)

@lt.export
def slope(tree: Tree, scale: float) -> tuple[float, float]:
    return lt.value_and_grad(total, wrt="scale")(tree, scale)

@lt.export
def settled(x: float, steps: int) -> tuple[float, float]:
    return lt.value_and_grad(settle, wrt="x")(x, steps)
"""


def test_what_has_no_arrays_takes_in_what_it_says(lantern, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = lantern("compile", "program.py", "-o", ".")
    assert (done.returncode, done.stderr) == (0, "")
    included = re.findall(r'#include "lantern/(\w+\.h)"', (tmp_path / "program.cpp").read_text("utf-8"))
    assert included == ["saved.h", "scalar.h", "tape.h", "text.h"]
    assert "deferred_steps.h" not in (tmp_path / "program.h").read_text("utf-8")
    flags = ("-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{HEADERS}")      # and Eigen is not looked for
    done = subprocess.run([CXX, *flags, "-fsyntax-only", "program.cpp"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
