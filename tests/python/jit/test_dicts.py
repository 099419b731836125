"""Dicts among the arguments of an `lt.function`: derivatives with respect to them, and which dict a result is."""
import collections

import numpy as np

import lantern as lt

State = collections.namedtuple("State", "params count")


def loss_of_dicts(state, x):
    net, first = state.params, state.params["layers"][0]
    y = x * net["rate"] * (2.0 if net["act"] == "double" else 1.0)
    for layer in net["layers"]:
        y = np.tanh(layer["w"] @ y + layer["b"])
    return np.sum(y) * net["n"] + sum(net["xs"]) * first["b"][0] + state.count


def same(found, expected):
    """Asserts that two values of dicts, lists and tuples are of one form, and hold the same."""
    assert type(found) is type(expected) or isinstance(expected, (float, np.floating))
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        found, expected = list(found.values()), list(expected.values())
    if isinstance(expected, (list, tuple)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected):
            same(one, other)
    elif isinstance(expected, (float, np.ndarray)):
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    else:
        assert found == expected


def test_derivatives_with_respect_to_dicts():
    draw = np.random.default_rng(0).normal

    def state(scale, shared):
        layer = {"w": draw(size=(2, 2)) * scale, "b": draw(size=2)}
        layers = [layer, layer if shared else {"w": draw(size=(2, 2)), "b": draw(size=2)}]
        return State({"layers": layers, "rate": 0.5 * scale, "act": "double", "none": None, "f": np.tanh, "n": 3, "xs": [1.0, scale]}, 2)

    def along(value):
        if isinstance(value, (State, list)):
            return State(*map(along, value)) if isinstance(value, State) else list(map(along, value))
        return {key: along(part) for key, part in value.items()} if isinstance(value, dict) else value * 0.5 if isinstance(value, (float, np.ndarray)) else None
    compiled, x = lt.function(loss_of_dicts), np.array([0.5, -1.0])
    for shared, scale, programs in ((False, 1.0, 1), (False, 2.0, 1), (True, 1.0, 2)):
        given = state(scale, shared)
        of_state = lt.value_and_grad(compiled)
        same(of_state(given, x), lt.value_and_grad(loss_of_dicts)(given, x))
        same(lt.grad(compiled, ("x", "state"))(given, x), lt.grad(loss_of_dicts, ("x", "state"))(given, x))
        same(lt.jvp(compiled, (given, x), (along(given), None)), lt.jvp(loss_of_dicts, (given, x), (along(given), None)))
        assert sum(along_these._compiled for along_these in compiled._jvps.values()) == programs


def test_a_dict_is_given_back_as_it_is():
    def found(d, e):
        return d, [e["in"], d], {"d": d["in"], "new": dict(d)}
    d, e = {"in": {"x": 1.0}}, {"in": {"x": 2.0}}
    for given in ((d, e), (d, d)):
        for _ in range(2):
            first, [inner, again], parts = lt.function(found)(*given)
            assert first is again is d and inner is given[1]["in"] and parts["d"] is d["in"] and parts["new"] == d and parts["new"] is not d
            assert parts["new"]["in"] is d["in"]
