"""Tracks that are dropped into the view become fishes that swim along them, baked, in the frames of the video."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake.tracked import TrackOrder, follow_job
from artfish.blender_artfish.blender import background
from artfish.core import Recording, Species
from artfish.core.base.sums import weighted
from artfish.core.body.anatomy import MASS_SHARES

FPS, FRAMES, BODY = 32.0, 24, 50.0


@pytest.fixture
def scene(fresh_file: None) -> Iterator[bpy.types.Scene]:
    """The scene of a new file, with the add-on."""
    blender_artfish.register()
    yield bpy.context.scene
    blender_artfish.unregister()


def table(path: Path, seconds: bool = False, scale: float = 1.0) -> Path:
    """Two fishes in pixels, of which y counts down: one heads along x, the other down the picture."""
    rows = []
    for frame in range(FRAMES):
        at = frame / FPS if seconds else frame
        for name, x, y in (("a", 100 + 2 * frame, 400), ("b", 300, 100 + 2 * frame)):
            rows.append(f"{at:.5f},{name},{scale * x:g},{scale * y:g}" if seconds else f"{at},{name},{x},{y}")
    path.write_text("frame,id,x,y\n" + "\n".join(rows) + "\n")
    return path


def drop(path: Path, **given):
    return bpy.ops.artfish.drop_tracks(filepath=str(path), **given)


def test_fishes_swim_along_the_tracks_and_are_baked(scene, tmp_path):
    assert drop(table(tmp_path / "tank.csv"), species="clownfish", fps=FPS, body=BODY) == {"FINISHED"}
    assert sum("artfish_row" in obj for obj in scene.objects) == 2
    assert (scene.render.fps / scene.render.fps_base, scene.frame_end - scene.frame_start + 1) == (FPS, FRAMES)
    made = Recording.load(tmp_path / "tank_clownfish.npz")
    assert made.species == ("clownfish", "clownfish") and (made.frames, made.fps) == (FRAMES, FPS)
    middles = weighted(MASS_SHARES, made.nodes.astype(float)) / Species.load("clownfish").length
    way = middles[-1] - middles[0]
    wide = 2.0 * (FRAMES - 1) / BODY  # lengths
    assert np.allclose(way, [[wide, 0, 0], [0, -wide, 0]], atol=0.2)  # within 0.15 lengths of a track; y counts down


def test_what_is_not_said_is_guessed(scene, tmp_path):
    scene.render.fps, scene.render.fps_base = 24, 1.0
    assert drop(table(tmp_path / "tank.csv")) == {"FINISHED"}
    made = Recording.load(tmp_path / "tank_sardine.npz")
    assert made.fps == 24.0
    middles = weighted(MASS_SHARES, made.nodes.astype(float))
    assert middles[-1, 1, 1] < middles[0, 1, 1]  # pixels, so y counts down


def test_times_in_seconds_say_the_rate(scene, tmp_path):
    assert drop(table(tmp_path / "tank.csv", seconds=True), body=BODY) == {"FINISHED"}
    assert Recording.load(tmp_path / "tank_sardine.npz").fps == pytest.approx(FPS, rel=1e-4)


def test_a_table_in_metres_is_taken_as_large_as_it_is(scene, tmp_path):
    assert drop(table(tmp_path / "tank.csv", seconds=True, scale=0.01)) == {"FINISHED"}
    made = Recording.load(tmp_path / "tank_sardine.npz")
    middles = weighted(MASS_SHARES, made.nodes.astype(float))
    assert middles[-1, 0, 0] - middles[0, 0, 0] == pytest.approx(0.02 * (FRAMES - 1), abs=0.15 * made.body_length[0])
    assert middles[-1, 1, 1] > middles[0, 1, 1]


def test_the_rate_stays_where_something_else_is_animated(scene, tmp_path):
    cube = bpy.data.objects.new("Cube", None)
    scene.collection.objects.link(cube)
    cube.keyframe_insert("location", frame=1)
    scene.frame_end = before = 12
    assert drop(table(tmp_path / "tank.csv"), fps=FPS, body=BODY) == {"FINISHED"}
    assert (scene.render.fps, scene.frame_end) == (24, before)


@pytest.mark.parametrize(
    ("text", "said"),
    [("frame,id,x\n1,a,2\n", "columns 'frame, id, x'"), ("frame,id,x,y\n1,a,left,2\n", "line 2: x: found 'left'")],
)
def test_what_is_no_table_of_tracks_is_refused_and_changes_nothing(scene, tmp_path, text, said):
    (tmp_path / "tank.csv").write_text(text)
    before = list(scene.objects)
    with pytest.raises(RuntimeError, match=said):
        drop(tmp_path / "tank.csv")
    assert list(scene.objects) == before and [path.name for path in tmp_path.iterdir()] == ["tank.csv"]
    assert scene.artfish.bake.file == ""


def test_a_length_that_no_fish_has_is_refused(scene, tmp_path):
    with pytest.raises(RuntimeError, match="is the scale right"):
        drop(table(tmp_path / "tank.csv"), fps=FPS, body=1e-6)
    assert [path.name for path in tmp_path.iterdir()] == ["tank.csv"]


def test_what_is_given_up_leaves_nothing(scene, tmp_path, monkeypatch):
    monkeypatch.setattr(background, "LOOK_SECONDS", 1e-4)  # given up before a fast machine is through
    order = TrackOrder(
        table(tmp_path / "tank.csv"), tmp_path / "tank.npz", Species.load("clownfish"), BODY, FPS, y_down=True
    )
    job = follow_job(scene, order)
    while job.text != "Reading the tracks":
        job.step()
    job.step()
    job.cancel()
    assert [path.name for path in tmp_path.iterdir()] == ["tank.csv"]
    assert scene.artfish.bake.file == "" and scene.frame_end != FRAMES
