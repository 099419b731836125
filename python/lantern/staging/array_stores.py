"""`a[i] = v` and `a += v` of arrays: in NumPy they change memory; in the program the variable `a` gets a new array.

What else may share the memory is not read as it was (memories.py). What `a += v` stores has the shape and the dtype of `a`.
"""
from __future__ import annotations


from lantern import dtypes, items, ops, types
from lantern.dispatch import dispatch
from lantern.init import LARGEST, LARGEST_TABLE
from lantern.lazy_numpy import np
from lantern.records import Record
from lantern.staging import attributes, displays, held_arrays
from lantern.staging.constants import has_elements, node_of_array
from lantern.staging.errors import Restart, StagingError
from lantern.staging.values import Staged
from lantern.staging.views import is_boxed


def is_array(value):
    """Whether a value is a staged array that can be changed: one of rank 0 is a number."""
    return isinstance(value, Staged) and isinstance(value.type, types.TensorType) and bool(value.type.dims)


class Part(Record):
    """A view of an array, at whole numbers, of which an item is read or set. home: the object and the name of the attribute that the array is."""
    array: Staged | np.ndarray
    key: tuple
    home: tuple | None = None

    def joined(self, key):
        return (*self.key, *_parts(key))


def part(target, key):
    """`target[key]` of an array, or of a part of one, as a part; None where it is no view, or of slices."""
    target = target if type(target) is Part else Part(target, ())
    if not _is_of_numbers(target.array) or not all(map(_is_number, _parts(key))):
        return None
    joined = target.joined(key)
    return Part(target.array, joined, target.home) if len(joined) < items.rank(target.array) else None


def attribute_part(target, name, value):
    """The array that an object's own attribute is, as a part; None where it is none."""
    return Part(value, (), (target, name)) if _is_of_numbers(value) and attributes.is_own(target, name) else None


def _is_of_numbers(value):
    return is_array(value) or isinstance(value, np.ndarray) and value.dtype != object


def _parts(key):
    return key if isinstance(key, tuple) else (key,)


def _is_number(part):
    if isinstance(part, Staged):
        return part.type in (types.i64, types.i32)
    return hasattr(type(part), "__index__") and not isinstance(part, (bool, np.bool_, np.ndarray))


def set_item(trace, target, key, value):
    """`target[key] = value`: the new value of the variable."""
    what = f"an item of {held_arrays.spoken(trace, target)} is set"
    if is_boxed(target):
        trace.views.set_item(target, key, value, what)
        return target
    return written(trace, target, value, items.set_(target, key, value), what)


def in_place(trace, symbol, target, value, operation):
    """`target op= value`: the new value of the variable. operation: `target op value`."""
    what, result = f"{held_arrays.spoken(trace, target)} is changed by {symbol}=", stored(symbol, target, value, operation)
    if is_boxed(target):
        trace.views.replace(target, result, what)
        return target
    return written(trace, target, value, result, what)


def written(trace, target, value, result, what):
    if held_arrays.stands(trace, target):
        return held_arrays.replace(trace, target, result.copied() if result is value or result is target else result, what)
    attributes.go_over_places(target)
    trace.memories.write(target, what)
    if result is value or result is target:     # all of it: what it holds then is its own
        result = result.copied()
    if result.hint is None:
        result.hint = target.hint
    if result.part_of is not None and target.part_of is not None:
        result.part_of.root.contiguous = target.part_of.is_contiguous()
    return result


def stored(symbol, target, value, operation):
    """What NumPy puts into the memory of `target`."""
    if symbol != "@":
        if items.rank(value) > items.rank(target):
            raise ValueError(f"an array of {items.rank(value)} axes is put into one of {items.rank(target)} by {symbol}=")
        items.check_fits(value, target)
    result = operation()
    if symbol == "@" and result.type != target.type:
        raise StagingError("LT0310", f"{target.shown()}, of type {types.annotation(target.type)}, is changed by @= to {types.annotation(result.type)}", None,
                           "write a = a @ b, which makes a new array")
    if result.type.dtype == target.type.dtype:
        return result
    own, given = map(types.numpy_dtype, (target.type.dtype, result.type.dtype))
    if not np.can_cast(given, own, "same_kind"):
        raise TypeError(f"{symbol}= gives {given}, which an array of {own} does not take")
    return ops.cast(result, target.type.dtype)


def add_at(trace, ufunc, target, indices, value):
    """`np.add.at(target, indices, value)`: no name is bound again, so that the array is held in a box."""
    what = f"{target.shown()} is changed by np.{ufunc.__name__}.at"
    error = StagingError("LT0317", f"{what}, and it may be another array of the program as well", trace.place(),
                         "write x = lt.scatter_add(x, indices, values)")
    if not trace.views.is_known(target):
        trace.views.set_within(target.part_of, error)
    if not is_boxed(target):
        trace.views.hold([target.part_of.root], error)
        trace.memories.write(target, what)
        raise error
    added = items.add_at(target, indices, dispatch("neg", (value,)) if ufunc is np.subtract else value)
    trace.views.replace(target, added, what)


class NumpysArrays:
    """The arrays that calls of NumPy's, and operators, have given while the program is staged. They stay NumPy's, unless what is stored in one is known
    only when the program runs, or it is stored where a staged condition or loop decides, or one is read that is too large to stand in the program
    as it is: then the function is traced again, and the call gives a staged array.

    a = np.zeros(3)     # staged, because of
    a[i] = x            # this
    """

    def __init__(self, trace):
        self._trace = trace
        self._made = {}         # id → (array, place of the call, the define that was being traced)
        self._staged = set()    # the places of calls that give staged arrays
        self._too_large = {}    # of those that cannot → why

    def made(self, function, array, at):
        """What a call has just given: `array`, or a staged one of its elements."""
        trace = self._trace
        if trace.frame is None or not array.ndim or array.base is not None or dtypes.name_of_numpys(array.dtype) is None:
            return array
        place = trace.place(at)
        if place in self._staged:
            known = np.zeros_like(array) if function in (np.empty, np.empty_like) else array    # of no value yet
            try:
                made = trace.bind(node_of_array(known, place), types.type_of(known))
            except StagingError as error:
                self._staged.remove(place)
                self._too_large[place] = error
            else:
                made.part_of.root.contiguous = array.flags.c_contiguous
                return made
        self._made[id(array)] = array, place, trace.frame.specialisation
        return array

    def node(self, value, place):
        """A known array, or number of NumPy's, where it is read."""
        is_made_here = isinstance(value, np.ndarray) and id(value if value.base is None else value.base) in self._made
        try:
            node = node_of_array(np.asarray(value), place, LARGEST if is_made_here else LARGEST_TABLE)
            name = displays.name_of_known(value) if np.size(value) > displays.FEW and has_elements(node) else None
            return node if name is None else self._trace.bind(node, types.type_of(value), name, pure=True)
        except StagingError:
            if isinstance(value, np.ndarray):
                self.become_staged(value)     # it is smaller as what the call gave that made it
            raise

    def become_staged(self, array):
        """The call that gave `array` shall give a staged one. Where a call has, the trace begins again; else nothing happens."""
        _, place, made = self._made.get(id(array if array.base is None else array.base), (None, None, None))
        if made is not None and made in self._trace.specialisations.stack and place not in self._too_large:
            self._staged.add(place)
            raise Restart(made)

    def changed(self, array, at):
        """Something staged is stored in `array`."""
        self.become_staged(array)
        _, place, _ = self._made.get(id(array if array.base is None else array.base), (None, None, None))
        if place in self._too_large:
            raise self._too_large[place]
        raise StagingError("LT0310", "a NumPy array, known while the program is staged, is to hold what is known only when the program runs",
                           self._trace.place(at), "go on with a staged copy: a = lt.constant(a).copy()")
