PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
ON_TWO_CORES := --numprocesses 2 --dist loadfile --no-loadscope-reorder

.PHONY: setup run reports test test-all lint bench clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || { echo "herdlab needs Python 3.11 or later, not $$($(PYTHON) --version 2>&1); give another: make PYTHON=python3.12"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $(READY)

run: setup
	mkdir -p reports/run
	$(BIN)/herdlab ask guard-dog --report reports/run/guard-dog.html --report reports/run/guard-dog.pdf --save reports/run/guard-dog.json

reports: setup
	$(BIN)/python -m tools.gallery

test: setup
	$(BIN)/python -m pytest $(ON_TWO_CORES)

test-all: setup
	$(BIN)/python -m pytest $(ON_TWO_CORES) -m "slow or not slow"

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: setup
	$(BIN)/herdlab bench

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
