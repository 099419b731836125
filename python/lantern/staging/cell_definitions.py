"""What lists that stand for variables (cells.py) hold, in Python: converted and traced. Nothing here is called as it stands."""
from __future__ import annotations


def keep_or_none(cell, value):
    if value is None:
        cell.clear()
    else:
        cell.append(value)


def kept_or_none(cell):
    return cell[-1] if len(cell) > 0 else None


def holds_any(cell):
    return len(cell) > 0
