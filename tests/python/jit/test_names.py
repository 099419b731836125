"""Names of the user's that are alike in C++, or like those of the code around them."""
import numpy as np

import lantern as lt


class Encoder(lt.Module):
    def __init__(self):
        self.w = lt.Parameter((2,), np.array([1.0, 2.0]), dtype="f64")


class Model(lt.Module):
    def __init__(self):
        self.encoder = Encoder()
        self.encoder_w = lt.Parameter((2,), np.array([10.0, 20.0]), dtype="f64")

    def loss(self, x):
        return lt.sum(self.encoder.w * x - self.encoder_w)


@lt.struct
class Pair:
    int: float
    int_: float


@lt.struct
class Person:
    self: float
    itself: float
    other: float = 2.0


@lt.struct
class Text:
    text: str
    next: "Instance | None"


@lt.struct
class Instance:
    first: Text


def double(n):
    return 0.0 if n <= 0 else 2.0 + double(n - 1)


def double_(n):
    return 0.0 if n <= 0 else 20.0 + double_(n - 1)


def test_names_of_the_user_s():
    model = Model()

    def f(pair: Pair, n: int, next_a: int, x: float, instance: Instance, name: str):
        a = b = 0
        for i in lt.range(n):
            a, b = next_a, a
        range = difference = named = 1.0
        for i in lt.range(0, n, 2):
            range, difference, named = difference - i, (0.0 - n) * named, range
        y, y_adj = lt.value_and_grad(lambda k: k * k)(x)
        loss, gradients = lt.value_and_grad(model.loss)(x)
        return range, difference, named, name + instance.first.text, a, b, y, y_adj, pair.int - 3.0 * pair.int_, double(n), double_(n), loss, gradients[model.encoder.w], gradients[model.encoder_w]

    given = Pair(1.0, 5.0), 3, 7, 1.5, Instance(Text("t", None)), "name"
    for found, expected in zip(lt.function(f, dtype="f64")(*given), f(*given)):
        np.testing.assert_array_equal(found, expected)


@lt.struct
class Region:
    Region: "Region | None"
    size: int
    begin: float
    fill: float
    Vector: float


class Visited(lt.Module):
    def __init__(self):
        self.visit = lt.Parameter((2,), np.array([1.0, 2.0]), dtype="f64")
        self.begin = lt.Parameter((2,), np.array([3.0, 4.0]), dtype="f64")
        self.parameters = lt.Parameter((2,), np.array([5.0, 6.0]), dtype="f64")

    def loss(self, x):
        return lt.sum(self.visit * x) + lt.sum(self.begin * x) * lt.sum(self.parameters * x)


def size(region: Region):
    if region.Region is None:
        return region.size
    return region.size + size(region.Region)


def row(x, scale):      # an argument of the runtime's: C++ would look for a `row` there, too
    return lt.sum(x * scale)


def test_members_and_functions_are_called_what_the_user_calls_them_where_nothing_else_is():
    model = Visited()

    def f(seed: int, region: Region, x: lt.Tensor[lt.f64, 2], softmax: float, dot: float):
        tanh, norm = softmax + seed, dot * size(region)
        loss, gradients = lt.value_and_grad(model.loss)(x)
        copy = lt.exp(x) * tanh
        return row(copy, norm), region.begin - region.fill * region.Vector, loss, gradients[model.visit], gradients[model.begin], gradients[model.parameters]

    given = 3, Region(Region(None, 4, 1.0, 2.0, 3.0), 5, 6.0, 7.0, 8.0), np.array([0.5, 0.25]), 1.5, 2.5
    for found, expected in zip(lt.function(f, dtype="f64")(*given), f(*given)):
        np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_a_field_may_be_called_self():
    def swapped(person: Person):
        return Person(person.itself, person.self, person.other * 2.0)

    for form in (swapped, lt.function(swapped)):
        assert form(Person(self=1.0, itself=3.0)) == Person(3.0, 1.0, 4.0)
