"""The share of a frame that each compiled function saves in worlds of the benchmarks: `python -m artfish.benchmarks.earnings`.

A world lives through the same frames again and again, as compiled and with one function in its plain form; both give the
same bits, so that only the time differs. Of each frame the least time of several rounds counts, in one thread.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from ..core.base import threads
from ..core.compiled import calling
from ..core.scene.scene import Scene
from ..core.world.world import World
from .levels import DYNAMIC, levelled
from .worlds import LARGE, WORLDS, living, reef, school

ROUNDS = 4
EARNED = 0.02
"""Share of a frame that a function has to save in one of the worlds to earn its C."""
SCHOOL = 400
TREES = "plant", "replant", "nearest", "within", "throng", "reaches", "meeting", "closest"
"""Functions of one tree and of the pairs it finds, which are compiled together or not at all."""
SETTINGS: dict[str, tuple[Callable[[], Scene], int]] = {
    "60": (lambda: reef(*WORLDS[1]), 48),
    "1,000": (lambda: reef(*WORLDS[2]), 24),
    "400 sardines": (lambda: school(SCHOOL), 24),
    "10,000 of 60": (lambda: levelled(reef(*LARGE), DYNAMIC), 6),
}
"""Scenes by the names of their columns, and frames that are lived through."""


def plainly(names: Iterable[str]) -> dict[str, object]:
    """Functions in use without these."""
    without = set(names)
    return {name: function for name, function in calling.functions.items() if name not in without}


def least_seconds(world: World, frames: int, ways: dict[str, dict[str, object]], rounds: int) -> dict[str, float]:
    """Seconds that so many frames take at the least in each way, by processor time; ways take turns."""
    begin = world.moment()
    usual = calling.functions
    best = {way: np.full(frames, np.inf) for way in ways}
    try:
        for _ in range(rounds):
            for way, functions in ways.items():
                world.go_back(begin)
                calling.functions = functions  # type: ignore[assignment]
                for frame in range(frames):
                    before = time.process_time()
                    world.step()
                    best[way][frame] = min(best[way][frame], time.process_time() - before)
                calling.functions = usual
    finally:
        calling.functions = usual
    return {way: float(seconds.sum()) for way, seconds in best.items()}


def groups() -> dict[str, tuple[str, ...]]:
    """Names of functions by what is switched off together."""
    singles = [name for name in calling.functions if name not in TREES]
    return {"(trees)": TREES, **{name: (name,) for name in singles}}


def earned(scene: Scene, frames: int, rounds: int, only: Iterable[tuple[str, tuple[str, ...]]]) -> dict[str, float]:
    """Share of a frame that each group of functions saves in a world."""
    world = living(scene)
    ways = {"compiled": plainly(())} | {name: plainly(names) for name, names in only}
    seconds = least_seconds(world, frames, ways, rounds)
    return {name: (seconds[name] - seconds["compiled"]) / seconds["compiled"] for name in ways if name != "compiled"}


def lines_of(name: str) -> int:
    """Lines of the C file in which a function is written."""
    core = Path(__file__).parents[1] / "core"
    for path in core.rglob("*.c"):
        text = path.read_text(encoding="utf-8")
        if f"artfish_{name}(" in text:
            return len(text.splitlines())
    return 0


def main(argv: list[str] | None = None) -> None:
    """Prints a table, one line a function."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--world", nargs="*", default=list(SETTINGS), choices=list(SETTINGS))
    parser.add_argument("--together", nargs="*", default=[], help="functions that are also switched off all at once")
    asked = parser.parse_args(argv)
    threads.available = lambda: 1
    switched = groups() | ({"together": tuple(asked.together)} if asked.together else {})
    columns = {}
    for name in asked.world:
        scene, frames = SETTINGS[name]
        columns[name] = earned(scene(), frames, asked.rounds, switched.items())
        print(f"{name} done", flush=True)
    print("| function | " + " | ".join(columns) + " | earns |")
    print("|---|" + "---|" * (len(columns) + 1))
    for name in switched:
        shares = [column[name] for column in columns.values()]
        cells = " | ".join(f"{100 * share:.1f} %" for share in shares)
        print(f"| {name} | {cells} | {'yes' if max(shares) >= EARNED else ''} |")


if __name__ == "__main__":
    main()
