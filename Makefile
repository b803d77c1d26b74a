# The two commands that matter: `make demo` and `make test`. Everything is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2

# The oldest and the newest that pyproject.toml allows of what compiling depends on: `make test-versions` runs both.
VERSIONS := .venv-versions
python = $(firstword $(wildcard $(HOME)/.pyenv/versions/$(1).*/bin/python) $(shell command -v python$(1)))
OLDEST_PYTHON ?= $(call python,3.11)
NEWEST_PYTHON ?= $(call python,3.13)
OLDEST := numba==0.62.0 numpy==2.1.0 scipy==1.13.0
NEWEST := numba==0.68.* numpy==2.5.* scipy==1.18.*

# The page is tried in a real browser. `make test BROWSER=none` leaves that out, and says so.
BROWSER ?=
export BROWSER

.PHONY: demo test test-all test-versions browser install-browser lint bench clean

demo: $(VENV)/.base
	$(BIN)/python demo.py

test: $(VENV)/.test browser lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

test-all: $(VENV)/.test browser lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "slow or not slow"

test-versions: $(VERSIONS)/oldest/.ready $(VERSIONS)/newest/.ready
	set -e; for each in oldest newest; do \
		$(VERSIONS)/$$each/bin/python -m pytest -n $(WORKERS) --dist worksteal -m "slow or not slow" tests/compile tests/versions; \
	done

lint: $(VENV)/.test
	$(BIN)/ruff check src tests benchmarks demo.py
	$(BIN)/mypy
	$(BIN)/lint-imports

browser: $(VENV)/.test
	@$(BIN)/python tests/browser.py >/dev/null 2>&1 || $(MAKE) --no-print-directory install-browser
	@$(BIN)/python tests/browser.py

install-browser:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; \
	else \
		$(BIN)/python -m playwright install --with-deps chromium-headless-shell; \
	fi || true

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

$(VERSIONS)/oldest/.ready: pyproject.toml Makefile
	$(call make_version,oldest,$(OLDEST_PYTHON),OLDEST_PYTHON,$(OLDEST))

$(VERSIONS)/newest/.ready: pyproject.toml Makefile
	$(call make_version,newest,$(NEWEST_PYTHON),NEWEST_PYTHON,$(NEWEST))

define make_version
	@test -n "$(2)" || { echo "no Python for the $(1) versions is here: name one, make test-versions $(3)=…"; exit 1; }
	$(2) -m venv --clear $(VERSIONS)/$(1)
	$(VERSIONS)/$(1)/bin/python -m pip install --quiet --disable-pip-version-check -e . $(4) pytest pytest-xdist hypothesis
	$(VERSIONS)/$(1)/bin/python -m pip list --disable-pip-version-check | grep -E "^(numba|llvmlite|numpy|scipy) "
	touch $@
endef

clean:
	rm -rf $(VENV) $(VERSIONS) .pytest_cache .mypy_cache .ruff_cache .hypothesis
