"""Fishes that are born while they play live are shown from then on, as long as they are."""

import bpy
import numpy as np

from artfish.blender_artfish.live.runtime import session_of
from artfish.core.world.spawning import spawn
from artfish.tests.blender.live.tank import FISHES, go, shape


def test_a_fry_is_seen_once_it_has_hatched(scene):
    scene.artfish.generations.on = True
    scene.artfish.generations.born, scene.artfish.generations.pace = 4, 500.0
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    go(2)
    assert len(session.fishes) == FISHES + 4
    session.do(lambda world: spawn(world.parts, [{"kind": "spawned", "fish": 0, "other": 1}], world.nodes))
    go(24)
    assert session.rehearsal[23]["alive"].sum() > FISHES
    spans = [float(np.ptp(shape(session, row), axis=0).max()) for row in (0, FISHES)]
    assert 0.05 < spans[1] / spans[0] < 0.95
