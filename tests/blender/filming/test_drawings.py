"""A shot that is a drawing is filmed by its own camera, in a studio, without the stage."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake.writer import bake_steps
from artfish.blender_artfish.filming.drawings import MODEL_ORDER, ORDERS, redraw
from artfish.blender_artfish.filming.shot_camera import add_shot_camera
from artfish.core.scene.scene import Scene
from artfish.core.studio.camera_work import filmed
from artfish.core.studio.casting import cast
from artfish.core.studio.film import FilmShot
from artfish.core.world.world import World

pytestmark = pytest.mark.versions
FRAMES = 4
SCENE = {
    "duration": 0.25,
    "tank": {"size": [3.0, 2.0, 1.5]},
    "fishes": [{"species": "clownfish", "count": 2, "at": [1.5, 1.0, 0.7], "spread": 0.2}],
    "obstacles": [
        {"kind": "cylinder", "at": [2.4, 1.5, 0.0], "radius": 0.2, "height": 1.0},
        {
            "kind": "mesh",
            "at": [0.5, 0.5, 0.0],
            "vertices": [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]],
            "faces": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
        },
    ],
    "plankton": {"count": 5},
}


@pytest.fixture(scope="module")
def recording():
    return World(Scene.from_dict(SCENE), seed=1).simulate()


@pytest.fixture
def drawn(recording):
    """Draws a shot as a film does, without a file, and returns the scene."""

    def draw(*shows):
        shot = FilmShot(scene="two", shows=shows, seconds=FRAMES / 24, blur=0.0, size=0.5)
        path = filmed(recording, shot)
        part = recording.part(0, FRAMES)
        part = cast(part, path.rows[:1]) if shot.of_model else part
        for _ in bake_steps(part, None, ORDERS.get(shows[0], MODEL_ORDER)):
            pass
        scene = bpy.context.scene
        scene.camera = add_shot_camera(scene.collection, "Shot", path, 0.0, 1)
        redraw(scene, part, path, shot, 1, FRAMES)
        return scene

    return draw


def pixels(scene, tmp_path):
    """A small picture of a scene, (h, w, 3)."""
    scene.cycles.samples, scene.cycles.use_denoising = 2, False
    scene.render.resolution_x, scene.render.resolution_y = 64, 36
    scene.render.filepath = str(tmp_path / "picture.png")
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    return np.array(image.pixels[:]).reshape(36, 64, 4)[..., :3]


def test_a_model_is_one_fish_in_a_studio(drawn, tmp_path):
    scene = drawn("masses", "muscles")
    names = {obj.name for obj in scene.objects}
    assert {"Masses", "Springs", "Muscle 01", "Muscle 12", "Floor"} <= names
    assert not any(name.startswith(("Plankton", "Sand", "Pillar", "Rock")) for name in names)
    assert sum(obj.type == "EMPTY" and obj.name.startswith("Clownfish") for obj in scene.objects) == 1
    picture = pixels(scene, tmp_path)
    assert picture[12:24, 20:44].max() > 0.3 and picture[-4:].mean() < 0.1  # a fish before a dark room


def test_a_scene_of_wire_has_its_pillars_and_all_its_fishes(drawn, tmp_path):
    scene = drawn("wire")
    names = {obj.name for obj in scene.objects}
    assert {"Pillar 01", "Rock 02", "Floor"} <= names
    assert sum(name.startswith("Clownfish") and name.endswith("body left") for name in names) == 2
    worn = {slot.material.name for obj in scene.objects for slot in obj.material_slots if obj.type == "SURFACE"}
    assert worn and all(" wire " in name for name in worn)
    assert pixels(scene, tmp_path).max() > 0.3
