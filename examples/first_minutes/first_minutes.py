"""A first look at Lantern from Python, cell by cell: after `pip install .`, `python first_minutes.py`, or an editor that knows `# %%`."""

# %% A function that recurses over a tree, in plain Python on NumPy.
import math
import pathlib
import subprocess
import sys
import tempfile
from typing import Optional

import numpy as np

import lantern as lt


@lt.struct
class Tree:
    value: float
    left: "Optional[Tree]"
    right: "Optional[Tree]"


def energy(tree: Tree, scale: float) -> float:
    """The squares of all values, those further down scaled down."""
    total = tree.value * tree.value
    if tree.left is not None:
        total += scale * energy(tree.left, scale)
    if tree.right is not None:
        total += scale * energy(tree.right, scale)
    return total


leaf = Tree(3.0, None, None)
tree = Tree(1.0, Tree(2.0, leaf, None), leaf)
print("plain:   ", energy(tree, 0.5))

# %% The same compiled: at the first call for these types, and kept on disk.
compiled = lt.function(energy)
print("compiled:", compiled(tree, 0.5))
assert math.isclose(compiled(tree, 0.5), energy(tree, 0.5))

# %% Its derivative, by the continuations of the recursion.
value, slope = lt.value_and_grad(compiled, wrt="scale")(tree, 0.5)
print("d energy / d scale:", slope)
step = 1e-6
assert math.isclose(slope, (energy(tree, 0.5 + step) - energy(tree, 0.5 - step)) / (2 * step), rel_tol=1e-6)

# %% Arrays go in and come out as NumPy's.
weights = np.array([0.2, 0.8], dtype=np.float32)


@lt.function
def loss(w, x, y):
    error = w @ x - y
    return error * error


for _ in range(50):
    _, gradient = lt.value_and_grad(loss)(weights, np.array([1.0, 2.0], dtype=np.float32), 1.0)
    weights = weights - 0.05 * gradient
print("fitted:", weights, "loss:", float(loss(weights, np.array([1.0, 2.0], dtype=np.float32), 1.0)))
assert loss(weights, np.array([1.0, 2.0], dtype=np.float32), 1.0) < 1e-6

# %% What it is compiled to: readable C++, by the command that came with the package.
model = pathlib.Path(tempfile.mkdtemp()) / "energy.py"
model.write_text('''from typing import Optional
import lantern as lt

@lt.struct
class Tree:
    value: float
    left: "Optional[Tree]"
    right: "Optional[Tree]"

@lt.export
def energy(tree: Tree, scale: float) -> float:
    total = tree.value * tree.value
    if tree.left is not None:
        total += scale * energy(tree.left, scale)
    return total
''')
command = pathlib.Path(sys.executable).parent / "lantern"
cpp = subprocess.run([command, "compile", model, "--emit", "cpp"], check=True, stdout=subprocess.PIPE, text=True).stdout
print(cpp)
assert "double energy(const Tree& tree, double scale)" in cpp
