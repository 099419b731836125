"""Draws what run.py has measured: a panel a workload, a row a case, a mark a peer, from its lowest trial to its highest.

    plot.py REPORT.json... PLOT.svg

Needs matplotlib (make peers). The same reports make the same file, byte for byte.
"""
import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "lantern", "svg.fonttype": "none", "font.size": 8})

from matplotlib import pyplot
from matplotlib.ticker import FuncFormatter

ROW, PANEL, WIDTH = 0.22, 1.1, 9    # inches: a case's height, what a panel has beside, and how wide all is
MARKS = "osD^vP<>X*hp"
COLOURS = {"lantern": "black", "by hand": "tab:green", "PyTorch": "tab:red", "DyNet": "tab:blue", "JAX": "tab:purple", "TensorFlow": "tab:orange",
           "NumPy": "tab:brown", "Python": "tab:brown"}


def draw(reports, path):
    compared = [report for report in reports if len(_peers(report)) > 1]
    reports = compared or reports
    # a panel is as high as its legend, too
    heights = [PANEL + ROW * max(len(_cases(report)), 0.7 * len(_peers(report))) for report in reports]
    figure, panels = pyplot.subplots(len(reports), 1, figsize=(WIDTH, sum(heights)), squeeze=False, height_ratios=heights, layout="constrained")
    for panel, report in zip(panels[:, 0], reports):
        _panel(panel, report)
    figure.savefig(path, metadata={"Date": None})


def _panel(panel, report):
    cases, peers = _cases(report), _peers(report)
    for number, peer in enumerate(peers):
        rows = [row for row in report["rows"] if row["name"] == peer]
        whose = peer.split(",")[0]
        # side by side within a case's row, in the table's order
        places = [cases.index(row["case"]) + 0.6 * ((number + 0.5) / len(peers) - 0.5) for row in rows]
        medians = [row["median"] for row in rows]
        spread = [[row["median"] - row["lowest"] for row in rows], [row["highest"] - row["median"] for row in rows]]
        panel.errorbar(medians, places, xerr=spread, fmt=MARKS[number % len(MARKS)], color=COLOURS.get(whose, "tab:gray"), label=peer, elinewidth=0.8,
                       markersize=5 if whose == "lantern" else 3.5, linestyle="none")
    panel.set_xscale("log")
    for axis in (panel.xaxis.set_major_formatter, panel.xaxis.set_minor_formatter):
        axis(FuncFormatter(lambda number, _: f"{number:g}" if f"{number:e}"[0] in "125" else ""))
    panel.set_yticks(range(len(cases)), cases)
    panel.set_ylim(len(cases) - 0.5, -0.5)
    panel.grid(axis="x", linewidth=0.3)
    panel.set_title(report["title"], loc="left", fontweight="bold")
    panel.set_xlabel(report["unit"])
    panel.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=7)


def _cases(report):
    return list(dict.fromkeys(row["case"] for row in report["rows"]))


def _peers(report):
    return list(dict.fromkeys(row["name"] for row in report["rows"]))


if __name__ == "__main__":
    draw([json.loads(pathlib.Path(name).read_text("utf-8")) for name in sys.argv[1:-1]], sys.argv[-1])
