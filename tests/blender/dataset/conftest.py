"""A small film of labelled fishes, baked once, and pictures of it by Cycles alone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.dataset.making import make_film, set_up
from artfish.blender_artfish.dataset.pictures import aim, view_of
from artfish.blender_artfish.stage.render import open_to_render
from artfish.core.dataset.cameras import cameras_of, placed
from artfish.core.dataset.conditions import PictureConditions, varies_of
from artfish.core.dataset.plan import DatasetFolder, DatasetPlan
from artfish.core.recording import Recording
from artfish.core.scene.scene import Scene
from artfish.tests.blender.truth import SURFACES, silhouette

SIZE = 160, 90
LABELLED = {
    "name": "Labelled",
    "duration": 0.5,
    "fps": 24.0,
    "tank": {"size": [3.0, 3.0, 1.6]},
    "stage": {"scenery": "bare", "snow": 20.0},
    "obstacles": [{"kind": "cylinder", "at": [1.2, 1.5, 0.0], "radius": 0.15, "height": 1.2}],
    "fishes": [
        {"species": "butterflyfish", "count": 4, "at": [1.5, 1.6, 0.8], "spread": 0.4},
        {"species": "sardine", "count": 4, "at": [1.8, 1.9, 0.9], "spread": 0.4},
        {"species": "parrotfish", "count": 1, "at": [1.8, 1.2, 0.7], "spread": 0.1},
    ],
}
BEFORE = {"kind": "fixed", "name": "front", "at": [1.5, -0.6, 0.8], "look_at": [1.5, 1.6, 0.8], "lens": 65.0}


@pytest.fixture(scope="session")
def plan() -> DatasetPlan:
    """Two films of one camera before the fishes and one that bends."""
    scene = Scene.from_dict(LABELLED, "labelled.json")
    bent = {**BEFORE, "name": "bent", "distortion": "brown_conrady", "k": [-0.25, 0.05, 0.001, 0.0, 0.0]}
    varies = varies_of({"picture.noise": {"choices": [0.02]}, "picture.quality": {"choices": [0, 80]}}, scene)
    cameras = cameras_of([BEFORE, bent])
    return DatasetPlan(scene, range(3, 5), (2, 8), 3, cameras, varies, SIZE, 1)


@pytest.fixture(scope="session")
def begun(plan: DatasetPlan, tmp_path_factory: pytest.TempPathFactory) -> DatasetFolder:
    """A folder with the first film of that plan baked."""
    folder = DatasetFolder(tmp_path_factory.mktemp("labelled"))
    folder.begin(plan)
    make_film(folder.root, "s0003")
    return folder


class Opened:
    """An open film of a data set."""

    def __init__(self, blend: Path, recording: Recording, samples: int = 1) -> None:
        self.scene = open_to_render(blend, samples, SIZE)
        self.recording = recording
        own = self.scene.camera
        set_up(self.scene, recording, PictureConditions())
        self.view = view_of(own)

    def camera(self, entry: dict[str, Any]):
        (found,) = placed(cameras_of([entry]), self.recording, self.view)
        return found

    def alone(
        self, optics: Any, matrix: np.ndarray, shown: Callable[[bpy.types.Object], bool], out: Path
    ) -> np.ndarray:
        """Where a renderer sees some objects that are alone in the world, one ray in the middle of each pixel."""
        scene, hidden = self.scene, []
        aim(scene, matrix, optics)
        for obj in scene.objects:
            if obj.type in SURFACES and not obj.hide_render and not shown(obj):
                obj.hide_render = True
                hidden.append(obj)
        found = silhouette(scene, out)
        for obj in hidden:
            obj.hide_render = False
        return found


@pytest.fixture
def opened(begun: DatasetFolder) -> Opened:
    return Opened(begun.film_file("s0003", ".blend"), Recording.load(begun.film_file("s0003", ".npz")))
