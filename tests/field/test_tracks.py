"""Tables of tracks as other programs write them: read for what they say, or refused with the number of a line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from artfish.cli import main
from artfish.core import Recording, SceneError, Species
from artfish.core.body.anatomy import body_frame
from artfish.core.studio.following import follow
from artfish.core.studio.tracks import Tracks

CASES = Path(__file__).parent / "cases" / "tracks"
HEAD = "frame,id,x,y\n"
PLACES = "".join(f"{frame},{name},{0.1 * frame:g},{y}\n" for frame in range(4) for name, y in (("a", 0.5), ("b", 1.5)))
PLAIN = HEAD + PLACES
BLANKS = [
    *(
        "",
        "NA",
        "N/A",
        "na",
        "None",
        "null",
        "NULL",
        "nan",
        "NaN",
        "-nan",
        "-nan(ind)",
        "nan(snan)",
        "1.#QNAN",
        "-1.#IND",
    ),
    *("inf", "-inf", "Infinity", ".", "-", "missing"),
]


def read(tmp_path, content: bytes | str, **how) -> Tracks:
    path = tmp_path / "tracks.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Tracks.read(path, **how)


DIALECTS = {
    "byte order mark": b"\xef\xbb\xbf" + PLAIN.encode(),
    "UTF-16 with tabs, as a spreadsheet's Unicode text": PLAIN.replace(",", "\t").encode("utf-16"),
    "Windows line ends": PLAIN.replace("\n", "\r\n").encode(),
    "line ends of an old Macintosh": PLAIN.replace("\n", "\r").encode(),
    "line ends of three kinds": PLAIN.replace("\n", "\r\n", 3).replace("\n2,b", "\r2,b").encode(),
    "semicolons and decimal commas": PLAIN.replace(",", ";").replace(".", ",").encode(),
    "tabs and decimal points": PLAIN.replace(",", "\t").encode(),
    "everything in quotes": "".join(
        ",".join(f'"{value}"' for value in line.split(",")) + "\n" for line in PLAIN.splitlines()
    ).encode(),
    "blank lines and spaces": PLAIN.replace("\n", "\n\n").replace(",", " , ").encode(),
    "no end of the last line": PLAIN.rstrip().encode(),
    "another order, and columns of others": b"x,likelihood,y,id,frame\n"
    + b"".join(b"%b,0.9,%b,%b,%b\n" % (x, y, name, frame) for frame, name, x, y in (
        line.split(b",") for line in PLACES.encode().splitlines())),
    "frames as fractions": PLACES.join([HEAD, ""]).replace("\n1,", "\n1.0,").replace("\n2,", "\n2.000,").encode(),
    "upper case": PLAIN.replace("frame,id,x,y", "Frame,ID,X,Y").encode(),
}  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_says_the_same_places(tmp_path, dialect):
    tracks = read(tmp_path, DIALECTS[dialect])
    assert tracks.ids == ("a", "b") and tracks.places.shape == (4, 2, 3) and not tracks.notes
    assert np.allclose(tracks.places[:, 0, 0], [0, 0.1, 0.2, 0.3]) and (tracks.places[:, :, 1] == [0.5, 1.5]).all()


@pytest.mark.parametrize("blank", BLANKS)
def test_a_blank_of_any_program_is_a_gap_and_nobody_s_name(tmp_path, blank):
    gap = read(tmp_path, f"{HEAD}0,a,0,0\n1,a,{blank},{blank}\n2,a,0.2,0\n1,{blank},7,7\n")
    assert gap.ids == ("a",) and np.allclose(gap.places[:, 0, 0], [0, 0.1, 0.2])
    one = read(tmp_path, f"{HEAD}0,a,0,0\n1,a,5,{blank}\n2,a,0.2,0\n")
    assert np.allclose(one.places[:, 0, 0], [0, 0.1, 0.2])


@pytest.mark.parametrize(
    ("file", "name", "frames"),
    [
        ("cr.csv", "1", 2),
        ("mix.csv", "a", 4),
        ("follow_nan_id.csv", "a", 3),
        ("follow_inf.csv", "a", 3),
        ("follow_vertical.csv", "a", 2),
    ],
)
def test_the_tables_that_broke_are_read(file, name, frames):
    tracks = Tracks.read(CASES / file)
    assert tracks.ids == (name,) and len(tracks.places) == frames and np.isfinite(tracks.places).all()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ((CASES / "quote.csv").read_bytes(), "line 3: found quotation marks that do not match"),
        (HEAD + '0,a,1,1\n1,a,"2,2\n', "line 3: found quotation marks that do not match"),
        (HEAD + '0,a,1,1\n1,a,2"2",2\n', "line 3: x: found '2\"2\"', allowed a number"),
        (HEAD + "0,a,1,1\n1,a,1_0,2\n", "line 3: x: found '1_0', allowed a number"),
        (HEAD + "1_0,a,1,1\n", "line 2: frame: found '1_0', allowed a number"),
        (HEAD + "0,a,\u0661,1\n", "line 2: x: found '\u0661', allowed a number"),
        (HEAD + "0,a,1e999,1\n", "line 2: x: found '1e999', allowed a number"),
        (HEAD + "0.5,a,1,1\n", "line 2: frame: found '0.5', allowed a whole number, 0 or more"),
        (HEAD + "0,a,nan,nan\n", "found no place"),
        (HEAD + "0," + "a" * 200_000 + ",1,1\n", "line 2: found quotation marks that do not match"),
    ],
)
def test_what_makes_no_sense_is_one_line_with_its_number(tmp_path, content, said):
    with pytest.raises(SceneError) as refused:
        read(tmp_path, content)
    assert said in str(refused.value) and str(refused.value).isprintable()


def test_names_in_one_byte_a_letter_stay_apart(tmp_path):
    lines = "".join(f"{frame},{name},{0.01 * frame},{y}\n" for frame in range(3) for name, y in (("ä", 0), ("å", 1)))
    for coding in ("latin-1", "cp1252", "utf-8"):
        tracks = read(tmp_path, (HEAD + lines).encode(coding))
        assert len(tracks.ids) == 2 and (tracks.places[:, :, 1] == [0, 1]).all()
    assert len(Tracks.read(CASES / "follow_latin1.csv").ids) == 2


def test_times_in_seconds_are_frames_by_the_rate_that_is_given(tmp_path):
    lines = "".join(f"{frame / 30:.4f},a,{0.01 * frame:g},0\n" for frame in (3, 4, 5, 7))
    tracks = read(tmp_path, HEAD + lines, fps=30.0)
    assert len(tracks.places) == 5 and np.allclose(tracks.places[:, 0, 0], [0.03, 0.04, 0.05, 0.06, 0.07])
    assert "taken for times in seconds" in tracks.notes[0]
    with pytest.raises(SceneError, match=r"line 3: frame: found 0.1333, allowed whole numbers, or times in seconds"):
        read(tmp_path, HEAD + lines, fps=25.0)
    assert "are they milliseconds?" in read(tmp_path, HEAD + "0,a,0,0\n33,a,1,0\n67,a,2,0\n").notes[0]


def test_a_picture_s_y_counts_down(tmp_path):
    """A fish that turned left was one that turns right."""
    pixels = HEAD + "0,a,100,600\n1,a,200,600\n2,a,200,500\n"
    (note,) = read(tmp_path, pixels, scale=0.001).notes
    assert "--y-down" in note and "up to 600 look like pixels" in note
    tracks = read(tmp_path, pixels, scale=0.001, y_down=True)
    assert not tracks.notes
    ahead, left = np.diff(tracks.places[:, 0], axis=0)
    assert np.cross(ahead, left)[2] > 0.0, "up in the picture is to the left of who swims to its right"
    assert not read(tmp_path, "frame,id,x,y,z\n0,a,100,600,1\n1,a,200,600,1\n").notes, "no picture has depth"


@pytest.mark.film
def test_a_fish_that_begins_straight_up_swims_up(tmp_path, capsys):
    out = tmp_path / "up.npz"
    assert (
        main(["follow", str(CASES / "follow_vertical.csv"), "--species", "sardine", "--fps", "30", "-o", str(out)]) == 0
    )
    assert "nan" not in capsys.readouterr().out
    nodes = Recording.load(out).nodes.astype(float)
    assert np.isfinite(nodes).all() and body_frame(nodes)[1][0, 0, 2, 0] > 0.99


@pytest.mark.film
@pytest.mark.parametrize(("fps", "stride"), [(240.0, 1), (500.0, 3), (2000.0, 9)])
def test_high_speed_video_is_followed_at_a_rate_that_a_recording_has(fps, stride):
    species = Species.load("sardine")
    t = np.arange(round(0.2 * fps)) / fps
    paths = np.stack([2 * species.length * t, 0 * t, 0 * t], axis=1)
    late = paths + (0, 1, 0)
    late[: len(t) // 2 + 1] = np.nan
    followed = follow(Tracks(("a", "b"), np.stack([paths, late], axis=1), flat=True), species, fps)
    assert followed.recording.fps == pytest.approx(fps / stride)
    assert followed.recording.frames == -(-len(t) // stride)
    assert np.nanmax(followed.off) < 0.2
    first = np.flatnonzero(followed.recording.alive[:, 1])[0]
    assert 0 <= first - (len(t) // 2 + 1) // stride <= 0
