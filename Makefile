# Every target explains itself: `make help`.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
# One more than two cores: many tests wait, for processes, and for what comes a second later.
WORKERS ?= 3
STAMP := $(VENV)/.installed
SITE_STAMP := $(VENV)/.site-installed
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
LOCKED := --require-hashes --no-deps --only-binary :all: --requirement

# Some containers forbid bytecode: each of the hundreds of `cfn` that the tests start would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install demo test acceptance check fix docs site vscode lock audit conformance fuzz mutation bench clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP) ## create .venv with .venv/bin/cfn (needs only Python 3.11 and make)

$(STAMP): pyproject.toml requirements.lock
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) not found; install Python 3.11 or say which: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 3; }
	$(PYTHON) -m venv $(VENV)
	@# uv takes a tenth of pip's time. Where it is not locked, or does not reach the index that pip's settings name, pip does it.
	@awk '/^uv==/ {found = 1} found {print} found && !/\\$$/ {exit}' requirements.lock > $(VENV)/uv.lock
	@[ ! -s $(VENV)/uv.lock ] || $(PIP) install $(LOCKED) $(VENV)/uv.lock
	@if [ -s $(VENV)/uv.lock ] && env $${PIP_INDEX_URL:+UV_DEFAULT_INDEX=$$PIP_INDEX_URL} $(BIN)/uv pip install --quiet \
		--python $(BIN)/python --compile-bytecode $(LOCKED) requirements.lock; then :; \
	else $(PIP) install $(LOCKED) requirements.lock; fi
	$(PIP) install --no-index --no-deps --no-build-isolation --editable .
	@$(PIP) uninstall --quiet --yes formwork-cfn-runtime # which older checkouts installed
	$(BIN)/python -m compileall -q -j 0 runtime/python/src src
	@touch $@

demo: install ## the main job on real input, as a story
	@$(BIN)/python examples/demo.py

test: install check ## run the gates and the tests
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal --durations 10 -m "not slow and not acceptance"

acceptance: install $(SITE_STAMP) ## install what is built on every Python here, play README and tutorial there, run each bench in small
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup -m "acceptance and not slow" tests/acceptance tests/e2e tests/security \
		tests/typing tests/conformance/generate tests/unit/languages tests/unit/runtime

check: install ## the gates: lint, format, types, import contract, dead code, wording, the API's promise
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@# Its workers must start within 3 s, which those of a busy machine don't (exit code 2): once more without.
	$(BIN)/mypy --num-workers 2 || { [ $$? -eq 2 ] && $(BIN)/mypy; }
	$(BIN)/lint-imports
	$(BIN)/vulture
	$(BIN)/python -m prose
	$(BIN)/python -m stability

fix: install ## fix what lint and format can fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: install ## write the pages of the reference that come from the code
	$(BIN)/python docs/generate.py
	$(BIN)/python -m stability write

site: install $(SITE_STAMP) ## build the documentation site into site/, without a network (docs/decisions/0710)
	$(BIN)/python docs/build_site.py

vscode: ## build and test the VS Code extension into editors/vscode/dist/formwork.vsix (needs Node.js 20 and npm)
	cd editors/vscode && npm ci --no-audit --no-fund --loglevel=error && npm run --silent check && npm run --silent test && npm run --silent package

$(SITE_STAMP): docs/site_pages/requirements.lock $(STAMP)
	$(PIP) install $(LOCKED) docs/site_pages/requirements.lock
	@touch $@

lock: install ## write requirements.lock from constraints.txt, with the hashes that the package index has
	$(BIN)/python -m supply lock

audit: install ## ask the package index for known vulnerabilities of what is locked
	$(BIN)/python -m supply audit

conformance: install ## the long runs over every corpus
	$(BIN)/python -m pytest -q -n $(WORKERS) -m slow

fuzz: install ## fuzz what reads input from strangers, five minutes a target (FUZZ="--minutes 1 wire" for less)
	@$(PIP) install $(LOCKED) tests/fuzz/requirements.lock
	cd tests && ../$(BIN)/python -m fuzz.campaign $(FUZZ)

mutation: install ## measure which changes of our own code the tests notice (MUTATION="--sample 0 signature" for all of one)
	@$(PIP) install $(LOCKED) tests/mutation_score/requirements.lock
	cd tests && ../$(BIN)/python -m mutation_score $(MUTATION)

bench: install ## ratios against the incumbent, measured in the same run
	$(BIN)/python -m bench

clean: ## remove what the targets made
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .bench .fuzz .mutants site editors/vscode/node_modules editors/vscode/dist editors/vscode/dist-test
