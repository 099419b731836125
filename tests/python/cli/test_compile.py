"""Python files and S-expressions to the files of each stage, with a real Python."""
import os
import pathlib
import subprocess
import sys

import pytest

TREE_PROD = pathlib.Path(__file__).parents[3] / "examples" / "tree_prod.py"


def test_files_are_written_whole_and_the_same_each_time(lantern, tmp_path):
    def made(*folder):
        done = lantern("compile", TREE_PROD, *folder)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        written = tmp_path / (folder[1] if folder else "tree_prod.lantern")
        return {path.name: path.read_text() for path in written.iterdir()}

    first = made()
    assert sorted(first) == ["tree_prod.cpp", "tree_prod.h"]
    assert all(first.values())
    assert made("-o", "again") == first


def test_where_one_file_cannot_be_written_none_is(lantern, tmp_path):
    (tmp_path / "out" / "tree_prod.h").mkdir(parents=True)
    done = lantern("compile", TREE_PROD, "-o", "out")
    assert (done.returncode, done.stderr) == (4, "error: cannot write 'out/tree_prod.h': it is a folder [LT0802]\n")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["tree_prod.h"]


@pytest.mark.parametrize("name", ["system", "exp", "features"])
def test_a_file_is_called_as_a_function_of_c_or_a_header(lantern, program, name):
    program(f"{name}.py", "import lantern as lt\n@lt.export\ndef main(x: float = 2.0):\n    print(x)\n")
    done = lantern("run", f"{name}.py", "main")
    assert (done.returncode, done.stdout, done.stderr) == (0, "2.0\n", "")


@pytest.mark.parametrize("stage", ["sexpr", "ir", "cps", "cpp"])
def test_an_sexpr_file_needs_no_python(lantern, program, stage):
    sexpr = lantern("compile", TREE_PROD, "--emit", "sexpr").stdout
    done = lantern("compile", program("tree_prod.sexpr", sexpr), "--emit", stage, env={"PATH": "/nowhere"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "tree_prod" in done.stdout


def test_a_printed_program_reads_back_as_itself(lantern, program):
    sexpr = lantern("compile", TREE_PROD, "--emit", "sexpr").stdout
    assert lantern("compile", program("tree_prod.sexpr", sexpr), "--emit", "sexpr").stdout == sexpr


def test_syntax_error(lantern, program):
    done = lantern("compile", program("model.py", "def f(x):\n    return (x +\n"))
    assert done.returncode == 1
    assert done.stderr.startswith("model.py:2:") and "[LT0101]" in done.stderr


@pytest.mark.parametrize("source, words", [
    ("import sys\n\nif len(sys.argv) < 2:\n    sys.exit('usage: model.py N')", "model.py:4:5: error: SystemExit: usage: model.py N [LT0309]"),
    ("import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('n')\nN = parser.parse_args().n", "model.py:4:5: error: SystemExit: 2 [LT0309]"),
    ("import sys\ndef f(x: float):\n    return x * float(sys.argv[1])", "model.py:3:22: error: IndexError: list index out of range [LT0309]"),
    ("from .layers import f", "'import name', which is found beside the file"),
    ("class Model:\n    def f(self, x):\n        return x", "write one that makes the object, and calls its method"),
], ids=["ends", "flags", "argv", "relative", "class"])
def test_a_file_that_is_a_script(lantern, program, source, words):
    """Its `sys.argv` is that of a script without arguments; nothing of ours shows."""
    done = lantern("compile", program("model.py", source + "\n"), "--entry", "Model.f" if "class" in source else "f")
    assert done.returncode == 1
    assert words in done.stderr and done.stdout == ""


def test_an_entry_that_there_is_not(lantern):
    done = lantern("compile", TREE_PROD, "--entry", "nope")
    assert done.returncode == 1
    assert "has no function 'nope' [LT0311]" in done.stderr


def test_nothing_is_written_for_a_program_that_is_wrong(lantern, program, tmp_path):
    assert lantern("compile", program("model.sexpr", "(define f (x) (matmul x")).returncode == 1
    assert [path.name for path in tmp_path.iterdir()] == ["model.sexpr"]


MADE_BEFORE = """
import numpy as np
import lantern as lt

table = lt.Variable(np.array([1.0, 2.0, 3.0]), name="table")
count = lt.Variable(4, name="count")
drawn = lt.Parameter((2,), lt.init.uniform(), name="drawn")

@lt.export
def look(i: int = 1):
    count.assign(count + 1)
    print(table[i], lt.item(count))

@lt.export
def draw():
    print(drawn[0])
"""


def test_what_an_entry_returns_is_printed_compiled_and_not(lantern, program, tmp_path):
    file = program("returning.py", """
import numpy as np
import lantern as lt

@lt.struct
class Box:
    x: float

@lt.export
def shown(n: int = 3):
    xs = [(i * 0.5, "a'b") for i in lt.range(n)]
    return xs, (n,), np.ones((2, n)), [np.arange(n), np.zeros(2000)], {"k": n > 2, 2: None}, np.float64(0.1) * n

@lt.export
def factorial(n: int = 5) -> int:
    return 1 if n < 2 else n * factorial(n - 1)

@lt.export
def text(n: int = 5):
    print("first")
    return f"n is {n}"

@lt.export
def structure(n: int = 5):
    return Box(1.5)

@lt.export
def perhaps(n: int = 5):
    big = small = None
    for i in lt.range(n):
        if i > 3:
            big = i * 0.5
        if i > 100:
            small = i
    return big, small

@lt.export
def nothing(n: int = 5):
    if n > 100:
        return n

if __name__ == "__main__":
    lt.main()
""")
    expected = {"shown": "([(0.0, \"a'b\"), (0.5, \"a'b\"), (1.0, \"a'b\")], (3,), [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]], "
                         "[[0, 1, 2], an array of shape (2000,)], {'k': True, 2: None}, 0.30000000000000004)\n",
                "factorial": "120\n", "text": "first\nn is 5\n", "structure": "", "perhaps": "(2.0, None)\n",
                "nothing": ""}
    for entry, printed in expected.items():
        compiled = lantern("run", "--dtype", "f64", file, entry)
        assert (compiled.returncode, compiled.stdout, compiled.stderr) == (0, printed, "")
        plain = subprocess.run([sys.executable, file, entry], cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, capture_output=True, text=True)
        assert (plain.returncode, plain.stdout, plain.stderr) == (0, printed, "")


def test_a_program_that_is_run_begins_with_what_its_file_has_made(lantern, program):
    """Numbers drawn as the file was loaded it cannot draw again."""
    name = program("model.py", MADE_BEFORE)
    done = lantern("run", name, "look", "--i", "2")
    assert (done.returncode, done.stdout) == (0, "3.0 5\n"), done.stderr
    done = lantern("run", name, "draw")
    assert done.returncode == 1
    assert done.stderr == ("model.py:15:1: error: 'drawn' begins with random numbers, and was made when the file was loaded [LT0312]\n"
                           "  def draw():\n  ^\n  hint: make it in the entry, or in a function that the entry calls\n"), done.stderr


ENTRIES = """
import lantern as lt


def mean(a: float, evaluate: float):
    print("mean", a + evaluate)


@lt.export
def evaluate(a: float, print: int = 3):
    mean(a, a * print)


average = lt.export(mean)


@lt.export
def größe(λ: float):
    print("größe", λ)
"""


def test_entries_have_the_names_that_their_files_give_them(lantern, program):
    """Also where an operator, or a function of the runtime's, is called so."""
    file = program("entries.py", ENTRIES)
    assert [lantern("run", file, *words).stdout for words in (
        ["mean", "--a", "1", "--evaluate", "2"], ["evaluate", "--a", "1"], ["größe", "--λ", "2"])] == ["mean 3.0\n", "mean 4.0\n", "größe 2.0\n"]
    assert "(export (mean mean_1)" in lantern("compile", file, "--emit", "sexpr").stdout
    assert "void evaluate(double a, int64_t print_)" in lantern("compile", file, "--emit", "cpp").stdout


def test_an_export_under_another_name(lantern, program):
    define = "(define f ((x f64)) (* x x))"
    made = lantern("compile", program("p.sexpr", define + "(define g ((x f64)) (+ x x))(export (mean f))(export (f g))"), "--emit", "cpp")
    assert "double mean(double x)" in made.stdout and "double f(double x)" in made.stdout, made.stderr
    for exports, message in [("(export (mean g))", "there is no function 'g'"), ("(export (mean f))(export (sum f))", "'f' is exported twice"),
                             ("(define g ((x f64)) x)(export (f g))(export f)", "'f' is exported twice"), ("(export (mean f f))", "(NAME FUNCTION) for NAME")]:
        assert message in lantern("compile", program("p.sexpr", define + exports), "--emit", "ir").stderr


@pytest.mark.parametrize("line, place", [(b"# caf\xe9", "1:6"), (b"# \xc3\xa9 \xe9", "1:5"), (b"x = 1\n# \xe9 coding: latin-1", "2:3")])
def test_a_file_in_no_encoding_is_no_python(lantern, tmp_path, line, place):
    """Also where that stands in a comment."""
    text = b"\nimport lantern as lt\n\n\n@lt.export\ndef f(x: float = 1.0):\n    return x * 2\n"
    (tmp_path / "model.py").write_bytes(line + text)
    for words in (["compile", "model.py"], ["compile", "model.py", "--emit", "python"]):
        done = lantern(*words, errors="replace")
        assert done.returncode == 1 and done.stderr.startswith(f"model.py:{place}: error: the file is not UTF-8, and declares no other encoding [LT0101]\n")
    (tmp_path / "model.py").write_bytes(b"# coding: latin-1\n" + line + text)
    assert lantern("run", "model.py", "f").stdout == "2.0\n"
