"""What a statement emits that runs again where it has run before: the nodes that it has emitted already, not others like them.

A run again does the same, but for what is tried and taken back: the first test of a loop, say. So what has no effect may be missing, or come again.
"""
from __future__ import annotations

from lantern.staging.errors import StagingError, user_place
from lantern.staging.text import has_parts
from lantern.staging.values import Staged

def lost():
    """The error where a statement that runs again does something else."""
    return StagingError("LT0313", "a try statement that may go several ways does not do the same when it is run again", user_place(),
                        "move what cannot fail out of it, and what fails for itself into a 'try' of its own")


class Repeats:
    """entries: what has been emitted, in its order; position: how many of them the run has come past."""

    def __init__(self, block, entries=(), position=0):
        self.block, self.entries, self.position = block, entries, position

    def and_then(self, rest):
        """The same, and then what another one has left."""
        return Repeats(self.block, (*self.entries[self.position:], *rest.entries[rest.position:]))

    def at(self, position):
        return Repeats(self.block, self.entries, position)

    def find(self, node):
        """The position of the entry that this node is, or None."""
        from lantern.staging.node_effects import has_effect
        for position in range(self.position, len(self.entries)):
            _, other = self.entries[position]
            if self._is_same(node, other):
                return position
            if _has_block(other) or has_effect(other):
                return None
        return None

    def check_effect(self, node):
        """An error where something with an effect would be emitted in front of what has been emitted before."""
        from lantern.staging.node_effects import has_effect
        if has_effect(node) and self.is_behind(0):
            raise lost()

    def left(self):
        return len(self.entries) - self.position

    def is_behind(self, rest):
        """Whether something with an effect is left that the run has to come to. rest: how many at the end are those of a statement around."""
        from lantern.staging.node_effects import has_effect
        return any(has_effect(node) for _, node in self.entries[self.position:len(self.entries) - rest])

    def _is_same(self, node, other):
        """Whether two nodes are the same, but for what is within the blocks in them."""
        if node is other:
            return True
        if type(node) is not type(other):
            return False
        if type(node) is tuple:
            return len(node) == len(other) and all(map(self._is_same, node, other))
        if type(node) is Staged:      # a loop's variable
            return all(outer is not node.block and outer is not other.block for outer in self.block.chain())
        return has_parts(type(node)) or node == other


def _has_block(node):
    from lantern.staging.program import nodes_of
    return any(has_parts(type(each)) for each in nodes_of(node))


def as_emitted(node):
    """A node of what its operands are in the program."""
    if type(node) is tuple:
        return tuple(map(as_emitted, node))
    return node.binding if type(node) is Staged else node
