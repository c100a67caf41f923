# Every target makes the environment it needs; python3 and make are enough to begin with.

PYTHON ?= python3
ENVIRONMENT = $(PYTHON) tools/environment.py
BIN = .venv/bin

# Tests that simulate are shared out among so many processes, a file to each at a time, with one thread each.
WORKERS ?= 2
SHARED = -n $(WORKERS) --dist loadscope
ALONE = OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1

.PHONY: demo test lint types test-all bench extension reference clean

demo:  ## A film of the preset scene "reef": out/reef.blend, out/reef.png, out/reef.mp4
	@$(ENVIRONMENT) > /dev/null
	@rm -rf out/frames && mkdir -p out
	@echo "demo: 1 of 3, fishes swim and are baked into out/reef.blend"
	@$(BIN)/artfish bake reef -o out/reef.blend
	@echo "demo: 2 of 3, a still is rendered: out/reef.png"
	@$(BIN)/artfish render out/reef.blend -o out --still out/reef.png --size 960x540 --samples 20
	@echo "demo: 3 of 3, a film is rendered: out/reef.mp4"
	@$(BIN)/artfish render out/reef.blend -o out/frames --seconds 3 --size 400x224 --samples 4 --movie out/reef.mp4
	@echo "demo: look at out/reef.png and out/reef.mp4, open out/reef.blend in Blender"

test: lint types  ## Everything that must hold, under the default bpy
	$(ALONE) $(BIN)/python -m pytest -m "not slow" $(SHARED) tests/core tests/project tests/benchmarks
	$(ALONE) $(BIN)/python -m pytest $(SHARED) tests/blender
	$(BIN)/python -m pytest tests/extension

lint: environment
	$(BIN)/ruff check .

# The checker sees the package through a link called "artfish", whatever the folder of the clone is called.
types: environment
	@mkdir -p .cache/types && ln -sfn ../.. .cache/types/artfish
	cd .cache/types && ../../$(BIN)/mypy --config-file ../../pyproject.toml -p artfish
	MYPYPATH=tools:.cache/types $(BIN)/mypy --config-file pyproject.toml --explicit-package-bases --follow-imports silent tools/*.py

.PHONY: environment
environment:
	@$(ENVIRONMENT) test dev > /dev/null

test-all: test-slow  ## The slow tests, then all under every bpy besides the default that this machine has the Python for
	@failed=0; for bpy in $$($(ENVIRONMENT) --others); do \
	    $(MAKE) --no-print-directory test-bpy-$$bpy || failed=1; \
	done; exit $$failed

.PHONY: test-slow
test-slow: environment  ## Long runs: a million fish-steps, ten thousand frames
	$(ALONE) $(BIN)/python -m pytest -m slow $(SHARED) tests/core tests/project tests/benchmarks

# The simulation does not know Blender, so its tests run once for each Python.
test-bpy-4.5 test-bpy-5.2: CORE = tests/core

test-bpy-%:
	@python=$$($(ENVIRONMENT) --bpy $* test) || { code=$$?; [ $$code -eq 3 ] && echo "test-all: bpy $* skipped" && exit 0; exit $$code; }; \
	failed=0; for room in $(CORE) tests/blender tests/extension; do \
	    echo "test-all: bpy $*, $$room"; case $$room in tests/extension) shared=;; *) shared="$(SHARED)";; esac; \
	    $(ALONE) $$python -m pytest -m "not slow" $$shared $$room || failed=1; \
	done; exit $$failed

.PHONY: test-gui
test-gui: environment  ## The panels in a real Blender 5.2 with its window; needs Linux, root, and Debian's mirror the first time
	@$(BIN)/python tools/gui.py setup > /dev/null
	$(BIN)/python -m pytest $(AGAIN) tests/gui

.PHONY: manual
manual: environment  ## The manual's pictures, out of the GUI tests: docs/manual/*.png
	$(BIN)/python tools/manual.py

bench:  ## The benchmark table
	@$(ENVIRONMENT) bench > /dev/null
	$(BIN)/artfish bench

extension:  ## The installable zips, one a platform, in dist/; PLATFORM=linux-x64 makes one alone
	@$(ENVIRONMENT) > /dev/null
	$(BIN)/python tools/extension.py $(if $(PLATFORM),--platform $(PLATFORM))

reference: environment  ## docs/reference.md, from the declarations in core/
	$(BIN)/python tools/reference.py

clean:
	rm -rf .venv .venv-* .cache build dist *.egg-info
