"""The bundled treebank: its format, its labels, and that its splits are apart."""

import pathlib
import re

import pytest

SAMPLE = pathlib.Path(__file__).resolve().parents[3] / "examples" / "data" / "sample"
SIZES = {"train": 639, "dev": 60, "test": 120}


def read_tree(line):
    """(label, word) or (label, left, right); asserts that the line is one strictly binary tree in canonical spacing."""
    tokens = re.findall(r"[()]|[^() ]+", line)
    place = 0

    def take(expected=None):
        nonlocal place
        token = tokens[place]
        place += 1
        assert expected is None or token == expected, f"{token!r} where {expected!r} should stand: {line}"
        return token

    def phrase():
        take("(")
        label = take()
        assert label in ("0", "1", "2", "3", "4"), line
        tree = (int(label), phrase(), phrase()) if tokens[place] == "(" else (int(label), take())
        take(")")
        return tree

    tree = phrase()
    assert place == len(tokens), f"text after the tree: {line}"
    assert write_tree(tree) == line
    return tree


def write_tree(tree):
    return f"({tree[0]} {' '.join(part if isinstance(part, str) else write_tree(part) for part in tree[1:])})"


def words(tree):
    return [tree[1]] if len(tree) == 2 else words(tree[1]) + words(tree[2])


def phrases(tree):
    yield tree
    for part in tree[1:]:
        if not isinstance(part, str):
            yield from phrases(part)


@pytest.fixture(scope="module")
def splits():
    return {
        name: [read_tree(line) for line in (SAMPLE / f"{name}.txt").read_text("utf-8").splitlines()] for name in SIZES
    }


def test_each_line_is_one_binary_tree_and_none_is_missing(splits):
    assert {name: len(trees) for name, trees in splits.items()} == SIZES


def test_each_split_has_every_label_at_its_roots(splits):
    for trees in splits.values():
        assert {tree[0] for tree in trees} == {0, 1, 2, 3, 4}


def test_no_sentence_occurs_twice(splits):
    sentences = [" ".join(words(tree)) for trees in splits.values() for tree in trees]
    assert len(sentences) == len(set(sentences))


def test_train_knows_every_word_of_dev_and_test(splits):
    known = {word for tree in splits["train"] for word in words(tree)}
    for name in ("dev", "test"):
        assert {word for tree in splits[name] for word in words(tree)} <= known


def test_a_phrase_has_one_label_wherever_it_occurs(splits):
    label_of = {}
    for trees in splits.values():
        for tree in trees:
            for phrase in phrases(tree):
                text = " ".join(words(phrase))
                assert label_of.setdefault(text, phrase[0]) == phrase[0], text


def test_no_label_is_so_common_in_test_that_guessing_it_would_do(splits):
    labels = [tree[0] for tree in splits["test"]]
    assert max(labels.count(label) for label in range(5)) <= 0.35 * len(labels)
