"""Moments between frames: a beat that is too fast for the frames plays as it was swum, in slow motion, too."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake.moments import Moments
from artfish.blender_artfish.bake.order import FORMS
from artfish.blender_artfish.bake.writer import bake
from artfish.blender_artfish.blender.versions import channelbags
from artfish.blender_artfish.fish.surfaces import in_order
from artfish.core import Commands, Scene, Species, World
from artfish.core.form.coupling import Coupling
from artfish.core.scene.bearing import Bearing
from artfish.core.world import strokes

from .test_writer import TOLERANCE, control_points

FRAMES, BURST = 14, (5, 9)
SWEEP_LENGTHS = 0.17
"""Farthest reach of the tail to either side, in body lengths."""


def swum(bursts: bool = True, living: bool = False):
    """A sardine that a pilot has burst for some frames of a film; nothing but strokes is seen unless living."""
    sardine = Species.load("sardine")
    plain = sardine if living else replace(sardine, bearing=Bearing())

    def pilot(t: float, world: World) -> Commands:
        commands = Commands.still(1)
        commands.swim[:] = 1.0
        commands.burst[:] = bursts and BURST[0] <= round(t * 24) < BURST[1]
        return commands

    scene = {"tank": {"size": [20, 20, 20]}, "fishes": [{"species": "sardine", "at": [10, 10, 10]}]}
    return World(Scene.from_dict(scene), seed=1, pilot=pilot, species={"sardine": plain}).simulate(FRAMES)


@pytest.fixture(scope="module")
def exact():
    """The same with every step of the simulation as a sample."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strokes, "BEAT_SAMPLES", 1e3)
        return swum()


@pytest.fixture(scope="module")
def recorded():
    return swum()


@pytest.mark.film
@pytest.mark.parametrize("form", FORMS)
def test_between_frames_a_fast_stroke_plays_as_it_was_swum(recorded, exact, form):
    assert (recorded.nodes == exact.nodes).all() and len(exact.strokes) > len(recorded.strokes) > 0
    length, beat = recorded.body_length[0], recorded.species_models["sardine"].rhythm.burst_beat
    gap = np.diff(Moments.of(recorded, 0).times)
    turn = 2 * np.pi * beat * gap[gap < 1.0].max() / recorded.fps  # of a beat, from one sample to the next
    spline = 5 / 384 * turn**4 * SWEEP_LENGTHS  # how far a cubic spline through samples of a sine is off it
    times, nodes = exact.strokes_of(0)
    inside = (times > BURST[0] + 1) & (times < BURST[1])
    fins = recorded.fins[np.floor(times[inside]).astype(int)]
    points = Coupling(recorded.species_models["sardine"]).control_points(
        nodes[inside][:, None], fins, recorded.body_length
    )
    parts = ("body_left", "dorsal", "caudal")
    true = [np.concatenate([in_order(points[part][row, 0]) for part in parts]) for row in range(inside.sum())]
    every = _played(recorded, form, 0.0, times[inside], parts)
    assert np.linalg.norm(every - true, axis=-1).max() / length < TOLERANCE + spline
    few = _played(recorded, form, TOLERANCE, times[inside], parts)
    assert np.linalg.norm(few - every, axis=-1).max() / length < TOLERANCE  # half way between samples, too
    straight = np.array([recorded.nodes[:, 0, 21:].mean(axis=1)[[k, k + 1]].mean(axis=0) for k in range(6, 8)])
    halfway = np.array([nodes[np.argmin(abs(times - k - 0.5)), 21:].mean(axis=0) for k in range(6, 8)])
    assert np.linalg.norm(straight - halfway, axis=1).max() > 10 * (TOLERANCE + spline) * length


def _played(recording, form, tolerance, times, parts):
    """Control points of a baked sardine's surfaces at times in frames, (times, points, 3)."""
    bake(recording, form=form, tolerance=tolerance, stage=False)
    found = []
    for time in times:
        whole = int(np.floor(time))
        bpy.context.scene.frame_set(1 + whole, subframe=time - whole)
        every = [control_points(bpy.data.objects[f"Sardine 01 {part.replace('_', ' ')}"]) for part in parts]
        found.append(np.concatenate(every))
    return np.array(found)


@pytest.mark.film
def test_who_beats_slowly_is_keyed_at_frames_alone():
    recording = swum(bursts=False)
    assert len(recording.strokes) == 0 and Moments.of(recording, 0).times is None
    bake(recording, tolerance=0.0, stage=False)
    bags = [bag for obj in (*bpy.data.objects, *bpy.data.curves) for bag in channelbags(obj)]
    frames = {point.co[0] for bag in bags for curve in bag.fcurves for point in curve.keyframe_points}
    assert frames == set(range(1, FRAMES + 1))


def test_between_frames_a_tail_trails_what_its_body_does_there():
    recording = swum(living=True)
    moments = Moments.of(recording, 0)
    at_frames = np.flatnonzero((moments.times % 1 == 0) & (moments.times > BURST[0] + 1) & (moments.times < BURST[1]))
    frames = moments.times[at_frames].astype(int)
    found = moments.look(at_frames, recording, 0).tail[:, 0]
    assert np.abs(found).max() > 0.5
    assert found == pytest.approx(recording.tail[frames, 0].astype(float), abs=0.1)
