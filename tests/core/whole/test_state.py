"""All state of a living world is as its classes declare it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.base.state import Stateful, Together
from artfish.core.recording import ARRAYS
from artfish.core.world.persistence import last_of, parts_by_key, stateful_parts
from artfish.tests.core.kinds import each_scene

OWN_SIZES = {"column", "muscle", "stream"}
"""Names of sizes that differ between the objects of one class; all others are the same in a whole world."""
SARDINES = {"species": "sardine", "count": 6, "at": [5, 4, 2], "spread": 1}
HOOK, RIDE = {"at": [5, 4, 2], "start": 0.2}, {"at": [4, 4, 2], "orders": [{"time": 0.2, "order": "accelerate"}]}
RARE = {
    "detail": {"fishes": [SARDINES], "detail": {"dynamic": 2}, "camera": {"at": [5, 0.5, 2], "look_at": [5, 4, 2]}},
    "ride": {"fishes": [SARDINES, {"species": "grouper", "at": [7, 4, 2]}], "ride": RIDE},
    "relations": {
        "fishes": [SARDINES, {"species": "tuna", "at": [7, 4, 2]}],
        "relations": [{"fishes": 0, "kind": "dislike", "toward": 1}, {"fishes": 1, "kind": "fear", "toward": 0}],
        "grudges": True,
    },
    "lives": {"fishes": [{**SARDINES, "species": "clownfish"}], "breeding": {"population": 9, "born": 4}},
    "sleep": {"fishes": [{**SARDINES, "species": "blue_tang"}], "light": {"daytime": 22}},
    "retinas": {"fishes": [{**SARDINES, "count": 2, "vision": "retina"}], "plankton": {"count": 5}, "hook": HOOK},
}
"""Scenes with what few presets have."""


def members(part: Stateful) -> list[Stateful]:
    """A part, or those that are saved together."""
    return [one for member in part._members for one in members(member)] if isinstance(part, Together) else [part]


def faults(world: World) -> Iterator[str]:
    """Deviations of a living world's state from its declarations."""
    last, everywhere = last_of(world.parts), {"fish": len(world.shoal), "particle": len(world.parts.water.plankton)}
    for key, part in parts_by_key(world.parts).items():
        for member in members(part):
            saved, own = member.state(), {}
            for name, one in member.STATE.items():
                array, where = saved[one.key], f"{key}/{one.key} of {type(member).__name__}"
                if one.late and not world.parts.recorded and getattr(member, name) is None:
                    continue
                if array.dtype != one.kind:
                    yield f"{where} is of {array.dtype}"
                if array.ndim != len(one.shape):
                    yield f"{where} is {array.shape}"
                    continue
                for size, length in zip(one.shape, array.shape, strict=True):
                    known = own if size in OWN_SIZES else everywhere
                    if length != (known.setdefault(size, length) if isinstance(size, str) else size):
                        yield f"{where} is {array.shape}"
                if not array.size or array.dtype.kind == "b":
                    continue
                set_ = array[~np.isnan(array) if one.unset is None or np.isnan(one.unset) else array != one.unset]
                if one.unset is None and len(set_) < array.size:
                    yield f"{where} is not a number"
                high = last.get(one.high, one.high)
                if not np.isfinite(set_).all():
                    yield f"{where} is infinite"
                if set_.size and one.low is not None and set_.min() < one.low - 1e-9:
                    yield f"{where} falls to {set_.min()}"
                if set_.size and high is not None and set_.max() > high + 1e-9:
                    yield f"{where} rises to {set_.max()}"


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("name", each_scene())
def test_state_is_as_it_is_declared(name):
    world = World(Scene.load(name), seed=4)
    found = set(faults(world))
    for _ in range(4):
        world.simulate(6)
        found.update(faults(world))
    assert not found


@pytest.mark.film
@pytest.mark.parametrize("name", RARE)
def test_state_of_what_few_scenes_have_is_as_it_is_declared(name):
    world = World(Scene.from_dict(RARE[name]), seed=4)
    found = set(faults(world))
    for _ in range(4):
        world.simulate(6)
        found.update(faults(world))
    assert not found


@pytest.mark.film
def test_what_is_recorded_is_declared_alike_in_both_places():
    """The state says which array of a recording has a field, and that array is of its shape and range."""
    world, found = World(Scene.load("reef"), seed=4), {}
    for part in stateful_parts(world.parts).values():
        for member in members(part):
            found |= {one.recorded: one for one in member.STATE.values() if one.recorded}
    assert len(found) > 15 and "hunger" in found
    for name, one in found.items():
        frames, *shape = ARRAYS[name].shape
        assert frames == "frames" and len(shape) == len(one.shape), name
        both = [pair for pair in zip(shape, one.shape, strict=True) if all(isinstance(size, int) for size in pair)]
        assert all(size == own for size, own in both), name
        if one.low is not None and ARRAYS[name].low is not None:  # nothing is cut off
            assert ARRAYS[name].low <= one.low and one.high <= ARRAYS[name].high, name
    shown = world.record()
    assert set(found) <= set(shown)
    derived = {"nodes", "fins", "target", "food", "breath", "growth", "level", "bubbles_alive"}
    assert derived <= set(shown) - set(found)


def is_own(one: type) -> bool:
    """False for what a test has made of a class, such as a recipe's."""
    return getattr(sys.modules.get(one.__module__), one.__name__, None) is one


@pytest.mark.film
def test_every_class_with_state_is_met():
    """In some scene above; searches are no part of a world."""
    names = ["buoys", "directed", "diver", "go_fish", "hide_and_seek", "maze", "reef", "wreck"]
    worlds = [World(Scene.load(name)) for name in names] + [World(Scene.from_dict(data)) for data in RARE.values()]
    met = {type(one) for world in worlds for part in parts_by_key(world.parts).values() for one in members(part)}
    declaring, waiting = set(), [Stateful]
    while waiting:
        waiting += (below := waiting.pop().__subclasses__())
        declaring |= {one for one in below if one.STATE and one.__module__.startswith("artfish.core.") and is_own(one)}
    missed = {one.__name__ for one in declaring if not any(issubclass(other, one) for other in met)}
    assert missed <= {"Annealing", "Evolution"}
