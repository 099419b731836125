"""C++ that stands alone: Eigen is all it needs, several copies of the runtime go into one program, and what was checked in can be held to its source."""
import os
import shutil
import subprocess

import pytest

from installed import BUILD, ROOT, run
from thorough import THOROUGH, one_of

LANTERN = BUILD / "bin/lantern"
FAST = shutil.which("clang++-14") or shutil.which("clang++") or "g++"
STRICT = ("-std=c++17", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wold-style-cast", "-Wconversion", "-Werror", "-isystem", "/usr/include/eigen3")
# What is linked has one kind of kernels: those that are chosen when a program runs take a third of a minute; runtime_products_test runs them.
PACKETS = ("-DLANTERN_PACKETS_AS_COMPILED",)

MODEL = """import lantern as lt
import numpy as np

scale = lt.Parameter((3,), lt.init.ones(), name="scale")
leaf = lt.Parameter((64,), lt.init.ones(), name="leaf")
mix = lt.Parameter((64, 64), lt.init.ones(), name="mix")
rate = lt.Variable(0.25, name="rate")
table = lt.Variable(np.array([[1.5, np.inf], [-0.0, 2.0]]), name="table")
ones = lt.Variable(np.ones(4), name="ones")
large = lt.Variable(2**53 + 1, name="large")
places = lt.Variable(np.array([2**53 + 1, -2**63]), name="places")
flags = lt.Variable(np.array([True, False]), name="flags")
seen = lt.Variable(shape=(3,), name="seen")

@lt.export
def half(x: int) -> int:
    return x // 2

@lt.export
def scaled(x: lt.Tensor[3]):
    return x * scale

@lt.export
def slowed(x: float) -> float:
    return x * float(rate)

@lt.export
def begun() -> float:
    return float(table[0, 0] + table[1, 1] + np.sum(ones))

@lt.export
def whole(i: int) -> int:
    return int(large) - int(places[i]) if flags[0] and not flags[1] else 0

@lt.export
def noted(x: float) -> float:
    seen.assign(seen + x)
    return float(np.sum(seen))

@lt.export
def noted_before() -> float:
    return float(np.sum(seen))

@lt.export
def mixed(x: float, n: int) -> float:
    best = x
    for i in range(n):
        best = max(best, i * n)
    return best if (n == x) == (n > 1) else n

@lt.struct
class Tree:
    value: float
    left: "Tree | None"
    right: "Tree | None"

def encode(tree: Tree):
    if tree.left is None or tree.right is None:
        return lt.tanh(leaf * tree.value)
    left = encode(tree.left)
    right = encode(tree.right)
    return lt.tanh(mix @ left + mix @ right)

def loss(tree: Tree):
    return lt.sum(encode(tree))

@lt.export
def learn(tree: Tree) -> float:
    value, gradients = lt.value_and_grad(loss)(tree)
    lt.optim.Adam(0.1).step(gradients)
    return value
"""


SMALL_MODEL = """import lantern as lt

@lt.export
def half(x: int) -> int:
    return x // 2
"""


@pytest.fixture
def compiled(tmp_path):
    """compiled(NAME, "--flag", …, VARIABLE=…): a folder NAME of C++ that stands alone, made from NAME.py."""

    def make(name, *flags, expect=0, model=MODEL, **env):
        (tmp_path / f"{name}.py").write_text(model)
        printed = run(LANTERN, "compile", f"{name}.py", "--standalone", "-o", name, *flags, cwd=tmp_path, expect=expect, PATH=os.environ["PATH"], **env)
        return printed if expect else tmp_path / name

    return make


def files_of(folder):
    return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()}


def another_runtime(tmp_path):
    """A version of the runtime in which 7 // 2 is 1003."""
    shutil.copytree(ROOT / "runtime/include", tmp_path / "another")
    header = tmp_path / "another/lantern/scalar.h"
    text = header.read_text()
    place = text.index("{", text.index("inline int64_t floor_divide(int64_t a, int64_t b, const char* location)")) + 1
    header.write_text(f"{text[:place]}\n  a += 2000;{text[place:]}")
    return tmp_path / "another"


MAIN = """
#include <cstdio>
#include "one/one.h"
#include "two/two.h"
#include "three/three.h"

int main() {
  try {
    acme::one::Model model;
    try {
      acme::one::noted_before(model);
    } catch (const acme::one::Error& error) {
      std::printf("%s\\n", error.what());
    }
    std::printf("%g %d %g ", acme::one::begun(model), int(acme::one::whole(model, 0)), acme::one::noted(model, 2));
    std::printf("%g\\n", acme::one::noted_before(model));
    model.parameters.scale.resize({3});
    model.parameters.scale.data()[1] = 2;
    float x[3] = {1, 2, 3};
    std::printf("%d %d %d %g %g\\n", int(acme::one::half(7)), int(two::half(7)), int(three::half(7)), double(acme::one::scaled(model, {x, {3}}).data[1]), acme::one::slowed(model, 2.0));
    acme::one::scaled(model, {x, {2}});
  } catch (const acme::one::Error& error) {
    std::printf("%s\\n", error.kind().c_str());
  }
}
"""


@pytest.mark.skipif(THOROUGH == 1, reason="LANTERN_THOROUGH is 1")
def test_copies_of_two_versions_go_into_one_program_and_one_source_file(compiled, tmp_path):
    """`one` and `two` are of one version, in two folders; `three` is of another."""
    folders = [compiled("one", "--namespace", "acme::one"), compiled("two", model=SMALL_MODEL),
               compiled("three", model=SMALL_MODEL, LANTERN_RUNTIME=str(another_runtime(tmp_path)))]
    (tmp_path / "main.cpp").write_text(MAIN)
    for folder in folders:
        run(FAST, *STRICT, *PACKETS, "-c", f"{folder.name}/{folder.name}.cpp", "-o", f"{folder.name}.o", cwd=tmp_path)
    run(FAST, *STRICT, *PACKETS, "-I.", "-Ithree", "-Ione", "main.cpp", "one.o", "two.o", "three.o", "-o", "program", cwd=tmp_path)
    unfilled = "'seen' of the Model has no value yet: load it, or call a function that makes it, before one that reads it"
    assert run(tmp_path / "program") == f"{unfilled}\n7.5 0 6 6\n3 3 1003 4 0.5\nValueError\n"


# clang's, of kernels of all kinds: g++ has compiled those in runtime_products_test.
@pytest.mark.parametrize("compiler", one_of(sorted({"g++", FAST}), 1), ids=os.path.basename)
def test_it_has_no_warnings_and_nothing_of_lantern_is_looked_at(compiled, compiler):
    kernels = () if compiler == FAST else PACKETS
    folder = compiled("one")
    read = run(compiler, *STRICT, *kernels, "-H", "-fsyntax-only", "one.cpp", cwd=folder)
    assert "lantern/runtime.h" in read and str(ROOT) not in read


def test_only_the_headers_that_are_needed_are_there_and_say_whose_they_are(compiled):
    folder = compiled("one", "--namespace", "acme::one")
    files = files_of(folder)
    assert {"one.h", "one.cpp", "lantern/LICENSE", "lantern/runtime.h", "lantern/definitions/stack.h"} <= set(files)
    assert not {"lantern/csv.h", "lantern/treebank.h", "lantern/npz.h", "lantern/precompiled/instances.h"} & set(files)
    assert files["lantern/LICENSE"] == (ROOT / "LICENSE").read_text()
    assert all(text.split("\n")[0].endswith("MIT licence: LICENSE. DO NOT EDIT.") for name, text in files.items() if name.startswith("lantern/") and name.endswith(".h"))
    header = files["one.h"]
    assert all(word in header for word in ("are yours", "a Model owns", "throws acme::one::Error", "any thread may call", "copy what you keep"))
    assert "namespace lantern " not in "".join(files.values()) and str(ROOT) not in "".join(files.values())


def test_check_says_what_is_stale(compiled, tmp_path):
    folder = compiled("one")
    before = files_of(folder)
    assert compiled("one", "--check") == folder and files_of(folder) == before
    (folder / "one.cpp").write_text(before["one.cpp"].replace("2", "3"))
    (folder / "lantern/api.h").unlink()
    stale = files_of(folder)
    printed = compiled("one", "--check", expect=1)
    assert "--- one/one.cpp\n+++ one/one.cpp (generated anew)\n" in printed and "--- one/lantern/api.h\n" in printed
    assert "error: 'one/one.cpp' is not what 'one.py' is compiled to [LT0811]\n" in printed and "2 errors\n" in printed
    assert files_of(folder) == stale


def test_a_program_that_fails_to_compile_is_not_called_stale(compiled):
    assert "[LT0811]" not in compiled("one", "--check", "--entry", "nothing", expect=1)


@pytest.mark.parametrize("space", ["a::", "a b", "1a", "std::x", "lantern", "a::class", "a;b", "a__b"])
def test_what_cannot_be_a_namespace(compiled, space):
    assert f"error: '{space}' cannot be a namespace [LT0809]\n" in compiled("one", "--namespace", space, expect=2)


def test_a_depfile_names_the_python_files_that_are_imported(tmp_path):
    (tmp_path / "part one.py").write_text("factor = 2\n")
    (tmp_path / "model.py").write_text("import importlib, lantern as lt\nfactor = importlib.import_module('part one').factor\n\n"
                                       "@lt.export\ndef f(x: float) -> float:\n    return x * factor\n")
    run(LANTERN, "compile", "model.py", "-o", "out", "--depfile", "model.d", cwd=tmp_path, PATH=os.environ["PATH"])
    (tmp_path / "Makefile").write_text("include model.d\nout/model.h out/model.cpp:\n\ttouch made\n")
    for changed in ("model.py", "part one.py"):
        later = (tmp_path / "out/model.h").stat().st_mtime + 10
        (tmp_path / changed).touch()
        os.utime(tmp_path / changed, (later, later))
        assert subprocess.run(["make", "-s", "out/model.h"], cwd=tmp_path).returncode == 0 and (tmp_path / "made").exists()
        (tmp_path / "made").unlink()
        os.utime(tmp_path / "out/model.h", (later + 10, later + 10))
    assert subprocess.run(["make", "-s", "out/model.h"], cwd=tmp_path).returncode == 0 and not (tmp_path / "made").exists()


@pytest.mark.parametrize("flag", [("--check",), ("--standalone",), ("--depfile", "x.d")])
def test_files_are_what_the_flags_are_about(tmp_path, flag):
    (tmp_path / "one.py").write_text(MODEL)
    assert "are of C++ files [LT0805]" in run(LANTERN, "compile", "one.py", "--emit", "cps", *flag, cwd=tmp_path, expect=2)


@pytest.mark.skipif("avx512dq" not in open("/proc/cpuinfo", encoding="utf-8").read(), reason="kernels of AVX-512")
def test_kernels_compile_without_an_optimiser(tmp_path):
    """Immediate operands are constants there, too, as in a build that asks for nothing."""
    (tmp_path / "kernel.cpp").write_text('#include "lantern/matmul.h"\n'
                                         "template void lantern::detail::avx512::blocks_of_dot_products<8, 2, false, float>"
                                         "(float* const*, const float* const*, const float* const*, const float*, int64_t, int64_t, int64_t);\n", "utf-8")
    run("g++", *STRICT, f"-I{ROOT / 'runtime/include'}", "-c", "kernel.cpp", cwd=tmp_path)
