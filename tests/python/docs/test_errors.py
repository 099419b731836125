"""docs/errors.md lists the codes that the sources can give, and no others; docs/errors has for each the program that causes it, and what is said."""
import re

import pytest
from error_pages import ROOT, entries, with_consoles

FOLDERS = ["support", "sexpr", "frontend", "lantern", "codegen", "api", "cli", "runtime", "python"]
INDEX = ROOT / "docs" / "errors.md"
# A bug that is known is mended; an older Python refuses itself what 3.12 reads; where memory runs out depends on the machine.
WITHOUT_A_PROGRAM = {"LT0159", "LT0808", "LT0901"}
# What a function of Python's raises arrives as it is.
WITHOUT_A_CODE = {"LT0712"}
ENTRIES = entries()


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
    return re.findall(r"^\| \[(LT[0-9]{4})\]\(\S+\) \| \S", INDEX.read_text("utf-8"), re.MULTILINE)


def test_every_code_is_listed():
    listed = set(listed_codes())
    missing = {code: str(path) for code, path in codes_in_sources().items() if code not in listed}
    assert missing == {}


def test_every_listed_code_exists():
    assert sorted(set(listed_codes()) - set(codes_in_sources())) == []


def test_each_code_stands_once_in_order():
    codes = listed_codes()
    assert codes == sorted(set(codes))


def test_each_code_has_an_entry_where_the_list_says():
    links = re.findall(r"^\| \[(LT[0-9]{4})\]\(errors/(\w+\.md)#(\w+)\)", INDEX.read_text("utf-8"), re.MULTILINE)
    assert [(code, page, code.lower()) for code, page, _ in links] == links
    assert {(code, page) for code, page, _ in links} == {(entry.code, entry.page.name) for entry in ENTRIES}
    assert len(ENTRIES) == len(links)


def test_each_entry_has_its_program():
    assert {entry.code for entry in ENTRIES if not entry.commands()} == WITHOUT_A_PROGRAM


@pytest.mark.parametrize("entry", [
    pytest.param(entry, id=entry.code, marks=[pytest.mark.slow] if entry.builds() else []) for entry in ENTRIES if entry.commands()])
def test_the_program_causes_it(entry, golden, tmp_path):
    printed = entry.run(tmp_path)
    page = entry.page.read_text("utf-8")
    golden(entry.page, page.replace(entry.text, with_consoles(entry.text, printed)))
    assert entry.code in "".join(printed) or entry.code in WITHOUT_A_CODE
