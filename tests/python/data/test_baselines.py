"""examples/baselines.py: what it prints on the sample, and its softmax regression on a case known beforehand."""

import importlib.util
import pathlib
import re
import subprocess
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "examples" / "data" / "sample"


def load_baselines():
    spec = importlib.util.spec_from_file_location("baselines", ROOT / "examples" / "baselines.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_prints_three_accuracies_between_chance_and_certainty():
    command = [sys.executable, ROOT / "examples" / "baselines.py"]
    for name in ("train", "dev", "test"):
        command += [f"--{name}", SAMPLE / f"{name}.txt"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    accuracies = dict(re.findall(r"^  (\w.*?)  +(\d\.\d{3})$", printed, re.MULTILINE))
    assert accuracies["majority class"] == "0.300"  # 36 of 120
    for name in ("bag of words, from sentences", "bag of words, from every phrase"):
        assert 0.2 < float(accuracies[name]) < 0.6


def test_phrases_of_a_tree_end_with_the_sentence():
    baselines = load_baselines()
    assert baselines.phrases_of("(1 (2 not) (3 good))") == [(2, ["not"]), (3, ["good"]), (1, ["not", "good"])]


def test_softmax_regression_separates_what_words_separate():
    baselines = load_baselines()
    phrases = [(3, ["good"]), (1, ["bad"]), (3, ["good", "film"]), (1, ["bad", "film"])]
    column_of = {"good": 1, "bad": 2, "film": 3}
    bags = baselines.Bags(phrases, column_of)
    weights = baselines.fit_softmax_regression(bags, 4, decay=1e-4)
    assert bags.accuracy(weights) == 1
    assert baselines.Bags([(3, ["good", "unheard-of"])], column_of).accuracy(weights) == 1


def test_gradient_of_bags_is_that_of_their_scores():
    baselines = load_baselines()
    bags = baselines.Bags([(3, ["good"]), (1, ["bad", "bad"]), (2, [])], {"good": 1, "bad": 2})
    weights = np.arange(15.0).reshape(3, 5)
    assert bags.scores(weights).tolist() == [
        (weights[0] + weights[1]).tolist(), (weights[0] + 2 * weights[2]).tolist(), weights[0].tolist()]
    assert bags.pull_back(np.ones((3, 5)), 3).tolist() == [[3] * 5, [1] * 5, [2] * 5]
