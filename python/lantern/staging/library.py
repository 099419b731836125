"""Python's built-in functions on staged sequences: what `definitions` says, converted, and traced where the call stands."""
from __future__ import annotations

from lantern import types
from lantern.staging import definitions, instances, none_in_lists, number_definitions, sequence_definitions
from lantern.staging.conditions import as_condition
from lantern.staging.errors import StagingError
from lantern.staging.text import Symbol
from lantern.staging.values import Staged


def define(function):
    """The function of `definitions`, to be called with the trace first: it runs as part of the code that calls it."""
    def run(trace, *arguments, **keywords):
        from lantern.staging.convert import converted
        at = trace.at
        try:
            return converted(function)(*arguments, **keywords)
        finally:
            trace.at = at
    return run


element = define(sequence_definitions.element)
often_or_never = define(sequence_definitions.often_or_never)
place_of = define(definitions.place_of)
index_of, is_not_in_list = define(definitions.index_of), define(definitions.is_not_in_list)
place_between = define(sequence_definitions.place_between)
count = define(definitions.count)
extend = define(definitions.extend)
set_strided, strided_places = define(sequence_definitions.set_strided), define(sequence_definitions.strided_places)
without_strided = define(sequence_definitions.without_strided)
copied_rows, copied_arrays = define(sequence_definitions.copied_rows), define(sequence_definitions.copied_arrays)
repeat = define(definitions.repeat)
repeat_one = define(definitions.repeat_one)
equal = define(definitions.equal)
contains = define(definitions.contains)
stacked = define(definitions.stacked)
check_lengths = define(definitions.check_lengths)
check_batch = define(definitions.check_batch)
place_of_item = define(definitions.place_of_item)
check_count = define(definitions.check_count)
check_least = define(definitions.check_least)
converted = define(definitions.copied)
shorter = define(definitions.shorter)
check_length = define(definitions.check_length)
ordered = define(definitions.ordered)
check_zip = define(definitions.check_zip)
total = define(definitions.total)
total_of_arrays = define(definitions.total_of_arrays)
any_ = define(definitions.any_)
all_ = define(definitions.all_)
better = define(definitions.better)
extreme = define(definitions.extreme)
extreme_by = define(definitions.extreme_by)
extreme_of_known = define(definitions.extreme_of_known)
filtered = define(definitions.filtered)
next_ = define(definitions.next_)
next_or = define(definitions.next_or)
first = define(definitions.first)
first_or = define(definitions.first_or)
joined = define(definitions.joined)
run_together = define(definitions.run_together)
text_of_list = define(definitions.text_of_list)
text_of_array = define(definitions.text_of_array)
rounded = define(definitions.rounded)
check_fits = define(definitions.check_fits)
place_of_member = define(definitions.place_of_member)
check_mask = define(definitions.check_mask)
check_counted = define(definitions.check_counted)
check_indices = define(definitions.check_indices)
check_parts = define(definitions.check_parts)
check_squeezed = define(definitions.check_squeezed)
check_not_empty = define(definitions.check_not_empty)
check_rate = define(definitions.check_rate)
check_rows = define(definitions.check_rows)
rows = define(definitions.rows)
column = define(definitions.column)
reduced = define(definitions.reduced)
reduced_from_first = define(definitions.reduced_from_first)
accumulated = define(definitions.accumulated)
of_either = define(definitions.of_either)
at_least_none = define(definitions.at_least_none)
repeated_text = define(definitions.repeated_text)
check_bound = define(definitions.check_bound)
flattened = define(definitions.flattened)
pairs = define(definitions.pairs)
product = define(number_definitions.product)
power_modulo = define(number_definitions.power_modulo)
rounded_to = define(number_definitions.rounded_to)
is_integer = define(number_definitions.is_integer)
bit_length = define(number_definitions.bit_length)
mapped = define(definitions.mapped)
taken_while = define(sequence_definitions.taken_while)
dropped_while = define(sequence_definitions.dropped_while)
filtered_false = define(sequence_definitions.filtered_false)
present = define(sequence_definitions.present)
compressed = define(sequence_definitions.compressed)
larger = define(sequence_definitions.larger)
without_order = define(definitions.without_order)
or_fill = define(sequence_definitions.or_fill)
check_order = define(sequence_definitions.check_order)
ranks, check_ranks = define(sequence_definitions.ranks), define(sequence_definitions.check_ranks)
for_each = define(sequence_definitions.for_each)
place_in_sequence = define(sequence_definitions.place_in_sequence)
concatenated = define(sequence_definitions.concatenated)
_in_order = define(definitions.in_order)


def sorted_(trace, values, key=None, reverse=False):
    """`sorted(values, key=key, reverse=reverse)` of a staged list: a new list."""
    if isinstance(reverse, Staged):
        reverse = as_condition(trace, reverse)
    keys = values
    key = instances.sorting_key(trace.type_of(values)) if key is None else key
    if key is not None:
        keys = trace.lists.become_staged(mapped(trace, values, key, trace.lists.new([])))
    reverse = reverse if isinstance(reverse, Staged) else bool(reverse)
    order = None
    for column in reversed(_columns(trace, keys)):      # the last decides last: each sort leaves what it finds equal as it stands
        found = trace.emit("argsort", (column if order is None else _picked(trace, column, order), reverse))
        order = found if order is None else _picked(trace, order, found)
    return _in_order(trace, values, order, trace.lists.new([]))


def shuffled(trace, values):
    """`lt.shuffle(values)` of what has a length and elements: a new list."""
    from lantern.staging.builtins_sequences import list_
    values = trace.lists.become_staged(list_(trace, values))
    return _in_order(trace, values, trace.emit("permutation", (trace.emit("length", (values,)),)), trace.lists.new([]))


def _columns(trace, keys):
    """The lists of numbers or strings that a list of keys is ordered by: of tuples, one for each of their parts."""
    from lantern.staging import own_orders
    element = keys.type.element
    if none_in_lists.is_type(element):
        return _columns(trace, none_in_lists.present(trace, keys, none_in_lists.has_no_order(element)))
    if none_in_lists.is_in(keys.type):
        raise StagingError("LT0310", f"an order of {types.annotation(element)}: None has no place in it", trace.place(),
                           "give sorted() or sort() a key that says where None belongs, key=lambda x: …")
    if isinstance(element, types.Tuple) and element.elements:
        compared = range(len(element.elements)) if element.of is None else instances.ordered_by(element.of)
        if compared is None and own_orders.comparison(element.of) is not None:
            own_orders.check(trace, keys)
            found = ranks(trace, keys)
            check_ranks(trace, keys, found)
            return [trace.lists.become_staged(found)]
        if compared is None:
            raise StagingError("LT0310", f"an order of {types.annotation(element)} that is not that of its fields", trace.place(),
                               "give sorted() or sort() a key, key=lambda x: …, of numbers, strings, and tuples of them")
        compared = list(compared)
        if (first := next((element.elements[number] for number in compared[:-1] if own_orders.is_by_users(element.elements[number])), None)) is not None:
            raise StagingError("LT0310", f"an order of {types.annotation(element)}, in which others stand behind a {types.annotation(first)}, that has a '<' of its own: where neither "
                               "of two is less, Python asks whether they are equal", trace.place(), "let it stand last, or put what its '<' compares in its place: key=lambda x: …")
        whole = trace.resolve(keys)
        parts = [trace.bind((Symbol("get"), whole, number), types.List(element.elements[number]), pure=True) for number in compared]
        return [each for part in parts for each in _columns(trace, part)]
    if isinstance(element, types.List):
        if any(str(leaf) in ("f32", "f64") for leaf in types.within(element)):
            check_order(trace, keys)
        return [trace.lists.become_staged(ranks(trace, keys))]
    if element is not None and not isinstance(element, (types.Scalar, types.Unknown)) and getattr(element, "dims", True):
        raise StagingError("LT0310", f"an order of {types.annotation(element)}: numbers, strings, and tuples and lists of them have one", trace.place(),
                           "give sorted() or sort() a key, of such: key=lambda x: …; of tuples in which an array stands, key=lambda x: x[:2]")
    return [keys]


def _picked(trace, values, order):
    return trace.lists.become_staged(_in_order(trace, values, order, trace.lists.new([])))
