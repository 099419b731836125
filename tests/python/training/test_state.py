"""Parameters and optimisers' memories as arrays by name, and in files that other libraries read and write."""
import numpy as np
import pytest

import lantern as lt


class Model(lt.Module):
    def __init__(self):
        self.weight = lt.Parameter((3, 2), lt.init.normal(0, 1))
        self.layers = [lt.Parameter(4, lt.init.uniform(), dtype="f64")]
        self.steps = lt.Variable(5)
        self.flags = lt.Variable(np.array([True, False]))

    def loss(self, x):
        return lt.sum(lt.square(self.weight @ x)) + lt.cast(lt.sum(self.layers[0]), "f32")


def equal(one, other):
    return one.keys() == other.keys() and all(one[name].dtype == other[name].dtype and one[name].shape == other[name].shape and
                                              one[name].tobytes() == other[name].tobytes() for name in one)


def test_a_state_is_a_copy_of_all_by_name():
    model, other = Model(), Model()
    state = model.state_dict()
    assert list(state) == ["weight", "layers_0", "steps", "flags"]
    assert [a.dtype.name for a in state.values()] == ["float32", "float64", "int64", "bool"]
    state["weight"][:] = 1.0
    assert not equal(state, model.state_dict())
    assert other.load_state_dict({name: array.astype(array.dtype.newbyteorder(">")) for name, array in model.state_dict().items()}) == ([], [])
    assert equal(other.state_dict(), model.state_dict())
    model.weight.assign(model.weight * 2.0)
    assert not equal(other.state_dict(), model.state_dict())


def test_a_state_that_does_not_fit_changes_nothing():
    model = Model()
    before = model.state_dict()
    for change, message in (({"weight": np.zeros((2, 3), np.float32)}, r"'weight' is lt.Tensor\[lt.f32, 2, 3\], and the model's is lt.Tensor\[lt.f32, 3, 2\]"),
                            ({"weight": np.zeros((3, 2))}, r"'weight' is lt.Tensor\[lt.f64, 3, 2\]"),
                            ({"layers_0": np.zeros(4, np.float16)}, "'layers_0' is an array of float16 with the shape"),
                            ({"more": np.zeros(2)}, "has the unknown more")):
        with pytest.raises(ValueError, match=message):
            model.load_state_dict({"steps": np.array(9), **{n: a for n, a in before.items() if n != "steps"}, **change})
    with pytest.raises(ValueError, match="lacks flags, layers_0, steps"):
        model.load_state_dict({"weight": np.zeros((3, 2), np.float32)})
    assert equal(model.state_dict(), before)
    assert model.load_state_dict({"weight": np.zeros((3, 2), np.float32), "more": np.zeros(2)}, strict=False) == (["layers_0", "steps", "flags"], ["more"])
    assert not model.weight.value.any() and model.steps == 5


def test_an_optimizer_goes_on_where_another_stood():
    def steps(model, optimizer, count):
        for _ in range(count):
            optimizer.step(lt.value_and_grad(model.loss)(np.array([0.5, -1.0], np.float32))[1])
    one, other = Model(), Model()
    other.load_state_dict(one.state_dict())
    optimizer, resumed = lt.optim.Adam(0.1), lt.optim.Adam(0.1)
    steps(one, optimizer, 3)
    state, memory = one.state_dict(), optimizer.state_dict(one)
    assert sorted(memory) == ["adam.steps", "layers_0.mean", "layers_0.square", "weight.mean", "weight.square"] and memory["adam.steps"] == 3
    steps(one, optimizer, 2)
    other.load_state_dict(state)
    resumed.load_state_dict(memory, other)
    steps(other, resumed, 2)
    assert equal(one.state_dict(), other.state_dict()) and equal(optimizer.state_dict(one), resumed.state_dict(other))
    with pytest.raises(ValueError, match="lacks layers_0.momentum, weight.momentum"):
        lt.optim.SGD(0.1, momentum=0.9).load_state_dict(memory, other)


def test_files_are_those_of_the_package_safetensors(tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    model, other = Model(), Model()
    ours, theirs = str(tmp_path / "ours"), str(tmp_path / "theirs")
    lt.save_arrays(ours, {name: array.astype(array.dtype.newbyteorder(">")) for name, array in model.state_dict().items()})
    read = safetensors.load_file(ours)
    assert equal(read, model.state_dict())
    with pytest.raises(ValueError, match="an array cannot be called '__metadata__'"):
        lt.save_arrays(ours, {"__metadata__": np.zeros(3)})
    safetensors.save_file(read, theirs, {"made": "elsewhere"})
    other.load_state_dict(lt.load_arrays(theirs))
    assert equal(other.state_dict(), model.state_dict())
    safetensors.save_file({"half": np.zeros(3, np.float16)}, theirs)
    with pytest.raises(lt.DataError, match="theirs: 'half' has elements of type F16; Lantern's are F32, F64, I32, I64, BOOL"):
        lt.load_arrays(theirs)


def test_weights_that_a_compiled_program_saves_are_those_that_the_package_reads(tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")

    class Weights(lt.Module):
        def __init__(self):
            self.weight = lt.Parameter((3, 2), lt.init.normal(0, 1))
            self.bias = lt.Parameter(3, lt.init.normal(0, 1))
    model, other = Weights(), Weights()

    def save(path: str):
        lt.save(path, model)
        return lt.sum(model.weight) + lt.sum(model.bias)

    def load(path: str):
        lt.load(path, other)
        return lt.sum(other.weight) + lt.sum(other.bias)
    ours, theirs = str(tmp_path / "ours"), str(tmp_path / "theirs")
    total = lt.function(save)(ours)
    read = safetensors.load_file(ours)
    assert equal(read, model.state_dict())
    safetensors.save_file(read, theirs)
    assert lt.function(load)(theirs) == total and equal(other.state_dict(), model.state_dict())


def test_staged_code_has_no_states():
    model = Model()
    for use in (lambda x: x + len(model.state_dict()), lambda x: model.load_state_dict({}), lambda x: lt.load_arrays("x")):
        with pytest.raises(Exception, match="LT0310.*is for Python, and has no staged meaning"):
            lt.function(use)(1.0)
