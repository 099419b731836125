"""How tests compile, and golden tests: `golden(path, text)` holds a text against a file, or, under --rebase, rewrites the file."""

import collections
import difflib
import gc
import locale
import os
import pathlib
import shutil
import subprocess

import pytest

from thorough import THOROUGH, one_in

# What code means is held to Python unoptimised, each operation rounded as Python rounds, and by clang++ where there is one: it takes
# half of g++'s time. What is marked `optimised` is compiled as users' code is. What the environment asks for stands.
UNOPTIMISED = {"LANTERN_CXXFLAGS": "-O0 -ffp-contract=off -DLANTERN_EXPECT"}
if shutil.which("clang++-14") or shutil.which("clang++"):
    UNOPTIMISED["LANTERN_CXX"] = str(pathlib.Path(__file__).with_name("clang.sh"))
# Under `make sanitized` the sanitizers look at all that compiled programs do.
SANITIZED = "LANTERN_SANITIZED" in os.environ
if SANITIZED:
    UNOPTIMISED["LANTERN_CXXFLAGS"] += " -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -shared-libsan"
UNOPTIMISED = {name: value for name, value in UNOPTIMISED.items() if name not in os.environ}
os.environ.update(UNOPTIMISED)
# NumPy's products are of small arrays: the threads that it would have for larger ones take each of many processes a third of what importing it takes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.fixture(autouse=True)
def optimisation(request, monkeypatch):
    if request.node.get_closest_marker("optimised") and not SANITIZED:
        for name in UNOPTIMISED:
            monkeypatch.delenv(name)


# Where there is time, with packets that are shorter than the machine's own, which other tests have but for compile/test_operators.py: SSE2's, and
# AVX2's where the machine's are AVX-512's.
SHORTER = [] if THOROUGH == 1 else ["x86-64"] + ["x86-64-v3"] * ("avx512dq" in pathlib.Path("/proc/cpuinfo").read_text("utf-8"))


@pytest.fixture(params=SHORTER)
def processor(request, monkeypatch):
    """What is compiled is for a lesser processor; its name, as part of a program's. One set of flags each: what programs have in common is compiled once."""
    monkeypatch.setenv("LANTERN_CXXFLAGS", f"{os.environ['LANTERN_CXXFLAGS']} -march={request.param}")
    return request.param.replace("-", "_")


@pytest.fixture
def decimal_commas(tmp_path, monkeypatch):
    """Runs the test in a locale whose numbers have decimal commas."""
    (tmp_path / "source").write_text('LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n')
    subprocess.run(["localedef", "-c", "-i", tmp_path / "source", "-f", "ANSI_X3.4-1968", tmp_path / "commas"], capture_output=True)
    monkeypatch.setenv("LOCPATH", str(tmp_path))
    locale.setlocale(locale.LC_NUMERIC, "commas")
    yield
    locale.setlocale(locale.LC_NUMERIC, "C")


def pytest_addoption(parser):
    parser.addoption("--rebase", action="store_true", help="rewrite the expected outputs of golden tests")


@pytest.fixture
def golden(request):
    """Asserts that `text` is what the file `path` holds. A test that uses it is marked `golden`."""

    def check(path, text):
        path = pathlib.Path(path)
        expected = path.read_text("utf-8") if path.exists() else ""
        if text == expected and path.exists():
            return
        if request.config.getoption("--rebase"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            return
        difference = difflib.unified_diff(
            expected.splitlines(True), text.splitlines(True), str(path), "what the test got (make golden accepts it)")
        pytest.fail("".join(difference) or f"{path} is missing (make golden writes it)", pytrace=False)

    return check


def pytest_collection_finish():
    """A trace makes thousands of objects that stay for a while: Python would look through them time and again, for a quarter of what staging takes."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_sessionfinish():
    """And pytest would at the end, twice, for half a second of a suite's."""
    gc.freeze()


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"{sum(os.times()[:4]):.0f} s of processor time")


def pytest_collection_modifyitems(items, config):
    for item in items:
        if "golden" in getattr(item, "fixturenames", ()):
            item.add_marker("golden")
    if not any("::" in argument for argument in config.args):       # what is asked for by name is run
        leave_out(items, config)


def leave_out(items, config):
    """Of the parameters of a test that is marked `sampled` the first stays, and each so many behind it."""
    turns, kept, left_out = collections.Counter(), [], []
    for item in items:
        sampled = item.get_closest_marker("sampled")
        stays = not sampled or turns[item.function] % one_in(*sampled.args) == 0
        turns[item.function] += 1
        (kept if stays else left_out).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left_out)
