"""`make bench` at its smallest."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "trial")]

import cases
import peers
import report
import run
import timing
import turns
from fixed import fixed
from thorough import THOROUGH

RUN = ROOT / "benchmarks" / "run.py"
SAMPLE = ROOT / "examples" / "data" / "sample" / "dev.txt"


def bench(*arguments, **environment):
    """Only `treelstm` is drawn: the plot of any workload takes seconds, and is of the same kind."""
    arguments = arguments if arguments[0] == "treelstm" else (*arguments, "--no-plot")
    return subprocess.run([sys.executable, RUN, *map(str, arguments)], env={**os.environ, **environment}, text=True,
                          capture_output=True, timeout=540)


def report_of(done, folder, workload):
    assert done.returncode == 0, done.stderr
    return json.loads((folder / f"{workload}.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where programs are built: those that several workloads have, once."""
    return tmp_path_factory.mktemp("bench")


@pytest.mark.slow
def test_three_trees(folder):
    done = bench("treelstm", "--treebank", SAMPLE, "--trees", 3, "--repeat", 1, "--without", "torch", "--without", "dynet", "--cases", "Adagrad, embedding trained",
                 "--output", folder)
    measured = report_of(done, folder, "treelstm")
    ours, in_depth, by_hand, by_levels = measured["rows"]
    assert ours["name"] == "lantern" and ours["ours_to_it"] == 1 and len(ours["trials"]) == 1 and len(ours["trials"][0]) == timing.ROUNDS
    assert (in_depth["name"], by_hand["name"], by_levels["name"]) == ("lantern, depth first", "by hand, depth first", "by hand, level by level")
    assert by_hand["ours_to_it"] == statistics.median(mine / its for mine, its in zip(ours["trials"][0], by_hand["trials"][0]))
    assert ours["memory_peak"] >= ours["memory_before"] > by_hand["memory_before"] > 0
    assert "| by hand, depth first |" in done.stdout and "Not measured: PyTorch" in done.stdout


# The programs of a workload print what they compute (gradients, trained weights), and run.py fails where two differ: that it succeeds
# says that ours, the hand-written program and the peers that are installed agree. torch.compile takes a minute to start. (Of the kernels
# there is one program: each other would compile the runtime. Of the passes' cases there is one: a batch of 256 of three trees is one of 25, and
# that steps of all rows and deferred ones agree is held by numeric/test_deferred_steps.py. A hand-written program takes up to ten seconds to compile:
# by default it is left out where NumPy computes the same, and of one of two models over trees. So are eight programs, each without some pass: that they
# compute the same is held by cli/test_passes.py. So are workloads whose
# models other tests train: mnist and rntn, those of examples/test_examples.py, and tree_prod, that of compile/test_tree_prod.py; functions, which
# jit/test_numpy_functions.py holds to NumPy's; algorithms, of the kinds that the tests in lists/ hold to Python's; and parts, whose gradients compile/test_fused_terms.py holds to the eager ones.)
OTHERS = [("mnist", 4, ""), ("tree_prod", 3, ""), ("rntn", 2, ""), ("functions", 2, ""), ("algorithms", 4, ""), ("parts", 3, ""), ("passes", 8, "batch 25,")] if THOROUGH > 1 else []
BY_DEFAULT_NOT_BY_HAND = ("dynamic_rnn", "mnist", "child_sum") if THOROUGH == 1 else ()


@pytest.mark.slow
@pytest.mark.parametrize("workload, least, case", [("dynamic_rnn", 3, ""), ("child_sum", 2, ""), ("hmm", 2, ""), ("kernels", 1, "batch 25,"), *OTHERS])
def test_all_compute_the_same(workload, least, case, folder):
    without = ("--without", "limit") if workload in BY_DEFAULT_NOT_BY_HAND else ()
    done = bench(workload, "--small", "--repeat", 1, "--without", "torch.compile", *without, "--cases", case, "--treebank", SAMPLE, "--output", folder)
    measured = report_of(done, folder, workload)
    assert len({row["name"] for row in measured["rows"]}) >= least - bool(without)
    assert all(row["median"] > 0 and row["memory_peak"] > 0 for row in measured["rows"])


@pytest.mark.slow
def test_minibatches_are_the_same_by_hand(folder):
    done = bench("treelstm_batches", "--small", "--repeat", 1, "--without", "torch", "--without", "dynet", "--cases", "batch 25, SGD, embedding trained",
                 "--treebank", SAMPLE, "--output", folder)
    assert [row["name"] for row in report_of(done, folder, "treelstm_batches")["rows"]] == ["lantern", "by hand, level by level"]


@pytest.mark.slow
def test_gates_of_their_own_are_compared(folder):
    done = bench("treelstm_gates", "--small", "--repeat", 1, "--without", "torch", "--cases", "batch 1, SGD", "--treebank", SAMPLE, "--output", folder)
    assert [row["name"] for row in report_of(done, folder, "treelstm_gates")["rows"]] == ["lantern", "without join-products", "gates as one product"]


@pytest.mark.slow
def test_threads_are_compared(folder):
    done = bench("treelstm_threads", "--small", "--repeat", 1, "--cases", "batch 25,", "--treebank", SAMPLE, "--output", folder)
    names = [row["name"] for row in report_of(done, folder, "treelstm_threads")["rows"]]
    assert names[0] == "lantern, one thread" and len(names) == len(set(names))


@pytest.mark.slow
def test_latencies_and_memory_of_a_shared_object(folder):
    done = bench("treelstm_inference", "--small", "--repeat", 1, "--without", "torch", "--without", "dynet", "--cases", "batch 1,", "--treebank", SAMPLE,
                 "--output", folder)
    for row in report_of(done, folder, "treelstm_inference")["rows"]:
        half, most, nearly_all = row["latency"]
        assert 0 < half <= most <= nearly_all
    done = bench("memory", "--small", "--repeat", 1, "--without", "torch", "--cases", "frozen", "--treebank", SAMPLE, "--output", folder)
    whole, code_apart = ({row["name"]: row["median"] for row in report_of(done, folder, "memory")["rows"] if row["case"].endswith("apart") == apart} for apart in (False, True))
    assert whole["lantern"] < 20 and 1 < whole["needed"] == code_apart["needed"]
    for name in ("lantern", "by hand, depth first"):
        assert whole["needed"] < code_apart[name] < whole[name]


@pytest.mark.slow
def test_compile_times(folder):
    measured = report_of(bench("compile", "--small", "--repeat", 1, "--output", folder), folder, "compile")
    first, other, cached = (row["median"] for row in measured["rows"][3:6])
    assert [row["case"] for row in measured["rows"][:3]] == ["TreeLSTM, Python to C++", "TreeLSTM, Python to C++: the same again", "193 lines of S-expressions to C++"]
    assert min(first, other) > 5 * cached
    assert [row["case"] for row in measured["rows"][6:]] == [
        "TreeLSTM with a matrix for each gate, Python to the end of its first step",
        "a product with a known table of 100 x 90, Python to its first value", "a recursion over 60 known lists, Python to its first value",
        "rounds of messages over 12 nodes, Python to its first gradient",
        "an LSTM over 20 words, Python to its first gradient"]


@pytest.mark.slow
def test_what_calls_cost(folder):
    measured = report_of(bench("calls", "--small", "--repeat", 1, "--output", folder), folder, "calls")
    assert [row["case"] for row in measured["rows"]] == ["a number", "ten arrays", "a method, a number and a parameter", "a dict and a list of twenty words"]
    assert all(0 < row["median"] < 1000 for row in measured["rows"])


def program(folder, name, output):
    path = folder / f"{name}.py"
    path.write_text(f"print({output!r})")
    return [sys.executable, path]


def test_peers_that_compute_something_else_are_an_error(tmp_path):
    roster = peers.Roster(argparse.Namespace(without=[], cases=""), tmp_path)
    roster.peers = [peers.Peer("ours", program(tmp_path, "a", "rate\tr\t2\nvalue\td weight[3]\t0.5\t1")),
                    peers.Peer("other", program(tmp_path, "b", "rate\tr\t1\nvalue\td weight[3]\t0.502\t1"))]
    with pytest.raises(peers.BenchmarkError, match=r"^ours and other do not compute the same: d weight\[3\] is 0.5 and 0.502$"):
        run.measure(roster, 1)


def test_of_a_failed_program_the_first_line_of_its_error_is_told(tmp_path):
    failing = program(tmp_path, "failing", "")
    for text, reason in [("raise RuntimeError('\\n\\n method is called recursively:\\n  File x')", "RuntimeError: method is called recursively:"),
                         ("raise ValueError('one\\ntwo')", "ValueError: one"), ("raise SystemExit('no recursion')", "no recursion")]:
        failing[1].write_text(text)
        with pytest.raises(peers.BenchmarkError) as caught:
            peers.output_of(failing, "failing")
        assert caught.value.reason == reason
    failing[1].write_text("import time; time.sleep(60)")
    with pytest.raises(peers.BenchmarkError, match="^failing takes more than 0.2 seconds$"):
        peers.output_of(failing, "failing", limit=0.2)


def rounds(folder, name, speeds):
    """A peer that writes its name and the case to `log` for each call that it measures, of {case: milliseconds that a call takes}."""
    path = folder / f"{name}.py"
    path.write_text(f"""import timing, time
def called(case, milliseconds):
    with open({str(folder / "log")!r}, "a") as log: print({name!r}, case, file=log)
    time.sleep(milliseconds / 1000)
for case, milliseconds in {speeds}.items(): timing.rate(case, 1, lambda: called(case, milliseconds))
""")
    return peers.Peer(name, [sys.executable, path])


def test_peers_measure_in_turns(tmp_path):
    begun = []
    ours, other = rounds(tmp_path, "ours", {"one": 21, "two": 21}), rounds(tmp_path, "other", {"two": 21, "three": 21})
    outcomes = turns.one_trial([ours, other], begun.append)
    assert begun == ["one", "two", "three"]
    assert [(peer.name, case, len(of_case)) for peer in (ours, other) for case, of_case in outcomes[peer].rates.items()] \
        == [("ours", "one", 5), ("ours", "two", 5), ("other", "two", 5), ("other", "three", 5)]
    # the first call of each is not timed: each prepares, is in its turn for five rounds of a case, and the case that both have is measured by both
    assert (tmp_path / "log").read_text("utf-8").splitlines() == \
        ["ours one", "other two"] + 5 * ["ours one"] + ["ours two"] + 5 * ["ours two", "other two"] + ["other three"] + 5 * ["other three"]


def test_short_calls_are_measured_together(tmp_path):
    peer = rounds(tmp_path, "ours", {"": 2})
    (of_rounds,) = turns.one_trial([peer])[peer].rates.values()
    calls, left = divmod(len((tmp_path / "log").read_text("utf-8").splitlines()) - 2, timing.ROUNDS)    # but for the first, and the one that says how many
    assert len(of_rounds) == timing.ROUNDS and left == 0 and 2 < calls <= 1 + timing.ROUND / 0.002


def test_a_peer_has_no_more_time_than_its_limit_and_does_not_outlast_an_error(tmp_path):
    ours = rounds(tmp_path, "ours", {"one": 1})
    asleep = program(tmp_path, "slow", "")
    slow = peers.Peer("slow", asleep, optional=True, limit=1)
    asleep[1].write_text("import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(300)'])")
    start = time.monotonic()
    outcomes = turns.one_trial([ours, slow])
    assert outcomes[slow].reason == "takes more than 1 seconds" and len(outcomes[ours].rates["one"]) == 5 and time.monotonic() - start < 100
    slow.optional = False
    with pytest.raises(peers.BenchmarkError, match="slow takes more than 1 seconds"):
        turns.one_trial([ours, slow])
    with pytest.raises(peers.BenchmarkError, match="^none: .*No such file"):
        turns.one_trial([peers.Peer("none", [tmp_path / "none"])])


def test_latencies(tmp_path):
    peer = peers.Peer("ours", program(tmp_path, "a", "rate\tone\t30\nlatency\tone\t20\t30.5\t1000"))
    roster = peers.Roster(argparse.Namespace(without=[], cases=""), tmp_path)
    roster.peers = [peer]
    assert report.table(report.rows(run.measure(roster, 1)), "trees/s") == """\
|  | trees/s, median | lowest to highest | 50 %, µs | 95 %, µs | 99 %, µs |  |
|---|---:|---:|---:|---:|---:|---|
| one | 30.0 | 30.0 to 30.0 | 20.0 | 30.5 | 1000.0 |  |"""
    assert [timing.percentile(range(1, 201), share) for share in timing.PERCENTILES] == [100, 190, 198]
    assert timing.percentile([7], 99) == 7


def test_memory_beyond_what_was_in_use_before(tmp_path):
    peer = peers.Peer("ours", program(tmp_path, "a", "memory\t1048576\t9437184\t2097152"), case="training", of_memory=True)
    assert turns.one_trial([peer])[peer].rates == {"training": [8], "training, code apart": [6]}


def test_cases():
    assert cases.parse("batch 25, Adagrad, embedding frozen")[1:] == (25, "Adagrad", True)
    assert cases.parse("batch 1, SGD, embedding trained")[1:] == (1, "SGD", False)
    assert cases.parse("batch 256, inference")[1:] == (256, None, True)


def test_nan_agrees_with_nothing():
    ours, other = (peers.Measurements(f"rate\t\t1\nvalue\tloss\t{loss}\t1", "") for loss in ("nan", "0.5"))
    assert ours.disagreement(other) == other.disagreement(ours).replace("0.5 and nan", "nan and 0.5") == "loss is nan and 0.5"


def test_a_peer_that_refuses_is_a_note_and_ours_that_fails_an_error(tmp_path):
    refusing = program(tmp_path, "refusing", "")
    refusing[1].write_text("raise SystemExit('no recursion')")
    fine = peers.Peer("ours", program(tmp_path, "fine", "rate\tforward\t2"))
    roster = peers.Roster(argparse.Namespace(without=[], cases=""), tmp_path)
    roster.peers = [fine, peers.Peer("other", refusing, case="forward", optional=True)]
    assert [peer.name for peer, _ in run.measure(roster, 2)] == ["ours"]
    assert roster.absent == ["other (forward): no recursion"]
    roster.peers = [fine, peers.Peer("by hand", refusing)]
    with pytest.raises(peers.BenchmarkError, match="by hand ended with exit code 1:\nno recursion"):
        run.measure(roster, 1)


def test_the_table_of_several_cases(tmp_path):
    roster = peers.Roster(argparse.Namespace(without=[], cases=""), tmp_path)
    roster.peers = [peers.Peer("ours", program(tmp_path, "a", "rate\tforward\t30\nrate\tboth\t12\nmemory\t1048576\t9437184"), "a note"),
                    peers.Peer("other", program(tmp_path, "b", "rate\tforward\t20"))]
    assert report.table(report.rows(run.measure(roster, 2)), "trees/s") == """\
|  |  | trees/s, median | lowest to highest | ours / it | peak memory, of it before |  |
|---|---|---:|---:|---:|---:|---|
| forward | ours | 30.0 | 30.0 to 30.0 | 1.00 | 9 MiB, 1 | a note |
|  | other | 20.0 | 20.0 to 20.0 | 1.50 |  |  |
| both | ours | 12.0 | 12.0 to 12.0 | 1.00 | 9 MiB, 1 | a note |"""


def test_the_plot_of_the_same_reports_is_the_same(tmp_path):
    python = peers.python_with("matplotlib")
    if not python:
        pytest.skip("no Python here has matplotlib")
    rows = [{"case": case, "name": name, "median": 20.0, "lowest": 10.0, "highest": 40.0} for case in ("forward", "both") for name in ("lantern", "NumPy")]
    (tmp_path / "a.json").write_text(json.dumps({"title": "dynamic_rnn", "unit": "sequences/s", "rows": rows}), "utf-8")
    for plot in ("one.svg", "two.svg"):
        peers.output_of([python, ROOT / "benchmarks" / "plot.py", tmp_path / "a.json", tmp_path / plot], "plot.py")
    drawn = (tmp_path / "one.svg").read_text("utf-8")
    assert drawn == (tmp_path / "two.svg").read_text("utf-8")
    assert all(f">{word}<" in drawn for word in ("dynamic_rnn", "sequences/s", "forward", "both", "lantern", "NumPy"))


def test_the_page_has_every_workload_or_is_not_written(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    told = {"unit": "trees/s", "settings": "", "machine": {"cpu": "a processor", "cores": 2, "load": [0.5]}, "core": 1, "versions": {}, "trials": 1,
            "seconds": 2.0, "rows": [{"case": "", "name": "lantern", "median": 20.0, "lowest": 10.0, "highest": 40.0, "ours_to_it": 1.0, "note": ""}], "absent": []}
    *most, last = run.WORKLOADS
    for name in most:
        (tmp_path / f"{name}.json").write_text(json.dumps({"title": run.WORKLOADS[name].TITLE, **told}), "utf-8")
    with pytest.raises(SystemExit, match=f"not measured yet: {last}[.]"):
        run.write_page(tmp_path, docs)
    assert list(docs.iterdir()) == []
    (tmp_path / f"{last}.json").write_text(json.dumps({"title": run.WORKLOADS[last].TITLE, **told}), "utf-8")
    run.write_page(tmp_path, docs)
    page = (docs / "benchmarks.md").read_text("utf-8")
    assert [line[3:] for line in page.splitlines() if line.startswith("## ")] == [workload.TITLE for workload in run.WORKLOADS.values()]
    for name in most:   # what was not measured again stays
        (tmp_path / f"{name}.json").unlink()
    (tmp_path / f"{last}.json").write_text(json.dumps({"title": run.WORKLOADS[last].TITLE, **told, "seconds": 3.0}), "utf-8")
    run.write_page(tmp_path, docs)
    of_before, of_last = page.split(f"## {run.WORKLOADS[last].TITLE}")
    assert (docs / "benchmarks.md").read_text("utf-8") == f"{of_before}## {run.WORKLOADS[last].TITLE}{of_last.replace('2 s.', '3 s.')}"


def test_fixed_numbers_are_the_same_in_both_languages(tmp_path):
    source = tmp_path / "fixed.cpp"
    source.write_text(f"""#include "{ROOT}/benchmarks/limit/trial.h"
int main() {{ for (float number : trial::fixed(3, 5, -0.25, 2)) std::printf("%.9g\\n", static_cast<double>(number)); }}
""")
    written = peers.output_of([peers.build_cpp(source, tmp_path)], "fixed").split()
    assert [np.float32(number) for number in written] == list(fixed(3, 5, low=-0.25, high=2))


def test_without_data_a_workload_is_skipped_saying_so(tmp_path):
    done = bench("treelstm", "--output", tmp_path, LANTERN_DATA="")
    assert done.returncode == 0 and done.stdout == ""
    assert "treelstm: skipped. Set LANTERN_DATA" in done.stderr
    assert not (tmp_path / "treelstm.json").exists()


def test_a_treebank_that_is_not_there_is_named(tmp_path):
    done = bench("treelstm", "--output", tmp_path, "--treebank", tmp_path / "none.txt")
    assert "none.txt: No such file or directory" in done.stderr


def test_cases_that_no_workload_has_are_an_error_that_names_those_there_are(tmp_path):
    done = bench("treelstm", "--output", tmp_path, "--treebank", SAMPLE, "--small", "--cases", "SGD frozen")
    assert done.returncode == 1 and done.stdout == "" and "Traceback" not in done.stderr
    assert "treelstm: no case has 'SGD frozen' in its name, of: batch 1, SGD, embedding frozen; " in done.stderr and "LazyAdam" in done.stderr
