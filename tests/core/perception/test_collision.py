"""Danger of collision: the pushes of walls, and who is in a sensitivity box, how much and how urgently (§6.6.1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Recording, Scene, World
from artfish.core.behavior.character import table
from artfish.core.behavior.routines.avoid import keep_off
from artfish.core.body.anatomy import body_frame, frame_from
from artfish.core.geometry.pillar import Pillar
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.perception.collision import SWING_ANGLES, Antenna, berths_of, swung
from artfish.core.perception.neighbours import Neighbours
from artfish.core.perception.threats import Threats, threats
from artfish.core.perception.tuning import (
    BERTH_LENGTHS,
    FORESEEN_PACE,
    FORESEEN_SECONDS,
    GIRTH_LENGTHS,
    NOSE_END_LENGTHS,
    TAIL_END_LENGTHS,
)
from artfish.core.scene.species import Species
from artfish.core.scene.temperament import Temperament

LENGTH = 0.2
TRAITS = Temperament(comfort=0.8, comfort_ahead=1.5, comfort_behind=0.5, comfort_height=0.7)
ASIDE = 0.8 + 2 * GIRTH_LENGTHS  # lengths to the side, between two of one size
TURNED = 0.17  # rad, ten degrees: more than a tail beat yaws
LEVEL = frame_from(np.array([[1.0, 0, 0]]), np.array([[0.0, 0, 1]]))


def met(offset, heading=(1.0, 0, 0), motion=(0.0, 0, 0), length=LENGTH) -> Neighbours:
    """Neighbours of one fish, (k,) of them, their offsets in lengths."""
    offset = LENGTH * np.atleast_2d(np.array(offset, dtype=float))
    number = len(offset)
    return Neighbours(
        fish=np.arange(1, number + 1)[None],
        offset=offset[None],
        motion=np.broadcast_to(motion, (1, number, 3)).astype(float),
        ahead=np.broadcast_to(heading, (1, number, 3)).astype(float),
        length=np.broadcast_to(length, (1, number)).astype(float),
        kin=np.ones((1, number), dtype=bool),
        leads=np.zeros((1, number), dtype=bool),
        other=np.ones((1, number), dtype=bool),
    )


def box(neighbours: Neighbours, traits=TRAITS, scale=1.0, frames=LEVEL, welcome=None) -> Threats:
    who = None if welcome is None else np.array([welcome])
    return threats(neighbours, frames, np.array([LENGTH]), table([traits], Temperament), np.array([float(scale)]), who)


@pytest.mark.parametrize(
    ("way", "heading", "reach"),
    [
        ((1, 0, 0), (0, 1, 0), 1.5 * ASIDE),
        ((-1, 0, 0), (0, 1, 0), 0.5 * ASIDE),
        ((0, 1, 0), (1, 0, 0), ASIDE),
        ((0, -1, 0), (1, 0, 0), ASIDE),
        ((0, 0, 1), (1, 0, 0), 0.7 * ASIDE),
        ((0, 0, -1), (1, 0, 0), 0.7 * ASIDE),
    ],
)
def test_the_box_reaches_as_far_as_declared_to_every_side(way, heading, reach):
    offset = np.outer((0.999 * reach, 1.001 * reach), way)
    found = box(met(offset, heading))
    assert (found.portion[0] > 0).tolist() == [True, False]
    assert found.urgency[0] == pytest.approx([0.001, 0.0], abs=1e-9)
    assert found.away[0, 0] == pytest.approx(-np.array(way, dtype=float), abs=1e-9)


def test_it_is_felt_against_the_center_line_from_nose_to_tail():
    ahead = 1.5 * ASIDE
    tail, nose = (
        (ahead - TAIL_END_LENGTHS, 0, 0),
        (-ahead / 3 - NOSE_END_LENGTHS, 0, 0),
    )  # the box ends a third as far behind
    for offset, inwards in ((tail, -0.01), (nose, 0.01)):
        for step, inside in ((inwards, True), (-inwards, False)):
            found = box(met([np.array(offset) + (step, 0, 0)]))
            assert (found.portion[0, 0] > 0) == inside
            assert found.portion[0, 0] == pytest.approx(0.01 * inside, abs=1e-9)


def test_portion_and_urgency_are_those_of_many_points_on_the_line():
    rng = np.random.default_rng(4)
    heading = rng.normal(size=(200, 3))
    heading /= np.linalg.norm(heading, axis=1)[:, None]
    offset = rng.uniform(-2, 2, (200, 3))
    turned = frame_from(np.array([[0.6, 0.64, 0.48]]), np.array([[0.0, 0, 1]]))
    found = box(met(offset, heading), frames=turned)
    points = offset[:, None] + np.linspace(TAIL_END_LENGTHS, NOSE_END_LENGTHS, 4001)[:, None] * heading[:, None]
    own = points @ turned[0] / ASIDE
    gauge = np.maximum(own / (1.5, 1, 0.7), -own / (0.5, 1, 0.7)).max(axis=2)
    assert found.portion[0] == pytest.approx((gauge < 1).mean(axis=1), abs=2 / 4000)
    assert 20 < (found.portion > 0).sum() < 180
    near = np.where(gauge < 1, np.linalg.norm(points, axis=2), np.inf).argmin(axis=1)
    rows = np.flatnonzero((gauge < 1).any(axis=1))
    # Along a line, the gauge changes by no more than its step over the shortest reach.
    assert found.urgency[0, rows] == pytest.approx(1 - gauge[rows, near[rows]], abs=1 / 4000 / (0.5 * ASIDE))


def test_a_timid_fish_has_a_larger_box_and_what_it_is_about_scales_its_comfort():
    beside = met([[0, 1.0, 0]])
    assert box(beside).portion > 0
    assert box(beside, replace(TRAITS, comfort=0.6)).portion == 0
    assert box(met([[0, 2.0, 0]]), replace(TRAITS, comfort=2.0)).portion > 0
    assert box(beside, scale=0.75).portion == 0
    assert box(met([[0, 2 * GIRTH_LENGTHS - 0.01, 0]]), scale=0.0).portion > 0  # skins always count


def test_who_comes_is_foreseen_and_who_goes_is_not():
    reach = 1.5 * ASIDE - TAIL_END_LENGTHS
    far = [[reach + 1.0, 0, 0]]
    assert box(met(far)).portion == 0
    closing = (-1.1 * LENGTH / FORESEEN_SECONDS, 0, 0)
    assert box(met(far, motion=closing)).portion > 0
    assert box(met(far, motion=(-0.9 * LENGTH / FORESEEN_SECONDS, 0, 0))).portion == 0
    assert box(met(far, motion=(1.1 * LENGTH / FORESEEN_SECONDS, 0, 0))).portion == 0


def test_nobody_is_a_threat_to_itself_nor_what_it_is_after():
    near = met([[0, 0.5, 0], [0, -0.5, 0]])
    assert (box(near).portion > 0).all()
    assert (box(near, welcome=2).portion > 0).tolist() == [[True, False]]
    assert (box(near, welcome=-1).portion > 0).all()
    near.other[0, 0] = False
    assert (box(near).portion > 0).tolist() == [[False, True]]


def test_the_worst_has_most_of_its_center_line_in_the_box():
    deep_but_short, whole = [-0.2 - NOSE_END_LENGTHS, 0.0, 0], [0.2, 0.9, 0]
    found = box(met([deep_but_short, whole]))
    assert 0 < found.portion[0, 0] < found.portion[0, 1] == 1
    assert found.worst(np.array([[7, 9]])).tolist() == [9]
    assert box(met([[9, 0, 0]])).worst(np.array([[7]])).tolist() == [-1]


def test_the_push_grows_inwards_and_the_smaller_gives_way_more():
    length = np.array([LENGTH])

    def push(neighbours):
        return keep_off(box(neighbours), neighbours, length)[0]

    assert push(met([[0, ASIDE, 0]])) == pytest.approx(np.zeros(3), abs=1e-9)
    assert push(met([[0, 0.5 * ASIDE, 0]])) == pytest.approx([0, -1.5, 0], abs=1e-9)
    assert push(met([[0, 0.5 * ASIDE, 0], [0, -0.5 * ASIDE, 0]])) == pytest.approx(np.zeros(3), abs=1e-9)
    reach = 0.8 + GIRTH_LENGTHS * 4  # of a fish three times its length
    assert push(met([[0, 0.5 * reach, 0]], length=3 * LENGTH)) == pytest.approx([0, -1.5 * 1.5, 0], abs=1e-9)


def head_on(comfort: float) -> tuple[float, float, Recording]:
    """Lengths between two of that comfort that swim at each other when both have begun to turn, the least, and all."""
    model = Species.load("clownfish")
    model = replace(
        model,
        temperament=replace(model.temperament, comfort=comfort, turn=0.0, meander=0.0, climb=0.0, roam=0.0, hug=0.0),
    )
    group = {"species": "clownfish", "at": [2.2 - 4 * model.length, 2.0, 1.0], "heading": [1, 0, 0]}
    other = {**group, "at": [2.2 + 4 * model.length, 2.0 + 0.2 * model.length, 1.0], "heading": [-1, 0, 0]}
    scene = Scene.from_dict({"tank": {"size": [4.4, 4.0, 2.0]}, "fishes": [group, other]})
    recording = World(scene, seed=2, species={"clownfish": model}).simulate(24 * 6)
    ahead = body_frame(recording.nodes.astype(float))[1][..., 0]
    turned = (ahead * ahead[0]).sum(axis=2) < np.cos(TURNED)
    places = recording.nodes.mean(axis=2)
    gap = np.linalg.norm(places[:, 0] - places[:, 1], axis=1) / recording.body_length[0]
    return float(gap[turned.all(axis=1).argmax()]), float(gap.min()), recording


@pytest.mark.film
def test_the_timid_turn_away_well_in_advance_and_the_courageous_at_the_last_second():
    (timid, kept, recording), (brave, dared, _) = head_on(3.0), head_on(0.5)
    assert timid > brave + 0.3
    assert kept > dared + 0.3
    # Whom a fish avoids is in its recording, and nobody else.
    avoids = recording.intention == Recording.INTENTIONS.index("avoid")
    assert avoids.all(axis=1).any()
    assert (recording.target == np.where(avoids, [1, 0], -1)).all()


def test_in_a_corner_every_wall_pushes():
    antenna, length = Antenna(WaterBox((10.0, 8.0, 4.0)), Obstacles()), np.array([1.0])
    push = antenna.keep_clear(np.array([[0.35, 7.65, 2.0]]), length).sum(axis=1)
    assert push == pytest.approx(np.array([[1.0, -1.0, 0.0]]))  # half of what it keeps clear of, 0.7 lengths, to each
    assert not antenna.keep_clear(np.array([[5.0, 4.0, 2.0]]), length).any()


PLACES, TANK_SIZE = 300, np.array([5.0, 4.0, 3.0])


def stood(pillars: int, solids=()) -> Antenna:
    """An antenna in a tank with so many pillars, upright anywhere, and solids."""
    dice = np.random.default_rng(pillars)
    at, radius, height = (
        dice.uniform(0, 3, (pillars, 3)),
        dice.uniform(0.1, 0.6, pillars),
        dice.uniform(0.2, 3, pillars),
    )
    return Antenna(WaterBox(TANK_SIZE), Obstacles(at, radius, height, solids))


def spread() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Places in that tank and a little beyond, frames, lengths and speeds of fishes."""
    dice = np.random.default_rng(5)
    ahead = dice.normal(size=(PLACES, 3))
    ahead[:30] = np.eye(3)[np.arange(30) % 3] * dice.choice([-1.0, 1.0], (30, 1))
    frames = frame_from(ahead, np.broadcast_to([0.1, 0.2, 1.0], (PLACES, 3)))
    length = dice.uniform(0.05, 0.6, PLACES)
    return dice.uniform(-0.2, TANK_SIZE + 0.2, (PLACES, 3)), frames, length, length * dice.uniform(0, 2, PLACES)


@pytest.mark.parametrize("pillars", [0, 2, 3, 12])
@pytest.mark.parametrize("solid", [False, True])
def test_the_compiled_antenna_feels_the_same(alike, pillars, solid):
    antenna = stood(pillars, [Pillar((2.0, 2.0, 0.0), 0.5, 2.0)] if solid else [])
    place, frames, length, speed = spread()
    ahead, fan = frames[:, :, 0], np.random.default_rng(1).normal(size=(PLACES, 7, 3))
    fan /= np.linalg.norm(fan, axis=-1, keepdims=True)
    alike(lambda: antenna.free_path(place, place[:, None], ahead[:, None], length, 2.0), "free_path")
    alike(lambda: antenna.free_path(place, place[:, None], fan, length, 2.0, 0.3), "free_path")
    starts, reach = place[:, None] + 0.2 * fan, np.full((PLACES, 1), 1.5)
    free = alike(lambda: antenna.free_path(place, starts, fan, length, reach, np.full(PLACES, 0.4)), "free_path")
    assert (free == 0).any() and (free > 0).any()
    berths = np.stack((np.linspace(0.2, 0.5, PLACES), np.full(PLACES, 0.8)))
    both = alike(lambda: antenna.free_at_each(place, ahead, length, 2.0 * length, berths), "free_path")
    for row, berth in zip(both, berths, strict=True):
        alone = antenna.free_path(place, place[:, None], ahead[:, None], length, 2.0 * length[:, None], berth)
        assert np.array_equal(row, alone[:, 0])
    alike(lambda: antenna.slopes(place, length, 3 * length, 0.7, 0.45), "free_path")
    walled = alike(lambda: antenna.walled(place, ahead, length), "free_path")
    assert walled.any() and not walled.all()
    fewer = antenna.walled(place, ahead, length, np.full(PLACES, 0.3))
    assert fewer.any() and not (fewer & ~walled).any() and (walled & ~fewer).any()
    clear = antenna.keep_clear(place, length, np.where(speed > length, 0.3, 0.7))
    assert clear.any(axis=(0, 2))[: 4 if solid else 3].all()
    turn = np.random.default_rng(2).uniform(-np.pi, np.pi, (PLACES, 9))
    pressed = alike(lambda: antenna.pressed(turn, place, ahead, speed, length), "gap", "noses", "swung")
    assert (pressed > 0).any() and (pressed == 0).any()


def test_turns_beyond_half_a_turn_press_as_half_a_turn_does(alike):
    deep = np.random.default_rng(3).uniform(0, 1, (2, len(SWING_ANGLES)))
    turn = np.array([[-np.pi, -3.3, -np.inf, -1e300], [np.pi, 3.3, np.inf, 1e300]])
    pressed = alike(lambda: swung(turn, deep), "swung")
    assert (pressed == pressed[:, :1]).all()
    assert (alike(lambda: swung(np.full((2, 1), np.nan), deep), "swung")[0] == pressed[0, 0]).all()


def test_a_path_of_no_number_is_no_path(alike):
    """Nothing living has one; it harms nobody."""
    antenna, place = stood(12), np.array([[np.nan, 1.0, 1.0], [1.0, np.inf, 1.0], [2.0, 2.0, 1.0]])
    ways = np.array([[[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]], [[np.nan, 0.0, 0.0]]])
    with np.errstate(invalid="ignore"):
        found = alike(lambda: np.isnan(antenna.free_path(place, place[:, None], ways, np.ones(3))), "free_path")
    assert found.ravel().tolist() == [True, False, True]


def surrounded(fishes: int = PLACES, others: int = 9) -> Neighbours:
    """Neighbours all around and close by."""
    dice = np.random.default_rng(7)
    _, frames, length, _ = spread()
    pick = dice.integers(0, fishes, (fishes, others))
    return Neighbours(
        fish=pick,
        offset=0.3 * dice.normal(size=(fishes, others, 3)),
        motion=0.2 * dice.normal(size=(fishes, others, 3)) * (dice.uniform(size=(fishes, others, 1)) < 0.9),
        ahead=frames[pick, :, 0],
        length=length[pick],
        kin=dice.uniform(size=pick.shape) < 0.6,
        leads=dice.uniform(size=pick.shape) < 0.2,
        other=dice.uniform(size=pick.shape) < 0.95,
    )


@pytest.mark.parametrize("others", [1, 9, 40])
def test_compiled_boxes_hold_the_same_threats(alike, others):
    near, (_, frames, length, _) = surrounded(others=others), spread()
    dice = np.random.default_rng(8)
    shy = Temperament(comfort=0.3, comfort_ahead=0.4, comfort_behind=2.0)
    traits = table([TRAITS, shy], Temperament)[dice.integers(0, 2, PLACES)]
    scale, welcome = dice.uniform(0, 1.5, PLACES), np.where(dice.uniform(size=PLACES) < 0.5, near.fish[:, 0], -1)
    for friend in (None, welcome):
        found = alike(lambda friend=friend: threats(near, frames, length, traits, scale, friend), "threats")
        assert (found.portion > 0).any() and (found.urgency > 0).any()
        assert alike(lambda found=found: keep_off(found, near, length), "keep_off").any()


@pytest.mark.parametrize("behind", [True, False])
def test_what_comes_after_a_fish_counts_only_where_it_is_asked_for(behind):
    """A pillar twice as fast comes from behind, or one half as fast is caught up with: both go the fish's way."""
    pace, radius, berth, frame = FORESEEN_PACE, 0.2, 0.1, 1.0 / 24.0
    speed, gap = (2.0 * pace if behind else 0.5 * pace), 1.0
    begin = 4.0 + (-1.0 if behind else 1.0) * (gap + radius + berth)
    keys = [{"time": 0.0, "at": [begin - speed, 3, 0]}, {"time": 2.0, "at": [begin + speed, 3, 0]}]
    pillar = {"kind": "cylinder", "at": [begin, 3, 0], "radius": radius, "height": 2.0, "motion": keys}
    obstacles = Obstacles.from_scene(Scene.from_dict({"tank": {"size": [20, 6, 2]}, "obstacles": [pillar]}))
    for time in (1.0 - frame, 1.0):
        obstacles.movers.advance(time)
    antenna, place = Antenna(WaterBox((20.0, 6.0, 2.0)), obstacles), np.array([[4.0, 3.0, 1.0]])
    given = place, place[:, None], np.array([[[1.0, 0.0, 0.0]]]), np.array([1.0])
    free = [antenna.free_path(*given, berth=berth, overtaking=counts)[0, 0] for counts in (True, False)]
    meeting, wall = gap * pace / abs(pace - speed), 16.0 - berth
    assert free == pytest.approx([meeting, wall if behind else meeting], rel=1e-6)


def test_who_follows_walls_nearer_than_others_come_keeps_less_off_them():
    kinds = (Temperament(), Temperament(wall_distance=0.6)) + tuple(
        Temperament(wall_following=0.2, wall_distance=near) for near in (0.5, 0.6, 1.0)
    )
    assert berths_of(table(kinds, Temperament)).tolist() == [BERTH_LENGTHS, BERTH_LENGTHS, 0.5, 0.6, BERTH_LENGTHS]
