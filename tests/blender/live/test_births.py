"""Fishes that are born while they play live are shown from then on, as long as they are."""

import bpy
import numpy as np

from artfish.blender_artfish.live.runtime import session_of
from artfish.core.world.spawning import spawn
from artfish.tests.blender.live.tank import FISHES, go


def test_a_fry_is_seen_once_it_has_hatched(scene):
    scene.artfish.generations.on = True
    scene.artfish.generations.born, scene.artfish.generations.pace = 4, 500.0
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    go(2)
    assert len(session.fishes) == FISHES + 4
    couple = {"kind": "spawned", "fish": 0, "other": 1}
    session.do(scene, lambda world: spawn(world.parts, [couple], world.nodes))
    go(24)
    assert session.rehearsal[23]["alive"].sum() > FISHES
    picture = session.puppets.picture(session.rehearsal[23])
    (drawn,) = picture.swarms.values()
    spans = np.ptp(drawn.fine[[0, FISHES]], axis=1).max(axis=1)
    assert 0.05 < spans[1] / spans[0] < 0.95
