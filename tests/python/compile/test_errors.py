"""More programs that the compiler's middle refuses, each with all that is said. One for each code is in docs/errors."""
import pathlib
import re
import shutil

import pytest

GOLDEN = pathlib.Path(__file__).parents[2] / "golden" / "compile"


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("bad-*.sexpr")), ids=lambda path: path.stem)
def test_diagnostic(golden, lantern, tmp_path, path):
    shutil.copy(path, tmp_path)
    done = lantern("compile", path.name, "--emit", "cpp")
    assert (done.returncode, done.stdout) == (1, "")
    code = re.match(r"bad-lt(\d+)", path.stem)
    if code:
        assert f"[LT{code[1]}]" in done.stderr
    golden(path.with_suffix(".txt"), done.stderr)
