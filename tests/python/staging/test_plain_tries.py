"""What may fail when the program runs, in a `try` or `with` of code that stays plain Python: refused where that would go on, and else as it is."""
import pytest

LOOKED_UP = """
def f(xs: list[int], i: int):
    return looked_up(xs, i)

"""
PLAIN = "@ag.do_not_convert\n"
REFUSED = {
    "an except": (PLAIN + "def looked_up(xs, i):\n    try:\n        return xs[i]    # here\n    except IndexError:\n        return -1\n", "'except' in 'looked_up', line 8"),
    "one that swallows all": (PLAIN + "def looked_up(xs, i):\n    try:\n        return xs[i]    # here\n    except:\n        return -1\n", "'except'"),
    "one of several": (PLAIN + "def looked_up(xs, i):\n    try:\n        y = xs[0]    # here\n    except (ValueError, LookupError):\n        y = -1\n    return y\n", "'except'"),
    "suppressed": (PLAIN + "def looked_up(xs, i):\n    import contextlib\n    with contextlib.suppress(IndexError):\n        return xs[i]    # here\n    return 0\n", "'with' in 'looked_up', line 7"),
    "a finally that returns": ("def looked_up(xs, i):\n    try:\n        y = xs[i]    # here\n    finally:\n        return 5\n", "'finally' in 'looked_up', line 8"),
    "a finally that leaves a loop": ("def looked_up(xs, i):\n    for k in range(2):\n        try:\n            y = xs[i]    # here\n        finally:\n            break\n    return y\n", "'finally'"),
    "a generator that yields in one": ("def looked_up(xs, i):\n    return sum(items(xs, i))\n\ndef items(xs, i):\n    try:\n        yield xs[i]    # here\n    except IndexError:\n        yield -1\n",
                                       "'except' in 'items', line 10"),
    "around what is converted": ("def looked_up(xs, i):\n    def fails():\n        if i > 1:\n            raise ValueError\n        return xs[0]\n    return called(fails)\n\n"
                                 + PLAIN + "def called(f):\n    try:\n        return f()    # here\n    except ValueError:\n        return 0\n", "ValueError is raised"),
}


@pytest.mark.filterwarnings("ignore::lantern.exceptions.UnconvertedWarning")
@pytest.mark.parametrize("title", REFUSED)
def test_what_would_go_on(error_of, title):
    source, text = REFUSED[title]
    source = LOOKED_UP.lstrip("\n") + source
    error = error_of(source)
    assert error.code == "LT0313" and text in error.message and error.hint
    assert error.place.line == 1 + next(line for line, each in enumerate(source.splitlines()) if "# here" in each)


@pytest.mark.filterwarnings("ignore::lantern.exceptions.UnconvertedWarning")
@pytest.mark.parametrize("body", [
    "try:\n        return xs[i]\n    except KeyError:\n        return -1",
    "try:\n        i + 1\n    except IndexError:\n        return -1\n    else:\n        return xs[i]",
    "try:\n        return xs[i]\n    finally:\n        i + 1",
    "import contextlib\n    with contextlib.nullcontext():\n        return xs[i]",
])
def test_what_leaves_plain_code(stage, body):
    staged = stage(LOOKED_UP + PLAIN + f"def looked_up(xs, i):\n    {body}\n")
    assert staged([4, 5], 1) == 5
    with pytest.raises(IndexError):
        staged([4, 5], 2)
