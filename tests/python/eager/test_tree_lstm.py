"""The TreeLSTM example under plain CPython."""
import pathlib
import sys

import pytest

import lantern as lt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "numeric"))
import tree_lstm_cases as cases  # noqa: E402

TRAIN = """(3 (2 It) (4 (2 's) (4 good)))
(1 (2 It) (0 (2 's) (0 bad)))
(4 (4 good) (2 .))
(0 bad)
"""


@pytest.mark.parametrize("options", [{}, {"mlp": 2, "root_only": True}], ids=str)
def test_gradients(options):
    model = cases.model("f64", words=5, embedding=3, hidden=2, **options)
    leaf, *others = cases.trees(words=5)
    for tree in (leaf, *others[3:5]):     # of three leaves and of four: the numbers of deeper ones are compiled code's to hold
        value, gradients = lt.value_and_grad(model.loss)(tree)
        assert value == model.loss(tree)
        cases.assert_gradients_agree(gradients, lambda: model.loss(tree), gradients)


def test_a_frozen_embedding_has_no_gradient():
    model = cases.model("f64", frozen=True)
    _, gradients = lt.value_and_grad(model.loss)(cases.trees()[1])
    assert model.embedding not in gradients and model.leaf in gradients


def test_train_evaluate_predict(tmp_path, capsys):
    path, weights = tmp_path / "train.txt", str(tmp_path / "weights.safetensors")
    path.write_text(TRAIN)
    sizes = {"embedding": 6, "hidden": 5}
    cases.example.train(str(path), str(path), str(path), epochs=30, learning_rate=0.2, save=weights, **sizes)
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("epoch 1: mean loss ") and shown[-1].startswith("test accuracy: roots 1.0000")
    cases.example.evaluate(weights, str(path), **sizes)
    assert capsys.readouterr().out.startswith("accuracy: roots 1.0000")
    cases.example.predict(weights, str(path), **sizes)
    assert capsys.readouterr().out.split() == ["3", "1", "4", "0"]


def test_without_dev_and_test_files(tmp_path, capsys):
    path = tmp_path / "train.txt"
    path.write_text(TRAIN)
    cases.example.train(str(path), epochs=1, embedding=3, hidden=2)
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_the_command_line(tmp_path, capsys, monkeypatch):
    path = tmp_path / "train.txt"
    path.write_text(TRAIN)
    monkeypatch.setattr(sys, "argv", ["tree_lstm.py", "train"])
    names = vars(cases.example)
    main = eval("lambda arguments: lt.main(arguments)", names)
    main(["train", "--train", str(path), "--epochs", "1", "--embedding", "3", "--hidden", "2", "--root-only"])
    assert "epoch 1" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    shown = capsys.readouterr().out
    assert "--learning-rate FLOAT" in shown and "of Adagrad (default: 0.05)" in shown and "--no-frozen" in shown
    with pytest.raises(SystemExit) as stop:
        main(["fly"])
    assert stop.value.code == 2
