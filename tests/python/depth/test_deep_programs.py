"""Depth costs memory, never a crash: the compiler on deep text."""
import itertools
import os
import pathlib
import subprocess
import time

import pytest

BUILD = pathlib.Path(os.environ.get("LANTERN_BUILD", pathlib.Path(__file__).parents[3] / "build")).resolve()


def compiled(tmp_path, text, stage="ir", seconds=300):
    """The finished compilation of a text. It must not take longer than `seconds`."""
    (tmp_path / "deep.sexpr").write_text(text)
    began = time.monotonic()
    done = subprocess.run([BUILD / "bin" / "lantern", "compile", "deep.sexpr", "--emit", stage], cwd=tmp_path, capture_output=True,
                          text=True, timeout=seconds, env={**os.environ, "NO_COLOR": "1"})
    assert done.returncode in (0, 1, 4), (done.returncode, done.stderr[-2000:], time.monotonic() - began)
    assert done.returncode == 0 or "error: " in done.stderr
    return done


@pytest.mark.parametrize("opening", ["(", "(let x ", "(begin ", "(if true "])
def test_a_million_open_parentheses(tmp_path, opening):
    done = compiled(tmp_path, opening * 1_000_000)
    assert done.returncode == 1


def test_a_million_closed_parentheses(tmp_path):
    assert compiled(tmp_path, "(" * 1_000_000 + ")" * 1_000_000).returncode == 1


@pytest.mark.parametrize("stage", ["ir", pytest.param("cps", marks=pytest.mark.slow)])
def test_a_long_chain_of_lets(tmp_path, stage):
    n = 200_000
    done = compiled(tmp_path, "(define f ((x f64)) " + "".join(f"(let x{i} (sin x) " for i in range(n)) + "x" + ")" * n + ")(export f)", stage)
    assert done.returncode == 0


@pytest.mark.parametrize("depth", [1_000, 20_000])
def test_nested_ifs(tmp_path, depth):
    """Deep lines begin with their depth: indented, the text would grow with its square."""
    done = compiled(tmp_path, "(define f ((x f64)) " + "(if (> x 0.0) x " * depth + "x" + ")" * depth + ")(export f)")
    assert len(done.stdout) < depth * 1_000
    assert f"\n{' ' * 120}{depth}| x%_{depth}: bool = (> x 0.0)\n" in done.stdout


@pytest.mark.parametrize("depth", [1_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_nested_operands(tmp_path, depth):
    compiled(tmp_path, "(define f ((x f64)) " + "(+ x " * depth + "x" + ")" * depth + ")(export f)")


def test_a_chain_of_operators_is_divided_into_statements(tmp_path):
    depth = 5_000      # clang refuses an expression of 256 parentheses
    done = compiled(tmp_path, "(define f ((x f64)) " + "(sin " * depth + "x" + ")" * depth + ")(export f)", "cpp", seconds=60)
    assert done.returncode == 0 and done.stdout.count("sin(") == depth
    assert max(map(opened, done.stdout.split(";"))) < 200


def opened(statement):
    return max(itertools.accumulate(((c == "(") - (c == ")") for c in statement), initial=0))


def test_functions_that_call_the_next_one_twice(tmp_path):
    n = 60
    text = "".join(f"(define f{i} (x) (* (f{i + 1} x) (f{i + 1} x)))" for i in range(n)) + f"(define f{n} ((x f64)) x)"
    text += "(define g ((x f64)) (let p (value-and-grad f0 (wrt x) x) (+ (get p 1) (f0 x))))(export g)"
    assert compiled(tmp_path, text, "cpp", seconds=60).returncode == 0
