"""The functions of lantern.rearranging: eager and compiled, each is NumPy's, and a gradient goes through those that have one."""
import numpy as np
import pytest
from compiled_table import Table

import lantern as lt

# lt's expression, NumPy's (the same where it is None); v: [5], m: [3,4], c: [2,3,2], i: [3] of i64, n: 2.
EXPRESSIONS = {
    "lt.swapaxes(c, 0, 2)": "np.swapaxes(c, 0, 2)", "lt.permute(c, (2, 0, 1))": "np.transpose(c, (2, 0, 1))",
    "lt.permute(c, (1, 2, 0))": "np.transpose(c, (1, 2, 0))", "lt.moveaxis(c, 0, -1)": "np.moveaxis(c, 0, -1)",
    "lt.moveaxis(c, 2, 0)": "np.moveaxis(c, 2, 0)", "lt.expand_dims(v, 0)": "np.expand_dims(v, 0)", "lt.expand_dims(v, -1)": "np.expand_dims(v, -1)",
    "lt.expand_dims(m, 1)": "np.expand_dims(m, 1)", "lt.squeeze(lt.expand_dims(m, 1), 1)": "m", "lt.squeeze(lt.expand_dims(v[0], 0), 0)": "v[0]",
    "lt.flip(m)": "np.flip(m)", "lt.flip(c, 1)": "np.flip(c, 1)", "lt.flip(v)": "v[::-1]",
    "lt.concat(m, m, axis=1)": "np.concatenate([m, m], 1)", "lt.concat([c, c], axis=-1)": "np.concatenate([c, c], -1)",
    "lt.concat([v * k for k in range(n)])": "np.concatenate([v * 0, v])", "lt.concat(*[m for k in range(n)])": "np.concatenate([m, m])",
    "lt.concat([m for k in range(n)], 1)": "np.concatenate([m, m], 1)", "lt.concat(*[v[k:] for k in range(n)])": "np.concatenate([v, v[1:]])", "lt.stack(*[v for k in range(n)])": "np.stack([v, v])",
    "lt.concat(v, v)": "np.concatenate([v, v])", "lt.stack(v, v, axis=1)": "np.stack([v, v], 1)", "lt.stack([m, m], axis=-1)": "np.stack([m, m], -1)",
    "lt.split(m, 2, axis=1)[1]": "np.split(m, 2, 1)[1]", "lt.split(v, [2, n, 1])[1]": "v[2:4]",
    "lt.repeat(m, 2, 1)": "np.repeat(m, 2, 1)", "lt.repeat(v, n, 0)": "np.repeat(v, n, 0)", "lt.tile(v, n)": "np.tile(v, n)",
    "lt.tile(m, 3)": "np.tile(m, (3, 1))", "lt.tile(m, n, 1)": "np.tile(m, (1, n))", "lt.pad(v, 1, n)": "np.pad(v, (1, n))",
    "lt.pad(m, n, 0, 1, -1.0)": "np.pad(m, ((0, 0), (n, 0)), constant_values=-1.0)", "lt.pad(c, 0, 1, 0)": "np.pad(c, ((0, 1), (0, 0), (0, 0)))",
    "lt.take(v, i)": "v[i]", "lt.take(m, i)": "m[i]", "lt.take(m, i, axis=1)": "m[:, i]", "lt.take(v, lt.stack(i, i))": "v[np.stack([i, i])]",
    "lt.take(m, lt.stack(i, i))": "m[np.stack([i, i])]", "lt.take(m, lt.stack(i, i), axis=1)": "m[:, np.stack([i, i])]",
    "lt.take(c, lt.stack(i, i), axis=-2)": "c[:, np.stack([i, i])]", "v[i]": None, "m[i]": None, "m[:, i]": None, "m[1:, i]": None, "m[i, 1]": None,
    "m[1, i]": None, "m[n, i - 1]": None, "c[:, i, 1]": None, "c[1, i]": None, "c[..., i % 2]": None, "c[:, i, ::-1]": None, "m[None, i]": None,
    "m[i, None]": None, "m[:, i][1:]": None, "v[np.array([[0, 1], [2, 0]])]": None, "c[:, np.array([[0, 1], [2, 0]])]": None, "v[i[:0]]": None,
    "m[lt.argsort(m[:, 0])]": "m[np.argsort(m[:, 0])]", "lt.cross_entropy(c, lt.stack([i, i]) % 2)": "-np.log(np.take_along_axis("
    "np.exp(c) / np.exp(c).sum(-1, keepdims=True), np.stack([i, i])[..., None] % 2, -1)[..., 0])", "lt.embedding(m, i)": "m[i]", "lt.embedding(m, n)": "m[n]",
    "lt.sort(v)": "np.sort(v)", "lt.sort(v, True)": "-np.sort(-v)", "lt.argsort(v)": "np.argsort(v, kind='stable')", "lt.top_k(v, n)[0]": "-np.sort(-v)[:n]",
    "lt.top_k(v, 3)[1]": "np.argsort(-v, kind='stable')[:3]", "lt.cumsum(m, 1)": "np.cumsum(m, 1)", "lt.cumsum(v > 0.0)": "np.cumsum(v > 0.0)",
    "lt.cumsum(i)": "np.cumsum(i)", "lt.arange(n)": "np.arange(n)", "lt.arange(1, n + 5, 2)": "np.arange(1, n + 5, 2)", "lt.arange(n, -4, -3)": "np.arange(n, -4, -3)",
    "lt.arange(3, n)": "np.arange(3, n)", "lt.arange(0, 7, 3)": "np.arange(0, 7, 3)", "lt.arange(3, dtype='f64')": "np.arange(3.0)",
    "lt.one_hot(n, 4, 'f64')": "np.eye(4)[n]", "lt.one_hot(i, 5, 'f64')": "np.eye(6)[i][:, :5]",  "lt.eye(n, 'f64')": "np.eye(n)", "lt.eye(3)": "np.eye(3, dtype='f4')",
    "lt.matmul(c, lt.swapaxes(c, 1, 2))": "c @ np.swapaxes(c, 1, 2)", "lt.matmul(c, v[:2])": "c @ v[:2]", "v[:3] @ c": "v[:3] @ c",
}
EINSUMS = {"i,i->": "v v", "i->": "v", "i,j->ij": "v v", "ij->ji": "m", "ij->j": "m", "ij->": "m", "ij,kj->ik": "m m", "ij,ij->": "m m", "ij,ij->i": "m m",
           "ij,i->j": "m v[:3]", "bij,bik->bjk": "c c", "bij,bik->jk": "c c", "bij,j->bi": "c v[:2]", "bij->jib": "c", "ij,jk": "m m.T", "i,ij,j->": "v[:3] m v[:4]",
           "bij,ij->b": "c c[0]", "i,,->i": "v n n", "ij,jk,kl->il": "m m.T m"}
EXPRESSIONS.update({f"lt.einsum({subscripts!r}, {', '.join(operands.split())})": f"np.einsum({subscripts!r}, {', '.join(operands.split())})"
                    for subscripts, operands in EINSUMS.items()})
FORMALS = "v: lt.Tensor[lt.f64, None], m: lt.Tensor[lt.f64, 3, None], c: lt.Tensor[lt.f64, 2, None, 2], i: lt.Tensor[lt.i64, None], n: int"
VALUES = {"v": np.array([0.5, -1.5, 2.0, 0.25, -0.75]), "m": np.cos(np.arange(12.0)).reshape(3, 4), "c": np.sin(np.arange(12.0)).reshape(2, 3, 2),
          "i": np.array([2, 0, -1]), "n": 2}
FLAT = ("argsort", "top_k(v, 3)[1]", "arange", "one_hot", "eye", "v > 0.0", "cumsum(i)")


@pytest.fixture(scope="module")
def table():
    source = "import numpy as np\n\n\n" + "".join(f"def f{number}({FORMALS}):\n    return {expression}\n\n\n" for number, expression in enumerate(EXPRESSIONS))
    return Table(source, [f"f{number}" for number in range(len(EXPRESSIONS))])


@pytest.mark.parametrize("number, expression, reference", [(k, *pair) for k, pair in enumerate(EXPRESSIONS.items())], ids=list(EXPRESSIONS))
def test_eager_and_compiled_are_numpy(table, number, expression, reference):
    values = {**VALUES, "i": VALUES["i"] % 5 if "one_hot" in expression else VALUES["i"]}
    expected = eval(reference or expression, {"np": np}, values)
    for function in (table.plain[f"f{number}"], table.compiled[f"f{number}"]):
        result = function(*values.values())
        assert np.shape(result) == np.shape(expected)
        assert np.asarray(result).dtype == np.asarray(expected).dtype
        np.testing.assert_allclose(result, expected, rtol=1e-14, atol=1e-14)


LOSS = "import numpy as np\n\n\ndef loss(v, m, c, i, n):\n    return " + " + ".join(
    f"lt.sum(lt.square({expression} + 0.25))" for expression in EXPRESSIONS if not any(flat in expression for flat in FLAT))


def test_gradients_are_those_of_differences():
    from compiled_table import module_of
    function, step = module_of(LOSS).loss, 1e-6
    for compile_it in (lambda f: f, lt.function):
        value, gradients = lt.value_and_grad(compile_it(function), wrt=("v", "m", "c"))(*VALUES.values())
        for name, gradient in zip("vmc", gradients):
            differences = np.zeros(VALUES[name].size)
            for place in range(differences.size):
                shifted = [{**VALUES, name: VALUES[name] + sign * step * (np.arange(differences.size) == place).reshape(VALUES[name].shape)} for sign in (1, -1)]
                differences[place] = (function(*shifted[0].values()) - function(*shifted[1].values())) / (2 * step)
            np.testing.assert_allclose(gradient, differences.reshape(gradient.shape), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("call, message", [
    ("lt.take(v, i + 9)", "index 11 is out of bounds"), ("lt.split(v, 2)", "5 elements do not split into 2 equal parts"),
    ("lt.squeeze(m, 0)", "cannot select an axis to squeeze out"), ("lt.flip(v, 1)", "axis 1 is out of bounds for array of dimension 1"),
    ("lt.arange(0, 3, 0)", "division by zero"), ("lt.einsum('ii->i', m)", "names an axis twice"), ("lt.einsum('ij,jk->ik', m)", "does not fit 1 operands"),
    ("lt.permute(c, (0, 0, 1))", "axes don't match array")])
def test_what_cannot_be_is_said(call, message):
    with pytest.raises((ValueError, IndexError, ZeroDivisionError)) as raised:
        eval(call, {"lt": lt}, VALUES)
    assert message in str(raised.value)
