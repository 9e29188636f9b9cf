# Hornbook: `make test` checks everything, `make demo` shows what it does. Both set up what they need.

PYTHON ?= python3
WORKERS ?= auto

BIN := $(CURDIR)/.venv/bin
RUN := $(BIN)/python
READY := .venv/hornbook-requirements.txt
NATIVE_FILES = $(shell find native -name '*.cpp' -o -name '*.hpp')
CONFIGURE := $(BIN)/cmake --fresh --log-level=WARNING -S . -G Ninja \
    -DCMAKE_MAKE_PROGRAM=$(BIN)/ninja -DPython_EXECUTABLE=$(BIN)/python

# Programs are given by full path: make itself does not search an exported PATH.
export PYTHON
export PATH := $(BIN):$(PATH)
export PYTHONPATH := $(CURDIR)/src
export MPLBACKEND := Agg

.DEFAULT_GOAL := help
.PHONY: help FORCE setup lint types layers test test-slow peers sanitize examples demo bench wheel format clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

# Always checked, rarely changed: the native core is reconfigured only when the environment changed.
$(READY): FORCE
	@scripts/setup.sh .venv requirements/dev.txt
FORCE:

build/dev/build.ninja: $(READY)
	@echo "setup: configuring the native core in build/dev"
	@$(CONFIGURE) -B build/dev -DHORNBOOK_DEVELOPER=ON >/dev/null

build/bench/build.ninja: $(READY)
	@echo "bench: configuring the native core in build/bench, as wheels have it"
	@$(CONFIGURE) -B build/bench >/dev/null

setup: build/dev/build.ninja ## create .venv and compile the native core into src/ (seconds when nothing changed)
	@echo "setup: compiling what changed in native/ (minutes the first time)"
	@cd build/dev && NINJA_STATUS="setup: %f of %t files, %es: " $(BIN)/ninja
	@echo "setup: ready"

lint: setup ## ruff and clang-format
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/clang-format --dry-run -Werror $(NATIVE_FILES)

types: setup ## mypy, strict
	$(BIN)/mypy

layers: setup ## import-linter: imports follow the layers
	$(BIN)/lint-imports

test: lint types layers ## all checks and the fast tests (under 10 minutes)
	$(RUN) -m pytest -q -n $(WORKERS)

test-slow: setup ## slow tests, sanitizers, examples, smoke run of the benchmarks (under 45 minutes)
	$(RUN) -m pytest -q -m slow -n $(WORKERS)
	$(MAKE) sanitize examples
	basename -a -s .py benchmarks/[a-z]*.py | xargs -n 6 -P 2 $(RUN) -m benchmarks --quick

peers: setup ## scikit-learn's own test files on our classes
	$(RUN) -m pytest -q -m slow -n $(WORKERS) tests/peers
	$(RUN) -m tests.peers.counts

sanitize: setup ## kernels and hostile model files under the sanitizers
	scripts/sanitize.sh tests/persist/test_fuzz.py tests/persist/test_fuzz_content.py tests/base/test_damaged_sparse.py

examples: setup ## run every example
	ls examples/*.py | xargs -t -n 1 -P 2 $(RUN) >/dev/null

demo: setup ## compare all learners on the iris table, write a report
	@echo "demo: hornbook study iris, all learners on the same folds (a minute or two)"
	@rm -rf build/demo
	@$(RUN) -m hornbook study iris --out build/demo
	@echo "demo: open $(CURDIR)/build/demo/report.html in a browser; for more options:"
	@echo "demo:   PYTHONPATH=$(CURDIR)/src $(RUN) -m hornbook study --help"

# What is measured is what users get: the package with a module compiled as for a wheel.
bench: build/bench/build.ninja ## benchmark against peer libraries; NAME="naive_bayes frame" for some of them
	@scripts/setup.sh .venv-bench requirements/bench.txt
	@.venv-bench/bin/python -c 'import torch' 2>/dev/null || .venv-bench/bin/python -m pip install -qq \
		--disable-pip-version-check --requirement requirements/torch.txt 2>/dev/null || \
		echo "bench: PyTorch cannot be installed here; networks are measured without it"
	@echo "bench: compiling what changed in native/ (minutes the first time)"
	@cd build/bench && NINJA_STATUS="bench: %f of %t files, %es: " $(BIN)/ninja
	@rm -rf build/bench/package && cp -r src build/bench/package
	@rm -f build/bench/package/hornbook/_native/*.so # else install may think the developer build up to date
	@$(BIN)/cmake --install build/bench --prefix build/bench/package >/dev/null
	PYTHONPATH=$(CURDIR)/build/bench/package .venv-bench/bin/python -m benchmarks $(NAME)

wheel: setup ## build dist/*.whl and test it in a clean environment without a compiler
	rm -rf dist
	$(RUN) -m pip wheel -qq --no-deps --no-build-isolation --wheel-dir dist .
	$(RUN) scripts/check_wheel.py dist/*.whl

format: setup ## format the sources
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(NATIVE_FILES)

clean: ## remove everything that make created
	rm -rf .venv .venv-bench build dist src/hornbook/_native/*.so
	rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find src tests benchmarks -name __pycache__ -exec rm -rf {} +
