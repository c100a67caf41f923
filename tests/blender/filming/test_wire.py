"""A pillar of wire stands where the pillar does."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.filming.wire import draw_wire
from artfish.core.recording import Recording
from artfish.core.scene.obstacles import Cylinder

pytestmark = pytest.mark.versions


def test_pillars_are_cages(swimming):
    recording: Recording = swimming("sardine", frames=2)
    pillar = Cylinder(kind="cylinder", at=(1.0, 2.0, 0.0), radius=0.3, height=1.2)
    recording = replace(recording, scene=replace(recording.scene, obstacles=(pillar,)))
    draw_wire(bpy.context.scene.collection, recording, 1)
    cage = bpy.data.objects["Pillar 01"]
    assert cage.location[:] == (1.0, 2.0, 0.0)
    points = np.array([point.co[:3] for spline in cage.data.splines for point in spline.points])
    assert np.hypot(points[:, 0], points[:, 1]) == pytest.approx(0.3, abs=1e-5)
    assert (points[:, 2].min(), points[:, 2].max()) == pytest.approx((0.0, 1.2))
    assert not [obj for obj in bpy.data.objects if obj.name.startswith("Rock")]
