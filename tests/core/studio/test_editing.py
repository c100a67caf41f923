"""An edit shows what happens and what is calm, without gaps, and no fish before it is there."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.events import EVENT_KINDS, FISHLESS_KINDS
from artfish.core.studio.camera_work import filmed
from artfish.core.studio.editing import edit
from artfish.core.studio.subjects import find
from artfish.core.studio.tuning import SHORTEST_EDIT_SECONDS


@pytest.fixture(scope="module")
def recording():
    """Twelve seconds of hunters and hunted among rocks."""
    return World(Scene.load("preying"), seed=10).simulate(12 * 24)


@pytest.fixture(scope="module")
def lone():
    """Six seconds of one fish by itself."""
    scene = Scene.from_dict({"fishes": [{"species": "clownfish", "at": [5.0, 4.0, 2.0]}], "duration": 6.0})
    return World(scene).simulate(6 * 24)


def spans(recording, shots):
    """First frame of each shot and the frame after its last."""
    begins = [round(find(recording, shot.subject)[1] + shot.start * recording.fps) for shot in shots]
    return [(begin, begin + round(shot.seconds * recording.fps)) for begin, shot in zip(begins, shots, strict=True)]


def test_who_is_eaten_is_seen_and_no_two_overlap(recording):
    shots = edit(recording, "preying", 9, 4, 2.0)
    eaten = {shot.subject.nth for shot in shots if shot.subject.event == "eaten"}
    assert eaten and 2 <= len(shots) <= 4
    found = spans(recording, shots)
    assert all(end <= begin for (_, end), (begin, _) in zip(found, found[1:], strict=False))
    assert all(end - begin == 48 for begin, end in found)
    assert all(begin <= find(recording, shot.subject)[1] < end for (begin, end), shot in zip(found, shots, strict=True)
               if shot.subject.event)  # fmt: skip


def test_an_edit_can_be_filmed_and_changes_its_moves(recording):
    shots = edit(recording, "preying", 9, 5, 2.0, fill=True)
    paths = [filmed(recording, shot) for shot in shots]
    assert len({shot.move for shot in shots}) > 1
    assert all(one.move != other.move for one, other in zip(shots, shots[1:], strict=False))
    assert [len(path.frames) for path in paths] == [end - begin for begin, end in spans(recording, shots)]


@pytest.mark.parametrize(("count", "seconds"), [(1, 4.0), (5, 2.0), (10, 4.0), (3, 1.0), (25, 4.0), (3, 60.0)])
def test_it_fills_the_film_with_as_many_shots_as_are_asked_or_more(recording, count, seconds):
    found = spans(recording, edit(recording, "preying", 9, count, seconds, fill=True))
    assert found[0][0] == 0 and found[-1][1] == recording.frames
    assert all(end == begin for (_, end), (begin, _) in zip(found, found[1:], strict=False))
    assert len(found) == max(count, round(12.0 / seconds))


def test_more_shots_than_an_eye_can_follow_are_not_made(recording):
    found = spans(recording, edit(recording, "preying", 9, 200, 4.0, fill=True))
    assert len(found) == 40 == round(12.0 / SHORTEST_EDIT_SECONDS) and min(end - begin for begin, end in found) >= 2


def test_events_have_calm_shots_between_them(recording):
    """However much happens: a quarter of an edit shows fishes that swim by themselves."""
    many = [{"kind": "fed", "fish": frame % 5, "other": 1, "frame": frame} for frame in range(0, 288, 4)]
    busy = replace(recording, events=many, fear=np.zeros_like(recording.fear))
    for fill in (False, True):
        shots = edit(busy, "preying", 9, 8, 1.5, fill)
        calm = [shot for shot in shots if shot.subject.event is None]
        assert len(calm) >= 2 and len(shots) - len(calm) >= 2


def test_what_happens_is_shown_whichever_way_the_film_is_cut(recording):
    """The one event is in the shot of it, past its beginning and before its end, wherever it is."""
    for frame in (12, 40, 71, 72, 73, 200, 280):
        event = {"kind": "spawned", "fish": 2, "other": 1, "frame": frame}
        once = replace(recording, events=[event], fear=np.zeros_like(recording.fear))
        shots = edit(once, "preying", 9, 4, 3.0, fill=True)
        (own,) = [each for each in zip(shots, spans(once, shots), strict=True) if each[0].subject.event]
        begin, end = own[1]
        assert begin <= frame < end and (frame - begin >= 0.3 * (end - begin) or frame < 30)


def test_stretches_that_are_given_are_filmed_and_nothing_else(recording):
    given = [(20, 90), (91, 92), (150, 288)]
    found = spans(recording, edit(recording, "preying", 9, 6, 2.0, fill=True, spans=given))
    covered = {frame for begin, end in found for frame in range(begin, end)}
    assert covered == {*range(20, 90), *range(150, 288)} and len(found) >= 6
    for begin, end in spans(recording, edit(recording, "preying", 9, 6, 2.0, spans=given)):
        assert any(low <= begin and end <= high for low, high in given)


def test_no_shot_begins_before_its_subject_is_there(recording):
    alive = np.zeros_like(recording.alive)
    alive[:, 0] = np.arange(recording.frames) < 60  # goes at 60, as another comes at 48
    alive[48:200, 1] = True
    alive[230:, 2] = True
    events = [{"kind": "entered", "fish": row, "other": 0, "frame": frame} for row, frame in ((1, 48), (2, 230))]
    some = replace(recording, alive=alive, events=events, fear=np.zeros_like(recording.fear))
    for count in (3, 5, 9):
        shots = edit(some, "preying", 9, count, 2.0, fill=True)
        found = spans(some, shots)
        for shot, (begin, _) in zip(shots, found, strict=True):
            assert alive[begin, find(some, shot.subject)[0][0]]
        covered = {frame for begin, end in found for frame in range(begin, end)}
        assert covered == {*range(200), *range(230, 288)} and len(found) >= count


def test_where_nobody_is_there_is_no_shot(recording):
    nobody = replace(recording, alive=np.zeros_like(recording.alive), events=[])
    assert edit(nobody, "preying", 9, 5, 2.0, fill=True) == () == edit(nobody, "preying", 9, 5, 2.0)


def test_each_kind_of_event_can_be_shown(recording):
    """An edit can be made of anything that may happen."""
    events = [
        {"kind": kind, "fish": -1 if kind in FISHLESS_KINDS else 0, "other": 1, "frame": 100, "run": 1, "goal": "home"}
        for kind in EVENT_KINDS
    ]
    for event in events:
        once = replace(recording, events=[event], fear=np.zeros_like(recording.fear))
        assert event["kind"] in {shot.subject.event for shot in edit(once, "preying", 9, 3, 2.0)}
        assert event["kind"] in {shot.subject.event for shot in edit(once, "preying", 9, 3, 2.0, fill=True)}


def test_calm_fishes_are_worth_a_shot_where_nothing_happens(lone):
    for fill in (False, True):
        shots = edit(lone, "alone", 0, 3, 1.0, fill)
        assert len(shots) >= 3 and {shot.subject.event for shot in shots} == {None}


def test_fishes_are_shown_before_any_is_shown_twice(recording):
    quiet = replace(recording, events=[], fear=np.zeros_like(recording.fear))
    shots = edit(quiet, "preying", 9, 8, 1.5, fill=True)
    shown = [shot.subject.fish for shot in shots]
    assert len(set(shown)) == len(shown) == 8
    assert len({recording.species[row] for row in shown}) == min(8, len(set(recording.species)))
