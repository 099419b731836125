"""docs/calling-generated-code.md: its program is compiled and run, and each command prints what stands behind it."""
import pytest
from error_pages import ROOT, Entry, with_consoles

PAGE = ROOT / "docs" / "calling-generated-code.md"


@pytest.mark.slow
def test_the_commands_print_what_stands_there(golden, tmp_path, compiler):
    page = PAGE.read_text("utf-8")
    golden(PAGE, with_consoles(page, Entry(PAGE, "calling", page).run(tmp_path)))
    assert (tmp_path / "main").exists()
