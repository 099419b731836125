"""How often a loop over Python values may be unrolled."""
from __future__ import annotations

import os

from lantern.staging.errors import StagingError

MOST_TURNS = 10_000     # of a loop; LANTERN_UNROLL sets another limit


class Turns:
    """Counts the turns of a loop over Python values that put something into the program: each is unrolled."""

    def __init__(self, trace, at):
        self.trace, self.at = trace, at
        self.block = trace.block
        self.number, self.size = 0, len(self.block.entries)
        self.most = int(os.environ.get("LANTERN_UNROLL", MOST_TURNS))

    def count(self):
        if len(self.block.entries) == self.size:
            return
        self.number, self.size = self.number + 1, len(self.block.entries)
        if self.number > self.most:
            raise StagingError("LT0315", f"the loop is unrolled more than {self.most} times: what it goes over is known while staging",
                               self.trace.place(self.at), "go over lt.range(n), an array or a staged value, or set LANTERN_UNROLL")
