"""Arrays that are written to by another name, or through a view: `row = a[i]; row += 1.0`.

An array of the program never changes (memories.py): what is written gives its own variable a new array, and whatever else may have that memory
is not read any more. Where a name that is read has been left behind so, by a write to what is known to be a part of the same array, or the same one,
the function is traced again, and the array is held in a list of one element, a *box*, from where it comes to be:

    a = np.zeros((3, 4))        box = [zeros]
    row = a[i]                  row is `a[i]`, as long as nothing has changed
    row += 1.0                  box[0] = box[0] with its row i set to that row + 1.0
    return a                    box[0]

All of its names then stay the Staged values that they are, and stand for what the box holds when they are read: themselves, or a part that
is taken again. Branches and loops carry what lists hold (changes.py), so that they carry this; and so do calls of a function within that
calls itself and sets items of the array, a table of what it has found (carried.py). What only may be such a part (what comes out of a branch,
a loop or a call) is none: it goes by its memory, as before.
"""
from __future__ import annotations

from lantern import items, ops, rearranging, types
from lantern.dispatch import dispatch
from lantern.lazy_numpy import np
from lantern.staging.errors import NeedsInlining, Restart
from lantern.staging.values import Staged


class Root:
    """An array that has come to be. key: what it is known by when the function is traced again. order: when it was made. contiguous: whether NumPy
    has its elements one behind the other, so that it can be reshaped in place. box: the list that holds what it is, if one does. array: what stands for
    it then. family: it, and the roots of what it may be, where it comes out of a branch or a loop. is_formal: whether a function is given it."""

    def __init__(self, key, frame, order, is_formal=False):
        self.key, self.frame, self.order, self.is_formal = key, frame, order, is_formal
        self.contiguous, self.box, self.array, self.family = False, None, None, frozenset((self,))


class View:
    """Which part of a root an array is: the steps that lead there; none, and it is the root. read: (what the box held, the part of that)."""

    def __init__(self, root, steps=(), read=None):
        self.root, self.steps, self.read = root, steps, read

    def with_step(self, step):
        """What a step leads to from here; a place in a place is one step."""
        last = self.steps[-1] if self.steps else None
        if isinstance(last, Item) and isinstance(step, Item) and all(map(_is_number, last.key)):
            return View(self.root, (*self.steps[:-1], Item((*last.key, *step.key))))
        return View(self.root, (*self.steps, step))

    def is_contiguous(self):
        return self.root.contiguous and all(step.is_contiguous() for step in self.steps)


class Item:
    """`whole[key]`, the key of numbers and slices."""

    def __init__(self, key):
        self.key = key

    def of(self, whole):
        return items.get(whole, self.key)

    def put(self, whole, part):
        return items.set_(whole, self.key, part)

    def is_contiguous(self):
        places = [part for part in self.key if not _is_number(part)]
        return not places or len(places) == 1 and places[0] is self.key[-1] and isinstance(places[0], slice) and places[0].step in (None, 1)


class Rearranged:
    """The axes in another order: `function(whole, *arguments)`, and what is the reverse of that."""

    def __init__(self, function, arguments, reverse):
        self.function, self.arguments, self.reverse = function, arguments, reverse

    def of(self, whole):
        return self.function(whole, *self.arguments)

    def put(self, _whole, part):
        return self.reverse(part)

    def is_contiguous(self):
        return False


class Reshaped:
    def __init__(self, function, arguments):
        self.function, self.arguments = function, arguments

    def of(self, whole):
        return self.function(whole, *self.arguments)

    def put(self, whole, part):
        return ops.reshape(part, *ops.shape(whole))

    def is_contiguous(self):
        return True


def is_boxed(value):
    return isinstance(value, Staged) and value.part_of is not None and value.part_of.root.box is not None


class Views:
    """Which arrays of a trace are held in boxes, and what their names stand for."""

    def __init__(self, trace):
        self._trace = trace
        self._boxed = set()     # keys of roots
        self._held = {}         # id of a box → the root of what is in it
        self._boxes = []        # those of arrays that have names

    # What a name stands for

    def begin(self, staged, key=None):
        """An array has come to be, and is no view that is known as one: `staged`, or what stands for it where it is held in a box."""
        trace = self._trace
        if trace.frame is None or not isinstance(staged.declared_type, types.TensorType) or not staged.declared_type.dims:
            return staged
        key = (staged.place, staged.hint) if key is None else key
        root = Root(key, trace.frame, trace.memories.now())
        if key not in self._boxed:
            staged.part_of = View(root)
            return staged
        twin = staged.named(staged.hint, staged.place, staged.memory)
        staged.memory, twin.part_of = trace.memories.fresh(), View(root)
        root.box, root.array = trace.lists.new([staged]), twin
        self._held[id(root.box)] = root
        return twin

    def given_to(self, frame, staged):
        """A function is given an array."""
        if isinstance(staged.declared_type, types.TensorType) and staged.declared_type.dims:
            staged.part_of = View(Root(None, frame, self._trace.memories.now(), True))

    def named(self, value, name):
        """The user has given an array its first name."""
        if not is_boxed(value):
            return
        value.binding.hint = value.binding.hint or name
        if not value.part_of.steps:
            self._trace.lists.named(name, value.part_of.root.box)
            self._boxes.append(value.part_of.root.box)

    def with_names(self, container, plan):
        """The plan of what a list holds behind a statement: what is in the box of an array has the array's name."""
        if any(container is box for box in self._boxes):
            for join in plan.joins():
                join.name = self._trace.lists.name_of(container)
        return plan

    def held_in(self, container):
        """The array that is held in a box; a list or dict that is none as it is."""
        root = self._held.get(id(container))
        return container if root is None else root.array

    def held(self, containers):
        """[(path, array)] of those among {path: list or dict} that are boxes."""
        return [(path, self._held[id(container)].array) for path, container in containers.items() if id(container) in self._held]

    def set_within(self, view, error):
        """An error: an array of a function around is changed. What a function that calls itself changes is held in a box, which its calls carry."""
        root, frame = view and view.root, self._trace.frame
        if frame.outer is not None:
            if root is not None and root.box is None:
                error.root_key = root.key
            raise NeedsInlining(frame.specialisation, error, root and root.box)
        raise error

    def may_learn(self, error):
        """Whether an error is not there any more once the array that it is of is held in a box, or, where it is one by now, from the first call on."""
        return getattr(error, "root_key", None) is not None

    def learn(self, error):
        """The same; from now on it is."""
        if not self.may_learn(error):
            return False
        self._boxed.add(error.root_key)
        return True

    def hold(self, roots, error):
        """A name of an array has been left behind by a write to another one: from now on the array is held in a box, if it is not yet. One that a
        function is given is its caller's, of which the function is to be a part."""
        for root in sorted(roots, key=lambda root: root.order):
            made = root.frame.specialisation
            if root.key is not None and root.key not in self._boxed and made in self._trace.specialisations.stack:
                self._boxed.add(root.key)
                raise Restart(made)
            if root.is_formal and root.frame is self._trace.frame and not made.fixed:
                raise NeedsInlining(made, error)

    def hold_whole(self, value):
        """Has an array be held in a box from now on, if it is known here where it comes to be, and not a view of it."""
        if self.is_known(value) and not value.part_of.steps and not value.part_of.root.is_formal:
            self.hold([value.part_of.root], None)

    def joined(self, value, values):
        """An array has come out of a branch or a loop, which is one of these."""
        if isinstance(value, Staged) and value.part_of is not None:
            views = [each.part_of for each in values if isinstance(each, Staged) and each.part_of is not None]
            value.part_of.root.family = value.part_of.root.family.union(*(view.root.family for view in views))
        return value

    def is_others(self, value):
        """Whether a value is held in a box of a function around, which is not carried here: each call passes what that holds then, and so there is no
        other name for it here."""
        return is_boxed(value) and not self.is_known(value)

    def is_known(self, value):
        """Whether it is known here which part of which array a value is."""
        root = value.part_of.root if isinstance(value, Staged) and value.part_of is not None else None
        return root is not None and (root.frame is self._trace.frame or self.is_carried(root))

    def is_carried(self, root):
        """Whether an array of a function around is held in a box that the calls of the function that is traced carry."""
        return root.box is not None and root.frame is not self._trace.frame and self._trace.lists.is_own(root.box)

    def now(self, value):
        """What a value is now: itself, unless it is held in a box."""
        if not is_boxed(value):
            return value
        return self.current(value) if self.is_known(value) else self._trace.resolve(value)

    def current(self, value):
        """The same of what is held in a box of this function's."""
        view, whole = value.part_of, self._trace.lists.raw(value.part_of.root.box)[0]
        if not view.steps:
            return whole
        if view.read is None or view.read[0] is not whole or not self._trace.is_there(view.read[1]):
            view.read = whole, self._part(view.steps, whole)
        return view.read[1]

    def snapshot(self, value):
        """What a value is now, in memory of its own."""
        if not isinstance(value, Staged):
            return value
        self._trace.memories.read(value)
        value = self.now(value)
        return value.named(value.hint, value.place, self._trace.memories.fresh())

    def apart(self, value):
        """What a value is now, which may share its memory, and nobody knows how."""
        if not is_boxed(value):
            other = value.named(value.hint, value.place, value.memory)
        else:
            self._trace.memories.read(value)
            now = self.now(value)
            other = now.named(value.hint, value.place, self._trace.memories.renewed(value))
        other.part_of = View(Root(None, self._trace.frame, self._trace.memories.now()))
        return other

    # Views

    def item(self, value, key, result):
        """`result` is `value[key]`."""
        key = key if isinstance(key, tuple) else (key,)
        is_part = all(part is Ellipsis or _is_number(part) or isinstance(part, slice) for part in key)
        if not self.is_known(value):
            if is_part and isinstance(value, Staged) and value.part_of is not None and isinstance(result, Staged) and result.part_of is not None:
                result.part_of = value.part_of.with_step(Item(key))     # of an array of a function around, which a write to it changes
            return result
        if not is_part:
            return self.given((value,), result)
        return self._member(value, Item(key), result)

    def element(self, value, place):
        """`value[place]`, which is in range."""
        return self.item(value, place, self._trace.emit("index", (value, place)))

    def of_row(self, value):
        """The view that a row of `value` is, of which a loop does not say which it is."""
        return View(value.part_of.root) if self.is_known(value) and value.part_of.root.box is None else None

    def called(self, name, function, operands, keywords, result):
        """`result` is what a function of NumPy's, or a method, has given."""
        if not isinstance(result, Staged) or result.part_of is None:
            return result
        from lantern.numpy_functions import new     # which imports NumPy
        value = operands[0] if operands else None
        if function is new.array and result is value:
            return result       # as in NumPy
        step = self._step(function, value, operands[1:]) if self.is_known(value) and not keywords else None
        if step is not None:
            return self._member(value, step, result)
        result = self.given((*operands, *keywords.values()), result)
        result.part_of.root.contiguous |= function in (new.zeros, new.ones, new.full) or name == "the array method copy"     # np.copy keeps the order
        return result

    def given(self, operands, result, function=None):
        """What a function of ours has given: an operand that comes back as it is would be a copy, or a view, in NumPy."""
        if function in _IN_ORDER and result.part_of is not None:
            result.part_of.root.contiguous = True
        if isinstance(result, Staged) and result.part_of is not None and any(result is operand for operand in operands):
            return self.apart(result)
        return result

    def _step(self, function, value, arguments):
        from lantern.numpy_functions import shapes
        if function is shapes.transpose:
            axes = arguments[0] if len(arguments) == 1 and isinstance(arguments[0], (tuple, list)) else arguments
            return Rearranged(function, arguments, (lambda part: rearranging.permute(part, list(map(int, np.argsort(axes))))) if axes else function)
        if function in (shapes.swapaxes, shapes.flip):
            return Rearranged(function, arguments, lambda part: function(part, *arguments))
        if function in (shapes.reshape, shapes.OF_METHODS["reshape"], shapes.ravel) and value.part_of.is_contiguous():
            return Reshaped(function, arguments)
        return None

    def _member(self, value, step, result):
        """`result` is what a step leads to from `value`."""
        if result is value or not isinstance(result, Staged) or result.memory is None or not isinstance(result.type, types.TensorType):
            return result
        view = value.part_of.with_step(step)
        if view.root.box is None:
            result.part_of = view
            return result
        now = self.now(result)
        view.read = self._trace.lists.raw(view.root.box)[0], now.named(None, now.place, self._trace.memories.fresh())
        twin = now.named(None, now.place, value.memory)
        twin.part_of = view
        return twin

    # Writing

    def set_item(self, target, key, value, what):
        """`target[key] = value` of what is held in a box."""
        key = key if isinstance(key, tuple) else (key,)
        value = self.snapshot(value)
        self._trace.memories.write(target, what, target.part_of.root)
        self._put(target.part_of.with_step(Item(key)), value)

    def replace(self, target, value, what):
        """All of `target` is set to a value of its shape and dtype."""
        value = self.snapshot(value)
        self._trace.memories.write(target, what, target.part_of.root)
        target.part_of.read = self._put(target.part_of, value), value

    def _put(self, view, value):
        root, lists = view.root, self._trace.lists
        whole = self._with(view.steps, lists.raw(root.box)[0], value)
        whole = whole.named(lists.raw(root.box)[0].hint, whole.place, self._trace.memories.fresh())
        if whole.binding.hint is None:
            whole.binding.hint = whole.hint
        lists.change_all([(root.box, [whole])])
        return whole

    def _part(self, steps, whole):
        for step in steps:
            whole = step.of(whole)
        return whole

    def _with(self, steps, whole, value):
        """`whole` with `value` in the place of what the steps lead to."""
        if not steps:
            return value
        first, *rest = steps
        return first.put(whole, self._with(rest, first.of(whole), value) if rest else value)


def _is_number(part):
    if isinstance(part, Staged):
        return part.type in (types.i64, types.i32)
    return hasattr(type(part), "__index__") and not isinstance(part, (bool, np.bool_, np.ndarray))


# What they give has its elements one behind the other.
_IN_ORDER = frozenset((ops.zeros, ops.ones, ops.full))
