"""Operators that put objects into the water, and load and save scene files."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import pytest

from artfish.blender_artfish.identity import roles
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.scene import tank as tank_module
from artfish.blender_artfish.scene.operators import ARTFISH_OT_save_scene
from artfish.core import Scene


def test_one_click_adds_fishes_and_water(scene):
    assert bpy.ops.artfish.add_shoal("INVOKE_DEFAULT") == {"FINISHED"}
    bpy.context.view_layer.update()
    reading = scene_reader.read(scene)
    assert reading.scene.count == 6
    assert bpy.context.object == reading.shoals[0]
    assert reading.scene.tank.size == pytest.approx((4, 3, 2))
    for kind in ("PLANKTON", "SEAWEED", "BUBBLES", "HOOK", "HEAT"):
        assert bpy.ops.artfish.add_thing(kind=kind) == {"FINISHED"}
    for flow in ("uniform", "source", "sink", "vortex"):
        assert bpy.ops.artfish.add_thing(kind="CURRENT", flow=flow) == {"FINISHED"}
    assert bpy.ops.artfish.add_pillar() == {"FINISHED"}
    bpy.context.view_layer.update()
    full = scene_reader.read(scene).scene
    assert [flow.kind for flow in full.current] == ["uniform", "source", "sink", "vortex"]
    assert full.hook is not None and full.plankton.count == 200
    assert len(full.seaweed) == len(full.bubbles) == len(full.temperature.sources) == len(full.obstacles) == 1


def test_scene_files_are_loaded_and_saved(scene, tmp_path, same, without_meshes):
    path = str(tmp_path / "mine.json")
    assert bpy.ops.artfish.load_preset(preset="mating") == {"FINISHED"}
    bpy.context.view_layer.update()
    assert bpy.ops.artfish.save_scene(filepath=path) == {"FINISHED"}
    assert same(without_meshes(Scene.load("mating")), without_meshes(Scene.load(path))) == []
    before = len(roles.objects_of(scene))
    (tmp_path / "bad.json").write_text('{"fishes": 3}')
    with pytest.raises(RuntimeError, match="fishes: found 3"):
        bpy.ops.artfish.load_scene(filepath=str(tmp_path / "bad.json"))
    assert len(roles.objects_of(scene)) == before


def test_an_own_mesh_is_let_go_not_deleted(scene):
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(1, 1, 1))
    mine = bpy.context.object
    assert bpy.ops.artfish.mark(kind="OBSTACLE") == {"FINISHED"}
    assert mine.artfish.kind == "OBSTACLE"
    bpy.ops.artfish.load_preset(preset="mating")
    assert mine.artfish.kind == "NONE" and mine.name in scene.objects


def test_the_first_tank_stands_clear_of_what_is_there(scene):
    bpy.ops.mesh.primitive_cube_add(size=2.0)
    bpy.ops.artfish.add_shoal(species="clownfish")
    bpy.context.view_layer.update()
    low, size = tank_module.size_of(scene)
    assert low.y >= 1.0 and tuple(size) == pytest.approx((4, 3, 2))
    assert tuple(bpy.context.object.location) == pytest.approx(tuple(low + 0.5 * size), abs=1e-6)


class Saving(SimpleNamespace):
    """Stands in for the operator that saves, and for the parts of Blender's window that its modal form uses."""

    modal, stop, show, left = (getattr(ARTFISH_OT_save_scene, name) for name in ("modal", "stop", "show", "left"))
    finish, refuse, new_job = (getattr(ARTFISH_OT_save_scene, name) for name in ("finish", "refuse", "new_job"))
    file, filename_ext = ARTFISH_OT_save_scene.file, ARTFISH_OT_save_scene.filename_ext
    bl_label = "Save Scene File"

    def __init__(self, filepath: str):
        super().__init__(filepath=filepath, chosen=True, reports=[], shares=[])
        manager = SimpleNamespace(
            event_timer_add=lambda pause, window: pause,
            event_timer_remove=lambda timer: None,
            modal_handler_add=lambda operator: None,
            progress_begin=lambda low, high: None,
            progress_update=self.shares.append,
            progress_end=lambda: None,
        )
        self.context = SimpleNamespace(scene=bpy.context.scene, window=None, window_manager=manager)
        assert ARTFISH_OT_save_scene.invoke(self, self.context, None) == {"RUNNING_MODAL"}

    def report(self, kind, text):
        self.reports.append((kind, text))

    def send(self, kind):
        return self.modal(self.context, SimpleNamespace(type=kind))


@pytest.fixture
def follower(scene):
    """A rock that a constraint has follow something keyed, in a film of ten frames."""
    bpy.ops.artfish.add_shoal(species="clownfish", count=1)
    scene.frame_start, scene.frame_end = 1, 10
    guide = bpy.data.objects.new("Guide", None)
    scene.collection.objects.link(guide)
    for frame in (1, 10):
        guide.location = (0.1 * frame, 1.0, 1.0)
        guide.keyframe_insert("location", frame=frame)
    bpy.ops.mesh.primitive_cube_add(size=0.5)
    bpy.context.object.constraints.new("COPY_LOCATION").target = guide
    assert bpy.ops.artfish.mark(kind="OBSTACLE") == {"FINISHED"}
    scene.frame_set(4)
    return bpy.context.object


@pytest.mark.film
def test_a_scene_file_is_written_a_frame_at_a_time_and_as_at_one_go(scene, follower, tmp_path, monkeypatch):
    monkeypatch.setattr("artfish.blender_artfish.blender.jobs.WORK_SECONDS", (1e-5, 1e-5))
    monkeypatch.setattr("artfish.blender_artfish.blender.jobs.SHOW_SECONDS", 0.0)
    direct, modal = tmp_path / "direct.json", tmp_path / "modal.json"
    assert bpy.ops.artfish.save_scene(filepath=str(direct)) == {"FINISHED"}
    operator, seen = Saving(str(modal)), []
    while (result := operator.send("TIMER")) == {"RUNNING_MODAL"}:
        seen.append(operator.job.text)
        assert not bpy.ops.artfish.save_scene.poll() and not modal.exists()
    assert result == {"FINISHED"} and operator.reports == [({"INFO"}, "Saved modal.json")]
    assert [f"Looking at what moves, frame {frame}" for frame in range(1, 11)] == list(
        dict.fromkeys(text for text in seen if "frame" in text)
    )
    assert operator.shares == sorted(operator.shares)
    assert modal.read_bytes() == direct.read_bytes() and len(Scene.load(modal).obstacles[0].motion) > 2
    assert scene.frame_current == 4


@pytest.mark.parametrize("ticks", [1, 4])
def test_a_scene_file_that_is_given_up_is_not_written(scene, follower, tmp_path, monkeypatch, ticks):
    monkeypatch.setattr("artfish.blender_artfish.blender.jobs.WORK_SECONDS", (1e-5, 1e-5))
    operator = Saving(str(tmp_path / "mine.json"))
    for _ in range(ticks):
        assert operator.send("TIMER") == {"RUNNING_MODAL"}
    assert operator.send("ESC") == {"CANCELLED"}
    assert operator.reports == [({"INFO"}, "Save Scene File given up: everything is as it was")]
    assert not list(tmp_path.iterdir()) and scene.frame_current == 4


def test_without_a_file_nothing_is_written(scene):
    bpy.ops.artfish.add_shoal(species="clownfish", count=1)
    with pytest.raises(RuntimeError, match=r"No file was chosen: choose a scene file \(.json\)"):
        bpy.ops.artfish.save_scene()
