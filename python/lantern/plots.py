"""`lantern plot`: the curves of logs of training (logs.py), several runs together, a panel a number. Needs matplotlib."""
from __future__ import annotations

import csv
import json
import math
import os

from lantern.outputs import written_whole

_AXES = ("epoch", "step", "seconds")     # what a row tells of its place, not of how good the model is
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#222222")      # Okabe and Ito's, which the colour-blind tell apart
_STYLES = ("-", "--", ":")
_WIDTH, _HEIGHT = 4.2, 3.0      # of a panel, in inches


class LogError(Exception):
    """What is wrong with a log: the file, line and column (from 1; 0 for the whole file), the message, the line."""

    def __init__(self, file, line, column, message, source_line=""):
        super().__init__(message)
        self.file, self.line, self.column, self.message, self.source_line = file, line, column, message, source_line


def read_log(path):
    """The rows of a log, each {name: number}; what is no number is left out, and null is nan. Raises LogError, OSError."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        lines = file.read().splitlines()
    rows = _table_rows(path, lines) if os.path.splitext(path)[1] == ".csv" else _json_rows(path, lines)
    if not any(_is_number(value) for row in rows for name, value in row.items() if name not in _AXES):
        raise LogError(path, 0, 0, "there is nothing to plot in this log: it has no row with a number" if rows else "there is no row in this log")
    return [{name: value for name, value in row.items() if _is_number(value)} for row in rows]


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _json_rows(path, lines):
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise LogError(path, number, getattr(error, "colno", 1), f"this is no JSON: {getattr(error, 'msg', error)}", line) from None
        if not isinstance(row, dict):
            raise LogError(path, number, 1, 'a line of a log is a JSON object, {"epoch": 1, "loss": 0.5}', line)
        rows.append({name: math.nan if value is None else value for name, value in row.items()})
    return rows


def _table_rows(path, lines):
    rows, names = [], None
    for number, line in enumerate(lines, 1):
        cells = next(csv.reader([line]), [])
        if names is None:
            names = cells
        elif len(cells) != len(names):
            raise LogError(path, number, 1, f"this row has {len(cells)} columns, and the first line {len(names)}", line)
        else:
            rows.append(dict(zip(names, map(_cell, cells))))
    return rows


def _cell(text):
    try:
        return float(text) if text else math.nan
    except ValueError:
        return text


def names_of(paths):
    """What the runs are called in the legend: their files, or, where two are of one name, their folders too."""
    stems = [os.path.splitext(os.path.basename(path))[0] for path in paths]
    return [stem if stems.count(stem) == 1 else path for stem, path in zip(stems, paths)]


def draw(runs, output, title=None):
    """Draws {name: rows} into a file: its ending (.svg, .png, .pdf) says of what kind. The same runs make the same SVG. Raises ImportError
    without matplotlib."""
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "lantern", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False,
                                "axes.grid": True, "grid.color": "#e4e4e4", "grid.linewidth": 0.6, "axes.axisbelow": True, "axes.edgecolor": "#888888",
                                "xtick.color": "#444444", "ytick.color": "#444444"})
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator
    columns = list(dict.fromkeys(name for rows in runs.values() for row in rows for name in row if name not in _AXES))
    across = min(len(columns), 3)
    figure, panels = pyplot.subplots(-(-len(columns) // across), across, squeeze=False, layout="constrained",
                                     figsize=(_WIDTH * across, _HEIGHT * -(-len(columns) // across) + (0.3 if len(runs) > 1 else 0)))
    for panel in panels.flat[len(columns):]:
        panel.remove()
    by_epoch = all("epoch" in row for rows in runs.values() for row in rows)
    for panel, column in zip(panels.flat, columns):
        for number, (name, rows) in enumerate(runs.items()):
            points = [(row["epoch"] if by_epoch else place, row[column]) for place, row in enumerate(rows, 1) if column in row]
            panel.plot(*zip(*points) if points else ((), ()), label=name, color=_COLOURS[number % len(_COLOURS)],
                       linestyle=_STYLES[number // len(_COLOURS) % len(_STYLES)], linewidth=1.6, marker="o", markersize=3 if len(points) < 40 else 0)
        panel.set_title(column, loc="left", fontweight="bold")
        panel.set_xlabel("epoch" if by_epoch else "row")
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    if len(runs) > 1:
        figure.legend(*panels.flat[0].get_legend_handles_labels(), loc="outside lower center", ncols=min(len(runs), 4), frameon=False)
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold")
    kind = os.path.splitext(output)[1][1:]
    try:
        with written_whole(output) as temporary:
            figure.savefig(temporary, format=kind, dpi=160, metadata={"Date": None} if kind == "svg" else None)
    finally:
        pyplot.close(figure)


def reply_to(request):
    """The diagnostics and the exit code of a request of the command line: {"arguments": [output, title, log…]}."""
    import sys
    output, title, *paths = request["arguments"]

    def failed(code, message, hint="", file="", line=0, column=0, source_line="", outcome=4):
        return [{"code": code, "message": message, "hint": hint, "file": file, "line": line, "column": column, "end_line": line, "end_column": column,
                 "source_line": source_line, "notes": [], "outcome": outcome}]
    try:
        draw({name: read_log(path) for name, path in zip(names_of(paths), paths)}, output, title)
    except ImportError as error:
        return failed("LT0804", f"the Python at {sys.executable} cannot draw: {error}",
                      f"{sys.executable} -m pip install matplotlib, or name another Python by --python")
    except LogError as error:
        return failed("LT0812", error.message, "lt.fit writes such logs: log=\"run.jsonl\"", error.file, error.line, error.column, error.source_line)
    except OSError as error:
        return failed("LT0802", f"cannot write '{output}': {error.strerror}")
    return []
