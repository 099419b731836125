"""A variable that may be a parameter, or another array: Python has a name of the parameter there,
the program an array. What would part is an error."""
import numpy as np
import pytest

import lantern as lt
from lantern.staging.errors import StagingError

X = np.array([0.3, -0.2, 0.5])


class Model(lt.Module):
    def __init__(self):
        self.b = lt.Parameter((3,), np.array([1.0, 2.0, 3.0]), dtype="f64")


def carried(model):
    def f(n: int, x: lt.Tensor[lt.f64, 3]):
        y, total = x, 0.0
        for _ in range(n):
            model.b.assign(model.b * 2.0)
            total += lt.item(lt.sum(y))
            y = model.b
        return total
    return f


def chosen(model):
    def f(n: int, x: lt.Tensor[lt.f64, 3]):
        y = model.b if n > 2 else x
        model.b.assign(model.b * 2.0)
        return lt.sum(y)
    return f


def differentiated(model):
    def f(n: int, x: lt.Tensor[lt.f64, 3]):
        y = model.b if n > 2 else x
        return lt.sum(lt.grad(lambda y: lt.sum(y * model.b))(y)[model.b])
    return f


def closed_over(model):
    def f(n: int, x: lt.Tensor[lt.f64, 3]):
        y = model.b if n > 2 else x
        return lt.sum(lt.grad(lambda: lt.sum(y * model.b))()[model.b])
    return f


@pytest.mark.parametrize("make, what", [(carried, "'b' gets another value"), (chosen, "'b' gets another value"),
                                        (differentiated, "'y' may be 'b'"), (closed_over, "'y' may be 'b'")],
                         ids=["carried", "chosen", "differentiated", "closed over"])
def test_what_would_part_is_refused(make, what):
    with pytest.raises(StagingError, match=f"LT0317: .*{what}"):
        lt.function(make(Model()))(3, X)


def test_copies_do():
    def make(model):
        def f(n: int, x: lt.Tensor[lt.f64, 3]):
            y = model.b.copy() if n > 2 else x
            g = lt.grad(lambda y: lt.sum(y * model.b))(y)[model.b]
            model.b.assign(model.b * 2.0)
            return lt.sum(y) + lt.sum(g)
        return f
    for n in (3, 1):
        assert lt.function(make(Model()))(n, X) == pytest.approx(make(Model())(n, X))


def test_the_function_may_choose():
    def make(model):
        def loss(x, n):
            y = model.b if n > 2 else x
            return lt.sum(y * model.b)
        return lambda n, x: lt.sum(lt.grad(loss)(x, n)[model.b])
    for n in (3, 1):
        assert lt.function(make(Model()))(n, X) == pytest.approx(make(Model())(n, X))
