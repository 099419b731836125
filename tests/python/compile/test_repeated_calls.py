"""C++ that calls exported functions for ever takes as much memory as for one call: results are forgotten at the next, but for those that it is given."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).parents[3]
PYTHON = """
import numpy as np

import lantern as lt


@lt.export
def doubled(xs: list[float]):
    return [2.0 * x for x in xs]


@lt.export
def shout(text: str):
    return text.upper() + "!"


@lt.export
def turned(v: lt.Tensor["n"]):
    return v[::-1] * 2


@lt.export
def longest(n: int):
    rows = [[i] * i for i in range(n)]
    return len(rows[-1])


@lt.export
def larger(a: int, b: int):
    return max(a, b)
"""
MAIN = """
#include <cstdio>
#include "again.h"
using namespace again;

int main() {
  const double numbers[] = {1, 2, 3};
  float elements[] = {1, 2, 3};
  int64_t bytes[2] = {0, 0};
  for (int i = 0; i < 2000; ++i) {
    doubled({numbers, 3});
    shout("a rather long text, which has to be copied");
    turned({elements, {3}});
    longest(20);
    bytes[i > 0] = arena().bytes();
  }
  std::printf("%s\\n", bytes[0] == bytes[1] ? "as much" : "more");
  auto xs = doubled(doubled({numbers, 3}));
  std::printf("%g %g %g\\n", xs.data[0], xs.data[1], xs.data[2]);
  const auto text = shout(shout("Oh"));
  std::printf("%.*s\\n", static_cast<int>(text.size()), text.data());
  const auto v = turned(turned({elements, {3}}));
  std::printf("%g %g %g\\n", static_cast<double>(v.data[0]), static_cast<double>(v.data[1]), static_cast<double>(v.data[2]));
  xs = doubled({numbers, 3});
  larger(1, 2);  // which takes none, and leaves what there is
  std::printf("%g\\n", xs.data[2]);
}
"""
SAID = "as much\n4 8 12\nOH!!\n4 8 12\n6\n"


def test_results_are_forgotten(lantern, tmp_path):
    (tmp_path / "again.py").write_text(PYTHON)
    (tmp_path / "main.cpp").write_text(MAIN)
    done = lantern("compile", "again.py", "-o", ".")
    assert done.returncode == 0, done.stderr
    headers = [f"-I{ROOT / 'runtime/include'}", "-isystem", "/usr/include/eigen3"]
    together = ("-include", "again.cpp", "main.cpp")     # the runtime's headers are read once
    subprocess.run(["g++", "-std=c++17", "-O0", "-DLANTERN_PACKETS_AS_COMPILED", *headers, *together, "-o", "main", "-pthread"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout == SAID
    text = (tmp_path / "again.cpp").read_text()
    assert "\n  forget_results(xs);\n" in text and "int64_t larger(int64_t a, int64_t b) {\n  return on_stack(" in text
