#!/bin/bash
# Installs what the build and the tests need on Debian 12, and nothing that is there already:
# system packages through apt (root is asked for only when one is missing), Python packages into .venv.
# `setup.sh packages` and `setup.sh python` are one half each: the second may run while the compiler compiles.
# `setup.sh fuzz` adds clang's sanitizers, which the fuzzers and `make sanitized` need.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  ca-certificates g++ cmake ninja-build pkg-config clang-14 mold      # compilers, a linker and build
  libtree-sitter-dev libutf8proc-dev libboost-dev libfmt-dev libeigen3-dev zlib1g-dev  # libraries
  libclang-14-dev llvm-14-dev libcli11-dev nlohmann-json3-dev doctest-dev
  python3 python3-venv python3-pip                                     # staging and its tests
  valgrind                                                             # counts instructions in a test
)
if [ "${1:-}" = fuzz ]; then packages+=(libclang-rt-14-dev); fi  # clang's sanitizers and libFuzzer

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || echo "$package"
  done
}

install_packages() {
  local missing
  if ! command -v dpkg-query >/dev/null; then
    echo "setup: this is no Debian; make sure that the counterparts of these are installed: ${packages[*]}" >&2
    return
  fi
  mapfile -t missing < <(missing_packages)
  if [ ${#missing[@]} -eq 0 ]; then return; fi

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "setup: Debian packages are missing, and only root can install them. As root, run:" >&2
      echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
    if [ -n "${CI:-}" ]; then as_root+=(-n); fi  # nobody is there to type a password
  fi
  echo "setup: installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# The stamp holds what .venv was made from; when requirements.txt changes, it is brought up to date.
install_python_packages() {
  local stamp=.venv/requirements.installed
  if cmp -s requirements.txt "$stamp" && .venv/bin/python3 -c '' 2>/dev/null; then return; fi
  echo "setup: Python packages into .venv"
  if ! .venv/bin/python3 -m pip --version >/dev/null 2>&1; then
    # The Makefile puts .venv/bin first on PATH: a broken .venv must not be what makes the new one.
    rm -rf .venv
    hash -r
    python3 -m venv .venv
  fi
  .venv/bin/python3 -m pip install --quiet --disable-pip-version-check -r requirements.txt
  cp requirements.txt "$stamp"
}

# CPython's own tests, which converted modules have to pass: Debian keeps them in a package of their own.
install_python_tests() {
  local has_tests='import importlib.util, sys; sys.exit(importlib.util.find_spec("test.test_heapq") is None)'
  if python3 -c "$has_tests" 2>/dev/null; then return; fi
  packages=("libpython$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')-testsuite")
  install_packages || echo "setup: ${packages[*]} cannot be installed; the tests that want CPython's own tests will fail" >&2
}

if [ "${1:-}" != python ]; then
  install_packages
  install_python_tests
fi
if [ "${1:-}" != packages ]; then install_python_packages; fi
