"""Calls of each operator of the table, on numbers, vectors, matrices and more, with broadcasting, with no element and with one.

A call's operands are literals and formals: an array of a dtype and a rank, or a number. The sizes of arrays are known only when the program
runs, so that one compiled function takes all shapes of a rank.
"""
import dataclasses
import itertools

import numpy as np

from lantern import hash_tables, texts
from thorough import one_in

NUMPY = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i32": np.int32, "bool": np.bool_}


@dataclasses.dataclass(frozen=True)
class Formal:
    dtype: str
    rank: int | None = None      # None: a number
    least: float = -2.5
    most: float = 2.5

    def type(self):
        return self.dtype if self.rank is None else f"(tensor {self.dtype}{' ?' * self.rank})"

    def value(self, rng, shape, special):
        """Random elements; special: NaN, infinities and zeros among them."""
        shape = shape if self.rank is not None else ()
        if self.dtype == "bool":
            values = rng.integers(0, 2, shape).astype(bool)
        elif self.dtype.startswith("i"):
            values = rng.integers(int(self.least), int(self.most) + 1, shape)
        else:
            values = rng.uniform(self.least, self.most, shape)
            if special:
                flat = np.asarray(values).reshape(-1)
                flat[:] = np.where(rng.random(flat.shape) < 0.7, rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0], flat.shape), flat)
                values = flat.reshape(shape)
        array = np.asarray(values).astype(NUMPY[self.dtype])
        return array.item() if self.rank is None else array if self.rank else array[()]


@dataclasses.dataclass(frozen=True)
class Call:
    operator: str
    operands: tuple              # literals, and Formals
    shapes: tuple                # of the formals that are arrays: a tuple for each run
    leading: str | None = None   # a dtype

    def formals(self):
        return [operand for operand in self.operands if isinstance(operand, Formal)]

    def definition(self, name):
        names = iter("abcdefgh")
        operands = [next(names) if isinstance(operand, Formal) else _literal(operand) for operand in self.operands]
        formals = " ".join(f"({n} {formal.type()})" for n, formal in zip("abcdefgh", self.formals()))
        text = " ".join([self.operator, *([self.leading] if self.leading else []), *operands])
        return f"(define {name} ({formals}) ({text}))\n(export {name})\n"

    def runs(self, seed):
        """The values of the formals, run by run."""
        rng = np.random.default_rng(seed)
        for shapes, special in itertools.product(self.shapes, (False, True)):
            shape = iter(shapes)
            yield [formal.value(rng, next(shape) if formal.rank is not None else None, special) for formal in self.formals()]


def _literal(value):
    return str(value).lower() if isinstance(value, bool) else repr(value)


NONE, ONE, TWO, FOUR = ((),), ((4,), (1,), (0,), (9,)), ((2, 3), (1, 1), (0, 3), (3, 0), (1, 4)), ((2, 1, 3, 2), (1, 1, 1, 1), (2, 0, 3, 1))
OF_RANK = {0: NONE, 1: ONE, 2: TWO, 3: ((2, 3, 2), (1, 1, 1), (2, 0, 3), (0, 2, 2)), 4: FOUR}
PAIRS = {   # the ranks of two operands (None: a number) → shapes that broadcast, and some that do not
    (None, None): NONE, (None, 1): ((4,), (0,)), (1, None): ((4,), (1,), (0,)), (0, 1): (((), (3,)),), (0, None): ((),), (0, 0): (((), ()),),
    (1, 1): (((4,), (4,)), ((1,), (4,)), ((4,), (1,)), ((0,), (0,)), ((0,), (1,)), ((3,), (2,)), ((0,), (2,))),
    (2, 1): (((2, 3), (3,)), ((2, 1), (4,)), ((0, 3), (3,)), ((2, 3), (1,)), ((2, 3), (2,))), (1, 2): (((3,), (2, 3)), ((0,), (2, 0)), ((1,), (1, 1))),
    (2, 2): (((2, 3), (2, 3)), ((1, 3), (2, 1)), ((0, 3), (1, 3)), ((3, 0), (3, 1)), ((2, 3), (3, 2))), (4, 1): (((2, 1, 3, 2), (2,)), ((2, 1, 3, 1), (4,)), ((1, 1, 0, 2), (2,))),
    (2, None): ((2, 3), (0, 2)),
}
UNARY = "neg abs sqrt square exp log tanh sigmoid relu sin cos tan expm1 log1p log2 log10 cbrt asin acos atan sinh cosh asinh acosh atanh erf erfc rint softplus gelu sign not bit-not".split()
BINARY = "+ - * / // % ** hypot atan2 leaky_relu elu maximum minimum == != < <= > >= and or bit-and bit-or bit-xor shift-left shift-right".split()
REDUCTIONS = "sum mean prod max min argmax argmin logsumexp norm".split()
SOME_PAIRS = ((None, None), (None, 1), (1, None), (0, 0), (2, 1), (2, 2))      # broadcasting is one for all
DTYPE_PAIRS = [("f32", "i64"), ("f32", "f32"), ("i64", "i64"), ("f32", "i32"), ("bool", "bool"), ("i32", "i64"), ("i32", "i32"), ("bool", "f32"), ("bool", "i32"), ("f64", "bool")]

INTEGERS = ("i64", None, "i64", None)
MIXED = [("f32", 1, "f64", None), ("i64", 1, "f64", None), ("bool", 1, "i64", None), ("i64", None, "f32", 1), ("bool", None, "bool", None), ("i64", None, "f64", None),
         ("i32", 0, "f64", None)]


def _each(shapes):
    """Runs of one array."""
    return tuple((shape,) for shape in shapes)


def _pair(a, b, shapes):
    """Runs of two operands, of which numbers have no shape."""
    arrays = [formal for formal in (a, b) if formal.rank is not None]
    return tuple(shape if len(arrays) == 2 else (shape,) for shape in shapes) if arrays else ((),)


def elementwise():
    for name in UNARY:
        for rank in (None, 0, 2):
            yield Call(name, (Formal("bool" if name == "not" else "i64" if name == "bit-not" else "f64", rank),), _each(OF_RANK.get(rank, NONE)))
        for dtype in ("f32", "i64", "i32", "bool"):
            for rank in (None, 1) if dtype == "i64" else (1,):
                yield Call(name, (Formal(dtype, rank),), _each(OF_RANK.get(rank, NONE)))
    for name in BINARY:
        own = "bool" if name in ("and", "or") else "i64" if name.startswith(("bit", "shift")) else "f64"
        least = 0 if name.startswith("shift") else 0.25 if name == "**" else -2.5
        for (rank_a, rank_b), shapes in PAIRS.items() if name == "+" else [(ranks, PAIRS[ranks]) for ranks in SOME_PAIRS]:
            a, b = Formal(own, rank_a), Formal(own, rank_b, least)
            yield Call(name, (a, b), _pair(a, b, shapes))
        for dtype_a, dtype_b in DTYPE_PAIRS if name in "+/" else DTYPE_PAIRS[::2]:
            a, b = Formal(dtype_a, 1), Formal(dtype_b, 1, max(least, 0) if name == "**" else least)
            yield Call(name, (a, b), _pair(a, b, PAIRS[1, 1][:4]))
        for dtype_a, rank_a, dtype_b, rank_b in (INTEGERS, *(MIXED if name in "+/" else MIXED[BINARY.index(name) % one_in(2)::one_in(2)])):     # promotion is one for all
            a, b = Formal(dtype_a, rank_a), Formal(dtype_b, rank_b, 0 if name == "**" else least)
            yield Call(name, (a, b), _pair(a, b, ((3,), (1,), (0,)) if 1 in (rank_a, rank_b) else ((),)))
    for rank_a, rank_b in SOME_PAIRS:
        a, b = Formal("f64", rank_a, 0.25), Formal("f64", rank_b)
        yield Call("**", (a, b), _pair(a, b, PAIRS[rank_a, rank_b]))
    for ranks, shapes in {(None, None, None): ((),), (1, None, None): (((4,),), ((0,),)), (2, 1, None): (((2, 3), (3,)), ((2, 1), (4,))), (1, 1, 1): (((3,), (1,), (3,)), ((0,), (0,), (1,)))}.items():
        for dtype in ("f64", "f32", "i64") if ranks[0] == 1 else ("f64",):      # a Python number is an i64 or an f64
            operands = tuple(Formal("f64" if rank is None and dtype == "f32" else dtype, rank) for rank in ranks)
            yield Call("clip", operands, shapes)
            yield Call("where", (Formal("bool", ranks[0]), *operands[1:]), shapes)
    yield Call("where", (Formal("bool", 1), Formal("f32", 1), Formal("i64", 1)), (((3,), (3,), (1,)),))
    for source, target in itertools.product(("f64", "f32", "i64", "i32", "bool"), repeat=2):
        for rank in (None, 1) if source not in ("f32", "i32") else (1,):
            yield Call("cast", (Formal(source, rank),), _each(OF_RANK.get(rank, NONE)), leading=target)


def arrays():
    def call(name, *operands, of, leading=None):
        return Call(name, operands, tuple(of), leading)

    for name in REDUCTIONS:
        for dtype in ("f64", "f32", "i64", "i32", "bool"):
            for rank in (None, 0, 1, 2, 4) if dtype == "f64" else (None, 1) if dtype == "i64" else (1,):
                yield call(name, Formal(dtype, rank), of=_each(OF_RANK.get(rank, NONE)))
                for axis in ((0, -1, 1) if rank == 2 else (2,) if rank == 4 else (0,)) if rank else ():
                    yield call(name, Formal(dtype, rank), axis, of=_each(OF_RANK[rank]))
    for axis in ((), (0,)):     # what integers of their own type do not hold
        yield call("mean", Formal("i64", 1, 2**61, 2**62), *axis, of=_each(ONE[:2]))
        yield call("norm", Formal("i32", 1, 40000, 50000), *axis, of=_each(ONE))
    for rank, dtype in ((1, "f64"), (2, "f32"), (4, "f64")):
        for name in ("softmax", "log_softmax"):
            yield call(name, Formal(dtype, rank), of=_each(shape for shape in OF_RANK[rank] if shape[-1]))
    yield call("cross_entropy", Formal("f64", 1), Formal("i64", None, 0, 2), of=_each(((3,), (4,))))
    yield call("cross_entropy", Formal("f64", 2), Formal("i64", 1, 0, 2), of=(((2, 3), (2,)), ((4, 2), (4,)), ((0, 3), (0,)), ((1, 3), (1,)), ((2, 3), (3,))))
    for dtype in ("f64", "f32", "i32"):
        products = {(1, 1): (((3,), (3,)), ((0,), (0,)), ((1,), (1,)), ((2,), (3,))), (2, 1): (((2, 3), (3,)), ((0, 3), (3,)), ((2, 0), (0,)), ((1, 1), (1,)), ((2, 3), (2,))),
                    (1, 2): (((2,), (2, 3)), ((0,), (0, 3)), ((2,), (2, 0))), (2, 2): (((2, 3), (3, 4)), ((1, 1), (1, 1)), ((0, 2), (2, 3)), ((2, 0), (0, 3)), ((2, 3), (2, 3))),
                    (3, 3): (((2, 2, 3), (2, 3, 1)), ((1, 2, 3), (4, 3, 2)), ((0, 2, 3), (0, 3, 2)), ((2, 2, 3), (3, 3, 2))), (3, 2): (((2, 2, 3), (3, 4)), ((0, 2, 3), (3, 4)), ((2, 1, 0), (0, 2))),
                    (2, 3): (((2, 3), (4, 3, 1)),), (4, 3): (((2, 1, 2, 3), (2, 3, 2)), ((2, 0, 2, 3), (1, 3, 2))), (4, 1): (((2, 1, 2, 3), (3,)),), (1, 3): (((3,), (2, 3, 2)), ((0,), (2, 0, 2)))}
        for (a, b), shapes in products.items() if dtype == "f64" else list(products.items())[:5]:
            yield call("matmul", Formal(dtype, a), Formal(dtype, b), of=shapes)
    yield call("matmul", Formal("i32", 1, 2**30, 2**31 - 1), Formal("i32", 2, 2**30, 2**31 - 1), of=(((3,), (3, 2)),))       # which wraps around
    yield call("matmul", Formal("bool", 2), Formal("bool", 1), of=(((2, 3), (3,)),))
    yield call("matmul", Formal("i64", 1), Formal("bool", 1), of=(((3,), (3,)),))
    yield call("matmul", Formal("f32", 2), Formal("f64", 2), of=(((2, 3), (3, 2)),))
    for dtype in ("f64", "i64"):
        yield call("outer", Formal(dtype, 1), Formal(dtype, 1), of=(((2,), (3,)), ((1,), (1,)), ((0,), (2,))))
        yield call("transpose", Formal(dtype, 2), of=_each(TWO))
        yield call("concat", Formal(dtype, 2), Formal(dtype, 2), Formal(dtype, 2), of=(((2, 3), (0, 3), (1, 3)), ((1, 1), (1, 1), (1, 1)), ((2, 3), (2, 2), (2, 3))))
        yield call("concat-along", 1, Formal(dtype, 2), Formal(dtype, 2), of=(((2, 3), (2, 0)), ((2, 1), (2, 1)), ((0, 1), (0, 2)), ((2, 3), (1, 3))))
        yield call("stack", Formal(dtype, 1), Formal(dtype, 1), of=(((3,), (3,)), ((0,), (0,)), ((1,), (1,)), ((2,), (3,))))
        yield call("stack", Formal(dtype), Formal(dtype), of=((),))
        yield call("flip", Formal(dtype, 2), -1, of=_each(TWO))
        yield call("swap-axes", Formal(dtype, 4), 1, -1, of=_each(FOUR))
        yield call("repeat", Formal(dtype, 2), Formal("i64", None, 0, 3), 1, of=_each(TWO))
        yield call("take", Formal(dtype, 2), Formal("i64", 1, -2, 1), of=(((2, 3), (5,)), ((2, 0), (1,)), ((3, 1), (0,)), ((1, 2), (9,))))
        yield call("with-item", Formal(dtype, 1), Formal("i64", None, -2, 1), Formal(dtype), of=_each(((2,), (3,), (1,), (0,))))
        yield call("with-item", Formal(dtype, 2), Formal("i64", None, -2, 1), Formal(dtype, 1), of=(((2, 3), (3,)), ((3, 0), (0,)), ((2, 3), (2,)), ((0, 3), (3,))))
        yield call("with-item", Formal(dtype, 2), Formal("i64", None, -2, 1), Formal("i64", None, 0, 1), Formal(dtype), of=_each(((2, 3), (3, 1), (2, 0))))
        yield call("with-item", Formal(dtype, 4), Formal("i64", None, -2, 1), 0, 0, Formal(dtype, 1), of=(((2, 1, 3, 2), (2,)), ((2, 1, 3, 1), (1,))))
        yield call("with-slice", Formal(dtype, 1), Formal("i64", None, -1, 2), Formal(dtype, 1), of=(((4,), (2,)), ((3,), (0,)), ((2,), (3,)), ((0,), (0,))))
        yield call("with-slice", Formal(dtype, 3), Formal("i64", None, 0, 1), Formal(dtype, 3), 1, of=(((2, 3, 2), (2, 1, 2)), ((2, 3, 2), (2, 2, 2)), ((0, 2, 2), (0, 1, 2)), ((2, 3, 2), (2, 1, 1))))
        yield call("scatter", Formal(dtype, 2), Formal("i64", 1, -2, 1), Formal(dtype, 2), of=(((2, 3), (5,), (5, 3)), ((2, 0), (1,), (1, 0)), ((3, 1), (0,), (0, 1)), ((2, 3), (2,), (3, 3)), ((1, 2), (9,), (9, 2))))
        yield call("scatter-add", Formal(dtype, 1), Formal("i64", 1, -2, 1), Formal(dtype, 1), of=(((2,), (5,), (5,)), ((3,), (0,), (0,)), ((2,), (2,), (3,)), ((1,), (9,), (9,))))
        for rank in (None, 1):
            yield call("like", Formal(dtype, rank), Formal(dtype, 2), of=_each(OF_RANK[2]) if rank is None else (((3,), (2, 3)), ((1,), (2, 3)), ((0,), (2, 0)), ((2,), (2, 3))))
        for name in ("zeros-like", "ones-like", "stop-gradient"):
            for rank in (None, 0, 2):
                yield call(name, Formal(dtype, rank), of=_each(OF_RANK.get(rank, NONE)))
        for descending in (False, True):
            yield call("argsort", Formal(dtype, 1), descending, of=_each(ONE))
        yield call("full", Formal(dtype), Formal("i64", None, 0, 2), 2, of=((),), leading=dtype)
        for name in ("zeros", "ones"):
            yield call(name, 2, Formal("i64", None, 0, 2), of=((),), leading=dtype)
    for dtype in NUMPY:
        for axis, rank in ((0, 1), (1, 2), (-1, 4)):
            yield call("cumsum", Formal(dtype, rank), axis, of=_each(OF_RANK[rank]))
        yield call("item", Formal(dtype, 0), of=(((),),))
    for rank in (1, 2, 4):
        yield call("slice", Formal("f64", rank), Formal("i64", None, 0, 2), Formal("i64", None, 1, 3), of=_each(OF_RANK[rank]))
        yield call("index", Formal("f64", rank), Formal("i64", None, -4, 3), of=_each(OF_RANK[rank]))
        yield call("strided", Formal("f64", rank), Formal("i64", None, 0, 3), Formal("i64", None, -1, 1), Formal("i64", None, 0, 3), of=_each(OF_RANK[rank]))
        yield call("shape", Formal("f64", rank), -1, of=_each(OF_RANK[rank]))
        yield call("length", Formal("f64", rank), of=_each(OF_RANK[rank]))
        yield call("reshape", Formal("f64", rank), Formal("i64", None, 1, 6), 1, of=_each(OF_RANK[rank]))
    yield call("slice", Formal("f64", 4), Formal("i64", None, 0, 1), Formal("i64", None, 1, 2), 2, of=_each(FOUR))
    yield call("gather", Formal("f64", 2), Formal("i64", None, -3, 2), of=_each(TWO))
    yield call("arange", Formal("i64", None, 0, 4), of=((),))
    for name in ("slice-bound", "slice-bound-down"):
        yield call(name, Formal("i64", None, -6, 6), Formal("i64", None, 0, 4), of=((), ()))
    yield call("round-digits", Formal("f64", None, -3000, 3000), Formal("i64", None, -4, 6), of=((), (), (), (), (), (), (), ()))
    yield call("range-length", Formal("i64", None, -4, 4), Formal("i64", None, -4, 4), Formal("i64", None, -2, 2), of=((), (), ()))
    for shape in ((2, 4, 5, 2), (1, 1, 1, 1), (0, 3, 3, 1), (1, 3, 2, 0)):
        yield call("patches", Formal("f64", 4), Formal("i64", None, 1, 2), Formal("i64", None, 1, 3), Formal("i64", None, 1, 2), 1, of=_each((shape,)))
    for name in ("key-uniform", "key-normal", "key-truncated-normal"):
        for dtype in ("f64", "f32"):
            yield call(name, Formal("i64", None, -9, 9), Formal("i64", None, 0, 9), 2, of=((),), leading=dtype)
            yield call(name, Formal("i64", None, -9, 9), of=((),), leading=dtype)
    yield call("fold-in", Formal("i64", None, -9, 9), Formal("i64", 0, -9, 9), of=(((),),))
    yield call("split-key", Formal("i64", 0, -9, 9), Formal("i64", None, 0, 5), of=(((),),))


# Operators that do not give numbers of numbers, and where they are tested.
ELSEWHERE = {
    **dict.fromkeys(("empty", "append", "write", "pop", "remove", "insert"), "tests/python/lists"),
    **dict.fromkeys(("uniform", "normal", "truncated-normal", "seed", "shuffle", "permutation"), "tests/python/jit/test_random.py, tests/python/eager/test_random.py: draws in order"),
    **dict.fromkeys(("read-vocabulary", "read-treebank", "read-idx", "read-npy", "read-npz", "read-csv", "read-word-vectors", "load-vocabulary", "save-parameters", "load-parameters", "save-checkpoint", "load-checkpoint", "progress"), "tests/python/data, tests/python/eager, tests/python/numeric: files"),
    **dict.fromkeys(("string", "format", "laid-out", "quoted", "join-strings"), "tests/python/staging/test_text.py: text"),
    **dict.fromkeys(hash_tables.BODIES, "tests/python/compile/test_program_semantics.py: slots"),
    **dict.fromkeys(texts.BODIES, "tests/python/lists/test_texts.py: parts of texts"),
    **dict.fromkeys(("solve", "inv", "det", "log-abs-det", "sign-of-det", "cholesky"), "tests/python/numeric/test_linear_algebra.py: matrices that have an answer"),
    "py-function": "tests/python/jit/test_py_function.py", "extern": "tests/python/jit/test_extern.py",
}
CALLS = list(dict.fromkeys([*elementwise(), *arrays()]))
