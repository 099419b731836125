"""The rows of docs/python.md as programs: each is the body of a function of the page's names, and gives `y`."""
import ast
import dataclasses
import pathlib
import re
import warnings

from lantern.exceptions import UnconvertedWarning
from programs import Case
from staged_source import module_of

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "python.md"
SIGNATURE = "x: float, n: int, b: bool, s: str, v, xs: list[float], t: Node"


@dataclasses.dataclass
class Row:
    """A row of the page: code, and what its two columns say. line: where it stands in the page."""
    line: int
    code: str
    plain: str
    staged: str
    more: list = dataclasses.field(default_factory=list)

    def __str__(self):
        return f"{self.line}: {self.code.splitlines()[0][:50]}"


def rows(page=None):
    """The rows of the page's tables whose header begins with `| Python |`."""
    found, inside = [], False
    for number, line in enumerate((page or PAGE.read_text("utf-8")).splitlines(), 1):
        if not line.startswith("|"):
            inside = False
        elif line.startswith("| Python |"):
            inside = True
        elif inside and not line.startswith("|-"):
            code, plain, staged = (cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:4])
            spans = [re.fullmatch(r"`+ ?(.*?) ?`+", span.strip())[1] if "``" in span else span.strip().strip("`") for span in code.split("<br>")]
            found.append(Row(number, "\n".join(spans).replace("\u00a0", " "), plain, staged))
    return found


def prelude():
    """The page's own block of definitions, the first one marked python."""
    return re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[1]


def program(row, name):
    """The row as a function's text."""
    stored = {node.id for node in ast.walk(ast.parse(wrapped(row.code))) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    body = "".join(f"    {line}\n" for line in row.code.splitlines())
    return f"def {name}({SIGNATURE}):\n{body}" + ("    return y\n" if "y" in stored else "")


def wrapped(code):
    return "async def wrapper():\n" + "".join(f"    {line}\n" for line in code.splitlines())


def is_syntax(code):
    """Whether this Python has the syntax of a row."""
    try:
        return bool(ast.parse(wrapped(code)))
    except SyntaxError:
        return False


def module(page_rows, definitions):
    """A module of all rows, each function with a case."""
    texts = [definitions] + [program(row, f"row_{row.line}") for row in page_rows]
    made = module_of("\n\n".join(texts))
    for row in page_rows:
        function = getattr(made, f"row_{row.line}")
        function.case = Case(function, made.ARGUMENTS)
    return made


def staged_outcome(case):
    """(the error's code or None, the codes of warnings that something stays plain) of staging."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        error = case.error
    left = [re.search(r"\[(LT[0-9]{4})\]", str(w.message))[1] for w in caught if issubclass(w.category, UnconvertedWarning)]
    return error.code if error else None, left
