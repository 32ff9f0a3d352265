# All there is to run. Needs Python 3.11 or newer and make; everything else is fetched, locked, into .venv.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
PORT ?= 8000
IMAGE ?= visibility:$(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
UPGRADE ?=
# The PostgreSQL that tests run on: the packaged one, or with PG=system the newest that the machine has.
PG ?=
PG_BIN = $(if $(filter system,$(PG)),$(lastword $(sort $(wildcard /usr/lib/postgresql/*/bin /usr/pgsql-*/bin))))
VENV := .venv
PY := $(VENV)/bin/python
# uv installs the locks in seconds. It comes itself by pip, pinned by hash; a complete lock needs nothing resolved.
# It trusts the certificates of the system, as pip does: behind a company's proxy its own list knows no issuer.
UV := $(VENV)/bin/uv --system-certs
PIP := $(PY) -m pip --disable-pip-version-check --no-input --quiet install --require-hashes --no-deps --only-binary :all:
INSTALL = $(PIP) --requirement uv.lock.txt; \
  VIRTUAL_ENV=$(VENV) $(UV) pip sync --quiet --require-hashes --no-build

.PHONY: help run test proofs check bench chaos load lock image sbom clean

help: ## show these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' | expand -t 16

run: $(VENV)/installed ## the whole service with a demo brand, in the foreground (PORT=8000)
	@exec $(PY) manage.py serve --port $(PORT) --demo

test: $(VENV)/installed-dev ## one test of each kind: under five minutes (PG=system: on the machine's own PostgreSQL)
	@PG_BIN="$(PG_BIN)" OPENBLAS_NUM_THREADS=1 exec $(PY) -m pytest -q -n 2 --dist loadgroup --no-loadscope-reorder  # a thread for each of the two processes

proofs: $(VENV)/installed-dev ## the whole tables, kills, floods and fuzzing that `make test` takes a sample of
	@exec $(PY) -m pytest -q -m 'proof or not proof'

check: $(VENV)/installed-dev ## style, types, layers, migrations, deployment checks
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports --no-logo
	$(PY) manage.py makemigrations --check --dry-run
	SECRET_KEY=$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(60))') ALLOWED_HOSTS=example.com PUBLIC_URL=https://example.com \
	  DATABASE_URL=postgres://nobody@localhost/nothing \
	  $(PY) manage.py check --deploy --fail-level WARNING

bench: $(VENV)/installed-dev ## what figures, endpoints, tools, pages, scans and audits cost; all run, whichever misses its limit
	@missed=0; for part in metrics history rest tools pages scans audits growth; do $(PY) -m tests.bench.$$part || missed=1; done; exit $$missed

chaos: $(VENV)/installed-dev ## five minutes of kills and outages under load; afterwards doctor finds nothing (CHAOS_SECONDS=300)
	@exec $(PY) -m tests.bench.chaos

load: $(VENV)/installed-dev ## REST, agents, pages and scans mixed, three minutes with 50 and with 200 clients (LOAD_SECONDS=180)
	@exec $(PY) -m tests.bench.load

LOCK = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes $(UPGRADE)
lock: $(VENV)/installed-dev ## write the lock files from pyproject.toml (UPGRADE=--upgrade for the newest versions)
	$(LOCK) pyproject.toml -o requirements.lock
	$(LOCK) --constraint requirements.lock --extra embedded pyproject.toml -o requirements-embedded.lock
	$(LOCK) --constraint requirements.lock --extra embedded --group dev pyproject.toml -o requirements-dev.lock

image: ## the container image, built by buildah without a registry (IMAGE=visibility:0.2.0)
	@deploy/image.sh $(IMAGE)

sbom: $(VENV)/installed-dev ## what a release is made of (dist/sbom.json, CycloneDX), and under which licences (dist/licences.txt)
	@rm -rf dist && mkdir dist && $(UV) venv --quiet dist/venv
	@VIRTUAL_ENV=dist/venv $(UV) pip sync --quiet --require-hashes --no-build requirements.lock
	@$(VENV)/bin/cyclonedx-py environment --pyproject pyproject.toml --mc-type application --output-reproducible \
	  -o dist/sbom.json dist/venv
	@$(PY) deploy/licences.py dist/sbom.json | tee dist/licences.txt; rm -rf dist/venv

clean: ## remove the environment and caches; the data in var/ stays
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment belongs to one set of locked packages: it is filled again only when a lock file changes.
$(VENV)/installed: requirements-embedded.lock uv.lock.txt | $(VENV)/bin/python
	@echo "Installing the locked packages from PyPI into $(VENV); again only when they change …"
	@rm -f $(VENV)/installed-dev
	@$(INSTALL) requirements-embedded.lock
	@touch $@

$(VENV)/installed-dev: requirements-dev.lock uv.lock.txt | $(VENV)/bin/python
	@echo "Installing the locked packages for development from PyPI into $(VENV); again only when they change …"
	@$(INSTALL) requirements-dev.lock
	@touch $(VENV)/installed $@

$(VENV)/bin/python:
	@for candidate in "$${PYTHON:-}" python3.11 python3.12 python3.13 python3.14 python3 python; do \
	  if [ -n "$$candidate" ] && command -v "$$candidate" >/dev/null \
	    && "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found="$$candidate"; break; fi; \
	done; \
	if [ -z "$${found:-}" ]; then \
	  echo "No Python 3.11 or newer was found. Install one, or name it: make PYTHON=/path/to/python3.11 …" >&2; exit 1; \
	fi; \
	if ! "$$found" -c 'import ensurepip, venv' 2>/dev/null; then \
	  echo "$$found cannot make virtual environments. On Debian or Ubuntu: sudo apt-get install python3-venv" >&2; exit 1; \
	fi; \
	echo "Making a virtual environment in $(VENV) with $$("$$found" --version) …"; \
	"$$found" -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
