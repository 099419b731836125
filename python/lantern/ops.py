"""The `lt.` functions: NumPy's names and broadcasting, on arrays, on staged values, on what a tape records."""
from __future__ import annotations

import builtins

from lantern import makers, types
from lantern.dispatch import active_trace, dispatch, is_global, is_staged, taking_lists
from lantern.lazy_numpy import np


def arrays_of(*operands):
    """Operands, of which lists and tuples have become the arrays that NumPy makes of them."""
    for x in operands:
        if isinstance(x, (list, tuple)) or is_staged(x) and isinstance(x.type, (types.List, types.Tuple)):
            from lantern.numpy_functions.operands import as_array
            return tuple(map(as_array, operands))
    return operands


def _elementwise(name, doc):
    @taking_lists
    def function(x):
        return dispatch(name, arrays_of(x))
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc}, element by element; a number or an array of any shape. Keeps shape and dtype."
    return function


exp = _elementwise("exp", "e to the power of x")
log = _elementwise("log", "The natural logarithm; -inf at 0, nan below")
sqrt = _elementwise("sqrt", "The square root; nan below 0")
square = _elementwise("square", "x times x")
abs = _elementwise("abs", "The absolute value")  # noqa: A001
tanh = _elementwise("tanh", "The hyperbolic tangent")
sigmoid = _elementwise("sigmoid", "1 / (1 + exp(-x))")
relu = _elementwise("relu", "The larger of x and 0")
sin = _elementwise("sin", "The sine")
cos = _elementwise("cos", "The cosine")
tan = _elementwise("tan", "The tangent")
expm1 = _elementwise("expm1", "exp(x) - 1, exact for small x")
log1p = _elementwise("log1p", "log(1 + x), exact for small x; -inf at -1, nan below")
log2 = _elementwise("log2", "The logarithm to the base 2, exact for powers of 2; -inf at 0, nan below")
log10 = _elementwise("log10", "The logarithm to the base 10; -inf at 0, nan below")
cbrt = _elementwise("cbrt", "The cube root, of negative numbers, too")
asin = _elementwise("asin", "The angle whose sine is x; nan where |x| > 1")
acos = _elementwise("acos", "The angle whose cosine is x; nan where |x| > 1")
atan = _elementwise("atan", "The angle whose tangent is x")
sinh = _elementwise("sinh", "The hyperbolic sine")
cosh = _elementwise("cosh", "The hyperbolic cosine")
asinh = _elementwise("asinh", "The number whose hyperbolic sine is x")
acosh = _elementwise("acosh", "The number, 0 or above, whose hyperbolic cosine is x; nan where x < 1")
atanh = _elementwise("atanh", "The number whose hyperbolic tangent is x; inf at 1, -inf at -1, nan beyond")
erf = _elementwise("erf", "The error function, 2/sqrt(pi) times the integral of exp(-t*t) from 0 to x")
erfc = _elementwise("erfc", "1 - erf(x), exact for large x")
rint = _elementwise("rint", "The whole number nearest to x, of two the even one; as a float")
softplus = _elementwise("softplus", "log(1 + exp(x))")
gelu = _elementwise("gelu", "x times the normal distribution function of x")
sign = _elementwise("sign", "-1, 0 or 1, as x is below, at or above 0")


@taking_lists
def hypot(a, b):
    """The square root of a * a + b * b, without overflow on the way, with broadcasting. Its derivative at (0, 0) is 0."""
    return dispatch("hypot", arrays_of(a, b))


@taking_lists
def atan2(y, x):
    """The angle of the point (x, y), from -pi to pi, with broadcasting. Its derivative at (0, 0) is 0."""
    return dispatch("atan2", arrays_of(y, x))


@taking_lists
def leaky_relu(x, slope=0.01):
    """x where it is positive, slope * x elsewhere, with broadcasting."""
    return dispatch("leaky_relu", arrays_of(x, slope))


@taking_lists
def elu(x, alpha=1.0):
    """x where it is positive, alpha * (exp(x) - 1) elsewhere, with broadcasting."""
    return dispatch("elu", arrays_of(x, alpha))


@taking_lists
def clip(x, low, high):
    """x, but no less than low and no more than high (which wins where low > high), with broadcasting."""
    return dispatch("clip", arrays_of(x, low, high))


@taking_lists
def maximum(a, b):
    """The larger of two, element by element, with broadcasting."""
    return dispatch("maximum", arrays_of(a, b))


@taking_lists
def minimum(a, b):
    """The smaller of two, element by element, with broadcasting."""
    return dispatch("minimum", arrays_of(a, b))


@taking_lists
def where(condition, a, b):
    """a where the condition holds, b elsewhere, with broadcasting. Both are evaluated."""
    return dispatch("where", arrays_of(condition, a, b))


@taking_lists
def cast(x, dtype):
    """x with another dtype ('f32', numpy.float64, …); of a float, an integer dtype cuts towards zero."""
    return dispatch("cast", (types.Scalar(types.dtype_name(dtype)), *arrays_of(x)))


@taking_lists
def matmul(a, b):
    """The product of matrices [m,k] and [k,n], of a matrix and a vector either way round, or of two vectors; of stacks [b,m,k] of matrices,
    or of one and a matrix or vector for all of it, a stack of products."""
    return dispatch("matmul", arrays_of(a, b))


@taking_lists
def dot(a, b):
    """The inner product of two vectors [n], a rank-0 array."""
    return dispatch("matmul", arrays_of(a, b))


@taking_lists
def solve(a, b):
    """The x with a @ x == b: a [n,n], b [n] or [n,m] → as b. LinAlgError where a is singular."""
    return dispatch("solve", arrays_of(a, b))


@taking_lists
def inv(a):
    """The inverse of a square matrix, [n,n] → [n,n]. LinAlgError where it has none."""
    return dispatch("inv", arrays_of(a))


@taking_lists
def det(a):
    """The determinant, [n,n] → []. A singular matrix has one, but no derivative of it here: LinAlgError."""
    return dispatch("det", arrays_of(a))


@taking_lists
def slogdet(a):
    """(the determinant's sign, the logarithm of its size): [n,n] → two arrays of rank 0; (0, -inf) of a singular matrix."""
    a, = arrays_of(a)
    return dispatch("sign-of-det", (a,)), dispatch("log-abs-det", (a,))


@taking_lists
def cholesky(a):
    """The lower triangular l with l @ l.T == a, [n,n] → [n,n]. Of a, the lower triangle is read. LinAlgError where a is not positive definite."""
    return dispatch("cholesky", arrays_of(a))


@taking_lists
def outer(a, b):
    """[m], [n] → [m,n]: a[i] * b[j]."""
    return dispatch("outer", arrays_of(a, b))


@taking_lists
def transpose(a):
    """[m,n] → [n,m]."""
    return dispatch("transpose", arrays_of(a))


def _reduction(name, doc):
    @taking_lists
    def function(x, axis=None):
        x, = arrays_of(x)
        if isinstance(axis, tuple):
            for each in _from_behind(x, axis):
                x = dispatch(name, (x, each))
            return x
        return dispatch(name, (x,) if axis is None else (x, axis))
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc}: over all elements (a rank-0 array), or along an axis or several, a tuple, which the result is without."
    return function


def _from_behind(x, axes):
    """Axes from the last to the first, as numbers from 0 on."""
    rank = len(shape(x))
    if not axes or not all(-rank <= axis < rank for axis in axes) or len({axis % rank for axis in axes}) < len(axes):
        raise ValueError(f"{axes} are not one or several different axes of an array that has {rank}")
    return sorted((axis % rank for axis in axes), reverse=True)


def _position(name, doc):
    @taking_lists
    def function(x, axis=None):
        x, = arrays_of(x)
        return dispatch(name, (x,) if axis is None else (x, axis))
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Where the {doc} is, the first of equals: over all elements, a number, or along one axis, which the result is without."
    return function


sum = _reduction("sum", "The sum")  # noqa: A001
mean = _reduction("mean", "The mean")
prod = _reduction("prod", "The product")
max = _reduction("max", "The largest element")  # noqa: A001
min = _reduction("min", "The smallest element")  # noqa: A001
logsumexp = _reduction("logsumexp", "log(sum(exp(x)))")
norm = _reduction("norm", "sqrt(sum(x * x)); its derivative at 0 is 0")
argmax = _position("argmax", "largest element")
argmin = _position("argmin", "smallest element")


@taking_lists
def softmax(x, axis=-1):
    """exp(x) / sum(exp(x)) over an axis."""
    return _over_last("softmax", x, axis)


@taking_lists
def log_softmax(x, axis=-1):
    """log(softmax(x)) over an axis."""
    return _over_last("log_softmax", x, axis)


def _over_last(name, x, axis):
    x, = arrays_of(x)
    if axis == -1:
        return dispatch(name, (x,))
    from lantern.rearranging import swapaxes
    return swapaxes(dispatch(name, (swapaxes(x, axis, -1),)), axis, -1)


def slice(x, start, stop):  # noqa: A001
    """x[start:stop] along the first axis, with Python's reading of negative and large numbers."""
    return getitem(x, builtins.slice(start, stop))


def getitem(x, key):
    """x[key]: numbers, slices, `...` and None, as in NumPy."""
    from lantern import items
    return items.get(x, key)


def gather(table, i):
    """Row i of a table [n,d] → [d]. Its gradient touches that row alone."""
    return dispatch("gather", (table, i))



def shape_operands(dims):
    """Dimensions, given one by one or as a tuple, as operands."""
    dims = dims[0] if len(dims) == 1 and isinstance(dims[0], (list, tuple)) else dims
    return tuple(int(n) if isinstance(n, np.integer) else n for n in dims)


def dtype_operand(dtype):
    """A dtype, the default one for None, as an operand."""
    return types.Scalar(types.default_dtype() if dtype is None else types.dtype_name(dtype))


def reshape(x, *dims):
    """The same elements in another shape: reshape(x, 2, 3) or reshape(x, (2, 3))."""
    if active_trace() is not None and (is_staged(x) and isinstance(x.type, types.Scalar) or (is_staged(x) or is_global(x)) and shape(x) == ()):
        from lantern.rearranging import stack
        x = stack(x)        # one element, which has an axis now
    return dispatch("reshape", (x, *shape_operands(dims)))


def zeros(*dims, dtype=None):
    """Zeros: zeros(2, 3) or zeros((2, 3)); zeros() has rank 0. A negative dimension is a ValueError, one that is no whole number a TypeError."""
    return dispatch("zeros", (dtype_operand(dtype), *shape_operands(dims)))


def ones(*dims, dtype=None):
    """Ones, as `zeros`."""
    return dispatch("ones", (dtype_operand(dtype), *shape_operands(dims)))


def full(dims, value, dtype=None):
    """An array of shape `dims` with `value`, a number, everywhere."""
    return dispatch("full", (dtype_operand(dtype), value, *shape_operands((dims,))))


@taking_lists
def zeros_like(x):
    """Zeros in the shape and dtype of x."""
    return dispatch("zeros-like", arrays_of(x))


@taking_lists
def ones_like(x):
    """Ones in the shape and dtype of x."""
    return dispatch("ones-like", arrays_of(x))


def constant(value, dtype=None):
    """An array, of the default dtype if the numbers are floats and no dtype is given. It has memory of its own. What is no numbers
    is a TypeError, lists of different lengths in one a ValueError."""
    from lantern import numpy_functions
    if numpy_functions.holds_operators(value):
        from lantern.numpy_functions import new
        return new.constant(value, dtype)
    try:
        array = np.array(value)
    except ValueError:
        raise ValueError("lt.constant takes a number, an array, or lists of equal lengths of them") from None
    makers.numeric(value, array)
    if dtype is None:
        dtype = types.default_dtype() if array.dtype.kind == "f" and not isinstance(value, (np.ndarray, np.generic)) else None
    if dtype is not None and types.dtype_name(dtype) == "i32" and array.dtype == np.int64 and not isinstance(value, (np.ndarray, np.generic)):
        for number in array.flat[[array.argmin(), array.argmax()]].tolist() if array.size else ():
            makers.whole_of(number, 32)
    array = array.astype(types.numpy_dtype(types.dtype_name(dtype))) if dtype is not None else array
    return array if array.ndim else array[()]


def shape(x, axis=None):
    """The shape of x, a tuple of numbers, or one of them. Known dimensions are Python's ints, staged x or not."""
    if is_staged(x):
        dims = getattr(x.type, "dims", None)
        if dims is None:
            raise TypeError("the number of axes must be known while staging: annotate the parameter, x: lt.Tensor[lt.f64, None]")
        sizes = (dims[k] if isinstance(dims[k], int) else dispatch("shape", (x, k))
                 for k in (builtins.range(len(dims)) if axis is None else (axis,)))
        return tuple(sizes) if axis is None else next(sizes)
    dims = x.shape if hasattr(x, "shape") else np.shape(x)
    return tuple(dims) if axis is None else dims[axis]


def print(*values):  # noqa: A001
    """Python's print; staged, whenever a trace is active."""
    dispatch("print", tuple(v.read() if is_global(v) and active_trace() is None else v for v in values))


def assert_(condition, message=""):
    """Raises AssertionError unless the condition holds; staged, where the condition is."""
    if active_trace() is not None and is_staged(condition):
        active_trace().emit("assert", (condition, message))
    elif not condition:
        raise AssertionError(message)


def item(x):
    """The number that a rank-0 array holds, as a Python number; unlike `float(x)` a derivative goes through it."""
    return dispatch("item", (x,))


def stop_gradient(x):
    """x, as a constant to derivatives."""
    return dispatch("stop-gradient", (x,))


def seed(value):
    """Begins the stream of random numbers anew, from which all draw that have no key, compiled or not. There is one for all threads: one that
    draws or seeds waits while a compiled function of another that does so is running."""
    dispatch("seed", (value,))


def uniform(low=0.0, high=1.0, dims=(), dtype=None):
    """Numbers from [low, high), from the program's stream. Arrays to begin and end at: low + (high - low) * uniform(0, 1, dims)."""
    return dispatch("uniform", (dtype_operand(dtype), low, high, *shape_operands((dims,))))


def normal(mean=0.0, std=1.0, dims=(), dtype=None):
    """Normally distributed numbers, from the program's stream."""
    return dispatch("normal", (dtype_operand(dtype), mean, std, *shape_operands((dims,))))


def truncated_normal(mean=0.0, std=1.0, dims=(), dtype=None):
    """Normally distributed numbers of which none is farther than two standard deviations from the mean, from the program's stream."""
    return dispatch("truncated-normal", (dtype_operand(dtype), mean, std, *shape_operands((dims,))))


def bernoulli(p, dims=()):
    """Bools, each true with probability p, from the program's stream."""
    return uniform(0.0, 1.0, dims, "f64") < p


def range(*bounds):  # noqa: A001
    """Python's `range`. In staged code a loop over it is a loop of the compiled program, where one over Python's is unrolled if its bounds are known."""
    trace = active_trace()
    if trace is None:
        return builtins.range(*bounds)
    from lantern.staging.builtins import range_
    return range_(trace, *bounds)
