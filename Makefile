# Everything runs in the checkout's own .venv; `make` with no target says what there is.
# More arguments go through ARGS: make grade ARGS=--fresh, make test ARGS="-k emulator".

ARGS ?=
PYTHON ?=
export PYTHON

VENV := .venv
PY := $(VENV)/bin/python

# A stamp carries the hash of what it was made from, so a second run installs nothing and needs no network, whatever
# a checkout did to the files' times. The folder counts too: an installed checkout knows its own path.
HASH := $(shell { cat pyproject.toml constraints.txt; pwd; } | sha256sum | cut -c1-16)
BASE_STAMP := $(VENV)/.base-$(HASH)
DEV_STAMP := $(VENV)/.dev-$(HASH)

RAW_FIGURES := .benchmarks/emulator-speed.json

# The tests that take long, by marker; pyproject.toml says what each tier proves. `make test` runs all but these.
TIERS := labs corpus faults fuzz model
EMPTY :=
ANY_TIER := $(subst $(EMPTY) $(EMPTY), or ,$(TIERS))

# One process for each logical core; a process that has nothing left takes tests from another.
PYTEST := $(PY) -m pytest -n logical --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help grade image server-image test test-all test-labs test-corpus test-faults test-fuzz test-model fuzz check docs bench clean

help:
	@echo "make grade   grade the sample class in submissions/ and write results/"
	@echo "make image   build the image for the docker sandbox (BASE=... to start from your own image)"
	@echo "make server-image  build the image of a department's server (docs/operator/department.md)"
	@echo "make test    run the quick tests: some of every kind (no GPU needed)"
	@echo "make test-X  run one tier of long tests; X: $(TIERS)"
	@echo "make test-all  run every test"
	@echo "make fuzz    search for kernels that crash the emulator (ARGS=\"--seconds 600 --seed 2\")"
	@echo "make check   what CI runs: format, lint, types, layers, all tests, documentation"
	@echo "make docs    build the documentation into docs/_build/html"
	@echo "make bench   measure the emulator's speed, compare it with its targets and write benchmarks/tables/emulator-speed.md"
	@echo "make clean   remove the environment and all build products"

grade: $(BASE_STAMP)
	@# The bundled class is trusted. With any other file in it, nothing is: docs/operator/sandboxes.md.
	@$(VENV)/bin/grader grade submissions $(if $(shell scripts/is_sample_class.sh && echo ours),--trust-submissions) $(ARGS)

image: $(BASE_STAMP)
	@scripts/worker_image.sh

server-image: $(BASE_STAMP)
	@scripts/worker_image.sh
	@scripts/server_image.sh

test: $(DEV_STAMP)
	@$(PYTEST) -m "not ($(ANY_TIER))" $(ARGS)

test-all: $(DEV_STAMP)
	@$(PYTEST) $(ARGS)

$(TIERS:%=test-%): test-%: $(DEV_STAMP)
	@$(PYTEST) -m "$*" $(ARGS)

fuzz: $(DEV_STAMP)
	@$(PY) -m tests.engines.emulator.fuzzing --everything $(ARGS)

check: $(DEV_STAMP)
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	@# Every lab's module is called lab, so mypy sees them one at a time.
	@for lab in assignments/*/lab.py; do echo "$(PY) -m mypy $$lab"; $(PY) -m mypy --no-error-summary "$$lab" || exit 1; done
	$(PY) -c "from importlinter.cli import lint_imports_command as lint; lint()"
	@$(MAKE) --no-print-directory test-all
	@$(MAKE) --no-print-directory docs

docs: $(DEV_STAMP)
	$(PY) -m sphinx -q -W --keep-going -b html docs docs/_build/html

bench: $(DEV_STAMP)
	@mkdir -p .benchmarks
	@$(PY) -m pytest benchmarks -q --benchmark-json=$(RAW_FIGURES) $(ARGS)
	@$(PY) -m benchmarks.emulator_speed_report $(RAW_FIGURES) "$$(git describe --always --dirty --abbrev=7)"

clean:
	rm -rf $(VENV) dist docs/_build docs/measurements .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .benchmarks

$(BASE_STAMP):
	@scripts/setup.sh .
	@rm -f $(VENV)/.base-* $(VENV)/.dev-*
	@touch $@

$(DEV_STAMP): $(BASE_STAMP)
	@scripts/setup.sh ".[dev]"
	@rm -f $(VENV)/.dev-*
	@touch $@
