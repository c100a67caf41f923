"""The size of a fish in the picture goes by its length, its distance and the lens."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.replicas.tuning import FILM_WIDTH_MM
from artfish.core.studio.camera_work import CameraPath
from artfish.core.studio.closeness import picture_shares


@pytest.fixture(scope="module")
def recording():
    """Two fishes that have hardly begun to swim."""
    fishes = [{"species": "clownfish", "at": [x, 2.0, 1.0], "heading": [1, 0, 0]} for x in (2.0, 4.0)]
    scene = {"name": "Two", "duration": 1.0, "tank": {"size": [6.0, 4.0, 2.0]}, "fishes": fishes}
    return World(Scene.from_dict(scene), seed=1).simulate(2)


def path(recording, away, lens=35.0):
    """A camera that looks at the first fish square to its side."""
    nodes = recording.nodes[:, 0]
    middle = 0.5 * (nodes[:, 0] + nodes[:, 21:23].mean(axis=1))
    frames = np.arange(recording.frames, dtype=float)
    return CameraPath(frames, middle - (0.0, away, 0.0), middle, lens, np.full(len(frames), away), (0,))


@pytest.mark.parametrize(("away", "lens"), [(0.5, 35.0), (1.0, 35.0), (0.5, 70.0)])
def test_a_fish_takes_its_length_over_what_the_lens_sees_there(recording, away, lens):
    shares = picture_shares(recording, path(recording, away, lens))
    assert shares[0] == pytest.approx(recording.body_length[0] / away * lens / FILM_WIDTH_MM, rel=0.05)
    assert shares[1] == 0.0  # it is two metres beside the picture


def test_who_is_behind_the_camera_or_gone_takes_nothing(recording):
    way = path(recording, 0.5)
    behind = replace(way, look_at=2.0 * way.at - way.look_at)
    assert not picture_shares(recording, behind).any()
    gone = replace(recording, alive=np.zeros_like(recording.alive))
    assert not picture_shares(gone, way).any()
