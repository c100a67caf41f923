"""Seaweed in a .blend: where the recording has them, in a file that is opened again too."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake.writer import LEAF_ERROR, bake
from artfish.blender_artfish.blender.fcurves import FIRST
from artfish.core.habitat.seaweed import LEAF_SHARES


def ends(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Roots and tips of the leaves of a cluster as Blender has them, (leaf, 3) and (leaf, 3)."""
    obj = bpy.data.objects[name]
    splines = [np.array([point.co[:3] for point in spline.points]) for spline in obj.data.splines]
    return tuple(np.array([spline[row] for spline in splines]) + obj.location for row in (1, -1))


def show(frame: int) -> None:
    bpy.context.scene.frame_set(FIRST + frame)


@pytest.mark.parametrize("reopened", [False, True])
def test_leaves_are_where_the_recording_has_them(weedy, tmp_path, reopened):
    if reopened:
        bake(weedy, tmp_path / "weed.blend", stage=False)
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "weed.blend"))
    else:
        bake(weedy, stage=False)
    for frame in (0, 17, 40, 95):
        show(frame)
        for name, leaves, width in (("Seaweed 01", slice(0, 7), 0.03), ("Seaweed 02", slice(7, 11), 0.035)):
            roots, tips = ends(name)
            assert roots == pytest.approx(weedy.seaweed[frame, leaves, 0], abs=1e-5)
            apart = np.linalg.norm(tips - weedy.seaweed[frame, leaves, -1], axis=1)
            assert apart.max() <= LEAF_ERROR * width + 1e-5
    assert np.ptp(weedy.seaweed[:, :, -1], axis=0).max() > 0.05  # or all of this would say little


def test_a_leaf_is_a_tapering_ribbon_that_never_turns_about_itself_at_once(weedy):
    bake(weedy, stage=False)
    obj, before = bpy.data.objects["Seaweed 01"], None
    for frame in range(40):
        show(frame)
        shape = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        points = np.array([vertex.co for vertex in shape.vertices])
        if before is not None:
            # What is half a width off the middle of a leaf would move by a width if the leaf turned round.
            assert np.linalg.norm(points - before, axis=1).max() < 0.03
        before = points
    rows = len(points) // 7
    leaf = points[:rows].reshape(-1, 5, 3)
    across = np.linalg.norm(leaf[:, -1] - leaf[:, 0], axis=1)
    assert 0.6 * 0.03 < across.max() < 1.2 * 0.03
    assert across[-1] < 0.1 * across.max()
    assert leaf[-1].mean(axis=0) == pytest.approx(ends("Seaweed 01")[1][0] - obj.location, abs=2e-3)
    assert leaf[0, :, 2].max() < 0.0  # it comes out of the bed
    middle = leaf.mean(axis=1)
    length = np.linalg.norm(np.diff(middle[middle[:, 2] > 0], axis=0), axis=1).sum()
    rest = np.linalg.norm(np.diff(weedy.seaweed[39, 0], axis=0), axis=1).sum()
    assert length == pytest.approx(rest, rel=0.1)
    assert len(LEAF_SHARES) == weedy.seaweed.shape[2]


def test_a_cluster_is_one_curve_with_one_action_and_looks_of_its_own(weedy):
    bake(weedy, stage=False)
    clusters = [bpy.data.objects[name] for name in ("Seaweed 01", "Seaweed 02")]
    assert [len(obj.data.splines) for obj in clusters] == [7, 4]
    assert len({obj.data.animation_data.action for obj in clusters}) == 2
    assert not {slot.name for slot in clusters[0].data.materials} & {slot.name for slot in clusters[1].data.materials}
    assert len({spline.material_index for spline in clusters[0].data.splines}) > 1
    assert bpy.data.objects["Leaf profile"].hide_render


def test_a_scene_without_seaweed_has_none(swimming):
    top = bake(swimming("clownfish", frames=2), stage=False)
    assert "Seaweed" not in {child.name for child in top.children}
