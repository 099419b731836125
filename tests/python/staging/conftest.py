"""What the tests of staging share."""
import sys

import pytest

from lantern import core
from lantern.exceptions import CoreError
from lantern.staging.errors import StagingError

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from staged_source import Staged  # noqa: E402

# They hold programs to the generators of tests/python/random, which are written with `match`.
collect_ignore = ["test_control_flow.py", "test_staging_errors.py"] if sys.version_info < (3, 10) else []


@pytest.fixture(scope="session")
def converter():
    """Skips where the core is not built."""
    try:
        core.convert("def f():\n  return 1\n", "f.py", {"line": 1, "name": "f"})
    except CoreError as error:
        pytest.skip(f"no converter: {error}")


@pytest.fixture
def stage(converter):
    return Staged


@pytest.fixture
def error_of(converter):
    """The StagingError that staging gives."""
    def error(source, name="f", **statics):
        with pytest.raises(StagingError) as caught:
            Staged(source, name, **statics)
        return caught.value
    return error
