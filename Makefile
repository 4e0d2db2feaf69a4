# Two commands do everything: `make run` starts the room, `make test` passes every test.
# Both set up what they need, once; both work on a fresh clone (Debian, Python 3.11, Node 20, make, gcc).

PYTHON ?= python3
BIN := .venv/bin
ARGS ?=
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# Debian's packages, where they are missing and can be had: $(call need,test command,package)
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo "sudo -n")
need = $(1) >/dev/null 2>&1 || { echo "Installing $(2) ..."; $(SUDO) apt-get update -qq && \
	DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq $(2) >/dev/null; } || \
	{ echo "Please install Debian's package $(2), then try again."; exit 1; }

# Python's headers are for the solver's native core; where they cannot be had, its plain one does the same, slower.
HEADERS := import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))

.PHONY: run test lint types audit unit client lock pictures clean help

help: ## what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/ -/'

run: .venv/run client ## start the room and open it (ARGS="--port 9000" passes flags on)
	@exec $(BIN)/ananas serve --open $(ARGS)

test: lint types audit unit ## pass every test: lint, strict types, known faults, unit, property, server and browser tests

lint: .venv/test client
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	cd web && npm run --silent lint

types: .venv/test client
	$(BIN)/mypy
	web/node_modules/.bin/pyright
	cd web && npm run --silent check

audit: .venv/test ## look for known faults in what is run here, as far as there is somebody to ask
	@$(BIN)/python -m tests.trust.supply

unit: .venv/test client
	@$(call need,command -v chromium,chromium)
	cd web && npm test --silent
	$(BIN)/pytest -n 3 --dist worksteal -q -m "not long"

pictures: .venv/test client ## take pictures of every screen, into screens/
	@$(call need,command -v chromium,chromium)
	$(BIN)/python -m tests.browser.pictures $(ARGS)

client: .venv/run ## build the web client and the solver's core, if their sources changed
	@$(BIN)/python build_client.py
	@$(BIN)/python build_core.py

.venv/python:
	@$(call need,$(PYTHON) -c 'import ensurepip',python3-venv)
	@($(call need,$(PYTHON) -c '$(HEADERS)',python3-dev)) || true
	@echo "Making .venv ..."
	@$(PYTHON) -m venv .venv && touch $@

.venv/run: .venv/python requirements/build.txt requirements/run.txt pyproject.toml
	@echo "Installing the pinned requirements ..."
	@$(BIN)/pip install -q --require-hashes -r requirements/build.txt
	@$(BIN)/pip install -q --require-hashes -r requirements/run.txt
	@echo "Building the client and the package ..."
	@$(BIN)/pip install -q --no-deps --no-build-isolation --no-index -e .
	@touch $@

.venv/test: .venv/run requirements/test.txt
	@echo "Installing what the tests need ..."
	@$(BIN)/pip install -q --require-hashes -r requirements/test.txt
	@touch $@

lock: ## pin the requirements anew (needs uv)
	uv pip compile requirements/build.in --allow-unsafe --generate-hashes --no-emit-index-url --no-header --python-version 3.11 -o requirements/build.txt -q
	uv pip compile pyproject.toml --generate-hashes --no-emit-index-url --no-header --python-version 3.11 -o requirements/run.txt -q
	uv pip compile pyproject.toml --group test -c requirements/run.txt --generate-hashes --no-emit-index-url --no-header --python-version 3.11 -o requirements/test.txt -q

clean: ## take everything away that was built
	rm -rf .venv web/node_modules src/ananas/server/static build dist
