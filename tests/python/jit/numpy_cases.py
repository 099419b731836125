"""Calls of NumPy's functions and of arrays' methods: of a vector `v`, another one `w`, a matrix `m`, a float `s` and a whole number `n`."""
import numpy as np

UNARY = ("negative positive absolute sqrt square exp log tanh sin cos tan expm1 log1p log2 log10 exp2 cbrt arcsin arccos arctan sinh cosh arcsinh arccosh arctanh sign reciprocal isnan isinf isfinite invert "
         "logical_not sum prod mean max min argmax argmin all any var std count_nonzero ravel copy squeeze transpose shape ndim "
         "size zeros_like ones_like array asarray floor ceil trunc").split()
BINARY = ("add subtract multiply divide floor_divide remainder power hypot arctan2 logaddexp heaviside copysign maximum minimum equal not_equal less less_equal greater "
          "greater_equal bitwise_and bitwise_or bitwise_xor left_shift right_shift logical_and logical_or logical_xor divmod").split()
REDUCTIONS = "sum prod mean max min all any var std".split()

ON_ARRAYS = [
    *(f"np.{name}(v)" for name in UNARY),
    *(f"np.{name}({x})" for name in BINARY for x in ("v, w", "v, 2", "v, s", "v[0], v[1]")),
    *(f"np.{name}({x})" for name in REDUCTIONS for x in ("m", "m, axis=-1, keepdims=True", "v, 0", "m, axis=(0, 1)")),
    *(f"m.{name}({x})" for name in REDUCTIONS for x in ("", "0", "keepdims=True")),
    "np.isscalar(v)", "np.isscalar(v[0])", "(np.isscalar(s), np.isscalar(n), np.isscalar([s]))", "np.add(v, m)", "np.multiply(2.5, v)", "np.maximum(v[1], v)",
    "np.argmax(m, axis=0)", "np.argmin(m, 1)", "m.argmax()", "m.argmin(axis=0)", "v.argmax()",
    "np.add.reduce(m)", "np.multiply.reduce(v)", "np.maximum.reduce(m, axis=1)", "np.logical_or.reduce(m)",
    "np.sum(v, dtype=np.float64)", "np.mean(v, dtype=np.float64)", "np.var(m, ddof=1)", "np.std(v, ddof=1)", "np.count_nonzero(m, axis=0)",
    "np.linalg.norm(v)", "np.linalg.norm(m)", "np.linalg.norm(m, axis=1)", "np.linalg.norm(m, 'fro')", "np.linalg.norm(v, 1)",
    "np.dot(v, w)", "np.dot(m, v)", "np.dot(v, 2)", "np.dot(m, m.T)", "v.dot(w)", "m.dot(v)", "np.matmul(m, v)", "np.matmul(m, m.T)",
    "np.matmul(v, 2)", "np.inner(v, w)", "np.vdot(v, w)", "np.outer(v, w)", "np.inner(m, v)", "m @ v", "v @ w",
    "v + np.eye(3)", "v * np.eye(3, dtype=int)", "v @ np.identity(3, np.float32)", "np.where(np.eye(3, dtype=bool), v, 0)", "m * np.eye(2, 3)",
    *(f"v ** {exponent}" for exponent in ("1", "2", "3", "-1", "-2", "0.5", "-0.5", "1.5", "2.0")), "np.power(m, 2)", "n * v ** n",
    "np.transpose(m, (1, 0))", "np.transpose(m, (0, 1))", "m.T", "v.T", "m.transpose()", "m.transpose(1, 0)",
    "np.reshape(m, (3, 2))", "np.reshape(m, -1)", "np.reshape(v, (1, -1))", "m.reshape(-1)", "m.reshape(3, -1)", "m.reshape((6,))",
    "np.reshape(v, (n - 2, 3))", "m.reshape(-1, n - 1)", "m.ravel()", "m.flatten()", "m.copy()", "v.copy()",
    "v.astype(np.float64)", "v.astype(np.float32)", "v.astype(int)", "v.astype(bool)", "v.astype('int32')",
    "m.shape", "m.ndim", "m.size", "str(m.dtype)", "v.clip(0, 2)", "np.clip(v, -1, 1)", "np.clip(v, 0.5, 2)", "np.clip(v, None, 1)", "np.clip(v, s, w)",
    "np.where(v > 0, v, w)", "np.where(v > 0, v, 0)", "np.where(v, 1.0, 2)", "np.where(v > 0, n, s)", "np.where(n > 1, v, w)", "np.where(m > 0, v, 0.5)",
    "np.concatenate([v, w])", "np.concatenate((m, m), axis=1)", "np.concatenate((m, m), axis=-1)", "np.concatenate([m, v], axis=None)",
    "np.concatenate([v, np.ones(2)])", "np.concatenate([v > 0, w])", "np.stack([v, w])", "np.stack([v, w], axis=1)", "np.hstack([v, w])",
    "np.hstack([m, m])", "np.vstack([v, w])", "np.vstack([m, v])", "np.stack([v[0], 2, s])",
    "np.expand_dims(v, 0)", "np.expand_dims(m, -1)", "np.squeeze(v.reshape(1, 3))", "np.squeeze(v.reshape(3, 1), axis=1)", "np.squeeze(m, axis=0)",
    "np.full_like(v, 2)", "np.zeros_like(m, dtype=np.float64)", "np.size(m, 1)", "np.size(v)",
    "np.array([v[0], 1.5])", "np.array([[s, n], [1, 2]])", "np.array([v, w])", "np.array((v, w), dtype=np.float64)", "np.asarray(m)",
    "np.float32(v)", "np.float64(v[0])", "np.int64(v)", "np.bool_(v)",
    "np.add(v, w, dtype=np.float64)", "np.sum(m, axis=0, initial=1)", "np.sum(v, where=v > 0)", "np.mean(m, axis=2)", "np.sort(v)", "np.sort(m)", "np.argsort(v)", "np.argsort(v * 0)",
    "np.argsort(v, kind='stable')", "np.cumsum(v)", "np.cumsum(m, axis=1)", "np.flip(m)", "np.flip(v, 0)", "np.repeat(v, 2)", "np.repeat(m, n, axis=1)", "np.take(v, [2, 0])",
    "np.take(m, 1, axis=1)", "np.swapaxes(m, 0, 1)", "np.moveaxis(m, 0, -1)", "np.partition(v, 1)", "v.cumsum()", "v.tolist()", "v.item()", "np.maximum.accumulate(v)", "np.add.outer(v, w)", "np.einsum('i,i', v, w)", "np.where(v)",
    "np.sum(np.stack([m, m]), axis=(0, 2))", "np.mean(np.stack([m, m]), axis=(2, 0), keepdims=True)", "np.max(np.stack([m, m]), (1, -1))", "np.stack([m, m]).std(axis=(0, 1))",
    "np.argmax(m, axis=(0, 1))", "np.dot(m, np.stack([m.T, m.T]))", "np.stack([m, m], axis=1)[:, 0, 1:]", "np.stack([m, m])[..., 1]", "np.stack([m, m], -1).reshape(1, 2, 3, 2)[0, :, -1]",
    "np.tile(v, 2)", "np.tile(m, n)", "np.pad(v, 1)", "np.pad(m, ((0, 1), (2, n)))", "np.pad(v, (1, n), constant_values=7)", "np.pad(m, [[1], [0]], 'constant')", "np.pad(v, 1, mode='edge')", "np.split(v, 3)", "np.split(m, 2)", "np.split(m, 3, -1)", "np.split(v, [1])", "np.split(m, [1, n], axis=1)",
    "np.diff(v)", "np.diff(m)", "np.diff(m, axis=0)", "np.tril(m)", "np.triu(m, 1)", "np.tril(m, -1)", "np.trace(m)", "np.trace(m, 1)", "np.tril(v)", "np.diff(v, 2)",
    "np.round(v)", "np.round(v, 1)", "np.around(m, -1)", "np.rint(v)", "v.round()", "np.roll(v, 1)", "np.roll(m, n)", "np.roll(m, -1, axis=1)", "np.median(v)", "np.median(m)", "np.median(v[:2] + 2**62)", "np.searchsorted(np.array([1.0, np.nan, np.nan]), v)", "np.median(m, axis=0)",
    "np.searchsorted(np.sort(v), w)", "np.searchsorted(np.sort(v), s, side='right')", "np.interp(s, [0.0, 1.0, 2.0], [0.0, 2.0, 3.0])", "np.interp(w, [0.0, 1.0, 2.0], [0.0, 2.0, 3.0])",
    "np.interp(w, [0.0, 1.0], [s, n], left=-1.0, right=n)", "np.interp(s, [0.0], [1.0])", "v[[2, 0]]", "m[:, [0, 2]]", "m[[-1, 0], 1]", "v[[True, False, True]]", "m.tolist()", "v[0].tolist()",
    "np.diag(v)", "np.diag(m)", "np.diag(m.T)", "m.diagonal()", "np.diag(m, 1)", "np.stack([x for x in v])", "np.stack([x for x in m if x[0] == x[0]])", "np.stack([x for x in m], axis=-1)",
    "v + np.float64(2)", "v * np.int64(2)", "np.float32(0.1) * v", "v ** np.float64(2)", "v ** 0.5", "m ** 0.5", "np.nonzero(m)", "np.argwhere(v)", "np.flatnonzero(m)", "v[v > 1]", "m[m > n]", "m[[0, 1], [2, n - 3]]", "np.select([v > 1, v < 0], [v, w])", "np.select([v > 1], [v], n)", "np.bincount(v * v)",
    "np.unique(m)", "np.unique(np.concatenate([v, v, w]))", "np.mean(v, where=v > 0)", "np.sum(m, 1, where=m > 1)", "np.take_along_axis(m, np.array([[n - 1], [0]]), axis=1)", "np.compress([True, False, True], v)",
    "np.extract(m > 1, m)", "-v", "(v > 0) + (w > 0)", "(v > 0) * (w > 0)", "-(v > 0)",
    "np.cumprod(v)", "np.cumprod(m, axis=1)", "np.cumprod(m)", "v.cumprod()", "np.cross(v, w)", "np.cross(m, v)", "np.cross(v, m)",
    "np.append(v, w)", "np.append(v, s)", "np.append(m, m, axis=0)", "np.delete(v, 1)", "np.delete(m, -1, axis=1)", "np.delete(v, 3)",
    "np.column_stack([v, w])", "np.column_stack((m.T, v))", "np.dstack([v, w])", "np.dstack([m, m])", "np.atleast_1d(v)", "np.atleast_1d(v[0])",
    "np.atleast_2d(v)", "np.flipud(m)", "np.fliplr(m)", "np.pad(v, 2, mode='edge')", "np.pad(m, ((1, 0), (2, 3)), mode='reflect')",
    "np.pad(v, (2, 1), 'symmetric')", "np.pad(m, 1, mode='wrap')", "np.pad(m, 1, mode='mean')", "np.fmax(v, w)", "np.fmin(v, w)", "np.fabs(v)",
    "np.deg2rad(v)", "np.rad2deg(v)", "np.nan_to_num(v)", "np.nan_to_num(m, nan=1.0, posinf=2.0)", "np.isclose(v, w)", "np.isclose(v, v)",
    "np.allclose(v, v)", "np.allclose(v, w)", "np.ptp(v)", "np.ptp(m, axis=0)", "np.nansum(v)", "np.nansum(m, axis=1)", "np.nanmean(m)",
    "np.linalg.norm(v, np.inf)", "np.linalg.norm(v, -np.inf)", "np.linalg.norm(m, 1, axis=1)", "np.linalg.norm(m, 1)",
    "np.linalg.matrix_power(m[:, :2], 3)", "np.linalg.matrix_power(m[:, :2], 0)", "np.kron(v, w)", "np.kron(m, m)", "np.tensordot(m, m)",
    "np.tensordot(m, v, 1)", "np.tensordot(m, m, ([1], [1]))", "np.tensordot(v, w, 0)", "np.tensordot(m, m.T, (0, 1))", "np.convolve(v, w)",
    "np.convolve(v, w[:2], 'same')", "np.convolve(v[:2], w, 'same')", "np.convolve(v, w[:2], mode='valid')", "np.correlate(v, w)",
    "np.correlate(v, w[:2], 'full')", "np.polyval(v, s)", "np.polyval(v, w)", "np.polyval([1.0, 2.0], v)", "np.trapezoid(v)",
    "np.trapezoid(m, dx=0.5)", "np.trapezoid(v, w)", "np.percentile(v, 25)", "np.quantile(m, 0.9)", "np.quantile(v, 1.0)",
    "np.digitize(v, [0.0, 1.0, 2.0])", "np.digitize(v, [0.0, 1.0], right=True)", "np.digitize(s, [0.0, 1.0])", "np.arcsinh(v)", "np.arctanh(v / 10)",
    "np.arccosh(v)", "np.append([], v)", "np.r_[v, 1.0]",
    *(f"np.convolve(np.array([x for x in v if x == x]){part}, w{other}, '{mode}')" for part, other, mode in (("", "[:2]", "same"), ("[:2]", "", "same"), ("", "", "full"), ("[:1]", "", "valid"), ("[:0]", "", "full"))),
    "np.r_[0:3, m[0]]", "np.c_[v, w]",
    "np.concatenate([v * i for i in range(n)])", "np.concatenate([m[:1] * x for x in w])", "np.hstack([v for x in w])", "np.vstack([v * x for x in w])", "np.vstack([m for x in w if x > 0])", "np.concatenate([m for x in w], axis=1)", "np.concatenate([np.arange(i) for i in range(n)])", "np.r_[m, m]", "np.diag(m[:, :n - 1])", "np.diag(m[:n - 2])", "m.T[:n].diagonal()", "np.diag(m[m[:, 0] > 100])", "n in m[:n - 2]", "s not in m[:, :n]", "1 in m * s", "v in v", "v + 1 in v", "v in m", "m[0] in m", "m in m[0]",
    "np.concatenate([m * x for x in w], axis=-1)", "np.concatenate([m for x in w], axis=None)", "np.concatenate([m[:, :i] for i in range(n)], 1)", "np.concatenate([m[:i] for i in range(n)], axis=None)", "np.concatenate([v[:i] for i in range(n - 3)])",
    "np.array([[x * y for y in w] for x in v])", "np.array([[i * j for i in range(n)] for j in range(n)])", "np.array([[x @ y for y in m] for x in m])", "np.vstack([[x, x * s] for x in v])", "np.array([(i, s) for i in range(n)])", "np.sum([[x * i for i in range(n)] for x in v], axis=0)",
    "np.concatenate([[x] * (i + 1) for i, x in enumerate(v)])", "np.array([[[i, k] for i in range(n)] for k in range(2)], dtype=np.float32)", "np.array([[i] * i for i in range(n)])",
    "np.hstack([m[:, :i] for i in range(n)])", "np.hstack([v[:i] for i in range(n)])", "np.vstack([m[:i] for i in range(n)])", "np.column_stack([v * x for x in w])", "np.column_stack([m[:, :i] for i in range(n)])",
]
ON_NUMBERS = [
    *(f"np.{name}({x})" for name in UNARY for x in ("s", "n", "b")),
    *(f"np.{name}({x})" for name in BINARY for x in ("s, n", "n, 2", "b, n", "s > 0, b", "n, 0", "s, 0")),
    "np.zeros(n)", "np.ones((n, 2))", "np.zeros((2, n), dtype=np.float32)", "np.full(n, 2)", "np.full((n,), s)", "np.full(3, n)", "np.empty(n).shape", "np.arange(n)", "np.arange(1, n, 2)", "np.arange(s)",
    "np.eye(n)", "np.linspace(0, 1, n)", "np.linspace(0.0, s, 5)", "np.linspace(s, n, 1)", "np.linspace(s, n, 4, endpoint=False)", "np.linspace(s, 1, 3, dtype=np.float32)", "np.array([s, n])", "np.array(s)", "np.array([b, n])", "np.sum([s, n, 1])", "np.max([s, n])", "np.mean((n, 2))",
    "np.stack([s, 2.0])", "np.array([[s], [n]])", "np.array([])", "np.float32(s)", "np.float64(n)", "np.int64(s)", "np.int32(n)", "np.bool_(n)", "np.float32(s) * s",
    "np.exp(s) * np.float32(2)", "~np.less(s, n)", "np.add(s, n) / 0", "np.exp(1000.0 * s)", "np.sqrt(-s)", "np.log(n - n)",
    "np.where(n > 1, s, n)", "np.clip(s, 0, 1)", "np.clip(n, 0, 2)", "np.dot(s, n)", "np.isnan(s)", "np.hstack([s, n])", "np.random.normal(s)", "np.vectorize(abs)(s)",
]
DTYPES = [np.float32, np.int64, np.bool_, "special"]


def arrays(dtype):
    """(v, w, m) with elements of a dtype; "special": floats that are no ordinary numbers."""
    if dtype == "special":
        return np.array([np.nan, -0.0, np.inf]), np.array([0.0, -1.0, np.inf]), np.array([[np.inf, np.nan, -1.0], [0.0, -np.inf, 1e-300]])
    of = lambda *values: np.array(values, dtype)      # noqa: E731
    return of(1, -2, 4), of(2, 1, 1), np.array([[1, 0, 2], [3, 4, 5]], dtype)


def cases():
    """(a name, the call, the text of a function that makes it, its arguments) of each call, for each dtype."""
    for dtype in DTYPES:
        for number, call in enumerate(ON_ARRAYS):
            yield f"{getattr(dtype, '__name__', dtype)}_{number}", call, f"def f(v, w, m, s, n): return {call}", (*arrays(dtype), 2.5, 3)
    for number, call in enumerate(ON_NUMBERS):
        for arguments in ((2.5, 3, True), (-0.5, 2, False)):
            yield f"numbers_{number}", call, f"def f(s, n, b): return {call}", arguments


# What has no staged counterpart.
REFUSED = [
    "np.tril(v)",
    "np.arccos(b)", "np.arccosh(b)", "np.arcsin(b)", "np.arcsinh(b)", "np.arctan(b)", "np.arctan2(b, n)", "np.arctan2(s > 0, b)", "np.arctanh(b)", "np.cbrt(b)", "np.copysign(b, n)", "np.copysign(s > 0, b)",
    "np.cosh(b)", "np.exp2(b)", "np.heaviside(b, n)", "np.heaviside(s > 0, b)", "np.hypot(b, n)", "np.hypot(s > 0, b)", "np.log10(b)", "np.log2(b)",
    "np.logaddexp(b, n)", "np.logaddexp(s > 0, b)", "np.sinh(b)",
    "-(v > 0)", "np.absolute(b)", "np.add(v, w, dtype=np.float64)", "np.add.outer(v, w)", "np.argmax(m, axis=(0, 1))", "np.delete(v, 3)", "np.dot(m, np.stack([m.T, m.T]))", "np.linalg.norm(m, 1)",
    "np.arange(s)", "np.bitwise_and(s, 0)", "np.bitwise_and(s, n)", "np.bitwise_and(v, s)", "np.bitwise_or(s, 0)",
    "np.bitwise_or(s, n)", "np.bitwise_or(v, s)", "np.bitwise_xor(s, 0)", "np.bitwise_xor(s, n)", "np.bitwise_xor(v, s)", "np.cos(b)",
    "np.divmod(s > 0, b)", "np.exp(b)", "np.expm1(b)", "np.floor_divide(s > 0, b)", "np.invert(s)",
    "np.left_shift(s > 0, b)", "np.left_shift(s, 0)", "np.left_shift(s, n)", "np.left_shift(v, s)",
    "np.interp(s, [0.0], [1.0])", "np.isscalar(v[0])", "np.log(b)", "np.log1p(b)", "np.matmul(v, 2)", "np.maximum.accumulate(v)",
    "np.mean(m, axis=2)", "np.median(m, axis=0)", "np.negative(b)", "np.pad(m, 1, mode='mean')", "np.partition(v, 1)", "np.positive(b)", "np.power(s > 0, b)", "np.random.normal(s)",
    "np.reciprocal(b)", "np.reciprocal(n)", "np.remainder(s > 0, b)",
    "np.right_shift(s > 0, b)", "np.right_shift(s, 0)", "np.right_shift(s, n)", "np.right_shift(v, s)", "np.sign(b)", "np.sin(b)",
    "np.sort(m)", "np.sqrt(b)", "np.square(b)", "np.squeeze(m, axis=0)", "np.subtract(s > 0, b)", "np.sum(m, axis=0, initial=1)",
    "np.tan(b)", "np.tanh(b)", "np.vectorize(abs)(s)", "v.item()",
]
# What stops with an error of Python's numbers where NumPy's go on.
MAY_STOP = {"np.left_shift(v[0], v[1])": (ValueError,), "np.right_shift(v[0], v[1])": (ValueError,),      # by -2
            **dict.fromkeys(("np.argsort(v)", "np.argsort(v * 0)"), (AssertionError,))}     # where elements are equal
