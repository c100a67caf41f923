"""Scores say how much of a wish is fulfilled: 1 where it is, less the farther off, and 0 where nothing is."""

import numpy as np
import pytest

from artfish.core.farm.scoring import part_names, scored
from artfish.core.farm.tuning import FADE_METRES, FADE_PICTURE, FADE_SECONDS
from artfish.core.farm.wishes import wishes_of
from artfish.tests.core.farm.scenes import CAMERA, staged

APART = [[2, 2, 1.5], [3, 2.4, 1.5], [4, 2, 1.5]]


def ate(seconds, fish=2, other=0):
    """An event at a time of a recording of 24 frames a second."""
    return {"frame": round(24 * seconds), "kind": "eaten", "fish": fish, "other": other}


def part(recording, *wishes):
    """The score of the first of some wishes."""
    return scored(recording, wishes_of([*wishes], recording.scene)).parts[0]


def test_an_event_in_time_is_all_that_was_wished_and_one_late_is_less():
    recording = staged(APART, [ate(1.5)])
    assert part(recording, {"event": "ate", "time": [1, 2]}) == 1.0
    late = [part(recording, {"event": "ate", "time": [0, 1.5 - gap]}) for gap in (0.25, 0.5, 1.0)]
    assert late == pytest.approx([1 / (1 + (gap / FADE_SECONDS) ** 2) for gap in (0.25, 0.5, 1.0)], abs=1e-6)
    assert part(recording, {"event": "spawned"}) == 0.0


def test_the_best_of_several_events_counts_and_says_when_it_was():
    recording = staged(APART, [ate(0.25), ate(1.0), ate(1.75)])
    found = scored(recording, wishes_of([{"event": "ate", "time": [0.9, 1.1]}], recording.scene))
    assert found.score == 1.0 and found.moment == 24


def test_who_and_whom_must_be_as_wished():
    recording = staged(APART, [ate(1.0, fish=2, other=1)])
    assert part(recording, {"event": "ate", "fishes": 1, "whom": 0, "whom_member": 1}) == 1.0
    for other in ({"fishes": 0}, {"whom": 1}, {"whom": 0, "whom_member": 0}):
        assert part(recording, {"event": "ate", **other}) == 0.0


def test_a_stage_of_courtship_is_an_event():
    event = {"frame": 12, "kind": "courtship", "stage": "circling", "fish": 0, "other": 1}
    recording = staged(APART, [event])
    assert part(recording, {"event": "circling"}) == part(recording, {"event": "courtship"}) == 1.0
    assert part(recording, {"event": "looping"}) == 0.0


def test_an_event_is_worth_less_the_farther_from_its_place():
    recording = staged(APART, [ate(1.0)])
    middle = recording.nodes[24, 2].mean(axis=0, dtype=float)
    at = {"event": "ate", "radius": 0.3, "at": (middle + [0.2, 0, 0]).tolist()}
    assert part(recording, at) == 1.0
    at["at"] = (middle + [0, 0.3 + FADE_METRES, 0]).tolist()
    assert part(recording, at) == pytest.approx(0.5, abs=1e-3)


def test_an_event_is_to_be_in_the_picture_and_large():
    recording = staged([[2, 2, 1.5], [3, 2.4, 1.5], [3, 2, 1.5]], [ate(1.0)])
    nodes = recording.nodes[24, 2].astype(float)
    away = 5.0 + nodes[:, 1] - 2.0
    wide = np.ptp((nodes[:, 0] - 3.0) / away) * 35 / 36 * 16 / 9  # over the picture's height
    wish = {"event": "ate", "camera": "A", "size": 0.9 * wide}
    assert part(recording, wish, CAMERA) == 1.0
    assert part(recording, {**wish, "size": 2.0 * wide}, CAMERA) == pytest.approx(0.5, abs=1e-4)
    aside = staged([[2, 2, 1.5], [3, 2.4, 1.5], [6, 2, 1.5]], [ate(1.0)])
    out = 3 / 5 * 35 / 36 - 0.5  # of the picture's width
    assert part(aside, {**wish, "size": 0}, CAMERA) == pytest.approx(1 / (1 + (out / FADE_PICTURE) ** 2), abs=0.02)
    behind = {**CAMERA, "look_at": [3, -8, 1.5]}
    assert part(recording, wish, behind) == 0.0


def test_what_stands_before_a_fish_hides_it():
    pillar = [{"kind": "cylinder", "at": [3, 1, 0], "radius": 0.3, "height": 3}]
    recording = staged([[2, 2, 1.5], [1, 2.4, 1.5], [3, 2, 1.5]], [ate(1.0)], obstacles=pillar)
    assert part(recording, {"event": "ate", "camera": "A"}, CAMERA) == 0.5
    assert part(recording, {"kind": "picture", "camera": "A", "fishes": 1}, CAMERA) == 0.0


def test_a_picture_counts_the_share_of_the_time():
    places = np.broadcast_to(np.array(APART, dtype=float), (48, 3, 3)).copy()
    places[24:, 2] = [5.9, 0.2, 1.5]  # out of the picture
    recording = staged(places)
    wish = {"kind": "picture", "camera": "A", "fishes": 1}
    assert part(recording, {**wish, "share": 0.5}, CAMERA) == 1.0
    assert part(recording, {**wish, "share": 1.0}, CAMERA) == 0.5
    assert part(recording, {**wish, "time": [1, 2]}, CAMERA) == 0.0
    assert part(recording, {**wish, "size": 1.0}, CAMERA) == 0.0


def test_others_before_or_behind_a_fish_are_in_its_way():
    behind = staged([[3, 2, 1.5], [1, 2.4, 1.5], [3, 3, 1.5]])
    wish, view = ({"kind": kind, "camera": "A", "fishes": 0, "member": 0} for kind in ("picture", "unhidden"))
    assert part(behind, {**wish, "clear": True}, CAMERA) == 0.0 and part(behind, wish, CAMERA) == 1.0
    assert part(behind, view, CAMERA) == 1.0
    before = staged([[3, 2, 1.5], [1, 2.4, 1.5], [3, 1, 1.5]])
    assert part(before, view, CAMERA) == 0.0
    assert part(before, {**view, "fishes": 1, "member": 0}, CAMERA) == 1.0


def test_a_shoals_shape_is_measured():
    recording = staged([[2, 2, 1.5], [2, 2.5, 1.5], [4, 2, 1.5]])
    shape = {"kind": "shape", "fishes": 0}
    length = float(recording.body_length[0])
    assert part(recording, {**shape, "polarisation": [0.9, 1]}) == 1.0  # both along x
    assert part(recording, {**shape, "polarisation": [0, 0.2]}) < 0.2
    near = 0.5 / length
    assert part(recording, {**shape, "nearest": [0.95 * near, 1.05 * near]}) == 1.0
    assert part(recording, {**shape, "extent": [0.24, 0.26]}) == 1.0
    assert part(recording, {**shape, "extent": [0.5, 0.6]}) == pytest.approx(1 / (1 + (0.5 / 0.25) ** 2), abs=0.01)


def test_those_that_arrive_in_time_count():
    direction = [{"kind": "arrival", "fishes": 0, "at": [4, 2, 1], "time": 1.5, "name": "Mark"}]
    events = [
        {"frame": 30, "kind": "arrived", "fish": 0, "other": -1, "goal": "Mark", "run": 1, "late": -0.2, "off": 0.5},
        {"frame": 47, "kind": "arrived", "fish": 1, "other": -1, "goal": "Mark", "run": 1, "late": 1.5, "off": 0.5},
    ]
    recording = staged(APART, events, direction=direction)
    assert part(recording, {"kind": "arrival", "late": 0.5, "share": 0.5}) == 1.0
    assert part(recording, {"kind": "arrival", "late": 0.5}) == pytest.approx(0.5 * (1 + 0.5))  # a second too late
    assert part(recording, {"kind": "arrival", "fishes": 0, "member": 0}) == 1.0


def test_touches_are_seen():
    touching = staged([[2, 2, 1.5], [2.02, 2, 1.5], [4, 2, 1.5]])
    assert part(touching, {"kind": "untouched"}) == 0.0
    assert part(touching, {"kind": "untouched", "of": "obstacles"}) == 1.0
    assert part(touching, {"kind": "untouched", "fishes": 1}) == 1.0
    pillar = [{"kind": "cylinder", "at": [3, 1, 0], "radius": 0.3, "height": 3}]
    inside = staged([[2, 2, 1.5], [5, 2, 1.5], [3, 1, 1.5]], obstacles=pillar)
    assert part(inside, {"kind": "untouched", "of": "obstacles"}) == 0.0
    assert part(inside, {"kind": "untouched", "of": "fishes"}) == 1.0
    off = np.sqrt(2) - 0.3  # metres from the pillar, and less by half a body
    assert part(inside, {"kind": "untouched", "fishes": 0, "gap": off}) == 0.0
    assert part(inside, {"kind": "untouched", "fishes": 0, "gap": off - 0.2}) == 1.0


def test_weights_say_what_counts():
    recording = staged(APART, [ate(1.5)])
    wishes = wishes_of([{"event": "ate", "weight": 3}, {"event": "spawned"}], recording.scene)
    found = scored(recording, wishes)
    assert found.parts == (1.0, 0.0) and found.score == 0.75
    assert part_names(wishes) == ["wish 0 ate", "wish 1 spawned"]
