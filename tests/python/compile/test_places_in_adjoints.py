"""Places that are certainly there are so in adjoints, too: `x_adj[i] += y_adj` in C++."""
import linecache

import numpy as np
import pytest

import lantern as lt

GRADIENTS = {
    "of an array": ("""
def f(x: lt.Tensor[lt.f64, 30]):
    s = 0.0
    for i in range(1, 30):
        d = x[i] - x[i - 1]
        s += d * d * i
    return s
""", ["x_adj[i - 1] -= d_adj;", "x_adj[i] += d_adj;"]),
    "of items that are set": ("""
def f(x: lt.Tensor[lt.f64, 30]):
    y = np.zeros(30)
    for i in range(1, 29):
        y[i] = 0.5 * y[i - 1] + x[i] * x[i + 1]
    return np.sum(y * y)
""", ["y_2_adj[i] = 0;", "x_adj[i + 1] += ", "y_2_adj[i - 1] += "]),
    "of a table": ("""
def f(x: lt.Tensor[lt.f64, 30]):
    table = np.zeros((6, 5))
    for i in range(6):
        for j in range(5):
            table[i, j] = x[5 * i + j] * (i + 1) + (table[i - 1, j] * 0.5 if i > 0 else 0.0)
    return np.sum(table * table)
""", []),
    "of a list": ("""
def f(x: lt.Tensor[lt.f64, 30]):
    xs = [v * v for v in x]
    best = list(xs)
    for i in range(1, len(xs)):
        best[i] = max(best[i - 1] * 0.9, xs[i])
    return best[len(best) - 1] * best[3] + sum(best)
""", ["best_1_adj[i] = 0;", "best_1_adj[i - 1] += "]),
    "of rows": ("""
def f(x: lt.Tensor[lt.f64, 30]):
    rows = [[x[5 * i + j] for j in range(5)] for i in range(6)]
    s = 0.0
    for i in range(6):
        for j in range(5):
            if i > 0 and j > 0:
                rows[i][j] = rows[i - 1][j - 1] * rows[i][j] + 0.1
            s += rows[i][j] * (j + 1)
    return s
""", []),
    "of a list that grows and gets shorter": ("""
def f(x: lt.Tensor[lt.f64, 30]):
    xs, s = [1.0], 0.0
    for i in range(30):
        xs.append(xs[i // 2] * x[i])
        if i % 3 == 2:
            s += xs.pop() * xs[len(xs) - 1]
            xs.append(x[i])
    return s + sum(xs)
""", []),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_adjoints_have_the_places_too(name, lantern_in, tmp_path):
    source, said = GRADIENTS[name]
    text = f"import numpy as np\n\nimport lantern as lt\n\n{source}\n\n@lt.export\ndef g(x: lt.Tensor[lt.f64, 30]):\n    return lt.value_and_grad(f)(x)\n"
    (tmp_path / "program.py").write_text(text)
    cpp = lantern_in(tmp_path, "compile", "program.py", "--emit", "cpp").stdout
    assert [each for each in said if each not in cpp] == [], cpp
    file, names = f"gradients_{name.replace(' ', '_')}.py", {}
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), names)
    x = 0.5 + 0.3 * np.cos(1.7 * np.arange(30))
    value, slope = lt.function(names["g"])(x)
    assert value == pytest.approx(float(names["f"](x)), rel=1e-12)
    steps = 1e-6 * np.eye(30)
    assert np.allclose(slope, [(names["f"](x + step) - names["f"](x - step)) / 2e-6 for step in steps], rtol=1e-6, atol=1e-7)
