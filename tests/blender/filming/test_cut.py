"""The cut has each shot at its full length, with its fades and titles."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.filming import cut as cutting
from artfish.blender_artfish.stage import render
from artfish.core.studio.film import FilmShot

pytestmark = pytest.mark.versions


@pytest.fixture
def pictures(tmp_path):
    """Six grey pictures."""
    paths = []
    for number in range(6):
        image = bpy.data.images.new("Grey", 16, 8)
        image.pixels.foreach_set(np.tile([0.8, 0.8, 0.8, 1.0], 16 * 8).astype(np.float32))
        image.filepath_raw, image.file_format = str(tmp_path / f"{number}.png"), "PNG"
        image.save()
        paths.append(tmp_path / f"{number}.png")
    return paths


def lightness(path) -> float:
    """Mean lightness of a picture, 0 to 1."""
    image = bpy.data.images.load(str(path))
    pixels = np.empty(4 * image.size[0] * image.size[1], dtype=np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return float(pixels.reshape(-1, 4)[:, 0].mean())


def test_shots_follow_one_another_with_titles_and_fades(pictures, tmp_path, monkeypatch):
    seen = {}

    def look(scene, size, frames, fps, movie):
        strips = scene.sequence_editor.strips
        seen.update(size=size, frames=frames, fps=fps, names=sorted(strip.name for strip in strips))
        seen["spans"] = [(strips[f"Shot {n}"].frame_final_start, strips[f"Shot {n}"].frame_final_end) for n in (1, 2)]
        seen["title"] = strips["Title 1"].text
        scene.render.resolution_x, scene.render.resolution_y = size
        scene.view_settings.view_transform = "Standard"
        strips["Title 1"].mute = True
        scene.frame_start, scene.frame_end, scene.render.filepath = 1, frames, str(tmp_path / "drawn_")
        bpy.ops.render.render(animation=True, scene=scene.name)
        seen["light"] = [lightness(tmp_path / f"drawn_{frame:04d}.png") for frame in (1, 2, 3, 5)]

    monkeypatch.setattr(render, "film_movie", look)
    monkeypatch.setattr(cutting.versions, "has_ffmpeg", lambda: True)
    shots = [FilmShot(scene="reef", seconds=0.5, fade_in=0.25, title="A title"), FilmShot(scene="reef", seconds=0.25)]
    assert cutting.cut(shots, [pictures[:4], pictures[4:]], tmp_path / "film.mp4", 8.0)
    assert (seen["size"], seen["frames"], seen["fps"]) == ((16, 8), 6, 8.0)
    assert seen["names"] == ["Black 1", "Black 2", "Shot 1", "Shot 2", "Title 1"]
    assert seen["spans"] == [(1, 5), (5, 7)]
    black, half, *full = seen["light"]
    assert black == 0.0 and half == pytest.approx(0.4, abs=0.02) and full == pytest.approx([0.8, 0.8], abs=0.01)
    assert seen["title"] == "A title"
    assert "Film" not in bpy.data.scenes


def test_a_shot_dissolves_into_the_next(pictures, tmp_path, monkeypatch):
    seen = {}

    def look(scene, size, frames, fps, movie):
        strips = scene.sequence_editor.strips
        seen["spans"] = [(strips[f"Shot {n}"].frame_final_start, strips[f"Shot {n}"].frame_final_end) for n in (1, 2)]
        seen["frames"] = frames
        scene.render.resolution_x, scene.render.resolution_y = size
        scene.view_settings.view_transform = "Standard"
        scene.frame_start, scene.frame_end, scene.render.filepath = 1, frames, str(tmp_path / "drawn_")
        bpy.ops.render.render(animation=True, scene=scene.name)
        seen["light"] = [lightness(tmp_path / f"drawn_{frame:04d}.png") for frame in range(1, frames + 1)]

    monkeypatch.setattr(render, "film_movie", look)
    monkeypatch.setattr(cutting.versions, "has_ffmpeg", lambda: True)
    shots = [FilmShot(scene="reef", seconds=0.5), FilmShot(scene="reef", seconds=0.5, dissolve=0.25)]
    dark = tmp_path / "dark.png"
    image = bpy.data.images.new("Dark", 16, 8)
    image.filepath_raw, image.file_format = str(dark), "PNG"
    image.save()
    assert cutting.cut(shots, [pictures[:4], [dark] * 4], tmp_path / "film.mp4", 8.0)
    assert seen["spans"] == [(1, 5), (3, 7)] and seen["frames"] == 6
    light = seen["light"]
    assert light[:2] == pytest.approx([0.8, 0.8], abs=0.01) and light[4:] == pytest.approx([0.0, 0.0], abs=0.01)
    assert 0.75 > light[2] > light[3] > 0.05 and light[2] + light[3] == pytest.approx(0.8, abs=0.02)
