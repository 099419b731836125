"""Gradients through fields of structures, and with respect to structures."""
import dataclasses

import numpy as np
import pytest

import lantern as lt


@lt.struct
class Tree:
    value: float
    label: int
    left: "Tree | None"
    right: "Tree | None"


@lt.struct
class Node:
    weight: float
    children: "list[Node]"


@lt.struct
class Layer:
    w: lt.Tensor[float, 2, 2]
    scales: list[float]
    next: "Layer | None"


def leaf(value, label=0):
    return Tree(value, label, None, None)


def some_tree():
    return Tree(1.5, 1, Tree(-0.5, 2, leaf(2.0), None), Tree(0.7, 3, leaf(0.25), leaf(-1.25)))


def folded(tree: Tree, x: float):
    def fold(t):
        if t is None:
            return x
        return fold(t.left) * t.value + fold(t.right) * x + t.value * t.value
    return fold(tree)


def with_early_return(tree: Tree, x: float):
    def first_large(t):
        if t.value * x > 1.0:
            return t.value * 2.0, t.label
        if t.left is None:
            return x, 0
        a, n = first_large(t.left)
        if n > 1:
            return a * t.value, n
        return a + t.value, t.label
    a, n = first_large(tree)
    return a * a * n


def down_a_list(tree: Tree, x: float):
    s = x
    t = tree
    while t is not None:
        s = s * t.value + x
        t = t.left
    return s


def rebuilt(tree: Tree, x: float):
    def scaled(t):
        if t is None:
            return None
        return Tree(t.value * x, t.label, scaled(t.left), scaled(t.right))

    def total(t):
        if t is None:
            return 0.0
        return t.value * t.value + total(t.left) + 2.0 * total(t.right)
    both = scaled(tree)
    return total(both) + total(tree)


def made(tree: Tree, x: float):
    a = Tree(x * x, 1, tree, None)
    b = Tree(a.value * 2.0, 2, a, a)
    s = b.value * tree.value
    if b.left is not None:
        s = s + b.left.value * 3.0
        if b.left.left is not None:
            s = s + b.left.left.value * b.value
    if b.right is not None:
        s = s + b.right.value
    return s


def chosen(tree: Tree, x: float):
    other = Tree(x, 5, tree.left, None)
    best = tree
    if x > 1.0:
        best = other
    return best.value * best.value * best.label


ALL = [folded, with_early_return, down_a_list, rebuilt, made, chosen]


def numbers(tree):
    return [] if tree is None else [tree.value, *numbers(tree.left), *numbers(tree.right)]


def replaced(tree, values):
    if tree is None:
        return None
    value = values.pop(0)
    return Tree(value, tree.label, replaced(tree.left, values), replaced(tree.right, values))


def differences(f, tree, x, step=1e-6):
    values = numbers(tree)
    result = []
    for i in range(len(values)):
        ends = [f(replaced(tree, values[:i] + [values[i] + by] + values[i + 1:]), x) for by in (step, -step)]
        result.append((ends[0] - ends[1]) / (2 * step))
    return result


@pytest.mark.sampled(5)
@pytest.mark.parametrize("f", ALL, ids=lambda f: f.__name__)
def test_a_gradient_with_respect_to_a_structure_is_a_structure(f):
    tree = some_tree()
    for x in (0.9, 1.3):
        value, (gradient, by_x) = lt.value_and_grad(lt.function(f), wrt=("tree", "x"))(tree, x)
        eager_value, (eager, eager_by_x) = lt.value_and_grad(f, wrt=("tree", "x"))(tree, x)
        assert value == pytest.approx(eager_value, rel=1e-13)
        assert isinstance(gradient, Tree) and gradient.label == eager.label == tree.label and gradient.left.label == eager.left.label == tree.left.label
        np.testing.assert_allclose(numbers(gradient), differences(f, tree, x), rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(numbers(gradient), numbers(eager), rtol=1e-12, atol=1e-14)
        assert by_x == pytest.approx((f(tree, x + 1e-6) - f(tree, x - 1e-6)) / 2e-6, rel=1e-6)
        assert by_x == pytest.approx(eager_by_x, rel=1e-12)


def test_a_part_that_is_linked_to_twice_has_one_gradient():
    shared = leaf(2.0)
    tree = Tree(1.0, 0, shared, Tree(3.0, 0, shared, None))
    gradient = lt.grad(lt.function(folded), wrt="tree")(tree, 1.5)
    eager = lt.grad(folded, wrt="tree")(tree, 1.5)
    assert gradient.left is gradient.right.left
    assert gradient.left.value == pytest.approx(eager.left.value, rel=1e-13)


def of_children(node: Node, x: float):
    def total(n):
        s = n.weight * x
        for c in n.children:
            s = s + total(c) * n.weight
        return s
    return total(node)


def gathered(node: Node, x: float):
    seen = [node]
    s = 0.0
    i = 0
    while i < len(seen):
        for c in seen[i].children:
            seen.append(c)
            s = s + c.weight * seen[i].weight
        i += 1
    return s * x + seen[-1].weight


@pytest.mark.parametrize("f", [of_children, gathered], ids=lambda f: f.__name__)
def test_lists_of_children(f):
    node = Node(2.0, [Node(0.5, []), Node(-1.0, [Node(3.0, []), Node(0.1, [])])])
    value, gradient = lt.value_and_grad(lt.function(f), wrt="node")(node, 0.7)
    eager_value, eager = lt.value_and_grad(f, wrt="node")(node, 0.7)
    assert value == pytest.approx(eager_value, rel=1e-13)

    def weights(n):
        return [n.weight, [weights(c) for c in n.children]]
    assert str(weights(gradient)) == str(weights(eager)) or _close(weights(gradient), weights(eager))


def _close(a, b):
    return len(a[1]) == len(b[1]) and a[0] == pytest.approx(b[0], rel=1e-12) and all(_close(x, y) for x, y in zip(a[1], b[1]))


def through_layers(layer: Layer, x: lt.Tensor[float, 2]):
    def apply(l, h):
        h = lt.tanh(l.w @ h)
        for s in l.scales:
            h = h * s
        if l.next is None:
            return h
        return apply(l.next, h)
    return lt.sum(apply(layer, x))


def test_fields_that_are_arrays_and_lists():
    draw = np.random.default_rng(5)
    layers = Layer(draw.normal(size=(2, 2)), [1.5], Layer(draw.normal(size=(2, 2)), [0.5, -2.0], None))
    x = draw.normal(size=2)
    gradient, by_x = lt.grad(lt.function(through_layers), wrt=("layer", "x"))(layers, x)
    eager, eager_by_x = lt.grad(through_layers, wrt=("layer", "x"))(layers, x)
    np.testing.assert_allclose(by_x, eager_by_x, rtol=1e-12)
    while gradient is not None:
        np.testing.assert_allclose(gradient.w, eager.w, rtol=1e-12)
        np.testing.assert_allclose(gradient.scales, eager.scales, rtol=1e-12)
        gradient, eager = gradient.next, eager.next
    assert eager is None


def step_on_a_tree(tree: Tree, x: float):
    value, gradient = lt.value_and_grad(folded, wrt="tree")(tree, x)
    s = value + gradient.value
    if gradient.left is not None:
        s = s + gradient.left.value
    return s


def test_a_gradient_that_is_a_structure_is_used_in_the_program():
    assert lt.function(step_on_a_tree)(some_tree(), 0.9) == pytest.approx(step_on_a_tree(some_tree(), 0.9), rel=1e-13)


gradient_of_folded = lt.grad(folded, wrt="tree")


def total(tree):
    below = 0.0
    if tree.left is not None:
        below = total(tree.left)
    return below + tree.value * tree.label


def returned(tree: Tree, x: float):
    return gradient_of_folded(tree, x)


def returned_beside(tree: Tree, x: float):
    gradient = gradient_of_folded(tree, x)
    return gradient.value, gradient, gradient.label


def passed_on(tree: Tree, x: float):
    return total(gradient_of_folded(tree, x))


def of_a_branch(tree: Tree, x: float):
    if x > 1:
        tree = gradient_of_folded(tree, x)
    return tree


def of_a_loop(tree: Tree, x: float):
    for _ in range(int(x * 3)):
        tree = gradient_of_folded(tree, x)
    return tree


def linked_to(tree: Tree, x: float):
    return Tree(x, 7, gradient_of_folded(tree, x), None)


def in_a_list(tree: Tree, x: float):
    return [gradient_of_folded(tree, x), tree][int(x) % 2]


def shown(value):
    """Numbers of what a function gives, in order."""
    if isinstance(value, tuple):
        return [number for part in value for number in shown(part)]
    return [value] if not isinstance(value, Tree) else [
        value.value, value.label, *(number for part in (value.left, value.right) if part is not None for number in shown(part))]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("f", [returned, returned_beside, passed_on, of_a_branch, of_a_loop, linked_to, in_a_list], ids=lambda f: f.__name__)
def test_a_gradient_that_is_a_structure_goes_where_structures_go(f):
    """What is no floating number in it is as it is in the structure."""
    for x in (0.9, 1.3):
        assert shown(lt.function(f, dtype="f64")(some_tree(), x)) == pytest.approx(shown(f(some_tree(), x)), rel=1e-12)


def of_a_tuple(pair, x):
    return pair[0] * pair[1][1] * x + lt.sum(pair[1][0]) * pair[0] ** pair[2]


def within_with_respect_to_a_tuple(pair, x):
    (by_pair, by_x) = lt.grad(of_a_tuple, wrt=("pair", "x"))(pair, x)
    return by_pair, by_pair[1][0] * 2.0, by_x


def test_a_gradient_with_respect_to_a_tuple_is_a_tuple():
    """What is no floating number in it is as it is there."""
    pair = (2.0, (np.array([1.0, 2.0]), 5.0), 2)
    for wrt in ("pair", ("x", "pair"), None):
        value, gradient = lt.value_and_grad(of_a_tuple, wrt)(pair, 3.0)
        compiled_value, compiled_gradient = lt.value_and_grad(lt.function(of_a_tuple, dtype="f64"), wrt)(pair, 3.0)
        assert value == pytest.approx(compiled_value) and repr(gradient) == repr(compiled_gradient)
    assert repr(within_with_respect_to_a_tuple(pair, 3.0)) == repr(lt.function(within_with_respect_to_a_tuple, dtype="f64")(pair, 3.0))


@dataclasses.dataclass(frozen=True)
class Frozen:
    place: float
    speed: float


def of_frozen_dataclasses(x: float, n: int):
    state = Frozen(x, x * x)
    for i in range(n):
        state = Frozen(state.place + 0.1 * state.speed, state.speed - 0.1 * state.place ** 2)
        if state.place > 1.0:
            state = dataclasses.replace(state, place=state.place * 0.5)
    return state.place * state.speed


def test_a_gradient_goes_through_frozen_dataclasses():
    for x in (0.4, 0.95):
        value, slope = lt.value_and_grad(lt.function(of_frozen_dataclasses))(x, 6)
        assert value == pytest.approx(of_frozen_dataclasses(x, 6), rel=1e-12)
        assert slope == pytest.approx((of_frozen_dataclasses(x + 1e-6, 6) - of_frozen_dataclasses(x - 1e-6, 6)) / 2e-6, rel=1e-6)
