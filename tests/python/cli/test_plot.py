"""`lantern plot`: what is in the picture, and what it says where there is none."""
import json
import os
import re

import pytest

ROWS = [{"epoch": 1, "step": 10, "loss": 3.0, "accuracy": 0.2, "note": "warm", "seconds": 1.5}, {"epoch": 2, "step": 20, "loss": 2.0, "accuracy": None, "seconds": 3.0},
        {"epoch": 3, "step": 30, "loss": 1.0, "accuracy": 0.4, "seconds": 4.5}]


@pytest.fixture
def log(program):
    def make(name, rows=ROWS):
        return program(name, "".join(json.dumps(row) + "\n" for row in rows))
    return make


def texts(path):
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text())


def test_several_runs_are_one_picture(lantern, log, program, tmp_path):
    pytest.importorskip("matplotlib")
    log("first.jsonl")
    program("second.csv", "epoch,loss,more\n1,2.5,1\n2,nan,\n3,1.5,3\n")
    for _ in range(2):
        done = lantern("plot", "first.jsonl", "second.csv", "--title", "two runs", "-o", "both.svg")
        assert (done.returncode, done.stdout, done.stderr) == (0, "both.svg\n", "")
        picture = (tmp_path / "both.svg").read_bytes()
    assert {"loss", "accuracy", "more", "first", "second", "two runs", "epoch"} <= set(texts(tmp_path / "both.svg"))
    assert not {"step", "seconds", "note"} & set(texts(tmp_path / "both.svg"))
    assert lantern("plot", "first.jsonl", "second.csv", "--title", "two runs", "-o", "again.svg").returncode == 0
    assert (tmp_path / "again.svg").read_bytes() == picture
    assert sorted(os.listdir(tmp_path)) == ["again.svg", "both.svg", "first.jsonl", "second.csv"]


def test_the_ending_is_the_kind(lantern, log, tmp_path):
    pytest.importorskip("matplotlib")
    log("run.jsonl")
    assert lantern("plot", "run.jsonl").stdout == "run.svg\n" and (tmp_path / "run.svg").read_text().startswith("<?xml")
    assert lantern("plot", "run.jsonl", "-o", "run.png").returncode == 0 and (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")


def test_runs_of_one_name_are_told_apart_by_their_folders():
    from lantern import plots
    assert plots.names_of(["a/run.jsonl", "b/run.jsonl", "c.csv"]) == ["a/run.jsonl", "b/run.jsonl", "c"]


def test_a_gap_where_there_is_no_number(log, tmp_path):
    import math

    from lantern import plots
    log("run.jsonl")
    rows = plots.read_log(tmp_path / "run.jsonl")
    assert rows[0] == {"epoch": 1, "step": 10, "loss": 3.0, "accuracy": 0.2, "seconds": 1.5} and math.isnan(rows[1]["accuracy"])


@pytest.mark.parametrize("name, text, message, status", [
    ("run.jsonl", '{"epoch": 1, "loss": 2}\n[1, 2]\n', 'run.jsonl:2:1: error: a line of a log is a JSON object, {"epoch": 1, "loss": 0.5} [LT0812]', 4),
    ("run.jsonl", '{"epoch": 1}\n', "run.jsonl: error: there is nothing to plot in this log: it has no row with a number [LT0812]", 4),
    ("run.csv", "epoch,loss\n1,2\n3\n", "run.csv:3:1: error: this row has 1 columns, and the first line 2 [LT0812]", 4),
    ("run.csv", "", "run.csv: error: there is no row in this log [LT0812]", 4),
    ("run.txt", "1", "error: 'run.txt' is no log: its name ends in neither .jsonl nor .csv [LT0805]", 2),
])
def test_a_log_that_is_none(lantern, program, tmp_path, name, text, message, status):
    done = lantern("plot", program(name, text))
    assert done.stderr.splitlines()[0] == message and done.returncode == status and done.stdout == ""
    assert os.listdir(tmp_path) == [name]


def test_where_it_cannot_be_drawn(lantern, log, tmp_path):
    log("run.jsonl")
    assert "a plot's name ends in .svg, .png or .pdf" in lantern("plot", "run.jsonl", "-o", "run.gif").stderr
    assert lantern("plot", "none.jsonl").stderr == "error: cannot read 'none.jsonl': No such file or directory [LT0801]\n"
    (tmp_path / "without").mkdir()
    (tmp_path / "without" / "matplotlib.py").write_text("raise ImportError(\"No module named 'matplotlib'\")")
    done = lantern("plot", "run.jsonl", env={"PYTHONPATH": str(tmp_path / "without")})
    assert done.returncode == 4 and "cannot draw: No module named 'matplotlib' [LT0804]" in done.stderr and "-m pip install matplotlib" in done.stderr
    pytest.importorskip("matplotlib")
    done = lantern("plot", "run.jsonl", "-o", "no/where.svg")
    assert done.returncode == 4 and "cannot write 'no/where.svg': No such file or directory [LT0802]" in done.stderr
