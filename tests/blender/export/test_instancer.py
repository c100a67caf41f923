"""A crowd as USD: Blender's importer, which is not ours, shows the same instances as the crowd itself."""

import re

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.bake.order import Order
from artfish.blender_artfish.bake.writer import bake_steps
from artfish.blender_artfish.export.exporting import export
from artfish.core.base.codec import SceneError
from artfish.tests.blender.files import CENTIMETRE, bake_in_centimetres, new_file

pytestmark = [pytest.mark.versions, pytest.mark.film]

FRAMES = 12


@pytest.fixture
def film(swimming):
    alive = np.ones((FRAMES, 3), dtype=bool)
    alive[6:, 1] = False
    return swimming("clownfish", "clownfish", "clownfish", frames=FRAMES, alive=alive)


def seen(frame):
    """Vertices of all instances at a frame, in the world, each (vertices, 3), sorted by where they are."""
    bpy.context.scene.frame_set(frame)
    found = []
    for each in bpy.context.evaluated_depsgraph_get().object_instances:
        if each.is_instance and each.object.type == "MESH":
            places = np.empty(3 * len(each.object.data.vertices), np.float32)
            each.object.data.vertices.foreach_get("co", places)
            matrix = np.array(each.matrix_world)
            found.append(places.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
    return sorted(found, key=lambda places: places.mean(axis=0).tolist())


@pytest.mark.sampled
@pytest.mark.parametrize(("up", "scale"), [("Z", 1.0), ("Y", 100.0)])
def test_every_fish_is_where_the_crowd_has_it_in_its_pose(tmp_path, film, up, scale):
    bake(film, form="crowd", stage=False)
    bpy.data.objects["Artfish bake 01"].location = 1.0, 2.0, 3.0
    before = [seen(frame) for frame in (1, 6, 7, FRAMES)]
    assert export(tmp_path / "crowd.usda", up=up, scale=scale, textures=False) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["crowd.usda"]
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.wm.usd_import(filepath=str(tmp_path / "crowd.usda"))
    assert [len(fishes) for fishes in before] == [3, 3, 2, 2]
    for frame, fishes in zip((1, 6, 7, FRAMES), before, strict=True):
        after = seen(frame)
        assert len(after) == len(fishes)
        for places in fishes:
            off = [np.abs(other - places).max() for other in after if other.shape == places.shape]
            assert min(off) < 0.002 * film.body_length.max(), frame


def test_a_crowd_of_a_scene_in_centimetres_is_of_its_true_size_elsewhere(tmp_path, film):
    bake_in_centimetres(film, "crowd")
    before = [places * CENTIMETRE for places in seen(6)]
    export(tmp_path / "crowd.usda", textures=False)
    new_file()
    bpy.ops.wm.usd_import(filepath=str(tmp_path / "crowd.usda"))
    for places, other, row in zip(before, seen(6), np.argsort(film.nodes[5].mean(axis=1)[:, 0]), strict=True):
        assert np.abs(places - other).max() < 0.002 * film.body_length.max()
        assert np.linalg.norm(other.mean(axis=0) - film.nodes[5, row].mean(axis=0)) < 0.3 * film.body_length[row]


def test_ids_velocities_and_who_is_gone_are_in_the_layer(tmp_path, film):
    bake(film, form="crowd", stage=False)
    export(tmp_path / "crowd.usda", textures=False)
    text = (tmp_path / "crowd.usda").read_text()
    assert re.findall(r" ids = (\[\d\])", text) == ["[0]", "[1]", "[2]"]
    assert re.search(r"invisibleIds.timeSamples = \{\s+1: \[\],\s+7: \[1\],\s+\}", text)

    def values(name, frame):
        block = text[text.index(f" {name}.timeSamples") :]
        (line,) = re.findall(rf"^ +{frame}: (.*),$", block[: block.index("}")], re.MULTILINE)
        return np.array(eval(line))

    moved = (values("positions", 6) - values("positions", 4)) * 24 / 2
    np.testing.assert_allclose(values("velocities", 5), moved, atol=1e-3)


def test_heroes_are_said(tmp_path, film):
    for _ in bake_steps(film, order=Order(form="crowd", heroes=1, near=1e6)):
        pass
    with pytest.raises(SceneError, match="found heroes in the crowd, allowed a crowd that was baked with Heroes 0"):
        export(tmp_path / "crowd.usda", textures=False)
    assert list(tmp_path.iterdir()) == []
