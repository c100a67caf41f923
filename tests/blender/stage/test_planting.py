"""Every stage has its scenery, by seed, clear of fishes and pillars, and all of it goes with its collection."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.stage.corals import GROWTHS
from artfish.blender_artfish.stage.objects import Span
from artfish.blender_artfish.stage.planting import plant
from artfish.blender_artfish.stage.view import Framing
from artfish.core.recording import Recording
from artfish.core.scene.scene import Scene

VIEW = Framing(np.array([4.0, -1.2, 1.2]), np.array([4.0, 3.0, 1.0]), 35.0, 0)


def planted(recording: Recording, **stage) -> bpy.types.Collection:
    """A collection with the scenery of a recording."""
    made = bpy.data.collections.new("Stage")
    bpy.context.scene.collection.children.link(made)
    scene = Scene.from_dict(recording.scene.to_dict() | {"stage": stage})
    for _ in plant(made, replace(recording, scene=scene), VIEW, Span(1, recording.frames, 1.0)):
        pass
    bpy.context.view_layer.update()
    return made


def corners(obj: bpy.types.Object) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner of an object's vertices."""
    places = np.empty(3 * len(obj.data.vertices), np.float32)
    obj.data.vertices.foreach_get("co", places)
    matrix = np.array(obj.matrix_world)
    there = places.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    return there.min(axis=0), there.max(axis=0)


@pytest.mark.film
@pytest.mark.parametrize("scenery", ["reef", "kelp", "wreck"])
def test_nothing_stands_where_fishes_swim_or_in_pillars(reef, scenery):
    objects = planted(reef, scenery=scenery, growth=0.6).all_objects
    nodes = reef.nodes[reef.alive].reshape(-1, 3)
    assert len(objects) > 100
    for obj in objects:
        low, high = corners(obj)
        assert not ((nodes > low) & (nodes < high)).all(axis=1).any(), obj.name
        foot = np.array(obj.matrix_world.translation)
        for pillar in reef.scene.obstacles:
            inside = np.hypot(*(foot - pillar.at)[:2]) < 0.9 * pillar.radius
            assert not inside or foot[2] > pillar.height - 0.1, obj.name


@pytest.mark.film
def test_a_reef_has_many_forms_and_goes_by_its_seed(reef):
    def kinds(**stage):
        found = planted(reef, growth=0.25, **stage).all_objects
        return sorted((obj.name.split(".")[0], *np.round(obj.matrix_world.translation, 4)) for obj in found)

    first = kinds()
    assert len({name for name, *_ in first} & set(GROWTHS)) >= 8
    assert kinds() == first and kinds(seed=5) != first


def test_what_is_planted_is_blurred_by_the_camera_alone(reef):
    objects = planted(reef, scenery="kelp", growth=0.2).all_objects
    assert "Kelp" in {obj.name.split(".")[0] for obj in objects}
    assert not any(obj.cycles.use_motion_blur for obj in objects)


def test_open_water_and_bare_sand_have_no_scenery(reef):
    for scenery in ("open", "bare"):
        assert not planted(reef, scenery=scenery).all_objects
    assert not planted(reef, growth=0.0).all_objects


def test_meshes_are_shared_and_go_with_their_objects(reef):
    before = {len(bpy.data.meshes), len(bpy.data.materials)}
    stage = planted(reef, growth=0.3)
    objects = list(stage.all_objects)
    meshes = {obj.data for obj in objects}
    assert len(meshes) < 40 < len(objects)
    bpy.data.batch_remove([*objects, *stage.children_recursive, stage])
    bpy.data.orphans_purge(do_recursive=True)
    assert {len(bpy.data.meshes), len(bpy.data.materials)} <= before and not bpy.data.collections.get("Corals")


def test_clownfish_have_anemones_close_below_them(swimming):
    recording = swimming("clownfish", "clownfish", "blue_tang", frames=12)
    scene = recording.scene.to_dict()
    anemones = [obj for obj in planted(recording, growth=0.01).all_objects if obj.name.startswith("Anemone")]
    assert scene["fishes"] and len(anemones) >= 3
    home = recording.nodes[:, :2].reshape(-1, 3)
    for obj in anemones:
        away = np.linalg.norm(home[:, :2] - np.array(obj.matrix_world.translation)[:2], axis=1)
        assert away.min() < 1.0 and obj.matrix_world.translation.z < home[:, 2].mean()
