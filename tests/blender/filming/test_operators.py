"""The cinematographer's buttons: shots of a fish, an event and the best moments, in every form, and back again."""

from dataclasses import replace

import bpy
import numpy as np
import pytest
from mathutils import Vector

from artfish.blender_artfish.bake import history
from artfish.blender_artfish.blender.versions import channelbags
from artfish.blender_artfish.filming.shooting import shot_of
from artfish.blender_artfish.filming.shots import shots_of, span_of
from artfish.blender_artfish.fish.surfaces import FACETS_BY_SHARE, RENDERED_SURFACE_FACETS
from artfish.core.studio.smoothing import between
from artfish.core.studio.subjects import find
from artfish.tests.blender.filming.conftest import EVENTS, FRAMES

pytestmark = [pytest.mark.versions, pytest.mark.film]


def activate(name: str) -> None:
    """Makes an object the only selected and the active one."""
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    bpy.context.view_layer.objects.active = bpy.data.objects[name]
    bpy.data.objects[name].select_set(True)


def seen(camera, point):
    """A place in the picture of a camera, over half its width, and its distance ahead."""
    x, y, z = camera.matrix_world.normalized().inverted() @ Vector(point)
    zoom = 2.0 * camera.data.lens / camera.data.sensor_width / max(-z, 1e-9)
    return x * zoom, y * zoom, -z


def cuts() -> dict[int, str]:
    """Names of the cameras that markers cut to, by frame."""
    return {marker.frame: marker.camera.name for marker in bpy.context.scene.timeline_markers if marker.camera}


@pytest.mark.parametrize("form", ["compact", "mesh", "crowd"])
def test_a_fish_of_every_form_is_filmed_and_sharp(baked, form):
    recording = baked(form)
    scene = bpy.context.scene
    scene.frame_set(11)
    activate({"compact": "Grouper 01 eye left", "mesh": "Grouper 01 mesh", "crowd": "Grouper crowd 01"}[form])
    assert bpy.ops.artfish.film_fish(move="follow", seconds=1.5, size=0.3, lens=50.0) == {"FINISHED"}
    (camera,) = shots_of(scene)
    assert camera.name.startswith("Shot 01 Follow Grouper") and camera.data.lens == 50.0
    assert span_of(camera)[:2] == (11, 46) and cuts() == {11: camera.name} and scene.camera == camera
    sizes = []
    for frame in range(11, 47, 5):
        scene.frame_set(frame)
        nodes = recording.nodes[frame - 1, 1].astype(float)
        x, y, ahead = seen(camera, nodes.mean(axis=0))
        assert abs(x) < 0.8 and abs(y) < 0.5 and ahead > 0.0
        sizes.append(np.ptp([seen(camera, node)[0] for node in nodes]) / 2.0)
        assert camera.data.dof.focus_distance == pytest.approx(ahead, rel=0.25)
    assert 0.1 < max(sizes) < 0.6 and camera.data.dof.use_dof
    assert len([curve for bag in channelbags(camera.data) for curve in bag.fcurves]) == 1


def test_the_report_says_which_frames_are_filmed_wherever_the_playhead_is(baked, capfd):
    baked("mesh")
    activate("Grouper 01 mesh")
    bpy.context.scene.frame_set(FRAMES + 400)
    assert bpy.ops.artfish.film_fish(seconds=0.5) == {"FINISHED"}
    (camera,) = shots_of(bpy.context.scene)
    first, last, _ = span_of(camera)
    assert last <= FRAMES + 1
    assert f"{camera.name}, frames {first} to {last}" in capfd.readouterr().out


def test_a_fish_that_fills_the_picture_is_rendered_finely(baked):
    """No other fish is, for fine surfaces take time."""
    baked("compact")

    def facets() -> dict[str, set[tuple[int, int]]]:
        found: dict[str, set[tuple[int, int]]] = {}
        for obj in bpy.data.objects:
            if obj.type == "SURFACE":
                sizes = obj.data.render_resolution_u, obj.data.render_resolution_v
                found.setdefault(obj.parent.name, set()).add(sizes)
        return found

    activate("Grouper 01")
    bpy.context.scene.frame_set(11)
    before = facets()
    assert bpy.ops.artfish.film_fish(move="dolly", seconds=1.0, size=0.15) == {"FINISHED"}
    assert facets() == before and set().union(*before.values()) == {RENDERED_SURFACE_FACETS}
    assert bpy.ops.artfish.film_fish(move="dolly", seconds=1.0, size=0.9) == {"FINISHED"}
    assert facets() == before | {"Grouper 01": {FACETS_BY_SHARE[0][1]}}


@pytest.mark.sampled
@pytest.mark.parametrize("move", ["lead", "over_shoulder", "fish_cam", "dolly", "crane", "reveal", "locked"])
def test_every_move_can_be_chosen(baked, move):
    baked()
    activate("Clownfish 01")
    assert bpy.ops.artfish.film_fish(move=move, seconds=1.0) == {"FINISHED"}


def test_what_befalls_a_school_is_filmed_and_described(baked, monkeypatch):
    parted = {"kind": "parted", "frame": 30, "fish": 0, "other": 2}
    for room in ("parting", "subjects"):
        monkeypatch.setattr(f"artfish.core.studio.{room}.school_events", lambda recording: [parted])
    recording = baked()
    assert bpy.ops.artfish.film_event(kind="parted", seconds=1.0) == {"FINISHED"}
    (camera,) = shots_of(bpy.context.scene)
    first, last, _ = span_of(camera)
    assert first <= 31 <= last and "parted" in camera.name
    assert recording.described(parted) == "the school of clownfish 0 parted from that of sardine 2"


def test_an_event_happens_in_its_shot_and_the_focus_goes_over(baked):
    recording = baked()
    scene = bpy.context.scene
    assert bpy.ops.artfish.film_event(kind="eaten", nth=-1, move="dolly", seconds=1.0, pull=True) == {"FINISHED"}
    (camera,) = shots_of(scene)
    first, last, _ = span_of(camera)
    assert first <= 46 <= last and "eaten" in camera.name and "Grouper" in camera.name
    away = []
    for frame, row in ((first, 1), (last, 0)):
        scene.frame_set(frame)
        middle = recording.nodes[frame - 1, row].astype(float).mean(axis=0)
        away.append((camera.data.dof.focus_distance, (Vector(middle) - camera.matrix_world.translation).length))
    assert away[0][0] == pytest.approx(away[0][1], rel=0.25) and away[1][0] == pytest.approx(away[1][1], rel=0.25)
    assert abs(away[0][1] - away[1][1]) > 0.3 * away[0][1]  # the two are so far apart that it says something


def test_playing_an_edit_cuts_from_shot_to_shot(baked):
    baked(frames=120, events=[event | {"frame": 4 * event["frame"] - 80} for event in EVENTS])
    scene = bpy.context.scene
    assert bpy.ops.artfish.film_edit(count=10, seconds=0.8, fill=True) == {"FINISHED"}
    cameras = shots_of(scene)
    assert len(cameras) >= 10 and [camera.name[:7] for camera in cameras] == [
        f"Shot {number:02d}" for number in range(1, len(cameras) + 1)
    ]
    assert any("eaten" in camera.name for camera in cameras)
    assert sum("eaten" not in camera.name and "fed" not in camera.name for camera in cameras) >= 3
    filmed = {}
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        filmed[frame] = scene.camera
    for camera in cameras:
        first, last, _ = span_of(camera)
        assert all(filmed[frame] == camera for frame in range(first, last + 1)), camera.name
    assert span_of(cameras[0])[0] == 1 and span_of(cameras[-1])[1] == 120


def test_an_edit_keeps_the_shots_that_are_there(baked):
    baked(frames=120)
    scene = bpy.context.scene
    scene.frame_set(31)
    activate("Clownfish 01")
    bpy.ops.artfish.film_fish(move="locked", seconds=1.0)
    (own,) = shots_of(scene)
    keys, name = own.matrix_world.copy(), own.name
    assert bpy.ops.artfish.film_edit(count=6, seconds=1.0) == {"FINISHED"}
    assert own.name == name and span_of(own)[:2] == (31, 54) and own.matrix_world == keys
    made = [camera for camera in shots_of(scene) if camera != own]
    covered = {frame for camera in made for frame in range(span_of(camera)[0], span_of(camera)[1] + 1)}
    assert len(made) >= 6 and covered == {*range(1, 31), *range(55, 121)}
    for frame in (30, 31, 54, 55):
        scene.frame_set(frame)
        assert (scene.camera == own) == (31 <= frame <= 54)
    with pytest.raises(RuntimeError, match="no frame that is not filmed"):
        scene.frame_set(1)
        bpy.ops.artfish.film_fish(move="locked", seconds=5.0)
        bpy.ops.artfish.film_edit(count=6, seconds=1.0)


def everything() -> dict[str, list[str]]:
    """Names of cameras, actions, collections and cuts."""
    found = {kind: sorted(getattr(bpy.data, kind).keys()) for kind in ("objects", "cameras", "actions", "collections")}
    return found | {"markers": [(marker.frame, marker.name) for marker in bpy.context.scene.timeline_markers]}


def test_an_edit_that_is_made_again_leaves_nothing_of_the_one_before(baked):
    baked(frames=120, stage=True)
    scene = bpy.context.scene
    bpy.ops.artfish.film_edit(count=4, seconds=1.0)
    once = everything()
    bpy.ops.artfish.film_edit(count=9, seconds=0.5)
    cameras = shots_of(scene)
    assert len(cameras) >= 9 and sorted(cuts().values()) == sorted(camera.name for camera in cameras)
    bpy.ops.artfish.film_edit(count=4, seconds=1.0)
    assert everything() == once


def test_shots_of_an_edit_that_somebody_worked_on_are_kept(baked):
    """A camera whose keys were moved, and one that was filmed again by other numbers, are the animator's own."""
    baked(frames=120)
    scene = bpy.context.scene
    bpy.ops.artfish.film_edit(count=5, seconds=1.0)
    cameras = shots_of(scene)
    (bag,) = channelbags(cameras[1])
    bag.fcurves[0].keyframe_points[0].co.y += 0.5
    bpy.ops.artfish.film_again(camera=cameras[3].name, move="crane", lens=80.0, seconds=0.9)
    kept = {camera.name: span_of(camera) for camera in (cameras[1], cameras[3])}
    bpy.ops.artfish.film_edit(count=8, seconds=0.5)
    now = {camera.name: span_of(camera) for camera in shots_of(scene)}
    assert kept.items() <= now.items() and len(now) >= 10
    frames = sorted(frame for first, last, _ in now.values() for frame in range(first, last + 1))
    assert frames == [*range(1, 121)]  # each once


def test_a_shot_that_another_takes_the_place_of_leaves_no_camera_and_no_marker(baked):
    baked(stage=True)
    scene = bpy.context.scene
    scene.frame_set(10)
    activate("Clownfish 01")
    bpy.ops.artfish.film_fish(seconds=1.0, move="follow")
    (first,) = shots_of(scene)
    blocks = len(bpy.data.objects), len(bpy.data.cameras), len(bpy.data.actions), len(scene.timeline_markers)
    bpy.ops.artfish.film_fish(seconds=1.0, move="dolly")
    (second,) = shots_of(scene)
    assert "Dolly" in second.name
    assert (len(bpy.data.objects), len(bpy.data.cameras), len(bpy.data.actions), len(scene.timeline_markers)) == blocks
    second.keyframe_insert("location", frame=12)
    bpy.ops.artfish.film_fish(seconds=2.0, move="crane")
    assert second in shots_of(scene) and len(shots_of(scene)) == 2  # it was worked on


def test_no_shot_begins_before_its_fish_is_there(baked):
    recording = baked(frames=120)
    alive = recording.alive.copy()
    alive[:40, 0] = alive[60:, 2] = False
    late = replace(recording, alive=alive, events=[{"kind": "entered", "fish": 0, "other": 0, "frame": 40}])
    bake_id = history.last(bpy.context.scene).id
    history.remember(bake_id.partition(".")[0], late)
    bpy.ops.artfish.film_edit(count=8, seconds=0.5)
    for camera in shots_of(bpy.context.scene):
        row = find(late, shot_of(camera).subject)[0][0]
        assert alive[span_of(camera)[0] - 1, row]
    scene = bpy.context.scene
    bpy.ops.artfish.remove_shot(camera="")
    scene.frame_set(20)
    activate("Clownfish 01")
    bpy.ops.artfish.film_fish(seconds=1.0, move="follow")
    assert span_of(shots_of(scene)[0])[:2] == (41, 64)


def test_before_and_after_a_shot_the_scene_is_filmed_as_before(baked):
    baked(stage=True)
    scene = bpy.context.scene
    former = scene.camera
    scene.frame_set(20)
    activate("Clownfish 01")
    bpy.ops.artfish.film_fish(seconds=1.0, move="follow")
    scene.frame_set(30)
    bpy.ops.artfish.film_fish(seconds=1.0, move="dolly")
    one, two = shots_of(scene)
    assert cuts() == {1: former.name, 20: one.name, 30: two.name, 54: former.name}
    sheets = {obj.parent: obj for obj in scene.objects if obj.name.startswith("Light shafts")}
    assert set(sheets) == {former, one, two}
    for frame in (5, 25, 40, 58):
        scene.frame_set(frame)
        assert [camera for camera, sheet in sheets.items() if not sheet.hide_render] == [scene.camera]
    bpy.ops.artfish.remove_shot(camera=two.name)
    assert cuts() == {1: former.name, 20: one.name, 44: former.name}
    bpy.ops.artfish.remove_shot(camera=one.name)
    assert cuts() == {} and scene.camera == former and not shots_of(scene)
    for frame in (10, 20):
        scene.frame_set(frame)
        bpy.ops.artfish.film_fish(seconds=1.0, move="locked")
    bpy.ops.artfish.remove_shot(camera="")
    assert cuts() == {} and scene.camera == former and not shots_of(scene)
    assert not sheets[former].hide_render and "Shots" not in bpy.data.collections
    assert not [action for action in bpy.data.actions if action.name.startswith("Shot")]


def test_a_shot_is_filmed_again_by_other_numbers(baked):
    baked()
    scene = bpy.context.scene
    activate("Clownfish 01")
    bpy.ops.artfish.film_fish(seconds=1.0, move="follow", lens=35.0)
    (camera,) = shots_of(scene)
    target = bpy.data.objects.new("Looks", None)
    scene.collection.objects.link(target)
    target.parent = camera
    target.keyframe_insert("location", frame=1)
    keys = target.animation_data.action
    blocks = len(bpy.data.cameras), len(bpy.data.actions), len(bpy.data.objects)
    bpy.ops.artfish.film_again(camera=camera.name, move="crane", seconds=2.0, lens=60.0, size=0.3, blur=0.001)
    assert shots_of(scene) == [camera] == [target.parent] and camera.data.lens == 60.0
    assert camera.name == "Shot 01 Crane Clownfish 01" and span_of(camera) == (1, 48, 1) and cuts() == {1: camera.name}
    assert (len(bpy.data.cameras), len(bpy.data.actions), len(bpy.data.objects)) == blocks
    assert target.animation_data.action == keys
    bpy.ops.artfish.film_again(camera=camera.name, renew=True)
    assert camera.data.lens == 60.0 and span_of(camera) == (1, 48, 1)


SHOTS = {
    "fish": lambda: bpy.ops.artfish.film_fish("EXEC_DEFAULT", True, seconds=1.0),
    "event": lambda: bpy.ops.artfish.film_event("EXEC_DEFAULT", True, kind="eaten", seconds=1.0),
    "edit": lambda: bpy.ops.artfish.film_edit("EXEC_DEFAULT", True, seconds=0.5),
}


@pytest.mark.sampled
@pytest.mark.parametrize("what", SHOTS)
def test_one_undo_takes_shots_back(baked, what):
    baked()
    bpy.context.scene.camera = bpy.data.objects.new("Mine", bpy.data.cameras.new("Mine"))
    bpy.context.scene.collection.objects.link(bpy.context.scene.camera)
    activate("Clownfish 01")
    bpy.ops.ed.undo_push(message="Before")
    before = sorted(bpy.data.objects.keys()), bpy.context.scene.camera.name
    assert SHOTS[what]() == {"FINISHED"} and cuts()
    bpy.ops.ed.undo()
    assert (sorted(bpy.data.objects.keys()), bpy.context.scene.camera.name) == before and not cuts()


def test_where_a_bake_was_moved_to_it_is_filmed(baked):
    recording = baked()
    scene = bpy.context.scene
    root = history.last(scene).root
    root.location, root.rotation_euler = (3.0, -2.0, 1.0), (0.0, 0.0, 0.7)
    scene.frame_set(1)
    activate("Clownfish 01")
    bpy.ops.artfish.film_fish(seconds=1.0, move="dolly")
    (camera,) = shots_of(scene)
    scene.frame_set(12)
    middle = root.matrix_world @ Vector(between(recording.nodes[:, 0], np.array([11.0]))[0].mean(axis=0))
    x, y, ahead = seen(camera, middle)
    assert abs(x) < 0.5 and abs(y) < 0.4 and ahead > 0.0


def test_what_cannot_be_filmed_is_said(baked):
    with pytest.raises(RuntimeError, match="Bake first"):
        bpy.ops.artfish.film_edit()
    recording = baked()
    bpy.context.view_layer.objects.active = None
    with pytest.raises(RuntimeError, match="Select a baked fish first"):
        bpy.ops.artfish.film_fish()
    with pytest.raises(RuntimeError, match="found spawned 0, allowed one that happens"):
        bpy.ops.artfish.film_event(kind="spawned")
    with pytest.raises(RuntimeError, match="found eaten 2, allowed one of the 2 in this bake"):
        bpy.ops.artfish.film_event(kind="eaten", nth=2)
    with pytest.raises(RuntimeError, match="2.5 s to film, allowed more than shots of 4 s take"):
        bpy.ops.artfish.film_edit(fill=False)
    with pytest.raises(RuntimeError, match="There is no shot in this scene"):
        bpy.ops.artfish.remove_shot()
    history.clear()
    with pytest.raises(RuntimeError, match="bake again"):
        bpy.ops.artfish.film_event(kind="eaten")
    history.remember(history.key_of(recording), recording)
    bpy.ops.artfish.film_event(kind="eaten")
    (camera,) = shots_of(bpy.context.scene)
    camera["artfish_shot"] = "no JSON"
    with pytest.raises(RuntimeError, match="no JSON|Shot 01"):
        bpy.ops.artfish.film_again(camera=camera.name, renew=True)
    assert len(recording.events) == 3 and FRAMES == recording.frames and not cuts().keys() - {span_of(camera)[0]}


def test_a_rock_that_comes_between_two_shots_is_kept_clear_of(baked):
    """Scenery is looked for anew where anything has changed."""
    baked()
    scene = bpy.context.scene
    activate("Clownfish 01")
    bpy.ops.artfish.film_fish(seconds=1.0, move="locked")
    (camera,) = shots_of(scene)
    at = camera.matrix_world.translation.copy()
    bpy.ops.mesh.primitive_cube_add(location=at, size=0.8)
    activate("Clownfish 01")
    bpy.ops.artfish.film_fish(seconds=1.0, move="locked")
    (camera,) = shots_of(scene)
    assert np.abs(np.array(camera.matrix_world.translation - at)).max() > 0.3
