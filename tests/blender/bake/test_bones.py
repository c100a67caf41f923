"""Bones as keyed: no vertex is farther off than the tolerance, since each bone makes good what its carrier is off."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake.bones import bone_keys, key_bones
from artfish.blender_artfish.bake.moments import Moments
from artfish.blender_artfish.bake.order import Order
from artfish.blender_artfish.blender.versions import channelbags
from artfish.blender_artfish.fish.armature import armature
from artfish.core.form.mesh import ControlNet, FishMesh
from artfish.core.form.rig import Rig

BOUND = 0.002


@pytest.fixture(scope="module")
def fish(swimming):
    """The rig of a sardine that swims, and where its control points, its frame's origin and its turn are."""
    recording = swimming("sardine", frames=60)
    net = ControlNet(recording.species_models["sardine"])
    length = recording.body_length[:1]
    nodes, fins, mouth, look = Moments.of(recording, 0).all(recording, 0)
    points, origin, turn = net.poses(nodes, fins, length, mouth, look)
    return Rig(net, FishMesh(net)), points[:, 0], origin[:, 0] / length, turn[:, 0]


def poses(fish, stretch=True):
    """Turns and heads of the bones in the water."""
    rig, points, origin, turn = fish
    turns, heads = rig.poses(points)
    if not stretch:
        turns, heads = rig.without_stretch(turns, heads)
    return turn[:, None] @ turns, origin[:, None] + heads @ np.swapaxes(turn, -1, -2)


def played(rig, keys):
    """Turns and heads of the bones as their keys play."""
    found = []
    for row, (bone, own) in enumerate(zip(rig.bones, keys, strict=True)):
        values = own.played().T
        carrier = None if bone.parent < 0 else found[bone.parent]
        found.append(rig.posed(row, values[:, :3], values[:, 3:], carrier))
    return tuple(np.stack(each, axis=1) for each in zip(*found, strict=True))


def off(rig, one, other):
    """The most that each vertex is off at any frame, (vertices,)."""
    return np.linalg.norm(rig.skinned(*one) - rig.skinned(*other), axis=-1).max(axis=0)


@pytest.mark.parametrize("stretch", [True, False])
@pytest.mark.parametrize("bound", [BOUND, 5 * BOUND])
def test_no_vertex_is_farther_off_than_the_bound(fish, stretch, bound):
    rig, true = fish[0], poses(fish, stretch)
    keys = bone_keys(rig, *true, bound, None, stretch)
    assert 0.3 * bound < off(rig, played(rig, keys), true).max() <= bound
    counts = np.concatenate([own.counts for own in keys])
    assert counts.mean() < 20 and counts.max() < 60
    if not stretch:
        for bone, own in zip(rig.bones, keys, strict=True):
            assert bone.parent <= 0 or (own.played()[:3] == 0.0).all()


def test_the_last_bone_of_a_long_chain_is_off_by_no_more_than_the_first(fish):
    rig, true = fish[0], poses(fish)
    now = played(rig, bone_keys(rig, *true, BOUND, None))
    for row in range(len(rig.bones)):
        assert rig.off(row, (now[0][:, row], now[1][:, row]), (true[0][:, row], true[1][:, row])) <= BOUND


def test_at_no_tolerance_every_frame_of_what_moves_is_keyed(fish):
    rig, true = fish[0], poses(fish)
    keys = bone_keys(rig, *true, 0.0, None)
    assert off(rig, played(rig, keys), true).max() < 1e-9
    spine = next(own for bone, own in zip(rig.bones, keys, strict=True) if bone.name == "spine.04")
    assert (spine.counts[[0, 1, 6]] == 60).all()


def test_moments_between_frames_are_keyed_within_the_bound(fish):
    rig, true = fish[0], poses(fish)
    times = np.sort(np.concatenate([np.arange(40.0), np.arange(20) + 0.5]))
    keys = bone_keys(rig, *true, BOUND, times)
    assert off(rig, played(rig, keys), true).max() <= BOUND


def test_a_channel_at_rest_has_no_curve_and_plays_its_rest(fish):
    rig, points, origin, turn = fish
    still = np.broadcast_to(points[:1], points.shape)
    made = armature("Sardine", rig)
    bpy.context.scene.collection.objects.link(made)
    action = bpy.data.actions.new("still")
    rest = np.broadcast_to(np.eye(3), turn.shape)
    key_bones(action, made, rig, still, origin, rest, None, Order("mesh", BOUND))
    paths = {curve.data_path for bag in channelbags(made) for curve in bag.fcurves}
    assert 'pose.bones["root"].location' in paths
    moved = [bone for bone in made.pose.bones if f'pose.bones["{bone.name}"].location' not in paths]
    assert moved and all(bone.location.length == 0.0 for bone in moved)
