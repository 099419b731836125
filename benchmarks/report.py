"""What was measured, as numbers for JSON and as Markdown."""
import os
import pathlib
import platform
import statistics

from peers import MEBIBYTE

PERCENTILES = (50, 95, 99)  # of latencies, as trial/timing.py prints them
ROUNDS = 5                  # of a case in a trial, as there


def machine():
    """What the numbers were measured on."""
    cpu = platform.processor() or platform.machine()
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        cpu = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), cpu)
    except OSError:
        pass
    return {"cpu": cpu, "cores": os.cpu_count(), "load": [round(load, 2) for load in os.getloadavg()]}


def rows(measured):
    """A row a case and peer, the cases in the order of the first peer that has them: the rounds' median and spread, the ratio of ours to it, and memory.

    measured: [(peer, its Measurements, trial by trial)], ours first in each case.
    """
    cases = dict.fromkeys(case for _, trials in measured for case in trials[0].rates)
    return [_row(case, peer, trials, measured) for case in cases for peer, trials in measured if case in trials[0].rates]


def _row(case, peer, trials, measured):
    trial_by_trial = _rates(trials, case)
    ours = next(_rates(theirs, case) for _, theirs in measured if case in theirs[0].rates)
    rates = [rate for of_trial in trial_by_trial for rate in of_trial]
    # rounds that followed one another, one of ours and one of its
    ratios = [mine / its for of_ours, of_trial in zip(ours, trial_by_trial) for mine, its in zip(of_ours, of_trial)]
    row = {"case": case, "name": peer.name, "median": statistics.median(rates), "lowest": min(rates), "highest": max(rates),
           "ours_to_it": statistics.median(ratios), "trials": trial_by_trial, "note": peer.note}
    if peer.trials and len(trial_by_trial) == peer.trials:
        row["note"] = "; ".join(filter(None, [peer.note, "one trial" if peer.trials == 1 else f"{peer.trials} trials"]))
    if latencies := [trial.latencies[case] for trial in trials if case in trial.latencies]:
        row["latency"] = [statistics.median(percentile) for percentile in zip(*latencies)]
    if trials[0].memory:
        row["memory_before"], row["memory_peak"] = (max(trial.memory[i] for trial in trials) for i in (0, 1))
    return row


def _rates(trials, case):
    """Round by round, of each trial."""
    return [trial.rates[case] for trial in trials if case in trial.rates]


def markdown(report):
    """The section of a workload."""
    told = report["machine"]
    cores = f"one core of {told['cores']}" if report["core"] is not None else f"{told['cores']} cores"
    lines = [f"## {report['title']}", "", table(report["rows"], report["unit"]), "", report["settings"], "",
             f"{told['cpu']}, {cores}, load average {told['load'][0]}; "
             f"trials: {report['trials']}, up to {ROUNDS} rounds in each, in turns; {report['seconds']:.0f} s."]
    if report["versions"]:
        lines += ["", ", ".join(f"{name} {version}" for name, version in report["versions"].items()) + "."]
    return "\n".join([*lines, *(f"\nNot measured: {reason}" for reason in report["absent"])]) + "\n"


def table(rows, unit):
    """Rows as a table, without the columns that none of them fills."""
    cases, latency, memory = (any(row.get(key) for row in rows) for key in ("case", "latency", "memory_peak"))
    peers = len({row["name"] for row in rows}) > 1
    heads = [*([("", "---")] if cases else []), *([("", "---")] if peers else []), (f"{unit}, median", "---:"), ("lowest to highest", "---:"),
             *([("ours / it", "---:")] if peers else []), *([(f"{share} %, µs", "---:") for share in PERCENTILES] if latency else []), *([("peak memory, of it before", "---:")] if memory else []), ("", "---")]
    lines = ["| " + " | ".join(head for head, _ in heads) + " |", "|" + "|".join(rule for _, rule in heads) + "|"]
    before = None
    for row in rows:
        cells = ["" if row["case"] == before else row["case"]] if cases else []
        cells += [row["name"]] if peers else []
        cells += [_number(row["median"]), f"{_number(row['lowest'])} to {_number(row['highest'])}"]
        cells += [f"{row['ours_to_it']:.2f}"] if peers else []
        if latency:
            cells += [_number(microseconds) for microseconds in row["latency"]] if "latency" in row else [""] * len(PERCENTILES)
        if memory:
            cells.append(f"{row['memory_peak'] / MEBIBYTE:.0f} MiB, {row['memory_before'] / MEBIBYTE:.0f}" if "memory_peak" in row else "")
        lines.append("| " + " | ".join([*cells, row["note"]]) + " |")
        before = row["case"]
    return "\n".join(lines)


def _number(number):
    """Three digits at least."""
    return f"{number:.3g}" if number < 10 else f"{number:.{1 if number < 10_000 else 0}f}"
