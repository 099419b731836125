"""`make bench` at its smallest."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.optimised
RUN = ROOT / "benchmarks" / "run.py"
SAMPLE = ROOT / "examples" / "data" / "sample" / "dev.txt"


def bench(*arguments, **environment):
    return subprocess.run([sys.executable, RUN, *map(str, arguments)], env={**os.environ, **environment}, text=True,
                          capture_output=True, timeout=540)


@pytest.mark.slow
def test_three_trees(tmp_path):
    done = bench("treelstm", "--treebank", SAMPLE, "--trees", 3, "--repeat", 1, "--passes", 1, "--without", "torch", "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "treelstm.json").read_text("utf-8"))
    ours, by_hand = report["peers"]
    assert ours["name"] == "lantern" and ours["ours_to_it"] == 1 and len(ours["trials"]) == 1
    assert by_hand["name"] == "by hand" and by_hand["ours_to_it"] == ours["median"] / by_hand["median"]
    assert "| by hand |" in done.stdout and "Not measured: PyTorch" in done.stdout


def test_without_data_a_workload_is_skipped_saying_so(tmp_path):
    done = bench("treelstm", "--output", tmp_path, LANTERN_DATA="")
    assert done.returncode == 0 and done.stdout == ""
    assert "treelstm: skipped. Set LANTERN_DATA" in done.stderr
    assert not (tmp_path / "treelstm.json").exists()


def test_a_treebank_that_is_not_there_is_named(tmp_path):
    done = bench("treelstm", "--output", tmp_path, "--treebank", tmp_path / "none.txt")
    assert "none.txt: No such file or directory" in done.stderr
