"""Treebanks: what is read, and what is said of a malformed file."""
import sys

import pytest

import lantern as lt


@lt.struct
class Tree:
    label: int
    word: int
    left: "Tree | None"
    right: "Tree | None"


def write(tmp_path, text):
    path = tmp_path / "trees.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_reads_trees_and_words(tmp_path):
    path = write(tmp_path, "(3 (2 It) (4 (2 's) (4 good)))\r\n\n  \n(1 bad)\n(0 (1 (1 not)\t(2 It)) (2 .))")
    words = lt.vocabulary(path)
    assert words == ["<unk>", "It", "'s", "good", "bad", "not", "."]
    trees = lt.treebank(path, words, Tree)
    assert len(trees) == 3
    first, single, _ = trees
    assert (first.label, first.word, first.left.word, first.right.right.word) == (3, -1, 1, 3)
    assert single == Tree(1, 4, None, None)


@pytest.mark.parametrize("text, labels, words", [("(2 (1 a)\n (1\r\nb)\n)\n", 2, 3), ("(2 (1 a) (1 b)) (3 c)(4\td)\n", 234, 5)])
def test_trees_and_lines_need_not_be_one(tmp_path, text, labels, words):
    """Compiled, too."""
    def read(path: str):
        words = lt.vocabulary(path)
        total = 0
        for tree in lt.treebank(path, words, Tree):
            total = 10 * total + tree.label
        return total, len(words)

    path = write(tmp_path, text)
    assert read(path) == lt.function(read)(path) == (labels, words)


def test_unknown_words_are_0(tmp_path):
    path = write(tmp_path, "(1 (2 a) (3 b))")
    (tree,) = lt.treebank(path, ["<unk>", "b"], Tree)
    assert (tree.left.word, tree.right.word) == (0, 1)


def test_bytes_that_are_not_utf8_are_words(tmp_path):
    path = write(tmp_path, b"(1 (2 caf\xe9) (3 b))")
    assert len(lt.vocabulary(path)) == 3


def test_any_depth(tmp_path):
    depth = 100_000
    path = write(tmp_path, "(1 " * depth + "(1 a)" + " (2 b))" * depth)
    (tree,) = lt.treebank(path, ["<unk>", "a", "b"], Tree)
    (again,) = lt.treebank(path, ["<unk>", "a", "b"], Tree)
    assert tree == again and "…" in repr(tree)


MALFORMED = {
    "(x a)": "1:2: the label 'x' is not an integer",
    "(+3 a)": "1:2: the label '+3' is not an integer",
    "(" + "9" * 5000 + " a)": f"1:2: the label '{'9' * 5000}' is not an integer",
    "( a": "1:3: the label 'a' is not an integer",
    "(1 a)\n(2 (1 b)": "2:1: the file ends inside a tree that begins here",
    "(1 a) b": "1:7: expected '(', found 'b'",
    "(1 a))": "1:6: expected '(', found ')'",
    "a": "1:1: expected '(', found 'a'",
    "(1 a b)": "1:6: unexpected word 'b'",
    "(1 )": "1:4: a word is missing",
    "()": "1:2: a label is missing",
    "((1 a) (2 b))": "1:2: a label is missing",
    "(1 (2 a))": "1:1: an inner node has two children, this one has 1",
    "(1 (2 a) (2 b) (2 c))": "1:1: an inner node has two children, this one has 3",
    "(1\n(2 é\n)\n(x b))": "4:2: the label 'x' is not an integer",
    "(1\n(2 (3 a)\n))": "2:1: an inner node has two children, this one has 1",
    "(1 é (2 a))": "1:7: a node has either a word or two children",
}


@pytest.mark.parametrize("text", MALFORMED, ids=lambda text: text[:20])
def test_malformed(tmp_path, text):
    path = write(tmp_path, text)
    with pytest.raises(lt.DataError) as raised:
        lt.treebank(path, ["<unk>"], Tree)
    assert str(raised.value).startswith(f"{path}:{MALFORMED[text]}")


def test_a_missing_file():
    with pytest.raises(FileNotFoundError, match="nowhere.txt"):
        lt.vocabulary("nowhere.txt")


def test_a_structure_with_other_fields():
    @lt.struct
    class Other:
        label: int
    with pytest.raises(TypeError, match="fields label, word, left, right"):
        lt.treebank("x", [], Other)


def test_progress_shows_nothing_but_on_a_terminal(tmp_path, capsys, monkeypatch):
    path = write(tmp_path, "(1 a)\n(2 b)")
    trees = lt.treebank(path, ["<unk>"], Tree)
    assert list(lt.progress(trees, "x")) == list(trees)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert list(lt.progress(trees, "reading")) == list(trees)
    assert "reading" in (shown := capsys.readouterr().err) and "2/2" in shown
