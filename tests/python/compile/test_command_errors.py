"""What a user can get wrong at the command line: the code, the place, the exit status, and that nothing half-written is left."""
import pathlib

import pytest

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"

READER = '''
import lantern as lt

@lt.struct
class Tree:
    label: int
    word: int
    left: "Tree | None"
    right: "Tree | None"

def depth(tree: Tree) -> int:
    if tree.label == 9:
        return 0
    return 1 + depth(tree.left)

@lt.export
def deepest(path: str):
    for tree in lt.treebank(path, lt.vocabulary(path), Tree):
        print(depth(tree))

@lt.export
def labels(path: str):
    total = 0
    for tree in lt.treebank(path, lt.vocabulary(path), Tree):
        total = total + tree.label
    print(total)
'''


@pytest.fixture
def wrong(lantern, tmp_path):
    """wrong(status, *arguments) runs the command, which must end so, print nothing and write nothing; → its errors."""

    def run(status, *arguments, **options):
        before = {path.name for path in tmp_path.iterdir()}
        done = lantern(*arguments, **options)
        assert (done.returncode, done.stdout) == (status, ""), done.stderr
        assert {path.name for path in tmp_path.iterdir()} == before
        return done.stderr

    return run


def test_a_missing_file(wrong):
    assert wrong(4, "compile", "missing.py") == "error: cannot read 'missing.py': No such file or directory [LT0801]\n"


@pytest.mark.parametrize("body, code", [
    ("sum(xs) / len(xs)", "LT0411"), ("len(xs)", "LT0403"), ("xs[0]", "LT0403"), ("max(xs)", "LT0306"), ("xs + [1.0]", "LT0309"), ("xs[1:]", "LT0312")])
def test_what_a_parameter_without_an_annotation_may_be_meant_to_be(wrong, tmp_path, body, code):
    (tmp_path / "model.py").write_text(f"import lantern as lt\n\n@lt.export\ndef f(xs, n: int):\n    return {body}\n")
    for command in ("compile", "check"):
        error = wrong(1, command, "model.py")
        assert error.startswith("model.py:5:12: error: ") and f"[{code}]" in error
        assert "note: model.py:4:1: 'xs' has no annotation: list[float]" in error


def test_a_syntax_error(wrong, tmp_path):
    (tmp_path / "model.py").write_text("def f(x):\n    return (x +\n")
    error = wrong(1, "compile", "model.py")
    assert error.startswith("model.py:2:") and "[LT0101]" in error


def test_an_undefined_variable(wrong, tmp_path):
    (tmp_path / "model.py").write_text("import lantern as lt\n@lt.export\ndef f(x: float):\n    return x + z\n")
    assert wrong(1, "compile", "model.py").startswith("model.py:4:16: error: name 'z' is not defined [LT0301]\n      return x + z\n")


def test_a_variable_of_one_branch(wrong, tmp_path):
    (tmp_path / "model.py").write_text("import lantern as lt\nclass Y:\n    def __init__(self, x):\n        self.x = x\n"
                                       "@lt.export\ndef f(x: float):\n    if x > 0:\n        y = Y(2 * x)\n    return y.x\n")
    error = wrong(1, "compile", "model.py")
    assert error.startswith("model.py:9:12: error: 'y' may have no value here") and "give 'y' a value before the statement" in error


def test_a_wrong_shape(wrong, tmp_path):
    (tmp_path / "model.py").write_text("import lantern as lt\n@lt.export\ndef f(W: lt.Tensor[5, 3], h: lt.Tensor[4]):\n    a = W @ h\n    return a\n")
    error = wrong(1, "compile", "model.py")
    assert error.startswith("model.py:4:9: error: 'matmul' cannot multiply lt.Tensor[lt.f32, 5, 3] by lt.Tensor[lt.f32, 4]: the inner dimensions 3 and 4 differ [LT0403]")
    assert "'W' is lt.Tensor[lt.f32, 5, 3]" in error and "'h' is lt.Tensor[lt.f32, 4]" in error


def test_a_folder_that_cannot_be_written(wrong):
    error = wrong(4, "compile", EXAMPLES / "tree_prod.py", "-o", "/proc/nowhere")
    assert error.startswith("error: cannot write '/proc/nowhere/") and "[LT0802]" in error


@pytest.mark.parametrize("compiler, said", [("false", "failed on the generated code (exit code 1)"), ("no-such-compiler", "cannot start the C++ compiler")])
def test_a_compiler_that_fails(wrong, tmp_path_factory, compiler, said):
    cache = tmp_path_factory.mktemp("cache")
    error = wrong(4, "compile", EXAMPLES / "tree_prod.py", "--emit", "so", env={"LANTERN_CXX": compiler, "LANTERN_CACHE": str(cache)})
    assert said in error and "[LT0601]" in error
    assert not list(cache.glob("**/*.so"))


@pytest.fixture
def reader(tmp_path):
    (tmp_path / "reader.py").write_text(READER)
    return "reader.py"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text, place", [("(2 (1 a) (3 b))\n(2 (1 a)\n", "trees.txt:2:1"), ("(2 (1 a) (3 b)))\n", "trees.txt:1:16"),
                                         ("(2 (1 a) (3 b) (4 c))\n", "trees.txt:1:16"), ("(x (1 a) (3 b))\n", "trees.txt:1:2"), ("hello\n", "trees.txt:1:1")])
def test_a_malformed_tree(wrong, tmp_path, reader, text, place):
    (tmp_path / "trees.txt").write_text(text)
    error = wrong(4, "run", reader, "labels", "--path", "trees.txt")
    assert place in error and "error: " in error and "[LT0" in error


def test_a_data_file_that_is_missing(wrong, reader):
    error = wrong(4, "run", reader, "labels", "--path", "nowhere.txt")
    assert "nowhere.txt" in error and "[LT0" in error


def test_a_child_that_is_missing(wrong, tmp_path, reader):
    (tmp_path / "trees.txt").write_text("(2 (1 a) (3 b))\n")
    error = wrong(1, "run", reader, "deepest", "--path", "trees.txt")
    assert "reader.py:14:" in error and "left" in error and "[LT0" in error


def test_a_cache_that_cannot_be_written(wrong, tmp_path):
    (tmp_path / "file").write_text("")
    error = wrong(4, "compile", EXAMPLES / "tree_prod.py", "--emit", "so", env={"LANTERN_CACHE": str(tmp_path / "file" / "cache")})
    assert "[LT0802]" in error and "hint: compiled programs are kept there: LANTERN_CACHE names another folder" in error


def test_a_structure_that_always_holds_another_one_is_left_undefined(wrong, tmp_path):
    (tmp_path / "model.sexpr").write_text("(struct A (b B))\n(struct B (a A))\n(define f ()\n  (undefined A))\n")
    error = wrong(1, "compile", "model.sexpr", "--emit", "cpp")
    assert error.startswith("model.sexpr:4:3: error: (undefined A) is not supported: each 'A' holds another one [LT0406]\n")
