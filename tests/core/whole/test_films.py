"""The preset films: what each shot expects happens within it, and what it is of is in the picture (Tu 1999, ch. 10)."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from artfish.core import Recording, Scene, World
from artfish.core.base.files import preset_names
from artfish.core.behavior.intention import EAT, ESCAPE
from artfish.core.body.anatomy import NOSE_NODE
from artfish.core.studio.camera_work import CameraPath, check_expected, events_in, filmed
from artfish.core.studio.film import FISH_MODELS, Film, FilmShot
from artfish.core.studio.smoothing import between
from artfish.core.studio.subjects import SubjectTrack, find

pytestmark = pytest.mark.film
FILMS = [
    pytest.param(name, marks=pytest.mark.long) if name in ("cousto", "go_fish") else name
    for name in preset_names("films")
]
"""Films by name; two of them take half a minute to live."""


@cache
def lived(scene: str, seed: int) -> Recording:
    """A scene of this seed, once for all films."""
    return World(Scene.load(scene), seed=seed).simulate()


@cache
def shots(film: str) -> tuple[tuple[FilmShot, Recording, CameraPath], ...]:
    """Shots of a film, what they are of, and how the camera goes."""
    of = [(shot, lived(shot.scene, shot.seed)) for shot in Film.load(film).shots]
    return tuple((shot, recording, filmed(recording, shot)) for shot, recording in of)


@pytest.mark.parametrize("film", FILMS)
def test_what_a_shot_expects_happens_in_it_in_order(film):
    assert any(shot.expects for shot, *_ in shots(film))
    for shot, recording, path in shots(film):
        check_expected(recording, shot, path)


@pytest.mark.parametrize("film", FILMS)
def test_what_a_shot_is_of_is_in_the_picture(film):
    for number, (shot, recording, path) in enumerate(shots(film), 1):
        if shot.move == "fish_cam":
            continue
        subject = SubjectTrack(recording, path.rows[-1:] if shot.move == "over_shoulder" else path.rows, path.frames)
        x, y, depth = path.picture(subject.middle)
        inside = (np.abs(x) < 0.45) & (np.abs(y) < 0.45 * 9 / 16) & (depth > 0.0)
        assert inside.mean() > 0.9, f"shot {number}"


@pytest.mark.parametrize("film", FILMS)
def test_no_camera_is_whipped_about(film):
    """Unless it rides on its subject, whatever that does, it turns as one that is swum with, pushed no harder."""
    for number, (shot, recording, path) in enumerate(shots(film), 1):
        if shot.move == "fish_cam":
            continue
        ahead = path.look_at - path.at
        ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
        turn = np.degrees(np.linalg.norm(np.diff(ahead, axis=0), axis=1)) * recording.fps
        push = np.linalg.norm(np.diff(path.at, 2, axis=0), axis=1) * recording.fps**2
        assert turn.mean() < 30.0 and push.max() < 2.0, f"shot {number}"


def in_shot(film: str, kind: str, species: str | None = None) -> list[tuple[int, dict]]:
    """Events of a kind or a stage that a film shows where it expects them, each with the number of its shot."""
    return [
        (number, event)
        for number, (shot, recording, path) in enumerate(shots(film), 1)
        for event in events_in(recording, path)
        if kind in shot.expects and kind in (event["kind"], event.get("stage"))
        if species in (None, recording.species[event["fish"]])
    ]


def test_the_school_zigzags_parts_at_a_pillar_and_joins_again():
    _, recording, _ = shots("schooling")[0]
    leader = recording.nodes[:, 0].mean(axis=1)
    across = leader[:: round(recording.fps), 1]
    turns = np.flatnonzero(np.diff(np.sign(np.diff(across))))
    assert len(turns) >= 2 and np.ptp(across) > 2.0
    ((shot, parted),) = in_shot("schooling", "parted")
    ((next_shot, joined),) = in_shot("schooling", "joined")
    assert next_shot == shot + 1 and joined["frame"] > parted["frame"]
    path = shots("schooling")[shot - 1][2]
    pillar = np.array(recording.scene.obstacles[0].at)
    x, _, _ = path.picture(np.broadcast_to(pillar + (0.0, 0.0, 1.4), path.at.shape))
    assert (np.abs(x[path.frames > parted["frame"] - recording.fps]) < 0.5).all()  # that is seen, too
    places = between(recording.nodes.mean(axis=2), path.frames)[..., :2] - pillar[:2]
    way = np.median(places[-1], axis=0) - np.median(places[0], axis=0)
    passing = places[np.linalg.norm(places, axis=-1).argmin(axis=0), np.arange(places.shape[1])]
    beside = passing @ np.array([-way[1], way[0]])
    few, many = sorted((beside > 0.0, beside < 0.0), key=np.count_nonzero)
    assert 2 <= few.sum() <= many.sum() and many[0]  # most go with the one that leads


def test_the_larger_of_two_suitors_wins_and_two_couples_spawn():
    _, recording, _ = shots("mating")[0]
    loops = in_shot("mating", "looping", "clownfish")
    (_, first), (_, second), (turned, away) = loops
    winner, loser, she = first["fish"], second["fish"], first["other"]
    assert second["other"] == she and recording.body_length[winner] > recording.body_length[loser]
    assert away["fish"] == loser and recording.species[away["other"]] == "butterflyfish"
    shown = {
        (stage, recording.species[event["fish"]]): (shot, event["fish"], event["other"])
        for stage in ("circling", "ascending", "nuzzling", "spawned")
        for shot, event in in_shot("mating", stage)
    }
    stages = ("ascending", "nuzzling", "spawned")
    victory = [shown[stage, "clownfish"] for stage in stages]
    assert [shot for shot, *_ in victory] == sorted({shot for shot, *_ in victory})  # each in a shot of its own
    assert all(couple == [winner, she] for _, *couple in victory)
    behind = [shown[stage, "emperor_angelfish"][0] for stage in stages[:2]]
    assert behind[0] < behind[1] < turned < victory[0][0]  # meanwhile, in the background


def test_the_school_scatters_into_smaller_ones_and_the_sated_predator_leaves_one():
    """The end of §10.3: who is hungry eats one after another, and at last wanders away from the lucky survivor."""
    recording = shots("preying")[0][1]
    names = np.array(recording.species)
    hunter, school = recording.species.index("grouper"), np.flatnonzero(names == "cardinalfish")
    eaten = [event for event in recording.events if event["kind"] == "eaten"]
    meals = in_shot("preying", "eaten")
    assert len({shot for shot, _ in meals}) == len(meals) >= 5  # each in a shot of its own
    assert meals[-1][1] == eaten[-1]
    prey = np.flatnonzero(np.isin(names, ("cardinalfish", "clownfish")))
    (left,) = set(prey) - {event["other"] for event in eaten}
    assert recording.alive[-1, left] and left in shots("preying")[-1][2].rows  # which is seen at the end
    assert (recording.intention[-3 * round(recording.fps) :, hunter] != EAT).all()  # it has had enough
    sizes = [companies(recording, school, frame) for frame in range(0, recording.frames, round(recording.fps))]
    whole, scattered = sizes.index([6]), sizes.index([1] * 6)
    smaller = [len([one for one in size if one > 1]) >= 2 for size in sizes]
    assert whole < min(scattered, smaller.index(True))  # into smaller schools and single fishes, whichever comes first
    fleeing = (recording.intention[:, school] == ESCAPE).all(axis=1)
    assert fleeing.any() and fleeing.argmax() < scattered * recording.fps


def companies(recording: Recording, rows: np.ndarray, frame: int) -> list[int]:
    """Numbers of these fishes that keep together, three lengths from one to the next, most first."""
    rows = rows[recording.alive[frame, rows]]
    place = recording.nodes[frame, rows].mean(axis=1, dtype=float)
    near = np.linalg.norm(place[:, None] - place, axis=-1) < 3.0 * np.median(recording.body_length[rows])
    return sorted(np.bincount(connected_components(near, directed=False)[1]).tolist(), reverse=True)


@pytest.mark.long
def test_a_school_with_a_shark_behind_it_passes_behind_a_couple_that_courts():
    """The hardest shot of §11.6.1: all of it at about the same time and in the same picture."""
    found = []
    for shot, recording, path in shots("cousto"):
        if "circling" in shot.expects and shot.background is not None:
            school = SubjectTrack(recording, find(recording, shot.background)[0], path.frames)
            x, y, depth = path.picture(school.middle)
            seen = (np.abs(x) < 0.5) & (np.abs(y) < 0.5 * 9 / 16) & (depth > 1.3 * path.focus)
            hunter = recording.species.index("reef_shark")
            target = recording.target[path.frames.astype(int), hunter]
            found.append(
                seen.mean() > 0.8 and any(recording.species[one] == "sardinella" for one in target if one >= 0)
            )
    assert found and all(found)
    assert Film.load("cousto").seconds == pytest.approx(150.0)


def test_go_fish_is_as_long_as_the_book_says_and_builds_a_fish_from_within():
    film = Film.load("go_fish")
    assert film.seconds == pytest.approx(124.0)
    seen = [drawing for shot in film.shots for drawing in shot.shows]
    built = list(dict.fromkeys(seen))
    assert built[: len(FISH_MODELS)] == list(FISH_MODELS)
    assert built[len(FISH_MODELS) :] == ["wire", "film"]
    fisheye = {shot.shows[0] for shot in film.shots if shot.fisheye}
    assert fisheye == {"wire", "film"}


@pytest.mark.long
def test_the_hook_comes_down_is_bitten_and_draws_the_fish_up():
    of_hook = [each for each in shots("go_fish") if each[0].subject.event == "hooked"]
    down, near, rise = (of_hook[number][2] for number in (0, 1, 3))
    (bite, recording, _) = of_hook[2]
    assert len(of_hook) == 4 and bite.expects == ("hooked",)
    hook = recording.hook[down.frames.astype(int), -1].astype(float)
    across, above, ahead = down.picture(hook[:, None])
    inside = ((np.abs(across) < 0.5) & (np.abs(above) < 0.5 * 9 / 16) & (ahead > 0.0))[:, 0]
    assert inside[-1] and inside.mean() > 0.5 and hook[0, 2] - hook[-1, 2] > 1.0
    (fish,) = down.rows
    away = np.linalg.norm(recording.nodes[:, fish, NOSE_NODE] - recording.hook[:, -1], axis=-1)
    approach = near.frames.astype(int)
    assert away[approach[-1]] < away[approach[0]]
    drawn = recording.nodes[rise.frames.astype(int), fish].mean(axis=1)
    assert drawn[-1, 2] - drawn[0, 2] > 0.8
    across, above, _ = rise.picture(drawn[:, None].astype(float))
    assert ((np.abs(across) < 0.45) & (np.abs(above) < 0.45 * 9 / 16)).mean() > 0.9
