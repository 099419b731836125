"""Runs frontend_convert --roundtrip: Python files through parse and unparse, in one process."""

import json
import os
import pathlib
import subprocess
import threading

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("LANTERN_BUILD", REPOSITORY / "build"))
BINARY = BUILD / "bin" / "frontend_convert"


class Roundtrip:
    """answer(path) -> {"file", "text"} or {"file", "error", "code", "line", "column"}; "map" with with_map=True."""

    def __init__(self, with_map=False):
        self._process = subprocess.Popen(
            [BINARY, "--roundtrip"] + (["--map"] if with_map else []), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def answer(self, path):
        self._process.stdin.write(os.fsencode(path) + b"\n")
        self._process.stdin.flush()
        return self._answered(path)

    def _answered(self, path):
        line = self._process.stdout.readline()
        assert line, f"frontend_convert died on {path}"
        return json.loads(line)

    def answers(self, paths):
        """An answer for each path, in order; the other process works ahead."""

        def ask():
            for path in paths:
                self._process.stdin.write(os.fsencode(path) + b"\n")
                self._process.stdin.flush()

        asking = threading.Thread(target=ask)
        asking.start()
        for path in paths:
            yield self._answered(path)
        asking.join()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        assert self._process.wait() == 0
