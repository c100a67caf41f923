"""Fishes in a picture: where, how large, how far away."""

import numpy as np
import pytest

from artfish.core.farm.views import fish_view, in_sight
from artfish.core.farm.wishes import WishedCamera
from artfish.tests.core.farm.scenes import CAMERA, staged

SEEN = WishedCamera(**CAMERA)


def test_places_are_over_the_pictures_height():
    recording = staged([[3, 2, 1.5], [4, 2, 1.5], [3, 7, 2.5]])
    view = fish_view(recording, SEEN, np.array([0, 47]))
    middle = 0.5 * (view.low + view.high)
    scale = 35 / 36 * 16 / 9
    assert middle[0, 0] == pytest.approx([0, 0], abs=0.02)
    assert middle[1, 1] == pytest.approx([scale / 5, 0], abs=0.02)  # a metre right at 5 m
    assert middle[1, 2] == pytest.approx([0, scale / 10], abs=0.02)  # a metre up at 10 m
    assert view.depth[0] == pytest.approx([5, 5, 10], abs=0.05)
    assert view.size[0, 0] > view.size[0, 2] * 0.5 and view.there.all()
    assert (view.beyond[0] == 0).all()


def test_who_is_behind_the_camera_is_not_there_and_who_is_aside_is_beyond():
    recording = staged([[3, -4, 1.5], [6, 0, 1.5], [3, 2, 1.5]])
    view = fish_view(recording, SEEN, np.array([0]))
    assert view.there[0].tolist() == [False, True, True]
    assert view.beyond[0, 1] == pytest.approx(3 / 3 * 35 / 36 * 16 / 9 - 8 / 9, abs=0.02)


def test_pillars_stand_in_the_line_of_sight():
    pillar = [{"kind": "cylinder", "at": [3, 1, 0], "radius": 0.3, "height": 1}]
    recording = staged([[3, 2, 0.4], [3, 2, 2.5], [5, 2, 0.4]], obstacles=pillar)
    low = WishedCamera(**{**CAMERA, "at": [3, -3, 0.5]})
    assert [bool(in_sight(recording, low, np.array([0]), fish)[0]) for fish in range(3)] == [False, True, True]
