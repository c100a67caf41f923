"""A view of which no fish is cut off, from where a camera can stand."""

import numpy as np
import pytest

from artfish.blender_artfish.stage import view
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.scene.scene import Scene
from artfish.core.world.world import World


@pytest.fixture(autouse=True)
def hasty_view() -> None:
    """The camera searches as long as in a bake."""


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.large) for seed in (1, 2))])
def test_in_the_still_no_large_fish_is_cut_looms_or_is_smeared(seed):
    """Large fishes are wider than a tenth of the picture; one was half as wide as it once, and its snout was cut."""
    preset = World(Scene.load("reef"), seed=seed).simulate(24 * 10)
    found = view.find_view(preset)
    right, up, forward = view._axes(found.at, found.target)
    shown = max(found.best, 1)
    places = preset.nodes[[shown - 1, shown]] - found.at
    depth = places @ forward
    across, above = (found.lens / view.SENSOR_MM * (places @ way) / depth for way in (right, up))
    seen = (depth > 0.05).all(axis=(0, 2)) & ((abs(across) < 0.5) & (abs(above) < view.PICTURE_HALF_HEIGHT)).any(
        axis=(0, 2)
    )
    across, above = across[:, seen], above[:, seen]
    width = np.ptp(across[1], axis=1)
    large = width > 0.1
    assert large.any()
    assert width.max() < 0.45
    assert abs(across[1][large]).max() < 0.5
    assert abs(above[1][large]).max() < view.PICTURE_HALF_HEIGHT
    moved = np.hypot(*np.diff([across[:, large], above[:, large]], axis=1)[:, 0]).mean(axis=1)
    assert view.SHUTTER_FRAMES * moved.max() < 0.01


@pytest.fixture(scope="module")
def found(reef):
    """The view of fishes and pillars."""
    return view.find_view(reef)


def test_no_fish_swims_into_the_camera(reef, found):
    distance = np.linalg.norm(reef.nodes - found.at, axis=-1).min(axis=(0, 2))
    assert (distance > 0.5 * reef.body_length).all()


@pytest.mark.long
def test_the_view_is_the_same_every_time(reef, found):
    again = view.find_view(reef)
    assert (again.at == found.at).all() and (again.target == found.target).all() and again.best == found.best


def test_the_camera_stands_clear_of_rocks_and_above_the_bed(grotto):
    found = view.find_view(grotto)
    for solid in Obstacles.from_scene(grotto.scene).solids:
        assert solid.depth(found.at[None])[0] >= 0.3
    seen = view._subjects(grotto)
    hidden = view._hidden(found.at, seen, grotto, np.ones(seen.alive.shape, dtype=bool))
    frame = np.flatnonzero(seen.frames == found.best)[0]
    assert not hidden[frame].all()
