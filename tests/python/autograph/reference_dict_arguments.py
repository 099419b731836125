"""Dicts, named tuples, and lists and tuples of dicts as arguments: what is in them is staged, the keys are known, and they are the caller's."""
import collections
import math

import numpy as np
from programs import runs, stops

import lantern as lt

P = {"w": np.array([[1.0, 2.0], [3.0, -4.0]]), "b": np.array([0.5, -0.5])}
Q = {"w": np.array([[0.0, 2.0], [1.0, -1.0]]), "b": np.array([1.5, -2.5])}
X = np.array([1.0, -2.0])
NET = {"layer1": {"w": P["w"], "b": P["b"]}, "layer2": {"w": Q["w"], "b": Q["b"]}}
LAYERS = [P, Q]
N = {"a": 2.0, "n": 3, "flag": True}
DEFAULTS = {"lr": 0.1}
Pair = collections.namedtuple("Pair", "params count")


@runs((P, X), (Q, X))
def dense(p, x):
    return p["w"] @ x + p["b"]


@runs((NET, X))
def nested(net, x):
    for name in net:
        x = net[name]["w"] @ x + net[name]["b"]
    return x


@runs((NET, X))
def nested_items(net, x):
    for name, layer in net.items():
        for k, v in layer.items():
            x = v @ x if k == "w" else x + v
    return x, list(net), list(net["layer1"].keys())


@runs((LAYERS, X), ([P], X))
def layers_in_a_list(layers, x):
    for layer in layers:
        x = layer["w"] @ x + layer["b"]
    return x, len(layers)


@runs(((P, Q), X))
def in_a_tuple(t, x):
    a, b = t
    return a["w"] @ x + b["b"]


@runs(((P, 2.0, "relu"), X), ((P, 2.0, "tanh"), X))
def tuple_with_text(t, x):
    p, s, act = t
    y = p["w"] @ x * s
    return np.maximum(y, 0.0) if act == "relu" else np.tanh(y)


@runs((P, Q))
def sgd(p, g):
    return {k: p[k] - 0.1 * g[k] for k in p}


@runs((NET, NET))
def tree_sgd(p, g):
    def go(a, b):
        if isinstance(a, dict):
            return {k: go(a[k], b[k]) for k in a}
        return a - 0.1 * b
    return go(p, g)


@runs((P, Q))
def zip_items(p, g):
    return {k: v - h for (k, v), h in zip(p.items(), g.values())}


@runs((N,))
def protocol(d):
    return len(d), "a" in d, "z" in d, d.get("a"), d.get("z"), d.get("z", 5), list(d.keys()), list(d.values()), list(d.items()), bool(d), "n" not in d


@runs((N, {"b": 1.0}))
def joined(d, e):
    return {**d, **e}, {**d, "a": 5.0}, dict(d, c=1), dict(e)


@runs((N, N), (N, {"a": 2.0, "n": 3, "flag": True}), (N, {"a": 2.5, "n": 3, "flag": True}), (N, {"n": 3, "a": 2.0, "flag": True}))
def equality(d, e):
    return d == e, d != e


@runs(({"a": 1.0, "xs": [1.0, 2.0]}, 3), ({"a": 1.0, "xs": []}, 3))
def list_in_dict(d, n):
    s = d["a"]
    for x in d["xs"]:
        s += x * n
    return s, len(d["xs"]), d["xs"]


@runs(({"act": "relu", "fn": math.sqrt, "none": None, "x": 4.0},), ({"act": "tanh", "fn": abs, "none": None, "x": -4.0},))
def known_leaves(d):
    if d["none"] is not None:
        return 0.0
    return d["fn"](d["x"]), d["act"], d["act"].upper()


@runs(({"layers": 3, "bias": True, "lr": 0.5}, 2.0), ({"layers": 0, "bias": False, "lr": 0.5}, 2.0))
def config(c, x):
    for i in range(c["layers"]):
        x = x * c["lr"] + i
    if c["bias"]:
        x = x + 1
    return x


@runs(({"bias": False, "w": 2.0}, 2.0), ({"bias": True, "w": 2.0, "b": 1.0}, 2.0))
def missing_key_under_flag(c, x):
    y = c["w"] * x
    if c["bias"]:
        y = y + c["b"]
    return y


@runs(({},), ({"a": 1.0},))
def empty(d):
    return len(d), d == {}, not d


@runs(({1: 2.0, 2: 3.0, (1, 2): 4.0, None: 5.0, True: 6.0, 2.5: 1.0},))
def keys_of_all_kinds(d):
    return d[1], d[2], d[1, 2], d[None], d[2.5], len(d), *d


@runs((Pair({"a": 1.0}, 3), 2.0), (Pair(1.0, 3), 2.0))
def named_tuple(p, x):
    return p.count * x, p, p._replace(count=x)


def helper(d, x):
    return d["a"] * x


@runs((N, 3.0))
def helpers(d, x):
    return helper(d, x), (lambda y: d["a"] + y)(x), [helper(d, z) for z in (1.0, 2.0)], list(map(lambda z: helper(d, z), [x, x]))


def power(d, n):
    return d["a"] if n <= 0 else d["a"] * power(d, n - 1)


@runs((N, 3), (N, 0))
def recursion(d, n):
    return power(d, n)


def power_changing(d, n):
    return d["a"] if n <= 0 else power_changing({"a": d["a"] * 2.0, "n": d["n"]}, n - 1) + d["n"]


@runs((N, 3), (N, 0))
def recursion_of_new_dicts(d, n):
    return power_changing({"a": d["a"], "n": d["n"]}, n)


@runs((N, 3), (N, 0))
def recursion_of_new_dicts_directly(d, n):
    if n <= 0:
        return d["a"]
    return recursion_of_new_dicts_directly({**d, "a": d["a"] + 1.0}, n - 1)


@runs((P, 3), (P, 0))
def state_of_a_loop(p, n):
    for i in range(n):
        p = {k: v * 0.5 for k, v in p.items()}
    return p


@runs((P, Q, 1.0), (P, Q, -1.0))
def chosen(p, q, x):
    r = p if x > 0 else q
    return r["b"] * x, r


@runs((P, X))
def gradients(p, x):
    def loss(p):
        return np.sum((p["w"] @ x + p["b"]) ** 2)
    g = lt.grad(loss)(p)
    return {k: p[k] - 0.1 * g[k] for k in p}, lt.value_and_grad(loss)(p)


@runs((N,))
def shown(d):
    return f"{d['a']:.2f} {d['n']}", str(d["n"]), repr(d), str(d), f"{d}"


@runs((N,))
def printed(d):
    print(d["a"], d["n"], d["flag"])
    print(d)
    return d["a"]


@runs((N,))
def iterated(d):
    s = 0.0
    for k in sorted(d):
        s = s * 2 + d[k]
    for k, v in reversed(d.items()):
        s = s * 2 + v
    return s, max(d.values()), sum(d.values()), min(d), [k for k in d if d[k] == 3]


@runs((N,))
def kwargs(d):
    def g(a, n, flag):
        return a + n if flag else a

    def h(**o):
        return o["a"], len(o)
    return g(**d), h(**d)


@runs(({"a": np.float32(1.5), "b": np.array(2.0), "c": np.int64(3), "d": np.bool_(True)},))
def numpy_scalars(d):
    return d["a"] + 1, d["b"] * 2, d["c"] * 2, d["d"]


@runs(({"a": 1, "xs": [[1.0, 2.0], [3.0]], "t": (1.0, (2, "x")), "ks": ["a", "a"]},))
def mixed(d):
    return sum(len(r) for r in d["xs"]), d["t"], [d[k] for k in d["ks"]], d["t"][1][1]


@runs(([{"a": 1.0}, {"a": 2.0, "b": 3.0}],))
def list_of_unlike_dicts(ds):
    return sum(d["a"] for d in ds), [d.get("b", 0.0) for d in ds], [len(d) for d in ds], ds[-1]["b"], ds[::-1], ds + ds


@runs(({"x": {"y": {"z": (1.0, [{"q": 2.0}])}}},))
def very_nested(d):
    return d["x"]["y"]["z"][1][0]["q"] + d["x"]["y"]["z"][0]


@runs((N, 5))
def while_loop(d, n):
    state = dict(d)
    while state["n"] < n:
        state["n"] += 1
        state["a"] *= 2.0
    return state, d


@runs((N,))
def caught(d):
    try:
        return d["q"]
    except KeyError:
        return -1.0


@runs(({"n": 3, "m": 2}, 1.0))
def ints(d, x):
    return np.zeros((d["n"], d["m"])) + x, d["n"] // d["m"], [x] * d["n"]


@runs((P, 2.0))
def closures(p, x):
    def layer(name):
        return lambda y: p[name] * y
    return layer("b")(x), layer("w")(x)


@runs((P,))
def sorted_items(p):
    return [k for k, _ in sorted(p.items(), key=lambda kv: kv[0])], list(enumerate(p)), dict(zip(p, range(2)))


@runs((N,))
def walrus(d):
    return y + 1 if (y := d.get("a")) is not None else 0.0


@runs((N, {"a": 1.0}))
def subset(d, e):
    return d.keys() & e.keys() == {"a"}, d.keys() >= e.keys(), set(d) - set(e) == {"n", "flag"}, e.keys() == {"a"}


@runs((N,))
def tuple_of(d):
    a, n, flag = d.values()
    k, *rest = d
    return a, n, flag, k, rest


@runs((dict.fromkeys("ab", 1.5),))
def unpack_star(d):
    return [*d], (*d.values(), 1), {*d} == {"a", "b"}


@runs(({"a": [P, Q]}, X))
def list_of_dicts_in_dict(d, x):
    for p in d["a"]:
        x = p["w"] @ x
    return x


@runs((N,))
def used_as_default(d):
    def g(x, d=d):
        return d["a"] * x
    return g(2.0)
