import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))


@pytest.fixture(autouse=True)
def optimisation(request, monkeypatch):
    """What a test marked `optimised` compiles is compiled as users do; elsewhere the code's meaning is tested, not the optimiser."""
    if not request.node.get_closest_marker("optimised"):
        monkeypatch.setenv("LANTERN_CXXFLAGS", "-O0")
