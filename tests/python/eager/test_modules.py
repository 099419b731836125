"""Modules: names of parameters, and their files."""
import json
import re
import struct

import numpy as np
import pytest

import lantern as lt


class Linear(lt.Module):
    def __init__(self, inputs, outputs):
        self.weight = lt.Parameter((outputs, inputs))
        self.bias = lt.Parameter(outputs, lt.init.zeros())


class Model(lt.Module):
    def __init__(self):
        self.table = lt.Parameter((4, 2), trainable=False)
        self.layers = [Linear(2, 3), Linear(3, 1)]
        self.steps = lt.Variable(0)
        self.layers.append(Linear(1, 1))


def test_names_are_paths():
    model = Model()
    assert list(model.named_globals()) == [
        "table", "layers_0.weight", "layers_0.bias", "layers_1.weight", "layers_1.bias", "layers_2.weight", "layers_2.bias",
        "steps"]
    assert "steps" not in model.parameters()
    assert model.layers[1].bias.name == "layers_1.bias"


def test_keys_in_names_are_in_words():
    model = lt.Module()
    model.w = {key: lt.Parameter(2) for key in ("+", "x-y", "<=", "x_y", "é", "", 3, -1, 1.5, ("a", 2))}
    setattr(model, "u*", lt.Parameter(2))
    assert list(model.parameters()) == [
        "w_plus", "w_x_hyphen_minus_y", "w_less_than_equals", "w_x_y", "w_latin_small_letter_e_with_acute", "w_", "w_3", "w_hyphen_minus_1",
        "w_1_full_stop_5", "w_left_parenthesis_apostrophe_a_apostrophe_comma_space_2_right_parenthesis", "u_asterisk"]
    assert all(re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", name, re.ASCII) for name in model.parameters())    # what programs take as names


def test_names_are_of_where_parameters_lie_now():
    model = Model()
    first, second, third = model.layers
    model.layers = [lt.Parameter((5,)), third, first]
    model.second = second
    assert list(model.named_globals()) == [
        "table", "layers_0", "layers_1.weight", "layers_1.bias", "layers_2.weight", "layers_2.bias", "steps", "second.weight", "second.bias"]
    third.bias, third.own = Linear(1, 1).bias, first.bias       # one whose module is gone, and one that has two places
    assert list(model.named_globals()) == [
        "table", "layers_0", "layers_1.weight", "layers_1.bias", "layers_2.bias", "layers_2.weight", "steps", "second.weight", "second.bias"]


def test_two_of_one_name_are_an_error():
    """One of them would be missing where all are saved."""
    model = Model()
    model.layers_0 = Linear(2, 2)
    with pytest.raises(ValueError, match="two of what the module holds are called 'layers_0.weight'"):
        model.state_dict()


def test_a_parameter_can_begin_as_an_array():
    assert lt.Parameter((2,), [1, 2]).value.tolist() == [1, 2]
    with pytest.raises(ValueError, match="shape"):
        lt.Parameter((3,), [1, 2])


def test_a_parameter_begins_where_a_cache_line_does():
    of_file = np.ones(4 * 101, np.float32)
    for place in range(4):
        given = lt.Parameter((100,), of_file[place:place + 100])
        drawn = lt.Parameter((3, 5 + place))
        assert given.read().ctypes.data % 64 == drawn.read().ctypes.data % 64 == 0
        assert given.read().flags.c_contiguous and given.read().flags.writeable
    given.assign(np.arange(100.0))
    assert given.value.tolist() == list(range(100)) and (of_file == 1).all()


def test_an_initialiser_that_is_not_called():
    for make in (lambda: lt.Parameter((2,), lt.init.zeros), lambda: lt.Variable(shape=2, init=lt.init.zeros)):
        with pytest.raises(TypeError, match=r"call it, lt.init.zeros\("):
            make()


def test_an_array_in_the_place_of_a_shape():
    with pytest.raises(TypeError, match=r"a parameter takes its shape first, and then what it begins with, lt.Parameter\(x.shape, x\)"):
        lt.Parameter(np.zeros(3))


def test_values_change_by_assign_only():
    variable = lt.Variable(1)
    variable.assign(variable + 2)
    assert variable == 3
    with pytest.raises(AttributeError, match="by its method assign"):
        variable.value = 4
    with pytest.raises(ValueError):
        lt.Parameter((2,)).value[0] = 1
    with pytest.raises(ValueError, match="shape"):
        lt.Parameter((2,)).assign(np.zeros(3))


def test_save_and_load(tmp_path):
    path = str(tmp_path / "weights.safetensors")
    lt.seed(1)
    one, other = Model(), Model()
    lt.save(path, one, ["<unk>", "café"])
    lt.load(path, other)
    for name, parameter in one.parameters().items():
        np.testing.assert_array_equal(parameter.value, other.parameters()[name].value)
    assert lt.load_vocabulary(path) == ["<unk>", "café"]
    assert [p.name for p in tmp_path.iterdir()] == ["weights.safetensors"]
    with pytest.raises(ValueError, match=r"no line end in it: 'a\\nb'"):
        lt.save(path, one, ["a\nb"])
    lt.save(path, one, [])
    with pytest.raises(lt.DataError, match="no vocabulary was saved"):
        lt.load_vocabulary(path)


def test_what_a_file_may_have_wrong(tmp_path):
    path = tmp_path / "weights"
    lt.save(str(path), Linear(2, 3))
    with pytest.raises(lt.DataError, match="no vocabulary"):
        lt.load_vocabulary(str(path))
    with pytest.raises(lt.DataError, match=r"'weight' is lt.Tensor\[lt.f32, 3, 2\], and the model's is lt.Tensor\[lt.f32, 3, 3\]"):
        lt.load(str(path), Linear(3, 3))
    with pytest.raises(lt.DataError, match="lacks layers_0.bias"):
        lt.load(str(path), Model())
    whole = path.read_bytes()
    for broken in (b"", whole[:7], whole[:-1], b"\xff" * 8 + whole[8:], whole[:8] + b"[" * 60 + whole[68:],
                   whole.replace(b'"data_offsets":[0,24]', b'"data_offsets":[24,0]'),
                   whole.replace(b'"shape":[3,2]', b'"shape":[9,2]'), whole.replace(b'"F32"', b'"F33"', 1)):
        path.write_bytes(broken)
        with pytest.raises(lt.DataError):
            lt.load(str(path), Linear(2, 3))


@pytest.mark.parametrize("shape", [[True], [0, 2**62], [-1], "1", 1, [10**30]])
def test_a_shape_that_is_none_is_refused(tmp_path, shape):
    path, size = tmp_path / "arrays", 8 if shape == [True] else 0
    header = json.dumps({"a": {"dtype": "F64", "shape": shape, "data_offsets": [0, size]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(size))
    with pytest.raises(lt.DataError, match="the header's entry of 'a'"):
        lt.load_arrays(path)


def test_metadata_is_text(tmp_path):
    header = json.dumps({"__metadata__": {"vocabulary": 3}}).encode()
    (tmp_path / "arrays").write_bytes(struct.pack("<Q", len(header)) + header)
    with pytest.raises(lt.DataError, match="its metadata is not a JSON object of strings"):
        lt.load_vocabulary(tmp_path / "arrays")


def test_a_name_of_the_users():
    class Dense(lt.Module):
        def __init__(self, name=None):
            self.name = name or "dense"
            self.w = lt.Parameter((2,), lt.init.ones())

    class Net(lt.Module):
        def __init__(self):
            self.a, self.b = Dense("first"), Dense()

    net = Net()
    assert (net.a.name, net.b.name, net.name) == ("first", "dense", None)
    assert list(net.state_dict()) == ["a.w", "b.w"] and net.a.w.name == "a.w"
    with pytest.raises(AttributeError):
        net.a.w.name = "w"
