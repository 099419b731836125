"""Elementwise values that take the place of what they are made of (pass overwrite-values), and those that cannot, since that is read again."""
import re

import numpy as np
import pytest

import lantern as lt
from lantern import core


def gates(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    i, f, o = lt.split(lt.sin(x), 3)
    c = lt.sigmoid(f) * c + lt.tanh(i)
    return lt.sum(lt.sigmoid(o) * lt.tanh(c))


def a_whole(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    y = lt.exp(lt.sin(x) * 2.0)
    return lt.sum(y * y) * lt.sum(c)


def one_after_another(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    a, b = lt.split(lt.sin(x), 2)
    y = lt.tanh(lt.sigmoid(lt.exp(a)))
    return lt.sum(y * y * b) + lt.sum(c)


def read_by_the_reverse_sweep(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    a, b, d = lt.split(lt.sin(x), 3)
    return lt.sum(lt.sin(a) * lt.log(2.0 + b) * d ** 3 * c)


def read_again(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    a, b, d = lt.split(lt.sin(x), 3)
    y = lt.sigmoid(a)
    return lt.sum(y * b * y) + lt.sum(a * d * y * c)


def the_whole_is_read(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    y = lt.sin(x)
    s = lt.sigmoid(y[0:4])
    return lt.sum(s * s * c) + lt.sum(y * y)


def parts_overlap(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    y = lt.sin(x)
    s, t = lt.sigmoid(y[0:4]), lt.tanh(y[2:6])
    return lt.sum(s * s * c) * lt.sum(t * t)


def backwards_beside_itself(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    y = lt.sin(x)
    z = lt.tanh(y * y[::-1])
    return lt.sum(z * z) * lt.sum(c)


def an_argument(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    s = lt.sigmoid(x[0:4])
    t = lt.tanh(c)
    return lt.sum(s * s * t * t)


def in_a_loop(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    state = c
    for n in range(3):
        i, f, o = lt.split(lt.sin(x * (n + 1.0)), 3)
        state = lt.sigmoid(f) * state + lt.sigmoid(i) * lt.tanh(o)
    return lt.sum(state * state)


def in_a_branch(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    a, b, d = lt.split(lt.sin(x), 3)
    if lt.sum(c) > 0.0:
        y = lt.sigmoid(a) * b
    else:
        y = lt.tanh(a) * d
    return lt.sum(y * y * a)


def handed_to_a_join(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    if lt.sum(c) > 0.0:
        o, i = lt.split(lt.sin(x), 2)
        loss = lt.sum(lt.tanh(i))
    else:
        o, i = lt.split(lt.cos(x), 2)
        loss = lt.sum(i * i * i)
    h = lt.sigmoid(o)
    return lt.sum(h * h) * loss


def handed_to_a_join_and_read(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    if lt.sum(c) > 0.0:
        o, i = lt.split(lt.sin(x), 2)
        loss = lt.sum(lt.tanh(i) * o * o)
    else:
        o, i = lt.split(lt.cos(x), 2)
        loss = lt.sum(i * i * i)
    h = lt.sigmoid(o)
    return lt.sum(h * h) * loss


def an_argument_handed_to_a_join(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    if lt.sum(c) > 0.0:
        o = lt.sin(x)
        loss = lt.sum(o[0:2])
    else:
        o = x
        loss = lt.sum(c)
    h = lt.sigmoid(o)
    return lt.sum(h * h) * loss


def kept_in_a_list(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    kept = []
    for i in range(3):
        y = x * (i + 1.0)
        kept.append(y)
        z = lt.tanh(y)
        kept.append(z * z)
    total = lt.sum(c)
    for each in kept:
        total = total + lt.sum(each * each)
    return total


def seen_by_other_names(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    y = x * 2.0
    matrix, front = lt.reshape(y, (3, 4)), y[:4]
    z = lt.sigmoid(y)
    return lt.sum(z * z) + lt.sum(matrix * c) * lt.sum(front * front)


def with_a_gradient_within(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    y = x * 2.0
    slope = lt.grad(lambda a: lt.sum(lt.tanh(a) * a))(y)
    z = lt.exp(y)
    return lt.sum(slope * z * z) + lt.sum(c)


def numbers_beside_it(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
    y = lt.sin(x)
    z = lt.exp(y - lt.max(y))
    return lt.sum(z * z) / lt.sum(c * c)


PROGRAMS = [gates, a_whole, one_after_another, read_by_the_reverse_sweep, read_again, the_whole_is_read, parts_overlap, backwards_beside_itself, an_argument,
            in_a_loop, in_a_branch, handed_to_a_join, handed_to_a_join_and_read, an_argument_handed_to_a_join, kept_in_a_list,
            seen_by_other_names, with_a_gradient_within, numbers_beside_it]



def test_values_and_gradients_are_those_of_plain_python():
    """All in one program: each has its own arguments."""
    def all_of_them(x: lt.Tensor[lt.f64, 12], c: lt.Tensor[lt.f64, 4]):
        return tuple(lt.value_and_grad(program, wrt=("x", "c"))(x, c) for program in PROGRAMS)
    compiled = lt.function(all_of_them, dtype="f64")
    rng = np.random.default_rng(4)
    for sign in (1.0, -1.0):
        x, c = rng.normal(size=12), sign * np.abs(rng.normal(size=4))
        before = x.copy(), c.copy()
        for program, (value, slopes), (expected, wanted) in zip(PROGRAMS, compiled(x, c), all_of_them(x, c)):
            np.testing.assert_allclose(value, expected, rtol=1e-12, err_msg=program.__name__)
            for slope, exact in zip(slopes, wanted):
                np.testing.assert_allclose(slope, exact, rtol=1e-10, atol=1e-12, err_msg=program.__name__)
        np.testing.assert_array_equal(x, before[0])
        np.testing.assert_array_equal(c, before[1])


@pytest.mark.parametrize("program, overwritten", [
    (gates, ["sigmoid(f)", "tanh(i)", "sigmoid(o)"]),
    (in_a_loop, [f"{gate}{turn})" for gate in ("sigmoid(f", "sigmoid(i", "tanh(o") for turn in ("", "_1", "_2")]), (read_by_the_reverse_sweep, []), (read_again, []), (the_whole_is_read, []),
    (parts_overlap, []), (backwards_beside_itself, []), (an_argument, []), (in_a_branch, []), (handed_to_a_join, ["tanh(i)", "sigmoid(o)"]),
    (handed_to_a_join_and_read, ["tanh(i)"]), (an_argument_handed_to_a_join, []), (kept_in_a_list, []), (seen_by_other_names, [])])
def test_what_is_overwritten(program, overwritten):
    text = lt.function(lt.value_and_grad(program, wrt="x")).text(np.ones(12), np.ones(4))
    written = core.compile(text, "program.sexpr", {"emit": "cpp"})
    found = re.findall(r"= overwrite\((\w+), (.*)\);", written)
    assert sorted(value for _, value in found) == sorted(overwritten) and all(name in value for name, value in found), written
    assert "overwrite(" not in core.compile(text, "program.sexpr", {"emit": "cpp", "disable": ["overwrite-values"]})
