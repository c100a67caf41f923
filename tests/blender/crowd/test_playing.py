"""Places and poses read from a crowd's table are those that its nodes show."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.blender.versions import modifier_input
from artfish.blender_artfish.crowd.nodes import ABSENT
from artfish.blender_artfish.crowd.playing import goes_round, play
from artfish.core.base.codec import SceneError

pytestmark = [pytest.mark.versions, pytest.mark.film]


def shown(crowd, frame):
    """World matrices and names of meshes of a frame's instances, by row."""
    bpy.context.scene.frame_set(frame)
    found = {}
    for each in bpy.context.evaluated_depsgraph_get().object_instances:
        if each.is_instance and each.parent.original == crowd:
            found[each.persistent_id[0]] = np.array(each.matrix_world), each.object.data.name
    return found


def crowd_of(swimming, frames=24):
    alive = np.ones((frames, 3), dtype=bool)
    alive[9:, 0] = alive[:4, 2] = False
    bake(swimming("clownfish", "clownfish", "clownfish", frames=frames, alive=alive), form="crowd", stage=False)
    return next(obj for obj in bpy.data.objects if obj.modifiers)


def test_fishes_are_where_nodes_put_them_and_in_those_poses(swimming):
    crowd = crowd_of(swimming)
    frames = np.array([-3, 1, 2, 8, 9, 10, 13, 23, 24, 30])
    played = play(crowd, frames)
    for number, frame in enumerate(frames):
        seen = shown(crowd, int(frame))
        assert set(seen) == set(played.row[played.pose[number] != ABSENT].tolist())
        for place, row in enumerate(played.row.tolist()):
            if row not in seen:
                continue
            matrix, name = seen[row]
            assert played.poses[played.pose[number, place]].name == name
            np.testing.assert_allclose(matrix[:3, 3], played.place[number, place], atol=1e-5)
            w, x, y, z = played.turn[number, place]
            first = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
            np.testing.assert_allclose(matrix[:3, 0] / played.length[number, place], first, atol=1e-4)


def test_a_table_that_is_cut_short_is_said(swimming):
    crowd = crowd_of(swimming, 12)
    crowd.data.clear_geometry()
    with pytest.raises(SceneError, match="Clownfish crowd 01: found a table that lacks fishes or keys"):
        play(crowd, np.array([1]))


def test_one_that_goes_round_begins_again(swimming):
    crowd = crowd_of(swimming, 12)
    (modifier,) = crowd.modifiers
    modifier_input(modifier, "Loop", True)
    frames = np.array([1, 4, 12, 15, 1 + 11 * 7 + 3, -7])  # 12 frames, of which the last stands for the first
    played = play(crowd, frames)
    assert np.array_equal(played.place[0], played.place[2]), "the last shows the first"
    for other in (3, 4, 5):
        assert np.array_equal(played.place[1], played.place[other])
    assert not np.array_equal(played.place[0], played.place[1])
    for number, frame in enumerate(frames):
        seen = shown(crowd, int(frame))
        for place, row in enumerate(played.row.tolist()):
            assert (row in seen) == bool(played.pose[number, place] != ABSENT)
            if row in seen:
                np.testing.assert_allclose(seen[row][0][:3, 3], played.place[number, place], atol=1e-5)


def test_a_crowd_of_before_there_were_loops_ends(swimming):
    crowd = crowd_of(swimming, 12)
    (modifier,) = crowd.modifiers
    tree = modifier.node_group
    tree.interface.remove(tree.interface.items_tree["Loop"])
    assert not goes_round(modifier)
    played = play(crowd, np.array([12, 30]))
    assert np.array_equal(played.place[0], played.place[1])
