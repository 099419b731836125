"""docs/adding-an-operator.md: each piece stands in its file, and no file that an operator is entered in is left out."""
import re

from error_pages import BLOCK, ROOT

PAGE = ROOT / "docs" / "adding-an-operator.md"
TEXT = PAGE.read_text("utf-8")
FOLDERS = ["lantern", "codegen", "runtime", "python", "tests", "docs"]


def written(piece):
    """The pattern of a piece, where `…` stands for anything within its line."""
    return "^" + ".*".join(re.escape(part) for part in piece.split("…"))


def test_the_pieces_stand_in_their_files():
    pieces = [(name, body) for _, name, body in BLOCK.findall(TEXT) if name]
    assert len(pieces) > 10
    assert [(name, body) for name, body in pieces if not re.search(written(body), (ROOT / name).read_text("utf-8"), re.MULTILINE)] == []


def test_no_file_with_the_operator_is_left_out():
    entered = {path.relative_to(ROOT).as_posix() for folder in FOLDERS for path in (ROOT / folder).rglob("*")
               if path.suffix in (".cpp", ".h", ".py", ".md") and path != PAGE and re.search(r"\bsoftplus\b", path.read_text("utf-8"))}
    assert sorted(name for name in entered if name not in TEXT and not TEXT.count(f"]({name.removeprefix('docs/')})")) == []
    assert len(entered) > 8


def test_the_fields_are_the_tables():
    declared = (ROOT / "lantern/operators.h").read_text("utf-8").split("struct Operator {")[1].split("};\n\n")[0]
    named = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", TEXT, re.MULTILINE)))
    assert named and [name for name in named if not re.search(rf"\b{name}( = .*)?;", declared)] == []
