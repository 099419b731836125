"""`lt.vmap` while tracing: a staged loop over the rows, whose results grow in lists that are stacked."""
from __future__ import annotations

from lantern import rearranging, rows as row_parts
from lantern.staging import calls, library, merge
from lantern.staging.values import Staged


def mapped(trace, function, parts, keywords, axes):
    """What `lantern.rows.vmap` says."""
    counts = [count for part in parts for count in row_parts.counts_of(part)]
    if not counts:
        row_parts.common_count(function, parts)      # refuses
    at, forms = trace.at, []

    def row(i):
        result = calls.call(trace, function, tuple(part.row(i) for part in parts), keywords, at)
        form = _Form(function, result)
        forms[:] = [form]
        return form.leaves[0] if len(form.leaves) == 1 else tuple(form.leaves)

    library.check_rows(trace, counts[0], counts[1:], row_parts.differing(function), row_parts.nothing_to_map(function))
    rows = library.rows(trace, row, counts[0], trace.lists.new([]))
    form, = forms
    if len(form.leaves) == 1:
        columns = [rows]
    else:
        columns = [library.column(trace, rows, number, trace.lists.new([])) for number in range(len(form.leaves))]
    whole = [calls.call(trace, rearranging.stack, (column,), {}, at) for column in columns]
    return form.placed(iter(whole), axes)


class _Form:
    """The form of what a function gives for a row, and its leaves."""

    def __init__(self, function, value):
        self._function, self.leaves = function, []
        self._plan = self._taken(value)

    def _taken(self, value):
        parts = merge.parts_of(value) if isinstance(value, tuple) else None
        if parts is not None:
            return parts[0], [self._taken(part) for part in parts[1]]
        if not isinstance(value, Staged):
            row_parts.check_leaf(self._function, value)
        self.leaves.append(value)
        return None

    def placed(self, whole, axes, plan=...):
        plan = self._plan if plan is ... else plan
        if plan is None:
            return row_parts.placed(self._function, next(whole), axes)
        build, parts = plan
        axes = axes if isinstance(axes, (tuple, list)) else (axes,) * len(parts)
        if len(axes) != len(parts):
            raise TypeError(f"vmap: out_axes has {len(axes)} axes, and '{row_parts.name_of(self._function)}' gives {len(parts)} parts")
        return build([self.placed(whole, axis, part) for axis, part in zip(axes, parts)])
