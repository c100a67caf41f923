# Every target makes the environment it needs; python3 and make are enough to begin with.

PYTHON ?= python3
ENVIRONMENT = $(PYTHON) tools/environment.py
BIN = .venv/bin

# Python keeps what it has compiled, whatever the shell says: to compile all tests takes longer than to find them.
export PYTHONDONTWRITEBYTECODE :=

# Tests are shared out among so many processes; one that has none left takes over from another.
WORKERS ?= 2
SHARED = -n $(WORKERS) --dist worksteal
TESTS = $(BIN)/python -m pytest $(SHARED)
ROOMS = tests/extension tests/blender tests/core tests/project tests/benchmarks tests/studies tests/field

.PHONY: demo quick test lint types test-all study bench extension reference clean

demo:  ## A still of the preset scene "reef" and a film of "ambush": out/reef.blend, out/reef.png, out/ambush.mp4
	@$(ENVIRONMENT) > /dev/null
	@rm -rf out/frames && mkdir -p out
	@echo "demo: 1 of 4, fishes swim and are baked into out/reef.blend"
	@$(BIN)/artfish bake reef -o out/reef.blend
	@echo "demo: 2 of 4, a still is rendered: out/reef.png"
	@$(BIN)/artfish render out/reef.blend -o out --still out/reef.png --size 960x540 --samples 20
	@echo "demo: 3 of 4, a shark comes upon a school: out/ambush.blend"
	@$(BIN)/artfish bake ambush -o out/ambush.blend
	@echo "demo: 4 of 4, three seconds of film are rendered: out/ambush.mp4"
	@$(BIN)/artfish render out/ambush.blend -o out/frames --seconds 3 --size 400x224 --samples 4 --movie out/ambush.mp4
	@echo "demo: look at out/reef.png and out/ambush.mp4, open both .blend files in Blender"

.PHONY: films
films:  ## Drafts of all preset films: out/films/NAME/NAME.mp4, each in an hour or less; ONLY="preying mating", ON=local
	@$(ENVIRONMENT) > /dev/null
	@for film in $(or $(ONLY),$(basename $(notdir $(wildcard presets/films/*.json)))); do \
	    echo "films: out/films/$$film/$$film.mp4" && mkdir -p out/films/$$film && \
	    $(BIN)/artfish film $$film -o out/films/$$film $(if $(ON),--on $(ON)) || exit 1; \
	done

quick: environment  ## The fast tests of the simulation, in less than a minute
	$(TESTS) -m "not film" tests/core

# The types are checked beside the tests, on whichever processor is free.
test: lint  ## Everything that a change must not break, under the default bpy
	@$(MAKE) --no-print-directory types > .cache/types.log 2>&1 & types=$$!; \
	$(TESTS) $(CASES) $(ROOMS) && tests=0 || tests=1; \
	wait $$types && checked=0 || checked=1; cat .cache/types.log; exit $$((tests + checked))

lint: environment
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# The checker sees the package through a link called "artfish", whatever the folder of the clone is called.
types: environment
	@mkdir -p .cache/types && ln -sfn ../.. .cache/types/artfish
	cd .cache/types && ../../$(BIN)/mypy --config-file ../../pyproject.toml -p artfish
	MYPYPATH=tools:.cache/types $(BIN)/mypy --config-file pyproject.toml --explicit-package-bases --follow-imports silent tools/*.py

.PHONY: environment
environment:
	@$(ENVIRONMENT) test dev > /dev/null
	@mkdir -p .cache

test-all: CASES = --all
test-all: test  ## All that with all its cases, then what can differ under every other bpy that this machine has the Python for
	@failed=0; for bpy in $$($(ENVIRONMENT) --others); do \
	    $(MAKE) --no-print-directory test-bpy-$$bpy || failed=1; \
	done; exit $$failed

# A Blender may differ in what is marked "versions"; a Python may in the simulation too, so that its fast tests run once
# under each. KEPT="versions and not film" is for Blenders between two that are tested wholly.
KEPT ?= versions
test-bpy-4.5 test-bpy-5.2: CORE = tests/core

test-bpy-%:
	@python=$$($(ENVIRONMENT) --bpy $* test) || { code=$$?; [ $$code -eq 3 ] && echo "test-all: bpy $* skipped" && exit 0; exit $$code; }; \
	echo "test-all: bpy $*"; failed=0; \
	$$python -m pytest $(SHARED) -m "$(KEPT)" tests/extension tests/blender || failed=1; \
	[ -z "$(CORE)" ] || $$python -m pytest $(SHARED) -m "not film" $(CORE) || failed=1; exit $$failed

study:  ## Long runs over many seeds: docs/studies.md; ONLY="schools courtship" and SEEDS=4 do less; FIRST_SEED=1000; ON=local
	@$(ENVIRONMENT) test > /dev/null
	$(BIN)/python -m artfish.studies $(if $(ONLY),--only $(ONLY)) $(if $(SEEDS),--seeds $(SEEDS)) $(if $(FIRST_SEED),--first-seed $(FIRST_SEED)) $(if $(ON),--on $(ON)) --write docs/studies.md
	$(TESTS) --large -m "large or hypothesis" $(ROOMS)
	$(BIN)/python tools/sanitize.py --of threads || [ $$? -eq 3 ]

.PHONY: mutants
mutants: environment  ## Small faults in the code, by SEED, and whether the tests of their rooms find them
	@failed=0; for room in core blender_artfish; do \
	    $(BIN)/python tools/mutants.py $$room --seed $(or $(SEED),0) || failed=1; \
	done; exit $$failed

# A session waits for its Blender a third of its time.
SESSIONS ?= 3

.PHONY: test-gui
test-gui: environment  ## The panels in a real Blender 5.2 with its window; needs Linux, root, and Debian's mirror the first time
	@$(BIN)/python tools/gui.py setup > /dev/null
	$(BIN)/python -m pytest -n $(SESSIONS) --dist loadfile --no-loadscope-reorder tests/gui

.PHONY: manual
manual: environment  ## The manual's pictures, out of the GUI tests: docs/manual/*.png
	$(BIN)/python tools/manual.py

# Another Python has another NumPy; 4.5 and 5.2 are the series of bpy that bring one each.
.PHONY: same-bits digests
same-bits: environment  ## Every preset's first ten seconds, lived through in every way that is here, against each other
	@others=; for bpy in $$($(ENVIRONMENT) --others); do \
	    case $$bpy in 4.5|5.2) \
	        python=$$($(ENVIRONMENT) --bpy $$bpy test) && others="$$others --python $$python" || [ $$? -eq 3 ] || exit 1 ;; \
	    esac; \
	done; $(BIN)/python tools/same_bits.py $$others

digests: environment  ## tests/core/whole/digests.json, which same-bits compares with, where behavior is meant to change
	@$(BIN)/python tools/same_bits.py --write

.PHONY: sanitize
sanitize: environment  ## Worlds by a library that ends the program where it reaches beyond an array or C is not defined
	@$(BIN)/python tools/sanitize.py

.PHONY: test-arm64
test-arm64:  ## The kernel as built for arm64, under Debian's emulator, against this machine's bits
	@$(ENVIRONMENT) test zig > /dev/null
	@emulator=$$($(BIN)/python tools/emulator.py) && \
	PATH="$$PATH:$$(dirname $$emulator)" $(BIN)/python -m pytest -rs tests/core/whole/test_arm64.py

# The validator of Khronos comes from npm's registry, by the npm of PyPI's Node.js.
.PHONY: readers
readers:  ## Exported fishes as USD's own library, glTF's validator and other readers see them; tracks of data sets
	@$(ENVIRONMENT) test readers > /dev/null
	@$(BIN)/python tools/readers.py
	$(BIN)/python -m pytest -rs tests/blender/whole/test_other_readers.py tests/core/dataset/test_mot.py

bench:  ## The benchmark table
	@$(ENVIRONMENT) bench > /dev/null
	$(BIN)/artfish bench

.PHONY: kernel wheels
kernel:  ## The compiled step of the body for this machine; the environment builds it, too
	@$(ENVIRONMENT) > /dev/null
	@$(BIN)/python tools/kernel.py

# What others run is built by zig, against a C library as old as the wheel's tag says.
PLATFORMS = linux-x64 linux-arm64 windows-x64 windows-arm64 macos-arm64 macos-x64
wheels:  ## The sdist of artfish, and of it a wheel a platform with the compiled library inside, in dist/
	@$(ENVIRONMENT) test > /dev/null
	$(BIN)/python -m build --sdist --outdir dist .
	@sdist=$$(ls -t dist/artfish-*.tar.gz | head -n 1); for platform in $(or $(PLATFORM),$(PLATFORMS)); do \
	    ARTFISH_PLATFORM=$$platform $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist $$sdist && \
	    echo "wheels: $$platform" || exit 1; \
	done

extension:  ## The installable zips, two a platform, in dist/; PLATFORM=linux-x64 makes its two alone
	@$(ENVIRONMENT) zig > /dev/null
	$(BIN)/python tools/extension.py $(if $(PLATFORM),--platform $(PLATFORM))

reference: environment  ## docs/reference.md and docs/tuning.md, from core/
	$(BIN)/python tools/reference.py

.PHONY: site
site:  ## The documentation as a site, out/site/index.html; a broken link ends it
	@$(ENVIRONMENT) test site > /dev/null
	@$(BIN)/python tools/site.py

.PHONY: samples
samples:  ## Files to open and look at: out/samples, each tried in a Blender without the add-on
	@$(ENVIRONMENT) > /dev/null
	@$(BIN)/python tools/samples.py

.PHONY: assets
assets:  ## A library for Blender's Asset Browser: out/assets, each asset tried in a Blender without the add-on; ONLY="rocks weeds"
	@$(ENVIRONMENT) > /dev/null
	@$(BIN)/python tools/assets.py $(ONLY)

.PHONY: release
release:  ## All that goes out of a release, in out/release, with sums; PLATFORM=linux-x64 makes that of one; RELEASING.md
	@$(ENVIRONMENT) test dev release > /dev/null
	@$(BIN)/python tools/release.py $(if $(PLATFORM),--platform $(PLATFORM)) $(if $(AGAINST),--against $(AGAINST))

clean:
	rm -rf .venv .venv-* .cache build dist *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +
