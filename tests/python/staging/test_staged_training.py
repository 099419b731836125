"""Parameters, gradients, optimisers and data while tracing."""
import pathlib
import re

import interpreter
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]

MODEL = """
class Linear(lt.Module):
    def __init__(self, inputs, outputs):
        self.weight = lt.Parameter((outputs, inputs), lt.init.uniform(-0.1, 0.1))
        self.bias = lt.Parameter(outputs, lt.init.zeros())

    def apply(self, x):
        return self.weight @ x + self.bias

class Model(lt.Module):
    def __init__(self, n):
        self.head = Linear(n, 2)
        self.table = lt.Parameter((n, 3), lt.init.normal(0, 1), trainable=False)

    def loss(self, x: lt.Tensor[3], label: int):
        return lt.cross_entropy(self.head.apply(x + self.table[label]), label)

"""


def items(f, kind):
    return [item for item in interpreter.read(f.text) if item[0] == kind]


def test_parameters_are_declared_by_their_path_and_initialised_in_order(stage):
    f = stage(MODEL + """
def f(x: lt.Tensor[3], label: int):
    model = Model(3)
    return model.loss(x, label)
""")
    assert [item[1] for item in items(f, "parameter")] == ["head.weight", "head.bias", "table"]
    assert "(parameter head.weight (tensor f32 2 3) (uniform -0.1 0.1))" in f.text
    assert f.text.index("(initialize head.weight 2 3)") < f.text.index("(initialize head.bias 2)") < f.text.index("(initialize table 3 3)")
    assert "(gather table label)" in f.text and "(define loss" in f.text and "(define apply" in f.text


def test_a_dimension_that_is_known_at_run_time_is_named(stage):
    f = stage("""
    class Model(lt.Module):
        def __init__(self, n):
            self.table = lt.Parameter((n, 3))

    def f(path: str, i: int):
        words = lt.vocabulary(path)
        model = Model(len(words))
        return model.table[i]
    """)
    assert "(parameter table (tensor f32 words 3) (uniform -0.05 0.05))" in f.text
    assert "(initialize table x0 3)" in f.text


def test_value_and_grad_with_respect_to_the_parameters_reached(stage):
    f = stage(MODEL + """
def f(x: lt.Tensor[3], label: int):
    model = Model(3)
    value, gradients = lt.value_and_grad(model.loss)(x, label)
    return value, gradients[model.head.bias]
""")
    assert "(value-and-grad loss (wrt head.weight head.bias) x label)" in f.text


def test_value_and_grad_with_respect_to_an_argument(stage):
    f = stage("""
    def scaled(x, n):
        return x * x * n

    def f(x: float):
        value, slope = lt.value_and_grad(scaled)(x, 3)
        both, (dx, dn) = lt.value_and_grad(scaled, wrt=("x", "n"))(x, 2.0)
        return value + slope + both + dx + dn
    """)
    assert "(value-and-grad scaled (wrt x) x)" in f.text and "(wrt x n) x 2.0)" in f.text


@pytest.mark.parametrize("call, wrt", [("lambda p: p[0][0] * p[1][0])((w, w))[1][PLACE][0]", "(wrt p_0_0)"),
                                       ("lambda a, b: a[0] * b[0], wrt=('a', 'b'))(w, w)[1][PLACE][0]", "(wrt a_0 b_0)"),
                                       ("lambda a, b: a[0] * b[0], wrt='b')(w, w)[1][0]", "(wrt b_0)")])
def test_a_list_that_is_given_twice(stage, call, wrt):
    for place in "01":
        f = stage(f"""
def f(x: float):
    w = [x]
    return lt.value_and_grad({call.replace("PLACE", place)}
""")
        assert wrt in f.text and re.search(r"\(let (\w+) \(get x\d+ \d\)\s+\1\)", f.text), f.text     # the result is a part of the derivative


def test_the_tangent_of_a_list_that_is_given_back(stage):
    f = stage("""
    def f(x: float):
        (xs, y), (xs_dot, y_dot) = lt.jvp(lambda xs: (xs, xs[0] * 2), ([x, x],), ([1.0, 0.5],))
        return len(xs), xs_dot[1]
    """)
    assert "(tuple 2 0.5)" in f.text


def test_an_optimiser_updates_parameters_and_its_own_state(stage):
    f = stage(MODEL + """
def f(xs: lt.Tensor[None, 3], rate: float):
    model = Model(3)
    optimizer = lt.optim.Adagrad(rate)
    for x in xs:
        loss, gradients = lt.value_and_grad(model.loss)(x, 1)
        optimizer.step(gradients)
""")
    assert [item[1] for item in items(f, "state")] == ["head.weight.adagrad", "head.bias.adagrad"]
    assert f.text.index("(initialize table 3 3)") < f.text.index("(initialize head.weight.adagrad 2 3)") < f.text.index("(for x")
    assert f.text.count("(initialize head.weight.adagrad") == 1
    assert f.text.count("(update (head.weight ") == 1 and "(head.weight.adagrad " in f.text


def test_a_variable_is_read_and_assigned(stage):
    f = stage("""
    count = lt.Variable(0.0, dtype="f64", name="count")

    def f(n: int):
        for i in range(n):
            count.assign(count + 1.0)
        return count + 0.0
    """)
    assert "(state count (tensor f64) (fill 0.0))" in f.text
    f.machine.globals["count"] = 0.0
    assert f(3) == 3.0


def test_tree_lstm(converter):
    from lantern import stage
    reply = stage.stage({"file": str(ROOT / "examples" / "tree_lstm.py"), "entry": None, "emit": "sexpr", "mode": "compile"})
    assert reply["diagnostics"] == []
    text = reply["sexpr"]
    program = interpreter.read(text)
    assert [item[1] for item in program if item[0] == "export"] == ["train", "evaluate", "predict"]
    defines = [item[1] for item in program if item[0] == "define"]
    assert sorted(defines) == ["accuracy", "encode", "evaluate", "guess", "loss", "predict", "scores", "size", "train"]
    assert "(define encode ((tree Tree)) -> (tuple (tensor f32 150) (tensor f32 150) (tensor f32) i64)" in text
    assert "(value-and-grad loss (wrt embedding leaf leaf_bias inner inner_bias head head_bias) tree)" in text
    assert all(f"(let {name} " in text for name in ("h_left", "c_left", "gates", "f_left", "loss_below", "words", "trees"))


def test_tree_lstm_flags(converter):
    from lantern import stage
    flags = ["--train", "t.txt", "--hidden", "7", "--embedding", "5", "--mlp", "4", "--frozen", "--root-only", "--epochs", "2"]
    reply = stage.stage({"file": str(ROOT / "examples" / "tree_lstm.py"), "entry": "train", "emit": "so", "mode": "run", "dtype": "f64",
                         "arguments": flags})
    assert reply["diagnostics"] == [] and reply["exit"] == 0
    assert list(reply["arguments"].items()) == [("train", "t.txt"), ("dev", ""), ("test", ""), ("epochs", 2), ("seed", 1),
                                                ("learning_rate", 0.05), ("save", "")]
    assert "(parameter embedding (tensor f64 words 5)" in reply["sexpr"] and "(parameter layer (tensor f64 4 7)" in reply["sexpr"]
    assert "(wrt leaf leaf_bias" in reply["sexpr"]
