# Every target sets up what it needs in .venv, so that a fresh clone needs nothing but python3 and make.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: demo soak test test-thorough test-python pytest lint lock clean setup

setup: $(READY)

$(READY): requirements/dev.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $(READY)

demo: $(READY)
	$(BIN)/pessimal stress examples/sorting.py:insertion_sort --size 30 --stop-after 3s
	$(BIN)/pessimal stress examples/sorting.py:insertion_sort --size 5 --strategy exhaustive
	$(BIN)/pessimal stress examples/sorting.py:insertion_sort --size 2000 --strategy synthesis
	$(BIN)/pessimal explore examples/triangle.py:classify
	$(BIN)/pessimal cover examples/triangle.py --budget 30s

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

test: lint pytest

pytest: $(READY)
	$(BIN)/pytest -n 3

test-thorough: $(READY)
	$(BIN)/pytest -n 3 -m "" --hypothesis-profile thorough --timeout 3600

test-python:
	$(MAKE) pytest PYTHON=$(PYTHON) VENV=.venv-$(notdir $(PYTHON))

bench-%: $(READY)
	$(BIN)/python -m bench.$(subst -,_,$*)

MINUTES ?= 10

soak: $(READY)
	$(BIN)/python -m bench.soak --minutes $(MINUTES) $(if $(SUBJECTS),--subjects $(SUBJECTS))

lock: $(READY)
	CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe \
	    --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options \
	    --extra binary --extra bitwuzla --extra gym --extra learn --extra synthesis --output-file requirements/dev.txt pyproject.toml requirements/dev.in

clean:
	rm -rf $(VENV) .venv-* .pytest_cache .mypy_cache .ruff_cache
