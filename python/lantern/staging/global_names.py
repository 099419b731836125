"""Which of the parameters and variables that a program uses are one, and what each is called."""
from __future__ import annotations

import itertools

from lantern.staging.errors import StagingError
from lantern.staging.text import one_line


def tell_apart(entries, references):
    """Gives two globals two names, but for what entries make for themselves: one that makes the model anew, to load it say, speaks of the
    one that others use. references: of each entry, the globals that it uses."""
    together = [set(map(id, each)) for each in references]

    def are_two(a, b):
        return a.entry is None and b.entry is None or any(id(a) in used and id(b) in used for used in together)

    named = {}
    for reference in dict.fromkeys(itertools.chain(*references)):
        while any(are_two(reference, other) for other in named.get(reference.spelling, ())):
            reference.number += 1
        named.setdefault(reference.spelling, []).append(reference)
    for first, *others in named.values():
        for other in others:
            if not first.can_be(other):
                one, two = (next(entry for entry, used in zip(entries, references) if each in used) for each in (first, other))
                raise StagingError("LT0311", f"entries '{one.name}' and '{two.name}' each make a '{other.spelling}', which is one to the "
                                   f"program, as {one_line(first.item())} and as {one_line(other.item())}", two.place,
                                   "have it begin alike in both, keep one of them under another attribute, or compile each entry by itself (--entry)")


def check_weights(globals_, expressions, references):
    """An error where `lt.save` or `lt.load` is given other parameters than all of the program's, under the names that they have in it: its file
    has all of them.

    expressions: those of the program; references: the globals that it uses.
    """
    names = {reference.spelling for reference in references if reference.is_parameter}
    for expression in expressions:
        if id(expression) not in globals_.weights:
            continue
        _, what, kept, place = globals_.weights[id(expression)]
        if set(kept) != names or any(name != reference.spelling for name, reference in kept.items()):
            raise StagingError("LT0310", f"lt.{what} is given a module with the parameters {', '.join(kept) or '(none)'}, and a compiled program's file has all "
                               f"parameters of the program: {', '.join(sorted(names))}", place,
                               "give it the module that holds them all, or use lt.save_checkpoint(path, module) and lt.load_checkpoint(path, module)")
