"""A dict that is an argument is the caller's: it is not changed, it is given back as it is, and which dict it is is known, or refused."""
import copy

from programs import runs, stops
from reference_dict_arguments import DEFAULTS, NET, N, P, Pair, Q


@runs((N,))
def given_back(d):
    return d


@runs((NET,))
def part_given_back(d):
    return d["layer1"], [d["layer2"]], (d, 1.0)


@runs((N, True), (N, False))
def given_back_maybe(d, b):
    return d["a"] if b else d["n"]


@stops("LT0305", "dict 'd'", at=(N,))
def item_set(d):
    d["a"] = 3.0  # error
    return d["a"]


@stops("LT0305", "dict 'd'", at=(N,))
def item_augmented(d):
    d["a"] += 3.0  # error
    return d["a"]


@stops("LT0305", at=(N,))
def popped(d):
    a = d.pop("a")  # error
    return a


@stops("LT0305", at=(N,))
def updated(d):
    d.update(z=1.0)  # error
    return d["z"]


@stops("LT0305", at=(N,))
def setdefault(d):
    return d.setdefault("a", 1.0)  # error


@stops("LT0305", at=(N,))
def deleted(d):
    del d["a"]  # error
    return d["n"]


@stops("LT0305", at=(N,))
def cleared(d):
    d.clear()  # error
    return 1.0


@stops("LT0305", at=(NET,))
def inner_set(d):
    e = dict(d)
    e["layer1"]["w"] = 1.0  # error
    return e["layer1"]["w"]


@stops("LT0305", at=(NET,))
def popitem(d):
    return d.popitem()  # error


@stops("LT0317", "'d_b'", at=(P,))
def array_set(d):
    d["b"][0] = 1.0  # error
    return d["b"]


@stops("LT0305", at=(N,))
def in_helper(d):
    def change(e):
        e["a"] = 1.0  # error
        return e["a"]
    return change(d)


@stops("LT0305", at=(N, True))
def under_condition(d, b):
    if b:
        d["a"] = 1.0  # error
    return d["a"]


@runs((N,))
def copies(d):
    e = d.copy()
    e["a"] = 7.0
    f = dict(d)
    f["b"] = 1.0
    del f["n"]
    return d["a"], e, f


@runs((NET,))
def deep(d):
    e = copy.deepcopy(d)
    e["layer1"]["w"] = 7.0
    return d["layer1"]["w"], e


@stops("LT0305", at=({"a": 1.0, "xs": [1.0, 2.0]},))
def list_in_dict_changed(d):
    d["xs"].append(1.0)  # error
    return d["xs"]


@runs((P, P), (P, Q))
def identity(p, q):
    return p is q, p is p, p is not q, p is None


@stops("LT0310", "is", at=(DEFAULTS,))
def identity_with_a_global(p):
    return p is DEFAULTS  # error


@runs(({"a": P, "b": P},), ({"a": P, "b": Q},))
def one_dict_twice(d):
    return d["a"] is d["b"], d["a"]["b"] + d["b"]["b"], d


@stops("LT0305", at=([{"a": 1.0}],))
def list_of_dicts_changed(ds):
    ds.append({"a": 2.0})  # error
    return len(ds)


def accumulate(d, n):
    if n > 0:
        d["a"] += n
        accumulate(d, n - 1)


@runs((N, 3))
def recursion_changes_copy(d, n):
    e = dict(d)
    accumulate(e, n)
    return e["a"], d["a"]


def put_into_a_named_tuple(d, x):
    return Pair(d, x)


@runs((2.0,))
def a_named_tuple_holds_the_dict_itself(x):
    d = {"a": x}
    pair = put_into_a_named_tuple(d, x)
    d["a"] = 2 * x
    return pair.params["a"], pair


def is_same(d, e, x):
    return d is e, x


@stops("LT0310", "`is` asks whether the dict 'q' and the dict 'd' are one", at=(2.0,))
def identity_behind_a_branch(x):
    d, e = {"a": x}, {"a": 2 * x}
    q = d if x > 0 else e
    return q is d  # error


@stops("LT0310", "`is` asks whether", at=(2.0,))
def identity_of_what_a_call_is_given(x):
    d = {"a": x}

    def same(q, y):
        return q is d, q["a"] + y  # error
    return same(d, x)


@runs((2.0,))
def identity_of_arguments_of_a_call(x):
    d, e = {"a": x}, {"a": x}
    return is_same(d, d, x), is_same(d, e, x), d is e, d is not e


@runs(({"a": 1.0, "b": [2.0]},))
def views(d):
    return any({"a": d["a"]}.values()), max({"a": d["a"], "c": 2.0}.values()), sorted(v for v in (d["a"], 0.5))
