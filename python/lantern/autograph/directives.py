"""`ag.set_element_type` and `ag.set_loop_options`: what staging cannot infer. Plain Python needs them for nothing but to stack an empty list."""
from __future__ import annotations

from lantern import types
from lantern.annotations import from_annotation
from lantern.dispatch import active_trace
from lantern.rearranging import declared_lists
from lantern.staging.errors import StagingError


def set_element_type(entity, dtype, shape=None):
    """Says what the elements of a list are: `ag.set_element_type(l, lt.f64)`, an annotation, or a dtype and the shape of arrays.

    A list that a staged loop grows needs it where it is empty and nothing that is appended says it.
    """
    trace = active_trace()
    element = types.TensorType(types.dtype_name(dtype), tuple(shape)) if shape is not None else from_annotation(dtype)
    if element is None:
        element = types.Scalar(types.dtype_name(dtype))
    if type(entity) is list:
        declared_lists.appendleft((entity, element))
    if trace is None or not hasattr(trace, "lists"):
        return
    if type(entity) is not list:
        raise StagingError("LT0310", f"set_element_type is about a list, not a {type(entity).__name__}", trace.place(),
                           "give it the list that grows")
    trace.lists.check_change(entity, trace.at)
    trace.lists.become_staged(entity, element)


def set_loop_options(maximum_iterations=None, shape_invariants=None, **_):
    """At the beginning of a loop's body. A staged loop makes no more than `maximum_iterations` turns.

    shape_invariants: [(variable, its shape)]; accepted as in AutoGraph, and not needed: a dimension that differs from turn to turn
    becomes one that is known when the program runs.
    """
    del shape_invariants
    trace = active_trace()
    if trace is not None and hasattr(trace, "loops") and trace.loops and maximum_iterations is not None:
        trace.loops[-1].limit(maximum_iterations)
