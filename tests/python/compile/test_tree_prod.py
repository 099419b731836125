"""The paper's `tree_prod`, from Python to C++."""
import pathlib
import re
import shutil
import subprocess

import pytest
from thorough import one_in, one_of

ROOT = pathlib.Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"
pytestmark = pytest.mark.optimised

# As the paper prints it.
LISTING = """
(define runX (in1 in2) (begin (begin
  (define tree_prod (base tree) (begin
    (let x0 (getattr tree is_empty)
      (let x1 (if x0 (begin base) (begin
          (let x1 (getattr tree left) (let x2 (tree_prod base x1)
          (let x3 (getattr tree right) (let x4 (tree_prod base x3)
          (let x5 (* x2 x4) (let x6 (getattr tree value) (let x7 (* x5 x6) x7))))))))) x1)))
  (tree_prod in1 in2) (let x1 x1)))))
"""


def read(text):
    """Nested lists of words."""
    stack = [[]]
    for word in re.findall(r'[()]|"[^"]*"|[^\s()]+', text):
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    return stack[0]


def normal(form, names=None, counter=None):
    """Bound names renamed in the order of their binding; `begin`s of one expression and `locations` dropped."""
    names, counter = names or {}, counter if counter is not None else iter(range(10**6))
    if isinstance(form, str):
        return names.get(form, form)
    form = [part for part in form if not (isinstance(part, list) and part and part[0] == "locations")]
    if form[:1] == ["begin"] and len(form) == 2:
        return normal(form[1], names, counter)
    if form[:1] == ["let"] and len(form) == 4:
        value = normal(form[2], names, counter)
        fresh = f"v{next(counter)}"
        return ["let", fresh, value, normal(form[3], {**names, form[1]: fresh}, counter)]
    return [normal(part, names, counter) for part in form]


def test_the_s_expressions_are_the_papers(lantern):
    done = lantern("compile", EXAMPLES / "tree_prod.py", "--emit", "sexpr")
    assert (done.returncode, done.stderr) == (0, "")
    assert [normal(item) for item in read(done.stdout)] == [normal(item) for item in read(LISTING)]


def test_the_papers_listing_compiles_as_printed(lantern, tmp_path):
    (tmp_path / "paper.sexpr").write_text(LISTING)
    done = lantern("compile", "paper.sexpr", "--emit", "cpp")
    assert (done.returncode, done.stderr) == (0, "")
    assert "void tree_prod(double base, double& base_adj, const Tree& tree" in done.stdout


def test_the_code_is_short_and_nests_its_continuations(lantern):
    code = lantern("compile", EXAMPLES / "tree_prod.py", "--emit", "cpp").stdout
    lines = [line for line in code.splitlines() if line.strip()]
    assert len(lines) < 40
    assert re.search(r"tree_prod\([^;{]*\[&\]\([^;{]*\{\s*tree_prod\([^;{]*\[&\]\(", code), code


@pytest.mark.parametrize("stage", ["python", "staging", "sexpr", "ir", "cps", "cpp"])
def test_the_output_is_the_same_wherever_it_is_made(lantern, tmp_path, stage):
    for folder in ("one", "another"):
        (tmp_path / folder).mkdir()
        shutil.copy(EXAMPLES / "tree_prod.py", tmp_path / folder)
    texts = {lantern("compile", "tree_prod.py", "--emit", stage, cwd=tmp_path / folder).stdout for folder in ("one", "another", "one")}
    assert len(texts) == 1 and texts != {""}


UNREAD = """
import lantern as lt

@lt.export
def unread(xs: "list[int]", weights: lt.Tensor[lt.f64, 3], n: int) -> int:
    first = xs[0]
    n // (n - 3)
    stack = [n, n]
    for x in xs:
        if x > 0:
            stack.append(x)
        else:
            stack.pop()
    weights = weights.copy()
    weights[n] = 1.0
    return len(stack)

def energy(a: lt.Tensor[lt.f64, 2], b: lt.Tensor[lt.f64, 2], n: int):
    hits, total = 0, 0.0
    for i in range(n):
        hits = 0
        if a[0] < 1:
            a, hits = a + a @ b, hits + 1
        if a[1] < 1:
            a, hits = a * 2, hits + 1
        total = total + lt.sum(a * b) + 0.0 * hits
    return total

@lt.export
def shares(xs: "list[float]", weights: lt.Tensor["n"], n: int):
    total = 0.0
    for x in xs:
        total += x * n
    return total / len(xs) + 1, lt.sum(weights) * n / len(xs)

def error(w: float, xs: "list[float]"):
    total = 0.0
    for x in xs:
        total += (w * x - 1) ** 2
    return total / len(xs)

def mean_square(w: float, xs: "list[float]"):
    total = 0.0
    for x in xs:
        total += w * x * w * x
    return total / len(xs)

@lt.export
def steepness(w: float, xs: "list[float]"):
    return lt.grad(mean_square)(w, xs)

def power(w: float, n: int):
    return w if n == 0 else w * power(w, n - 1)

@lt.export
def slopes(w: float, xs: "list[float]", n: int):
    return lt.grad(error)(w, xs), lt.grad(lambda u: power(u, n))(w)

@lt.export
def pull(a: lt.Tensor[lt.f64, 2], b: lt.Tensor[lt.f64, 2], n: int):
    return lt.value_and_grad(energy)(a, b, n)
"""


def test_what_is_computed_for_its_check_alone(lantern, tmp_path):
    (tmp_path / "unread.py").write_text(UNREAD, encoding="utf-8")
    text = lantern("compile", "unread.py", "--emit", "cpp").stdout
    assert '[[maybe_unused]] const int64_t first = index(xs, 0, "unread.py:6:13");' in text
    assert 'static_cast<void>(floor_divide(n, checked_subtract(n, 3, "unread.py:7:11"), "unread.py:7:5"));' in text
    slopes = text[text.index("\nstd::tuple<double, double> slopes"):]
    assert "[[maybe_unused]] double total" in slopes and "\n  power_forward(u, n, tape);" in slopes, slopes    # of losses whose gradients are wanted alone
    steepness = text[text.index("\ndouble steepness_on_stack(double w, List<double> xs) {"):]
    steepness = steepness[:steepness.index("\n}")]
    assert "check_divisor(" in steepness and "total =" not in steepness, steepness    # and nothing of it fails
    assert 'pop_from(stack, "unread.py:13:13");' in text
    assert "\n    int64_t hits = 0;\n" in text and "\n    [[maybe_unused]] int64_t hits = 0;\n" in text    # read on the way there alone


@pytest.mark.slow
def test_the_code_of_the_examples_has_no_warnings(lantern, tmp_path):
    compilers = [compiler for compiler in one_of(["g++", "clang++-14"], 0) if shutil.which(compiler)]
    eigen = next((path for path in ("/usr/include/eigen3", "/usr/local/include/eigen3") if pathlib.Path(path).is_dir()), None)
    if not eigen or not compilers:
        pytest.skip("neither g++ nor clang++-14, or Eigen is not where Debian puts it")
    plain_python = ("baselines", "sentiment", "tree_view")
    examples = sorted(path for path in EXAMPLES.glob("*.py") if path.stem not in plain_python)
    for path in examples[::one_in(2)]:
        done = lantern("compile", path, "-o", "out")
        assert (done.returncode, done.stderr) == (0, ""), path
    (tmp_path / "unread.py").write_text(UNREAD, encoding="utf-8")
    assert lantern("compile", "unread.py", "-o", "out").returncode == 0
    sources = [path.name for path in (tmp_path / "out").glob("*.cpp")]
    together = tmp_path / "out" / "together.cpp"     # the headers are read once
    together.write_text("".join(f'#include "{name}"\n' for name in sources), encoding="utf-8")
    assert len(sources) > len(examples) / 2
    for compiler in compilers:
        built = subprocess.run([compiler, "-std=c++17", "-DLANTERN_PACKETS_AS_COMPILED", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-fsyntax-only",
                                "-I", ROOT / "runtime" / "include", "-isystem", eigen, together], capture_output=True, text=True, timeout=600)
        assert (built.returncode, built.stderr) == (0, ""), compiler


@pytest.mark.parametrize("name", ["ops", "errors", "detail", "lantern", "std"])
def test_a_file_may_have_the_name_of_a_part_of_the_runtime(program_of, name):
    assert program_of("(define twice ((x f64)) (* x 2.0))\n(export twice)\n", name).entry("twice")(2.5) == [5.0]
