"""docs/python.md line by line: each row does what its columns say."""
import pathlib
import re
import sys
import warnings

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "staging"))
import lantern.autograph as ag  # noqa: E402
from lantern.exceptions import UnconvertedWarning  # noqa: E402
from programs import built_alone, outcome  # noqa: E402
from python_page import is_syntax, module, prelude, rows, staged_outcome  # noqa: E402

ROWS = [row for row in rows() if is_syntax(row.code)]       # which rows are, depends on the Python that runs this
pytestmark = pytest.mark.slow       # the rows are compiled, all into one object


@pytest.fixture(scope="module")
def page(converter):
    return module(ROWS, prelude())


def results(page, function, case, capture):
    found = []
    for arguments in case.arguments:
        page.TOTAL = 10.0
        page.SEEN.clear()
        found.append(outcome(function, arguments, capture))
    return found


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_row(page, row, capfd):
    function = getattr(page, f"row_{row.line}")
    case = function.case
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UnconvertedWarning)
        twin = ag.to_graph(function)
    expected = results(page, function, case, capfd)
    assert results(page, twin, case, capfd) == expected
    if row.plain == "same":
        assert twin is not function
    else:
        assert twin is function and (not caught or re.fullmatch(r"plain \((LT[0-9]{4})\)", row.plain)[1] in str(caught[0].message))
    code, left = staged_outcome(case)
    assert left in ([], re.findall(r"plain \((LT[0-9]{4})\)", row.staged)) or row.staged.startswith("error")
    if row.staged.startswith("error"):
        assert code == re.match(r"error (LT[0-9]{4})(: |$)", row.staged)[1], case.error
        return
    assert code is None, str(case.error)
    assert re.fullmatch(r"same(; plain \(LT[0-9]{4}\))?", row.staged)
    assert results(page, built_alone(page)[case], case, capfd) == expected


def test_the_page_has_every_construct():
    """Statements, expressions and operators of Python's grammar, each in some row."""
    import ast

    from python_page import wrapped
    skipped = {"Module", "Interactive", "Expression", "FunctionType", "Load", "Store", "Del", "TypeIgnore",
               "TypeAlias", "TypeVar", "ParamSpec", "TypeVarTuple",      # Python 3.12's
               "AugLoad", "AugStore", "Param", "Suite", "Index", "ExtSlice", "Num", "Str", "Bytes", "NameConstant", "Ellipsis"}
    concrete = {name for name in dir(ast) if name[0] != "_" and isinstance(getattr(ast, name), type) and issubclass(getattr(ast, name), ast.AST)
                and not getattr(ast, name).__subclasses__()} - skipped
    seen = {type(node).__name__ for row in ROWS for node in ast.walk(ast.parse(wrapped(row.code)))}
    assert sorted(concrete - seen) == []
