"""The open scene's film becomes a data set: true in any units, as its cameras see it, and the scene stays as it was."""

from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from artfish import blender_artfish
from artfish.blender_artfish.bake import history
from artfish.blender_artfish.bake.order import Order
from artfish.blender_artfish.dataset import filmed
from artfish.blender_artfish.dataset.filmed import DatasetJob
from artfish.core.base.codec import SceneError
from artfish.core.base.files import read_json
from artfish.core.dataset.reading import LabelledSet
from artfish.core.scene.species import Species
from artfish.tests.blender.dataset.film import HIGH, WIDE, add_camera, bake_film, labels_of, marks_of, missed

pytestmark = pytest.mark.film
FISHES = "clownfish", "sardine", "clownfish"


@pytest.fixture(autouse=True)
def folder(fresh_file: None, tmp_path: Path) -> Iterator[Path]:
    """The add-on is enabled, and its data set goes into a new folder, every fourth frame of eight."""
    blender_artfish.register()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 8
    scene.artfish_dataset.folder, scene.artfish_dataset.every = str(tmp_path / "set"), 4
    yield tmp_path / "set"
    blender_artfish.unregister()
    history.clear()


@pytest.fixture
def film(swimming):
    """Bakes three fishes that swim into the open scene; arguments as of `bake_film`."""

    def make(*args, **options):
        return bake_film(swimming(*FISHES, frames=8), *args, **options)

    return make


def make() -> None:
    """Makes the data set, as a script does."""
    assert bpy.ops.artfish.make_dataset.poll()
    assert bpy.ops.artfish.make_dataset() == {"FINISHED"}


# --- truth --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["points", "compact", "mesh", "crowd", "cache"])
def test_labels_of_every_form_are_what_is_rendered(film, form, folder):
    bpy.ops.wm.save_as_mainfile(filepath=str(folder.parent / "film.blend"))
    bake = film(form, file=bpy.data.filepath)
    recording = history.recording(bake.id)
    make()
    found = labels_of(folder)
    assert list(found) == [1, 5]
    for frame, labels in found.items():
        assert missed(folder, labels) <= 0.02  # edges, where rounding decides
        assert len(np.unique(marks_of(labels))) == 4
        for fish in labels["fishes"]:
            assert fish["species"] == FISHES[fish["fish"]]
            middle = recording.nodes[frame - 1, fish["fish"]].mean(axis=0)
            assert np.linalg.norm(np.subtract(fish["pose"]["place"], middle)) < fish["length"]
            left, top, wide, high = fish["whole"]["box"]
            column, row = seen_at(labels, middle)
            assert left <= column <= left + wide and top <= row <= top + high
    of = LabelledSet.read(folder)
    assert of.species == ("clownfish", "sardine") and of.cameras == ("camera",)
    assert all((folder / name).exists() for name in ("index.html", "README.md", "coco.json", "mot", "yolo"))


def seen_at(labels: dict, place: np.ndarray) -> list[float]:
    """The pixel of a place in the water by the matrix and the lens of some labels."""
    optics = labels["optics"]
    local = np.array(optics["matrix"]) @ [*place, 1.0]
    return (local[:2] / local[2] * optics["focal"] + optics["centre"]).tolist()


def test_a_scene_in_centimetres_with_its_water_elsewhere_has_the_same_labels(film, folder):
    film()
    make()
    metres = labels_of(folder)
    history.clear()
    other = folder.parent / "other"
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 8
    scene.artfish_dataset.folder, scene.artfish_dataset.every = str(other), 4
    film(unit=0.01, origin=(40.0, -3.0, 7.0))
    assert scene.camera.location.x > 1000.0
    make()
    for frame, labels in labels_of(other).items():
        assert missed(other, labels) <= 0.02
        assert np.allclose(labels["optics"]["matrix"], metres[frame]["optics"]["matrix"], atol=2e-3)
        assert (marks_of(labels) != marks_of(metres[frame])).mean() < 0.01
        for mine, theirs in zip(labels["fishes"], metres[frame]["fishes"], strict=True):
            assert mine["pose"] == theirs["pose"]
            assert np.allclose(mine["whole"]["box"], theirs["whole"]["box"], atol=0.5)


@pytest.mark.parametrize("moved", [False, True], ids=["as baked", "carried"])
def test_a_shifted_camera_sees_places_where_blender_sees_them(film, folder, moved):
    from bpy_extras.object_utils import world_to_camera_view

    bake, scene = film(), bpy.context.scene
    scene.camera.data.shift_x, scene.camera.data.shift_y = 0.12, -0.2
    scene.render.resolution_x, scene.render.resolution_y = HIGH, WIDE
    scene.render.pixel_aspect_x = 1.25
    if moved:  # the whole bake, and the camera with it
        carry = Matrix.Translation((3.0, -1.0, 2.0)) @ Matrix.Rotation(0.7, 4, "Z") @ Matrix.Scale(2.0, 4)
        for obj in (bake.root, scene.camera):
            obj.matrix_world = carry @ obj.matrix_world
    bpy.context.view_layer.update()
    make()
    labels = labels_of(folder)[5]
    assert labels["width"] == HIGH and labels["height"] == WIDE
    assert missed(folder, labels) <= 0.02
    scene.frame_set(5)
    checked = 0
    for fish in labels["fishes"]:
        for _, _, sees, *place in fish["keypoints"]:
            if place[0] is not None:
                x, y, _ = world_to_camera_view(scene, scene.camera, bake.root.matrix_world @ Vector(place))
                assert np.allclose(seen_at(labels, np.array(place)), [x * HIGH, (1.0 - y) * WIDE], atol=0.05)
                checked += sees == 2
    assert checked > 10


def test_an_adopted_fish_has_the_points_of_its_model(adopted, swimming, folder):
    bpy.ops.wm.save_as_mainfile(filepath=str(adopted / "film.blend"))
    species = Species.load(adopted / "salmon.json")
    bake_film(swimming("salmon", frames=8, known={"salmon": species}), folders=(str(adopted),))
    meshes = set(bpy.data.meshes)
    make()
    assert set(bpy.data.meshes) == meshes
    for frame, labels in labels_of(folder).items():
        assert missed(folder, labels) <= 0.02
        (fish,) = labels["fishes"]
        points = np.array([place for _, _, _, *place in fish["keypoints"] if place[0] is not None])
        away = np.linalg.norm(points[:, None] - vertices(frame), axis=-1).min(axis=1)
        # They are vertices of the model, which bones bring as near as 0.005 lengths, and their keys as the bake says.
        assert len(points) >= 5 and (away < (0.005 + Order("mesh").tolerance) * fish["length"]).all()


def vertices(frame: int) -> np.ndarray:
    """All vertices of fishes at a frame, in the world."""
    bpy.context.scene.frame_set(frame)
    graph, found = bpy.context.evaluated_depsgraph_get(), []
    for obj in bpy.context.scene.objects:
        if obj.type == "MESH" and obj.get("id") is not None:
            shown = obj.evaluated_get(graph)
            found += [shown.matrix_world @ vertex.co for vertex in shown.data.vertices]
    return np.array(found)


def test_fishes_of_another_bake_are_scenery(film, swimming, folder, capfd):
    before = film()
    bake_film(swimming("parrotfish", frames=9))
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    bpy.context.view_layer.objects.active = next(iter(before.fishes.values()))
    bpy.context.scene.frame_end = 1
    make()
    (labels,) = labels_of(folder).values()
    assert {fish["species"] for fish in labels["fishes"]} == {"clownfish", "sardine"}
    assert missed(folder, labels) > 0.05  # it is in the picture, and in no mask
    assert "the other bake count" in capfd.readouterr().out


def test_a_copy_of_a_fish_is_scenery(film, folder):
    bake = film()
    bpy.context.scene.frame_end = 1
    make()
    (alone,) = labels_of(folder).values()
    bpy.context.scene.frame_set(1)
    body = next(obj for obj in bake.objects if obj.get("id") == 0)
    copy = body.copy()
    bpy.context.scene.collection.objects.link(copy)
    copy.animation_data_clear()
    copy.matrix_world = Matrix.Translation((0.0, 0.0, 0.15)) @ body.matrix_world
    bpy.context.scene.artfish_dataset.anew = True
    make()
    (labels,) = labels_of(folder).values()
    assert missed(folder, labels) > 0.2  # one of three is in no mask
    assert (marks_of(labels) == marks_of(alone)).all()


# --- cameras and frames -------------------------------------------------------------------------------------------


def test_all_cameras_and_cuts(film, folder):
    film()
    scene, settings = bpy.context.scene, bpy.context.scene.artfish_dataset
    other = add_camera("Other: eye", scene.camera.location + Vector((0.2, 0.0, 0.1)))
    for frame, camera in ((1, scene.camera), (4, other)):
        scene.timeline_markers.new("cut", frame=frame).camera = camera
    settings.cameras = "ALL"
    make()
    assert LabelledSet.read(folder).cameras == ("Eye", "Other_eye")
    for name in ("Eye", "Other_eye"):
        assert all(missed(folder, labels) <= 0.02 for labels in labels_of(folder, name).values())
    apart = [labels_of(folder, name)[5]["optics"]["matrix"] for name in ("Eye", "Other_eye")]
    assert apart[1][0][3] - apart[0][0][3] == pytest.approx(-0.2, abs=1e-4)
    settings.cameras, settings.folder = "SCENE", str(folder.parent / "cut")
    make()
    cut = labels_of(folder.parent / "cut")
    assert cut[1]["optics"]["matrix"] == labels_of(folder, "Eye")[1]["optics"]["matrix"]
    assert cut[5]["optics"]["matrix"] == apart[1]
    assert [marker.camera.name for marker in scene.timeline_markers] == ["Eye", "Other: eye"]


def test_frames_are_counted_from_the_first_of_the_bake(film, folder):
    film(first=101)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 90, 200
    bpy.context.scene.artfish_dataset.every = 3
    make()
    found = labels_of(folder)  # of the frames 90, 93, ... only 102, 105 and 108 are baked
    assert list(found) == [2, 5, 8]
    for labels in found.values():
        assert missed(folder, labels) <= 0.02
        for fish in labels["fishes"]:  # points of the recording are where the picture shows the fish
            left, top, wide, high = fish["whole"]["box"]
            for column, row, sees, *_ in fish["keypoints"]:
                assert not sees or left - 1 < column < left + wide + 1 and top - 1 < row < top + high + 1


# --- manners ------------------------------------------------------------------------------------------------------


def settings_of_scene() -> dict:
    """All that a data set might leave otherwise."""
    scene = bpy.context.scene
    holders = {"render": scene.render, "image": scene.render.image_settings, "cycles": scene.cycles}
    plain = (int, float, str, bool)
    found = {
        f"{name}.{prop.identifier}": value
        for name, of in holders.items()
        for prop in of.bl_rna.properties
        if isinstance(value := getattr(of, prop.identifier, None), plain)
    }
    found |= {"camera": scene.camera.name, "frame": scene.frame_float}
    found["cuts"] = [(marker.frame, marker.camera.name) for marker in scene.timeline_markers]
    found["hidden"] = {obj.name: (obj.hide_render, obj.hide_viewport) for obj in scene.objects}
    found["curves"] = {one.name: (one.resolution_u, one.render_resolution_u) for one in bpy.data.curves}
    found["places"] = {obj.name: [round(x, 5) for row in obj.matrix_world for x in row] for obj in scene.objects}
    kinds = "objects", "meshes", "curves", "cameras", "materials", "actions", "collections", "worlds", "scenes"
    found["data"] = {kind: sorted(one.name for one in getattr(bpy.data, kind)) for kind in kinds}
    return found


def peculiar(cut: bool) -> None:
    """Settings other than usual, with a cut or without."""
    scene = bpy.context.scene
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "OPEN_EXR", "32"
    scene.render.filepath, scene.render.use_border, scene.render.use_stamp = "//mine_", True, True
    scene.render.border_max_x = 0.5
    if cut:
        scene.timeline_markers.new("cut", frame=1).camera = scene.camera
    scene.frame_set(3, subframe=0.25)
    scene.artfish_dataset.samples, scene.artfish_dataset.cameras = 2, "ALL"
    add_camera("Other", scene.camera.location + Vector((0.2, 0.0, 0.0)))


@pytest.mark.parametrize("end", ["done", "error", "Esc"])
def test_the_scene_is_as_it_was(film, folder, monkeypatch, end):
    film("points")
    peculiar(cut=end != "done")
    before = settings_of_scene()
    if end == "done":
        make()
    elif end == "error":
        monkeypatch.setattr(filmed, "fill", refuse)
        with pytest.raises(RuntimeError, match="no way"):
            bpy.ops.artfish.make_dataset()
    else:
        job = job_of()
        while not job.made:
            job.step()
            assert settings_of_scene() == before
        job.cancel()
    assert settings_of_scene() == before


def refuse(*_: object) -> None:
    """Raises an error."""
    raise SceneError("no way", "another")


def job_of() -> DatasetJob:
    """The job of the panel."""
    scene = bpy.context.scene
    return DatasetJob(scene, history.last(scene))


def test_esc_keeps_what_is_done_and_the_next_run_goes_on(film, folder):
    film()
    bpy.context.scene.artfish_dataset.every = 2
    job = job_of()
    while job.made < 2:
        job.step()
    job.enough = True
    outcome = job.run()
    assert "2 of 4" in outcome.message
    assert LabelledSet.read(folder).films[0].frames == (1, 3)
    assert (folder / "index.html").exists()
    times = {path: path.stat().st_mtime_ns for path in (folder / "pictures").rglob("*.png")}
    make()
    assert LabelledSet.read(folder).films[0].frames == (1, 3, 5, 7)
    assert len(times) == 2 and all(path.stat().st_mtime_ns == time for path, time in times.items())
    bpy.context.scene.camera.location.x += 0.1  # it stands still: its pictures are known to be of another place
    make()
    assert all(path.stat().st_mtime_ns != time for path, time in times.items())


def test_a_run_that_is_given_up_at_once_leaves_nothing_to_read(film, folder):
    film()
    job = job_of()
    job.enough = True
    assert not job.run().changed
    assert not (folder / "dataset.json").exists()


def test_what_cannot_be_done_is_said(film, folder):
    settings = bpy.context.scene.artfish_dataset
    with pytest.raises(RuntimeError, match="Bake first"):
        bpy.ops.artfish.make_dataset()
    bake = film()
    scene, camera = bpy.context.scene, bpy.context.scene.camera
    for kind, word in (("ORTHO", "orthographic"), ("PANO", "panoramic")):
        camera.data.type = kind
        with pytest.raises(RuntimeError, match=word):
            bpy.ops.artfish.make_dataset()
    camera.data.type = "PERSP"
    settings.own_range, settings.first, settings.last = True, 30, 40
    with pytest.raises(RuntimeError, match="1 to 8"):
        bpy.ops.artfish.make_dataset()
    settings.own_range, settings.folder = False, "//set"
    with pytest.raises(RuntimeError, match="not saved"):
        bpy.ops.artfish.make_dataset()
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    settings.folder = str(folder)
    with pytest.raises(RuntimeError, match="other files"):
        bpy.ops.artfish.make_dataset()
    settings.folder = str(folder.parent / "fine")
    bake.root.scale.x *= 1.5
    with pytest.raises(RuntimeError, match="unevenly"):
        bpy.ops.artfish.make_dataset()
    bake.root.scale.x /= 1.5
    settings.cameras = "SELECTED"
    with pytest.raises(RuntimeError, match="Select a camera"):
        bpy.ops.artfish.make_dataset()
    settings.cameras = "ALL"
    scene.artfish_dataset.every = 8
    history.clear()
    with pytest.raises(RuntimeError, match="not kept"):
        bpy.ops.artfish.make_dataset()


def test_a_fish_that_was_moved_by_hand_is_refused(film):
    bake = film()
    above = next(iter(bake.fishes.values())).parent
    above.location.z += 0.5
    with pytest.raises(RuntimeError, match="moved"):
        bpy.ops.artfish.make_dataset()


def test_a_folder_of_another_data_set_is_refused(film, folder):
    film()
    bpy.context.scene.artfish_dataset.every = 8
    make()
    assert read_json(folder / "source.json")["title"] == bpy.context.scene.name
    bpy.context.scene.name = "Another"
    with pytest.raises(RuntimeError, match="data set of"):
        bpy.ops.artfish.make_dataset()
