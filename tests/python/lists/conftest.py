"""What the tests of lists and arrays share."""
import os
import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
os.environ.setdefault("LANTERN_CXXFLAGS", "-O0")     # what the code means is held to Python here, not how fast it is
