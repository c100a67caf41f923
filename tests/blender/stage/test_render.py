"""Rendering: pictures and a movie from a baked file, whole or not at all."""

import shutil
from pathlib import Path

import bpy
import pytest

from artfish.blender_artfish.bake.writer import bake
from artfish.blender_artfish.stage.film import STILL_MARKER
from artfish.blender_artfish.stage.render import join, render
from artfish.core.base.codec import SceneError

SIZE = (48, 32)
pytestmark = pytest.mark.versions


@pytest.fixture(scope="module")
def baked(swimming, tmp_path_factory):
    """A .blend, baked once."""
    path = tmp_path_factory.mktemp("baked") / "film.blend"
    bake(swimming("clownfish", frames=3), path)
    return path


@pytest.fixture
def film(baked, tmp_path):
    """A baked .blend, alone in its folder."""
    return Path(shutil.copy(baked, tmp_path))


def test_frames_become_pictures_and_a_movie(film, tmp_path):
    shares = []
    movie = tmp_path / "film.mp4"
    pictures = render(
        film, tmp_path, frames=(2, 3), samples=1, size=SIZE, movie=movie, progress=lambda share, _: shares.append(share)
    )
    assert [picture.name for picture in pictures] == ["film-0002.png", "film-0003.png"]
    assert [tuple(bpy.data.images.load(str(picture)).size) for picture in pictures] == [SIZE, SIZE]
    assert shares == sorted(shares) and shares[-1] == 1.0
    clip = bpy.data.movieclips.load(str(movie))
    assert tuple(clip.size) == SIZE and clip.frame_duration == 2 and clip.fps == pytest.approx(24.0)
    assert {path.suffix for path in tmp_path.iterdir()} == {".blend", ".png", ".mp4"}


def test_a_still_is_one_picture_with_light_in_it(film, tmp_path):
    assert render(film, tmp_path, samples=1, size=SIZE, still=tmp_path / "still.png") == []
    image = bpy.data.images.load(str(tmp_path / "still.png"))
    assert tuple(image.size) == SIZE
    assert 0.02 < sum(image.pixels[:][2::4]) / (SIZE[0] * SIZE[1]) < 0.98
    assert not list(tmp_path.glob("film-*.png"))


def test_a_shot_of_some_seconds_holds_the_still_and_stays_within_the_film(film, tmp_path):
    pictures = render(film, tmp_path, seconds=2 / 24, samples=1, size=SIZE)
    numbers = [int(picture.stem[-4:]) for picture in pictures]
    still = bpy.context.scene.timeline_markers[STILL_MARKER].frame
    assert len(numbers) == 2 and still in numbers and min(numbers) >= 1 and max(numbers) <= 3


@pytest.mark.parametrize("frames", [(2, 9), (5, 9), (0, 1), (3, 2)])
def test_frames_that_the_film_has_not_are_refused(film, tmp_path, frames):
    with pytest.raises(SceneError, match=f"frames {frames[0]} to {frames[1]}, allowed 1 to 3"):
        render(film, tmp_path, frames=frames, samples=1, size=SIZE, still=tmp_path / "still.png")
    assert {path.name for path in tmp_path.iterdir()} == {"film.blend"}


def test_a_file_that_is_no_blend_is_refused(tmp_path):
    (tmp_path / "film.blend").write_text("no blend")
    with pytest.raises(SceneError, match="film.blend"):
        render(tmp_path / "film.blend", tmp_path)


def test_a_blend_without_a_camera_is_refused(swimming, tmp_path):
    bake(swimming("clownfish", frames=2), tmp_path / "film.blend", stage=False)
    with pytest.raises(SceneError, match="camera"):
        render(tmp_path / "film.blend", tmp_path)


def test_a_movie_into_no_folder_is_refused(film, tmp_path):
    pictures = render(film, tmp_path, frames=(1, 1), samples=1, size=SIZE)
    with pytest.raises(SceneError, match="nowhere"):
        join(pictures, tmp_path / "nowhere" / "film.mp4", 24.0)
