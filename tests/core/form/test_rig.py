"""Armatures: bones named and paired as Blender mirrors them, and fitted so that skinning gives the surfaces again."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Scene, Species, World
from artfish.core.form.look import Look
from artfish.core.form.mesh import ControlNet, FishMesh
from artfish.core.form.rig import ROOT, SPINE, Rig
from artfish.tests.core.kinds import each

MIRROR = np.diag([1.0, -1.0, 1.0])


def rig_of(name: str) -> tuple[ControlNet, FishMesh, Rig]:
    net = ControlNet(Species.load(name))
    mesh = FishMesh(net)
    return net, mesh, Rig(net, mesh)


@pytest.fixture(scope="module")
def swum():
    """Points (frames, fish, points, 3) of fishes that flee from a shark, by species."""
    made = {}

    def points(name: str) -> np.ndarray:
        if name not in made:
            fishes = [{"species": name, "count": 4, "at": [3, 3, 1]}, {"species": "reef_shark", "at": [3.8, 3, 1]}]
            scene = Scene.from_dict({"name": "few", "tank": {"size": [6, 6, 2]}, "fishes": fishes})
            film = World(scene, seed=2).simulate(72)
            look = Look(*(getattr(film, part)[:, :4].astype(float) for part in ("breath", "fold", "tail", "gaze")))
            seen = film.nodes[:, :4], film.fins[:, :4], film.body_length[:4], film.mouth[:, :4], look
            made[name] = ControlNet(Species.load(name)).poses(*seen)[0]
        return made[name]

    return points


def turned(angle: float) -> np.ndarray:
    """A rotation about an axis that is no one's own."""
    x, y, z = np.array([2.0, -1.0, 2.0]) / 3.0
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew


@pytest.mark.parametrize("name", each())
def test_bones_and_shares(name):
    _, mesh, rig = rig_of(name)
    names = [bone.name for bone in rig.bones]
    assert names[0] == ROOT and tuple(names[1 : 1 + len(SPINE)]) == SPINE and len(set(names)) == len(names)
    assert len(SPINE) >= 8 and {"jaw", "eye.L", "eye.R", "pectoral.L", "pectoral.R"} <= set(names)
    assert all(bone.parent < row for row, bone in enumerate(rig.bones)) and rig.bones[0].parent == -1
    assert np.abs(rig.weights.sum(axis=1) - 1.0).max() < 1e-12 and rig.weights.min() >= 0.0
    assert (rig.weights > 0.0).sum(axis=1).max() <= 4 and not rig.weights[:, 0].any()
    for row, bone in enumerate(rig.bones):
        assert np.allclose(bone.axes.T @ bone.axes, np.eye(3)) and np.linalg.det(bone.axes) > 0.0
        assert bone.axes[:, 1] @ (bone.tail - bone.head) > 0.999 * np.linalg.norm(bone.tail - bone.head) > 0.0
        other = names.index(bone.name[:-1] + {"L": "R", "R": "L"}[bone.name[-1]]) if bone.name[-2] == "." else row
        if bone.name[-1] not in "LR":
            other = row
        assert np.allclose(rig.weights[mesh.mirror, row], rig.weights[:, other], atol=1e-9), bone.name
        assert np.allclose(rig.bones[other].head, MIRROR @ bone.head, atol=1e-9)
        if other != row:  # as Blender mirrors a bone
            assert np.allclose(rig.bones[other].axes, MIRROR @ bone.axes * (-1, 1, 1), atol=1e-9)


@pytest.mark.parametrize("name", each())
def test_a_fish_at_rest_and_one_that_is_only_turned(name):
    net, mesh, rig = rig_of(name)
    turn, head = rig.poses(np.stack([net.rest, net.rest @ turned(2.0).T + (0.3, -0.2, 0.1)]))
    assert np.allclose(turn[0], np.eye(3), atol=1e-9)
    assert np.allclose(head[0], [bone.head for bone in rig.bones], atol=1e-9)
    assert np.allclose(turn[1, 1:], turned(2.0), atol=1e-9)
    assert np.allclose(rig.skinned(turn, head)[1], mesh.vertices(net.rest) @ turned(2.0).T + (0.3, -0.2, 0.1))
    place, quaternion = rig.channels(turn[:1], head[:1])
    assert np.abs(place).max() < 1e-9 and np.allclose(quaternion, [1.0, 0.0, 0.0, 0.0])


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("name", each())
def test_skin_lies_on_the_surfaces(name, swum):
    net, mesh, rig = rig_of(name)
    points = swum(name)
    true = mesh.vertices(points)
    off = np.linalg.norm(rig.skinned(*rig.poses(points)) - true, axis=-1)
    frames = np.percentile(off, 95, axis=-1)
    assert np.mean(frames < 0.01) > 0.97 and frames.max() < 0.02  # the sharpest bends of a start are the worst
    rigid = np.linalg.norm(mesh.vertices(net.rest) - true, axis=-1)  # what a stiff fish would miss
    assert np.percentile(off, 95) < 0.1 * np.percentile(rigid, 95)


@pytest.mark.film
@pytest.mark.parametrize("name", each())
def test_without_stretch_bones_keep_their_places_on_their_parents(name, swum):
    _, mesh, rig = rig_of(name)
    points = swum(name)
    turn, head = rig.without_stretch(*rig.poses(points))
    place, quaternion = rig.channels(turn, head)
    assert np.abs(place[:, :, 2:]).max() < 1e-9  # all but the root and the foremost of the spine
    assert np.abs(np.linalg.norm(quaternion, axis=-1) - 1.0).max() < 1e-9
    off = np.linalg.norm(rig.skinned(turn, head) - mesh.vertices(points), axis=-1)
    assert np.median(off) < 0.03  # muscles shorten a body by 4 to 8 %


@pytest.mark.film
def test_channels_make_the_poses_again_and_never_jump(swum):
    """Composed from the root on, in the order in which armatures do it."""
    _, _, rig = rig_of("sardine")
    turn, head = rig.poses(swum("sardine"))
    turn[..., 0, :, :] = turned(0.4)  # the root carries all others
    head = head @ turned(0.4).T + (1.0, 2.0, 3.0)
    turn[..., 1:, :, :] = turned(0.4) @ turn[..., 1:, :, :]
    place, quaternion = rig.channels(turn, head)
    assert (np.sum(quaternion[1:] * quaternion[:-1], axis=-1) > 0.0).all()
    w, x, y, z = np.moveaxis(quaternion, -1, 0)
    local = np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=-1),
            np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=-1),
            np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1),
        ],
        axis=-2,
    )
    posed = np.empty((*head.shape[:-1], 4, 4))
    for row, bone in enumerate(rig.bones):
        rest = np.eye(4)
        rest[:3, :3], rest[:3, 3] = bone.axes, bone.head
        basis = np.zeros((*head.shape[:-2], 4, 4))
        basis[..., :3, :3], basis[..., :3, 3], basis[..., 3, 3] = local[..., row, :, :], place[..., row, :], 1.0
        if bone.parent < 0:
            posed[..., row, :, :] = rest @ basis
        else:
            carrier = np.eye(4)
            carrier[:3, :3], carrier[:3, 3] = rig.bones[bone.parent].axes, rig.bones[bone.parent].head
            posed[..., row, :, :] = posed[..., bone.parent, :, :] @ np.linalg.inv(carrier) @ rest @ basis
        assert np.allclose(posed[..., row, :3, 3], head[..., row, :], atol=1e-9)
        assert np.allclose(posed[..., row, :3, :3] @ bone.axes.T, turn[..., row, :, :], atol=1e-9)


def test_a_fish_without_gill_covers_has_no_bones_for_them():
    species = Species.load("sardine")
    still = replace(species, bearing=replace(species.bearing, gill=0.0))
    net = ControlNet(still)
    names = {bone.name for bone in rig_of("sardine")[2].bones}
    assert names - {bone.name for bone in Rig(net, FishMesh(net)).bones} == {"gill.L", "gill.R"}


@pytest.mark.parametrize("name", Species.names())
def test_bones_of_jaw_gills_and_eyes_begin_inside_the_head(name):
    """Not in the water beside the snout, where a head is narrower than at its gills."""
    net = ControlNet(Species.load(name))
    mesh = FishMesh(net)
    rest = mesh.vertices(net.rest)
    for bone in Rig(net, mesh).bones:
        if bone.name.split(".")[0] in ("jaw", "gill", "eye"):
            for end in (bone.head,) if bone.name != "jaw" else (bone.head, bone.tail):
                near = rest[(np.abs(rest[:, [0, 2]] - end[[0, 2]]) < 0.02).all(axis=1)]
                assert abs(end[1]) < np.abs(near[:, 1]).max(), bone.name


@pytest.mark.film
def test_a_pose_against_its_carrier_is_undone_by_posing_it(swum):
    _, _, rig = rig_of("sardine")
    turn, head = rig.poses(swum("sardine")[:, 0])
    for row, bone in enumerate(rig.bones):
        carrier = None if bone.parent < 0 else (turn[:, bone.parent], head[:, bone.parent])
        pose = turn[:, row], head[:, row]
        place, quaternion = rig.against(row, pose, carrier)
        again = rig.posed(row, place, 3.0 * quaternion, carrier)
        assert np.allclose(again[0], pose[0], atol=1e-9) and np.allclose(again[1], pose[1], atol=1e-9)
        assert rig.off(row, again, pose) < 1e-9


@pytest.mark.parametrize("name", ["sardine", "butterflyfish", "moray"])
def test_channels_that_are_off_by_their_leeway_put_vertices_off_by_less_than_one(name):
    _, _, rig = rig_of(name)
    dice = np.random.default_rng(5)
    small = 1e-4
    for row in range(1, len(rig.bones)):
        place, quaternion = np.zeros((200, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (200, 1))
        rest = rig.posed(row, place, quaternion, None)
        errors = dice.choice([-1.0, 1.0], (200, 7)) * small * np.repeat(rig.leeway(row), (3, 4))
        pose = rig.posed(row, place + errors[:, :3], quaternion + errors[:, 3:], None)
        assert 0.4 * small < rig.off(row, pose, rest) <= 1.001 * small


def test_a_vertex_is_no_farther_off_than_by_the_worst_of_its_bones(swum):
    _, _, rig = rig_of("sardine")
    turn, head = rig.poses(swum("sardine")[:20, 0])
    other = head + np.random.default_rng(2).normal(scale=0.01, size=head.shape)
    most = np.linalg.norm(rig.skinned(turn, head) - rig.skinned(turn, other), axis=-1).max()
    worst = max(
        rig.off(row, (turn[:, row], head[:, row]), (turn[:, row], other[:, row])) for row in range(1, len(rig.bones))
    )
    assert 0.3 * worst < most <= worst
