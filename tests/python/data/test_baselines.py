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
    column_of = {"good": 0, "bad": 1, "film": 2}
    counts = baselines.count_words(phrases, column_of)
    weights = baselines.fit_softmax_regression(counts, np.array([label for label, _ in phrases]), decay=1e-4)
    assert (counts @ weights).argmax(axis=1).tolist() == [3, 1, 3, 1]
    unknown = baselines.count_words([(3, ["good", "unheard-of"])], column_of)
    assert (unknown @ weights).argmax() == 3
