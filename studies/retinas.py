"""Do fishes that see with images see what others see by rays, and live as they do?

The two kinds of vision are compared in scenes that have run for a while: fishes seen by only one of
them, and why. Then fishes that see by either live among pillars, with food and a predator.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from ..core.base.vectors import norm
from ..core.perception.retina.drawing import NOTHING, EyeView, draw
from ..core.perception.retina.lens import lens_of
from ..core.perception.retina.scenery import RetinaScenery
from ..core.perception.retina.sight import RetinalSight
from ..core.perception.swimmers import Swimmers
from ..core.perception.tuning import FOVEA_ANGLE, FOVEA_PIXELS, RETINA_PIXELS
from ..core.perception.vision import in_field
from ..core.scene.scene import Scene
from ..core.scene.species import VISIONS
from ..core.world import stages
from ..core.world.world import World
from .finding import Finding, each

SCENES = "reef", "feeding", "go_fish"
SEEDS = range(6)
FRAMES, LIFE_FRAMES = 48, 480
PILLARS = [[1.2, 1.2, 0.22], [2.4, 2.5, 0.22], [3.6, 3.8, 0.22], [4.8, 1.2, 0.22], [4.6, 3.0, 0.3]]
"""Feet and radii of pillars, metres."""
TOUCHING_METRES = 0.003


def findings(seeds: range = SEEDS) -> list[Finding]:
    """The findings of the table."""
    counts = Counter[str]()
    for one in each(compared, SCENES, seeds):
        counts.update(one)
    both, seen = counts.pop("both"), Counter[str]()
    for reason, many in counts.items():
        seen[reason.split(":")[0]] += many
    why = ", ".join(f"{reason.split(': ')[1]} {many}" for reason, many in counts.most_common())
    rows = [
        Finding(
            f"who is seen by {one} is seen by {other}", both, both + seen[one], 0.7 if one == "images" else None, why
        )
        for one, other in (("rays", "images"), ("images", "rays"))
    ]
    lives = {vision: each(lived, (vision,), seeds) for vision in VISIONS}
    for vision, of in lives.items():
        named = f"fishes that see by {vision}"
        at, there = (sum(one[key] for one in of) for key in ("touching", "frames"))
        meals = f"meals {[one['fed'] for one in of]}"
        rows.append(Finding(f"{named} find food", sum(one["fed"] > 0 for one in of), len(seeds), 0.8, meals))
        touch = f"{at} of {there} frames of a fish at one"
        rows.append(Finding(f"{named} touch no pillar", sum(not one["touching"] for one in of), len(seeds), 0.8, touch))
        flight = f"shares of flight {[round(one['flight'], 2) for one in of]}"
        rows.append(Finding(f"{named} flee", sum(one["flight"] > 0.02 for one in of), len(seeds), 0.8, flight))
        mates = f"metres to the nearest mate {[round(one['mate'], 2) for one in of]}"
        rows.append(Finding(f"{named} school", sum(one["mate"] < 1.0 for one in of), len(seeds), 0.8, mates))
    return rows


def compared(name: str, seed: int) -> Counter[str]:
    """Numbers of pairs in a scene that has run for a while: seen both ways, and seen by one, by the reason."""
    world = World(Scene.load(name), seed=seed)
    for _ in range(FRAMES):
        world.step()
    parts, everyone = world.parts, np.flatnonzero(world.alive)
    sight, swimmers = parts.minds.decision.sightings.vision.sight, stages.perceive(parts)
    retinas = RetinalSight(everyone, sight, parts.bodies.shoal.length, len(parts.model.scene.bodies))
    retinas.look(parts, swimmers)
    others = np.tile(everyone, (len(everyone), 1))
    rays, _ = parts.minds.decision.sightings.vision.look(
        everyone, others, swimmers.nose, swimmers.ahead, swimmers.nodes, parts.bodies.shoal.alive
    )
    images = np.isfinite(retinas.ranges(np.arange(len(everyone)), others))
    found, scenery = Counter(both=int((rays & images).sum())), RetinaScenery(parts, swimmers.nodes)
    for row, column in np.argwhere(rays & ~images).tolist():
        found["rays: " + _unseen(scenery, swimmers, int(everyone[row]), int(everyone[column]))] += 1
    for row, column in np.argwhere(images & ~rays).tolist():
        me, other = int(everyone[row]), int(everyone[column])
        found["images: " + _unfelt(swimmers, me, other, float(sight[me]), parts.bodies.shoal.length)] += 1
    return found


def _unseen(scenery: RetinaScenery, swimmers: Swimmers, me: int, other: int) -> str:
    """Why images do not show a fish seen by rays."""
    shapes, (begin, end) = scenery.shapes, scenery.own[other]
    alone = replace(
        shapes,
        triangles=shapes.triangles[begin:end],
        both=shapes.both[begin:end],
        balls=shapes.balls[:0],
        pillars=shapes.pillars[:0],
        box=None,
    )
    eye = EyeView(swimmers.nose[me], swimmers.frames[me])
    lenses = lens_of(RETINA_PIXELS), lens_of(FOVEA_PIXELS, FOVEA_ANGLE)
    if all((draw(eye, lens, alone)[0] == NOTHING).all() for lens in lenses):
        ray = swimmers.nodes[other] - eye.origin
        inside = in_field(ray, norm(ray), swimmers.ahead[me])
        return "too small" if inside.all() else "out of the field"
    return "hidden by others, or beyond the range"


def _unfelt(swimmers: Swimmers, me: int, other: int, sight: float, length: np.ndarray) -> str:
    """Why rays do not find a fish shown by images."""
    ray = swimmers.nodes[other] - swimmers.nose[me]
    away = norm(ray)
    if not in_field(ray, away, swimmers.ahead[me]).any():
        return "no mass in the field"
    return "no mass in range" if (away > sight * length[other] / length[me]).all() else "all masses hidden"


def lived(vision: str, seed: int) -> dict[str, float]:
    """Measures of fishes with this vision in 20 seconds among pillars, with food and a predator."""
    groups = [
        {"species": "sardine", "count": 6, "at": [2, 2.5, 1.5], "spread": 0.7, "mind": {"hunger": 0.7}},
        {"species": "clownfish", "count": 3, "at": [4, 3.5, 1.2], "spread": 0.7, "mind": {"hunger": 0.8}},
        {"species": "grouper", "count": 1, "at": [5, 4.4, 1.5], "mind": {"hunger": 0.9}},
    ]
    scene = {
        "name": "pillars",
        "tank": {"size": [6, 5, 3]},
        "plankton": {"count": 150, "growth": 1.0},
        "obstacles": [{"kind": "cylinder", "at": [x, y, 0], "radius": r, "height": 3} for x, y, r in PILLARS],
        "fishes": [{**group, "vision": vision} for group in groups],
    }
    recording = World(Scene.from_dict(scene), seed=seed).simulate(LIFE_FRAMES)
    pillars = np.array(PILLARS)
    gap = (norm(recording.nodes[:, :, :, None, :2] - pillars[:, :2]) - pillars[:, 2]).min(axis=(2, 3))
    there, sardines = recording.alive, recording.nodes[:, :6].mean(axis=2)
    apart = np.sort(norm(sardines[:, :, None] - sardines[:, None]), axis=2)[:, :, 1]
    flees = recording.intention == recording.INTENTIONS.index("escape")
    return {
        "fed": sum(event["kind"] == "fed" for event in recording.events),
        "touching": int(((gap < TOUCHING_METRES) & there).sum()),
        "frames": int(there.sum()),
        "flight": float(flees[there].mean()),
        "mate": float(np.median(apart)),
    }
