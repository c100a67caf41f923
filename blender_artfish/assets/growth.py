"""Corals, rocks and wreckage of the asset library: collections, each on the ground and of its own size."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ..stage.corals import GROWTHS, ROCKS, SAND, Colony, colonies
from ..stage.debris import DEBRIS
from ..stage.garden import SUNK
from ..stage.planting import WOOD
from ..stage.scenery import pillar, rock_material, rust_material
from ..stage.shapes import mesh
from .catalogs import Catalog
from .shelf import Shelf, Shelving, largest

GREEN_KINDS = "Turf", "Red alga"
"""Kinds of growth that are weeds."""
ROCK_METRES = 0.6
"""Height of a rock."""
PILLARS = (0.25, 1.6), (0.45, 2.6)
"""Radius and height of pillars, metres."""
PATCHES, PATCH_COLONIES, PATCH_METRES = 4, 26, 0.45
"""Number of patches of corals, of colonies in each, and their radius."""


def fill_corals(shelf: Shelf) -> Shelving:
    """Put every kind of coral, sponge and anemone on a shelf, and patches of many of them."""
    draws = np.random.default_rng(23)
    kinds = [name for name in GROWTHS if name not in GREEN_KINDS]
    made: dict[str, list[Colony]] = {}
    for number, (name, grown) in enumerate(colonies(draws, tuple(kinds))):
        yield number / (len(kinds) + PATCHES), name
        made[name] = grown
        _stand_all(shelf, name, grown, Catalog.CORALS, "reef growth, to be placed many times", ["coral", "reef"])
    for number in range(PATCHES):
        yield (len(kinds) + number) / (len(kinds) + PATCHES), "Coral patch"
        objects = _patch(made, draws)
        about = f"{len(objects)} corals and sponges of many kinds on a patch of {200 * PATCH_METRES:.0f} cm"
        shelf.collection(f"Coral patch {number + 1}", objects, Catalog.CORALS, about, ["coral", "reef", "patch"])


def fill_rocks(shelf: Shelf) -> Shelving:
    """Put rocks, pillars and a wreck's debris on a shelf."""
    draws = np.random.default_rng(29)
    for number, (name, made) in enumerate(colonies(draws, tuple(ROCKS))):
        yield 0.2 * number, name
        _stand_all(shelf, name, made, Catalog.ROCKS, "bare rock", ["rock", "stone"])
    stone = rock_material()
    for number, (radius, height) in enumerate(PILLARS):
        yield 0.4 + 0.1 * number, "Pillar"
        name = f"Pillar {number + 1}"
        obj = bpy.data.objects.new(name, mesh(name, pillar(radius, height, draws), stone))
        about = f"A column of rock {height:g} m high, {200 * radius:.0f} cm through"
        shelf.collection(name, [obj], Catalog.ROCKS, about, ["rock", "pillar"])
    rust = rust_material(WOOD)
    for number, (name, (shape, sizes, _)) in enumerate(DEBRIS.items()):
        yield 0.6 + 0.4 * number / len(DEBRIS), name
        obj = standing(name, Colony.of(name, shape(draws), rust), max(sizes), 0.0)
        about = f"{name} of a wreck, {100 * largest(obj):.0f} cm, overgrown with rust and crusts"
        shelf.collection(name, [obj], Catalog.WRECKAGE, about, ["wreck", "debris"])


def fill_greens(shelf: Shelf) -> Shelving:
    """Put weeds that do not sway on a shelf."""
    for number, (name, made) in enumerate(colonies(np.random.default_rng(31), GREEN_KINDS)):
        yield number / len(GREEN_KINDS), name
        _stand_all(shelf, name, made, Catalog.WEEDS, "low growth, to be placed many times", ["weed", "alga"])


def _stand_all(
    shelf: Shelf, name: str, made: Sequence[Colony], catalog: Catalog, about: str, tags: Sequence[str]
) -> None:
    """Put all forms of a kind on a shelf, each at its usual size."""
    for number, colony in enumerate(made):
        title = f"{name} {number + 1}" if len(made) > 1 else name
        height = ROCK_METRES if name in ROCKS else float(np.mean(GROWTHS[name].heights))
        obj = standing(title, colony, height)
        wide = float(np.max((colony.high - colony.low)[:2])) * height
        words = f"{title}: {about}, {100 * wide:.0f} cm wide. Each copy has a colour of its own"
        shelf.collection(title, [obj], catalog, words, [*tags, *name.lower().split()])


def standing(name: str, colony: Colony, height: float, sunk: float = SUNK) -> bpy.types.Object:
    """An object of a colony scaled to a height in metres, sunk a share of it into the ground."""
    obj = bpy.data.objects.new(name, colony.data)
    obj.scale, obj.location.z = (height,) * 3, -sunk * height
    return obj


def _patch(made: dict[str, list[Colony]], draws: np.random.Generator) -> list[bpy.types.Object]:
    """Colonies that grow on sand, side by side within a circle, the tall ones in its middle."""
    names = [name for name, kind in GROWTHS.items() if SAND in kind.grounds and kind.often and name in made]
    often = np.array([GROWTHS[name].often for name in names])
    taken: list[tuple[np.ndarray, float]] = []
    objects = []
    for _ in range(40 * PATCH_COLONIES):
        if len(objects) == PATCH_COLONIES:
            break
        name = str(draws.choice(names, p=often / often.sum()))
        colony = made[name][int(draws.integers(len(made[name])))]
        away, turn = PATCH_METRES * np.sqrt(draws.uniform()), draws.uniform(0.0, 2.0 * np.pi)
        least, most = GROWTHS[name].heights
        height = most - (most - least) * away / PATCH_METRES
        at, reach = away * np.array([np.cos(turn), np.sin(turn)]), 0.3 * height * np.ptp(colony.corners[:, 0])
        if any(np.linalg.norm(at - other) < reach + radius for other, radius in taken):
            continue
        taken.append((at, reach))
        obj = standing(name, colony, height)
        obj.rotation_euler.z = draws.uniform(0.0, 2.0 * np.pi)
        obj.location.x, obj.location.y = at
        objects.append(obj)
    return objects
