"""Sand is rippled by the water that moves over it, and animals on it leave tracks."""

import numpy as np
import pytest

from artfish.blender_artfish.stage.sand import Ripples, tracks
from artfish.core.scene.scene import Scene


def rippled(**data) -> Ripples:
    """The ripples of a scene."""
    return Ripples.of(Scene.from_dict(data))


def test_ripples_lie_across_the_current_and_grow_with_how_far_it_goes():
    tide = {"kind": "uniform", "direction": [0, 3, 0], "strength": 0.2, "period": 4.0}
    made = rippled(current=[tide])
    assert made.across == pytest.approx((0.0, 1.0))
    assert made.length == pytest.approx(0.65 * 0.2 * 4.0 / np.pi) and made.height == pytest.approx(0.15 * made.length)
    assert rippled(current=[tide | {"period": 8.0}]).length == pytest.approx(2.0 * made.length)
    assert (
        rippled(current=[tide | {"period": 900.0}]).length <= 0.5
        and rippled(current=[tide | {"strength": 0.0}]).length > 0
    )


def test_the_stage_says_how_high_they_are():
    assert rippled(stage={"ripples": 0.0}).height == 0.0
    assert rippled(stage={"ripples": 2.0}).height == pytest.approx(2.0 * rippled().height)


def test_tracks_tile_and_go_by_their_seed():
    one, again, other = (tracks(np.random.default_rng(seed), 256) for seed in (1, 1, 2))
    assert np.array_equal(one, again) and not np.array_equal(one, other)
    assert one.min() < 0.25 and one.max() > 0.58 and 0.45 < np.median(one) < 0.55
    across = np.abs(one[:, 0] - one[:, -1])
    assert across.max() <= np.abs(np.diff(one, axis=1)).max() + 1e-9
