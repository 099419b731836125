"""What converted Python calls (`import lantern.operators as ag__`).

Each operator looks at its operands while the program runs: plain Python values have exactly Python's meaning, a staged value
emits code. `at` is always the (line, column) of the original source, from 1.
"""
from __future__ import annotations

from lantern.operators_comparisons import compare, compare_chain, in_, is_, is_not, not_in  # noqa: F401
from lantern.operators_comprehensions import dict_of, generator, generator_function, iter_, list_of, plain, set_of, stopped, take, taken, test_, yield_from  # noqa: F401
from lantern.operators_control import (all_true, and_, any_true, assert_, for_stmt, if_exp, if_stmt, ld,  # noqa: F401
                                       not_, or_, while_stmt)
from lantern.operators_displays import dict_display, set_display  # noqa: F401
from lantern.operators_exceptions import BaseException, caught, guarded, kinds, managed, raise_, raise_from, reraise, try_stmt  # noqa: A004, F401
from lantern.operators_expressions import (bind, binary, callee, converted_lambda, declared, field, fstring, getattr_,  # noqa: F401
                                           getitem, method, unary)
from lantern.operators_match import captured, is_case, match_  # noqa: F401
from lantern.operators_sequences import gathered, spread, spread_mapping, unpack, unpack_starred  # noqa: F401
from lantern.operators_state import held, ldu, nothing, own, owner  # noqa: F401
from lantern.operators_stores import (attribute_part, class_made, converted, delattr_, delitem_, inplace, inplace_item, item_within, part,  # noqa: F401
                                      setattr_, setitem, setitem_within, store_item, stored_global, stored_nonlocal)
from lantern.staging.values import Undefined, UndefinedReturnValue  # noqa: F401
