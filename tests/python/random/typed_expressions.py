"""What the typed programs compute: one row for each way to apply an operator, by the type of its result.

f: a float; v: an array of 3 floats; m: of 3 × 3; k: of 2 × 3 × 3; i: an int; b: a bool; V: an array of 3 ints. A letter in braces is an
operand of that type. Domains are kept: what a logarithm is taken of is positive, what is divided by is not near zero.
"""

import re

from choices import Table

ROWS = {
    "f": """
        {f} + {f} | {f} - {f} | {f} * {f} | -{f} | {f} / (1.5 + lt.square({f})) | (lt.square({f}) + 0.5) ** 1.5 | {f} ** 2 | abs({f}) | {f} % 1.7 | {f} // 1.3
        lt.sin({f}) | lt.cos({f}) | lt.tan(lt.tanh({f})) | lt.tanh({f}) | lt.sigmoid({f}) | lt.exp(lt.tanh({f})) | lt.expm1(lt.sin({f}))
        lt.log(lt.square({f}) + 0.5) | lt.log1p(lt.square({f})) | lt.sqrt(lt.square({f}) + 0.3) | lt.square({f}) | lt.relu({f}) | lt.erf({f}) | lt.erfc({f}) | lt.rint(3 * {f}) | round({f}, 2) | lt.gelu({f})
        lt.log2(lt.square({f}) + 0.5) | lt.log10(lt.square({f}) + 0.5) | lt.cbrt(lt.square({f}) + 0.5) | lt.asin(lt.tanh({f}) * 0.9) | lt.acos(lt.tanh({f}) * 0.9)
        lt.atan({f}) | lt.sinh(lt.tanh({f})) | lt.cosh(lt.tanh({f})) | lt.asinh({f}) | lt.acosh(1.5 + lt.square({f})) | lt.atanh(lt.tanh({f}) * 0.9) | lt.hypot({f}, 0.5 + lt.square({f})) | lt.atan2({f}, 0.5 + lt.square({f}))
        lt.softplus({f}) | lt.leaky_relu({f}, 0.1) | lt.elu({f}, 0.7) | lt.clip({f}, -0.8, 0.9) | lt.sign({f}) | max({f}, {f}) | min({f}, {f})
        lt.maximum({f}, {f}) | lt.minimum({f}, {f}) | lt.where({b}, {f}, {f}) | ({f} if {b} else {f}) | float({i}) | lt.item(lt.sum({v}))
        lt.sum({v}) | lt.mean({v}) | lt.prod(lt.tanh({v})) | lt.max({v}) | lt.min({v}) | lt.logsumexp({v}) | lt.norm({v}) | lt.sum({m}) | lt.mean({m})
        lt.max({m}) | lt.norm({m}) | lt.logsumexp({m}) | lt.dot({v}, {v}) | {v} @ {v} | {v}[{place}] | {m}[{place}, {place}] | {m}[{place}][{place}]
        lt.cross_entropy({v}, {class}) | lt.einsum("i,i->", {v}, {v}) | lt.sum({k}) | lt.sum(lt.square({m} - {m})) | float({b})
        lt.sum(lt.avg_pool(lt.reshape({m}, (1, 3, 3, 1)), 2)) | lt.sum(lt.max_pool(lt.reshape({k}, (2, 3, 3, 1)), 2, 1))
    """,
    "v": """
        {v} + {v} | {v} - {v} | {v} * {v} | {v} * {f} | {f} - {v} | -{v} | {v} / (1.5 + lt.square({v})) | (lt.square({v}) + 0.5) ** 1.5 | {v} ** 2 | abs({v}) | {v} % 1.7
        lt.sin({v}) | lt.cos({v}) | lt.tan(lt.tanh({v})) | lt.tanh({v}) | lt.sigmoid({v}) | lt.exp(lt.tanh({v})) | lt.expm1(lt.sin({v}))
        lt.log(lt.square({v}) + 0.5) | lt.log1p(lt.square({v})) | lt.sqrt(lt.square({v}) + 0.3) | lt.square({v}) | lt.relu({v}) | lt.erf({v}) | lt.erfc({v}) | lt.rint(3 * {v}) | lt.gelu({v})
        lt.log2(lt.square({v}) + 0.5) | lt.log10(lt.square({v}) + 0.5) | lt.cbrt(lt.square({v}) + 0.5) | lt.asin(lt.tanh({v}) * 0.9) | lt.acos(lt.tanh({v}) * 0.9)
        lt.atan({v}) | lt.sinh(lt.tanh({v})) | lt.cosh(lt.tanh({v})) | lt.asinh({v}) | lt.acosh(1.5 + lt.square({v})) | lt.atanh(lt.tanh({v}) * 0.9) | lt.hypot({v}, 0.5 + lt.square({f})) | lt.atan2({v}, 0.5 + lt.square({f}))
        lt.softplus({v}) | lt.leaky_relu({v}, 0.1) | lt.elu({v}, 0.7) | lt.clip({v}, -0.8, 0.9) | lt.sign({v}) | lt.maximum({v}, {v}) | lt.minimum({v}, {f})
        lt.where({v} > {v}, {v}, {v}) | lt.where({b}, {v}, {v}) | lt.softmax({v}) | lt.log_softmax({v}) | lt.cumsum({v}) | lt.flip({v}) | lt.sort({v})
        {m} @ {v} | {v} @ {m} | lt.matmul({m}, {v}) | lt.sum({m}, axis={axis}) | lt.mean({m}, axis={axis}) | lt.max({m}, axis={axis})
        lt.min({m}, axis={axis}) | lt.prod(lt.tanh({m}), axis={axis}) | lt.logsumexp({m}, axis={axis}) | lt.norm({m}, axis={axis}) | {m}[{place}] | {m}[:, {place}]
        lt.concat({v}, {v})[{class}:][:3] | lt.split(lt.concat({v}, {v}), 2)[1] | lt.reshape({m}, (9,))[2:5] | lt.gather({m}, {place}) | {v}[::-1]
        lt.take({v}, {V}) | lt.repeat({f} * lt.ones(1), 3, 0) | lt.zeros(3) + {f} | lt.full(3, 0.5) * {v} | lt.zeros_like({v}) + {v} | lt.ones_like({v}) * {f}
        lt.pad({v}, 1, 1)[:3] | lt.tile({v}, 2)[1:4] | lt.einsum("ij,j->i", {m}, {v}) | lt.stack([{f}, {f}, {f}])
        lt.sum({k}, axis=0)[{place}] | lt.one_hot({class}, 3) * {f} | lt.top_k({v}, 3)[0] | lt.cast({V}, lt.f64) * {v} | lt.expand_dims({v}, 0)[0]
        lt.squeeze({m}[0:1], 0) | lt.sum({m} * {v}, axis=1) | lt.eye(3)[{place}] * {v} | {v}[{V}] | {m}[{V}, {place}] | {m}[{place}, {V}]
        lt.scatter({v}, {V}, {v}) | lt.scatter_add({v}, {V}, {v})
    """,
    "m": """
        {m} + {m} | {m} * {m} | {m} * {f} | {m} + {v} | {m} - lt.reshape({v}, (3, 1)) | {m} @ {m} | lt.outer({v}, {v}) | lt.transpose({m}) | {m}.T | lt.tanh({m})
        lt.sigmoid({m}) | lt.relu({m}) | lt.softmax({m}) | lt.log_softmax({m}) | lt.cumsum({m}, {axis}) | lt.flip({m}, {axis}) | lt.stack([{v}, {v}, {v}])
        lt.stack([{v}, {v}, {v}], axis=1) | lt.concat({m}[:2], {m}[2:]) | lt.concat({m}[:, :1], {m}[:, 1:], axis=1) | lt.reshape({m}, (3, 3)) | lt.swapaxes({m}, 0, 1)
        lt.permute({m}, (1, 0)) | lt.moveaxis({m}, 0, 1) | lt.take({m}, {V}, axis={axis}) | lt.where({m} > {f}, {m}, {v}) | lt.eye(3) * {f} | lt.einsum("ij,jk->ik", {m}, {m})
        lt.einsum("ij,kj->ik", {m}, {m}) | lt.einsum("i,j->ij", {v}, {v}) | lt.repeat(lt.reshape({v}, (1, 3)), 3, axis=0) | lt.tile(lt.reshape({v}, (1, 3)), 3)
        lt.pad({m}, 1, 1, axis={axis})[:3, :3] | {k}[{half}] | lt.sum({k}, axis=0) | lt.mean({k}, axis=0) | lt.maximum({m}, {v}) | lt.clip({m}, -0.7, 0.8)
        lt.exp(lt.tanh({m})) | {m} / (1.5 + lt.square({m})) | lt.embedding({m}, {V}) | lt.sqrt(lt.square({m}) + 0.2) | lt.split(lt.concat({m}, {m}), 2)[{half}]
        {m}[{V}] | {m}[:, {V}] | lt.scatter({m}, {V}, {m}) | lt.scatter_add({m}, {V}, {m})
    """,
    "k": """
        lt.stack([{m}, {m}]) | {k} * {f} | lt.matmul({k}, {m}) | lt.matmul({m}, {k}) | lt.tanh({k}) | {k} + {v} | lt.permute({k}, (0, 2, 1)) | lt.matmul({k}, {k})
        lt.reshape(lt.concat({m}, {m}), (2, 3, 3)) | lt.softmax({k})
    """,
    "i": """
        {i} + 1 | {i} * 2 | {i} % 3 | {i} // 2 | -{i} | abs({i}) | max({i}, 1) | {i} & 3 | {i}|{i} | {i} ^ 1 | ~{i} | {i} << 1 | {i} >> 1 | int({f}) | int({b}) | len({v}) | ({i} if {b} else 2)
        lt.argmax({v}) | lt.argmin({v}) | lt.argmax({m})
    """,
    "b": """
        {f} > {f} | {f} <= {f} | {i} < 2 | {i} == 1 | {i} != 0 | {b} and {b} | {b} or {b} | not {b} | {f} < {f} < {f} | lt.sum({v}) >= 0.1 | {i} % 2 == 0 | {i} in (0, 2)
    """,
    "V": """
        lt.argsort({v}) | lt.argmax({m}, axis={axis}) | lt.argmin({m}, axis={axis}) | lt.arange(3) | lt.top_k({v}, 3)[1] | lt.cast({v} > 0.0, lt.i64) | lt.argsort({m}[{place}], True)
    """,
}
LITERALS = {"f": ("0.5", "-0.7", "1.3", "0.25"), "v": ("lt.constant([0.4, -0.6, 0.9])", "lt.ones(3)"), "i": ("0", "1", "2", "3"), "b": ("True", "False"),
            "m": ("lt.eye(3)", "lt.full((3, 3), 0.3)"), "k": ("lt.full((2, 3, 3), 0.4)",), "V": ("lt.arange(3)",)}
HOLE = re.compile(r"\{(\w+)\}")


def _rows(text):
    """The templates of a type: ` | ` or a line's end stands between two, but not within brackets."""
    return [row.strip() for line in text.strip().splitlines() for row in line.split(" | ")]


TABLES = {type_: Table(type_, **dict.fromkeys(_rows(text), 1)) for type_, text in ROWS.items()}


class Expressions:
    """Draws expressions over the variables of a scope: {name: type}."""

    def __init__(self, choices):
        self.choices = choices

    def of(self, type_, scope, depth=3):
        """The text of an expression of a type, in brackets where it needs them."""
        choices = self.choices
        names = [name for name, of in scope.items() if of == type_]
        if depth <= 0 or choices.chance(0.25):
            return choices.one(names) if names and choices.chance(0.9) else choices.one(LITERALS[type_])
        template = choices.construct(TABLES[type_])
        text = HOLE.sub(lambda hole: self._filled(hole[1], scope, depth - 1), template)
        return f"({text})"

    def _filled(self, hole, scope, depth):
        if hole == "class":
            return self.choices.one(("0", "1", "2"))
        if hole == "place":
            return self.choices.one(("0", "1", "2", "-1"))
        if hole in ("axis", "half"):
            return self.choices.one(("0", "1"))
        return self.of(hole, scope, depth)

    def bounded(self, type_, scope, depth=3):
        """As `of`; floats not far from zero, so that nothing grows without bounds."""
        text = self.of(type_, scope, depth)
        return f"lt.tanh({text})" if type_ in "fvmk" and self.choices.chance(0.6) else text
