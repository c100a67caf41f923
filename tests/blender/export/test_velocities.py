"""Velocities in caches are those of the vertices, in metres a second, read back by an importer that is not ours."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.bake.retiming import retime
from artfish.blender_artfish.bake.whole_fish import fishes_of
from artfish.blender_artfish.export.choosing import fishes
from artfish.blender_artfish.export.exporting import export
from artfish.blender_artfish.export.velocities import velocities

pytestmark = [pytest.mark.versions, pytest.mark.film]
RATE = 24.0


def places(obj: bpy.types.Object, frame: float, attribute: str = "") -> np.ndarray:
    """World places of an object's vertices at a frame, or one of their vectors, (vertices, 3)."""
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = np.empty(3 * len(evaluated.data.vertices), np.float32)
    if attribute:
        evaluated.data.attributes[attribute].data.foreach_get("vector", found)
    else:
        evaluated.data.vertices.foreach_get("co", found)
    matrix = np.array(evaluated.matrix_world)
    return found.reshape(-1, 3) @ matrix[:3, :3].T + (0.0 if attribute else matrix[:3, 3])


def blocks() -> list[tuple[str, str]]:
    """Everything in the file."""
    kinds = [kind.identifier for kind in bpy.data.bl_rna.properties if kind.type == "COLLECTION"]
    return sorted((kind, each.name) for kind in kinds for each in getattr(bpy.data, kind))


@pytest.mark.parametrize("drive", ["armature", "shapes"])
def test_what_is_read_back_is_the_way_of_each_vertex_in_a_second(tmp_path, swimming, drive):
    bake(swimming("clownfish", "clownfish", frames=8), form="mesh", drive=drive, stage=False)
    scene = bpy.context.scene
    retime(fishes_of(scene, fishes(scene))[1], 0.0, 0.5)
    true, before = {}, blocks()
    for body in fishes(scene):
        for frame in (3, 5):
            way = places(body, frame + 0.5) - places(body, frame - 0.5)
            true[body.name.replace(" ", "_"), frame] = RATE * way
    export(tmp_path / "fishes.abc", textures=False)
    assert blocks() == before and not any(body.modifiers.get("Artfish velocities") for body in fishes(scene))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.wm.alembic_import(filepath=str(tmp_path / "fishes.abc"), as_background_job=False)
    for (name, frame), want in true.items():
        found = places(bpy.data.objects[name], frame, "velocity")
        assert np.abs(found - want).max() < 1e-3 * np.abs(want).max(), (name, frame)
        assert np.linalg.norm(want, axis=1).max() > 0.02


def test_a_fish_does_not_slow_down_where_its_film_ends_and_may_be_gone_by_then(swimming):
    recording = swimming("clownfish", frames=8)
    alive = recording.alive.copy()
    alive[5:] = False
    bake(replace(recording, alive=alive), form="mesh", stage=False)
    scene = bpy.context.scene
    (body,) = fishes(scene)
    body.hide_viewport = False
    inner = RATE * (places(body, 2) - places(body, 1))
    with velocities(scene, [body]):
        first = places(body, 1, "velocity")
        assert np.isfinite(first).all() and np.linalg.norm(places(body, 5, "velocity"), axis=1).max() > 0.0
    assert np.linalg.norm(first - inner, axis=1).mean() < 0.3 * np.linalg.norm(inner, axis=1).mean()
