"""A small film is made, and not made a second time; a film that cannot be made is refused in a line."""

import json

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.blender.versions import channelbags
from artfish.blender_artfish.filming import making
from artfish.blender_artfish.filming.making import Quality, make
from artfish.core.base.codec import SceneError
from artfish.core.studio.camera_work import filmed
from artfish.core.studio.film import Film

pytestmark = [pytest.mark.film, pytest.mark.versions]
FRAMES = 4
SCENE = {
    "name": "Two",
    "duration": 1.0,
    "tank": {"size": [3.0, 2.0, 1.5]},
    "fishes": [{"species": "clownfish", "count": 2, "at": [1.5, 1.0, 0.7], "spread": 0.2}],
}


@pytest.fixture
def film(tmp_path, monkeypatch):
    """Two short shots of a scene beside the film, in a few pixels."""
    monkeypatch.setitem(making.QUALITIES, "draft", Quality(0.5, 1, 2))
    (tmp_path / "two.json").write_text(json.dumps(SCENE))
    shot = {"scene": "two.json", "seconds": FRAMES / 24, "start": 0.3}
    shots = [
        {**shot, "move": "dolly", "title": "Two fishes", "fade_in": 0.1},
        {**shot, "start": 0.6, "subject": {"fish": 1}},
    ]
    (tmp_path / "film.json").write_text(json.dumps({"width": 64, "height": 36, "shots": shots}))
    return tmp_path / "film.json"


def test_a_film_is_made_and_what_is_done_stays(film, tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    steps, known = [], []

    def look(recording, shot, scenery=None):
        known.append(0 if scenery is None else len(scenery))
        return filmed(recording, shot, scenery)

    monkeypatch.setattr(making, "filmed", look)
    made = make(Film.load(film), tmp_path / "out", lambda *step: steps.append(step), file=str(film))
    assert [path.name for path in made.blends] == ["001.blend", "002.blend"] and made.sheet.exists()
    assert made.movie is None or made.movie.stat().st_size > 1000
    assert known[1] > 1000  # cameras keep clear of sand and corals of the stage
    shares = [share for share, _ in steps]
    assert (np.diff(shares) > -1e-9).all() and 0.0 <= shares[0] and shares[-1] <= 1.0
    pictures = sorted((tmp_path / "out").glob("*/*.png"))
    assert [path.relative_to(tmp_path / "out").as_posix() for path in pictures] == [
        f"{shot}/{frame:05d}.png" for shot in ("001", "002") for frame in (1, 3)
    ]
    times = [path.stat().st_mtime_ns for path in pictures]
    pictures[1].unlink()  # as after an interruption
    make(Film.load(film), tmp_path / "out", file=str(film))
    again = [path.stat().st_mtime_ns for path in pictures]
    assert [before == after for before, after in zip(times, again, strict=True)] == [True, False, True, True]
    bpy.ops.wm.open_mainfile(filepath=str(made.blends[0]))
    camera = bpy.context.scene.camera
    assert (bpy.context.scene.frame_start, bpy.context.scene.frame_end) == (1, FRAMES)
    assert sum(len(bag.fcurves) for bag in channelbags(camera)) == 6 and camera.data.dof.use_dof
    for name in ("Water", "Light shafts"):  # waves and caustics go on from where they are when the shot begins
        clock = bpy.data.materials[name].node_tree.nodes["Seconds"].outputs[0]
        for frame in (1, FRAMES):
            bpy.context.scene.frame_set(frame)
            assert clock.default_value == pytest.approx((round(0.3 * 24) + frame - 1) / 24, abs=1e-4)
    planted = scenery()
    bpy.ops.wm.open_mainfile(filepath=str(made.blends[1]))
    assert len(planted) > 20 and scenery() == planted  # one stage for all shots, wherever fishes are in each


def scenery():
    """Meshes and places of the corals on the stage of the open file."""
    corals = bpy.data.collections["Corals"].all_objects
    return sorted((obj.data.name, *obj.location[:]) for obj in corals)


def test_another_shot_is_made_anew(film, tmp_path):
    (tmp_path / "out").mkdir()
    make(Film.load(film), tmp_path / "out", only=(1, 1), file=str(film), stills=True)
    (still,) = (tmp_path / "out").glob("still_001/*.png")
    before = still.stat().st_mtime_ns
    data = json.loads(film.read_text())
    data["shots"][0]["title"] = "Another title, of which no picture is another"
    film.write_text(json.dumps(data))
    make(Film.load(film), tmp_path / "out", only=(1, 1), file=str(film), stills=True)
    assert still.stat().st_mtime_ns == before
    data["shots"][0]["azimuth"] = 10.0
    film.write_text(json.dumps(data))
    make(Film.load(film), tmp_path / "out", only=(1, 1), file=str(film), stills=True)
    assert still.stat().st_mtime_ns > before


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"expects": ["eaten"]}, r"shots\[0\].expects\[0\]"),
        ({"subject": {"species": "grouper"}}, r"shots\[0\].subject.fish"),
        ({"scene": "../elsewhere.json"}, "the film's own folder"),
        ({"seconds": 5.0}, r"shots\[0\].start"),
    ],
)
def test_what_cannot_be_filmed_is_said_in_a_line(film, tmp_path, change, complaint):
    data = json.loads(film.read_text())
    data["shots"][0] |= change
    film.write_text(json.dumps(data))
    (tmp_path / "out").mkdir()
    with pytest.raises(SceneError, match=complaint) as error:
        make(Film.load(film), tmp_path / "out", file=str(film))
    assert "\n" not in str(error.value) and not list((tmp_path / "out").glob("*/*.png"))


@pytest.mark.long
def test_stills_make_no_movie(film, tmp_path):
    (tmp_path / "out").mkdir()
    made = make(Film.load(film), tmp_path / "out", file=str(film), stills=True)
    assert made.movie is None and len(list((tmp_path / "out").glob("*/*.png"))) == 2
    image = bpy.data.images.load(str(made.sheet))
    pixels = np.empty(image.size[0] * image.size[1] * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    assert pixels.reshape(-1, 4)[:, :3].std() > 0.01  # there is something to see
