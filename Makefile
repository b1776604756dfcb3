# Two commands matter: `make chat` and `make test`. Both prepare whatever is missing.
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
# Installed once per lock file: the stamp carries the lock's time, so a warm start installs nothing.
PIP := $(BIN)/python -m pip --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest
RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev
# More of them than cores: tests wait for a server, a process, or a moment.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) \* 3 / 2)
# Tests start many processes: these load what the first one compiled, whatever the shell says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: chat setup test test-processes smoke soak properties chaos dev check format lock bench clean
.DEFAULT_GOAL := chat

chat: $(RUNTIME)
	@$(BIN)/keepsake chat $(ARGS)

setup: $(RUNTIME)

dev: $(DEV)

# Everything but what starts processes.
test: $(DEV)
	@$(PYTEST) -n $(WORKERS) --dist worksteal -m "not soak and not processes" $(ARGS)

# Kills, several processes at once, terminals, what a wheel installs.
test-processes: $(DEV)
	@$(PYTEST) -n $(WORKERS) --dist worksteal -m "processes and not soak" $(ARGS)

# One test of each kind, in a minute.
smoke: $(DEV)
	@$(PYTEST) -n $(WORKERS) -m smoke $(ARGS)

# Long runs: kills, floods, bad connections, again and again; before them all properties with examples drawn anew.
soak: properties
	@$(PYTEST) -m soak --timeout 0 $(ARGS)

properties: $(DEV)
	@$(PYTEST) -n $(WORKERS) --dist worksteal -m "hypothesis and not soak" --hypothesis-profile=drawn-anew $(ARGS)

check: $(DEV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(DEV)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

lock: $(DEV)
	./scripts/lock.sh $(BIN)/uv

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Keepsake needs Python 3.11 or newer; none was found on the PATH (set PYTHON=/path/to/python3.11)." >&2; exit 1; }
	@echo "Creating $(VENV) with $(PYTHON)" >&2
	@$(PYTHON) -m venv $(VENV)

$(RUNTIME): requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing what Keepsake needs. This happens once and takes a minute or two:" >&2
	@$(PIP) install --require-hashes -r requirements.lock >&2
	@$(PIP) install --quiet --no-deps --no-build-isolation --no-index --editable . >&2
	@touch $@

$(DEV): requirements-dev.lock pyproject.toml | $(BIN)/python
	@echo "Installing what the tests need. This happens once and takes a minute or two:" >&2
	@$(PIP) install --require-hashes -r requirements-dev.lock >&2
	@$(PIP) install --quiet --no-deps --no-build-isolation --no-index --editable . >&2
	@touch $@ $(RUNTIME)

# The same script with faults and without, drawn from CHAOS_SEED (else a new one), for CHAOS_SECONDS.
chaos: $(DEV)
	@$(PYTEST) -m soak --timeout 0 -s tests/chaos $(ARGS)

bench: $(DEV)
	@$(BIN)/python -m bench
