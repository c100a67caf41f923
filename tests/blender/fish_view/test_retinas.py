"""The panel shows the retinas of the active fish, renders them anew only where needed, and leaves nothing behind."""

from dataclasses import replace
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender import runtime
from artfish.blender_artfish.fish_view import panel, retinas
from artfish.blender_artfish.mind import source, swatches
from artfish.core import Recording, Scene, World
from artfish.core.perception.retina import pictures, render, table
from artfish.tests.blender.drawing import Recorder
from artfish.tests.blender.mind.school import SCENE, observed_of

SIZE = 96


@pytest.fixture(scope="module")
def film():
    """A world, and a recording of its frames."""
    world = World(Scene.from_dict(SCENE), seed=3)
    return world, world.simulate(frames=4)


@pytest.fixture
def view():
    settings = bpy.context.scene.artfish_view
    settings.pixels = SIZE
    return settings


def test_the_pictures_are_those_of_the_world_itself(film, view):
    world, recording = film
    seen = retinas.retinas(observed_of(recording, 1, 3), view, hurried=False)
    images = render(world, 1, "both", SIZE)
    fishes = {one.identity for one in table(world) if one.kind == "fish"} & set(np.unique(images.identity).tolist())
    assert seen.sights["fish"] == len(fishes) > 0
    assert {name: len(icons) for name, icons in seen.pictures.items()} == dict.fromkeys(retinas.MAPS, 2)
    previews = runtime.of(swatches.Icons).previews
    assert set(previews) >= {f"retina {eye} {name}" for eye in (0, 1) for name in retinas.MAPS}
    shown = previews["retina 1 RANGE"]
    pixels = np.array(shown.image_pixels_float).reshape(SIZE, SIZE, 4)
    painted = retinas.painted("RANGE", images, table(world), float(recording.body_length[1]))[1]
    assert np.abs(pixels - painted).max() < 0.02, "eight bits"
    assert pixels[0, 0, 3] == 0.0 and pixels[SIZE // 2, SIZE // 2, 3] == 1.0, "corners see nothing"
    above, below = pixels[-SIZE // 4, SIZE // 2, 0], pixels[SIZE // 4, SIZE // 2, 0]
    assert above == pytest.approx(painted[-SIZE // 4, SIZE // 2, 0], abs=0.02) and below > 0.0


def test_each_map_paints_what_it_is_named_after(film):
    world = film[0]
    images, known = render(world, 1, "both", SIZE), table(world)
    found = {name: retinas.painted(name, images, known, 0.2) for name in retinas.MAPS}
    seen = found["PICTURE"][..., 3] == 1.0
    expected = {
        "PICTURE": pictures.lit(images.colour),
        "IDENTITY": pictures.false_colours(known)[images.identity],
        "RANGE": np.repeat(pictures.greys(images.range, 0.2)[..., None], 3, axis=-1),
    }
    for name, painted in found.items():
        assert painted[seen][:, :3] == pytest.approx(expected[name][:, ::-1][seen]), "from the bottom up"
        assert (painted[~seen] == 0.0).all()


def test_they_are_made_anew_only_when_something_changes(film, view):
    recording = film[1]
    one = retinas.retinas(observed_of(recording, 1, 2), view, hurried=False)
    assert retinas.retinas(observed_of(recording, 1, 2), view, hurried=False) is one

    def turn():
        view.pan = 0.5

    def choose():
        view.eyes, view.maps = "MIDDLE", {"IDENTITY"}

    for row, frame, change in ((1, 3, None), (2, 3, None), (2, 3, turn), (2, 3, choose)):
        if change is not None:
            change()
        other = retinas.retinas(observed_of(recording, row, frame), view, hurried=False)
        assert other is not one
        one = other
    assert list(one.pictures) == ["IDENTITY"] and len(one.pictures["IDENTITY"]) == 1


def test_while_the_animation_plays_they_take_a_share_of_its_time(film, view, monkeypatch):
    recording, now = film[1], [100.0]
    monkeypatch.setattr(retinas, "perf_counter", lambda: now[0])
    one = retinas.retinas(observed_of(recording, 1, 0), view, hurried=True)
    runtime.of(retinas.DrawnEyes).took = 0.03
    now[0] += 0.9 * 0.03 / retinas.PLAYING_SHARE
    assert retinas.retinas(observed_of(recording, 1, 1), view, hurried=True) is one
    assert retinas.retinas(observed_of(recording, 2, 1), view, hurried=True) is not one, "another fish"
    runtime.of(retinas.DrawnEyes).took = 0.03
    one = retinas.retinas(observed_of(recording, 2, 2), view, hurried=False)
    assert one.key[-2] == 2, "nobody waits"
    runtime.of(retinas.DrawnEyes).took = 0.03
    now[0] += 1.1 * 0.03 / retinas.PLAYING_SHARE
    assert retinas.retinas(observed_of(recording, 2, 3), view, hurried=True) is not one


def test_who_is_not_there_sees_nothing(film, view):
    recording = film[1]
    alive = recording.alive.copy()
    alive[2, 1] = False
    with pytest.raises(retinas.Unseen, match="sardine 1 is not there at this frame"):
        retinas.retinas(observed_of(replace(recording, alive=alive), 1, 2), view, hurried=False)


def shown(observed: source.Observation | None, monkeypatch) -> list[str]:
    monkeypatch.setattr(panel, "observe", lambda context: observed)
    layout = Recorder()
    preferences = SimpleNamespace(system=SimpleNamespace(ui_scale=1.0))
    region = SimpleNamespace(width=280)
    context = SimpleNamespace(scene=bpy.context.scene, preferences=preferences, region=region)
    panel.ARTFISH_PT_retinas.draw(SimpleNamespace(layout=layout), context)
    return layout.words


def test_the_panel_says_whom_to_select_and_what_is_in_sight(film, view, monkeypatch):
    recording: Recording = film[1]
    assert shown(None, monkeypatch) == ["No fish is live or baked yet"]
    assert shown(observed_of(recording, -1, 0), monkeypatch) == ["Select a fish to see what it sees"]
    assert " ".join(shown(observed_of(recording, 1, 0), monkeypatch)).startswith("In sight: ")


def test_nothing_is_left_behind(film, view):
    retinas.retinas(observed_of(film[1], 1, 0), view, hurried=False)
    bpy.ops.wm.read_homefile(use_empty=True)
    assert runtime.of(retinas.DrawnEyes).world is None, "nothing of the former file is kept"
    retinas.retinas(observed_of(film[1], 1, 0), bpy.context.scene.artfish_view, hurried=False)
    blender_artfish.unregister()
    assert runtime.of(swatches.Icons).previews is None
    assert not hasattr(bpy.types.Scene, "artfish_view") and not hasattr(bpy.types, "ARTFISH_PT_retinas")
    assert not bpy.data.images
    blender_artfish.register()
