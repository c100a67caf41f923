"""Cameras keep their subjects in the picture, go smoothly, and through nothing."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.base.codec import SceneError
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.studio.camera_work import calmed, check_expected, filmed
from artfish.core.studio.film import MOVES, FilmShot, Subject
from artfish.core.studio.smoothing import between
from artfish.core.studio.subjects import find
from artfish.core.studio.tuning import CAMERA_CLEAR_METRES, MOST_SWING_DEGREES

SECONDS = 3.0


@pytest.fixture(scope="module")
def recording():
    """Twelve seconds of hunters and hunted among rocks."""
    return World(Scene.load("preying"), seed=10).simulate(12 * 24)


def shot(move="follow", **keys):
    """One of the hunter that begins after a second, in the cameras' own angle."""
    given = {
        "subject": Subject(species="peacock_grouper", pair=move == "over_shoulder"),
        "start": 1.0,
        "seconds": SECONDS,
    }
    return FilmShot(**{"scene": "preying", "move": move, **given, **keys})


@pytest.mark.parametrize("move", [move for move in MOVES if move != "fish_cam"])
def test_the_subject_is_in_the_picture(recording, move):
    path = filmed(recording, shot(move))
    of = path.rows[-1]  # over a shoulder one looks at the other
    x, y, depth = path.picture(between(recording.nodes[:, of], path.frames))
    inside = (np.abs(x) < 0.5) & (np.abs(y) < 0.5 * 9 / 16) & (depth > 0.0)
    assert inside.mean() > 0.95
    assert len(path.at) == len(path.look_at) == len(path.focus) == round(SECONDS * recording.fps)


@pytest.mark.parametrize("move", [move for move in MOVES if move != "fish_cam"])
def test_the_camera_is_clear_of_rocks_and_in_the_water(recording, move):
    path = filmed(recording, shot(move))
    assert Obstacles.from_scene(recording.scene).distance(path.at)[0].min() > 0.9 * CAMERA_CLEAR_METRES
    assert (path.at[:, 2] > 0.0).all() and (path.at[:, 2] < recording.scene.tank.size[2]).all()


@pytest.mark.parametrize("move", MOVES)
def test_the_camera_goes_smoothly(recording, move):
    """It is never pushed harder than a diver could, unless it rides on a fish that bursts."""
    path = filmed(recording, shot(move))
    assert move == "fish_cam" or np.linalg.norm(np.diff(path.at, 2, axis=0), axis=1).max() * recording.fps**2 < 1.5
    ahead = path.look_at - path.at
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    assert np.linalg.norm(np.diff(ahead, axis=0), axis=1).max() * recording.fps < np.radians(60.0)


@pytest.mark.parametrize("move", ["follow", "lead"])
def test_a_camera_goes_in_a_short_shot_as_it_does_in_the_middle_of_a_longer_one(recording, move):
    """It knows what comes before and after its shot, so that it does not swing out where that begins and ends."""
    keys = {"azimuth": 35.0, "elevation": 4.0}
    longer = filmed(recording, shot(move, start=0.5, seconds=5.0, **keys))
    short = filmed(recording, shot(move, start=2.0, seconds=2.0, **keys))
    begin = int(np.searchsorted(longer.frames, short.frames[0] - 0.5))
    apart = np.linalg.norm(longer.at[begin : begin + len(short.at)] - short.at, axis=1)
    assert apart.max() < 0.25 * recording.body_length[0]


@pytest.mark.parametrize("turns", [0.5, 2.0])
def test_a_camera_goes_around_slowly_however_fast_its_subject_turns(turns):
    """A fish that faces about is followed late and early; one that spins is seen from all sides."""
    heading = 2.0 * np.pi * turns / (1.0 + np.exp(-np.linspace(-9.0, 9.0, 144)))
    fps = 24.0
    calm = calmed(heading, fps)
    assert np.abs(np.diff(heading)).max() * fps > np.radians(2.0 * MOST_SWING_DEGREES)
    assert np.abs(np.diff(calm)).max() * fps <= np.radians(MOST_SWING_DEGREES) + 1e-9
    assert calm[-1] - calm[0] > np.radians(60.0)  # it still goes with it
    assert np.allclose(calmed(0.02 * heading, fps), 0.02 * heading)


def test_a_size_is_a_share_of_the_width(recording):
    """A fish that is filmed square to its side takes as much of the picture as the shot says."""
    path = filmed(recording, shot("dolly", azimuth=90.0, elevation=0.0, travel=0.0, size=0.3))
    x, _, _ = path.picture(between(recording.nodes[:, path.rows[0]], path.frames))
    assert np.median(np.ptp(x, axis=1)) == pytest.approx(0.3, rel=0.25)


def test_the_subject_is_beside_and_above_the_middle_as_the_shot_says(recording):
    path = filmed(recording, shot("dolly", azimuth=90.0, elevation=0.0, travel=0.0, across=0.2, above=-0.1))
    x, y, _ = path.picture(between(recording.nodes[:, path.rows[0]], path.frames).mean(axis=1))
    assert np.median(x) == pytest.approx(0.2, abs=0.08) and np.median(y) == pytest.approx(-0.1, abs=0.05)


def test_a_fish_sees_what_lies_ahead(recording):
    path = filmed(recording, shot("fish_cam"))
    nodes = between(recording.nodes[:, path.rows[0]], path.frames)
    along = nodes[:, 0] - nodes[:, 21:23].mean(axis=1)
    assert (np.sum((path.look_at - path.at) * along, axis=1) > 0.0).all()
    behind = np.sum((nodes - path.at[:, None]) * (path.look_at - path.at)[:, None], axis=-1)
    assert (behind < 0.0).all()  # nothing of itself is before its eyes


def test_a_shot_of_a_fish_that_is_gone_is_refused(recording):
    eaten = [event for event in recording.events if event["kind"] == "eaten"][0]
    row, leaves = eaten["other"], eaten["frame"] / recording.fps
    fish = [other for other, name in enumerate(recording.species) if name == recording.species[row]].index(row)
    subject = Subject(species=recording.species[row], fish=fish)
    seen = shot("dolly", subject=subject, start=leaves - 2.0, seconds=3.0)
    check_expected(recording, seen, filmed(recording, seen))
    gone = shot("dolly", subject=subject, start=leaves - 1.0, seconds=3.0)
    with pytest.raises(SceneError, match=r"there for 1\.[01] s of 3 s"):
        check_expected(recording, gone, filmed(recording, gone))


def test_an_event_is_in_its_shot(recording):
    eaten = [event for event in recording.events if event["kind"] == "eaten"][0]
    subject = Subject(event="eaten", pair=True)
    assert find(recording, subject) == ((eaten["fish"], eaten["other"]), eaten["frame"])
    good = shot("dolly", subject=subject, start=-2.0, expects=("eaten",))
    check_expected(recording, good, filmed(recording, good))
    early = shot("dolly", subject=subject, start=-4.0, expects=("eaten",))
    with pytest.raises(SceneError, match=r"expects\[0\]"):
        check_expected(recording, early, filmed(recording, early))


def test_the_focus_goes_from_one_to_the_other(recording):
    other = Subject(species="butterflyfish")
    plain, pulled = (filmed(recording, shot("locked", pull=pull)) for pull in (None, other))
    away = np.linalg.norm(
        between(recording.nodes[:, find(recording, other)[0][0], 0], pulled.frames) - pulled.at, axis=1
    )
    assert pulled.focus[0] == pytest.approx(plain.focus[0], rel=0.1)
    assert pulled.focus[-1] == pytest.approx(away[-1], rel=0.15)


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"subject": Subject(species="peacock_grouper", fish=1)}, "one of 1 of peacock_grouper"),
        ({"subject": Subject(event="spawned")}, "one of the 0 that happen"),
        ({"start": 10.0}, "start"),
        ({"start": -1.0}, "start"),
    ],
)
def test_what_cannot_be_filmed_is_said_in_a_line(recording, keys, complaint):
    with pytest.raises(SceneError, match=complaint):
        filmed(recording, shot(**keys))
