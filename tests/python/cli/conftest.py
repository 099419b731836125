"""Runs the command as a user does, and stands in for the Python that it starts."""
import os
import pathlib
import stat
import subprocess

import pytest

BUILD = pathlib.Path(os.environ.get("LANTERN_BUILD", pathlib.Path(__file__).parents[3] / "build")).resolve()
COMMAND = BUILD / "bin" / "lantern"


@pytest.fixture
def command():
    return COMMAND


@pytest.fixture
def lantern(tmp_path):
    """lantern("compile", …) in a folder of its own → the finished process, its output as text."""

    def run(*arguments, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 300, **options}
        options["env"] = {**os.environ, "NO_COLOR": "1", **options.get("env", {})}
        return subprocess.run([COMMAND, *map(str, arguments)], cwd=tmp_path, text=True, stdin=subprocess.DEVNULL, **options)

    return run


@pytest.fixture
def python_that(tmp_path):
    """python_that("exit 3") → the path of a stand-in for python3: a shell script with that body."""

    def make(body):
        path = tmp_path / "stand-in-python"
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    return make


@pytest.fixture
def program(tmp_path):
    """program("x.sexpr", text) → the path, relative to the folder that `lantern` runs in."""

    def make(name, text):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return make
