"""Runs frontend_convert: Python files through the converter, in one process."""

import json
import os
import pathlib
import subprocess

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("LANTERN_BUILD", REPOSITORY / "build"))
BINARY = BUILD / "bin" / "frontend_convert"


class Converter:
    """answer(file) converts a file, answer(file, line=…, name=…) one function: {"code", "map", "free", "left_alone"}."""

    def __init__(self):
        self._process = subprocess.Popen([BINARY, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def answer(self, file, **options):
        self._process.stdin.write(json.dumps({"file": os.fspath(file), **options}).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"frontend_convert died on {file}"
        return json.loads(line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        assert self._process.wait() == 0
