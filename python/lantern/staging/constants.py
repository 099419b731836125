"""NumPy arrays that are known while staging, as expressions."""
from __future__ import annotations

from lantern import types
from lantern.init import LARGEST
from lantern.lazy_numpy import np
from lantern.staging.errors import StagingError
from lantern.staging.text import Symbol


def node_of_array(array, place, largest=LARGEST):
    """(full f32 0.5 3), (arange 3), the identity as a cast of (== (arange 3) (reshape (arange 3) 3 1)), or a cast of stacks of literals."""
    dtype = types.type_of(array).dtype
    if array.size == 0 or array.tobytes() == array.flat[0].tobytes() * array.size:      # 0.0 is not -0.0
        value = array.flat[0].item() if array.size else types.numpy_dtype(dtype).type(0).item()
        return (Symbol("full"), Symbol(dtype), value, *array.shape)
    if array.ndim == 1 and dtype == "i64" and np.array_equal(array, np.arange(array.size)):      # the order of a data set that is not shuffled
        return (Symbol("arange"), array.size)
    if array.ndim == 2 and array.tobytes() == np.eye(len(array), dtype=array.dtype).tobytes():
        order = (Symbol("arange"), len(array))
        return (Symbol("cast"), Symbol(dtype), (Symbol("=="), order, (Symbol("reshape"), order, len(array), 1)))
    if array.size > largest:
        raise StagingError("LT0312", f"an array of {array.size} elements is too large to stand in the program's text", place,
                           "hold it in an lt.Variable, or pass it as an argument")

    def stacked(part):
        return (Symbol("stack"), *(stacked(p) if p.ndim else p.item() for p in part))

    node = stacked(np.asarray(array))
    literal_dtype = {"f": "f64", "i": "i64", "b": "bool"}[array.dtype.kind]
    return node if dtype == literal_dtype else (Symbol("cast"), Symbol(dtype), node)


def has_elements(node):
    """Whether a node of node_of_array says each element."""
    return node[0] == Symbol("stack") or (node[0] == Symbol("cast") and has_elements(node[2]))
