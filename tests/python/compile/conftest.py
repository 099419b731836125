"""Programs compiled into this process: program_of(text, name, *structs) gives one, built once however often asked for."""
import functools
import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

BUILD = pathlib.Path(os.environ.get("LANTERN_BUILD", pathlib.Path(__file__).parents[3] / "build")).resolve()
os.environ.setdefault("LANTERN_LIBRARY", str(BUILD / "lib" / "liblantern.so"))

from lantern import compiled, types  # noqa: E402  (the library is named above)


@functools.lru_cache(maxsize=None)
def load(text, name, *classes):
    return compiled.Program(compiled.build(text, f"{name}.sexpr", name), {cls.__name__: types.StructType(cls.__name__, cls) for cls in classes})


@pytest.fixture(scope="session")
def program_of():
    return load


@pytest.fixture(scope="session")
def lantern_in():
    """lantern_in(folder, "compile", …) → the finished process, its output as text."""

    def run(folder, *arguments, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 300, "cwd": folder, **options}
        options["env"] = {**os.environ, "NO_COLOR": "1", **options.get("env", {})}
        return subprocess.run([BUILD / "bin" / "lantern", *map(str, arguments)], text=True, stdin=subprocess.DEVNULL, **options)

    return run


@pytest.fixture
def lantern(lantern_in, tmp_path):
    """lantern("compile", …): the same in a folder of its own."""
    return functools.partial(lantern_in, tmp_path)
