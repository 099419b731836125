"""Every diagnostic of the compiler's middle, in full; and what the command makes of programs, data and folders that are wrong."""
import pathlib
import re
import shutil

import pytest

GOLDEN = pathlib.Path(__file__).parents[2] / "golden" / "compile"
ROOT = pathlib.Path(__file__).parents[3]


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("bad-*.sexpr")), ids=lambda path: path.stem)
def test_diagnostic(golden, lantern, tmp_path, path):
    shutil.copy(path, tmp_path)
    done = lantern("compile", path.name, "--emit", "cpp")
    assert (done.returncode, done.stdout) == (1, "")
    code = re.match(r"bad-lt(\d+)", path.stem)
    if code:
        assert f"[LT{code[1]}]" in done.stderr
    golden(path.with_suffix(".txt"), done.stderr)


def test_every_code_of_the_middle_has_a_program():
    sources = [*(ROOT / "lantern").glob("*.cpp"), *(ROOT / "codegen").glob("*.cpp")]
    given = {code for source in sources for code in re.findall(r'"LT(0[2345]\d\d)"', source.read_text())}
    assert given - {match[1] for path in GOLDEN.glob("bad-*.sexpr") if (match := re.match(r"bad-lt(\d+)", path.stem))} == set()
