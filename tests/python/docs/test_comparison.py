"""docs/comparison.md and docs/limits.md: what they quote and refer to is there."""
import re

from error_pages import ROOT, entries

BENCHMARKS = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
COMPARISON = (ROOT / "docs" / "comparison.md").read_text("utf-8")
LIMITS = (ROOT / "docs" / "limits.md").read_text("utf-8")


def test_each_alternative_has_its_section():
    for name in ("TorchScript", "torch.compile", "JAX", "DyNet", "CasADi", "Enzyme", "Clad"):
        section = COMPARISON.split(f"\n## {name}\n")[1].split("\n## ")[0]
        assert "*Better than us*:" in section and "*Not*:" in section, name


def test_what_is_said_of_benchmarks_stands_there():
    assert not re.findall(r"\d+\.\d+|\d+ (?:times|%)", COMPARISON), "a figure: it belongs into docs/benchmarks.md"
    assert "Recursive calls are not supported" in BENCHMARKS and "PyTorch, torch.compile: takes more than" in BENCHMARKS
    sections = re.findall(r"\(benchmarks\.md\), `?([\w ]+?)`?\)", LIMITS)
    titles = [title.lower() for title in re.findall(r"^## (.*)$", BENCHMARKS, re.MULTILINE)]
    assert sections and [each for each in sections if not any(each in title for title in titles)] == []


def test_each_code_is_linked_with_its_entry():
    found = re.findall(r"\[(LT\d{4})\]\(errors/(\w+\.md)#(\w+)\)", LIMITS)
    pages = {entry.code: entry.page.name for entry in entries()}
    assert len(found) == len(re.findall(r"LT\d{4}", LIMITS)) > 10
    assert [each for each in found if pages.get(each[0]) != each[1] or each[2] != each[0].lower()] == []
