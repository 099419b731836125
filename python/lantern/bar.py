"""The bar that shows how far a loop is, on stderr: count, rate, time to go."""
from __future__ import annotations

import os
import sys
import time

_WIDTH = 30


def is_wanted():
    """Whether somebody looks at stderr, and LANTERN_QUIET is not set."""
    return sys.stderr.isatty() and "LANTERN_QUIET" not in os.environ


class Bar:
    """Redrawn at most ten times a second. begun: how many of `total` were done before."""

    def __init__(self, label, total, begun=0):
        self._label, self._total, self._begun = label, total, begun
        self._start = self._drawn = time.monotonic()

    def show(self, done, note=""):
        """`done` of `total` are; note: what stands behind it."""
        now = time.monotonic()
        if now - self._drawn < 0.1 and done != self._total:
            return
        self._drawn, rate = now, (done - self._begun) / max(now - self._start, 1e-9)
        filled = _WIDTH * done // self._total
        left = f" {(self._total - done) / rate:.0f} s left" if rate else ""
        sys.stderr.write(f"\r{self._label} |{'█' * filled}{' ' * (_WIDTH - filled)}| {done}/{self._total} {rate:.0f}/s{left}{note}\x1b[K")
        sys.stderr.flush()

    def close(self):
        sys.stderr.write("\n")
        sys.stderr.flush()


def with_bar(items, label):
    """The items of what has a length, with a bar."""
    bar = Bar(label, len(items))
    try:
        for done, item in enumerate(items, 1):
            yield item
            bar.show(done)
    finally:
        bar.close()
