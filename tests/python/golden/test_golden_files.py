"""The `golden` fixture itself: it accepts what the file holds, shows a difference, and rewrites on request."""

import pathlib
import subprocess
import sys

import pytest

CONFTEST = pathlib.Path(__file__).resolve().parents[2] / "conftest.py"


@pytest.fixture
def run_golden(tmp_path):
    """run_golden(text, …options) → pytest's finished run of one golden test of `text` against expected.txt."""
    (tmp_path / "conftest.py").write_text(CONFTEST.read_text("utf-8"), "utf-8")
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {CONFTEST.parent}\nmarkers =\n    golden: x\n", "utf-8")

    def run(text, *options):
        test = f"def test_text(golden):\n    golden({str(tmp_path / 'expected.txt')!r}, {text!r})\n"
        (tmp_path / "test_text.py").write_text(test, "utf-8")
        command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "golden", *options, tmp_path]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    return run


def test_the_same_text_passes_and_another_shows_its_difference(tmp_path, run_golden):
    (tmp_path / "expected.txt").write_text("one\ntwo\n", "utf-8")
    assert run_golden("one\ntwo\n").returncode == 0
    other = run_golden("one\n2\n")
    assert other.returncode == 1
    assert "-two" in other.stdout and "+2" in other.stdout


def test_rebase_writes_what_a_plain_run_then_accepts(tmp_path, run_golden):
    missing = run_golden("new\n")
    assert missing.returncode == 1 and not (tmp_path / "expected.txt").exists()
    assert run_golden("new\n", "--rebase").returncode == 0
    assert (tmp_path / "expected.txt").read_text("utf-8") == "new\n"
    assert run_golden("new\n").returncode == 0
