"""Seaweed and bubbles in a .blend: where the recording has them, in a file that is opened again too."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake.writer import PLANKTON, SEAWEED, bake
from artfish.blender_artfish.blender.fcurves import FIRST
from artfish.core import Scene, World
from artfish.core.habitat.seaweed import LEAF_SHARES

CLUSTERS = [
    {"at": [1.2, 1, 0], "leaves": 7, "height": 0.6, "width": 0.03},
    {"at": [2, 1, 0.1], "leaves": 4, "colour": [0.3, 0.1, 0.05]},
]


@pytest.fixture(scope="module")
def recording():
    flow = [{"kind": "uniform", "direction": [1, 0.3, 0], "strength": 0.3, "period": 3.0}]
    fishes = [{"species": "clownfish", "at": [1, 1, 0.4], "heading": [1, 0, 0]}]
    bubbles = [{"at": [0.5, 1, 0], "rate": 6.0}]
    scene = {"tank": {"size": [3, 2, 1.2]}, "fishes": fishes, "current": flow, "seaweed": CLUSTERS, "bubbles": bubbles}
    return World(Scene.from_dict(scene)).simulate(24 * 4)


def ends(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Roots and tips of the leaves of a cluster as Blender has them, (leaf, 3) and (leaf, 3)."""
    thing = bpy.data.objects[name]
    splines = [np.array([point.co[:3] for point in spline.points]) for spline in thing.data.splines]
    return tuple(np.array([spline[row] for spline in splines]) + thing.location for row in (1, -1))


def show(frame: int) -> None:
    bpy.context.scene.frame_set(FIRST + frame)


@pytest.mark.parametrize("reopened", [False, True])
def test_leaves_are_where_the_recording_has_them(recording, tmp_path, reopened):
    if reopened:
        bake(recording, tmp_path / "weed.blend", stage=False)
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "weed.blend"))
    else:
        bake(recording, stage=False)
    for frame in (0, 17, 40, 95):
        show(frame)
        for name, leaves, width in (("Seaweed 01", slice(0, 7), 0.03), ("Seaweed 02", slice(7, 11), 0.035)):
            roots, tips = ends(name)
            assert roots == pytest.approx(recording.seaweed[frame, leaves, 0], abs=1e-5)
            apart = np.linalg.norm(tips - recording.seaweed[frame, leaves, -1], axis=1)
            assert apart.max() <= SEAWEED * width + 1e-5
    assert np.ptp(recording.seaweed[:, :, -1], axis=0).max() > 0.05  # or all of this would say little


def test_a_leaf_is_a_tapering_ribbon_that_never_turns_about_itself_at_once(recording):
    bake(recording, stage=False)
    thing, before = bpy.data.objects["Seaweed 01"], None
    for frame in range(40):
        show(frame)
        shape = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
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
    assert leaf[-1].mean(axis=0) == pytest.approx(ends("Seaweed 01")[1][0] - thing.location, abs=2e-3)
    assert leaf[0, :, 2].max() < 0.0  # it comes out of the bed
    middle = leaf.mean(axis=1)
    length = np.linalg.norm(np.diff(middle[middle[:, 2] > 0], axis=0), axis=1).sum()
    rest = np.linalg.norm(np.diff(recording.seaweed[39, 0], axis=0), axis=1).sum()
    assert length == pytest.approx(rest, rel=0.1)
    assert len(LEAF_SHARES) == recording.seaweed.shape[2]


def test_a_cluster_is_one_curve_with_one_action_and_looks_of_its_own(recording):
    bake(recording, stage=False)
    clusters = [bpy.data.objects[name] for name in ("Seaweed 01", "Seaweed 02")]
    assert [len(thing.data.splines) for thing in clusters] == [7, 4]
    assert len({thing.data.animation_data.action for thing in clusters}) == 2
    assert not {slot.name for slot in clusters[0].data.materials} & {slot.name for slot in clusters[1].data.materials}
    assert len({spline.material_index for spline in clusters[0].data.splines}) > 1
    assert bpy.data.objects["Leaf profile"].hide_render


def test_bubbles_rise_as_in_the_recording_and_are_seen_only_while_they_are_there(recording):
    bake(recording, stage=False)
    rows = np.flatnonzero(recording.bubbles_alive.any(axis=0))
    bubbles = [bpy.data.objects[f"Bubble {row + 1:03d}"] for row in rows]
    assert len({bubble.data for bubble in bubbles}) == 1
    assert len([thing for thing in bpy.data.objects if thing.name.startswith("Bubble ")]) == len(rows)
    for row, bubble in zip(rows, bubbles, strict=True):
        volume = np.prod(bubble.scale)
        assert volume == pytest.approx(recording.bubbles_size[row] ** 3, rel=1e-5)
    for frame in range(0, recording.frames, 5):
        show(frame)
        alive = recording.bubbles_alive[frame, rows]
        assert [not bubble.hide_render for bubble in bubbles] == alive.tolist()
        apart = np.linalg.norm(
            np.array([bubble.location for bubble in bubbles]) - recording.bubbles[frame, rows], axis=1
        )
        assert (apart <= 3**0.5 * PLANKTON * recording.bubbles_size[rows] + 1e-5)[alive].all()


def test_no_picture_between_frames_shows_a_bubble_fly_back_to_its_vent(recording):
    """Motion blur opens the shutter for a quarter of a frame before and after."""
    bake(recording, stage=False)
    alive = recording.bubbles_alive
    for row in np.flatnonzero((alive[1:] & ~alive[:-1]).any(axis=0)):
        bubble = bpy.data.objects[f"Bubble {row + 1:03d}"]
        there = np.concatenate([[False], alive[:, row], [False]])
        first_or_last = there[1:-1] & ~(there[:-2] & there[2:])
        for frame in np.flatnonzero(first_or_last).tolist():
            for part in (-0.25, 0.25):
                bpy.context.scene.frame_set(FIRST + frame + int(part // 1), subframe=part % 1)
                assert np.linalg.norm(np.array(bubble.location) - recording.bubbles[frame, row]) < 0.02


def test_a_scene_without_seaweed_and_bubbles_has_none(swimming):
    top = bake(swimming("clownfish", frames=2), stage=False)
    assert not {"Seaweed", "Bubbles"} & {child.name for child in top.children}
