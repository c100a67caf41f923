"""Fishes that like it bright, dark, cold or warm end up there, and who does not care spreads (Tu 1999, §7.3, §7.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.body.anatomy import MASSES
from ..core.habitat.ambient import Ambient
from ..core.habitat.obstacles import Obstacles
from ..core.recording import Recording
from ..core.scene.scene import Scene
from ..core.world.world import World
from .finding import Finding, counted, each

TANKS: dict[str, dict[str, Any]] = {
    "warmth": {
        "tank": {"size": [4, 3, 2]},
        "temperature": {"surface": 26, "bottom": 14, "depth": 1.0, "thickness": 0.6},
    },
    "light": {
        "tank": {"size": [4, 3, 1.5]},
        "light": {"direction": [1, 0, -0.4]},
        "obstacles": [{"kind": "cylinder", "at": [1.0, 1.5, 0], "radius": 0.7, "height": 1.5}],
    },
}
LIKED = {"warmth": ("cold", "warmth", None), "light": ("darkness", "brightness", None)}
COUNT, SECONDS = 6, 90
CALM = 0


def middles(recording: Recording) -> np.ndarray:
    """Centers of mass, (frames, fish, 3)."""
    return np.einsum("n,fknc->fkc", MASSES / MASSES.sum(), recording.nodes.astype(float))


def fields(scene: Scene, places: np.ndarray) -> dict[str, np.ndarray]:
    """Masks of places that are bright, dark, warm and cold to fishes with default drives."""
    ambient = Ambient.from_scene(scene, Obstacles.from_scene(scene))
    light, warmth = ambient.brightness(places), ambient.temperature(places)
    return {"brightness": light >= 0.6, "darkness": light <= 0.3, "warmth": warmth >= 23, "cold": warmth <= 18}


def shares(tank: str, seed: int, seconds: int = SECONDS) -> dict[tuple[str | None, str], float]:
    """Share of the last third of time that each of three groups spends at each group's preferred places.

    All begin anywhere in the same tank: fishes that like one condition, that like its opposite, and that do not
    care.
    """
    size, liked = np.array(TANKS[tank]["tank"]["size"]), LIKED[tank]
    common = {"species": "clownfish", "count": COUNT, "at": (0.5 * size + (0.3, 0, 0)).tolist(), "spread": 1.3}
    groups = [{**common, "habits": {like: True} if like else {}} for like in liked]
    scene = Scene.from_dict({**TANKS[tank], "fishes": groups})
    last = middles(World(scene, seed=seed).simulate(seconds * 24))[-seconds * 8 :]
    where = fields(scene, last)
    return {
        (like, kind): float(where[kind][:, COUNT * row : COUNT * (row + 1)].mean())
        for row, like in enumerate(liked)
        for kind in liked[:2]
        if kind is not None
    }


def settled(tank: str, found: dict[tuple[str | None, str], float]) -> bool:
    """True if fishes that like a condition are there, and hardly in its opposite."""
    one, other, _ = LIKED[tank]
    # The shade is a strip some 15 lengths wide, and is not felt outside it.
    there = found[one, one] >= (0.85 if tank == "warmth" else 0.6) and found[other, other] >= 0.8
    return there and found[one, other] <= 0.3 and found[other, one] <= 0.15


def room(tank: str) -> dict[str, float]:
    """Share of the swimmable water that is bright, dark, warm and cold."""
    scene = Scene.from_dict(TANKS[tank])
    places = np.random.default_rng(0).uniform(0.06, np.array(scene.tank.size) - 0.06, (40_000, 3))
    places = places[Obstacles.from_scene(scene).distance(places)[0] > 0.06]
    return {name: float(where.mean()) for name, where in fields(scene, places).items()}


def descent(seed: int, seconds: int = 50) -> tuple[float, float, float]:
    """Height in metres of a school that likes cold, at first and at last, and its share of calm time in school."""
    group = {"species": "sardine", "count": 6, "at": [3, 2.5, 2.4], "spread": 0.5, "habits": {"cold": True}}
    layers = {"surface": 26, "bottom": 14, "depth": 1.5, "thickness": 1.0}
    scene = Scene.from_dict({"tank": {"size": [6, 5, 3]}, "temperature": layers, "fishes": [group]})
    recording = World(scene, seed=seed).simulate(seconds * 24)
    height, calm = middles(recording)[..., 2], recording.intention != CALM
    school = recording.intention[calm] == Recording.INTENTIONS.index("school")
    return float(height[0].mean()), float(height[-240:].mean()), float(school.mean())


def findings(seeds: range = range(20)) -> Iterator[Finding]:
    """Shares of time at preferred places."""
    for tank, (one, other, _) in LIKED.items():
        found = each(shares, [tank], seeds)
        yield counted(f"who likes {one} or {other} ends up there", [settled(tank, share) for share in found], 0.9)
        for like in (one, other):
            assert like is not None
            mine = [share[like, like] for share in found]
            note = f"{np.mean(mine):.0%} of the time on average, 80% asked"
            yield counted(
                f"who likes {like} spends four fifths of its time there", [x >= 0.8 for x in mine], None, note
            )
            p, free = room(tank)[like], float(np.mean([share[None, like] for share in found]))
            # A fish stays at about one height for so long, so each counts as one sample; walls are excluded.
            most = 3 * np.sqrt(p * (1 - p) / (len(seeds) * COUNT)) + 0.05
            note = f"{free:.0%} of the time where {p:.0%} of the room is so"
            yield counted(f"who does not care for {like} spreads as the room does", [abs(free - p) < most], None, note)
    sunk = each(descent, seeds[:4])
    together = [begin > 2.2 and end < begin - 0.3 and school > 0.9 for begin, end, school in sunk]
    note = (
        f"from {np.mean([one[0] for one in sunk]):.1f} m to {np.mean([one[1] for one in sunk]):.1f} m, below 1.6 asked"
    )
    yield counted("a school that likes it cold goes down together", together, 1.0, note)
