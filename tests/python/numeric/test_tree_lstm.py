"""The compiled TreeLSTM: gradients against central differences, the loss against the eager run of the same file."""
import numpy as np
import pytest

import lantern as lt

import tree_lstm_cases as cases

pytestmark = pytest.mark.optimised


@pytest.mark.parametrize("options", [{}, {"mlp": 2, "root_only": True}], ids=["every node", "mlp, root only"])
def test_every_entry_of_every_gradient(options):
    model = cases.model("f64", **options)
    compiled = lt.value_and_grad(lt.function(model.loss, dtype="f64"))
    for tree in cases.trees():
        value, gradients = compiled(tree)
        eager_value, eager = lt.value_and_grad(model.loss)(tree)
        assert value == pytest.approx(eager_value, rel=1e-12)
        for parameter in eager:
            np.testing.assert_allclose(gradients[parameter], eager[parameter], rtol=1e-9, atol=1e-12)
        for parameter in gradients:  # a tree of one leaf does not reach those of the inner nodes
            if parameter not in eager:
                assert not np.any(gradients[parameter])
        cases.assert_gradients_agree(gradients, lambda: compiled(tree)[0], gradients)


def test_the_f32_loss_is_the_eager_one():
    model = cases.model("f32")
    loss = lt.function(model.loss)
    for tree in cases.trees():
        found, expected = loss(tree), model.loss(tree)
        assert found.dtype == expected.dtype == np.float32
        assert found == pytest.approx(expected, rel=1e-5)


@pytest.mark.slow
def test_random_directions_at_full_size():
    model = cases.model("f64", words=100, embedding=300, hidden=150)
    for parameter in model.parameters().values():
        parameter.assign(parameter.value * 0.1)
    compiled = lt.value_and_grad(lt.function(model.loss, dtype="f64"))
    rng = np.random.default_rng(3)
    for tree in cases.trees(words=100)[1::4]:
        _, gradients = compiled(tree)
        for _ in range(3):
            direction = {p: rng.normal(size=p.shape) for p in gradients}
            expected = sum(np.sum(direction[p] * gradients[p]) for p in gradients)
            begin = {p: p.value.copy() for p in gradients}

            def moved(by):
                for p in gradients:
                    p.assign(begin[p] + by * direction[p])
                return float(compiled(tree)[0])
            h = 1e-4
            found = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h)
            moved(0)
            assert found == pytest.approx(expected, rel=1e-6)
