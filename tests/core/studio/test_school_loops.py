"""Schools that go round: in the order that a simulated school found, and each fish in its species' own loop."""

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.anatomy import body_frame
from artfish.core.studio.loops import loop
from artfish.core.studio.school_loops import school_loop
from artfish.core.studio.tuning import SCHOOL_LOOP_STRAY

COUNT = 30


@pytest.fixture(scope="module")
def school():
    return school_loop(Species.load("sardine"), COUNT)


@pytest.mark.film
def test_the_last_frame_is_the_first_and_the_seam_is_no_jerk(school):
    for array in ("nodes", "fins", "breath", "tail", "fold", "mouth", "gaze"):
        assert np.array_equal(getattr(school, array)[0], getattr(school, array)[-1]), array
    steps = np.diff(np.concatenate([school.nodes, school.nodes[1:2]]).astype(float), axis=0)
    change = np.abs(np.diff(steps, axis=0)).max(axis=(1, 2, 3))
    assert change[-1] < 1.5 * change[:-1].max()


@pytest.mark.film
def test_they_keep_a_school_s_distance_and_head_along_x(school):
    length = float(np.mean(school.body_length))
    for frame in (0, school.frames // 2):
        origin, axes = body_frame(school.nodes[frame].astype(float))
        apart = np.linalg.norm(origin[:, None] - origin[None], axis=-1) + 1e9 * np.eye(COUNT)
        assert 0.5 * length < np.median(apart.min(axis=1)) < 2.0 * length
        assert apart.min() > 0.2 * length  # bodies beside each other, not in each other
        assert axes[..., 0, 0].min() > np.cos(SCHOOL_LOOP_STRAY) ** 2 - 0.2  # less what a head sweeps
        assert axes[..., 2, 2].min() > 0.8  # backs up
        assert np.abs(np.median(origin, axis=0)).max() < 0.3 * length


@pytest.mark.film
def test_each_fish_swims_its_species_loop_at_its_own_moment(school):
    swim = loop(Species.load("sardine"), "swim").recording
    assert school.frames == swim.frames and school.fps == swim.fps
    origin, axes = body_frame(school.nodes.astype(float))
    local = (school.nodes - origin[:, :, None]) @ axes / school.body_length[:, None, None]
    one, turn = body_frame(swim.nodes.astype(float))
    own = ((swim.nodes - one[:, :, None]) @ turn / swim.body_length[0])[:, 0]
    begins = set()
    for fish in range(COUNT):
        off = np.abs(own[:-1] - local[0, fish]).max(axis=(1, 2))
        assert off.min() < 1e-3  # lengths: single precision of a place some metres away
        begins.add(int(off.argmin()))
    assert len(begins) > COUNT // 3  # of 58 moments, 30 draws hit 23 on average
    assert np.ptp(school.body_length) > 0.0


@pytest.mark.film
def test_another_seed_is_another_school_and_the_same_the_same(school):
    again = school_loop(Species.load("sardine"), COUNT)
    other = school_loop(Species.load("sardine"), COUNT, seed=1)
    assert np.array_equal(again.nodes, school.nodes)
    assert not np.array_equal(other.nodes, school.nodes)
