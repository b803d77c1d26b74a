# The two commands that matter: `make demo` and `make test`. Everything is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2

.PHONY: demo test test-all lint bench clean

demo: $(VENV)/.base
	$(BIN)/python demo.py

test: $(VENV)/.test lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

test-all: $(VENV)/.test lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "slow or not slow"

lint: $(VENV)/.test
	$(BIN)/ruff check src tests benchmarks demo.py
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.test
	$(BIN)/zermelo bench

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test,lint]"
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
