"""Feelings of the active fish."""

import bpy
import pytest

from artfish.blender_artfish.live.runtime import row_of
from artfish.tests.blender.live.tank import go, shoal


def test_feelings_of_the_active_fish_are_sliders(scene, session):
    go(5)
    bpy.context.view_layer.objects.active = session.fishes[2].root
    assert row_of(bpy.context) == 2
    scene.artfish_live.libido = 0.9
    assert scene.artfish_live.libido == pytest.approx(0.9, abs=1e-6)
    assert session.rehearsal[4]["libido"][2] == pytest.approx(0.9, abs=1e-6)
    assert session.rehearsal[4]["libido"][1] < 0.5
    bpy.context.view_layer.objects.active = shoal()
    scene.artfish_live.libido = 0.1
    assert scene.artfish_live.libido == 0.0 and session.rehearsal[4]["libido"][2] == pytest.approx(0.9, abs=1e-6)
