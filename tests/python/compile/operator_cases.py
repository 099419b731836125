"""One small program for each way that an operator carries a gradient.

A formal's dimensions are written as its type has them and how long they are: "3" is known to be 3, "?3" is 3 when the
program runs, "n3" is the named dimension n. "" is an array of rank 0, None a plain f64.
"""
import dataclasses
import math

import numpy as np


@dataclasses.dataclass
class Case:
    name: str
    expression: str          # over the formals
    reference: object        # the same in NumPy
    formals: dict            # name → dimensions
    low: float = -2.0
    high: float = 2.0
    definitions: str = ""    # other items that the expression speaks of

    def shape(self, formal):
        dims = self.formals[formal]
        return None if dims is None else tuple(int(dim.lstrip("?nm")) for dim in dims.split())

    def type(self, formal):
        dims = self.formals[formal]
        return "f64" if dims is None else f"(tensor f64 {' '.join(_declared(dim) for dim in dims.split())})"

    def values(self, seed):
        draw = np.random.default_rng(seed)
        return [draw.uniform(self.low, self.high, self.shape(formal)) if self.shape(formal) is not None
                else float(draw.uniform(self.low, self.high)) for formal in self.formals]

    def result_shape(self):
        return np.shape(self.reference(*self.values(0)))

    def program(self):
        """loss = Σ w·y, so that a gradient takes every entry of y apart."""
        typed = " ".join(f"({formal} {self.type(formal)})" for formal in self.formals)
        names = " ".join(self.formals)
        weights = " ".join("?" for _ in self.result_shape())
        return f"""{self.definitions}
(define case_{self.name} ((w (tensor f64 {weights})) {typed}) (sum (* w {self.expression})))
(define case_{self.name}_grad ((w (tensor f64 {weights})) {typed}) (value-and-grad case_{self.name} (wrt {names}) w {names}))
(export case_{self.name}_grad)
"""


def _declared(dim):
    return dim[0] if dim[0] in "?nm" else dim


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _erf(x):
    return np.vectorize(math.erf)(x)


def _softmax(x):
    e = np.exp(x - np.max(x))
    return e / e.sum()


def _logsumexp(a, axis=None):
    return np.log(np.sum(np.exp(a), axis))


def _clip(a, low, high):
    return np.minimum(np.maximum(a, low), high)


# Shapes of the two operands of an elementwise operation.
PAIRS = {
    "ss": (None, None), "s0": (None, ""), "00": ("", ""), "vs": ("4", None), "sv": (None, "?4"), "v0": ("?4", ""),
    "vv": ("4", "4"), "uu": ("?4", "?4"), "nn": ("n4", "n4"), "uv": ("?4", "4"), "nm": ("n4", "m4"),
    "v1": ("4", "1"), "1v": ("?1", "?4"), "n1": ("n1", "m3"), "mv": ("3 4", "4"), "vm": ("?4", "?3 ?4"), "mm": ("?2 3", "2 ?3"),
    "rc": ("1 4", "3 1"), "uc": ("?1 ?4", "?3 ?1"), "m1": ("3 4", "3 1"), "1m": ("?1", "3 4"), "m0": ("3 4", ""),
    "sm": (None, "?3 ?4"),
}
BINARY = {
    "+": ("add", np.add, -2, 2), "-": ("subtract", np.subtract, -2, 2), "*": ("multiply", np.multiply, -2, 2),
    "/": ("divide", np.divide, 0.5, 2), "%": ("modulo", lambda a, b: np.mod(a, b), 0.5, 2),
    "**": ("power", np.power, 0.5, 2), "maximum": ("maximum", np.maximum, -2, 2), "minimum": ("minimum", np.minimum, -2, 2),
    "hypot": ("hypot", np.hypot, -2, 2), "atan2": ("atan2", np.arctan2, 0.2, 2),
    "leaky_relu": ("leaky_relu", lambda a, b: np.where(a > 0, a, a * b), -2, 2),
    "elu": ("elu", lambda a, b: np.where(a > 0, a, b * np.expm1(a)), -2, 2),
}
UNARY = {
    "neg": (np.negative, -2, 2), "abs": (np.abs, -2, 2), "sqrt": (np.sqrt, 0.5, 2), "square": (np.square, -2, 2),
    "exp": (np.exp, -2, 2), "log": (np.log, 0.5, 2), "tanh": (np.tanh, -2, 2), "sigmoid": (sigmoid, -2, 2),
    "relu": (lambda x: np.maximum(x, 0), -2, 2), "sin": (np.sin, -2, 2), "cos": (np.cos, -2, 2),
    "tan": (np.tan, -1.2, 1.2), "expm1": (np.expm1, -2, 2), "log1p": (np.log1p, -0.5, 2), "erf": (_erf, -2, 2), "erfc": (lambda x: 1 - _erf(x), -2, 2),
    "log2": (np.log2, 0.5, 2), "log10": (np.log10, 0.5, 2), "cbrt": (np.cbrt, 0.5, 2), "asin": (np.arcsin, -0.8, 0.8), "acos": (np.arccos, -0.8, 0.8),
    "atan": (np.arctan, -2, 2), "sinh": (np.sinh, -2, 2), "cosh": (np.cosh, -2, 2),
    "asinh": (np.arcsinh, -2, 2), "acosh": (np.arccosh, 1.5, 3), "atanh": (np.arctanh, -0.8, 0.8),
    "softplus": (lambda x: np.log(1 + np.exp(x)), -2, 2), "gelu": (lambda x: x * (1 + _erf(x / np.sqrt(2))) / 2, -2, 2),
}


def elementwise():
    for operator, (name, reference, low, high) in BINARY.items():
        pairs = PAIRS if operator in "*/" else {key: PAIRS[key] for key in ("ss", "sv", "v0", "uu", "mv", "rc")}
        for key, (a, b) in pairs.items():
            yield Case(f"{name}_{key}", f"({operator} a b)", reference, {"a": a, "b": b}, low, high)
    for operator, (reference, low, high) in UNARY.items():
        for key, dims in {"s": None, "v": "4", "m": "?3 ?2"}.items():
            yield Case(f"{operator}_{key}", f"({operator} a)", reference, {"a": dims}, low, high)


def arrays():
    def case(name, expression, reference, low=-2, high=2, **formals):
        return Case(name, expression, reference, formals, low, high)

    yield case("as_key", "(* (as-key a) (as-key (* a b)))", lambda a, b: a * (a * b), a=None, b=None)
    yield case("matmul_11", "(matmul a b)", np.matmul, a="4", b="?4")
    yield case("matmul_21", "(matmul a b)", np.matmul, a="3 4", b="4")
    yield case("matmul_21_unknown", "(matmul a b)", np.matmul, a="?3 ?4", b="?4")
    yield case("matmul_12", "(matmul a b)", np.matmul, a="?4", b="4 3")
    yield case("matmul_22", "(matmul a b)", np.matmul, a="n3 ?4", b="4 m2")
    yield case("matmul_of_flat", "(matmul (reshape a 3 8) b)", lambda a, b: a.reshape(3, 8) @ b, a="3 ?2 4", b="8")
    yield case("matmul_31", "(matmul a b)", np.matmul, a="2 3 4", b="4")
    yield case("matmul_31_unknown", "(matmul a b)", np.matmul, a="?2 n3 ?4", b="?4")
    yield case("matmul_41", "(matmul a b)", np.matmul, a="2 ?1 3 2", b="2")
    yield case("matmul_31_empty", "(matmul a b)", np.matmul, a="?2 ?3 ?0", b="?0")
    yield case("bilinear", "(matmul (matmul a b) b)", lambda a, b: a @ b @ b, a="?2 3 3", b="3")
    yield case("matmul_twice", "(matmul a (matmul a b))", lambda a, b: a @ (a @ b), a="3 3", b="3")
    yield case("matmul_squared", "(matmul a a)", lambda a: a @ a, a="?3 ?3")
    yield case("matmul_self", "(matmul a a)", lambda a: a @ a, a="5")
    yield case("outer", "(outer a b)", np.outer, a="3", b="?4")
    yield case("outer_self", "(outer a a)", lambda a: np.outer(a, a), a="3")
    yield case("transpose", "(transpose a)", np.transpose, a="?3 4")
    yield case("transpose_product", "(matmul (transpose a) a)", lambda a: a.T @ a, a="?3 4")
    yield case("sum_v", "(sum a)", np.sum, a="4")
    yield case("sum_m", "(sum a)", np.sum, a="?3 ?4")
    yield case("mean_v", "(mean a)", np.mean, a="?4")
    yield case("mean_m", "(mean a)", np.mean, a="3 4")
    yield case("max_v", "(max a)", np.max, a="5")
    for name, reference in {"sum": np.sum, "mean": np.mean, "prod": np.prod, "max": np.max, "min": np.min, "logsumexp": _logsumexp,
                            "norm": lambda a, axis=None: np.sqrt(np.sum(a * a, axis))}.items():
        yield case(f"{name}_all", f"({name} a)", reference, a="?3 4")
        yield case(f"{name}_of_rank_0", f"({name} a)", reference, a="")
        yield case(f"{name}_of_a_number", f"({name} a)", reference, a=None)
        yield case(f"{name}_line", f"({name} a 0)", lambda a, f=reference: f(a, 0), a="?4")
        for axis in (0, 1, -1):
            yield case(f"{name}_axis_{axis % 3}", f"({name} a {axis})", lambda a, f=reference, k=axis: f(a, k), a="?2 3")
    for axis in (0, 1, -1):
        yield case(f"flip_{axis % 3}", f"(flip a {axis})", lambda a, k=axis: np.flip(a, k), a="?2 3")
        yield case(f"cumsum_{axis % 3}", f"(cumsum a {axis})", lambda a, k=axis: np.cumsum(a, k), a="2 ?3")
        yield case(f"repeat_{axis % 3}", f"(repeat a 3 {axis})", lambda a, k=axis: np.repeat(a, 3, k), a="?2 ?3")
    yield case("cumsum_cube", "(cumsum (reshape a 2 3 2) 1)", lambda a: a.reshape(2, 3, 2).cumsum(1), a="12")
    yield case("repeat_cube", "(repeat (reshape a 2 3 2) 2 1)", lambda a: a.reshape(2, 3, 2).repeat(2, 1), a="12")
    yield case("flip_cube", "(flip (reshape a 2 3 2) 1)", lambda a: np.flip(a.reshape(2, 3, 2), 1), a="12")
    yield case("swap_axes", "(swap-axes a 0 -1)", lambda a: a.T, a="?2 3")
    yield case("swap_axes_of_a_cube", "(swap-axes (reshape a 2 3 2) 2 1)", lambda a: a.reshape(2, 3, 2).swapaxes(1, 2), a="12")
    yield case("take", "(take a (- (* 2 (arange 3)) 1))", lambda a: a[[-1, 1, 3]], a="?4")
    yield case("take_twice_the_same", "(take a (// (arange 5) 2))", lambda a: a[[0, 0, 1, 1, 2]], a="?3 2")
    yield case("with_item", "(with-item a -2 (index b 1))", lambda a, b: np.array([*a[:-2], b[1], a[-1]]), a="?5", b="3")
    yield case("with_row", "(with-item a 1 b)", lambda a, b: np.stack([a[0], b, *a[2:]]), a="?4 3", b="3")
    yield case("with_item_of_a_matrix", "(with-item a 0 -1 (index b 1))", lambda a, b: np.concatenate([[[*a[0][:-1], b[1]]], a[1:]]), a="?4 3", b="3")
    yield case("with_item_of_a_cube", "(with-item (reshape a 2 3 2) 1 0 1 (index b 1))", lambda a, b: np.reshape([*a[:7], b[1], *a[8:]], (2, 3, 2)), a="?12", b="3")
    yield case("with_slice", "(with-slice a 1 b)", lambda a, b: np.array([a[0], *b, *a[4:]]), a="?5", b="3")
    yield case("with_slice_axis_1", "(with-slice (reshape a 2 3 2) 1 (reshape b 2 1 2) 1)", lambda a, b: np.concatenate([a.reshape(2, 3, 2)[:, :1], b.reshape(2, 1, 2), a.reshape(2, 3, 2)[:, 2:]], 1), a="?12", b="?4")
    yield case("with_slice_last_axis", "(with-slice a 0 b -1)", lambda a, b: np.concatenate([b, a[:, 2:]], 1), a="?2 ?3", b="2 ?2")
    yield case("scatter", "(scatter a (// (arange 5) 2) x)", lambda a, x: 0 * a + x[[1, 3, 4]], a="?3 2", x="5 2")
    yield case("scatter_add", "(scatter-add a (// (arange 5) 2) x)", lambda a, x: a + np.stack([x[0] + x[1], x[2] + x[3], x[4]]), a="?3 2", x="5 2")
    yield case("argsort_ascending", "(take a (argsort a false))", np.sort, a="?5")
    yield case("argsort_descending", "(take a (argsort a true))", lambda a: -np.sort(-a), a="5")
    stacks = {"33": ((2, 2, 3), (2, 3, 2)), "32": ((2, 2, 3), (3, 4)), "23": ((4, 3), (2, 3, 2)), "one": ((1, 4, 3), (2, 3, 2)), "31": ((2, 2, 3), (3,)),
              "13": ((3,), (2, 3, 2)), "44": ((2, 1, 2, 3), (1, 2, 3, 2)), "43": ((2, 1, 2, 3), (2, 3, 2)), "24": ((4, 3), (2, 1, 3, 2)), "42": ((2, 1, 2, 3), (3, 4)),
              "41": ((2, 1, 2, 3), (3,)), "14": ((3,), (2, 1, 3, 2))}
    for ranks, (shape_a, shape_b) in stacks.items():
        (left, take_a), (right, take_b) = _shaped("a", shape_a), _shaped("b", shape_b)
        yield case(f"matmul_of_stacks_{ranks}", f"(matmul {left} {right})", lambda a, b, f=take_a, g=take_b: np.matmul(f(a), g(b)), a="12", b="?12")
    for axis, part in {1: np.s_[:, 1:3], -1: np.s_[:, :, 1:2]}.items():
        yield case(f"slice_axis_{axis % 3}", f"(slice (reshape a 2 3 2) 1 {3 if axis == 1 else 2} {axis})", lambda a, k=part: a.reshape(2, 3, 2)[k], a="12")
        yield case(f"concat_along_{axis % 3}", f"(concat-along {axis} (reshape a 1 3 2) (reshape b 1 3 2) (reshape a 1 3 2))",
                   lambda a, b, k=axis: np.concatenate([a.reshape(1, 3, 2), b.reshape(1, 3, 2), a.reshape(1, 3, 2)], k), a="6", b="?6")
    yield case("concat_along_of_unequal", "(concat-along 1 a b)", lambda a, b: np.concatenate([a, b], 1), a="2 ?3", b="?2 2")
    for name, (height, width, down, across) in {"single": (1, 1, 1, 1), "square": (2, 2, 2, 2), "overlapping": (2, 3, 1, 2), "with_gaps": (1, 2, 3, 1)}.items():
        yield case(f"patches_{name}", f"(patches (reshape a 2 4 5 2) {height} {width} {down} {across})",
                   lambda a, w=(height, width, down, across): _windows(a.reshape(2, 4, 5, 2), *w), a="80")
    for dims, kind in {"": "rank_0", None: "a_number"}.items():
        yield case(f"argmax_of_{kind}", "(* a (+ 1 (argmax a)))", lambda a: a, a=dims)
    yield case("prod_of_a_zero", "(prod (* a (full f64 0.0 1)))", lambda a: np.prod(a * 0.0), a="1")
    yield case("sum_cube", "(sum (reshape a 2 3 2) 1)", lambda a: a.reshape(2, 3, 2).sum(1), a="12")
    yield case("max_cube", "(max (reshape a 2 3 2) 1)", lambda a: a.reshape(2, 3, 2).max(1), a="12")
    yield case("softmax_m", "(softmax a)", lambda a: np.exp(a) / np.exp(a).sum(-1, keepdims=True), a="?2 3")
    yield case("log_softmax_m", "(log_softmax a)", lambda a: a - np.log(np.exp(a).sum(-1, keepdims=True)), a="2 ?3")
    yield case("softmax", "(softmax a)", _softmax, a="5")
    yield case("log_softmax", "(log_softmax a)", lambda a: np.log(_softmax(a)), a="?5")
    yield case("cross_entropy", "(cross_entropy a 2)", lambda a: -np.log(_softmax(a))[2], a="5")
    yield case("cross_entropy_of_rows", "(cross_entropy a (- 3 (arange 3)))", lambda a: -np.log(np.exp(a) / np.exp(a).sum(-1, keepdims=True))[[0, 1, 2], [3, 2, 1]], a="?3 4")
    yield case("concat_2", "(concat a b)", lambda a, b: np.concatenate([a, b]), a="2", b="3")
    yield case("concat_3", "(concat a b a)", lambda a, b: np.concatenate([a, b, a]), a="?2", b="?3")
    yield case("concat_m", "(concat a b)", lambda a, b: np.concatenate([a, b]), a="2 3", b="?1 3")
    yield case("stack_v", "(stack a b a)", lambda a, b: np.stack([a, b, a]), a="3", b="?3")
    yield case("stack_s", "(stack a b a)", lambda a, b: np.stack([a, b, a]), a=None, b=None)
    yield case("stack_0", "(stack a b)", lambda a, b: np.stack([a, b]), a="", b="")
    yield case("slice_v", "(slice a 1 3)", lambda a: a[1:3], a="5")
    yield case("slice_m", "(slice a 1 3)", lambda a: a[1:3], a="?4 ?2")
    yield case("slice_overlapping", "(* (slice a 0 3) (slice a 1 4))", lambda a: a[0:3] * a[1:4], a="4")
    yield case("index_v", "(index a 2)", lambda a: a[2], a="4")
    yield case("index_negative", "(index a -1)", lambda a: a[-1], a="?4")
    yield case("index_m", "(index a 1)", lambda a: a[1], a="?3 ?2")
    yield case("index_twice", "(* (index a 1) (index a -2))", lambda a: a[1] * a[-2], a="3 2")
    yield case("gather", "(gather a 1)", lambda a: a[1], a="3 2")
    yield case("gather_twice", "(* (gather a 1) (+ (gather a 1) (gather a 0)))", lambda a: a[1] * (a[1] + a[0]), a="?3 ?2")
    yield case("reshape", "(reshape a 2 3)", lambda a: a.reshape(2, 3), a="6")
    yield case("reshape_m", "(reshape a 6)", lambda a: a.reshape(6), a="?2 ?3")
    yield case("reshape_3", "(reshape a 1 3 2)", lambda a: a.reshape(1, 3, 2), a="2 3")
    yield case("full", "(full f64 a 2 3)", lambda a: np.full((2, 3), a), a=None)
    yield case("full_v", "(* b (full f64 a (length b)))", lambda a, b: a * b, a=None, b="?3")
    yield case("like_of_a_number", "(* b (like a b))", lambda a, b: a * b, a=None, b="?3 ?2")
    yield case("like_of_rows", "(* b (like a b))", lambda a, b: a * b, a="2", b="3 2")
    yield case("where_vv", "(where (> a b) a b)", np.maximum, a="4", b="?4")
    yield case("where_vs", "(where (> a 0) a b)", lambda a, b: np.where(a > 0, a, b), a="4", b=None)
    yield case("where_ms", "(where (> a 0) (* a b) b)", lambda a, b: np.where(a > 0, a * b, b), a="?3 ?4", b="?4")
    yield case("where_condition", "(where (> b 0) a (neg a))", lambda a, b: np.where(b > 0, a, -a), a=None, b="?3 2")
    yield case("clip_s", "(clip a b c)", _clip, a=None, b=None, c=None)
    yield case("clip_vs", "(clip a -0.5 1.0)", lambda a: np.clip(a, -0.5, 1), a="?6")
    yield case("clip_mvs", "(clip a b c)", _clip, a="?3 ?4", b="4", c=None)
    yield case("where_s", "(where (> a b) (* a b) (- a b))", lambda a, b: a * b if a > b else a - b, a=None, b=None)
    yield case("cast", "(* (cast f64 a) a)", lambda a: a * a, a="3")
    yield case("item", "(* (item (sum a)) a)", lambda a: a.sum() * a, a="3")
    yield case("item_0", "(* (item a) (item a))", lambda a: a * a, a="")


def _shaped(name, shape):
    """The first elements of a vector of twelve, in a shape: in the language and in NumPy."""
    size = math.prod(shape)
    return f"(reshape (slice {name} 0 {size}) {' '.join(map(str, shape))})", lambda x: x[:size].reshape(shape)


def _windows(images, height, width, down, across):
    """Windows of images one by one, as a convolution takes them."""
    n, h, w, c = images.shape
    rows, columns = (h - height) // down + 1, (w - width) // across + 1
    result = np.zeros((n, rows, columns, height * width, c))
    for y in range(rows):
        for x in range(columns):
            window = images[:, y * down:y * down + height, x * across:x * across + width]
            result[:, y, x] = window.reshape(n, height * width, c)
    return result


CASES = [*elementwise(), *arrays()]
