"""docs/errors.md lists the codes that the sources can give, and no others."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDERS = ["support", "sexpr", "frontend", "lantern", "codegen", "api", "cli", "runtime", "python"]


def codes_in_sources():
    """{code: a file that gives it}: codes in quotation marks; comments and ranges do not count."""
    found = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".cpp", ".h", ".py"):
                for code in re.findall(r'"(LT[0-9]{4})\\?"', path.read_text("utf-8")):
                    found.setdefault(code, path.relative_to(ROOT))
    return found


def listed_codes():
    return re.findall(r"^\| (LT[0-9]{4}) \| \S", (ROOT / "docs" / "errors.md").read_text("utf-8"), re.MULTILINE)


def test_every_code_is_listed():
    listed = set(listed_codes())
    missing = {code: str(path) for code, path in codes_in_sources().items() if code not in listed}
    assert missing == {}


def test_every_listed_code_exists():
    assert sorted(set(listed_codes()) - set(codes_in_sources())) == []


def test_each_code_stands_once_in_order():
    codes = listed_codes()
    assert codes == sorted(set(codes))
