"""Logs of training: a row of numbers an epoch, as JSON lines (`run.jsonl`) or as a table (`run.csv`)."""
from __future__ import annotations

import io
import json
import math
import os


class Log:
    """A file of rows, each {name: number or string}, begun anew and whole after each row.

    path: ends in .jsonl or .csv, else ValueError. A table's columns are those of its first row; a row of others raises ValueError. A
    number that is not finite is null in JSON lines.
    """

    def __init__(self, path):
        self.path = os.fspath(path)
        suffix = os.path.splitext(self.path)[1]
        if suffix not in (".jsonl", ".csv"):
            raise ValueError(f"a log's name ends in .jsonl or .csv, and '{self.path}' does not")
        self._row = self._json_row if suffix == ".jsonl" else self._table_row
        self._columns = None
        self._file = open(self.path, "w", encoding="utf-8", newline="")

    def write(self, row):
        self._file.write(self._row(row))
        self._file.flush()

    def close(self):
        self._file.close()

    @staticmethod
    def _json_row(row):
        return json.dumps({name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in row.items()},
                          ensure_ascii=False, allow_nan=False) + "\n"

    def _table_row(self, row):
        import csv
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        if self._columns is None:
            self._columns = list(row)
            writer.writerow(self._columns)
        if list(row) != self._columns:
            raise ValueError(f"a row of '{self.path}' has the columns {', '.join(self._columns)}, not {', '.join(row)}")
        writer.writerow(row.values())
        return text.getvalue()
