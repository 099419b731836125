"""What makes arrays refuses in its own words, where nothing is compiled and where something is."""
import numpy as np
import pytest

import lantern as lt
from lantern.staging.errors import StagingError

NO_DIMENSIONS = [("a", "whole number, not 'a'"), (2.0, "whole number, not 2.0"), (None, "whole number, not None"), (True, "whole number, not True"),
                 ((2, None), "whole number, not None"), (np.ones(3), r"an array of float64 with the shape \(3,\)")]
OF_DIMENSIONS = {
    "zeros": lt.zeros, "ones": lt.ones, "full": lambda dims: lt.full(dims, 1.5), "uniform": lambda dims: lt.uniform(0, 1, dims),
    "normal": lambda dims: lt.normal(0, 1, dims), "truncated_normal": lambda dims: lt.truncated_normal(0, 1, dims),
    "bernoulli": lambda dims: lt.bernoulli(0.5, dims), "random.uniform": lambda dims: lt.random.uniform(lt.random.key(1), dims=dims),
    "random.normal": lambda dims: lt.random.normal(lt.random.key(1), dims=dims), "Parameter": lt.Parameter,
    "Variable": lambda dims: lt.Variable(shape=dims if isinstance(dims, tuple) else (dims,)),
    "reshape": lambda dims: lt.reshape(np.ones(6), dims),
}


@pytest.mark.parametrize("name", OF_DIMENSIONS)
def test_what_is_no_dimension(name):
    make = OF_DIMENSIONS[name]
    for dims, said in NO_DIMENSIONS:
        with pytest.raises(TypeError, match=said):
            make(dims)
    if name != "reshape":
        for dims in (-3, (2, -3)):
            with pytest.raises(ValueError, match="negative dimension -3"):
                make(dims)
        with pytest.raises(MemoryError):
            make((2**40, 2**40))
    assert np.shape(make(6)) == np.shape(make((np.int32(6),))) == (6,)
    assert np.shape(make((2, 3))) == (2, 3)


@pytest.mark.parametrize("make, said", [
    (lambda: lt.eye(-1), "negative dimension -1"), (lambda: lt.one_hot(0, -1), "negative dimension -1"), (lambda: lt.random.split(1, -2), "negative dimension -2"),
    (lambda: lt.pad(np.ones(3), -1, 0), "negative dimension -1"), (lambda: lt.concat([]), "need at least one array"),
    (lambda: lt.constant([[1.0], [1.0, 2.0]]), "lists of equal lengths")])
def test_a_value_that_is_wrong(make, said):
    with pytest.raises(ValueError, match=said):
        make()


@pytest.mark.parametrize("make, said", [
    (lambda: lt.eye(2.5), "whole number, not 2.5"), (lambda: lt.random.split(1, 2.5), "whole number, not 2.5"), (lambda: lt.random.key("a"), "whole number, not 'a'"),
    (lambda: lt.random.normal(1.5), "a key is a whole number, not 1.5"), (lambda: lt.seed(1.5), "a seed is a whole number, not 1.5"),
    (lambda: lt.uniform(np.zeros(2), 1, (3, 2)), "'uniform' takes numbers, not an array"), (lambda: lt.normal(0, "a"), "not 'a'"),
    (lambda: lt.uniform(0, 1, 3, "i32"), "draws f32 or f64, not i32"), (lambda: lt.random.uniform(1, dims=3, dtype="i64"), "draws f32 or f64, not i64"),
    (lambda: lt.full((2, 3), np.ones(3)), "'full' takes numbers, not an array"), (lambda: lt.full(3, None), "not None"),
    (lambda: lt.zeros_like("a"), "not 'a'"), (lambda: lt.constant("a"), "expected, not 'a'"), (lambda: lt.constant(None), "expected, not None"),
    (lambda: lt.constant(["a"]), "expected, not a list"), (lambda: lt.Variable(shape=2.5), "a dimension is a whole number, not 2.5"),
    (lambda: lt.Tensor["n", 2.5], "a dimension is an int, a name or None, not 2.5"), (lambda: lt.Tensor[lt.f64, -1], "not negative, as -1 is: one of any size is None")])
def test_what_is_of_a_wrong_type(make, said):
    with pytest.raises(TypeError, match=said):
        make()


@pytest.mark.parametrize("make, said", [
    (lambda: lt.uniform(lt.zeros(2), 1, (3, 2)), "'uniform' needs a number as its first operand, not lt.Tensor[lt.f32, 2]"),
    (lambda: lt.normal(0, lt.ones(2), (3, 2)), "'normal' needs a number as its second operand, not lt.Tensor[lt.f32, 2]"),
    (lambda: lt.full((2, 3), lt.ones(3)), "'full' needs a number as its value, not lt.Tensor[lt.f32, 3]")])
def test_compiled(make, said):
    with pytest.raises(StagingError) as error:
        lt.function(make)()
    assert error.value.code == "LT0403" and error.value.message == said
