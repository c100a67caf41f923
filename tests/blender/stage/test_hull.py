"""The hull of a submarine follows it while it is there, and its own camera does not see the hull."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest
from mathutils import Vector

from artfish.blender_artfish.stage.hull import add_hull, dark_parts, painted_parts
from artfish.core import Scene
from artfish.core.base.vectors import vector
from artfish.core.geometry.capsule import Capsule
from artfish.core.scene.ride import RideCamera
from artfish.tests.blender.stage.test_ride import FRAMES, POSES, RIDE


def made(recording, **ride) -> bpy.types.Object:
    """The hull of a ride that is put into a recording."""
    ridden = replace(RIDE, **ride)
    scene = replace(Scene.from_dict(recording.scene.to_dict()), ride=ridden)
    frames = min(FRAMES, recording.frames)
    dived = replace(recording.until(frames), scene=scene, submarine=POSES[:frames])
    return add_hull(bpy.context.scene.collection, dived, ridden, 11)


def test_it_goes_and_turns_as_the_submarine_and_comes_and_goes_with_it(reef):
    hull = made(reef, start=2 / reef.fps, end=8 / reef.fps)
    for frame in (0, 2, 5, 7, 8):
        bpy.context.scene.frame_set(11 + frame)
        assert hull.hide_render == hull.hide_viewport == (not 2 <= frame < 8)
        if hull.hide_viewport:
            continue
        bow = hull.matrix_world @ Vector((0.5, 0.0, 0.0))
        expected = POSES[frame, :3] + 0.5 * RIDE.length * vector(POSES[frame, 3], POSES[frame, 4])
        assert bow[:] == pytest.approx(expected, abs=2e-3)
        assert (hull.matrix_world.to_quaternion() @ Vector((0, 1, 0))).z == pytest.approx(0.0, abs=1e-3)


def test_all_of_it_is_within_what_fishes_feel_but_for_the_ring_at_its_stern():
    capsule = Capsule(1.0, 0.125)
    for vertices, faces in (*painted_parts(), *dark_parts()):
        assert faces.max() < len(vertices)
        ahead = vertices[vertices[:, 0] > -0.4]
        assert not len(ahead) or capsule.depth(ahead).max() < 0.003


@pytest.mark.parametrize(
    ("camera", "shown"),
    [
        (RideCamera(), True),
        (RideCamera(picture="cylindrical", width=2.5), True),
        (RideCamera(picture="equirectangular", width=6.2832), False),
    ],
)
def test_a_panorama_that_takes_in_what_is_behind_does_not_show_it(reef, camera, shown):
    hull = made(reef, camera=camera)
    assert hull.visible_camera == shown and hull.visible_shadow
    bow = np.array([(hull.matrix_basis @ vertex.co)[:] for vertex in hull.data.vertices]) - hull.location
    ahead = vector(POSES[0, 3], POSES[0, 4])
    assert (bow @ ahead).max() < 0.5 * RIDE.length  # a camera at the bow that looks ahead has all of it behind
