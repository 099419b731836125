"""Steps of Adam that rows of a table are spared until they are read: nobody sees it, but for rounding. Eager steps go through all rows."""
import numpy as np
import pytest

import lantern as lt
from lantern import core

STEPS, ROWS = 800, 30


class Words(lt.Module):
    def __init__(self, dtype="f64"):
        values = np.sin(np.arange(3.0 * ROWS)).reshape(ROWS, 3)
        self.table = lt.Parameter((ROWS, 3), values, dtype=dtype)
        self.weight = lt.Parameter((3,), np.array([0.5, -0.3, 0.8]), dtype=dtype)

    def loss(self, row):
        return lt.sum(lt.square(self.table[row] * self.weight - 1.0))


def row_of(step):
    """Six of the first rows, time and again; now and then, and after long, one of the others; the last two never."""
    return step * step % 11 if step % 90 != 0 else 11 + step // 90 % 17


MAKE = {
    "adam": lambda: lt.optim.Adam(0.01),
    "a schedule": lambda: lt.optim.Adam(lt.optim.warm_up(50, lt.optim.cosine(0.02, STEPS, 0.001))),
    "other numbers": lambda: lt.optim.Adam(0.01, 0.5, 0.99, 1e-4),
    "clipped": lambda: lt.optim.Adam(0.01),
}


def trained(compiled, dtype, names=tuple(MAKE)):
    """What was read meanwhile, of some of MAKE; the parameters and what the optimisers remember, in the end."""
    models = {name: (Words(dtype), MAKE[name]()) for name in names}

    def train(begin: int, end: int):
        read = 0.0
        for step in range(begin, end):
            row = row_of(step)
            for name, (model, optimizer) in models.items():
                loss, gradients = lt.value_and_grad(model.loss)(row)
                if name == "clipped":
                    gradients = lt.optim.clip_by_global_norm(gradients, 0.5)
                optimizer.step(gradients)
                read += lt.item(loss) + lt.item(model.table[(row + 5) % ROWS][1])
                if step % 250 == 0:
                    read += lt.item(lt.sum(model.table))
        return read
    call = lt.function(train) if compiled else train
    read = call(1, 500), call(500, STEPS)
    arrays = {}
    for name, (model, optimizer) in models.items():
        arrays.update({(name, key): np.array(value, dtype="f8") for key, value in (*model.state_dict().items(), *optimizer.state_dict(model).items())})
    return read, arrays


def test_what_is_read_is_what_steps_of_all_rows_give():
    (found, arrays), (wanted, exact) = trained(True, "f64"), trained(False, "f64")
    assert found == pytest.approx(wanted, rel=1e-11)
    assert len(arrays) == len(MAKE) * 7 and arrays.keys() == exact.keys()
    for key, value in exact.items():
        np.testing.assert_allclose(arrays[key], value, rtol=1e-10, atol=1e-13, err_msg=str(key))


def test_f32_is_as_near_to_exact_numbers_as_steps_of_all_rows():
    names = "adam", "a schedule"
    (found, arrays), (_, stepped), (wanted, exact) = trained(True, "f32", names), trained(False, "f32", names), trained(False, "f64", names)
    assert found == pytest.approx(wanted, rel=1e-4)
    for key, value in exact.items():
        error, usual = np.max(np.abs(arrays[key] - value)), np.max(np.abs(stepped[key] - value))
        assert error <= 2 * usual + 1e-7 * np.max(np.abs(value)), key


def outcome(compiled, work):
    """The table after work(model, optimizer), by an error too."""
    model, optimizer = Words(), lt.optim.Adam(0.01)
    work = work(model, optimizer)
    with pytest.raises(IndexError):
        (lt.function(work) if compiled else work)(40)
    return np.array(model.table.value)


def test_an_error_leaves_no_row_behind():
    def work(model, optimizer):
        def train(steps: int):
            for step in range(steps):
                optimizer.step(lt.value_and_grad(model.loss)(step % 7 if step < 33 else ROWS)[1])
        return train
    np.testing.assert_allclose(outcome(True, work), outcome(False, work), rtol=1e-11)


def test_files_have_all_steps(tmp_path):
    def files(compiled):
        model, optimizer = Words(), lt.optim.Adam(0.01)
        weights, checkpoint = str(tmp_path / f"{compiled}.safetensors"), str(tmp_path / f"{compiled}.ckpt")

        def train(steps: int, weights: str, checkpoint: str):
            for step in range(steps):
                optimizer.step(lt.value_and_grad(model.loss)(step % 7)[1])
                if step == 20:
                    lt.save_checkpoint(checkpoint, model, optimizer)
                if step == 25:
                    lt.save(weights, model)
            lt.load_checkpoint(checkpoint, model, optimizer)
            optimizer.step(lt.value_and_grad(model.loss)(8)[1])
        (lt.function(train) if compiled else train)(30, weights, checkpoint)
        after = np.array(model.table.value)
        lt.load(weights, model)
        return after, np.array(model.table.value)
    for found, wanted in zip(files(True), files(False)):
        np.testing.assert_allclose(found, wanted, rtol=1e-11)


def text_of(make, **more):
    """The C++ of a loop of steps."""
    model, optimizers = Words(), make()

    def train(steps: int):
        for step in range(steps):
            gradients = lt.value_and_grad(model.loss)(step % 7)[1]
            for optimizer in optimizers:
                optimizer.step(gradients)
        return more.get("then", lambda model: 0.0)(model)
    return core.compile(lt.function(train).text(1), "train", {"emit": "cpp"})


def look(x):
    return float(np.sum(x))


@pytest.mark.parametrize("defers, make, then", [
    (True, lambda: [lt.optim.Adam(0.01)], lambda model: lt.item(lt.sum(model.table))),
    (True, lambda: [lt.optim.Adam(0.01), lt.optim.SGD(0.1)], None),
    (False, lambda: [lt.optim.Adam(0.01), lt.optim.Adam(0.01)], None),
    (False, lambda: [lt.optim.Adam(0.01, weight_decay=0.1)], None),
    (False, lambda: [lt.optim.AdamW(0.01)], None),
    (False, lambda: [lt.optim.LazyAdam(0.01)], None),
    (False, lambda: [lt.optim.Adam(0.01)], lambda model: lt.py_function(look, (model.weight,), float)),
], ids=["adam", "beside another", "two of them", "decay", "decoupled decay", "lazy", "Python is called"])
def test_which_steps_are_put_off(defers, make, then):
    text = text_of(make, **({"then": then} if then else {}))
    assert ("model.deferred.table.step(" in text) == ("row(model.parameters.table, model.deferred.table" in text) == defers


def test_steps_of_two_rules_of_one_table():
    found = []
    for compiled in (True, False):
        model, adam, sgd = Words(), lt.optim.Adam(0.01), lt.optim.SGD(0.1)

        def train(steps: int):
            for step in range(steps):
                gradients = lt.value_and_grad(model.loss)(step % 7)[1]
                if step % 3 == 0:
                    sgd.step(gradients)
                else:
                    adam.step(gradients)
        (lt.function(train) if compiled else train)(40)
        found.append(np.array(model.table.value))
    np.testing.assert_allclose(found[0], found[1], rtol=1e-11)


def test_a_model_that_is_made_anew_has_no_step_to_come():
    def train(turns: int):
        total = 0.0
        for turn in range(turns):
            lt.seed(turn)
            table, optimizer = lt.Parameter((9, 2), lt.init.uniform(-1, 1), dtype="f64"), lt.optim.Adam(0.01)
            for step in range(12):
                optimizer.step(lt.value_and_grad(lambda row: lt.sum(lt.square(table[row])))(step % 4)[1])
            total += lt.item(lt.sum(table[turn]))
        return total
    assert lt.function(train)(3) == pytest.approx(train(3), rel=1e-11)


def test_a_model_that_is_made_anew_takes_the_steps_of_the_one_before():
    """The first is made where no step has been put off; the others where steps may have been."""
    def train(trials: int):
        model, optimizer = Words(), lt.optim.Adam(0.01)
        read = 0.0
        for trial in range(trials):
            for step in range(8):
                optimizer.step(lt.value_and_grad(model.loss)(step % 7)[1])
            other, own = Words(), lt.optim.Adam(0.02)
            for step in range(5 + trial):
                loss, gradients = lt.value_and_grad(other.loss)(step % 3)
                own.step(gradients)
                read += loss
            read += lt.sum(other.table) + lt.sum(model.table)
        return read
    compiled = lt.function(train)
    assert compiled(3) == pytest.approx(train(3), rel=1e-11)
    source = core.compile(compiled.text(1), "train", {"emit": "cpp"})
    entry = source[source.index("double train_on_stack("):]
    first, _, rest = entry.partition("for (")
    assert first.count("fill(") > 2 and "up_to_date()" not in first and "model.up_to_date().parameters.table_2" in rest
