"""Each node's place, in the tree and in the source map, is the one that CPython's ast gives."""

import ast
import collections
import pathlib
import re
import sys
import sysconfig

import pytest

from roundtrip import Roundtrip

STDLIB = pathlib.Path(sysconfig.get_paths()["stdlib"])
FILES = ["ast.py", "dataclasses.py", "typing.py", "asyncio/tasks.py", "test/test_grammar.py", "test/test_patma.py", "_pydecimal.py"]
WITHOUT_RANGE = (ast.arg, ast.keyword, ast.alias)  # not nodes of their own in our tree's map


def place(node, lines):
    """(line, column, end_line, end_column) from 1, in characters, as Lantern counts."""

    def column(line, offset):
        return len(lines[line - 1].encode()[:offset].decode()) + 1

    return (
        node.lineno,
        column(node.lineno, node.col_offset),
        node.end_lineno,
        column(node.end_lineno, node.end_col_offset),
    )


def lines_of(text):
    return re.split("\r\n|\r|\n", text)


def mistakes(source, answer):
    text = answer["text"]
    origins = collections.defaultdict(list)
    for output, origin in answer["map"]:
        origins[tuple(output)].append(tuple(origin))
    before, after = ast.parse(source), ast.parse(text)
    source_lines, text_lines = lines_of(source), lines_of(text)
    in_fstrings = {id(child) for node in ast.walk(before) if isinstance(node, ast.JoinedStr) for child in ast.walk(node)}
    for old, new in zip(ast.walk(before), ast.walk(after)):
        # CPython 3.11 itself is vague inside f-strings.
        if not hasattr(old, "lineno") or isinstance(old, WITHOUT_RANGE) or id(old) in in_fstrings:
            continue
        expected, found = place(old, source_lines), origins[place(new, text_lines)]
        if expected not in found:
            yield f"{type(old).__name__} of {expected} is mapped to {found}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the library's files are those of 3.11")
@pytest.mark.parametrize("name", FILES)
def test_standard_library(name):
    path = STDLIB / name
    if not path.exists():
        pytest.skip("this Python comes without its tests")
    source = path.read_text(encoding="utf-8")
    with Roundtrip(with_map=True) as roundtrip:
        wrong = list(mistakes(source, roundtrip.answer(path)))
    assert not wrong, f"{len(wrong)}: {wrong[:5]}"


def test_columns_count_characters(tmp_path):
    source = "é = 'ü' + f(变量)\nif é:\n\tx = (é\n ,\n)\n"
    path = tmp_path / "unicode.py"
    path.write_text(source, encoding="utf-8")
    with Roundtrip(with_map=True) as roundtrip:
        assert not list(mistakes(source, roundtrip.answer(path)))
