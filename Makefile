# The front door. `make demo` trains a TreeLSTM as generated C++; `make test` runs every test.
# Both install what is missing first (cmake/setup.sh): on a bare Debian 12, `git` and `make` are enough.

SHELL := /bin/bash
export PATH := $(CURDIR)/.venv/bin:$(PATH)

SAMPLE := examples/data/sample
EPOCHS ?= 12
SEED ?= 1

.PHONY: build everything compiler compiler-for-tests setup packages python configure demo test test-python golden asan tsan sanitized fuzz bench format clean

# Python's packages come from the network while the compiler compiles.
ALONGSIDE = @$(MAKE) --no-print-directory -j2 python

build:
	$(ALONGSIDE) everything
	@$(MAKE) --no-print-directory prepared

everything: configure
	cmake --build --preset release

.PHONY: prepared
prepared: build/lib/lantern/prepared/first.sexpr
	@python3 -m compileall -q python/lantern

# What all programs have in common, for which the first one would wait, and the first that has arrays of f64 (codegen/prepared.h).
build/lib/lantern/prepared/first.sexpr: $(shell find runtime/include -type f) codegen/build.cpp codegen/prepared.cpp
	@rm -rf $(@D) && mkdir -p $(@D)
	@echo '(define f ((w (tensor f64 9 9)) (x (tensor f64 9))) (matmul w x)) (export f)' > build/first.sexpr
	@LANTERN_CACHE=$(@D) build/bin/lantern compile build/first.sexpr --emit so >/dev/null
	@mv build/first.sexpr $@

# What runs programs, and Python's tests: all but the unit tests, which take half of a build's time.
.PHONY: runnable
runnable:
	$(ALONGSIDE) compiler-for-tests
	@$(MAKE) --no-print-directory prepared

setup: packages python
packages:
	@cmake/setup.sh packages
python: packages
	@cmake/setup.sh python

configure: packages
	@cmake --preset release --log-level=WARNING -DLANTERN_TOGETHER=ON >/dev/null

# The command alone: the demo does not wait for the tests to compile.
compiler: configure
	cmake --build --preset release --target bin/lantern
compiler-for-tests: configure
	cmake --build --preset release --target bin/lantern bin/frontend_convert

demo:
	$(ALONGSIDE) compiler
	python3 examples/baselines.py --train $(SAMPLE)/train.txt --dev $(SAMPLE)/dev.txt --test $(SAMPLE)/test.txt
	build/bin/lantern run examples/tree_lstm.py train --train $(SAMPLE)/train.txt --dev $(SAMPLE)/dev.txt \
	  --test $(SAMPLE)/test.txt --epochs $(EPOCHS) --seed $(SEED)

# The unit tests, and what optimised programs have in common, compile while the tests in Python run.
test:
	$(ALONGSIDE) compiler-for-tests
	LANTERN_BUILD=$(CURDIR)/build python3 tests/run.py --build build

# What users run in Python, under another one: make test-python PYTHON=python3.9
PYTHON ?= python3
OTHER_PYTHON = build/venv/$(notdir $(PYTHON))
test-python: runnable
	$(PYTHON) -m venv $(OTHER_PYTHON)
	$(OTHER_PYTHON)/bin/python -m pip install --quiet --disable-pip-version-check numpy pytest
	LANTERN_BUILD=$(CURDIR)/build $(OTHER_PYTHON)/bin/python -m pytest -q -m "not slow" tests/python/eager tests/python/staging \
	  tests/python/autograph tests/python/jit tests/python/lists

# Rewrites the expected outputs of the golden tests; the diff is for review.
golden: runnable
	python3 -m pytest -q tests -m golden --rebase
	git status --short -- tests

asan: setup
	cmake --preset asan --log-level=WARNING >/dev/null
	cmake --build --preset asan
	ctest --preset asan --no-tests=error -j2

# Ten threads that call one compiled function, and the runtime's batches, under ThreadSanitizer (setarch: it wants addresses as they always are).
# Left out are recursions and stacks side by side that are more than it follows, and two tests that take it minutes; -d says what each of the others takes.
TSAN_BATCH = build/tsan_batch
tsan: runnable
	LANTERN_TSAN=1 LANTERN_BUILD=$(CURDIR)/build python3 -m pytest -q tests/python/jit/test_threads.py -k sanitizer
	g++ -std=c++17 -O1 -g -fsanitize=thread -Wall -Wextra -Werror -Iruntime/include $$(pkg-config --cflags eigen3) tests/unit/runtime_batch_test.cpp \
	  tests/unit/runtime_batch_threads_test.cpp tests/unit/runtime_batch_terms_test.cpp tests/unit/main.cpp -o $(TSAN_BATCH) -pthread
	setarch -R $(TSAN_BATCH) -d --test-case-exclude='a batch side by side has*,what is too deep*,a path of calls that goes deep*,threads that share a batch give*,threads keep nothing of*'

# Python's tests in T, with all that they compile under clang's AddressSanitizer and UndefinedBehaviorSanitizer: the first error ends them, and says where it is.
# What programs have in common takes four minutes, once.
T ?= tests/python/random tests/python/jit tests/python/numeric tests/python/lists
SANITIZED = $(CURDIR)/build/sanitized
sanitized: runnable
	@cmake/setup.sh fuzz
	@mkdir -p $(SANITIZED) && rm -f $(SANITIZED)/report.*
	LD_PRELOAD=$$($$(command -v clang++-14 || echo clang++) -print-file-name=libclang_rt.asan-$$(uname -m).so) \
	  ASAN_OPTIONS=detect_leaks=0:log_path=$(SANITIZED)/report UBSAN_OPTIONS=print_stacktrace=1:log_path=$(SANITIZED)/report \
	  LANTERN_SANITIZED=1 LANTERN_CACHE=$(SANITIZED) LANTERN_BUILD=$(CURDIR)/build python3 -m pytest -q $(T) \
	  || { grep -hs -A 30 -e 'ERROR: ' -e 'runtime error: ' $(SANITIZED)/report.*; exit 1; }

# Each fuzzer under clang's sanitizers, FUZZ_SECONDS long; what breaks one is kept in build/fuzz. F=sexpr runs one.
FUZZ_SECONDS ?= 60
F ?= $(basename $(notdir $(wildcard tests/fuzz/*_fuzzer.cpp)))
fuzz:
	@cmake/setup.sh fuzz
	cmake --preset fuzz --log-level=WARNING >/dev/null
	cmake --build --preset fuzz --target fuzzers
	python3 tests/fuzz/seeds.py build/fuzz/seeds
	@for fuzzer in $(patsubst %_fuzzer,%,$(F)); do \
	  corpus=build/fuzz/corpus/$$fuzzer; seeds=build/fuzz/seeds/$$fuzzer; mkdir -p $$corpus; \
	  build/fuzz/bin/$${fuzzer}_fuzzer -max_total_time=$(FUZZ_SECONDS) -timeout=30 -rss_limit_mb=4096 -max_len=4096 -print_funcs=0 \
	    -dict=$$seeds.dict -artifact_prefix=build/fuzz/$$fuzzer- $$corpus $$seeds || exit 1; \
	done

# W=treelstm runs one workload; all of them without it.
bench: runnable
	python3 benchmarks/run.py $(W)

# What benchmarks compare with, in a Python of its own. DyNet comes as source, for older tools than today's, and may not build: then it is left out.
PEERS = build/peers/bin/python -m pip install --disable-pip-version-check
peers:
	$(PYTHON) -m venv --system-site-packages build/peers
	$(PEERS) -r benchmarks/requirements.txt
	echo 'cython<3' > build/peers/constraints.txt
	-PATH=/usr/bin:$$PATH CMAKE_POLICY_VERSION_MINIMUM=3.5 PIP_CONSTRAINT=$(CURDIR)/build/peers/constraints.txt EIGEN3_INCLUDE_DIR=/usr/include/eigen3 $(PEERS) dynet==2.1.2
.PHONY: peers

format:
	@command -v clang-format-14 >/dev/null || { echo "format: apt-get install clang-format-14" >&2; exit 1; }
	git ls-files '*.cpp' '*.h' | xargs clang-format-14 -i

clean:
	rm -rf build
