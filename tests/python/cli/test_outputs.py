"""What is written: files are whole or not there; pipes and what links lead to are written to, and stay what they are."""
import contextlib
import os
import pathlib
import stat
import subprocess
import sys
import threading

import numpy as np
import pytest

import lantern as lt

MODEL = """import lantern as lt


class Model(lt.Module):
    def __init__(self):
        self.w = lt.Parameter((3,), lt.init.fill(1.0))


model = Model()


@lt.export
def save(path: str):
    lt.save(path, model)
    return lt.sum(model.w)
"""


@pytest.fixture
def pipe(tmp_path):
    """A named pipe → the bytes that were written to it, once they have been."""

    @contextlib.contextmanager
    def read(name):
        os.mkfifo(tmp_path / name)
        received = []
        reader = threading.Thread(target=lambda: received.append((tmp_path / name).read_bytes()))
        reader.start()
        yield received
        if not stat.S_ISFIFO(os.stat(tmp_path / name).st_mode) or reader.is_alive():
            with contextlib.suppress(OSError):      # nobody has written: the reader ends
                os.close(os.open(tmp_path / name, os.O_WRONLY | os.O_NONBLOCK))
        reader.join(60)
        assert stat.S_ISFIFO(os.stat(tmp_path / name).st_mode)

    return read


WRITERS = {
    "explore": (["explore", "model.py", "-o", "{}"], b"<!doctype html>"), "depfile": (["compile", "model.py", "--depfile", "{}"], b"model.py"),
    "save": (["run", "model.py", "save", "--path", "{}"], b"__metadata__"), "plot": (["plot", "log.csv", "-o", "{}.svg"], b"<?xml"),
}


@pytest.mark.parametrize("arguments, begins", WRITERS.values(), ids=WRITERS)
def test_a_pipe_is_written_to(lantern, program, pipe, arguments, begins):
    program("model.py", MODEL)
    program("log.csv", "epoch,loss\n1,2.0\n2,1.0\n")
    if arguments[0] == "plot":
        pytest.importorskip("matplotlib")
    words = [word.format("out") for word in arguments]
    with pipe(words[-1]) as received:
        done = lantern(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert begins in received[0][:300]


@pytest.mark.parametrize("arguments, begins", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize("is_there", [True, False])
def test_what_a_link_leads_to_is_written(lantern, program, tmp_path, arguments, begins, is_there):
    program("model.py", MODEL)
    program("log.csv", "epoch,loss\n1,2.0\n2,1.0\n")
    if arguments[0] == "plot":
        pytest.importorskip("matplotlib")
    words = [word.format("out") for word in arguments]
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / words[-1]).symlink_to("elsewhere/between")
    (tmp_path / "elsewhere" / "between").symlink_to("target")
    if is_there:
        (tmp_path / "elsewhere" / "target").write_text("old")
    done = lantern(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / words[-1]).is_symlink() and begins in (tmp_path / "elsewhere" / "target").read_bytes()[:300]
    assert sorted(path.name for path in (tmp_path / "elsewhere").iterdir()) == ["between", "target"]


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["run", "model.py", "save", "--help"], ["check", "model.py", "save", "--help"]], ids=lambda words: words[0])
def test_help_that_cannot_be_written(lantern, program, words, unbuffered):
    program("model.py", MODEL)
    with open("/dev/full", "w") as full:
        done = lantern(*words, stdout=full, env={"PYTHONUNBUFFERED": unbuffered})
    assert (done.returncode, done.stderr) == (4, "error: cannot write to standard output: No space left on device [LT0802]\n")


def test_headers_of_an_earlier_standalone_copy_are_not_left_beside_what_is_made_without(lantern, program, tmp_path):
    program("model.py", MODEL)
    assert lantern("compile", "model.py", "--standalone", "-o", "made").returncode == 0
    before = (tmp_path / "made" / "model.h").read_text()
    done = lantern("compile", "model.py", "-o", "made")
    assert done.returncode == 2 and "'made/lantern' has the runtime's headers from an earlier --standalone" in done.stderr and "[LT0805]" in done.stderr
    assert (tmp_path / "made" / "model.h").read_text() == before
    assert lantern("compile", "model.py", "--standalone", "-o", "made").returncode == 0


@pytest.mark.parametrize("words", [["compile", "model.py", "--standalone", "-o", "made"], ["run", "model.py", "save", "--path", "w"]], ids=lambda words: words[0])
def test_a_runtime_that_is_not_there(lantern, program, tmp_path, words):
    program("model.py", MODEL)
    done = lantern(*words, env={"LANTERN_RUNTIME": "nowhere"})
    assert (done.returncode, done.stderr.partition("\n")[0]) == (4, "error: the runtime's headers are not in 'nowhere' [LT0603]")
    assert [path.name for path in tmp_path.iterdir()] == ["model.py"]


def test_python_writes_so_too(tmp_path, pipe):
    (tmp_path / "link").symlink_to("target")
    lt.save_arrays(tmp_path / "link", {"a": np.zeros(3)})
    assert (tmp_path / "link").is_symlink() and lt.load_arrays(tmp_path / "target")["a"].shape == (3,)
    with pipe("pipe") as received:
        lt.save_arrays(tmp_path / "pipe", {"a": np.zeros(3)})
    assert received[0] == (tmp_path / "target").read_bytes()


def test_what_an_interrupted_save_has_left_goes_with_the_next(lantern, program, tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for name in (f"w.tmp{ended.pid}-77", f"w.tmp{os.getpid()}-77", "w.tmp", "w.tmpx-1", f"v.tmp{ended.pid}-77"):
        pathlib.Path(tmp_path / name).write_text("half")
    program("model.py", MODEL)
    assert lantern("run", "model.py", "save", "--path", "w").returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {"model.py", "w", f"w.tmp{os.getpid()}-77", "w.tmp", "w.tmpx-1", f"v.tmp{ended.pid}-77"}
