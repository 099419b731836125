"""What C++ is given has the dimensions that the program says, as code behind takes for granted: compared at the call."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).parents[3]
TEXT = """
(define added ((x (tensor f32 n)) (y (tensor f32 n))) (sum (+ x y)))
(define third ((x (tensor f32 3 ?))) (sum (index x 2)))
(define wide ((x (tensor i64 n m)) (s f32) (y (tensor i64 m n 2))) (sum (* y s)))
(export added) (export third) (export wide "How wide." (s (required) "a factor"))
"""
MAIN = """
#include <cstdio>
#include "dimensions.h"
#include "lantern/runtime.h"
using namespace lantern;

float numbers[64] = {1, 1, 1, 1, 1, 1};
int64_t whole[64] = {1, 1, 1};
Vector<float> vector(int64_t n) { return {numbers, {n}}; }

template <class Call>
void say(Call call) {
  try {
    std::printf("%g\\n", static_cast<double>(call()));
  } catch (const Error& error) {
    std::printf("%s\\n", error.text().c_str());
  }
}

int main() {
  for (const int64_t n : {3, 4, 1}) say([&] { return dimensions::added(vector(3), vector(n)); });
  for (const int64_t n : {3, 2}) say([&] { return dimensions::third({numbers, {n, 2}}); });
  for (const int64_t n : {4, 2}) for (const int64_t k : {2, 3}) say([&] { return dimensions::wide({whole, {4, 3}}, 0.5f, {whole, {3, n, k}}); });
}
"""
SAID = """\
6
ValueError: dimension 0 of 'y' is 4, and 3 is expected [LT0707]
ValueError: dimension 0 of 'y' is 1, and 3 is expected [LT0707]
2
ValueError: dimension 0 of 'x' is 2, and 3 is expected [LT0707]
1.5
ValueError: dimension 2 of 'y' is 3, and 2 is expected [LT0707]
ValueError: dimension 1 of 'y' is 2, and 4 is expected [LT0707]
ValueError: dimension 1 of 'y' is 2, and 4 is expected [LT0707]
"""


def test_calls_from_cpp(lantern, tmp_path):
    (tmp_path / "dimensions.sexpr").write_text(TEXT)
    (tmp_path / "main.cpp").write_text(MAIN)
    assert lantern("compile", "dimensions.sexpr", "-o", ".").returncode == 0
    headers = [f"-I{ROOT / 'runtime/include'}", "-isystem", "/usr/include/eigen3"]
    together = ("-include", "dimensions.cpp", "main.cpp")     # the runtime's headers are read once
    subprocess.run(["g++", "-std=c++17", "-O0", "-DLANTERN_PACKETS_AS_COMPILED", *headers, *together, "-o", "main", "-pthread"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout == SAID


def test_the_header_says_them(lantern, tmp_path):
    (tmp_path / "dimensions.sexpr").write_text(TEXT)
    assert lantern("compile", "dimensions.sexpr", "-o", ".").returncode == 0
    header = (tmp_path / "dimensions.h").read_text()
    assert "/// How wide.\n/// x: [n, m]\n/// s: a factor\n/// y: [m, n, 2]\nfloat wide(" in header
    assert "/// x: [n]\n/// y: [n]\nfloat added(" in header and "/// x: [3, ?]\nfloat third(" in header
