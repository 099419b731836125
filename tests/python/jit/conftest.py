"""What the tests of compiled functions share."""
import os

os.environ.setdefault("LANTERN_CXXFLAGS", "-O0")     # what the code means is held to Python here, not how fast it is
