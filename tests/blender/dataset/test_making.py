"""Films of data sets: baked for the frames that are pictured, under the conditions that were drawn."""

import pytest

from artfish.blender_artfish.dataset.making import set_up, water
from artfish.core.dataset.conditions import PictureConditions
from artfish.core.habitat.optics import Optics
from artfish.core.recording import Recording
from artfish.core.scene.scene import Scene
from artfish.core.scene.water import Water
from artfish.tests.blender.dataset.conftest import LABELLED

pytestmark = pytest.mark.film


def test_a_film_shows_the_frames_of_its_recording(begun, opened):
    recording = Recording.load(begun.film_file("s0003", ".npz"))
    assert recording.frames == 8
    assert (opened.scene.frame_start, opened.scene.frame_end) == (2, 8)


def test_conditions_come_into_the_scene(opened):
    exposure = opened.scene.view_settings.exposure
    set_up(opened.scene, opened.recording, PictureConditions(shutter=0.4, exposure=1.5))
    assert opened.scene.render.use_motion_blur
    assert opened.scene.render.motion_blur_shutter == pytest.approx(0.4)
    assert opened.scene.view_settings.exposure == pytest.approx(exposure + 1.5)
    set_up(opened.scene, opened.recording, PictureConditions())
    assert not opened.scene.render.use_motion_blur


def test_murkier_water_is_seen_through_less_far():
    def visibility(**keys):
        return water(Scene.from_dict({**LABELLED, "water": keys}, "labelled.json"))["visibility"]

    assert visibility(type="I") > visibility(type="III") > visibility(type="5") > visibility(type="9")
    assert visibility(type="5") > visibility(type="5", turbidity=0.5)
    # A fiftieth of the contrast is left there: ln 50 over the attenuation of the clearest colour.
    clearest = Optics.of(Water(type="III")).attenuation.min()
    assert visibility(type="III") == pytest.approx(3.912 / clearest, rel=1e-3)
