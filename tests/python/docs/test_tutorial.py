"""docs/tutorial.md: each file as it stands there, and each command prints what stands behind it."""
import pytest
from error_pages import ROOT, Entry, with_consoles

PAGE = ROOT / "docs" / "tutorial.md"


@pytest.mark.slow
def test_the_commands_print_what_stands_there(golden, tmp_path, compiler):
    page = PAGE.read_text("utf-8")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    folder = tmp_path / "tutorial"
    folder.mkdir()
    golden(PAGE, with_consoles(page, Entry(PAGE, "tutorial", page).run(folder)))
    assert (folder / "main").exists() and (folder / "tiny.safetensors").exists()
