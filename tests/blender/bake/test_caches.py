"""The form Cache: fishes read their vertices from a file beside the .blend, which stays small and moves with it."""

import os
import shutil
from dataclasses import replace
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake import bake, cache_files, handling, history, plan, writer
from artfish.blender_artfish.bake.moments import Moments
from artfish.blender_artfish.bake.order import Order
from artfish.blender_artfish.bake.retiming import hold, retime
from artfish.blender_artfish.bake.whole_fish import fishes_of
from artfish.blender_artfish.blender.usd import usd_library
from artfish.blender_artfish.export.exporting import export
from artfish.core import SceneError
from artfish.core.form.mesh import MESH_MATERIALS
from artfish.tests.blender.bake.test_meshes import keyed, recorded, shown
from artfish.tests.blender.bake.test_moments import swum
from artfish.tests.blender.files import new_file

pytestmark = [pytest.mark.versions, pytest.mark.film]

ROUNDING = 4e-6
"""Rounding errors of single precision of places some metres from the origin, in metres."""
FRAMES = 24


@pytest.fixture(scope="module")
def film(swimming):
    """Three fishes, of which one comes at the fifth frame and one goes after the twentieth."""
    whole = swimming("clownfish", "reef_shark", "clownfish", frames=FRAMES)
    alive = whole.alive.copy()
    alive[:4, 0] = alive[20:, 2] = False
    return replace(whole, alive=alive)


def fishes() -> dict[int, bpy.types.Object]:
    """The meshes of the fishes in the scene, by their rows."""
    return {obj["id"]: obj for obj in bpy.context.scene.objects if obj.type == "MESH" and "id" in obj}


def opened(folder, name="film"):
    bpy.ops.wm.open_mainfile(filepath=str(folder / f"{name}.blend"))
    return fishes()


def caches(folder, name="film") -> list[str]:
    """Names of the files in the folder of a .blend's caches, but for what notes who reads them."""
    return sorted(
        path.name for path in (folder / f"{name}_fishes").glob("*") if path.name != cache_files.READ_ELSEWHERE
    )


def local(obj: bpy.types.Object) -> np.ndarray:
    """Vertices of a fish in its own frame, (vertices, 3)."""
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    places = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", places)
    return places.reshape(-1, 3)


def at(frame: float, row: int) -> np.ndarray:
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
    return local(fishes()[row])


# --- what is seen -------------------------------------------------------------------------------------------------


def test_every_vertex_is_where_it_was_simulated_at_every_frame(tmp_path, film):
    bake(film, tmp_path / "film.blend", form="cache", stage=False)
    assert caches(tmp_path) == ["bake_01.usdc"]
    assert sorted(opened(tmp_path)) == [0, 1, 2]
    for row in fishes():
        for frame in np.flatnonzero(film.alive[:, row])[[0, 7, -1]].tolist():
            bpy.context.scene.frame_set(1 + frame)
            assert np.abs(shown(fishes()[row]) - recorded(film, row, frame)).max() < ROUNDING, (row, frame)


def test_it_is_seen_only_while_it_is_there(tmp_path, film):
    bake(film, tmp_path / "film.blend", form="cache", stage=False)
    opened(tmp_path)
    for frame in range(FRAMES):
        bpy.context.scene.frame_set(1 + frame)
        for row, obj in fishes().items():
            assert obj.hide_render == obj.hide_viewport == (not film.alive[frame, row])


def test_the_rate_of_the_scene_changes_nothing_at_a_frame(tmp_path, film):
    bake(film, tmp_path / "film.blend", form="cache", stage=False)
    opened(tmp_path)
    before = at(9, 1)
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 60, 1.001
    assert (at(3, 1) != before).any() and (at(9, 1) == before).all()


def test_a_film_that_begins_elsewhere_begins_there(tmp_path, film):
    order = Order("cache", stage=False, first=101)
    job = writer.bake_job(film, tmp_path / "film.blend", order)
    while not job.step():
        pass
    opened(tmp_path)
    late = {frame: at(101 + frame, 1) for frame in (0, 13)}
    bake(film, tmp_path / "film.blend", form="cache", stage=False)
    opened(tmp_path)
    assert all((at(1 + frame, 1) == places).all() for frame, places in late.items())


def test_between_frames_a_fish_lies_between_them(tmp_path, film):
    bake(film, tmp_path / "film.blend", form="cache", stage=False)
    opened(tmp_path)
    middle, ends = at(9.5, 1), (at(9, 1) + at(10, 1)) / 2
    assert np.abs(middle - ends).max() < 1e-6 and np.abs(at(9, 1) - ends).max() > 1e-3


def test_between_frames_a_fast_stroke_is_the_true_one(tmp_path):
    recorded = swum()
    moments = Moments.of(recorded, 0)
    time, true = float(moments.times[moments.times % 1.0 > 0.0][3]), {}
    for form in ("mesh", "cache"):
        bake(recorded, tmp_path / "film.blend", form=form, drive="shapes", tolerance=0.0, stage=False)
        opened(tmp_path)
        bpy.context.scene.frame_set(1 + int(time), subframe=time % 1.0)
        true[form] = shown(fishes()[0])
    assert np.abs(true["cache"] - true["mesh"]).max() < 1e-4 * recorded.body_length[0]


def test_a_fish_is_one_mesh_with_all_that_the_form_mesh_has(tmp_path, film):
    seen = {}
    for form in ("mesh", "cache"):
        bake(film, tmp_path / "film.blend", form=form, drive="shapes", stage=False)
        for row, obj in opened(tmp_path).items():
            mesh = obj.data
            bpy.context.scene.frame_set(12)
            seen[form, row] = (
                obj.name,
                [material.name for material in mesh.materials],
                len(mesh.polygons),
                [layer.name for layer in mesh.uv_layers],
                {polygon.use_smooth for polygon in mesh.polygons},
                [group.name for group in obj.vertex_groups],
                {key: obj[key] for key in ("id", "species", "artfish_row", "artfish_role") if key in obj},
                {path for path, _ in keyed(obj)},
                [obj[name] for name in ("speed", "bend", "fear", "intention")],
                [above.name for above in (obj.parent, obj.parent.parent)],
            )
    for row in range(3):
        assert seen["cache", row] == seen["mesh", row]
        assert len(seen["cache", row][1]) == len(MESH_MATERIALS)
    one, other = fishes()[0], fishes()[2]
    assert one.data == other.data and [each.type for each in one.modifiers] == ["MESH_SEQUENCE_CACHE"]
    evaluated = one.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    assert [layer.name for layer in evaluated.uv_layers] == seen["cache", 0][3]
    assert {polygon.use_smooth for polygon in evaluated.polygons} == seen["cache", 0][4]


def test_another_reader_sees_the_same_film(tmp_path, film):
    bake(film, tmp_path / "film.blend", form="cache", stage=False)
    library = usd_library()
    stage, geometry = library["Usd"].Stage.Open(str(tmp_path / "film_fishes" / "bake_01.usdc")), library["UsdGeom"]
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode(), stage.GetTimeCodesPerSecond()) == (1, FRAMES, film.fps)
    for row, obj in opened(tmp_path).items():
        fish = geometry.Mesh(stage.GetPrimAtPath(obj.modifiers[0].object_path))
        for frame in range(FRAMES):
            visible = geometry.Imageable(fish).ComputeVisibility(1 + frame) != "invisible"
            assert visible == film.alive[frame, row]
        bpy.context.scene.frame_set(13)
        matrix = np.array(geometry.Xformable(fish).ComputeLocalToWorldTransform(13))
        places = np.array(fish.GetPointsAttr().Get(13)) @ matrix[:3, :3] + matrix[3, :3]
        assert np.abs(places - shown(obj)).max() < ROUNDING


def test_it_goes_on_into_other_formats(tmp_path, film):
    whole = replace(film, alive=np.ones_like(film.alive))
    bake(whole, tmp_path / "film.blend", form="cache", stage=False)
    opened(tmp_path)
    there = len(bpy.data.cache_files)
    bpy.context.scene.frame_set(13)
    true = shown(fishes()[0])
    assert export(tmp_path / "fishes.abc", textures=False) == 3 and len(bpy.data.cache_files) == there
    with pytest.raises(SceneError, match=r"without bones, allowed for \.glb a bake of the form Mesh"):
        export(tmp_path / "fishes.glb")
    new_file()
    bpy.context.scene.render.fps = 24
    bpy.ops.wm.alembic_import(filepath=str(tmp_path / "fishes.abc"), as_background_job=False)
    bpy.context.scene.frame_set(13)
    fish = bpy.data.objects["Clownfish_01"]
    assert np.abs(shown(fish) - true).max() < ROUNDING
    mesh = fish.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    pace = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.attributes["velocity"].data.foreach_get("vector", pace)
    turn = np.array(fish.matrix_world)[:3, :3]
    places = []
    for frame in (12, 14):
        bpy.context.scene.frame_set(frame)
        places.append(shown(fish))
    true_pace = (places[1] - places[0]) * film.fps / 2
    found = pace.reshape(-1, 3) @ turn.T
    assert np.linalg.norm(found - true_pace, axis=1).mean() < 0.25 * np.linalg.norm(true_pace, axis=1).mean()


# --- where it lies ------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_47_fishes_over_120_frames_make_a_small_file(tmp_path, swimming):
    many = swimming(*["clownfish", "blue_tang", "sardine", "butterflyfish"] * 11, *["clownfish"] * 3, frames=120)
    sizes = {}
    for form in ("cache", "mesh"):
        bake(many, tmp_path / "film.blend", form=form, stage=False)
        sizes[form] = os.path.getsize(tmp_path / "film.blend") / 1e6
    assert sizes["cache"] < 5.0 and sizes["cache"] < 0.4 * sizes["mesh"]


def test_the_folder_moves_with_the_file(tmp_path, film):
    (tmp_path / "here").mkdir()
    bake(film, tmp_path / "here" / "film.blend", form="cache", stage=False)
    opened(tmp_path / "here")
    assert [cache.filepath for cache in bpy.data.cache_files] == ["//film_fishes/bake_01.usdc"]
    before = [at(frame, 1) for frame in (2, 15)]
    new_file()
    shutil.move(tmp_path / "here", tmp_path / "there")
    opened(tmp_path / "there")
    assert all((at(frame, 1) == places).all() for frame, places in zip((2, 15), before, strict=True))


def test_the_panel_says_when_the_file_is_missing(tmp_path, film):
    bake(film, tmp_path / "film.blend", form="cache", stage=False)
    opened(tmp_path)
    assert cache_files.missing(bpy.context.scene) == ""
    shutil.rmtree(tmp_path / "film_fishes")
    opened(tmp_path)
    said = cache_files.missing(bpy.context.scene)
    assert said.endswith(
        " and others, 3 in all, stand still: film_fishes/bake_01.usdc is missing. Put it back, or bake again"
    )
    size = np.ptp(shown(fishes()[1]), axis=0).max()
    assert 0.8 < size / film.body_length[1] < 1.2  # at rest it is as large as it is


def test_written_anew_by_the_command_a_file_has_one_cache(tmp_path, film):
    (tmp_path / "film_fishes").mkdir()
    (tmp_path / "film_fishes" / "notes.txt").write_text("mine")
    for _ in range(2):
        bake(film, tmp_path / "film.blend", form="cache", stage=False)
    assert caches(tmp_path) == ["bake_02.usdc", "notes.txt"]
    opened(tmp_path)
    assert cache_files.missing(bpy.context.scene) == ""
    bake(film, tmp_path / "film.blend", form="compact", stage=False)
    assert caches(tmp_path) == ["notes.txt"]


@pytest.mark.parametrize("step", ["fishes", "stage"])
def test_a_bake_that_fails_leaves_no_file(monkeypatch, tmp_path, film, step):
    def fails(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(*((cache_files, "opened", fails) if step == "fishes" else (writer, "hang", fails)))
    with pytest.raises(ZeroDivisionError):
        bake(film, tmp_path / "film.blend", form="cache", stage=False)
    assert list(tmp_path.iterdir()) == [] and not bpy.data.cache_files


def test_one_that_is_given_up_leaves_no_file(tmp_path, film):
    steps = writer.bake_steps(film, tmp_path / "film.blend", Order("cache", stage=False))
    for _ in range(6):
        next(steps)
    assert len(list((tmp_path / "film_fishes").iterdir())) == 1  # half written, under a name of its own
    steps.close()
    assert list(tmp_path.iterdir()) == []


def test_a_blender_without_usd_says_so_before_anything_is_baked(monkeypatch):
    assert cache_files.obstacle() == cache_files.UNSAVED
    without = SimpleNamespace(app=SimpleNamespace(build_options=SimpleNamespace(usd=False)), data=bpy.data)
    monkeypatch.setattr(cache_files, "bpy", without)
    assert cache_files.obstacle() == cache_files.WITHOUT_USD


def test_a_file_that_was_never_saved_is_refused(film):
    with pytest.raises(SceneError, match="a file that was never saved, allowed one that was"):
        bake(film, None, form="cache", stage=False)


# --- in a scene ---------------------------------------------------------------------------------------------------


@pytest.fixture
def water(tmp_path):
    """Three clownfishes and two sardines for twelve frames, in a file that is saved, not baked yet."""
    new_file()
    blender_artfish.register()
    scene = bpy.context.scene
    scene.frame_end, scene.artfish.bake.form = 12, "cache"
    for species, count in (("clownfish", 3), ("sardine", 2)):
        bpy.ops.artfish.add_shoal(species=species, count=count)
    assert "Save this file first" in plan.obstacle(scene)
    with pytest.raises(RuntimeError, match="Save this file first"):
        bpy.ops.artfish.bake()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "film.blend"))
    yield tmp_path
    blender_artfish.unregister()
    history.clear()
    new_file()


def anew():
    """Bakes with another seed."""
    bpy.context.scene.artfish.seed += 1
    assert bpy.ops.artfish.bake() == {"FINISHED"}


def save():
    bpy.ops.wm.save_mainfile()


def test_earlier_caches_stay_while_something_may_read_them(water):
    anew()
    first = at(7, 0)
    anew()
    second = at(7, 0)
    assert caches(water) == ["bake_01.usdc", "bake_02.usdc"] and (first != second).any()
    save()
    bpy.ops.artfish.revert_bake()
    assert (at(7, 0) == first).all()
    assert caches(water) == ["bake_01.usdc", "bake_02.usdc"]  # an undo would want the second back
    save()
    assert caches(water) == ["bake_01.usdc"]
    for _ in range(2):
        anew()
    assert caches(water) == ["bake_01.usdc", "bake_03.usdc", "bake_04.usdc"]
    save()
    assert caches(water) == ["bake_03.usdc", "bake_04.usdc"]  # one earlier bake is kept
    bpy.ops.artfish.drop_earlier_bakes()
    bpy.ops.wm.save_as_mainfile(filepath=str(water / "copy.blend"), copy=True)
    assert caches(water) == ["bake_03.usdc", "bake_04.usdc"]  # the file itself is not saved without it
    save()
    assert caches(water) == ["bake_04.usdc"] and cache_files.missing(bpy.context.scene) == ""


def test_an_undo_finds_its_cache_again(water):
    anew()
    bpy.ops.ed.undo_push(message="First")
    first = at(7, 0)
    anew()
    second = at(7, 0)
    bpy.ops.ed.undo_push(message="Second")
    save()
    bpy.ops.artfish.revert_bake()
    assert (at(7, 0) == first).all() and cache_files.leaving() > 0
    bpy.ops.ed.undo_push(message="Reverted")
    bpy.ops.ed.undo()
    assert cache_files.leaving() == 0 and (at(7, 0) == second).all()
    save()
    bpy.ops.ed.undo()
    assert (at(7, 0) == first).all() and cache_files.missing(bpy.context.scene) == ""
    assert caches(water) == ["bake_01.usdc", "bake_02.usdc"]


def test_what_was_dropped_and_not_saved_stays(water):
    anew()
    save()
    bpy.ops.artfish.revert_bake()
    bpy.ops.wm.open_mainfile(filepath=bpy.data.filepath)
    save()
    assert caches(water) == ["bake_01.usdc"] and cache_files.missing(bpy.context.scene) == ""


def test_a_copy_under_another_name_reads_and_keeps_the_first_ones(water):
    anew()
    save()
    bpy.ops.wm.save_as_mainfile(filepath=str(water / "second.blend"))
    anew()
    bpy.ops.artfish.drop_earlier_bakes()
    save()
    assert caches(water) == ["bake_01.usdc"] and caches(water, "second") == ["bake_01.usdc"]


@pytest.mark.parametrize("copy", [False, True])
def test_what_a_later_version_reads_stays_while_it_is_there(water, copy):
    anew()
    first = at(7, 0)
    save()
    bpy.ops.wm.save_as_mainfile(filepath=str(water / "film_v2.blend"), copy=copy)
    opened(water)
    for _ in range(3):
        anew()
        save()
    assert caches(water) == ["bake_01.usdc", "bake_03.usdc", "bake_04.usdc"]
    opened(water, "film_v2")
    assert (at(7, 0) == first).all()
    opened(water)
    (water / "film_v2.blend").unlink()
    bpy.ops.artfish.drop_earlier_bakes()
    save()
    assert caches(water) == ["bake_01.usdc", "bake_04.usdc"]  # it was dropped in another session


def test_a_fish_that_was_appended_keeps_its_cache(water):
    anew()
    first = at(7, 0)
    save()
    new_file()
    with bpy.data.libraries.load(str(water / "film.blend")) as (there, here):
        here.collections = [name for name in there.collections if name == "Artfish"]
    bpy.context.scene.collection.children.link(here.collections[0])
    bpy.ops.wm.save_as_mainfile(filepath=str(water / "other.blend"))
    opened(water)
    for _ in range(3):
        anew()
        save()
    opened(water, "other")
    assert (at(7, 0) == first).all()


@pytest.mark.parametrize("noted", ["", "[]", '{"bake_01.usdc": 3}', '{"bake_01.usdc": [3, "../none.blend"]}', "\xff"])
def test_a_note_of_readers_that_is_none_keeps_nothing(water, noted):
    anew()
    save()
    (water / "film_fishes" / cache_files.READ_ELSEWHERE).write_text(noted)
    assert cache_files.read_elsewhere(water / "film_fishes" / "bake_01.usdc") == []
    bpy.ops.artfish.revert_bake()
    save()
    assert not (water / "film_fishes").exists()


def test_a_bake_whose_file_is_missing_is_baked_again(water):
    anew()
    assert bpy.ops.artfish.bake() == {"CANCELLED"}
    (water / "film_fishes" / "bake_01.usdc").unlink()
    assert cache_files.missing(bpy.context.scene)
    before = bpy.context.scene.artfish.seed
    assert bpy.ops.artfish.bake() == {"FINISHED"} and bpy.context.scene.artfish.seed == before
    assert cache_files.missing(bpy.context.scene) == ""


def test_some_fishes_only_get_a_file_of_their_own(water):
    anew()
    before, others = fishes(), {row: at(7, row) for row in (0, 1, 2)}
    shoal = next(obj for obj in bpy.context.scene.objects if obj.artfish.kind == "SHOAL" and "ardine" in obj.name)
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    shoal.select_set(True)
    bpy.context.scene.artfish.seed += 1
    assert bpy.ops.artfish.bake(scope="SELECTED") == {"FINISHED"}
    now = fishes()
    assert [now[row] == before[row] for row in range(5)] == [True] * 3 + [False] * 2
    assert all((at(7, row) == places).all() for row, places in others.items())
    assert {cache.name for cache in cache_files.caches_of([now[3], now[4]])} == {"film_fishes bake_02"}
    assert caches(water) == ["bake_01.usdc", "bake_02.usdc"]


def whole(row):
    return fishes_of(bpy.context.scene, [fishes()[row]])[0]


def test_a_fish_is_retimed_alone(water):
    anew()
    film = {frame: at(frame, 0) for frame in (2, 5, 8)}
    other = at(7, 1)
    retime(whole(0), 3.0, 0.5)
    for frame, places in film.items():
        assert np.abs(at(4 + 2 * (frame - 1), 0) - places).max() < 1e-5
    assert (at(7, 1) == other).all()
    copy = handling.duplicate(whole(0))
    retime(copy, 0.0, 1.0)
    bpy.context.scene.frame_set(5)
    assert np.abs(local(copy.root) - film[5]).max() < 1e-6
    assert np.abs(at(12, 0) - film[5]).max() < 1e-5  # of which it has keys of its own
    retime(whole(0), 0.0, 1.0)
    assert np.abs(at(8, 0) - film[8]).max() < 1e-6


def test_a_fish_stops_and_its_tail_goes_on(water):
    """Before the stop and after it, six frames late, it is read as it was; within it, it sways in place."""
    anew()
    film = {frame: at(frame, 0) for frame in (1, 9, 10)}
    still = at(5, 0)
    hold(whole(0), 5.0, 6.0)
    for frame, places in film.items():
        assert np.abs(at(frame + 6 * (frame > 5), 0) - places).max() < 1e-5
    swayed, roots = [], []
    for frame in (7, 8, 9):
        swayed.append(at(frame, 0))
        roots.append(np.array(fishes()[0].matrix_world.translation))
    assert np.ptp(roots, axis=0).max() < 1e-4
    assert np.abs(np.array(swayed) - still).max() > 1e-4
    retime(whole(0), 0.0, 1.0)


def test_a_fish_is_deleted_hidden_and_painted_like_any(water):
    anew()
    bpy.ops.object.select_all(action="DESELECT")
    fishes()[1].select_set(True)
    bpy.ops.artfish.swap_look(species="blue_tang")
    skins = [fishes()[row].data.materials[0].name.split()[0] for row in (0, 1, 2)]
    assert skins == ["clownfish", "blue_tang", "clownfish"]
    with pytest.raises(RuntimeError, match="without bones"):
        bpy.ops.artfish.swap_species(species="sardine")
    handling.hide(whole(1))
    assert fishes()[1].hide_render
    before = at(7, 0)
    handling.delete([whole(1)])
    assert sorted(fishes()) == [0, 2, 3, 4] and (at(7, 0) == before).all()
