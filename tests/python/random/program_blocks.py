"""What every kind of random program is made of: blocks, branches, loops, jumps, exceptions, cases.

A kind of program (plain_programs, staged_programs) adds the tables that its statements are drawn from, statements of its own, and the
expressions in all of them.
"""

import contextlib
import dataclasses

from choices import Choices, Table, Writer

JUMP = Table("jump", break_=5, continue_=5)


@dataclasses.dataclass
class Frame:
    """Where in a function the program is being written."""
    loops: int = 0                  # around this place
    in_cleanup: bool = False        # in a `finally`, which no jump is to leave


class Program:
    """Needs `expression(kind, depth=0)`: the text of a random expression; `source()` is the program's text.

    A construct of the table `statements` is a method of that name: it writes the statement, and returns whether it ends its block.
    """

    statements: Table
    nesting: frozenset      # constructs that are not begun near the deepest level
    deepest = 6             # levels of blocks
    longest = 6             # statements of a block
    attempts: Table         # handled, named, several, with_else, finally_, all: what follows a `try`
    caught: tuple           # what stands behind `except`

    def __init__(self, seed, number, fewest, most):
        self.choices, self.number, self.write = Choices(seed), number, Writer()
        self.frame, self.depth, self.made = Frame(), 0, 0
        self.left = self.choices.number(fewest, most)       # statements

    def fresh(self, prefix):
        """A name that the program has not had."""
        self.made += 1
        return f"{prefix}{self.made - 1}"

    @contextlib.contextmanager
    def own_frame(self):
        """The body of a function."""
        before, self.frame = self.frame, Frame()
        yield
        self.frame = before

    # Blocks

    def under(self, head, body=None):
        self.write(head)
        with self.write:
            (body or self.block)()

    def block(self, most=None, first=None):
        """Some statements, up to the one that ends the block. first: writes what stands in front of them."""
        self.depth += 1
        if first:
            first()
        for _ in range(self.choices.number(1, most or self.longest)):
            if self.statement():
                break
        self.depth -= 1

    def statement(self):
        self.left -= 1
        if self.left < 0 or self.depth > self.deepest:
            return self.assign()
        construct = self.choices.construct(self.statements)
        if self.depth > self.deepest - 2 and construct in self.nesting:
            construct = "jump"
        return getattr(self, construct)()

    def ending(self, line, guarded):
        """A line that ends its block; with the probability `guarded`, only where a condition holds."""
        if self.choices.chance(guarded):
            self.write(f"if {self.expression('bool')}: {line}")
            return False
        self.write(line)
        return True

    # Control flow

    def conditional(self):
        self.under(f"if {self.expression('bool')}:")
        while self.choices.chance(0.25):
            self.choices.counts["if: elif"] += 1
            self.under(f"elif {self.expression('bool')}:")
        if self.choices.chance(0.45):
            self.choices.counts["if: else"] += 1
            self.under("else:")

    def loop(self, head, first=(), body=None):
        """A loop: the lines `first`, then a block."""
        def turn():
            for line in first:
                self.write(line)
            self.frame.loops += 1
            (body or self.block)()
            self.frame.loops -= 1
        self.under(head, turn)
        if self.choices.chance(0.25):
            self.choices.counts["loop: else"] += 1
            self.under("else:")

    def jump(self):
        if not self.frame.loops or self.frame.in_cleanup:
            return self.assign()
        return self.ending({"break_": "break", "continue_": "continue"}[self.choices.construct(JUMP)], 0.5)

    def attempt(self):
        what = self.choices.construct(self.attempts)
        is_named = what in ("named", "all")
        self.under("try:")
        if what != "finally_":
            for _ in range(2 if what == "several" else 1):
                caught = self.choices.one(self.caught)
                self.under(f"except {caught} as error:" if is_named else f"except {caught}:", self.handler if is_named else None)
        if what in ("with_else", "all"):
            self.under("else:")
        if what in ("finally_", "all"):
            before, self.frame.in_cleanup = self.frame.in_cleanup, self.choices.chance(0.9)
            self.under("finally:")
            self.frame.in_cleanup = before

    def handler(self):
        self.write("print('caught', type(error).__name__, error)")
        self.block()

    def cases(self, subject, patterns, most):
        def arms():
            for pattern in patterns:
                self.under(f"case {pattern}:", lambda: self.block(most))
        self.under(f"match {subject}:", arms)
