"""The fixtures of the tests of staging serve here, too."""
import importlib.util
import pathlib
import sys

STAGING = pathlib.Path(__file__).parents[1] / "staging"
sys.path.insert(0, str(STAGING))

_spec = importlib.util.spec_from_file_location("staging_conftest", STAGING / "conftest.py")
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
converter, stage, error_of = _module.converter, _module.stage, _module.error_of
