"""What compiled functions print goes where `sys.stdout` is, in its place among what Python prints."""
import contextlib
import io
import sys
import tempfile
import threading

import pytest
from staged_source import module_of

import lantern as lt


def shown(k):
    print("python", k)
    return k + 1


SOURCE = """
from test_printed import shown


def turns(n: int):
    for i in range(n):
        print("é", i)
        print("got", lt.py_function(shown, (i,), int))
    if n > 2:
        raise ValueError("too many")
    return n
"""
LINES = ["before", "é 0", "python 0", "got 1", "é 1", "python 1", "got 2", "after"]


@pytest.fixture(scope="module")
def turns():
    sys.modules.setdefault("test_printed", sys.modules[__name__])
    return lt.function(module_of(SOURCE).turns)


def print_all(turns):
    print("before")
    turns(2)
    print("after")


def test_to_a_text_in_memory(turns):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        print_all(turns)
        with pytest.raises(ValueError, match="too many"):
            turns(3)
    assert out.getvalue().splitlines()[:8] == LINES and out.getvalue().endswith("got 3\n")


def test_to_a_file(turns):
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        with contextlib.redirect_stdout(file):
            print_all(turns)
        file.seek(0)
        assert file.read().splitlines() == LINES


def test_to_what_a_test_captures(turns, capsys):
    print_all(turns)
    assert capsys.readouterr().out.splitlines() == LINES


def test_to_the_process(turns, capfd):
    with contextlib.redirect_stdout(io.StringIO()):
        turns(1)
    print_all(turns)
    assert capfd.readouterr().out.splitlines() == LINES


def test_of_several_threads(turns):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        threads = [threading.Thread(target=turns, args=(2,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(out.getvalue().splitlines()) == sorted(4 * LINES[1:-1])
