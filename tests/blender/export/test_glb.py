"""Files of glTF, read back by an importer that is not ours: each fish has its own size wherever it swims."""

import json
import struct

import bpy
import numpy as np
import pytest
from scipy.spatial import cKDTree

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.export.exporting import export

pytestmark = [pytest.mark.versions, pytest.mark.film]

NEAR = 0.02
"""Distance that 95 of 100 vertices are within, in body lengths: what docs/manual/export.md says."""
FRAMES = 4


def places(obj: bpy.types.Object, frame: int) -> np.ndarray:
    """World places of an object's vertices at a frame, (vertices, 3)."""
    bpy.context.scene.frame_set(frame)
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = np.empty(3 * len(evaluated.data.vertices), np.float32)
    evaluated.data.vertices.foreach_get("co", found)
    matrix = np.array(evaluated.matrix_world)
    return found.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def bodies() -> list[bpy.types.Object]:
    """Meshes of fishes, without the shapes that importers give to bones."""
    return sorted(
        (obj for obj in bpy.data.objects if obj.type == "MESH" and len(obj.data.vertices) > 1000),
        key=lambda obj: obj.name,
    )


@pytest.mark.parametrize("far", [0.0, 30.0, 200.0])
def test_fishes_have_their_own_sizes_however_far_they_are_and_share_a_mesh(tmp_path, swimming, far):
    film = swimming("clownfish", "clownfish", "clownfish", "blue_tang", frames=FRAMES)
    assert np.ptp(film.body_length[:3]) > 0.1 * film.body_length[0]
    bake(film, form="mesh", stage=False)
    above = bpy.data.objects.new("Boat", None)
    bpy.context.scene.collection.objects.link(above)
    above.location, above.rotation_euler = (far, 0.5 * far, -0.2 * far), (0.2, 0.3, 0.4)
    for obj in [obj for obj in bpy.context.scene.objects if obj.parent is None and obj != above]:
        obj.parent = above
    true = {obj.name: [places(obj, 1 + frame) for frame in (0, FRAMES - 1)] for obj in bodies()}
    export(tmp_path / "fishes.glb", textures=False)
    content = (tmp_path / "fishes.glb").read_bytes()
    (size,) = struct.unpack_from("<I", content, 12)
    assert len(json.loads(content[20 : 20 + size])["meshes"]) == 2
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "fishes.glb"))
    assert [obj.name for obj in bodies()] == list(true)
    for obj in bodies():
        for frame, want in zip((0, FRAMES - 1), true[obj.name], strict=True):
            off = cKDTree(places(obj, frame)).query(want)[0] / np.ptp(want, axis=0).max()
            assert np.percentile(off, 95) < NEAR, (obj.name, frame)
