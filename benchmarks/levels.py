"""Worlds with levels of detail, with minds but without drawing: a few dynamic fishes among thousands of replicas.

Compared with the world of Yu and Terzopoulos (60 fishes, 51 of them in a school, of 7 species; 10 to 50 frames a second
on the machines of 1999) and the crowd of Reynolds (2006; 10,000 boids, which are points with a heading, at 60 frames a
second). Frames a second are by the wall clock, the targets for two processors.
"""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace

from ..core.base.threads import available
from ..core.scene.detail import Detail
from ..core.scene.inventory import Camera
from ..core.scene.scene import Scene
from ..core.world.world import World
from .table import Row, explains
from .worlds import FRAMES, LARGE, MEGABYTE, described, most_held, reef, school

DYNAMIC = 60
"""Most dynamic fishes at once."""
HUGE = 100_000
"""Fishes of a school of replicas only."""
HUGE_FRAMES = 4
OTHERS = {"clownfish": 2, "butterflyfish": 2, "cardinalfish": 2, "blue_tang": 1, "moray": 1, "grouper": 1}
"""Species and numbers of the fishes beside the school of 51 in the paper's world."""


def levelled(scene: Scene, dynamic: int) -> Scene:
    """The same scene with levels of detail, seen from the middle of its front."""
    x, y, z = scene.tank.size
    camera = Camera(at=(x / 2, 0.05 * y, z / 2), look_at=(x / 2, y, z / 2), lens=35.0)
    return replace(scene, camera=camera, detail=Detail(dynamic=dynamic, near=0.02))


def papers() -> Scene:
    """The paper's world, all replicas."""
    groups = [{"species": "sardine", "count": 51, "at": [4, 4, 2], "spread": 0.8}]
    groups += [
        {"species": name, "count": count, "at": [2.0 + row, 3.0 + 0.4 * row, 2.0], "spread": 1.0}
        for row, (name, count) in enumerate(OTHERS.items())
    ]
    obstacles = [{"kind": "cylinder", "at": [3 + 2 * k, 4, 0], "radius": 0.3, "height": 2.0} for k in range(3)]
    data = {"tank": {"size": [10, 8, 4]}, "fishes": groups, "obstacles": obstacles, "plankton": {"count": 50}}
    return levelled(Scene.from_dict(data), 0)


def speed(scene: Scene, frames: int, rounds: int) -> float:
    """Frames a second of a world in progress, the best of several rounds of so many frames."""
    world, best = World(scene, seed=1), float("inf")
    for _ in range(3):
        world.step()
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(frames):
            world.step()
        best = min(best, time.perf_counter() - begin)
    return frames / best


def peak(fishes: int) -> float:
    """Peak memory of this process in bytes, after a school of replicas has lived in it."""
    speed(levelled(school(fishes), 0), HUGE_FRAMES, 1)
    return most_held()


def memory(fishes: int) -> Row:
    """The same for a separate process."""
    code = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import peak; print(peak({fishes}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    note = "at its most; all replicas, schooling only"
    return Row(f"memory, {fishes:,} replicas", float(done.stdout) / MEGABYTE, "MB", "<= 4000", note)


@explains("levels of detail")
def rows(quick: bool = False) -> list[Row]:
    """Frames a second of the paper's world, of ten thousand fishes and of a hundred thousand, and their memory."""
    threads, rounds = available(), 1 if quick else 4
    large, huge = ((60, 50, 3), 50) if quick else (LARGE, HUGE)
    by = f"{threads} thread{'s' if threads > 1 else ''}"
    few, many, school_of = papers(), levelled(reef(*large), DYNAMIC), levelled(school(huge), 0)
    note = f"all replicas; {by}"
    found = [Row("the paper's world, 60 fishes", speed(few, FRAMES, rounds), "frames/s", ">= 250", note)]
    note = f"{described(*large)}; at most {DYNAMIC} dynamic; {by}"
    found.append(Row(f"levels, {large[0]:,} fishes", speed(many, FRAMES, rounds), "frames/s", ">= 24", note))
    value, note = speed(school_of, HUGE_FRAMES, rounds), f"one school, all replicas; {by}"
    found.append(Row(f"levels, {huge:,} fishes", value, "frames/s", ">= 2", note))
    return [*found, memory(huge)]
