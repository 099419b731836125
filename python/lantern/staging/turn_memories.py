"""What the turns of a loop do to the memory of arrays and lists (memories.py)."""
from __future__ import annotations

from lantern.staging.memory import ELEMENT, KEPT, before


class Turns:
    """What the turns of a loop do to memory: a turn begins with what was before the loop, or with what a turn has left."""

    def __init__(self, memories):
        self.memories = memories
        self.since = memories.now()
        self.ends = None        # the Parts of the loop's variables behind a turn
        self.carried = {}       # (kind, memory older than the loop, root, roots) → the Change that a turn makes of it
        self.known = None       # what a turn was traced with

    def begin(self, values):
        """The memories of the loop's variables at the beginning of a turn, or behind the loop. values: what they were before it."""
        paths = [[self.memories.parts(value) for value in values]]
        if self.ends is not None and len(self.ends) == len(values):
            paths.append(self.ends)
        for (_, memory, root, roots), change in self.carried.items():
            self.memories.changes.append(change.replaced(memory=memory, order=self.memories.now(), root=root, roots=roots))
        made = self.memories.joined(paths, self.since)
        self.known = self._summary(made)
        return made

    def end(self, before_loop, values, changes):
        """A turn has ended with `values`, and has made these changes; whether that is news to the next one."""
        memories = self.memories
        with memories.behind(changes):
            self.ends = [memories.parts(value) for value in values]
        for change in changes:
            roots = frozenset(root for root in change.roots if root.order < self.since)     # that of a turn is another one in each
            for memory in before(change.memory, self.since):
                if change.kind == KEPT and memory.owner == ELEMENT:     # which nobody writes to as it is, and which may be another one in each pass
                    continue
                self.carried.setdefault((change.kind, memory, change.root if change.root in roots else None, roots), change)
        known, mark = self.known, memories.mark()
        self.begin(before_loop)
        memories.undo(mark)
        return self.known != known

    def lack(self, inner):
        """Whether the turns of a loop within this one do what those of this one are not known to do."""
        known = {(kind, memory) for kind, memory, _, _ in self.carried}
        return any((kind, older) not in known for kind, memory, _, _ in inner.carried for older in before(memory, self.since))

    def _summary(self, made):
        made = [*made, *(memory and memory.held for memory in made)]
        numbers = {memory: number for number, memory in enumerate(made) if memory is not None}
        group = next((memory.group for memory in numbers), ())
        # Which arrays known while staging it may be is no news: they have an owner, and the same code makes others in each turn. Nor is what a
        # turn does to those that it has made.
        own = self.memories.known_since(self.since)
        carried = {(kind, (change.what, change.place) if memory in own else memory, root, roots)
                   for (kind, memory, root, roots), change in self.carried.items()}
        return ([memory and self._summary_of(memory) for memory in made],
                {frozenset(numbers[memory] for memory in pair) for pair in group}, carried)

    @staticmethod
    def _summary_of(memory):
        """None of what is like a new one, as is what a turn has made."""
        if not memory.sources and not memory.owner and not memory.stale:
            return None
        return frozenset(source for source in memory.sources if source.order), bool(memory.owner), bool(memory.stale)
