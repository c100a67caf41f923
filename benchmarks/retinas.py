"""Cost of seeing with images: identity and range maps of one eye on one thread, and a scene of seeing fishes.

Compared with Habitat-Sim, which draws some 10,000 pictures of 128 by 128 pixels a second on a graphics card (Savva et
al. 2019), and against the 200 by 200 pixels of Kuffner and Latombe (1999).
"""

from __future__ import annotations

import time
from dataclasses import replace

from ..core.perception.retina.images import Gaze
from ..core.scene.scene import Scene
from .table import Row, explains
from .worlds import begun, living, reef

FISHES, FOOD, PILLARS = 60, 60, 8
SIZE = 200
LOOKS = 20
"""Fishes that look, one after the other."""
ROUNDS = 7
SEEING = 10
"""Fishes of a scene that all see with images."""
FRAMES = 96


def seeing() -> Scene:
    """A scene of fishes that all see with images."""
    scene = reef(SEEING, FOOD, PILLARS)
    return replace(scene, fishes=tuple(replace(group, vision="retina") for group in scene.fishes))


@explains("retinas")
def rows(quick: bool = False) -> list[Row]:
    """Pictures a second, and frames a second."""
    gaze = Gaze(begun(FISHES, FOOD, PILLARS))
    views = [gaze.views(fish, "cyclopean")[0] for fish in range(LOOKS)]
    spent = []
    for _ in range(1 if quick else ROUNDS):
        start = time.thread_time()
        for fish, view in enumerate(views):
            gaze.maps(view, fish, SIZE)
        spent.append(time.thread_time() - start)
    note = f"{FISHES} fishes and {PILLARS} pillars around it; of {SIZE} by {SIZE} pixels, with colours left out"
    pictures = Row("identity and range maps of an eye", LOOKS / min(spent), "1/s", ">= 1000", note)
    world = living(seeing())
    frames = 12 if quick else FRAMES
    start = time.perf_counter()
    for _ in range(frames):
        world.step()
    rate = frames / (time.perf_counter() - start)
    note = f"{len(world.shoal)} fishes that all see with images, {PILLARS} pillars and {FOOD} pieces of food"
    return [pictures, Row("frames of fishes that see with images", rate, "1/s", ">= 24", note)]
