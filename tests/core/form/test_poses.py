"""A few poses stand for all: which ones, how far off they are, and that the nearest one is found."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.form.look import Look
from artfish.core.form.mesh import LEVELS, ControlNet, FishMesh
from artfish.core.form.poses import PoseTable, Stances


@pytest.fixture(scope="module")
def swum():
    scene = {"tank": {"size": [4, 4, 2]}, "fishes": [{"species": "sardine", "count": 6, "at": [2, 2, 1]}]}
    recording = World(Scene.from_dict({"name": "few", **scene}), seed=1).simulate(60)
    frames, fishes = (of.ravel() for of in np.mgrid[:60, :6])
    look = recording.look(slice(None))
    stances = Stances(
        recording.nodes[frames, fishes],
        recording.fins[frames, fishes],
        recording.body_length[fishes],
        recording.mouth[frames, fishes],
        Look(*(of[frames, fishes].astype(float) for of in vars(look).values())),
    )
    return ControlNet(recording.species_models["sardine"]), stances


def still(stances: Stances) -> tuple:
    """Arguments of `ControlNet.poses`: the fishes of one frame, eyes straight ahead."""
    look = Look(**(vars(stances.look) | {"gaze": np.zeros_like(stances.look.gaze)}))
    seen = Look(*(of[None] for of in vars(look).values()))
    return stances.nodes[None], stances.fins[None], stances.body_length, stances.mouth[None], seen


def off(net: ControlNet, stances: Stances, table: PoseTable) -> tuple[np.ndarray, np.ndarray]:
    """Greatest distance of vertices of bodies and of whole fishes from those of the poses that stand for them."""
    mesh = FishMesh(net, len(LEVELS) - 1)
    points = net.poses(*still(stances))[0][0]
    far = np.linalg.norm(mesh.vertices(points) - mesh.vertices(table.points)[table.nearest(stances)], axis=-1)
    return far[:, mesh.groups["body"]].max(axis=1), far.max(axis=1)


@pytest.mark.film
def test_more_poses_stand_closer_and_all_stand_for_themselves(swum):
    net, stances = swum
    tables = [PoseTable(net, stances, most) for most in (4, 16, 64)]
    assert [len(table.points) for table in tables] == [4, 16, 64]
    errors = [table.body_error for table in tables]
    assert (errors[0] > errors[1])[:2].all() and (errors[1] > errors[2])[:2].all()
    few = stances.some(np.arange(0, 360, 36))
    every = PoseTable(net, few, 64)
    assert len(every.points) == 10 and len(set(every.nearest(few).tolist())) == 10
    assert every.body_error.max() < 1e-6 and every.fin_error.max() < 1e-6
    sip = net.coupling.species.bearing.sip * few.look.breath[:, 1]
    assert np.ptp(sip) > 0.0 and every.gape[every.nearest(few)] == pytest.approx(np.maximum(few.mouth, sip))


def test_the_error_is_what_is_off_and_the_nearest_pose_is_found(swum):
    net, stances = swum
    table = PoseTable(net, stances, 32)
    body, whole = off(net, stances, table)
    assert table.body_error == pytest.approx(np.percentile(body, [50, 95, 100]))
    assert table.fin_error.max() <= whole.max() + 1e-12
    assert table.body_error[1] < 0.3 * PoseTable(net, stances, 1).body_error[1]  # as if they never moved
    dice = np.random.default_rng(3)
    number = dice.integers(len(table.points), size=len(stances))
    mesh = FishMesh(net, len(LEVELS) - 1)
    true = mesh.vertices(net.poses(*still(stances))[0][0])
    some = np.linalg.norm(true - mesh.vertices(table.points)[number], axis=-1).mean(axis=1)
    near = np.linalg.norm(true - mesh.vertices(table.points)[table.nearest(stances)], axis=-1).mean(axis=1)
    assert np.mean(near <= some + 1e-12) > 0.97


def test_the_same_fishes_have_the_same_poses(swum):
    net, stances = swum
    one, other = (PoseTable(net, stances, 16) for _ in range(2))
    assert np.array_equal(one.points, other.points)
    assert np.array_equal(one.nearest(stances), other.nearest(stances))
