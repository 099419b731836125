"""clang++ takes what g++ has built without a warning: of the compiler's sources every twelfth group; where the tests are thorough, all and its tests, too.
The runtime it takes in tests of generated code."""
import concurrent.futures
import json
import os
import pathlib
import shlex
import shutil
import subprocess

import pytest

from installed import BUILD, ROOT
from thorough import THOROUGH, one_in

# A source by itself says whether it includes all that it needs. It takes three times as long.
TOGETHER = "ON" if THOROUGH == 1 else "OFF"
# Beside the runtime's own tests, which other tests' programs are like.
LEFT_OUT = ("/runtime_", "/tests/unit/", "_test.dir/", "_main.cpp", "/benchmarks/") if THOROUGH == 1 else ("/runtime_",)
# What most sources include, parsed once for many: of some sources that is most of what clang does.
COMMON = ("algorithm", "functional", "map", "memory", "optional", "set", "string", "variant", "vector", "fmt/format.h", "nlohmann/json.hpp")


def syntax_only(source):
    """The command that compiles a source, but for what it writes."""
    words = shlex.split(source["command"])
    out = words.index("-o")
    return [*words[:out], *words[out + 2:], "-I", BUILD / "cli", "-fPIC", "-fsyntax-only"]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("clang++-14"), reason="clang++-14 is not installed")
def test_the_compiler(tmp_path):
    subprocess.run(["cmake", "--preset", "clang", "-B", tmp_path, f"-DLANTERN_TOGETHER={TOGETHER}", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON",
                    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "--log-level=WARNING"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    sources = [source for source in json.loads((tmp_path / "compile_commands.json").read_text("utf-8"))
               if not any(part in source["file"] for part in LEFT_OUT)]

    def errors_in(source):
        common = ["-include", tmp_path / "common.h"] if has_common and "-std=c++20" in source["command"] and "-fno-rtti" not in source["command"] else []
        return subprocess.run([*syntax_only(source), *common], cwd=source["directory"], text=True, capture_output=True).stderr
    files = [pathlib.Path(source["file"]) for source in sources]
    folders = {file.relative_to(tmp_path if file.is_relative_to(tmp_path) else ROOT).parts[0] for file in files}
    assert folders >= {"api", "cli", "codegen", "frontend", "lantern", "sexpr", "support"}
    sources = sources[::one_in(12)]
    has_common = len(sources) > 5
    if has_common:
        (tmp_path / "common.h").write_text("".join(f"#include <{name}>\n" for name in COMMON))
        subprocess.run(["clang++-14", "-std=c++20", "-O1", "-DNDEBUG", "-DFMT_SHARED", "-fPIC", "-fpch-instantiate-templates", "-x", "c++-header", "common.h"], cwd=tmp_path, check=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        assert "".join(workers.map(errors_in, sources)) == ""
