"""docs/how-it-works.md: each stage as its command prints it, and no stage left out."""
import re

import pytest
from error_pages import ROOT, Entry, printed_by, with_consoles

PAGE = ROOT / "docs" / "how-it-works.md"


@pytest.fixture
def page(tmp_path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return Entry(PAGE, "how it works", PAGE.read_text("utf-8"))


@pytest.mark.slow
def test_the_commands_print_what_stands_there(page, golden, tmp_path):
    golden(PAGE, with_consoles(page.text, page.run(tmp_path)))


def test_every_stage_is_named(page, tmp_path):
    stages = re.search(r"--emit STAGE:\{([a-z,]+)\}", printed_by("lantern compile --help", tmp_path))[1].split(",")
    rows = re.findall(r"^\|[^|]*\|((?: *`[a-z]+`,?)+) *\|", page.text, re.MULTILINE)
    assert len(stages) > 5 and re.findall(r"`([a-z]+)`", "".join(rows)) == stages
