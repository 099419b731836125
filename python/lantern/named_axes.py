"""`einsum`: sums of products over axes that have names."""
from __future__ import annotations

import functools
import operator
import string

from lantern import ops
from lantern.dispatch import dispatch
from lantern.numpy_functions.operands import dtype_of, of_promoted_dtype
from lantern.rearranging import permute, shape_of, stack


def _rank(x):
    return len(shape_of(x))


def _product(sizes):
    return functools.reduce(operator.mul, sizes, 1)


def einsum(subscripts, *operands):
    """Sums of products by Einstein's convention: einsum("ij,jk->ik", a, b). Letters stand for axes; those that the result lacks are summed
    over; a letter stands once in an operand, `...` for the axes that have none. The dtype is that of the operands, in which whole numbers wrap around
    and bools are joined by `or`."""
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    names = inputs.split(",")
    if not arrow:
        letters = inputs.replace("...", "")
        output = "..." * ("..." in inputs) + "".join(sorted(name for name in set(letters) - {","} if letters.count(name) == 1))
    operands = of_promoted_dtype(operands)
    if len(names) == len(operands) and "..." in subscripts:
        names, output, operands = _without_ellipses(names, output, operands)
        inputs = ",".join(names)
    for name, operand in zip(names, operands):
        if len(set(name)) != len(name):
            raise ValueError(f"einsum: '{name}' names an axis twice, which would take a diagonal: write np.diagonal(a), or np.trace(a)")
        if not (name.isalpha() or name == ""):
            raise ValueError(f"einsum: '{name}' names an axis by what is no letter")
        if len(name) != _rank(operand):
            raise ValueError(f"einsum: '{name}' names {len(name)} axes of an operand that has {_rank(operand)}")
    if len(names) != len(operands) or set(output) - set(inputs) or len(set(output)) != len(output):
        raise ValueError(f"einsum: '{subscripts}' does not fit {len(operands)} operands")
    name, x = names[0], operands[0]
    for number, (other, y) in enumerate(zip(names[1:], operands[1:]), 2):
        wanted = set(output).union(*names[number:])
        name, x = _contracted(name, x, other, y, wanted)
    name, x = _summed(name, x, set(output))
    return permute(x, [name.index(axis) for axis in output]) if name != output else x


def _without_ellipses(names, output, operands):
    """(names, output, operands) with letters for the axes that an ellipsis stands for, the last one's alike. Those of size 1 that are
    longer in another operand are taken away, since all is the same along them."""
    if any(name.count("...") > 1 or "..." in name and len(name) - 3 > _rank(x) for name, x in zip(names, operands)) or output.count("...") > 1:
        raise ValueError("einsum: an operand has one ellipsis, and no fewer axes than letters")
    unused = [letter for letter in string.ascii_letters if letter not in "".join((*names, output))]
    most = max(_rank(x) - len(name) + 3 if "..." in name else 0 for name, x in zip(names, operands))
    if most and "..." not in output:
        raise ValueError("einsum: the axes that '...' stands for are the result's, too: '...i,...i->...'")
    stand_for = "".join(unused[:most])
    names = [name.replace("...", stand_for[most + len(name) - 3 - _rank(x):]) if "..." in name else name for name, x in zip(names, operands)]
    sizes = [dict(zip(name, shape_of(x))) for name, x in zip(names, operands)]

    def is_one(size):
        return isinstance(size, int) and size == 1
    stretched = {letter for letter in stand_for if not all(is_one(each[letter]) for each in sizes if letter in each)}
    for number, (name, each) in enumerate(zip(names, sizes)):
        gone = [letter in stretched and is_one(each[letter]) for letter in name]
        if any(gone):
            operands[number] = ops.getitem(operands[number], tuple(0 if one else slice(None) for one in gone))
            names[number] = "".join(letter for letter, one in zip(name, gone) if not one)
    return names, output.replace("...", stand_for), operands


def _summed(name, x, wanted):
    """x without the axes that nobody wants."""
    for axis in [axis for axis in name if axis not in wanted]:
        total, dtype = ops.sum(x, name.index(axis)), dtype_of(x)
        x = total if dtype_of(total) == dtype else ops.cast(total, dtype)
        name = name.replace(axis, "")
    return name, x


def _contracted(left, a, right, b, wanted):
    """(axes, product) of two operands: summed over what both have and nobody wants afterwards."""
    left, a = _summed(left, a, wanted | set(right))
    right, b = _summed(right, b, wanted | set(left))
    both = [axis for axis in left if axis in right]
    batch, inner = [axis for axis in both if axis in wanted], [axis for axis in both if axis not in wanted]
    rows, columns = [axis for axis in left if axis not in right], [axis for axis in right if axis not in left]
    sizes = {**dict(zip(left, shape_of(a))), **dict(zip(right, shape_of(b)))}

    def grouped(name, x, *groups):
        x = permute(x, [name.index(axis) for group in groups for axis in group]) if name else stack(x)
        if all(len(group) == 1 for group in groups):    # which it is already
            return x
        return ops.reshape(x, *(_product(sizes[axis] for axis in group) for group in groups))

    stacked = [batch] if batch else []
    product = ops.matmul(grouped(left, a, *stacked, rows, inner), grouped(right, b, *stacked, inner, columns))
    axes = [*batch, *rows, *columns]
    return "".join(axes), ops.reshape(product, *(sizes[axis] for axis in axes)) if axes else dispatch("index", (ops.reshape(product, 1), 0))
