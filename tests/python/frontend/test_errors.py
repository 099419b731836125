"""What is not Python is refused at its place, with LT0101; what is odd in a file's bytes is read as CPython reads it."""

import ast

import pytest

from roundtrip import Roundtrip


def answer(tmp_path, source):
    path = tmp_path / "bad.py"
    path.write_bytes(source if isinstance(source, bytes) else source.encode())
    with Roundtrip() as roundtrip:
        return roundtrip.answer(path)


@pytest.mark.parametrize(
    "source, line, column, message",
    [
        ("x = (1,\n     2\ny = 3\n", 1, 5, "'(' was never closed"),
        ("x = 1)\n", 1, 6, "unmatched ')'"),
        ("if a: b,\nc, d = e\n", 2, 1, "this line is valid Python, and Lantern's grammar reads it as a part of the line before"),
        ("x = 1\nmatch[x]:\n    case [1]: pass\n", 3, 5, "put a blank between `match` and `[`"),
        ("x = (1]\n", 1, 7, "closing parenthesis ']' does not match opening parenthesis '('"),
        ("x = 'a\ny = 2\n", 1, 5, "unterminated string literal"),
        ("x = 1\ny = '''a\nb\n", 2, 5, "unterminated triple-quoted string literal"),
        ("a = 1\nif a\n    b = 2\n", 2, 5, "expected ':'"),
        ("def f(:\n    pass\n", 1, 6, "'(' was never closed"),
        ("a = 1\nb = a +\nc = 2\n", 2, 5, "invalid syntax"),
        ("def f(x):\n    return x x\n", 2, 12, "invalid syntax"),
        ("x = 1\nclass A\n    y = 2\n", 2, 8, "expected ':'"),
        ("for x y:\n    pass\n", 1, 1, "invalid syntax"),
        ("a = 1\nprint 'x'\n", 2, 7, "missing parentheses in call to 'print': write print(…)"),
        ("exec 'x'\n", 1, 1, "missing parentheses in call to 'exec': write exec(…)"),
        ("x = 1\n  y = 2\n", 2, 3, "unexpected indent"),
        ("if x:\n    a\n  b\n", 3, 3, "unindent does not match any outer indentation level"),
        ("if x:\ny = 2\n", 2, 1, "expected an indented block"),
        ("if x:\n    y\n\tz\n", 3, 2, "inconsistent use of tabs and spaces in indentation"),
        ("if x:\n        y\n\tz\n", 3, 2, "inconsistent use of tabs and spaces in indentation"),
        ("".join(" " * i + "if x:\n" for i in range(120)), 101, 101, "too many levels of indentation"),
        ("x = a <> b\n", 1, 7, "invalid syntax"),
        ("x = 5L\n", 1, 5, "invalid decimal literal"),
        ("x = `a`\n", 1, 5, "invalid syntax"),
        ("with a := b as c: pass\n", 1, 6, "invalid syntax"),
        ("with (a as b, c := d): pass\n", 1, 15, "invalid syntax"),
        ("try: a\nexcept A as b.c: d\n", 2, 13, "invalid syntax"),
        ("x = (a if b else c as d)\n", 1, 18, "invalid syntax"),
        ("x = f'{}'\n", 1, 8, "f-string: empty expression not allowed"),
        ("x = f'{a!x}'\n", 1, 9, "f-string: invalid conversion character"),
        ("x = 'a' b'b'\n", 1, 5, "cannot mix bytes and nonbytes literals"),
        ("x = (*a)\n", 1, 5, "cannot use starred expression here"),
        ("type X = int\n", 1, 1, "invalid syntax"),
        ("def f[T](x): pass\n", 1, 6, "invalid syntax"),
        ("class A: pass\n)\n", 2, 1, "unmatched ')'"),
        ("é = 'ü' ]\n", 1, 9, "unmatched ']'"),
        ("x = 'a\x00b'\n", 1, 7, "source code cannot contain null bytes"),
    ],
)
def test_place_and_message(tmp_path, source, line, column, message):
    got = answer(tmp_path, source)
    assert got["code"] == "LT0101"
    assert message in got["error"], got["error"]
    assert (got["line"], got["column"]) == (line, column), got["error"]


@pytest.mark.parametrize(
    "source",
    [
        "# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"),
        "#!/usr/bin/python\n# vim: set fileencoding=iso-8859-15 :\nx = '€'\n".encode("iso-8859-15"),
        "# coding: koi8-r\nимя = 'Питон'\n".encode("koi8-r"),
        "# coding=utf-8\nx = 'é'\n".encode(),
        "\ufeffx = 'é'\n".encode(),
        "\ufeff# coding: utf-8\nx = 'é'\n".encode(),
        "\n\n# coding: latin-1\nx = 'é'\n".encode(),  # a cookie in the third line is a comment
        b"x = 1\r\nif x:\r\n    y = '''a\r\nb'''\r\n",
        b"x = 1\rif x:\r    y = 2\r",
        b"x = 1\\\r\n + 2\r\n",
        b"if x:\n\x0c    y\n\x0cz\n",
    ],
)
def test_bytes_are_read_as_cpython_does(tmp_path, source):
    got = answer(tmp_path, source)
    assert "error" not in got, got["error"]
    assert ast.dump(ast.parse(got["text"])) == ast.dump(ast.parse(source))


@pytest.mark.parametrize(
    "source, line, message",
    [
        (b"x = 1\ny = '\xff'\n", 2, "the file is not UTF-8"),
        (b"# coding: klingon\nx = 1\n", 1, "unknown encoding: klingon"),
        (b"# coding: ascii\nx = 1\ny = '\xe9'\n", 3, "not ascii"),
        (b"\xef\xbb\xbf# coding: latin-1\nx = 1\n", 1, "declares the encoding latin-1"),
    ],
)
def test_undecodable(tmp_path, source, line, message):
    got = answer(tmp_path, source)
    assert got["code"] == "LT0101" and got["line"] == line and message in got["error"], got["error"]


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "(" * 100_000 + "1" + ")" * 100_000 + "\n",
        "x = " + "[" * 100_000 + "]" * 100_000 + "\n",
        "x = a" + " + a" * 50_000 + "\n",
        "x = a" + " and b or a" * 25_000 + "\n",
        "x = a" + ".b(1)[2]" * 20_000 + "\n",
        "x = " + "not -" * 1 + "-" * 50_000 + "a\n",
        "x = a" + " if b else c" * 30_000 + "\n",
        "if a: pass\n" + "elif b: pass\n" * 20_000,
        "x = " + "'a' " * 50_000 + "\n",
        "x = [" + "1, " * 200_000 + "]\n",
        "x = " + "lambda: " * 50_000 + "1\n",
        "(" * 100_000,
        "if a:" * 1_000 + "\n",
    ],
    ids=lambda source: f"{source[:8]}…{len(source)}".replace("\n", " "),
)
def test_depth_never_crashes(tmp_path, source):
    got = answer(tmp_path, source)
    assert "text" in got or got["code"] == "LT0101"
