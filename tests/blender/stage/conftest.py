"""Fixtures of the tests of the stage: recordings among pillars and hills, and the stage of one."""

from collections.abc import Callable
from dataclasses import replace

import bpy
import pytest

from artfish.blender_artfish.stage import staging
from artfish.blender_artfish.stage.film import STILL_MARKER
from artfish.core.recording import Recording
from artfish.core.scene.scene import Scene
from artfish.core.world.world import World

PILLARS = [
    {"kind": "cylinder", "at": [2.0, 6.0, 0.0], "radius": 0.5, "height": 2.0},
    {"kind": "cylinder", "at": [6.5, 2.5, 0.0], "radius": 0.3, "height": 1.2},
]
SPARSE = {"growth": 0.2}
"""Settings with which stages are made quickly."""
CUBE = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
CLUSTERS = [
    {"at": [1.2, 1, 0], "leaves": 7, "height": 0.6, "width": 0.03},
    {"at": [2, 1, 0.1], "leaves": 4, "colour": [0.3, 0.1, 0.05]},
]


@pytest.fixture(scope="session")
def reef(swimming: Callable[..., Recording]) -> Recording:
    """A recording with fishes and pillars."""
    recording = swimming(*["butterflyfish"] * 4, *["blue_tang"] * 3, "emperor_angelfish", frames=30)
    return replace(
        recording, scene=Scene.from_dict(recording.scene.to_dict() | {"obstacles": PILLARS, "stage": SPARSE})
    )


@pytest.fixture
def grotto(reef: Recording) -> Recording:
    """A recording with a block of rock among hills."""
    rock = {"kind": "mesh", "at": [2.0, 5.0, 0.4], "scale": 1.5, "vertices": CUBE, "faces": SIDES}
    given = {"obstacles": [rock, *PILLARS[1:]], "terrain": {"relief": 0.7, "scale": 1.2, "seed": 1}}
    return replace(reef, scene=Scene.from_dict(reef.scene.to_dict() | given))


@pytest.fixture(scope="session")
def weedy() -> Recording:
    """A recording with two clusters of seaweed and a vent of bubbles in a current."""
    flow = [{"kind": "uniform", "direction": [1, 0.3, 0], "strength": 0.3, "period": 3.0}]
    fishes = [{"species": "clownfish", "at": [1, 1, 0.4], "heading": [1, 0, 0]}]
    bubbles = [{"at": [0.5, 1, 0], "rate": 6.0}]
    scene = {"tank": {"size": [3, 2, 1.2]}, "fishes": fishes, "current": flow, "seaweed": CLUSTERS, "bubbles": bubbles}
    return World(Scene.from_dict(scene)).simulate(24 * 4)


@pytest.fixture
def build_stage() -> Callable[[Recording], bpy.types.Scene]:
    """Builds the stage of a recording in the open scene, and goes to its best frame."""

    def build(recording: Recording) -> bpy.types.Scene:
        scene = bpy.context.scene
        scene.frame_start, scene.frame_end = 1, recording.frames
        staging.build(scene, recording)
        scene.frame_set(scene.timeline_markers[STILL_MARKER].frame)
        return scene

    return build
