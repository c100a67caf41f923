"""Replicas move by equations 10 to 12 as corrected, keep upright, and go over from one motion to another gently."""

import dataclasses

import numpy as np
import pytest

from artfish.core.base.attitude import matrices, normalised, rotations_about_up
from artfish.core.body.anatomy import body_frame
from artfish.core.replicas.playback import HEADING, ROLL, SLOPE, Mixture, Playback
from artfish.core.replicas.repertoire import POSES
from artfish.core.replicas.tables import CORNERS, SegmentTables
from artfish.core.replicas.tuning import LEAST_WARP_SECONDS, MOST_ROLL, WARP_SPEED

FRAME = 1 / 24


def still(fishes):
    """Mixtures of the first row's first pose alone."""
    shares = np.zeros((fishes, CORNERS))
    shares[:, 0] = 1.0
    return Mixture(np.zeros((fishes, CORNERS), np.int64), shares, np.zeros(fishes), np.zeros(fishes, np.int64))


def showing(tables, rows, moments, once=0):
    """A mixture of one segment each."""
    mixture = still(len(rows))
    mixture.corners[:, 0], mixture.moments[:], mixture.once[:] = rows, moments, once
    return mixture


@pytest.fixture
def played(made_up):
    """Two fishes of 0.2 and 0.4 metres, at the origin."""
    return Playback(SegmentTables([made_up]), np.array([0.2, 0.4]))


def test_a_cycle_is_played_as_it_was_recorded(played, made_up):
    """Pose by pose, equations 10 to 12 from the increments of the repertoire, for both sizes."""
    row, step = 2, made_up.seconds[2] / POSES
    change, way = made_up.increments(row)
    motion = np.tile([*made_up.velocity[row], made_up.yaw[row]], (2, 1))
    start = showing(played.tables, [row, row], np.zeros(2))
    frame, origin = matrices(made_up.attitude[row, 0]), np.zeros((2, 3))
    played.put(np.arange(2), origin, np.tile(frame, (2, 1, 1)), start)
    for pose in range(1, 2 * POSES + 5):
        mixture = showing(played.tables, [row, row], np.full(2, float(pose % POSES)))
        played.advance(mixture, motion, step, np.ones(2, dtype=bool))
        origin = origin + played.length[:, None] * (frame @ way[(pose - 1) % POSES])
        frame = frame @ change[(pose - 1) % POSES]
    nodes = origin[:, None] + played.length[:, None, None] * (made_up.nodes[row, pose % POSES] @ frame.T)
    assert np.allclose(played.origins, origin, atol=1e-9) and np.allclose(played.frames, frame, atol=1e-9)
    assert np.allclose(played.nodes, nodes, atol=1e-6)


def test_between_two_poses_it_is_between_them(played, made_up):
    poses = []
    for moment in (3.0, 3.5, 4.0):
        played.carriers[:] = 0.0
        played.advance(
            showing(played.tables, [1, 1], np.full(2, moment)), np.zeros((2, 4)), FRAME, np.ones(2, dtype=bool)
        )
        poses.append(played.origins.copy())
    assert np.allclose(poses[1], 0.5 * (poses[0] + poses[2])) and not np.allclose(poses[0], poses[2])


def test_what_happens_once_does_not_begin_again(played):
    shown = np.ones(2, dtype=bool)
    last = showing(played.tables, [1, 1], np.full(2, POSES - 1.0), once=1)
    played.advance(last, np.zeros((2, 4)), FRAME, shown)
    end = played.origins.copy()
    last.once[:], last.moments[:] = 0, POSES - 0.5
    played.advance(last, np.zeros((2, 4)), FRAME, shown)
    assert not np.allclose(played.origins, end)
    last.once[:] = 1
    played.advance(last, np.zeros((2, 4)), FRAME, shown)
    assert np.allclose(played.origins, end)


def test_a_leaning_fish_rolls_upright_slowly(played):
    """Appendix B; the sign of the roll is kept, which its arccos loses."""
    played.carriers[:, ROLL] = (2.0, -0.2)
    same, shown = still(2), np.ones(2, dtype=bool)
    played.advance(same, np.zeros((2, 4)), FRAME, shown)
    far, near = played.carriers[:, ROLL] - (2.0, -0.2)
    assert -MOST_ROLL / 5 < far < 0.0 and near == pytest.approx(-0.2 / MOST_ROLL * far)
    assert played.frames[0, 2, 1] > 0.0 > played.frames[1, 2, 1]  # left side up, and down
    for _ in range(96):
        played.advance(same, np.zeros((2, 4)), FRAME, shown)
    assert np.allclose(played.frames, np.eye(3), atol=0.01)


def test_a_fish_that_climbs_in_a_turn_stays_upright(played):
    """By the paper's equations 6 and 10 it would drift onto its side."""
    played.carriers[:, SLOPE] = 0.6
    for _ in range(200):
        played.advance(still(2), np.tile([1.0, 0, 0, 1.0], (2, 1)), FRAME, np.ones(2, dtype=bool))
    assert np.abs(played.frames[:, 2, 1]).max() < 1e-9
    assert np.allclose(played.origins[:, 2], played.length * 200 * FRAME * np.sin(0.6))


def test_a_transition_takes_the_frames_of_the_way_of_node_22(played):
    """Appendix A, but gently at both ends: nodes go from where they are to where the next segment has them."""
    least = round(LEAST_WARP_SECONDS / FRAME + 0.49)
    far = np.zeros((2, 3, 24), np.float32)
    far[0, 1, 22] = (2 * least - 0.5) * WARP_SPEED * FRAME
    far[1, 1, 22] = 0.9 * WARP_SPEED * FRAME
    played.warp(np.arange(2), far, FRAME)
    left, tips = [], []
    for _ in range(2 * least + 1):
        played.advance(still(2), np.zeros((2, 4)), FRAME, np.ones(2, dtype=bool))
        left.append(played.fading.copy())
        tips.append(played.nodes[0, 22, 1] / played.length[0])
    assert np.allclose(np.array(left)[:, 0], np.maximum(1 - np.arange(1, 2 * least + 2) / (2 * least), 0), atol=1e-12)
    assert left[least - 1][1] < 1e-12 < left[least - 2][1]
    steps = -np.diff([far[0, 1, 22], *tips])
    assert steps[0] < 0.2 * steps.max() and steps[-2] < 0.2 * steps.max() and (steps > -1e-9).all()


def test_neither_nodes_nor_frame_jump_at_a_transition(played):
    rows, shown = np.arange(2), np.ones(2, dtype=bool)
    before = showing(played.tables, [1, 2], np.array([8.0, 20.0]))
    played.carriers[:, HEADING] = (0.4, 20.0)
    played.advance(before, np.zeros((2, 4)), FRAME, shown)
    nodes, frames = played.nodes.copy(), played.frames.copy()
    after = showing(played.tables, [0, 1], np.array([3.0, 0.0]))
    played.join(rows, before, after, FRAME)
    played.carriers[:, ROLL] = 0.0
    played.advance(after, np.zeros((2, 4)), FRAME, shown)
    assert np.allclose(played.frames, frames, atol=1e-6)
    assert np.abs(played.nodes - nodes).max() < WARP_SPEED * FRAME * played.length.max()
    assert np.abs(played.carriers[:, HEADING] - (0.4, 20.0)).max() < 0.3  # not wrapped


def test_a_dynamic_fish_is_taken_over_where_it_is(played, made_up):
    rows = np.arange(2)
    frame = matrices(rotations_about_up(np.array(2.0)))
    bent = made_up.nodes[0, 0].astype(float)
    bent[:, 1] += 0.3 * np.minimum(bent[:, 0], 0.0) ** 2
    nodes = np.array([1.0, 2.0, 3.0]) + played.length[:, None, None] * (bent @ frame.T)
    mixture = showing(played.tables, [1, 1], np.array([5.0, 9.0]))
    played.adopt(rows, nodes, mixture, FRAME)
    played.advance(mixture, np.zeros((2, 4)), 1e-9, np.ones(2, dtype=bool))
    assert np.allclose(played.nodes, nodes, atol=1e-6)
    assert np.allclose(played.frames, body_frame(nodes)[1], atol=1e-6)


def test_who_is_not_shown_is_kept_up_as_a_frame_only(played):
    """§5.3, table 1: place, heading and balance go on, nodes do not."""
    played.carriers[:, ROLL] = 0.2
    played.advance(still(2), np.ones((2, 4)), FRAME, np.array([True, False]))
    assert played.nodes[0].any() and not played.nodes[1].any()
    assert played.origins[1].all() and abs(played.carriers[1, ROLL]) < 0.2


def test_compiled_it_has_the_same_bits(made_up, alike):
    random = np.random.default_rng(2)
    crooked = dataclasses.replace(
        made_up,
        nodes=made_up.nodes + random.normal(0.0, 0.05, made_up.nodes.shape),
        attitude=normalised(made_up.attitude + random.normal(0.0, 0.1, made_up.attitude.shape)),
    )
    tables, fishes = SegmentTables([crooked]), 300

    def play():
        played = Playback(tables, np.linspace(0.1, 0.3, fishes))
        draws = np.random.default_rng(7)
        played.carriers[:] = draws.normal(0.0, 1.0, (fishes, 6))
        played.warp(np.arange(0, fishes, 3), draws.normal(0.0, 0.2, (fishes // 3, 3, 24)).astype(np.float32), FRAME)
        shares = draws.uniform(0.0, 1.0, (fishes, 4)) * (draws.uniform(size=(fishes, 4)) < 0.7)
        shares[:, 0] += 0.1
        corners = draws.integers(0, len(tables.poses), (fishes, 4))
        mixture = Mixture(corners, shares, draws.uniform(0, POSES, fishes), draws.integers(0, 2, fishes))
        mixture.moments[::7] = POSES - 1.0
        for _ in range(3):
            played.advance(mixture, draws.normal(0.0, 1.0, (fishes, 4)), FRAME, draws.uniform(size=fishes) < 0.8)
        return played.carriers, played.origins, played.frames, played.nodes

    alike(play, "replay")


def test_compiled_other_moments_and_far_headings_have_the_same_bits(played, alike):
    rows, motion, none = np.arange(2), np.array([[1.0, 0.1, 0.2, 3.0], [0.5, 0.0, 0.0, -1e9]]), np.zeros(2)
    played.carriers[:, HEADING] = 1e7, -2.0
    played.warp(rows, np.full((2, 3, 24), 0.1, np.float32), FRAME)
    mixture = showing(played.tables, [1, 2], np.full(2, 5.5))
    played.show(rows, mixture)
    now = alike(lambda: played.before(rows, mixture, 0.0 * motion, none, 0.0), "replay")
    assert np.array_equal(now, played.nodes)
    then = alike(lambda: played.before(rows, mixture, motion, np.full(2, 30.0), 0.01), "replay")
    assert np.isfinite(then).all() and np.abs(then - now).max() > 1e-3
    first, last = (showing(played.tables, [1, 2], np.full(2, moment)) for moment in (0.0, -1e-20))
    now = played.before(rows, first, motion, none, 0.01)  # the other is so long before it that it rounds to a cycle
    assert np.array_equal(alike(lambda: played.before(rows, last, motion, none, 0.01), "replay"), now)
