"""Runs the benchmarks: ours and the peers side by side on one core, a process each, their rounds in turns; a trial is a fresh run of all.

    benchmarks/run.py [WORKLOAD] [--cases WORDS] [--repeat R] [--without PEER] [--small] [--no-plot] [--write-docs]

A table goes to standard output, the numbers to build/bench/WORKLOAD.json, a plot to build/bench/benchmarks.svg; --write-docs rewrites
docs/benchmarks.md and docs/benchmarks.svg from the numbers of every workload there, those measured before too; of others the page stays as it is.
"""
import argparse
import json
import os
import pathlib
import statistics
import sys
import time

from peers import BenchmarkError, NoCase, output_of, python_with
from report import machine, markdown, rows
from turns import one_trial
from workloads import algorithms, calls, child_sum, compiling, dynamic_rnn, functions, hmm, kernels, memory, mnist, parts, passes, rntn, tree_prod, treelstm, treelstm_batches, treelstm_gates, treelstm_inference, treelstm_threads

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORKLOADS = {"treelstm": treelstm, "treelstm_batches": treelstm_batches, "treelstm_gates": treelstm_gates, "treelstm_inference": treelstm_inference,
             "treelstm_threads": treelstm_threads, "dynamic_rnn": dynamic_rnn,
             "hmm": hmm, "mnist": mnist, "rntn": rntn, "passes": passes, "kernels": kernels, "child_sum": child_sum, "tree_prod": tree_prod,
             "functions": functions, "algorithms": algorithms, "parts": parts, "compile": compiling, "calls": calls, "memory": memory}


def on_one_core():
    """Keeps this process, and what it starts from now on, on one core and in one thread. The core."""
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    if _has_avx512():
        os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")  # older versions do not know newer processors, and fall to SSE3
    core = max(os.sched_getaffinity(0))  # interrupts go to the first
    os.sched_setaffinity(0, {core})
    return core


def _has_avx512():
    try:
        return "avx512dq" in pathlib.Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return False


def measure(roster, repeat):
    """[(peer, its measurements, trial by trial)]. One that refuses is left out of the roster, with the reason."""
    measured = {peer: [] for peer in roster.peers}
    for trial in range(1, repeat + 1):
        def tell(text):
            print(f"  {trial}/{repeat} {text}", file=sys.stderr, flush=True)
        for peer, outcome in one_trial([peer for peer in measured if not peer.trials or trial <= peer.trials], tell).items():
            if isinstance(outcome, BenchmarkError):
                del measured[peer]
                roster.absent.append(f"{peer.name}{peer.case and f' ({peer.case})'}: {outcome.reason}")
                continue
            measured[peer].append(outcome)
            hold_to_the_others(peer, measured)
            tell(f"{peer.name}: " + ", ".join(f"{case} {statistics.median(rates):.3g}".strip() for case, rates in outcome.rates.items()))
    return list(measured.items())


def hold_to_the_others(peer, measured):
    """A rate says nothing where something else was computed."""
    for other in measured:
        if other.case == peer.case and measured[other] and (difference := measured[other][-1].disagreement(measured[peer][-1])):
            raise BenchmarkError(f"{other.name} and {peer.name} do not compute the same: {difference}")


def run(name, arguments, folder):
    """Measures a workload; its report as JSON. None if its data are not there."""
    workload = WORKLOADS[name]
    data = workload.data(arguments)
    if data is None:
        return None
    roster = workload.prepare(data, arguments, folder)
    core = None if getattr(workload, "ON_ALL_CORES", False) else on_one_core()
    start = time.monotonic()
    measured = measure(roster, arguments.repeat)
    report = {"workload": name, "title": workload.TITLE, "unit": workload.UNIT, "settings": workload.settings(data, arguments),
              "machine": machine(), "versions": roster.versions, "core": core, "trials": arguments.repeat, "seconds": round(time.monotonic() - start, 1),
              "rows": rows(measured), "absent": roster.absent}
    (folder / f"{name}.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workload", nargs="?", choices=sorted(WORKLOADS), help="all of them by default")
    parser.add_argument("--cases", default="", metavar="WORDS", help="of the TreeLSTM, only the cases with these words in their name")
    parser.add_argument("--repeat", type=int, default=1, help="trials: fresh processes, five rounds each")
    parser.add_argument("--trees", type=int, metavar="N", help="use the first N trees, 0 for all; by default 256, evenly spread")
    parser.add_argument("--treebank", type=pathlib.Path, help="instead of $LANTERN_DATA/sst/dev.txt")
    parser.add_argument("--without", action="append", default=[], metavar="PEER", help="leave out: limit, torch, plain, or what has this in its name")
    parser.add_argument("--small", action="store_true", help="the smallest sizes: does all run, and do the peers agree?")
    parser.add_argument("--no-plot", action="store_true", help="tables and numbers alone")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build" / "bench", help="folder for JSON and builds")
    parser.add_argument("--write-docs", action="store_true", help="rewrite docs/benchmarks.md, from all that was measured")
    arguments = parser.parse_args()
    if arguments.repeat < 1 or (arguments.trees or 0) < 0:
        parser.error("--repeat is at least 1, --trees at least 0")
    arguments.output.mkdir(parents=True, exist_ok=True)
    affinity, reports = os.sched_getaffinity(0), []
    for name in [arguments.workload] if arguments.workload else WORKLOADS:
        try:
            report = run(name, arguments, arguments.output.resolve())
        except NoCase as error:
            if arguments.workload:
                sys.exit(f"{name}: {error}")
            report = None
        except BenchmarkError as error:
            sys.exit(f"{name}: {error}")
        os.sched_setaffinity(0, affinity)
        if report:
            print(markdown(report), flush=True)
            reports.append(report)
    if reports and not arguments.no_plot:
        plot([arguments.output / f"{report['workload']}.json" for report in reports], arguments.output / "benchmarks.svg")
    if arguments.write_docs:
        write_page(arguments.output, ROOT / "docs")


def write_page(folder, docs):
    """Writes benchmarks.md of every workload's report in a folder. One that has none keeps its section, and the plot is left as it is."""
    files, page, plotted = {name: folder / f"{name}.json" for name in WORKLOADS}, docs / "benchmarks.md", docs / "benchmarks.svg"
    before = page.read_text("utf-8").split("\n## ")[1:] if page.exists() else []
    kept = {section.partition("\n")[0]: f"## {section.rstrip()}\n" for section in before}
    reports = {name: json.loads(file.read_text("utf-8")) for name, file in files.items() if file.exists()}
    if missing := [name for name, workload in WORKLOADS.items() if name not in reports and workload.TITLE not in kept]:
        sys.exit(f"--write-docs: not measured yet: {', '.join(missing)}. Without a WORKLOAD, and with LANTERN_DATA set, all are.")
    text = "# Benchmarks\n\nWritten by `python3 benchmarks/run.py --write-docs`; `make bench` measures them anew.\n\n"
    if len(reports) == len(WORKLOADS) and plot(list(files.values()), plotted) or plotted.exists():
        text += "![medians of all peers, from lowest to highest](benchmarks.svg)\n\n"
    page.write_text(text + "\n".join(markdown(reports[name]) if name in reports else kept[workload.TITLE] for name, workload in WORKLOADS.items()), "utf-8")


def plot(reports, path):
    """The path of what plot.py has drawn of some files of reports; None, after saying so, where matplotlib is missing."""
    python = python_with("matplotlib")
    if not python:
        print("not drawn: no Python here can import matplotlib (make peers installs it)", file=sys.stderr)
        return None
    try:
        output_of([python, ROOT / "benchmarks" / "plot.py", *reports, path], "plot.py")
    except BenchmarkError as error:
        sys.exit(str(error))
    return path


if __name__ == "__main__":
    main()
