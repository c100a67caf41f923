"""The panel and the overlays show what the recording holds, at the frame that is shown, and leave nothing behind."""

from dataclasses import replace
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from artfish import blender_artfish
from artfish.blender_artfish.bake.writer import bake
from artfish.blender_artfish.identity import provenance
from artfish.blender_artfish.live import session as live_session
from artfish.blender_artfish.mind import chart, drawings, overlays, swatches
from artfish.blender_artfish.mind import source as telling
from artfish.core import Recording, Scene, World

SCENE = {
    "name": "minds",
    "fps": 24,
    "duration": 2.0,
    "tank": {"size": [6.0, 6.0, 3.0]},
    "obstacles": [{"kind": "cylinder", "at": [3.0, 3.0, 0.0], "radius": 0.4, "height": 3.0}],
    "current": [{"kind": "vortex", "at": [3.0, 3.0, 0.0], "direction": [0, 0, 1], "strength": 0.2, "radius": 1.0}],
    "plankton": {"count": 50},
    "fishes": [
        {"species": "sardine", "count": 5, "at": [2.0, 3.0, 1.5], "spread": 0.8},
        {"species": "reef_shark", "count": 1, "at": [4.5, 3.0, 1.5]},
    ],
}
SHARK = 5


@pytest.fixture(autouse=True)
def addon():
    """The add-on, registered."""
    blender_artfish.register()
    yield
    blender_artfish.unregister()


@pytest.fixture(scope="module")
def recording() -> Recording:
    return World(Scene.from_dict(SCENE), seed=3).simulate(frames=48)


@pytest.fixture
def roots(recording):
    """Empties with marks of a bake, in place of whole fishes."""
    made = {}
    for row, species in enumerate(recording.species):
        root = made[row] = bpy.data.objects.new(f"{species} {row}", None)
        root[provenance.ROW], root[provenance.BAKE] = row, "the bake"
        bpy.context.scene.collection.objects.link(root)
    return made


def told_of(recording, row, frame, origin=(0.0, 0.0, 0.0)):
    return telling.Telling(recording, row, frame, {}, Matrix.Translation(origin))


def offered(recording, roots, **more):
    """A source that offers this recording."""

    def source(context):
        return telling.of_recording(context, recording, roots, **more)

    return source


def changed(recording, frame, fish, **values):
    """The recording with some numbers of one fish in one frame changed."""
    arrays = {name: getattr(recording, name).copy() for name in values}
    for name, value in values.items():
        arrays[name][frame, fish] = value
    return replace(recording, **arrays)


def test_tells_of_the_active_fish_at_the_frame_that_is_shown(recording, roots):
    scene = bpy.context.scene
    assert telling.telling(bpy.context) is None
    source = offered(recording, roots, matrix=Matrix.Translation((1.0, 2.0, 3.0)), first=11)
    telling.offer(source)
    assert telling.telling(bpy.context).row == telling.NOBODY
    part = bpy.data.objects.new("a fin", None)
    part.parent = roots[2]
    scene.collection.objects.link(part)
    bpy.context.view_layer.objects.active = part
    for frame, wanted in ((1, 0), (11, 0), (30, 19), (500, 47)):
        scene.frame_set(frame)
        told = telling.telling(bpy.context)
        assert (told.row, told.frame, told.origin) == (2, wanted, (1.0, 2.0, 3.0))
    roots[2].name = "Nemo"
    assert told.name(2) == "Nemo"
    telling.withdraw(source)
    assert telling.telling(bpy.context) is None


def test_tells_of_the_last_bake_and_of_that_of_the_active_fish(monkeypatch, recording, roots):
    held = {"the bake": recording, "another.2": recording.until(10)}
    bakes = SimpleNamespace(recording=held.get)
    monkeypatch.setattr(telling, "_room", {"bake.history": bakes}.get)
    assert telling.telling(bpy.context).recording is recording
    late = bpy.data.objects.new("late", None)
    late[provenance.ROW], late[provenance.BAKE] = 0, "another.2"
    bpy.context.scene.collection.objects.link(late)
    assert telling.telling(bpy.context).recording is held["another.2"]
    bpy.context.view_layer.objects.active = roots[SHARK]
    told = telling.telling(bpy.context)
    assert told.recording is recording and told.row == SHARK
    carrier = bpy.data.objects.new("Artfish bake", None)
    carrier.matrix_world = Matrix.Translation((0, 0, 7)) @ Matrix.Rotation(1.0, 4, "Z")
    bpy.context.scene.collection.objects.link(carrier)
    roots[SHARK].parent = carrier
    roots[SHARK].keyframe_insert("location", frame=31)
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(40)
    told = telling.telling(bpy.context)
    assert np.allclose(told.matrix, carrier.matrix_world) and (told.frame, told.first) == (9, 31)
    roots[0].name = "renamed"  # and so no longer found by the name that was kept
    assert telling.telling(bpy.context).name(0) == "renamed"
    bpy.data.objects.remove(roots[1])
    assert sorted(telling.telling(bpy.context).roots) == [0, 2, 3, 4, 5]
    held.clear()
    assert telling.telling(bpy.context) is None


def test_a_live_session_tells_first_and_of_its_own_frame(monkeypatch, recording, roots):
    fishes = [SimpleNamespace(root=root) for root in roots.values()]
    held = recording.until(20)
    session = SimpleNamespace(
        fishes=[*fishes[:4], None], origin=Vector((1.0, 0.0, 0.0)), recording=lambda: held, first=5
    )
    live, bakes = SimpleNamespace(session=lambda scene: session), SimpleNamespace(recording=lambda name: recording)
    monkeypatch.setattr(telling, "_room", {"live.session": live, "bake.history": bakes}.get)
    bpy.context.view_layer.objects.active = roots[3]
    bpy.context.scene.frame_set(20)
    told = telling.telling(bpy.context)
    assert (told.row, told.frame, told.first, told.origin) == (3, 15, 5, (1.0, 0.0, 0.0))
    bpy.data.objects.remove(roots[1])
    assert sorted(telling.telling(bpy.context).roots) == [0, 2, 3]
    bpy.context.view_layer.objects.active = None
    assert telling.telling(bpy.context).recording is held
    bpy.context.view_layer.objects.active = roots[SHARK]  # a fish of the bake that stands beside
    told = telling.telling(bpy.context)
    assert told.recording is recording and told.row == SHARK


@pytest.mark.parametrize("side", [120, 250, 480])
def test_chart_shows_the_numbers(recording, side):
    frames = np.arange(48)
    moods = {"hunger": 0.2 + 0.6 * frames / 47, "libido": np.full(48, 0.5), "fear": np.where(frames < 24, 0.0, 0.9)}
    arrays = {name: getattr(recording, name).copy() for name in moods}
    for name, values in moods.items():
        arrays[name][:, 1] = values
    mine = replace(recording, **arrays)
    pixels = chart.paint(mine, 1, 0, side, side)
    assert pixels.shape == (side, side, 4) and pixels.min() >= 0 and pixels.max() <= 1
    at = chart.Frame.of(side, side)
    for frame in (8, 20, 30, 44):
        column = round(at.column(frame, (0, 47)))
        for name in ("fear", "libido", "hunger"):  # none hides another in these frames
            row = round(at.row(moods[name][frame]))
            assert np.allclose(pixels[row, column, :3], swatches.MOODS[name], atol=0.03), (name, frame)
        between = round(at.row(0.5 * (moods["hunger"][frame] + 0.5)))
        assert np.allclose(pixels[between, column, :3], chart.PLOT, atol=0.2)


def test_chart_shows_what_it_was_about_and_the_frame(recording):
    rows = np.arange(48) // 7
    intention = recording.intention.copy()
    intention[:, 0] = rows
    pixels = chart.paint(replace(recording, intention=intention), 0, 29, 300, 300)
    at = chart.Frame.of(300, 300)
    colours = list(swatches.INTENTIONS.values())
    middle = sum(at.band) // 2
    for frame in (3, 10, 17, 24, 31, 38, 45):
        column = round(at.column(frame, (0, 47)))
        assert np.allclose(pixels[middle, column, :3], colours[rows[frame]], atol=1e-6)
    bright = (pixels[at.low : at.high, :, :3] > 0.9).all(axis=(0, 2))
    assert bright.any() and np.abs(np.flatnonzero(bright) - at.column(29, (0, 47))).max() <= at.scale


def test_chart_of_a_long_film_goes_along_with_it(recording):
    assert chart.shown(48, 10, 24.0) == (0, 47)
    assert chart.shown(4800, 0, 24.0) == (0, 479)
    assert chart.shown(4800, 4799, 24.0) == (4320, 4799)
    first, last = chart.shown(4800, 2000, 24.0)
    assert last - first == 479 and first < 2000 < last
    assert chart.paint(recording.until(1), 0, 0, 100, 100).shape == (100, 100, 4)


def test_lines_go_to_those_that_core_sees(recording):
    for row in (0, SHARK):
        told = told_of(recording, row, 30, (10.0, 0.0, 0.0))
        seen = told.insight.seen(recording, 30, row)
        made = drawings.draw(told, ("seen",))
        eye = recording.nodes[30, row, 0].astype(float) + (10.0, 0.0, 0.0)
        rays = made.lines[: 2 * len(seen)].reshape(-1, 2, 3)
        middle = recording.nodes[30, seen].astype(float).mean(axis=1) + (10.0, 0.0, 0.0)
        assert np.allclose(rays[:, 0], eye, atol=1e-5) and np.allclose(rays[:, 1], middle, atol=1e-5)
        assert len(made.lines) == 2 * len(seen) * (1 + 12)
    assert len(told.insight.seen(recording, 30, SHARK))  # the shark sees somebody


def test_field_is_300_degrees_wide_and_as_far_as_it_sees(recording):
    told = told_of(recording, 0, 12)
    field = told.insight.field(recording, 12, 0)
    made = drawings.draw(told, ("field",))
    for points in (made.lines, made.faces):
        offset = points - field.eye
        away = np.linalg.norm(offset, axis=1)
        assert np.all((away < 1e-4) | np.isclose(away, field.radius, rtol=1e-4))
        out = offset[away > 1e-4] @ field.axes
        angle = np.arccos(np.clip(out[:, 0] / field.radius, -1, 1))
        assert np.degrees(angle.max()) == pytest.approx(150, abs=0.1)
    assert np.allclose((made.faces - field.eye) @ field.axes[:, 2], 0, atol=1e-4)  # level as the fish is


def test_focus_marks_the_target_in_the_colour_of_the_intention(recording):
    mine = changed(recording, 7, 0, target=SHARK, food=-1, intention=1)
    made = drawings.draw(told_of(mine, 0, 7), ("focus",))
    middle = mine.nodes[7, SHARK].astype(float).mean(axis=0)
    assert np.allclose(made.lines[1], middle, atol=1e-5)
    assert np.allclose(np.linalg.norm(made.lines[2:] - middle, axis=1), 0.6 * mine.body_length[SHARK], rtol=1e-3)
    assert np.allclose(made.line_colours[:, :3], swatches.INTENTIONS["escape"])
    nothing = drawings.draw(told_of(changed(recording, 7, 0, target=-1, food=-1), 0, 7), ("focus",))
    assert len(nothing.lines) == 0


def test_preferences_are_arrows_of_their_strength(recording):
    mine = recording
    for fish, (way, strength) in enumerate([(0, 1.0), (2, 0.5), (4, -0.8), (3, 0.01), (1, 0.0)]):
        mine = changed(mine, 5, fish, preference=way, preference_strength=strength)
    mine = changed(mine, 5, SHARK, alive=False)
    made = drawings.draw(told_of(mine, telling.NOBODY, 5), ("preferences",))
    arrows = made.lines.reshape(-1, 10, 3)
    assert len(arrows) == 3  # the faint ones and the dead have none
    for arrow, fish, axis, strength in zip(arrows, range(3), (1, 0, 2), (1.0, 0.5, -0.8), strict=True):
        way = told_of(mine, fish, 5).insight.field(mine, 5, fish).axes[:, axis]
        wanted = abs(strength) * mine.body_length[fish] * way
        assert np.allclose(arrow[1] - arrow[0], wanted, atol=1e-5)
    colours = made.line_colours[::10]
    assert np.allclose(colours, [drawings.FOR, drawings.FOR, drawings.AGAINST])


def test_arrows_of_currents_are_the_flow(recording):
    told = told_of(recording, telling.NOBODY, 24)
    places, velocity = told.insight.flow(24)
    made = drawings.draw(told, ("currents",)).lines.reshape(-1, 10, 3)
    moves = np.linalg.norm(velocity, axis=1) > drawings.STILL
    assert np.allclose(made[:, 0], places[moves], atol=1e-5)
    arrow = made[:, 1] - made[:, 0]
    factor = np.linalg.norm(arrow, axis=1) / np.linalg.norm(velocity[moves], axis=1)
    assert np.allclose(arrow, factor.mean() * velocity[moves], atol=1e-4)
    still = replace(recording, scene=Scene.from_dict({**SCENE, "current": []}))
    assert len(drawings.draw(told_of(still, telling.NOBODY, 24), ("currents",)).lines) == 0


def test_words_stand_above_the_living(recording):
    mine = changed(recording, 9, 2, alive=False)
    places, said, colours = drawings.words(told_of(mine, telling.NOBODY, 9, (0.0, 0.0, 5.0)))
    there = [0, 1, 3, 4, 5]
    assert said == [Recording.INTENTIONS[row] for row in mine.intention[9, there]]
    assert np.allclose(colours, [swatches.INTENTIONS[word] for word in said])
    assert (places[:, 2] > mine.nodes[9, there, :, 2].max(axis=1) + 5.0).all()


def test_places_are_projected_as_blender_does():
    matrix = np.array([[1.2, 0, 0, 0.1], [0, 1.5, 0, 0], [0, 0, -1, -0.2], [0, 0, -1, 0]])
    places = np.array([[0.2, 0.1, -2.0], [0.0, 0.0, 3.0], [50.0, 0.0, -2.0]])
    pixels, visible = drawings.projected(places, matrix, 800, 600)
    assert visible.tolist() == [True, False, False]  # behind the eye, and beyond the edge
    assert np.allclose(pixels[0], [400 * (1 + 0.34 / 2), 300 * (1 + 0.15 / 2)])


def test_what_concerns_one_fish_is_left_out_for_none_and_for_the_dead(recording):
    wanted = ("field", "seen", "focus")
    dead = changed(recording, 3, 0, alive=False)
    for told in (told_of(recording, telling.NOBODY, 3), told_of(dead, 0, 3)):
        made = drawings.draw(told, wanted)
        assert not len(made.lines) and not len(made.faces)


def test_the_drawing_is_made_anew_only_when_something_changes(recording):
    one = overlays.drawing(told_of(recording, 0, 3), ("field",))
    assert overlays.drawing(told_of(recording, 0, 3), ("field",)) is one
    for told, wanted in (
        (told_of(recording, 0, 4), ("field",)),
        (told_of(recording, 1, 3), ("field",)),
        (told_of(recording, 0, 3), ("field", "seen")),
        (told_of(recording, 0, 3, (1, 0, 0)), ("field",)),
        (told_of(changed(recording, 3, 0, target=2), 0, 3), ("field",)),
    ):
        other = overlays.drawing(told, wanted)
        assert other is not one
        one = other


def test_goes_to_the_next_time_and_round_to_the_first(recording, roots):
    intention = np.full_like(recording.intention, 6)
    intention[10:14, 1] = intention[30:33, 1] = 3
    mine = replace(recording, intention=intention)
    telling.offer(offered(mine, roots, first=5))
    assert not bpy.ops.artfish.next_intention.poll()
    bpy.context.view_layer.objects.active = roots[1]
    scene = bpy.context.scene
    scene.frame_set(5)
    shown = []
    for _ in range(3):
        assert bpy.ops.artfish.next_intention(intention="eat") == {"FINISHED"}
        shown.append(scene.frame_current)
    assert shown == [15, 35, 15]
    assert bpy.ops.artfish.next_intention(intention="mate") == {"CANCELLED"}
    assert scene.frame_current == 15


def test_nothing_is_left_behind(recording):
    assert len(overlays._handles) == 2
    handles = list(overlays._handles)
    overlays.drawing(told_of(recording, 0, 3), ("field",))
    swatches.picture("chart", np.zeros((8, 8, 4), np.float32))
    assert swatches.icon("eat") == swatches.icon("eat")
    bpy.ops.wm.read_homefile(use_empty=True)
    assert not overlays._held and not telling._insight  # nothing of the former file is kept
    blender_artfish.unregister()
    assert not overlays._handles and not swatches._held
    for handle in handles:
        with pytest.raises(ValueError):
            bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    assert not hasattr(bpy.types.Scene, "artfish_overlays")
    for name in ("load_pre", "load_post", "frame_change_post"):
        left = [f for f in getattr(bpy.app.handlers, name) if "artfish" in f.__module__]
        assert not left, name
    blender_artfish.register()


def test_icons_are_discs_of_their_colours():
    swatches.icon("fear")
    pixels = np.array(swatches._held[0]["fear"].icon_pixels_float).reshape(swatches.SIDE, swatches.SIDE, 4)
    assert np.allclose(pixels[16, 16], (*swatches.MOODS["fear"], 1.0), atol=1 / 255)
    assert pixels[0, 0, 3] == 0


def test_a_picture_is_kept_as_it_is_given():
    wanted = np.random.default_rng(1).random((6, 9, 4)).astype(np.float32)
    swatches.picture("chart", wanted)
    preview = swatches._held[0]["chart"]
    assert tuple(preview.image_size) == (9, 6)
    got = np.array(preview.image_pixels_float[:], np.float32).reshape(6, 9, 4)
    assert np.allclose(got, wanted, atol=0.51 / 255)


def test_works_with_fishes_as_they_are_baked(swimming):
    recording = swimming("sardine", "clownfish", frames=8)
    bake(recording, stage=False)
    root = next(thing for thing in bpy.data.objects if thing.get(provenance.ROW) == 1)
    part = root.children[0]
    assert telling.root_of(root.parent) is None
    assert telling.root_of(part) == root and telling.root_of(root) == root
    assert telling.root_of(None) is None


def test_tells_of_fishes_that_really_play_live():
    scene = bpy.context.scene
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    assert telling.telling(bpy.context) is None
    bpy.ops.artfish.live_play()
    session = live_session.session(scene)
    scene.frame_set(12)
    fish = session.fishes[2].root
    bpy.context.view_layer.objects.active = fish
    told = telling.telling(bpy.context)
    assert (told.row, told.frame, told.name(2)) == (2, 12 - scene.frame_start, fish.name)
    assert np.allclose(told.origin, session.origin)
    focus = drawings.draw(told, ("field",)).lines[0] - fish.matrix_world.translation
    assert np.linalg.norm(focus) <= told.insight.field(told.recording, told.frame, 2).radius * 1.01
    shown = told.fingerprint
    scene.frame_set(20)
    assert telling.telling(bpy.context).fingerprint != shown
    scene.frame_set(12)
    assert telling.telling(bpy.context).fingerprint == shown
    bpy.data.objects.remove(session.fishes[0].root)
    assert telling.telling(bpy.context).row == 2


def test_tells_of_fishes_that_were_really_baked():
    scene = bpy.context.scene
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    scene.frame_start, scene.frame_end = 5, 14
    bpy.ops.artfish.bake()
    fish = next(
        thing for thing in scene.objects if thing.get(provenance.ROW) == 1 and provenance.of(thing, provenance.BAKE)
    )
    bpy.context.view_layer.objects.active = fish.children[0]
    scene.frame_set(11)
    told = telling.telling(bpy.context)
    assert (told.row, told.recording.frames, told.name(1)) == (1, 10, fish.name)
    assert told.frame == 11 - told.first and told.first == 5
    place, words, _ = drawings.words(told)
    above = place[1] - np.array(fish.matrix_world.translation)
    assert np.linalg.norm(above) < told.recording.body_length[1]
    carrier = fish.parent
    carrier.location.x += 3.0
    bpy.context.view_layer.update()
    moved, _, _ = drawings.words(telling.telling(bpy.context))
    assert np.allclose(moved - place, (3.0, 0.0, 0.0), atol=1e-5)
    assert len(words) == 3
