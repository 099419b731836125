"""The README shows what the example says and what the compiler prints: pytest tests/python/docs --rebase rewrites it."""
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("LANTERN_BUILD", ROOT / "build"))
EXAMPLE = ROOT / "examples" / "tree_prod.py"


def with_block(text, language, body):
    """The text, with another body in the code block behind `<!-- language -->`."""
    pattern = rf"(<!-- {language} -->\n```{language}\n).*?(```\n)"
    changed, count = re.subn(pattern, lambda found: found[1] + body.strip() + "\n" + found[2], text, flags=re.DOTALL)
    assert count == 1, f"the README has {count} blocks marked {language}"
    return changed


def test_python_in_and_cpp_out(golden):
    compiled = subprocess.run([BUILD / "bin" / "lantern", "compile", EXAMPLE, "--emit", "cpp"], text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=300)
    assert compiled.returncode == 0, compiled.stderr
    python = EXAMPLE.read_text("utf-8").split('"""')[2]  # behind the docstring
    readme = (ROOT / "README.md").read_text("utf-8")
    golden(ROOT / "README.md", with_block(with_block(readme, "python", python), "cpp", compiled.stdout))


def test_every_page_is_in_the_index():
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert sorted(name for name in pages if f"]({name})" not in index) == []


def test_what_it_links_to_exists():
    for document in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]:
        prose = re.sub(r"```.*?```|`[^`\n]*`", "", document.read_text("utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#:]+)\)", prose):
            assert (document.parent / target).exists(), f"{document.relative_to(ROOT)} links to {target}"
