"""Runs studies and prints their tables; `make study` keeps them in docs/studies.md."""

from __future__ import annotations

import argparse
import importlib
import inspect
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

# Set before anything imports NumPy: trials share the processors among processes.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

from ..core.base.codec import SceneError  # noqa: E402
from ..core.farm.engines import refuse_unknown_engine  # noqa: E402
from ..core.farm.varying import read_seeds  # noqa: E402
from . import finding  # noqa: E402

STUDIES = (
    "schools",
    "crowds",
    "hunting",
    "courtship",
    "comfort",
    "feeding",
    "dithering",
    "presets",
    "mazes",
    "wrecks",
    "swimming",
    "replicas",
    "levels",
    "learning",
    "tracking",
    "timing",
    "takes",
    "hiding",
    "relations",
    "snake_grid",
    "endurance",
    "endurance_bodies",
    "limits",
    "characters",
    "breeding",
    "generations",
    "costs",
    "life",
    "retinas",
    "fuzz",
    "fuzz_files",
    "fuzz_tables",
    "fuzz_models",
    "fuzz_exports",
    "fuzz_colours",
    "storm",
)
HEAD = """# Studies

What takes many seeds to judge, as `make study` found it: of so many trials so many came out as claimed. The share is \
the interval in which the truth lies with 95 % confidence (Clopper and Pearson), so that a count says how much it \
says. A line that only reports has no least. A test run keeps one cheap case of each.
"""
MARK = "\n## "


def study(
    name: str,
    count: int | None,
    failures: Path | None = None,
    numbers: Sequence[int] | None = None,
    first_seed: int = 0,
) -> str:
    """A study's section of the page: its question, the time and commit of the run, and its table.

    Args:
        name: Name of the study.
        count: Number of seeds; the study's own if None.
        failures: Folder for failed cases, for a study that saves them.
        numbers: Rows to run of a study with numbered rows; all if None.
        first_seed: The first seed.
    """
    module = importlib.import_module(f".{name}", __package__)
    seeds = seeds_of(module, count, first_seed)
    begun = time.monotonic()
    if hasattr(module, "page"):
        rows = module.page(seeds, numbers or tuple(module.ROWS))
    else:
        rows = _findings(module, seeds, failures)
    minutes = (time.monotonic() - begun) / 60
    when = f"{time.strftime('%Y-%m-%d')}, commit {commit()}, {minutes:.0f} min on {os.cpu_count()} processors"
    when += f", seeds from {first_seed} on" if first_seed else ""
    return f"{name}\n\n{(module.__doc__ or '').split(chr(10))[0]}\n\n{when}\n\n{rows}\n"


def seeds_of(module: ModuleType, count: int | None, first_seed: int) -> range:
    """The seeds of a run: so many, or the study's own number, from the first one on."""
    own = inspect.signature(getattr(module, "page", None) or module.findings).parameters["seeds"].default
    return range(first_seed, first_seed + (len(own) if count is None else count))


def _findings(module: ModuleType, seeds: range, failures: Path | None) -> str:
    """The table of a study that counts successes of its claims."""
    options: dict[str, Path] = {}
    if failures is not None and "failures" in inspect.signature(module.findings).parameters:
        options["failures"] = failures
    return finding.table(module.findings(seeds, **options))


def commit() -> str:
    """The commit that is checked out, with a plus where files differ from it."""
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty=+", "--exclude=*"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def keep(path: Path, section: str) -> None:
    """Replaces a study's section on the page, and keeps the others."""
    text = path.read_text() if path.exists() else HEAD
    found = {part.split("\n", 1)[0]: part for part in text.split(MARK)[1:]}
    found[section.split("\n", 1)[0]] = section
    ordered = [found[name].rstrip() + "\n" for name in STUDIES if name in found]
    path.write_text(HEAD + "".join(MARK + part for part in ordered))


def main(argv: list[str] | None = None) -> int:
    """Runs studies.

    Args:
        argv: Arguments, those of the process if None.

    Returns:
        0. A claim that does not hold shows in its table.
    """
    parser = argparse.ArgumentParser(prog="python -m artfish.studies", description="Runs studies over many seeds.")
    parser.add_argument("--only", nargs="+", choices=STUDIES, default=STUDIES, metavar="X", help=", ".join(STUDIES))
    about = "how many, in place of each study's own number; or A-B, which of them"
    parser.add_argument("--seeds", metavar="N|A-B", help=about)
    parser.add_argument("--first-seed", type=int, default=0, metavar="N", help="the first of them (0)")
    parser.add_argument(
        "--row",
        type=int,
        nargs="+",
        metavar="N",
        help="which rows of life's table; all if left out",
    )
    parser.add_argument("--write", type=Path, metavar="PAGE.md", help="where to keep the tables too")
    parser.add_argument("--failures", type=Path, metavar="DIR", help="where fuzz saves what failed")
    parser.add_argument("--on", metavar="ENGINE", help="local for Dask here, or tcp://HOST:PORT; processes if left out")
    parser.add_argument("--workers", type=int, metavar="N", help="processes (as many as processors)")
    options = parser.parse_args(argv)
    try:
        refuse_unknown_engine(options.on)
        count, first_seed = _seeds(options.seeds, options.first_seed)
    except SceneError as error:
        parser.error(str(error))
    if options.row:
        here = importlib.import_module(".life", __package__).ROWS
        if missing := sorted({*options.row} - {*here}):
            parser.error(f"--row: found {missing[0]}, allowed {', '.join(map(str, here))}")
    try:
        with finding.engine_open(options.on, options.workers):
            for name in options.only:
                print(f"studying {name} ...", file=sys.stderr, flush=True)
                section = study(name, count, options.failures, options.row, first_seed)
                print(f"## {section}", flush=True)
                if options.write:
                    keep(options.write, section)
    except SceneError as error:
        if error.key != "--on":
            raise
        parser.error(str(error))
    return 0


def _seeds(word: str | None, first: int) -> tuple[int | None, int]:
    """The number of seeds and the first of them: of A-B, or of a number alone, which counts them."""
    if word is None or word.isdecimal():
        return (None if word is None else int(word)), first
    seeds = read_seeds(word)
    return len(seeds), seeds.start


if __name__ == "__main__":
    sys.exit(main())
