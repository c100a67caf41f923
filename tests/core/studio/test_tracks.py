"""Tracks: tables of places are read with one clear line for what is wrong, and what is written comes back."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.base.codec import SceneError
from artfish.core.body.anatomy import body_frame
from artfish.core.studio.track_tables import decoded
from artfish.core.studio.tracks import Tracks, write_tracks


@pytest.fixture(scope="module")
def film():
    scene = {"tank": {"size": [4, 4, 2]}, "fishes": [{"species": "clownfish", "count": 3, "at": [2, 2, 1]}]}
    return World(Scene.from_dict(scene), seed=1).simulate(12)


def table(tmp_path, *lines: str) -> str:
    path = tmp_path / "tracks.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_what_is_written_comes_back(tmp_path, film):
    write_tracks(film, tmp_path / "tracks.csv")
    tracks = Tracks.read(tmp_path / "tracks.csv")
    assert tracks.ids == ("0", "1", "2") and not tracks.flat
    assert np.abs(tracks.places - film.nodes.mean(axis=2)).max() < film.body_length.max()
    write_tracks(film, tmp_path / "tracks.npz")
    with np.load(tmp_path / "tracks.npz") as arrays:
        assert np.abs(arrays["trajectories"] - tracks.places).max() < 1e-4
        ahead = body_frame(film.nodes.astype(float))[1][..., 0]
        flat = np.cos(arrays["pitch"])
        again = np.stack(
            [flat * np.cos(arrays["heading"]), flat * np.sin(arrays["heading"]), np.sin(arrays["pitch"])], -1
        )
        assert np.abs(again - ahead).max() < 1e-5
        assert (arrays["intention"] == film.intention).all() and arrays["frames_per_second"] == film.fps


def test_points_are_a_layer_of_usd(tmp_path, film):
    """Checked as text here; Blender's own reader takes it in tests of exports."""
    write_tracks(film, tmp_path / "tracks.usda")
    lines = (tmp_path / "tracks.usda").read_text().splitlines()
    assert lines[0] == "#usda 1.0" and "    int64[] ids = [0, 1, 2]" in lines
    at = lines.index("    point3f[] points.timeSamples = {")
    assert [line.split(":")[0].strip() for line in lines[at + 1 : at + 13]] == [str(frame) for frame in range(12)]
    assert lines.count("}") == 1 and sum(line.count("{") for line in lines) == sum(line.count("}") for line in lines)


def test_units_gaps_and_those_who_come_late(tmp_path):
    lines = "frame,id,x,y,likelihood", "5,a,0,0,1", "6,a,,,0", "7,a,20,40,1", "6,b,10,10,1", "7,b,NaN,NaN,0"
    tracks = Tracks.read(table(tmp_path, *lines), scale=0.001)
    assert tracks.ids == ("a", "b") and tracks.flat and tracks.places.shape == (3, 2, 3)
    assert np.allclose(
        tracks.places[:, 0], [[0, 0, 0], [0.01, 0.02, 0], [0.02, 0.04, 0]]
    )  # straight on where it was lost
    assert np.isfinite(tracks.places[:, 1, 0]).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["frame,id,x", "1,a,2"], "line 1: found columns 'frame, id, x', allowed frame, id, x, y and perhaps z"),
        (["frame,id,x,y", "1,a,2,left"], "line 2: y: found 'left', allowed a number"),
        (["frame,id,x,y", "1,a,2"], "line 2: found 3 values, allowed one for each of 4 columns"),
        (["frame,id,x,y", "1.5,a,2,3"], "line 2: frame: found '1.5', allowed a whole number, 0 or more"),
        (["frame,id,x,y", "1,a,2,3", "1,a,2,4"], "line 3: id: found fish 'a' twice, allowed one place a frame"),
        (["frame,id,x,y", "1,a,2e9,3"], "is the scale right?"),
        (["frame,id,x,y", "1,a,,"], "found no place, allowed one line or more with a frame, an id, x and y"),
        ([""], "line 1: found columns 'no line'"),
        (["frame,id,x,y", "0,a,1,1", "1000000000,b,1,1"], "found 1000000001 frames of 2 fishes"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path, lines, said):
    path = table(tmp_path, *lines)
    with pytest.raises(SceneError) as error:
        Tracks.read(path)
    assert said in str(error.value) and path in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("fps", [24.0, 29.97, 240.0])
def test_times_in_seconds_say_their_rate(tmp_path, fps):
    seen = [frame for frame in range(40) if frame not in (3, 4, 17)]  # lost in some
    tracks = Tracks.read(table(tmp_path, "frame,id,x,y", *(f"{5.0 + frame / fps:.6f},a,1,{frame}" for frame in seen)))
    assert tracks.rate == pytest.approx(fps, rel=1e-4)
    assert np.allclose(tracks.places[:, 0, 1], np.arange(40))


def test_times_without_a_rate_are_refused(tmp_path):
    path = table(tmp_path, "frame,id,x,y", *(f"{time},a,1,1" for time in (0.0, 0.1, 0.2, 0.25, 0.3, 0.4)))
    with pytest.raises(SceneError, match="whole numbers, or times in seconds"):
        Tracks.read(path)


PICTURED = {"1,a,640,480": True, "1,a,64,48": False, "1,a,640,-480": False, "1,a,-640,480": False}


@pytest.mark.parametrize(("line", "pictured"), PICTURED.items())
def test_places_in_a_picture_are_known_by_their_size(tmp_path, line, pictured):
    path = table(tmp_path, "frame,id,x,y", line)
    assert Tracks.read(path).pictured == Tracks.read(path, y_down=True).pictured == pictured


@pytest.mark.parametrize("text", ["frame,id,x,y\r\n0,Zoë,1,2\r0,Mü,3,4\n", ""])
@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_a_table_is_read_in_whatever_code_it_is_in(text, code):
    assert decoded(text.encode(code)) == text.replace("\r\n", "\n").replace("\r", "\n")


def test_a_table_that_is_cut_within_a_letter_is_read_as_far_as_it_goes():
    assert decoded("frame,id".encode("utf-16") + b"x") == "frame,id\N{REPLACEMENT CHARACTER}"
