"""The instructions of a training step, and of compiling it, against the committed baseline: seconds are of no use on a busy machine."""
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "benchmarks" / "count"))

import instructions

pytestmark = pytest.mark.optimised


@pytest.mark.slow
def test_a_step_and_its_compilation_take_no_more_than_they_did():
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed")
    done = subprocess.run([sys.executable, ROOT / "benchmarks" / "count" / "instructions.py"], capture_output=True, text=True, timeout=540)
    if done.stdout.startswith("not compared: "):
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["step", "convert", "compile"], done.stdout + done.stderr


def test_what_is_said_of_a_change():
    lines, grown = instructions.compare({"step": 1_030, "convert": 1_000, "compile": 900}, {"step": 1_000, "convert": 1_010, "compile": 1_000})
    assert grown
    assert lines == [
        "step: 1,030 instructions (a step of training the TreeLSTM, a tree), 3.0% more than 1,000; the tolerance is 2%. If that is meant: "
        "python3 benchmarks/count/instructions.py --write",
        "convert: 1,000 instructions (examples/tree_lstm.py to converted Python), 1.0% fewer than 1,010",
        "compile: 900 instructions (its S-expressions to C++), 10.0% fewer than 1,000; the tolerance is 5%. If that is meant: "
        "python3 benchmarks/count/instructions.py --write"]


def test_fewer_is_no_failure():
    assert not instructions.compare({"step": 500}, {"step": 1_000})[1]
