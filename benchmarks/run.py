"""Runs the benchmarks: ours and the peers side by side, in turns, each trial a fresh process on one core.

    benchmarks/run.py [WORKLOAD] [--repeat R] [--passes P] [--trees N] [--write-docs]

A table goes to standard output and the numbers to build/bench/WORKLOAD.json; --write-docs rewrites docs/benchmarks.md.
"""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

import treelstm
from peers import BenchmarkError

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORKLOADS = {"treelstm": treelstm}


def on_one_core():
    """Keeps this process, and what it starts from now on, on one core and in one thread. The core."""
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    core = max(os.sched_getaffinity(0))  # interrupts go to the first
    os.sched_setaffinity(0, {core})
    return core


def machine():
    """What the numbers were measured on."""
    cpu = platform.processor() or platform.machine()
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        cpu = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), cpu)
    except OSError:
        pass
    return {"cpu": cpu, "cores": os.cpu_count(), "load": [round(load, 2) for load in os.getloadavg()]}


def measure(peers, repeat):
    """{peer's name: [its rate in each trial]}, the peers in turns."""
    rates = {peer.name: [] for peer in peers}
    for turn in range(repeat):
        for peer in peers:
            rates[peer.name].append(peer.trial())
            print(f"  {turn + 1}/{repeat} {peer.name}: {rates[peer.name][-1]:.1f}", file=sys.stderr, flush=True)
    return rates


def summary(peers, rates):
    """A row a peer: median, spread, and the ratio of ours to it."""
    ours = statistics.median(rates[peers[0].name])
    rows = []
    for peer in peers:
        measured = rates[peer.name]
        median = statistics.median(measured)
        rows.append({"name": peer.name, "median": median, "lowest": min(measured), "highest": max(measured),
                     "ours_to_it": ours / median, "trials": measured, "note": peer.note})
    return rows


def table(rows, unit):
    lines = [f"| | {unit}, median | lowest to highest | ours / it | |", "|---|---:|---:|---:|---|"]
    lines += [f"| {row['name']} | {row['median']:.1f} | {row['lowest']:.1f} to {row['highest']:.1f} | {row['ours_to_it']:.2f} "
              f"| {row['note']} |" for row in rows]
    return "\n".join(lines)


def run(name, arguments, folder):
    """Measures a workload; its report as JSON. None if its data are not there."""
    workload = WORKLOADS[name]
    data = workload.data(arguments)
    if data is None:
        return None
    peers, absent = workload.prepare(data, arguments, folder)
    core = on_one_core()
    start = time.monotonic()
    rows = summary(peers, measure(peers, arguments.repeat))
    report = {"workload": name, "title": workload.TITLE, "unit": workload.UNIT, "settings": workload.settings(data, arguments),
              "machine": machine(), "core": core, "seconds": round(time.monotonic() - start, 1), "peers": rows, "absent": absent}
    (folder / f"{name}.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    return report


def markdown(report):
    told = report["machine"]
    lines = [f"## {report['title']}", "", table(report["peers"], report["unit"]), "", report["settings"], "",
             f"{told['cpu']}, one core of {told['cores']}, load average {told['load'][0]}; "
             f"trials of each, in turns: {len(report['peers'][0]['trials'])}."]
    return "\n".join(lines + [f"Not measured: {reason}" for reason in report["absent"]]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workload", nargs="?", choices=sorted(WORKLOADS), help="all of them by default")
    parser.add_argument("--repeat", type=int, default=3, help="trials of each peer")
    parser.add_argument("--passes", type=int, default=2, help="timed passes over the data in a trial")
    parser.add_argument("--trees", type=int, default=0, help="use the first N trees only; 0 for all")
    parser.add_argument("--treebank", type=pathlib.Path, help="instead of $LANTERN_DATA/sst/dev.txt")
    parser.add_argument("--without", action="append", default=[], metavar="PEER", help="leave a peer out: limit, torch")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build" / "bench", help="folder for JSON and builds")
    parser.add_argument("--write-docs", action="store_true", help="rewrite docs/benchmarks.md")
    arguments = parser.parse_args()
    if arguments.repeat < 1 or arguments.passes < 1 or arguments.trees < 0:
        parser.error("--repeat and --passes are at least 1, --trees at least 0")
    arguments.output.mkdir(parents=True, exist_ok=True)
    affinity, reports = os.sched_getaffinity(0), []
    for name in [arguments.workload] if arguments.workload else sorted(WORKLOADS):
        try:
            report = run(name, arguments, arguments.output.resolve())
        except (BenchmarkError, subprocess.TimeoutExpired) as error:
            sys.exit(f"{name}: {error}")
        os.sched_setaffinity(0, affinity)
        if report:
            print(markdown(report), flush=True)
            reports.append(report)
    if arguments.write_docs and reports:
        text = "# Benchmarks\n\nWritten by `python3 benchmarks/run.py --write-docs`; `make bench` measures them anew.\n\n"
        (ROOT / "docs" / "benchmarks.md").write_text(text + "\n".join(map(markdown, reports)), "utf-8")


if __name__ == "__main__":
    main()
