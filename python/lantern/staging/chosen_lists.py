"""Lists of which a condition has chosen one, and that are changed then:

    t = evens if x % 2 == 0 else odds
    t.append(x)             what evens and odds hold is not what Python's lists hold any more
    evens[0]                before it is read, it is mended: what t holds, if it was chosen, and else what evens held

What was chosen is mended in the same way where one of the lists has changed that it may be (decision 090).
"""
from __future__ import annotations

from lantern import types
from lantern.records import Record
from lantern.staging import merge
from lantern.staging.block import within
from lantern.staging.memory import Part
from lantern.staging.text import Symbol


class Choice(Record):
    """A list is `candidate` where the condition has this truth."""
    candidate: list
    condition: object
    truth: bool


class Chosen(Record):
    """`list` is one of the candidates of these choices; or, if they are not complete, perhaps one that nobody else has."""
    list: list
    choices: list
    is_complete: bool


class Told(merge.Join):
    """Whether a list is a candidate, as the paths of an `if` say. told: the same behind it."""
    told = None

    @staticmethod
    def of(made):
        """Those of the lists that a statement gives."""
        return [choice.condition for list_ in made if list_.chosen for choice in list_.chosen[0] if isinstance(choice.condition, Told)]


class ChosenLists:
    def __init__(self, lists):
        self.lists = lists
        self.known = {}     # id of a list → Chosen
        self.calls = {}     # id of a list that a call has given, and that may be one of its arguments → (it, the code of the function)
        self.mending = {}   # id → the lists that are being mended

    def choices(self, condition, truths, values, blocks):
        """What an `if` of two paths knows of a list behind it, which is one of these values on each, the condition having that truth: ([a Choice], whether
        these are all), or None. A list that was chosen on a path is one of its candidates: where it is, each path has to say (`Told`)."""
        lists, trace = self.lists, self.lists.trace
        own = [lists.original(value) for value in values]
        if not all(type(one) in (list, dict) and (lists.is_own(one) or id(one) not in trace.ages.known) and lists.shared.is_known(one) for one in own):
            return None
        if id(own[0]) in lists.shared.one_of(own[1:]):
            return None
        around, made, is_complete = list(trace.block.chain()), [], True
        for number, (one, truth) in enumerate(zip(own, truths)):
            if trace.ages.home(one) in around:
                made.append(Choice(one, condition, truth))
                continue
            inner = self.known.get(id(one))
            is_complete = is_complete and inner is not None and inner.is_complete
            with within(blocks[number]):
                for each in inner.choices if inner else ():
                    if trace.ages.home(each.candidate) in around:
                        held = each.condition if each.truth else trace.negate(each.condition)
                        made.append(Choice(each.candidate, Told("chosen", types.bool_, [held if path == number else False for path in range(2)]), True))
        return made, is_complete

    def note(self, made, choices, is_complete):
        """A list has been made of which this is known."""
        self.known[id(made)] = Chosen(made, [each.replaced(condition=each.condition.told) if isinstance(each.condition, Told) else each for each in choices], is_complete)

    def note_call(self, kind, define, given):
        """A call has given these, which may be one of its arguments; which one would be known if the function were part of the code that calls it."""
        if kind == "same" and not define.called:
            self.calls.update((id(one), (one, define.function.__code__)) for one in given)

    def choosers(self, container):
        """The codes of functions that have given a list or dict, or what may be it."""
        return [code for one, code in self.calls.values() if one is container or any(each is container for each in self.lists.shared.may_be(one))]

    def remedy(self, container, causes):
        """What mends a list that these have changed behind its back: [(a Choice, the list whose contents it has there)]; None: that is not known."""
        if not self.known or id(container) in self.mending or not self.lists.is_own(container) or self.lists.trace.memories.is_carrying:
            return None
        self.mending[id(container)] = container
        try:
            steps = self._from_candidates(container, causes) or self._from_chosen(container, causes)
            return steps if steps and all(self._is_right(one) and self.lists.trace.in_scope(choice.condition) for choice, one in steps) else None
        finally:
            del self.mending[id(container)]

    def _from_candidates(self, container, causes):
        """One that was chosen itself is what its candidates are."""
        chosen = self.known.get(id(container))
        if chosen is None:
            return None
        changed = [choice for choice in chosen.choices if any(choice.candidate is cause for cause in causes)]
        if len(changed) < len(causes):
            changed = chosen.choices if chosen.is_complete else ()
        return [(choice, choice.candidate) for choice in changed]

    def _from_chosen(self, container, causes):
        """One that may have been chosen is what has been changed, if it was."""
        chosen = self.known.get(id(causes[0])) if len(causes) == 1 else None
        return [(choice, chosen.list) for choice in chosen.choices if choice.candidate is container] if chosen else None

    def _is_right(self, list_):
        return self.lists.mend(list_) and self.lists.in_scope(list_)

    def mended(self, container, steps):
        """What a list holds that is mended so."""
        contents = self.lists.raw(container)
        for choice, one in steps:
            paths = [self.lists.raw(one), contents]
            contents = self._either(container, choice.condition, paths if choice.truth else paths[::-1])
        return contents

    def _either(self, container, condition, paths):
        lists, trace = self.lists, self.lists.trace
        plan = merge.plan_contents(trace, lists.name_of(container, "the list"), paths, "the list", of=[container])
        joins = plan.joins()
        memories = trace.memories.joined([[[Part(part.memory, part.owner, None, part.held) for part in trace.memories.parts(join.values[path])] for join in joins]
                                          for path in range(2)])
        node = (Symbol("if"), trace.resolve(condition), *(merge.result_node([join.node(trace, path) for join in joins]) for path in range(2)))
        return plan.contents(merge.bind_results(trace, node, joins, memories) if joins else iter(()))
