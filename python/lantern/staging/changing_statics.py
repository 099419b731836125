"""Static arguments of recursive calls under staged conditions: what changes from one to the next is staged, or is an error that names it."""
from __future__ import annotations

from lantern.lazy_numpy import np
from lantern.staging import instances, merge
from lantern.staging.arguments import containers_of, is_carried
from lantern.staging.errors import Restart, StagingError
from lantern.staging.identity import IdentityDict
from lantern.staging.keys import key_of

MOST_CHANGES = 16    # of a static argument on recursive calls under staged conditions
_NUMBERS = (bool, int, float, np.ndarray, np.generic)


class ChangingStatics:
    def __init__(self, trace):
        self.trace = trace
        self.forced = IdentityDict()    # code → paths of static numbers that are staged
        self.grown = IdentityDict()     # code → {path: element type} of lists that are staged, since they grow

    def is_known_as(self, code, other):
        """What is learnt of one code holds for the other, which stands for it."""
        self.forced[other] = self.forced.setdefault(code, set())
        self.grown[other] = self.grown.setdefault(code, {})

    def forget(self, speaks):
        """Which lists grow is to be found anew, where `speaks` says of their elements' types that it is."""
        for code, grown in list(self.grown.items()):
            self.grown[code] = {path: element for path, element in grown.items() if not speaks(element)}

    def stage_grown(self, code, bound):
        """A list that grows from one recursive call to the next is staged."""
        if code in self.grown:
            containers = containers_of(bound)
            if not self.trace.empties.is_open():    # what a trace has learned that was no program may say nothing: this one learns it anew
                self.grown[code] = {path: element for path, element in self.grown[code].items() if not self.trace.empties.says_nothing(element)}
            for path, element in self.grown[code].items():
                if type(containers.get(path)) is list:
                    own = self.trace.lists.type_of(self.trace.lists.contents(containers[path])).element
                    self.trace.lists.become_staged(containers[path], element if own is None else merge.join_types(own, element))

    def check(self, function, formals, statics, bound):
        """A static argument that changes on a recursive call under a staged condition: numbers and arrays become staged, and so do
        lists that grow, and texts that go on changing; others may not go on changing for ever. So do numbers that are staged on such a call, where that makes them no other type."""
        code, trace = function.__code__, self.trace
        earlier = [s for s in trace.callers_under_condition() if s.function.__code__ is code]
        if not earlier:
            return
        outermost = earlier[0]
        before = {path: value for s in reversed(earlier) for path, value in s.statics}
        changed = [path for path, value in statics
                   if path in before and key_of(before[path]) != key_of(value)]
        numbers = [path for path in changed
                   if all(isinstance(v, _NUMBERS) for v in (before[path], dict(statics)[path]))]
        numbers += [path for path, value in formals if isinstance(before.get(path), (bool, int, float))
                    and trace.type_of(value) == trace.type_of(before[path])]
        if len(earlier) >= MOST_CHANGES:        # a text of few values may choose among attributes
            numbers += [path for path in changed if all(type(v) is str for v in (before[path], dict(statics)[path]))]
        if numbers and not (outermost.fixed and set(numbers) & dict(outermost.statics).keys()):
            self.forced.setdefault(code, set()).update(numbers)
            raise Restart(next(s for s in earlier if set(numbers) & dict(s.statics).keys()))
        forms = [path[:-1] for path in changed if path[-1] == "form" and before[path][0] == "list"]
        if forms and not outermost.fixed:
            containers, grown = containers_of(bound), self.grown.setdefault(code, {})
            elements = {path: trace.lists.type_of(trace.lists.contents(containers[path])).element
                        for path in forms if path in containers and path not in grown}
            elements = {path: element for path, element in elements.items() if element is not None}
            if elements:
                grown.update(elements)
                raise Restart(outermost)
        if len(earlier) >= MOST_CHANGES:
            others = [path for path in changed if path not in numbers]
            name = function.__name__
            which, hint = (f"the {'variable' if is_carried(others[0][0]) else 'argument'} '{shown_path(others[0])}' of '{name}'",
                           merge.remedy(dict(statics)[others[0]]) or (instances.OF_LENGTHS if others[0][-1] == "form" and before[others[0]][0] == "tuple" else "pass a number, a text, a list, an array or a structure that is staged")) if others else \
                (f"{earlier[-1].changed_state(function)} that '{name}' reads", "pass it as an argument and return what it has become")
            error = StagingError("LT0308", f"{which}, known while staging, has changed on each of {len(earlier)} recursive calls under a "
                                 "condition that is known only when the program runs", trace.place(), f"{hint}, or make the recursion depend on Python values")
            error.of_class = type(dict(statics)[others[0]]) if others else None
            raise error


def shown_path(path):
    return str(path[0]) + "".join(f"[{key!r}]" for key in path[1:] if key != "form")
