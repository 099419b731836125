"""Operators of converted Python: stores to attributes, items and names, which must not escape a trace.

Python evaluates what is stored before the object and the key that it is stored at; so the value is the first operand.
"""
from __future__ import annotations

import dis
import operator
import sys

from lantern import dispatch, types
from lantern.lazy_numpy import np
from lantern.operators_expressions import _BINARY, binary, getattr_, getitem, is_staged_key
from lantern.staging import array_stores, attributes, chosen_functions, chosen_keys, elementwise, families, held_arrays, list_methods, numbered_classes, perhaps_arrays, perhaps_none, plain_code, special_methods, tables
from lantern.staging.debugging import codes_within
from lantern.staging.effects import instead_of
from lantern.staging.convert import mark
from lantern.staging.errors import StagingError, place_of_instruction
from lantern.staging.perhaps_none import PerhapsNone
from lantern.staging.trace import active
from lantern.staging.values import Staged

_INPLACE = {"+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv, "//": operator.ifloordiv,
            "%": operator.imod, "**": operator.ipow, "@": operator.imatmul, "<<": operator.ilshift, ">>": operator.irshift,
            "&": operator.iand, "|": operator.ior, "^": operator.ixor}


def setattr_(value, target, name, at=None):
    trace = None if dispatch.tracing is None else active()
    if trace is not None and trace.frame is not None:
        trace.at = at
        if type(target) is PerhapsNone:
            target, = perhaps_none.operands(trace, lambda target: setattr(target, name, None), (target,), at)
        perhaps_arrays.refuse((value, target), at)
        chosen_functions.refuse((target,))
        if isinstance(target, Staged) and target.type is None and (trace.lessons.are_new or trace.empties.is_open()):
            return      # in a trace that is no program
        if isinstance(target, Staged):
            raise StagingError("LT0303", f"field '{name}' of {target.shown()} is set: structures are immutable in staged code",
                               trace.place(at), "make a new structure with the changed field")
        if families.is_mixed(target):
            families.store(trace, target, name, value, at)
            return
        if target is None:
            setattr(target, name, value)        # is Python's error, which a later turn of a loop may not have
        trace.unchanged.check_change(target, f"its '{name}' is set", at)
        setter = attributes.setter(trace, target, name)
        if setter is not None:
            setter(value)
            return
        if numbered_classes.is_numbered(target):
            trace.ages.young(value)
            trace.numbered.store(target, name, value, at)
            return
        box = trace.lists.boxes.box_of(target, name)
        if box is not None:
            trace.lists.boxes.set(box, name, value, at)
            return
        held = getattr(target, "__dict__", {}).get(name)
        hint = f"it is an lt.{type(held).__name__}, whose value is changed by its method, {name}.assign(…)" if dispatch.is_global(held) else None
        trace.ages.check_change(target, f"attribute '{name}' of a {type(target).__name__}", at, f".{name}", hint)
        if trace.under_condition():
            attributes.note_of_class(trace, target, name)
        trace.ages.young(value)
        if type(value) in (list, dict):
            trace.lists.named(name, value, trace.place(at))
        elif isinstance(value, tables.Table):
            value.called(name, trace.place(at))
        if trace.ages.is_made_here(target):
            value = trace.lists.boxes.boxed(target, name, value)
    setattr(target, name, value)


def delattr_(target, name, at=None):
    trace = None if dispatch.tracing is None else active()
    if trace is not None and trace.frame is not None:
        trace.at = at
        if isinstance(target, Staged):
            raise StagingError("LT0303", f"field '{name}' of {target.shown()} is deleted: structures are immutable in staged code",
                               trace.place(at))
        if numbered_classes.is_numbered(target):
            trace.numbered.refuse(target, f"its '{name}' is deleted", "set it to None")
        trace.unchanged.check_change(target, f"its '{name}' is deleted", at)
        trace.ages.check_change(target, f"attribute '{name}' of a {type(target).__name__}", at)
    delattr(target, name)


def setitem(value, target, key, at=None):
    """`a[i] = v` of a local name: the new value of `a`."""
    if dispatch.tracing is None:
        target[key] = value
        return target
    if value is _STANDS:
        return target
    trace = active()
    target, key, value = _present(trace, target, key, value, at)
    if trace is not None and isinstance(target, Staged):
        trace.at = at
        return _written(trace, target, key, value, at)
    store_item(value, target, key, at)
    return target


def _present(trace, target, key, value, at):
    """What an item is set of, where, and to what: none of them may be None, but what a list or a dict gets."""
    if type(target) is PerhapsNone or type(key) is PerhapsNone:
        target, key = perhaps_none.operands(trace, lambda target, key: operator.setitem(target, key, 1), (target, key), at)
    if type(target) not in (list, dict):
        perhaps_arrays.refuse((target, key, value), at)
    if type(value) is PerhapsNone:
        value = trace.narrowed(value)
        if type(value) is PerhapsNone and type(target) not in (list, dict) and not isinstance(target, tables.Table) and not isinstance(getattr(target, "type", None), types.List):
            raise value.error("an item is set to it", trace.place(at))
    return target, key, value


def part(target, key, at=None):
    """`a[i]` where an item of it is set, `a[i][j] = v`: of an array, where that is."""
    if dispatch.tracing is not None:
        view = array_stores.part(target, key)
        if view is not None:
            return view
    return item_within(target, key, at)


def attribute_part(target, name, at=None):
    """`o.a` where an item of it is set, `o.a[i] = v`."""
    value = getattr_(target, name, at)
    return (None if dispatch.tracing is None else array_stores.attribute_part(target, name, value)) or value


def item_within(target, key, at=None):
    """What stands at `key` of a part."""
    if type(target) is array_stores.Part:
        return getitem(target.array, target.joined(key), at)
    return getitem(target, key, at)


def setitem_within(value, target, key, whole, at=None):
    """`a[i][j] = v` of a local name, `target` being `a[i]`: the new value of `a`."""
    if type(target) is not array_stores.Part:
        store_item(value, target, key, at)
        return whole
    changed = setitem(value, target.array, target.joined(key), at)
    if target.home is not None and changed is not target.array:
        setattr_(changed, *target.home, at)
    return changed


def _written(trace, target, key, value, at):
    if isinstance(target.type, types.List):
        store_item(value, target, key, at)
        return target
    if array_stores.is_array(target):
        return array_stores.set_item(trace, target, key, value)
    raise StagingError("LT0310", f"an item of {target.shown()}, of type {types.annotation(target.type)}, is set, and it has none",
                       trace.place(at), "arrays and lists have items")


def store_item(value, target, key, at=None):
    """`x[i] = v` where x is no local name: a Python object is changed."""
    if value is _STANDS:
        return
    if type(target) is array_stores.Part:
        if target.home is not None:
            setitem_within(value, target, key, None, at)
            return
        target, key = target.array, target.joined(key)
    trace = None if dispatch.tracing is None else active()
    chosen_functions.refuse((target,))
    target, key, value = _present(trace, target, key, value, at)
    if trace is not None and trace.frame is not None:
        trace.at = at
        if special_methods.item(trace, "__setitem__", target, key, value) is not special_methods.NONE:
            return
        trace.ages.young(value)
        if not isinstance(key, slice):
            trace.lists.check_held(target, value)
        if isinstance(target, Staged) and isinstance(target.type, types.List):
            attributes.list_method(target, "an item", lambda own: list_methods.setitem(trace, own, key, value, at))
            return
        if array_stores.is_array(target) and trace.views.is_known(target):
            array_stores.set_item(trace, target, key, value)    # whoever has that memory sees it, or is not read any more
            return
        if isinstance(target, Staged):
            trace.views.set_within(target.part_of, StagingError(
                "LT0303", f"an item of {target.shown()} is set, but it is not a local variable, which could be bound again", trace.place(at),
                "return the new value, or make the array in the function that changes it: a = a.copy()"))
        if isinstance(target, np.ndarray) and (isinstance(value, Staged) or is_staged_key(key)):
            trace.numpys.changed(target, at)
        if type(target) is list and trace.lists.is_own(target):
            list_methods.setitem(trace, target, key, value, at)
            return
        if isinstance(key, Staged) or isinstance(target, dict) and tables.is_staged_key(key):
            if type(target) is list:    # of a function around, if it is a list of the program's
                trace.ages.check_change(target, "an item of a list", at)
            if chosen_keys.may_choose(trace, target, key) and trace.lists.is_own(target) and chosen_keys.adds_none(trace, target, key, at):
                trace.lists.check_change(target, at)
                trace.lists.change(target, chosen_keys.changed(target, key, value, at))
                return
            hint = "make it in the function that is compiled: memo = {}" if trace.ages.is_old(target) else "keep a dict for each type"
            trace.lists.remade.take(StagingError(
                "LT0310", f"an item of a Python {type(target).__name__} is set at {tables.shown(key)}, which is known only when the program runs", trace.place(at),
                hint if isinstance(target, dict) else "use an array"), target, key)
            return
        if type(target) is dict and trace.lists.is_own(target):
            trace.lists.check_change(target, at)
            trace.lists.change(target, {**target, key: value})
            return
        trace.ages.check_change(target, f"an item of a {type(target).__name__}", at, f"[{key!r}]", instead_of(target))
        if trace.lists.remade.is_unsettled(target):
            return
        trace.memories.changed_by_python(target)
    target[key] = value


def delitem_(target, key, at=None):
    trace = None if dispatch.tracing is None else active()
    if trace is not None and trace.frame is not None:
        trace.at = at
        if type(target) is PerhapsNone or type(key) is PerhapsNone:
            target, key = perhaps_none.operands(trace, operator.delitem, (target, key), at)
        perhaps_arrays.refuse((target, key), at)
        if special_methods.item(trace, "__delitem__", target, key) is not special_methods.NONE:
            return
        if type(target) is list and trace.lists.is_own(target):
            list_methods.delitem(trace, target, key, at)
            return
        if isinstance(target, Staged) and isinstance(target.type, types.List):
            attributes.list_method(target, "an item", lambda own: list_methods.delitem(trace, own, key, at))
            return
        trace.lists.remade.check_known(target, (key,), at)
        if trace.lists.remade.is_unsettled(target):
            return
        if isinstance(target, Staged) or isinstance(key, Staged):
            if type(target) is list:    # of a function around, if it is a list of the program's
                trace.ages.check_change(target, "an item of a list", at)
            raise StagingError("LT0310", "an item of a staged value is deleted", trace.place(at))
        if type(target) is dict and trace.lists.is_own(target):
            trace.lists.check_change(target, at)
            trace.lists.change(target, {other: value for other, value in target.items() if other != key} if key in target else {}[key])
            return
        trace.ages.check_change(target, f"an item of a {type(target).__name__}", at)
        if trace.lists.remade.is_unsettled(target):
            return
    del target[key]


def inplace(symbol, target, value, at=None):
    """`x += v` of a name."""
    if dispatch.tracing is None:
        return _INPLACE[symbol](target, value)
    trace = active()
    if type(target) is PerhapsNone or type(value) is PerhapsNone:
        target, value = perhaps_none.operands(trace, _INPLACE[symbol], (target, value), at)
    if perhaps_arrays.is_among((target, value)):
        return elementwise.in_place(trace, symbol, _BINARY[symbol], target, value, at, lambda a, b: inplace(symbol, a, b, at),
                                    lambda a, b: binary(symbol, a, b, at))
    if chosen_functions.ChosenFunction in (type(target), type(value)):
        if (result := chosen_functions.by_operator(lambda target, value: inplace(symbol, target, value, at), (target, value), at)) is not NotImplemented:
            return result
    if trace is not None:
        if trace.frame is not None:
            trace.at = at
            trace.lists.remade.check_known(target, (value,) if isinstance(value, tables.Table) else (), at)
            result = special_methods.inplace(trace, symbol, target, value)
            if result is not special_methods.NONE:
                return result
        if type(target) is list and symbol in ("+", "*") and trace.frame is not None:
            trace.at = at
            trace.lists.check_change(target, at)
            if symbol == "+":
                list_methods.extend(trace, target, value)
            else:
                trace.lists.change(target, trace.lists.contents(list_methods.repeated(trace, target, value)))
            return target
        if array_stores.is_array(target):
            trace.at = at
            return array_stores.in_place(trace, symbol, target, value, lambda: binary(symbol, target, value, at))
        if isinstance(target, np.ndarray) and target.ndim and (isinstance(value, Staged) or dispatch.is_global(value)):
            trace.numpys.changed(target, at)
        if isinstance(target, Staged) and isinstance(target.type, types.List) and symbol in ("+", "*"):
            trace.at = at
            return attributes.change_list(target, f"{symbol}=", lambda own: inplace(symbol, own, value, at))
        if isinstance(target, Staged) or isinstance(value, Staged) or dispatch.is_global(value):
            return binary(symbol, target, value, at)
        if (isinstance(target, (list, dict, set)) or isinstance(target, np.ndarray) and target.ndim) and trace.frame is not None:
            trace.at = at
            trace.ages.check_change(target, f"a {type(target).__name__}", at, hint=instead_of(target))
            trace.lists.changed_by_python(target, at)
        trace.memories.changed_by_python(target)
    return _INPLACE[symbol](target, value)


def inplace_item(symbol, container, item, value, at=None):
    """What `container[…] += value` stores, where `item` is what stands there: storing it is what changes an array."""
    container = container.array if type(container) is array_stores.Part else container
    perhaps_arrays.refuse((container, item, value), at)
    if dispatch.tracing is not None and array_stores.is_array(container):
        trace = active()
        trace.at = at
        operation = lambda: binary(symbol, item, value, at)     # noqa: E731
        return array_stores.stored(symbol, item, value, operation) if array_stores.is_array(item) else operation()
    if dispatch.tracing is not None and isinstance(container, np.ndarray) and array_stores.is_array(item):
        active().numpys.changed(container, at)      # part of it, at a staged place
    if dispatch.tracing is not None and type(container) is list and array_stores.is_array(item) and held_arrays.stands(active(), item) \
            and item.stands_in.list is container:
        trace = active()
        trace.at = at
        result = array_stores.stored(symbol, item, value, lambda: binary(symbol, item, value, at))
        held_arrays.write(trace, item, f"an element of {trace.lists.shown(container)} is changed by {symbol}=")
        return result.copied() if result is value else result
    if isinstance(item, Staged) and isinstance(item.type, types.List) and item.element_of is not None and item.element_of[2] is not None and symbol in ("+", "*"):
        lists, list_ = active().lists, item.element_of[0]
        lists.shared.change(list_)
        result = binary(symbol, item, value, at)      # and storing it is what changes the list
        active().memories.change_contents(item, f"an element of {lists.shown(list_)} is changed")
        lists.renew(list_)
        return result
    result = inplace(symbol, item, value, at)
    if (trace := active()) is not None:      # else another thread's, if any
        trace.item_updated_at = at
    is_there = dispatch.tracing is not None and hasattr(type(item), "__lantern_class__") and isinstance(container, (list, tables.Table, Staged)) \
        and type(result) is type(item) and all(map(operator.is_, vars(result).values(), vars(item).values()))
    return _STANDS if is_there else result


_STANDS = object()      # a deque, dict or set of the program that has changed where it stands


def stored_global(name, at=None):
    """After a store to a global name, by an assignment or by what a statement's branches assign."""
    trace = None if dispatch.tracing is None else active()
    if trace is None or trace.frame is None:
        return
    trace.at = at
    caller = sys._getframe(1)
    if any(statement.frame is trace.frame and statement.holds((caller.f_globals, name)) for statement in trace.statements):
        return
    _restore(trace.frame, caller.f_globals, name)
    raise StagingError("LT0305", f"the global variable '{name}' is set while the program is staged: the change would not be part of the program",
                       _place_of_store(caller.f_code, name) or trace.place(at), "return the new value, or use lt.Variable for state")


def stored_nonlocal(name, load, at=None):
    """The same of a variable of a function around, which `load` reads."""
    trace = None if dispatch.tracing is None else active()
    if trace is not None and trace.frame is not None:
        trace.at = at
        trace.closures.stored(load.__closure__[0], name, _place_of_store(sys._getframe(1).f_code, name) or trace.place(at))


def converted(function):
    """`@ag__.converted`: a function of the user's, converted, that converted code makes."""
    trace = None if dispatch.tracing is None else active()
    if trace is not None and trace.frame is not None:
        trace.closures.made(function)
        trace.ages.held_as_defaults(function)
    return mark(function)


def class_made(cls):
    """A class that the user's function has just made."""
    trace = None if dispatch.tracing is None else active()
    if trace is not None and trace.frame is not None:
        plain_code.note_class_body(trace, cls)
        trace.ages.made_class(cls)
    return cls


def _place_of_store(code, name):
    """Where converted code first assigns to a variable of a scope outside; what sets the state of statements does not count."""
    places = []
    for each in codes_within(code):
        starts, line = dict(dis.findlinestarts(each)), each.co_firstlineno
        for instruction in dis.get_instructions(each) if "state__" not in each.co_varnames else ():
            line = starts.get(instruction.offset) or line
            if instruction.opname in ("STORE_DEREF", "STORE_GLOBAL") and instruction.argval == name:
                places.append(place_of_instruction(each, instruction.offset, line))
    return min(places, key=lambda place: (place.line, place.column), default=None)


def _restore(frame, names, name):
    while frame is not None and not frame.reads.restore(names, name):
        frame = frame.outer
