# The front door. `make demo` trains a TreeLSTM as generated C++; `make test` runs every test.
# Both install what is missing first (cmake/setup.sh): on a bare Debian 12, `git` and `make` are enough.

SHELL := /bin/bash
export PATH := $(CURDIR)/.venv/bin:$(PATH)

SAMPLE := examples/data/sample
EPOCHS ?= 12
SEED ?= 1

.PHONY: build setup configure demo test golden asan fuzz bench format clean

build: configure
	cmake --build --preset release

setup:
	@cmake/setup.sh

configure: setup
	@cmake --preset release --log-level=WARNING >/dev/null

# The command alone: the demo does not wait for the tests to compile.
build/bin/lantern: configure
	cmake --build --preset release --target bin/lantern
.PHONY: build/bin/lantern

demo: build/bin/lantern
	python3 examples/baselines.py --train $(SAMPLE)/train.txt --dev $(SAMPLE)/dev.txt --test $(SAMPLE)/test.txt
	build/bin/lantern run examples/tree_lstm.py train --train $(SAMPLE)/train.txt --dev $(SAMPLE)/dev.txt \
	  --test $(SAMPLE)/test.txt --epochs $(EPOCHS) --seed $(SEED)

test: build
	python3 tests/run.py --build build

asan: setup
	cmake --preset asan --log-level=WARNING >/dev/null
	cmake --build --preset asan
	ctest --preset asan --no-tests=error

clean:
	rm -rf build
