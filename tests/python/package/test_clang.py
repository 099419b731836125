"""clang++ takes what g++ has built, the compiler and its tests, without a warning. The runtime it takes in tests of generated code."""
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess

import pytest

from installed import BUILD, ROOT


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("clang++-14"), reason="clang++-14 is not installed")
def test_the_compiler(tmp_path):
    subprocess.run(["cmake", "--preset", "clang", "-B", tmp_path, "-DLANTERN_TOGETHER=ON", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON",
                    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "--log-level=WARNING"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    sources = [source for source in json.loads((tmp_path / "compile_commands.json").read_text("utf-8")) if "/runtime_" not in source["file"]]

    def errors_in(source):
        words = shlex.split(source["command"])
        out = words.index("-o")
        del words[out:out + 2]
        return subprocess.run([*words, "-I", BUILD / "cli", "-fsyntax-only"], cwd=source["directory"], text=True, capture_output=True).stderr
    assert len(sources) > 30
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        assert "".join(workers.map(errors_in, sources)) == ""
