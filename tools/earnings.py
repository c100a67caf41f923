"""The share of a frame that each compiled function saves, in worlds of the benchmarks.

    python tools/earnings.py [--world 60 "400 sardines"] [--rounds 5]

Lives through the same frames again and again, as compiled and with the oracle of one function in its place, see
oracles.py; both give the same bits. The Python function that calls it is timed, by the processor's time in one thread:
all calls of a frame by the oracle, but for the time to read the struct, less those compiled, over the time of the
frame.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import ModuleType
from typing import Any

import oracles

from artfish.benchmarks.levels import DYNAMIC, levelled
from artfish.benchmarks.retinas import seeing
from artfish.benchmarks.worlds import LARGE, WORLDS, living, reef, school
from artfish.core.base.threads import THREADS_CHOICE
from artfish.core.compiled import calling
from artfish.core.scene.scene import Scene
from artfish.core.world.world import World

ROUNDS = 5
EARNED = 0.02
"""Share of a frame that a function has to save in one of the worlds to earn its C."""
SCHOOL = 400
TREES = "plant", "replant", "nearest", "within", "throng", "reaches", "meeting", "closest"
"""Functions of one tree and of the pairs that it finds, which are replaced together."""
SETTINGS: dict[str, tuple[Callable[[], Scene], int]] = {
    "60": (lambda: reef(*WORLDS[1]), 24),
    "1,000": (lambda: reef(*WORLDS[2]), 9),
    "400 sardines": (lambda: school(SCHOOL), 9),
    "10 with retinas": (seeing, 12),
    "buoys": (lambda: Scene.load("buoys"), 24),
    "10,000 of 60": (lambda: levelled(reef(*LARGE), DYNAMIC), 3),
}
"""Scenes by the names of their columns, and frames that are lived through, whole periods of three."""
Caller = tuple[Any, str]
"""A module or class, and the name of a function in it."""


def callers() -> dict[str, list[Caller]]:
    """The Python functions that have the work of each compiled function done in either form, by its name.

    For a function that a private helper calls, those are the helper's callers.
    """
    found: dict[str, list[Caller]] = {}
    declared = {id(call) for call in calling.declared}
    for module in [one for name, one in sys.modules.items() if ".core." in name and isinstance(one, ModuleType)]:
        calls = {name: one.declaration.name for name, one in vars(module).items() if id(one) in declared}
        if not calls:
            continue
        functions = [((owner, tree.name), names_in(tree)) for owner, tree in functions_of(module)]
        for name in calls:
            places = [place for place, names in functions if name in names]
            if places and all(place[1].startswith("_") for place in places):
                helpers = {place[1] for place in places}
                places = [place for place, names in functions if names & helpers] or places
            known = found.setdefault(calls[name], [])
            known += [place for place in places if place not in known]
    return {name: places for name, places in found.items() if places}


def names_in(function: ast.FunctionDef) -> set[str]:
    """Names of all that a function calls, as functions or as methods of itself."""
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    methods = {one.attr for one in calls if isinstance(one, ast.Attribute)}
    return methods | {one.id for one in calls if isinstance(one, ast.Name)}


def functions_of(module: ModuleType) -> Iterator[tuple[Any, ast.FunctionDef]]:
    """Functions and methods of a module, each with its owner."""
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.FunctionDef):
            yield module, node
        elif isinstance(node, ast.ClassDef):
            yield from ((getattr(module, node.name), one) for one in node.body if isinstance(one, ast.FunctionDef))


@contextmanager
def timed(places: list[Caller]) -> Iterator[list[float]]:
    """Add up the seconds within these functions, wherever they are known by name, for the duration of the block."""
    spent, undo, deep = [0.0], [], [0]
    for owner, name in places:
        work = inspect.getattr_static(owner, name)
        inner = work.__func__ if isinstance(work, staticmethod | classmethod) else work

        def watched(*given: Any, work: Callable[..., Any] = inner, **named: Any) -> Any:
            if deep[0]:
                return work(*given, **named)
            deep[0], begin = 1, time.process_time()
            try:
                return work(*given, **named)
            finally:
                spent[0] += time.process_time() - begin
                deep[0] = 0

        put = type(work)(watched) if isinstance(work, staticmethod | classmethod) else watched
        holders = [owner, *sys.modules.values()] if isinstance(owner, ModuleType) else [owner]
        for holder in holders:
            for known in [key for key, value in getattr(holder, "__dict__", {}).items() if value is work]:
                undo.append((holder, known, work))
                setattr(holder, known, put)
    try:
        yield spent
    finally:
        for holder, known, work in undo:
            setattr(holder, known, work)


def seconds_of(world: World, frames: int, places: list[Caller], plain: tuple[str, ...] = ()) -> float:
    """Seconds within these functions in so many frames, some of them by oracles; the world is as before after them."""
    begin = world.moment()
    with oracles.in_place(*plain) if plain else nullcontext([0.0]) as read, timed(places) as spent:
        for _ in range(frames):
            world.step()
    world.go_back(begin)
    return spent[0] - read[0]


def earned(scene: Scene, frames: int, rounds: int, named: dict[str, list[Caller]]) -> dict[str, float]:
    """Share of a frame that each of the functions saves in a world."""
    world, whole = living(scene), [(World, "step")]
    frame = min(seconds_of(world, frames, whole) for _ in range(rounds))
    found = {}
    for name, places in named.items():
        if not seconds_of(world, frames, places):
            found[name] = 0.0
            continue
        ways = (), TREES if name in TREES else (name,)
        turns = [[seconds_of(world, frames, places, way) for way in ways] for _ in range(rounds)]
        compiled, numpy = (min(seconds) for seconds in zip(*turns, strict=True))
        found[name] = (numpy - compiled) / frame
    return found


def main(argv: list[str] | None = None) -> None:
    """Prints a table, one line a function."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--world", nargs="*", default=list(SETTINGS), choices=list(SETTINGS))
    options = parser.parse_args(argv)
    os.environ[THREADS_CHOICE] = "1"
    named, columns = callers(), {}
    for name in options.world:
        scene, frames = SETTINGS[name]
        columns[name] = earned(scene(), frames, options.rounds, named)
    print("| function | " + " | ".join(columns) + " | earns its C |")
    print("|---|" + "---|" * (len(columns) + 1))
    for name in named:
        shares = [column[name] for column in columns.values()]
        cells = " | ".join(f"{100 * share:.1f} %" for share in shares)
        print(f"| {name} | {cells} | {'yes' if max(shares) >= EARNED else 'no'} |")


if __name__ == "__main__":
    main()
