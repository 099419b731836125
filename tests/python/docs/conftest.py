"""The tests of documents find what reads them; their C++ is compiled as other tests' is."""
import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))


@pytest.fixture
def compiler(tmp_path_factory, monkeypatch):
    """`c++` in a page's commands is the tests' compiler, and what tests pass to it comes behind what stands there. Kernels that are chosen when a
    program runs, of which it takes fifteen seconds a page, are in package/test_standalone.py."""
    folder = tmp_path_factory.mktemp("compiler")
    (folder / "c++").write_text(f"#!/bin/sh\nexec {os.environ.get('LANTERN_CXX', '/usr/bin/c++')} \"$@\" -DLANTERN_PACKETS_AS_COMPILED {os.environ.get('LANTERN_CXXFLAGS', '')}\n")
    (folder / "c++").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
