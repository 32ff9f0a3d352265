# All there is to run. Needs Python 3.11 or newer and make; everything else is fetched, locked, into .venv.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
PORT ?= 8000
MINUTES ?= 10
UPGRADE ?=
VENV := .venv
PY := $(VENV)/bin/python
# uv installs the locks in seconds. It comes itself by pip, pinned by hash; a complete lock needs nothing resolved.
PIP := $(PY) -m pip --disable-pip-version-check --no-input --quiet install --require-hashes --no-deps --only-binary :all:
INSTALL = $(PIP) --requirement uv.lock.txt; \
  VIRTUAL_ENV=$(VENV) $(VENV)/bin/uv pip sync --quiet --require-hashes --no-build "$$lock"

.PHONY: help run test proofs everything explore check bench lock mutants picture simulate ablate test-browser schemathesis conformance coverage clean

help: ## show these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' | expand -t 16

run: $(VENV)/installed ## the whole service with a demo brand, in the foreground (PORT=8000)
	@echo "Making the database and the tables in it …"
	@$(PY) manage.py migrate --verbosity 0
	@echo "Collecting styles and scripts of the pages …"
	@$(PY) manage.py collectstatic --noinput --verbosity 0
	@echo "Starting web server, worker and scheduler; then the demo brand is measured …"
	@exec $(PY) manage.py serve --demo --port $(PORT)

test: ## the tests of the second edition, in next/; this edition is frozen (its own: python -m tests.run)
	@exec $(MAKE) -C next test

check: $(VENV)/installed-dev ## style, types, migrations, deployment checks, the floors of the house
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports --no-logo
	$(PY) manage.py makemigrations --check --dry-run
	SECRET_KEY=$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(60))') ALLOWED_HOSTS=example.com \
	DATABASE_URL=postgres://nobody@localhost/nothing CACHE_URL=redis://localhost/1 BROKER_URL=redis://localhost/0 \
	SECURE_SSL_REDIRECT=true DJANGO_SETTINGS_MODULE=config.settings.production \
	$(PY) manage.py check --deploy --fail-level WARNING
	$(VENV)/bin/pytest -q tests/architecture

proofs: $(VENV)/installed-dev ## the long proofs, and all of what `make test` takes a sample of
	@exec $(PY) -m tests.run --proofs

everything: $(VENV)/installed-dev ## each test on each variant, also those that `make test` runs on one: about an hour
	@exec $(PY) -m tests.run --everything

explore: $(VENV)/installed-dev ## the properties with random examples (MINUTES=10); what breaks one is kept as an example
	@exec $(PY) -m tests.explore --minutes $(MINUTES)

bench: $(VENV)/installed-dev ## speed of endpoints, agent calls, pages, scans and audits as ratios to their limits, what a worker holds, history, storage, reloads
	@failed=0; \
	$(PY) -m tests.servers $(PY) -m tests.bench.rest || failed=1; \
	$(PY) -m tests.servers $(PY) -m tests.bench.agent || failed=1; \
	$(PY) -m tests.servers $(PY) -m tests.bench.scans 2000 20000 || failed=1; \
	$(PY) -m tests.servers $(PY) -m tests.bench.audit || failed=1; \
	$(PY) -m tests.servers $(PY) -m tests.bench.worker_memory || failed=1; \
	$(PY) -m tests.bench.worker_memory || failed=1; \
	$(PY) -m tests.servers $(PY) -m tests.bench.rescore || failed=1; \
	$(PY) -m tests.bench.rescore || failed=1; \
	$(PY) -m tests.servers $(PY) -m tests.bench.storage || failed=1; \
	$(PY) -m tests.bench.storage || failed=1; \
	$(PY) -m tests.bench.reload || failed=1; \
	$(PY) -m tests.bench.detection || failed=1; \
	$(PY) -m tests.bench.dense || failed=1; \
	$(PY) -m tests.bench.pages || failed=1; \
	$(PY) -m tests.servers $(PY) -m tests.bench.web_pages || failed=1; \
	$(PY) -m tests.servers $(PY) -m tests.bench.tables || failed=1; \
	exit $$failed

mutants: $(VENV)/installed-dev ## plant listed faults one at a time; each must fail a test
	@exec $(PY) -m tests.mutants

simulate: $(VENV)/installed-dev ## how often verdicts are right, written to docs/measurement-simulation.md and docs/proof-simulation.md
	@exec $(PY) -m tests.simulate

ablate: $(VENV)/installed-dev ## what each rule of the detector brings on labelled answers, written to tests/measurement/real/ablation.md
	@exec $(PY) -m tests.measurement.real.ablation --write

schemathesis: $(VENV)/installed-dev ## fuzz the running service from its OpenAPI description
	@exec $(PY) -m tests.schemathesis_check

conformance: $(VENV)/installed-dev ## the agent protocol's own test suite and inspector against the service; needs npm
	@exec $(PY) -m tests.conformance

coverage: $(VENV)/installed-dev ## the tests once more, and the lines that they do not reach, as pages in htmlcov/
	@$(PY) -m tests.run --coverage
	@$(VENV)/bin/coverage html --skip-covered --directory htmlcov && echo "See htmlcov/index.html"

lock: $(VENV)/installed-dev ## write the lock files from pyproject.toml (UPGRADE=--upgrade for the newest versions)
	$(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  $(UPGRADE) pyproject.toml -o requirements.lock
	$(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  $(UPGRADE) --constraint requirements.lock --group dev pyproject.toml -o requirements-dev.lock

test-browser: $(VENV)/installed-dev ## every page and the main tasks in a real Chromium
	@exec $(PY) -m pytest -q tests/browser

picture: $(VENV)/installed-dev ## the pictures of the README and of docs/questions.md, from a fresh demo; needs Chromium
	@exec $(PY) -m tests.picture

clean: ## remove the environment, caches and reports; the data in var/ stays
	rm -rf $(VENV) .coverage .coverage.* htmlcov .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment belongs to one set of locked packages: it is filled again only when a lock file changes.
$(VENV)/installed: requirements.lock | $(VENV)/bin/python
	@echo "Installing the locked packages from PyPI into $(VENV); this takes up to half a minute, the first time only …"
	@lock=requirements.lock; $(INSTALL)
	@touch $@

$(VENV)/installed-dev: requirements-dev.lock $(VENV)/installed
	@echo "Installing the locked packages for development from PyPI; this takes up to half a minute, the first time only …"
	@lock=requirements-dev.lock; $(INSTALL)
	@touch $@

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
