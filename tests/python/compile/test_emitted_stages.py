"""The text of every stage of a program, kept beside it, and the same to the byte however often it is written."""
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = ROOT / "tests" / "golden" / "emit"
CASES = [(PROGRAMS / "adagrad.sexpr", stage) for stage in ("ir", "cps", "cpp")]
CASES += [(PROGRAMS / "snapshots.sexpr", "cpp")]
CASES += [(PROGRAMS / "constants.sexpr", "cpp")]
CASES += [(PROGRAMS / f"{name}.py", "cpp") for name in ("calls", "holders", "shorter", "slices", "tables", "texts")]
CASES += [(PROGRAMS / "tangent.sexpr", stage) for stage in ("ir", "cpp")]
CASES += [(ROOT / "examples" / "tree_prod.py", stage) for stage in ("python", "staging", "sexpr", "ir", "cps", "cpp")]
CASES += [(ROOT / "examples" / "tree_lstm.py", stage) for stage in ("staging", "cps", "cpp")]
CASES += [(PROGRAMS / "decisions.py", "staging")]
CASES += [(PROGRAMS / "control_flow.py", "analysis")]


@pytest.mark.golden
@pytest.mark.parametrize("program, stage", CASES, ids=lambda value: getattr(value, "stem", value))
def test_stage(lantern, golden, program, stage):
    first = lantern("compile", program, "--emit", stage)
    assert (first.returncode, first.stderr) == (0, "")
    assert lantern("compile", program, "--emit", stage).stdout == first.stdout
    golden(PROGRAMS / f"{program.stem}.{stage}", first.stdout)


def test_loops_and_errors_are_as_one_would_write_them(lantern):
    text = lantern("compile", ROOT / "examples" / "power.py", "--emit", "cpp").stdout
    assert "while (abs(x_1 * x_1 - square) > 1e-12 * square) {" in text
    assert 'raise_error("ValueError", "power.py:22:9", join_texts(square, " has no real root"));' in text


def test_numbers_are_cast_once_and_only_where_cpp_has_another_type(lantern):
    text = lantern("compile", ROOT / "examples" / "mnist_linear.py", "--emit", "cpp").stdout
    assert "return static_cast<double>(right) / static_cast<double>(data_0);" in text
    assert 'x_1_adj -= x10_adj * divide(square, x_1, "power.py:25:24") / x_1;' in lantern("compile", ROOT / "examples" / "power.py", "--emit", "cpp").stdout


def test_what_python_computes_before_a_call_is_computed_before_it(lantern, tmp_path):
    """Here C++ evaluates the operands of one expression in any order: the quotient may end in an error, and so may the call."""
    (tmp_path / "order.py").write_text("""
import lantern as lt

def check(x: int) -> int:
    if x == 0:
        raise ValueError("zero")
    return x + 1

@lt.export
def quotient(x: int) -> int:
    return 10 // x + check(x)

@lt.export
def twice(x: int) -> int:
    return check(x) * 2 - check(x - 1)
""")
    text = lantern("compile", tmp_path / "order.py", "--emit", "cpp").stdout
    assert 'const int64_t x0 = floor_divide(10, x, "order.py:11:12");\n  return checked_add(x0, check(x), "order.py:11:12");' in text
    assert 'const int64_t x0 = check(x); return checked_subtract(checked_multiply(x0, 2, "order.py:15:12"), check(' in " ".join(text.split())


def test_the_header_has_the_names_of_arguments_that_the_definition_cannot_have(lantern, tmp_path):
    (tmp_path / "names.py").write_text("import lantern as lt\n\n\n@lt.export\ndef draw(uniform: float, double: float):\n    return lt.uniform(uniform, double)\n")
    assert lantern("compile", tmp_path / "names.py", "-o", tmp_path).returncode == 0
    assert "float draw(double uniform, double double_);" in (tmp_path / "names.h").read_text("utf-8")
    assert "draw(double uniform_, double double_) {" in (tmp_path / "names.cpp").read_text("utf-8")


def test_the_file_says_how_it_is_read_and_which_form_of_a_function_is_which(lantern, tmp_path):
    assert lantern("compile", ROOT / "examples" / "tree_lstm.py", "-o", tmp_path).returncode == 0
    text = (tmp_path / "tree_lstm.cpp").read_text("utf-8")
    assert text.split("#include")[0].count("continuation k") == 1
    assert "// tree_lstm.py:34  encode(tree)\n" in text and "// tree_lstm.py:34  encode(tree), with its derivative\n" in text


def test_adjoints_have_no_names_that_are_kept_for_cpp(lantern, tmp_path):
    program = tmp_path / "names.sexpr"
    program.write_text("(define f ((x f64) (x_ f64) (square f64)) (* x (* x_ square)))\n"
                       "(define g ((x f64) (x_ f64) (square f64)) (value-and-grad f (wrt x x_ square) x x_ square))\n(export g)\n")
    text = lantern("compile", program, "--emit", "cpp", "--disable-pass", "inline-gradients").stdout
    assert "double x, double& x_adj, double x_2, double& x_2_adj, double square, double& square_adj" in text and "__" not in text


def test_what_is_known_and_large_stands_in_full_lines(lantern, tmp_path):
    """Arrays are data, and a list of lists and texts of any length is laid out without the formatter, which would take seconds."""
    model = tmp_path / "known.py"
    model.write_text(r"""import lantern as lt
import numpy as np

TABLE = (np.arange(1200) / 7).reshape(40, 30).astype(np.float32)
NEAR = [[i, 1, 2 * i] for i in range(400)]
NAMES = ['the "%d", {;\n' % i * (1 + 40 * (i == 9)) for i in range(60)]


@lt.export
def f(x: lt.Tensor[30], k: int):
    total = (TABLE @ x).sum() * TABLE[3, 4]
    for i in lt.range(k):
        for j in NEAR[i]:
            total += x[j % 30]
        print(NAMES[i % 60])
    return total
""", "utf-8")
    run = lantern("compile", model, "--emit", "cpp")
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert [line for line in lines if len(line) > 110 and '"' not in line] == []
    full = [line for line in lines if line.startswith("    ") and line.endswith(",")]
    assert len(full) > 100 and sum(map(len, full)) / len(full) > 80
    assert "view_of(" in run.stdout
    assert lantern("compile", model, "--emit", "so", "-o", tmp_path / "built").returncode == 0


def test_numbers_of_a_large_table_are_rounded_as_a_cast_rounds_them(lantern, tmp_path):
    """Under clang++, a double that no float can be would be an error among its elements."""
    program = tmp_path / "table.sexpr"
    program.write_text(f"(define f ((k i64)) -> (tensor f32)\n (let x (cast f32 (stack 1e300 0.1 {'1.5 ' * 98})) (index x k)))\n(export f)\n", "utf-8")
    text = " ".join(lantern("compile", program, "--emit", "cpp").stdout.split())
    assert "{std::numeric_limits<float>::infinity(), 0.1f, 1.5f," in text
    assert lantern("compile", program, "--emit", "so", "-o", tmp_path / "built").returncode == 0


GRADIENTS = """
import lantern as lt
import numpy as np

# how far off
def loss(x, y):
    # apart
    d = x - y
    return np.sum(d * d)

def branches(x, y):
    total = 0.0
    if x[0] > 0.0:
        total = np.sum(x * y)
    return total

@lt.export
def run(x: lt.Tensor[4], y: lt.Tensor[4]):
    gx = lt.grad(loss)(x, y)
    # behind it
    z = gx * y
    return z

@lt.export
def twice(x: lt.Tensor[4], y: lt.Tensor[4]):
    return lt.grad(branches)(x, y)
"""


def test_a_gradient_is_written_where_it_is_taken(lantern, tmp_path):
    """With the user's comments, if what it is of runs through; a branch has a continuation."""
    (tmp_path / "model.py").write_text(GRADIENTS, "utf-8")
    text = " ".join(lantern("compile", "model.py", "--emit", "cpp").stdout.split())
    body = text[text.index('check_stack("run")'):text.index("return z;")]
    assert "void loss(" not in text and "void branches(" in text and "continuation" not in body and "zeros_like" not in body
    order = ["// how far off", "// model.py:6 loss(x, y)", "// apart", "const auto d = x - y;", "// reverse sweep", "d_adj = 2.0f * d;", "// behind it", "z = d_adj * y;"]
    places = [body.index(part) for part in order]
    assert places == sorted(places)
