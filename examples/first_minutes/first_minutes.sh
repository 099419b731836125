#!/bin/sh
# A first look at Lantern from C++: first_minutes.sh FOLDER, with `lantern` on the PATH (cmake --install build --prefix …).
# Each command is what one would type; the first that fails ends it.
set -eu
mkdir -p "$1"
cd "$1"

# 1. A model, as Python.
cat > tree_sum.py <<'PYTHON'
from typing import Optional
import lantern as lt

@lt.struct
class Tree:
    value: float
    left: "Optional[Tree]"
    right: "Optional[Tree]"

@lt.export
def tree_sum(tree: Tree, scale: float) -> float:
    total = tree.value
    if tree.left is not None:
        total += scale * tree_sum(tree.left, scale)
    if tree.right is not None:
        total += scale * tree_sum(tree.right, scale)
    return total

@lt.export
def slope(tree: Tree, scale: float) -> float:
    """The derivative of tree_sum with respect to scale."""
    return lt.grad(tree_sum, wrt="scale")(tree, scale)
PYTHON

# 2. What it becomes.
lantern compile tree_sum.py --emit cpp

# 3. A program that calls it.
cat > main.cpp <<'CPP'
#include <cstdio>
#include "tree_sum.h"

int main() {
  const tree_sum::Tree leaf{3, nullptr, nullptr}, tree{1, &leaf, &leaf};
  std::printf("sum %g, slope %g\n", tree_sum::tree_sum(tree, 0.5), tree_sum::slope(tree, 0.5));
}
CPP

# 4. Built by CMake, which makes the model's C++ and knows when it is stale.
cat > CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(first CXX)
find_package(Lantern CONFIG REQUIRED)
lantern_add_model(model SOURCE tree_sum.py DTYPE f64)
add_executable(first main.cpp)
target_link_libraries(first PRIVATE model)
CMAKE
cmake -S . -B build -DCMAKE_PREFIX_PATH="$(lantern --prefix)"
cmake --build build
./build/first

# 5. Built without CMake and without Lantern, from C++ that is checked in; and the line that goes into CI.
lantern compile tree_sum.py --dtype f64 --standalone -o generated
lantern compile tree_sum.py --dtype f64 --standalone -o generated --check
${CXX:-c++} -std=c++17 ${CXXFLAGS:--O2} -Igenerated -isystem /usr/include/eigen3 main.cpp generated/tree_sum.cpp -o first
./first
