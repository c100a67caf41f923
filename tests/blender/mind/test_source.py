"""Observations of the active fish's mind at the frame that is shown, live or baked."""

from types import SimpleNamespace

import bpy
import numpy as np
from mathutils import Matrix, Vector

from artfish.blender_artfish.bake import history
from artfish.blender_artfish.bake.writer import bake
from artfish.blender_artfish.identity import provenance
from artfish.blender_artfish.identity.provenance import NO_ROW
from artfish.blender_artfish.live.runtime import session_of
from artfish.blender_artfish.mind import drawings, source
from artfish.tests.blender.mind.school import SHARK, offered


def test_tells_of_the_active_fish_at_the_frame_that_is_shown(recording, roots):
    scene = bpy.context.scene
    assert source.observe(bpy.context) is None
    offer = offered(recording, roots, matrix=Matrix.Translation((1.0, 2.0, 3.0)), first=11)
    source.offer(offer)
    assert source.observe(bpy.context).row == NO_ROW
    part = bpy.data.objects.new("a fin", None)
    part.parent = roots[2]
    scene.collection.objects.link(part)
    bpy.context.view_layer.objects.active = part
    for frame, expected in ((1, 0), (11, 0), (30, 19), (500, 47)):
        scene.frame_set(frame)
        observed = source.observe(bpy.context)
        assert (observed.row, observed.frame, observed.origin) == (2, expected, (1.0, 2.0, 3.0))
    roots[2].name = "Nemo"
    assert observed.name(2) == "Nemo"
    source.withdraw(offer)
    assert source.observe(bpy.context) is None


def test_tells_of_the_last_bake_and_of_that_of_the_active_fish(monkeypatch, recording, roots):
    kept = {"the bake": recording, "another.2": recording.until(10)}
    monkeypatch.setattr(history, "recording", kept.get)
    assert source.observe(bpy.context).recording is recording
    late = bpy.data.objects.new("late", None)
    late[provenance.ROW], late[provenance.BAKE] = 0, "another.2"
    bpy.context.scene.collection.objects.link(late)
    assert source.observe(bpy.context).recording is kept["another.2"]
    bpy.context.view_layer.objects.active = roots[SHARK]
    observed = source.observe(bpy.context)
    assert observed.recording is recording and observed.row == SHARK
    carrier = bpy.data.objects.new("Artfish bake", None)
    carrier.matrix_world = Matrix.Translation((0, 0, 7)) @ Matrix.Rotation(1.0, 4, "Z")
    bpy.context.scene.collection.objects.link(carrier)
    roots[SHARK].parent = carrier
    roots[SHARK].keyframe_insert("location", frame=31)
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(40)
    observed = source.observe(bpy.context)
    assert np.allclose(observed.matrix, carrier.matrix_world) and (observed.frame, observed.first) == (9, 31)
    roots[0].name = "renamed"  # and so no longer found by the name that was kept
    assert source.observe(bpy.context).name(0) == "renamed"
    bpy.data.objects.remove(roots[1])
    assert sorted(source.observe(bpy.context).roots) == [0, 2, 3, 4, 5]
    kept.clear()
    assert source.observe(bpy.context) is None


def test_a_live_session_tells_first_and_of_its_own_frame(monkeypatch, recording, roots):
    fishes = [SimpleNamespace(root=root) for root in roots.values()]
    kept = recording.until(20)
    session = SimpleNamespace(
        fishes=[*fishes[:4], None], origin=Vector((1.0, 0.0, 0.0)), recording=lambda: kept, first=5
    )
    monkeypatch.setattr(source, "session_of", lambda scene: session)
    monkeypatch.setattr(history, "recording", lambda name: recording)
    bpy.context.view_layer.objects.active = roots[3]
    bpy.context.scene.frame_set(20)
    observed = source.observe(bpy.context)
    assert (observed.row, observed.frame, observed.first, observed.origin) == (3, 15, 5, (1.0, 0.0, 0.0))
    bpy.data.objects.remove(roots[1])
    assert sorted(source.observe(bpy.context).roots) == [0, 2, 3]
    bpy.context.view_layer.objects.active = None
    assert source.observe(bpy.context).recording is kept
    bpy.context.view_layer.objects.active = roots[SHARK]  # a fish of the bake that stands beside
    observed = source.observe(bpy.context)
    assert observed.recording is recording and observed.row == SHARK


def test_works_with_fishes_as_they_are_baked(swimming):
    recording = swimming("sardine", "clownfish", frames=8)
    bake(recording, stage=False)
    root = next(obj for obj in bpy.data.objects if obj.get(provenance.ROW) == 1)
    part = root.children[0]
    assert source.root_of(root.parent) is None
    assert source.root_of(part) == root and source.root_of(root) == root
    assert source.root_of(None) is None


def test_tells_of_fishes_that_really_play_live():
    scene = bpy.context.scene
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    assert source.observe(bpy.context) is None
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    scene.frame_set(12)
    fish = session.fishes[2].root
    bpy.context.view_layer.objects.active = fish
    observed = source.observe(bpy.context)
    assert (observed.row, observed.frame, observed.name(2)) == (2, 12 - scene.frame_start, fish.name)
    assert np.allclose(observed.origin, session.origin)
    focus = drawings.draw(observed, ("field",)).lines[0] - fish.matrix_world.translation
    assert np.linalg.norm(focus) <= observed.insight.field(observed.recording, observed.frame, 2).radius * 1.01
    shown = observed.fingerprint
    scene.frame_set(20)
    assert source.observe(bpy.context).fingerprint != shown
    scene.frame_set(12)
    assert source.observe(bpy.context).fingerprint == shown
    bpy.data.objects.remove(session.fishes[0].root)
    assert source.observe(bpy.context).row == 2


def test_tells_of_fishes_that_were_really_baked():
    scene = bpy.context.scene
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    scene.frame_start, scene.frame_end = 5, 14
    bpy.ops.artfish.bake()
    fish = next(obj for obj in scene.objects if obj.get(provenance.ROW) == 1 and provenance.of(obj, provenance.BAKE))
    bpy.context.view_layer.objects.active = fish.children[0]
    scene.frame_set(11)
    observed = source.observe(bpy.context)
    assert (observed.row, observed.recording.frames, observed.name(1)) == (1, 10, fish.name)
    assert observed.frame == 11 - observed.first and observed.first == 5
    place, words, _ = drawings.words(observed)
    above = place[1] - np.array(fish.matrix_world.translation)
    assert np.linalg.norm(above) < observed.recording.body_length[1]
    carrier = fish.parent
    carrier.location.x += 3.0
    bpy.context.view_layer.update()
    moved, _, _ = drawings.words(source.observe(bpy.context))
    assert np.allclose(moved - place, (3.0, 0.0, 0.0), atol=1e-5)
    assert len(words) == 3
    fish.children[0].select_set(True)
    bpy.ops.artfish.retime_fish(frames=4.0, speed=0.5)  # what it feels goes with what it does
    observed = source.observe(bpy.context)
    assert (observed.frame, observed.first, observed.scene_frame(1)) == (1, 9, 11)
    bpy.ops.artfish.hold_fish(frame=9.0, frames=6)  # the same moment goes on for as long as it stops
    felt = {}
    for now in (9, 12, 15, 17):
        scene.frame_set(now)
        felt[now] = source.observe(bpy.context).frame
    assert felt == {9: 0, 12: 0, 15: 0, 17: 1}


def test_it_says_what_is_missing_where_nothing_is_known(monkeypatch, recording, roots):
    """A bake that came from another machine has fishes here, and no recording."""
    monkeypatch.setattr(history, "recording", {}.get)
    assert source.observe(bpy.context) is None
    assert source.lacking(bpy.context).startswith(f"{len(roots)} fishes are baked, but their recording is not on this")
    for root in roots.values():
        bpy.data.objects.remove(root)
    assert source.lacking(bpy.context) == "No fish is live or baked yet"
