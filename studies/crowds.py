"""Sixty fishes among eight pillars, the presets and a stream: nobody runs into anything, nobody gets stuck."""

from __future__ import annotations

from collections.abc import Iterator

from ..benchmarks import worlds
from ..core.recording import Recording
from ..core.scene.scene import Scene
from ..core.world.world import World
from . import schools
from .finding import Finding, counted, each

DEEPEST = 0.05  # lengths that a node may be inside something
TUMBLE = 0.5  # seconds in which a fish nearly sucked into a mouth rights itself
FISHES, SECONDS = 60, 120
ONE_IN = 600  # average seconds in which a fish may overlap with another once
STREAMS = ((0.13, 0.0), (0.4, 6.0))
"""A steady current that all can swim against (clownfishes: 0.148 m/s), and a swell faster than the small can swim."""


def crowd(seed: int, seconds: float = SECONDS) -> Recording:
    """Sixty fishes among eight pillars."""
    return World(worlds.reef(FISHES, 50, 8), seed=seed).simulate(round(24 * seconds))


def faults(recording: Recording) -> list[str]:
    """Faults of a recording: fishes in a pillar, outside the tank, or held up."""
    stuck, (inside, outside) = schools.stuck(recording), schools.depth(recording)
    wrong = {
        "in a pillar": inside > DEEPEST,
        "outside": outside > DEEPEST,
        "at a wall": stuck.wall[0] > schools.PATIENCE,
        "on the spot": stuck.spot[0] > schools.PATIENCE,
        "in circles": stuck.circling[0] > schools.PATIENCE,
        "upside down": stuck.upside_down[0] > TUMBLE,
    }
    return [name for name, found in wrong.items() if found]


def in_crowd(seed: int) -> tuple[list[str], int]:
    """Faults in two minutes of a crowd, and the number of overlaps between fishes."""
    recording = crowd(seed)
    return faults(recording), len(schools.overlaps(recording))


def in_preset(preset: str, seed: int) -> tuple[list[str], int]:
    """The same for a minute of a preset scene."""
    recording = World(Scene.load(preset), seed=seed).simulate(24 * 60)
    return faults(recording), len(schools.overlaps(recording))


def in_stream(stream: tuple[float, float], seed: int, seconds: float = 45.0) -> bool:
    """True if a stream (m/s, period in seconds) leaves everybody off the glass and upright."""
    species = ("clownfish", "sardine", "butterflyfish", "blue_tang")
    fishes = [
        {"species": name, "count": 5, "at": [1.5 + 0.6 * place, 2, 1], "spread": 0.5}
        for place, name in enumerate(species)
    ]
    current = {"kind": "uniform", "direction": [1, 0, 0], "strength": stream[0], "period": stream[1]}
    scene = Scene.from_dict({"tank": {"size": [5, 4, 2]}, "fishes": fishes, "current": [current]})
    stuck = schools.stuck(World(scene, seed=seed).simulate(round(24 * seconds)))
    return stuck.wall[0] <= schools.PATIENCE and stuck.upside_down[0] == 0.0


def findings(seeds: range = range(10)) -> Iterator[Finding]:
    """Collisions and hold-ups."""
    found = each(in_crowd, seeds)
    note = "; ".join(", ".join(wrong) for wrong, _ in found if wrong)
    yield counted(
        "nobody of sixty is in anything or held up in two minutes", [not wrong for wrong, _ in found], 1.0, note
    )
    most = FISHES * SECONDS // ONE_IN
    note = f"overlaps {[count for _, count in found]}"
    yield counted(f"fewer than {most} overlaps then", [count < most for _, count in found], 1.0, note)
    for preset in ("reef", "schooling"):
        got = each(in_preset, [preset], seeds[:5])
        most = round(World(Scene.load(preset)).scene.count * 60 / ONE_IN)
        note = f"overlaps {[count for _, count in got]}, on average fewer than {most} asked"
        yield counted(f"nobody is in anything or held up in a minute of {preset}", [not w for w, _ in got], 1.0, note)
    kept = each(in_stream, STREAMS, seeds[:3])
    yield counted("a stream holds nobody at the glass and tumbles nobody", kept, 1.0)
