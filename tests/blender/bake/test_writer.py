"""The bake: the file plays the recording without the add-on, and nothing is left of a bake that fails."""

from collections import Counter
from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import fishes as baked_fishes
from artfish.blender_artfish.bake import writer
from artfish.blender_artfish.bake.order import FORMS, Order
from artfish.blender_artfish.bake.writer import bake, bake_steps
from artfish.blender_artfish.blender.versions import channelbags
from artfish.blender_artfish.fish import materials
from artfish.blender_artfish.fish import surfaces as objects
from artfish.core.base.codec import SceneError
from artfish.core.form.coupling import Coupling
from artfish.core.form.look import eye_turns
from artfish.core.form.nurbs import unclamped
from artfish.core.form.surfaces import eyes as eyes_of
from artfish.core.scene.scene import Scene
from artfish.core.world.world import World
from artfish.tests.blender.files import new_file

pytestmark = pytest.mark.versions

TOLERANCE = 0.002
SURFACES = ("body left", "body right", "dorsal", "ventral", "caudal", "pectoral left", "pectoral right")


def control_points(surface):
    """A surface's control points at the current frame, (points, 3) in world space."""
    evaluated = surface.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = evaluated.data.splines[0].points
    places = np.empty(4 * len(points), dtype=np.float32)
    points.foreach_get("co", places)
    places = places.reshape(-1, 4)[:, :3].astype(float)
    keys = surface.data.shape_keys
    if keys:
        rest, *modes = (co_of(block) for block in keys.key_blocks)
        values = [block.value for block in keys.key_blocks[1:]]
        places = clamped(surface, rest + sum(value * (mode - rest) for value, mode in zip(values, modes, strict=True)))
    matrix = np.array(evaluated.matrix_world)
    return places @ matrix[:3, :3].T + matrix[:3, 3]


def clamped(surface, places):
    """Control points (points, 3) that make the same surface with clamped ends, which shape keys do not have."""
    (spline,) = surface.data.splines
    assert not spline.use_endpoint_u and not spline.use_endpoint_v
    shares = [
        np.linalg.inv(unclamped(count, order - 1))
        for count, order in ((spline.point_count_v, spline.order_v), (spline.point_count_u, spline.order_u))
    ]
    grid = places.reshape(spline.point_count_v, spline.point_count_u, 3)
    return np.einsum("ij,kl,jlx->ikx", *shares, grid).reshape(-1, 3)


def co_of(block):
    places = np.empty(3 * len(block.data), dtype=np.float32)
    block.data.foreach_get("co", places)
    return places.reshape(-1, 3).astype(float)


def expected(recording, row):
    """Recorded places of the control points and eyes of a fish, by the endings of its objects' names."""
    species = recording.species_models[recording.species[row]]
    one = slice(row, row + 1)
    points = Coupling(species).control_points(
        *(recording.nodes[:, one], recording.fins[:, one], recording.body_length[one], recording.mouth[:, one]),
        recording.look([row]),
    )
    eyes = points.pop("eyes")
    surfaces = {part.replace("_", " "): objects.in_order(places[:, 0]) for part, places in points.items()}
    return surfaces, {"eye left": eyes[:, 0, 0], "eye right": eyes[:, 0, 1]}


def assert_played(recording, row, name, tolerance, every=1):
    """Asserts that the open file has a fish's control points and eyes in their places, every so many frames."""
    surfaces, eyes = expected(recording, row)
    assert set(surfaces) == set(SURFACES)
    rounding = 5e-6
    allowed = tolerance * recording.body_length[row] + rounding
    for frame in range(0, recording.frames, every):
        bpy.context.scene.frame_set(1 + frame)
        for part, places in surfaces.items():
            off = control_points(bpy.data.objects[f"{name} {part}"]) - places[frame]
            assert np.linalg.norm(off, axis=1).max() <= allowed, (part, frame)
        for part, places in eyes.items():
            eye = np.array(bpy.data.objects[f"{name} {part}"].matrix_world.translation)
            assert np.linalg.norm(eye - places[frame]) <= allowed, (part, frame)


def contents():
    """The number of data-blocks of each kind in the file."""
    kinds = [kind.identifier for kind in bpy.data.bl_rna.properties if kind.type == "COLLECTION"]
    return {kind: len(getattr(bpy.data, kind)) for kind in kinds if kind != "all_ids"}


def key_count():
    bags = [bag for obj in (*bpy.data.objects, *bpy.data.curves, *bpy.data.shape_keys) for bag in channelbags(obj)]
    return sum(len(curve.keyframe_points) for bag in bags for curve in bag.fcurves)


@pytest.mark.parametrize(
    "form, tolerance",
    [
        ("points", 0.0),
        ("points", TOLERANCE),
        ("compact", TOLERANCE),
        pytest.param("compact", 0.0, marks=pytest.mark.large),
    ],
)
def test_the_opened_file_plays_the_recording(tmp_path, swimming, form, tolerance):
    recording = swimming("clownfish", "reef_shark")
    bake(recording, tmp_path / "fish.blend", form=form, tolerance=tolerance, stage=False)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "fish.blend"))
    for row, name in enumerate(("Clownfish 01", f"{recording.species_models['reef_shark'].common_name} 01")):
        assert_played(recording, row, name, tolerance)


@pytest.mark.parametrize("form", FORMS)
def test_a_recording_of_one_frame_is_a_still(tmp_path, swimming, form):
    still = swimming("clownfish", "reef_shark").part(3, 4)
    bake(still, tmp_path / "fish.blend", form=form, stage=False)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "fish.blend"))
    assert_played(still, 0, "Clownfish 01", TOLERANCE)


def living(recording):
    """The same fishes, which breathe, fold their fins, trail their tails and look about."""
    frames, fishes = recording.mouth.shape
    beat = np.sin(0.4 * np.arange(frames))[:, None] + np.zeros(fishes)
    both = np.stack([0.5 + 0.5 * beat, 0.5 - 0.5 * beat], axis=-1)
    gaze = 0.3 * np.stack([both, both[..., ::-1]], axis=-1)
    return replace(recording, breath=both, fold=both, tail=beat, gaze=gaze)


@pytest.mark.film
@pytest.mark.parametrize("form", FORMS)
def test_what_is_seen_of_a_living_fish_is_baked(tmp_path, swimming, form):
    plain = swimming("clownfish")
    recording = living(plain)
    (seen, _), (still, _) = expected(recording, 0), expected(plain, 0)
    for part in ("body left", "dorsal", "ventral", "caudal", "pectoral left"):
        moved = np.abs(seen[part] - still[part]).max() / recording.body_length[0]
        assert moved > 2 * TOLERANCE, part
    bake(recording, form=form, tolerance=TOLERANCE, stage=False)
    assert_played(recording, 0, "Clownfish 01", TOLERANCE)
    outward = eyes_of(recording.species_models["clownfish"])[2]
    turns = eye_turns(recording.gaze[:, 0].astype(float), outward)
    for frame in range(recording.frames):
        bpy.context.scene.frame_set(1 + frame)
        body = np.array(bpy.data.objects["Clownfish 01"].matrix_world)[:3, :3]
        for side, name in enumerate(("left", "right")):
            pupil = np.array(bpy.data.objects[f"Clownfish 01 eye {name}"].matrix_world)[:3, 2]
            looks = body @ turns[frame, side] @ outward[side]
            assert pupil @ looks / np.linalg.norm(pupil) > np.cos(0.03)


@pytest.fixture(scope="module")
def feeding():
    """A film in which fishes open their mouths."""
    return World(Scene.load("feeding")).simulate(144)


@pytest.mark.parametrize("form", [pytest.param("points", marks=pytest.mark.large), "compact"])
def test_the_opened_file_of_a_scene_plays_fishes_that_feed(tmp_path, feeding, form):
    recording = feeding
    assert ((recording.mouth > 0.5).any(axis=0)).sum() > 2  # of eleven fishes
    bake(recording, tmp_path / "feeding.blend", form=form, tolerance=TOLERANCE, stage=False)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "feeding.blend"))
    before = Counter()
    for row, kind in enumerate(recording.species):
        before[kind] += 1
        name = f"{recording.species_models[kind].common_name} {before[kind]:02}"
        assert_played(recording, row, name, TOLERANCE, every=24)


def test_both_forms_show_the_same_fish(tmp_path, swimming):
    recording = swimming("blue_tang")
    shown = {}
    for form in FORMS:
        bake(recording, tmp_path / f"{form}.blend", form=form, stage=False)
        shown[form] = []
        for frame in range(1, recording.frames, 7):
            bpy.context.scene.frame_set(frame)
            graph = bpy.context.evaluated_depsgraph_get()
            for surface in (obj for obj in bpy.data.objects if obj.type == "SURFACE"):
                mesh = surface.evaluated_get(graph).to_mesh()
                places = np.array([vertex.co[:] for vertex in mesh.vertices])
                shown[form].append(places @ np.array(surface.matrix_world)[:3, :3].T + surface.matrix_world.translation)
    for one, other in zip(*shown.values(), strict=True):
        assert np.linalg.norm(one - other, axis=1).max() < 2 * TOLERANCE * recording.body_length[0]


@pytest.mark.parametrize("form", FORMS)
def test_motion_is_smooth_between_frames(swimming, form):
    recording = swimming("clownfish")
    bake(recording, form=form, stage=False)
    tail = bpy.data.objects["Clownfish 01 caudal"]
    path = []
    for half in range(2 * recording.frames - 1):
        bpy.context.scene.frame_set(1 + half // 2, subframe=half % 2 / 2)
        path.append(control_points(tail))
    path = np.array(path)
    bend = np.linalg.norm(np.diff(path, 2, axis=0), axis=-1)
    between_frames = np.linalg.norm(np.diff(path[::2], 2, axis=0), axis=-1)
    # A straight line between frames would turn in its corners by half of what whole frames turn by; a smooth
    # curve by a quarter.
    assert bend.max() < 0.4 * between_frames.max()


@pytest.mark.parametrize("form", FORMS)
def test_the_halves_of_the_body_meet(swimming, form):
    recording = swimming("blue_tang")
    bake(recording, form=form, stage=False)
    left, right = (bpy.data.objects[f"Blue tang 01 body {side}"] for side in ("left", "right"))
    for frame in range(1, recording.frames + 1, 3):
        bpy.context.scene.frame_set(frame)
        halves = [control_points(half).reshape(21, 9, 3) for half in (left, right)]
        for seam in (np.s_[:, 0], np.s_[:, -1], np.s_[0], np.s_[-1]):
            assert halves[0][seam] == pytest.approx(halves[1][seam], abs=2e-6)


def test_names_collections_units_and_time(swimming):
    recording = swimming("clownfish", "blue_tang", "clownfish", frames=5, fps=23.976)
    top = bake(recording, stage=False)
    scene = bpy.context.scene
    assert top.name == "Artfish"
    assert top.name in scene.collection.children
    assert {child.name: len(child.objects) for child in top.children} == {"Clownfish": 20, "Blue tang": 10}
    fish = bpy.data.objects["Clownfish 02"]
    assert fish.type == "EMPTY"
    assert {child.name.removeprefix("Clownfish 02 ") for child in fish.children} == {*SURFACES, "eye left", "eye right"}
    for child in fish.children:
        assert child.name.removeprefix("Clownfish 02 ") not in SURFACES or child.data.name == child.name
    assert scene.unit_settings.system == "METRIC"
    assert (scene.frame_start, scene.frame_end, scene.frame_current) == (1, 5, 1)
    assert scene.render.fps / scene.render.fps_base == pytest.approx(23.976)


def test_surfaces_are_what_the_book_says(swimming):
    bake(swimming("clownfish", frames=2), stage=False)
    counts = {}
    for part in SURFACES:
        (spline,) = bpy.data.curves[f"Clownfish 01 {part}"].splines
        counts[part] = (spline.point_count_u, spline.point_count_v, spline.order_u, spline.order_v)
        assert spline.use_endpoint_u
        assert spline.use_endpoint_v
    assert counts["body left"] == counts["body right"] == (9, 21, 4, 4)
    assert counts["dorsal"] == counts["ventral"] == (2, 12, 2, 4)
    assert counts["pectoral left"] == counts["pectoral right"] == (2, 4, 2, 3)


def test_points_form_has_three_curves_a_control_point(swimming):
    bake(swimming("clownfish", frames=3), stage=False)
    for part, points in (("body left", 189), ("dorsal", 24)):
        (bag,) = channelbags(bpy.data.curves[f"Clownfish 01 {part}"])
        assert len(bag.fcurves) == 3 * points


def test_the_file_needs_nobody(tmp_path, swimming):
    bake(swimming("clownfish", frames=3), tmp_path / "fish.blend", stage=False)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "fish.blend"))
    assert not bpy.data.texts
    assert not bpy.data.libraries
    assert not [image for image in bpy.data.images if image.source == "FILE" and not image.packed_file]
    for obj in (*bpy.data.objects, *bpy.data.curves, *bpy.data.shape_keys, *bpy.data.materials):
        assert not (obj.animation_data and obj.animation_data.drivers)


def test_tolerance_saves_most_keys(swimming):
    recording = swimming("clownfish", frames=80)
    bake(recording, tolerance=0.0, stage=False)
    every = key_count()
    new_file()
    bake(recording, stage=False)
    assert key_count() < every / 2


def test_compact_form_has_a_tenth_of_the_curves(swimming):
    bake(swimming("clownfish"), form="compact", stage=False)
    bags = [bag for key in bpy.data.shape_keys for bag in channelbags(key)]
    assert len(bags) == len(SURFACES)
    assert sum(len(bag.fcurves) for bag in bags) < 140


def test_a_fish_that_dies_is_hidden_from_then_on(swimming):
    alive = np.ones((6, 2), dtype=bool)
    alive[4:, 0] = False
    bake(swimming("clownfish", "clownfish", frames=6, alive=alive), stage=False)
    for frame in range(1, 7):
        bpy.context.scene.frame_set(frame)
        for obj in bpy.data.objects:
            gone = obj.name.startswith("Clownfish 01") and frame >= 5
            assert (obj.hide_render, obj.hide_viewport) == (gone, gone)


def animators_scene():
    """A scene that somebody works in: a cube that moves, selected and active, in a renamed collection."""
    new_file(empty=False)
    cube = bpy.data.objects["Cube"]
    cube.keyframe_insert("location", frame=3)
    bpy.context.scene.frame_end = 77
    return cube


def test_a_bake_leaves_what_is_there_alone(swimming):
    cube = animators_scene()
    bake(swimming("clownfish", frames=3), stage=False)
    assert bpy.context.scene.objects["Cube"] == cube == bpy.context.view_layer.objects.active
    assert [obj.name for obj in bpy.context.selected_objects] == ["Cube"]
    assert len(bpy.data.scenes) == 1
    assert len(channelbags(cube)[0].fcurves) == 3


def test_a_second_bake_counts_on(swimming):
    for _ in range(2):
        bake(swimming("clownfish", frames=2), stage=False)
    assert {"Clownfish 01", "Clownfish 02", "Clownfish 02 body left"} <= set(bpy.data.objects.keys())
    assert not [obj.name for obj in bpy.data.objects if "." in obj.name]


def test_a_bake_that_fails_leaves_nothing(monkeypatch, swimming):
    animators_scene()
    before, scene = contents(), bpy.context.scene
    dressed = []

    def fails(parts, wear, seed):
        if dressed:
            raise RuntimeError("no more paint")
        dressed.append(seed)
        return dress(parts, wear, seed)

    dress = materials.dress
    monkeypatch.setattr(materials, "dress", fails)
    with pytest.raises(RuntimeError, match="no more paint"):
        bake(swimming("clownfish", "clownfish", frames=3), stage=False)
    assert contents() == before
    assert (scene.frame_end, scene.render.fps) == (77, 24)


def test_a_stage_that_fails_takes_its_camera_along(monkeypatch, swimming):
    animators_scene()
    before, scene = contents(), bpy.context.scene
    camera, world = scene.camera, scene.world

    def fails(job, scene, recording, options):
        scene.camera = bpy.data.objects.new("Artfish camera", bpy.data.cameras.new("Artfish camera"))
        scene.world = bpy.data.worlds.new("Water")
        raise MemoryError

    monkeypatch.setattr(writer, "build_stage", fails)
    with pytest.raises(MemoryError):
        bake(swimming("clownfish", frames=3))
    assert contents() == before
    assert (scene.camera, scene.world, scene.frame_end) == (camera, world, 77)


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_a_bake_that_is_given_up_leaves_nothing_but_what_others_made(swimming, steps):
    animators_scene()
    before = contents()
    running = bake_steps(swimming("clownfish", "blue_tang", frames=3), order=Order(stage=False))
    for _ in range(steps - 1):
        next(running)
    bpy.data.objects.new("somebody else's", None)
    next(running, None)
    running.close()
    assert contents() == before | {"objects": before["objects"] + 1}
    assert bpy.context.scene.frame_end == 77


def test_a_failed_bake_leaves_the_old_file(monkeypatch, tmp_path, swimming):
    out = tmp_path / "fish.blend"
    out.write_bytes(b"precious")
    monkeypatch.setattr(materials, "dress", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        bake(swimming("clownfish", frames=2), out, stage=False)
    assert out.read_bytes() == b"precious"
    assert [path.name for path in tmp_path.iterdir()] == ["fish.blend"]


def test_a_file_that_cannot_be_written_is_said_before_anything_is_done(tmp_path, swimming):
    with pytest.raises(SceneError, match="no_such_folder"):
        bake(swimming("clownfish", frames=2), tmp_path / "no_such_folder" / "fish.blend")


@pytest.mark.parametrize("wrong", [{"form": "smoke"}, {"tolerance": -1.0}, {"tolerance": float("nan")}])
def test_arguments_are_checked(swimming, wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        bake(swimming("clownfish", frames=2), **wrong)


def test_progress_rises_to_the_end(swimming):
    seen = []
    bake(
        swimming("clownfish", "blue_tang", frames=2),
        stage=False,
        progress=lambda done, doing: seen.append((done, doing)),
    )
    shares = [done for done, _ in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert any("Clownfish 01" in doing for _, doing in seen)


def test_many_fishes_are_coupled_in_blocks(monkeypatch, swimming):
    recording = swimming("clownfish", "clownfish", "clownfish", frames=4)
    monkeypatch.setattr(baked_fishes, "FISH_FRAMES", 8)
    bake(recording, stage=False)
    surfaces, _ = expected(recording, 2)
    off = control_points(bpy.data.objects["Clownfish 03 caudal"]) - surfaces["caudal"][0]
    assert np.linalg.norm(off, axis=1).max() < TOLERANCE * recording.body_length[2]


@pytest.mark.film
def test_a_new_file_is_not_cluttered(swimming, tmp_path):
    """There are no lines from fishes to their parents, axes lie within bodies, and materials go with the data."""
    recording = swimming("clownfish", frames=3)
    bake(recording, tmp_path / "out.blend")
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"), load_ui=True)
    spaces = [space for screen in bpy.data.screens for area in screen.areas for space in area.spaces]
    views = [space for space in spaces if space.type == "VIEW_3D"]
    assert views and not any(view.overlay.show_relationship_lines for view in views)
    empty = bpy.data.objects["Clownfish 01"]
    assert empty.empty_display_size < 0.1 * recording.body_length[0]
    assert {slot.link for obj in empty.children for slot in obj.material_slots} == {"DATA"}


@pytest.mark.film
@pytest.mark.parametrize(
    ("form", "link"),
    [
        pytest.param(form, link, marks=() if link == (form == "compact") else pytest.mark.large)
        for form in FORMS
        for link in (False, True)
    ],
)
def test_a_bake_that_is_appended_or_linked_brings_its_materials_and_plays(swimming, tmp_path, form, link):
    """All of it comes, or the fishes of one species; each part is painted by whole trees in any file."""
    recording = swimming("clownfish", "sardine", frames=6)
    bake(recording, tmp_path / "out.blend", form, TOLERANCE, stage=False)
    for name, fishes in (("Artfish", ("Clownfish 01", "Sardine 01")), ("Clownfish", ("Clownfish 01",))):
        new_file()
        with bpy.data.libraries.load(str(tmp_path / "out.blend"), link=link) as (there, here):
            here.collections = [each for each in there.collections if each == name]
        bpy.context.scene.collection.children.link(here.collections[0])
        for row, fish in enumerate(fishes):
            parts = bpy.data.objects[fish].children
            assert len(parts) == len(materials.PART_MATERIALS)
            for slot in [slot for part in parts for slot in part.material_slots]:
                assert slot.link == "DATA"
                assert slot.material.node_tree.nodes
                assert not any(
                    node.type == "GROUP" and node.node_tree is None for node in slot.material.node_tree.nodes
                )
            assert_played(recording, row, fish, TOLERANCE)
        assert bool(bpy.data.objects["Artfish bake 01"].library) == link
