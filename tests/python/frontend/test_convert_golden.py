"""What the converter prints, one idiom a file: tests/golden/convert/NAME.py → NAME.converted."""

import pathlib

import pytest
from converter import REPOSITORY, Converter

FOLDER = REPOSITORY / "tests" / "golden" / "convert"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_golden(path, golden):
    with Converter() as converter:
        golden(pathlib.Path(path).with_suffix(".converted"), converter.answer(path)["code"])
