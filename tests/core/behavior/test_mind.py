"""The first mind, with points that turn and speed up like fishes in place of bodies."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Recording, Scene, World
from artfish.core.base.dice import Dice
from artfish.core.behavior.character import Cast, Characters, table
from artfish.core.behavior.intention import AVOID, PREY, SCHOOL, WANDER
from artfish.core.behavior.mind import Mind
from artfish.core.body.anatomy import body_frame, frame_from, rest_nodes
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.perception.swimmers import Swimmers
from artfish.core.perception.tuning import NOSE_END_LENGTHS
from artfish.core.scene.species import Species
from artfish.core.scene.temperament import Drives, Temperament
from artfish.tests.core.kinds import each

FPS = 24.0
PILLARS = [(2, 2, 3), (2, 6, 3), (8, 2, 3), (8, 6, 3), (5, 4, 3), (5, 1.5, 1), (3.5, 4, 0.8), (6.5, 5, 1.5)]
REST = rest_nodes(Species.load("sardine").body)
LONER, SARDINE = Temperament(), Temperament(schooling=1.0, accord=1.0, attention=1.0, comfort=0.5, roam=0.0, cruise=0.5)


class Kinematics:
    """Points in place of fishes: turns of a limited rate, begun and finished as commands say; speed that lags."""

    TURN_RATE, LAG, FULL_SPEED = 1.5, 0.5, 4.0  # rad/s, s, lengths/s

    def __init__(self, place: np.ndarray, azimuth: np.ndarray, length: np.ndarray):
        self.place, self.azimuth, self.length = place.copy(), azimuth.copy(), length
        self.climb, self.speed = np.zeros(len(place)), length.copy()
        self.owed, self.before = np.zeros(len(place)), np.zeros(len(place))

    @property
    def ahead(self) -> np.ndarray:
        flat = np.cos(self.climb)
        return np.stack((flat * np.cos(self.azimuth), flat * np.sin(self.azimuth), np.sin(self.climb)), axis=1)

    @property
    def frames(self) -> np.ndarray:
        return frame_from(self.ahead, np.broadcast_to([0.0, 0.0, 1.0], self.place.shape))

    def swimmers(self, drift=0.0) -> Swimmers:
        nodes = np.einsum("fij,nj,f->fni", self.frames, REST, self.length) + self.place[:, None]
        return Swimmers(nodes, self.place, self.frames, self.speed[:, None] * self.ahead + drift)

    def step(self, commands, dt: float, drift=0.0) -> None:
        begins = (commands.turn != self.before) & (commands.turn != 0)
        self.owed = np.where(begins, commands.turn, self.owed)
        self.before = commands.turn.copy()
        turned = np.clip(self.owed, -self.TURN_RATE * dt, self.TURN_RATE * dt)
        self.owed -= turned
        self.azimuth += turned
        self.climb += (commands.climb - self.climb) * dt / self.LAG
        asked = np.where(commands.brake, 0.0, commands.swim * self.FULL_SPEED * self.length)
        self.speed += (asked - self.speed) * dt / self.LAG
        self.place = self.place + (self.speed[:, None] * self.ahead + drift) * dt


def water(pillars=PILLARS, size=(10.0, 8.0, 4.0), current=()) -> Scene:
    cylinders = [{"kind": "cylinder", "at": [x, y, 0.0], "radius": 0.35, "height": h} for x, y, h in pillars]
    return Scene.from_dict({"tank": {"size": list(size)}, "obstacles": cylinders, "current": list(current)})


def free_places(scene: Scene, n: int, seed: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    places = rng.uniform(0.5, np.array(scene.tank.size) - 0.5, (40 * n, 3))
    return places[Obstacles.from_scene(scene).distance(places)[0] > 0.4][:n]


def mind_of(decision_of, scene, temperaments, species, length, place, dice) -> Mind:
    """A mind of prey where nobody hunts and nobody courts."""
    number = len(place)
    temperament, none = table(temperaments, Temperament)[species], np.zeros(number, dtype=np.int8)
    characters = Characters(
        types=np.full(number, PREY, dtype=np.int8),
        sexes=none,
        schooling=temperament["schooling"] > 0,
        light=none,
        warmth=none,
        temperament=temperament,
        drives=table([Drives()] * number, Drives),
        leads=np.zeros(number, dtype=bool),
        larger_females=np.zeros(number, dtype=bool),
    )
    cast = Cast(characters, species, length, np.ones(number, dtype=bool))
    # These speed up at once, so that nobody has to beat harder to get under way.
    rhythm = [np.full(number, value) for value in (1e-9, 0.0, 0.0)]
    return Mind(
        scene,
        cast,
        place,
        rhythm,
        dice,
        decision_of(scene, cast, Obstacles.from_scene(scene), 1, WaterBox.from_scene(scene)),
    )


def swim(decision_of, scene, temperaments, species, length, place, azimuth, seconds, seed=0, ids=None, drift=0.0):
    """Paths (frames, fish, 3), headings (frames, fish, 3), intentions and commands of the first and last frame."""
    fishes = Kinematics(place, azimuth, length)
    dice = Dice(seed, np.arange(len(place)) if ids is None else ids)
    mind = mind_of(decision_of, scene, temperaments, species, length, place, dice)
    paths, headings, intentions = [], [], []
    for frame in range(round(seconds * FPS)):
        commands = mind.decide(frame / FPS, 1 / FPS, fishes.swimmers(drift), np.zeros(len(place), dtype=bool))
        assert (np.abs(commands.turn) <= np.pi).all() and (np.abs(commands.climb) <= 0.7).all()
        assert ((commands.swim >= 0) & (commands.swim <= 1)).all() and (commands.back == 0).all()
        fishes.step(commands, 1 / FPS, drift)
        paths.append(fishes.place.copy())
        headings.append(fishes.ahead)
        intentions.append(mind.decision.generator.intention.copy())
    return np.array(paths), np.array(headings), np.array(intentions)


@pytest.fixture(scope="module")
def minute(decision_of):
    """Sixty fishes of three sizes among eight pillars for a minute."""
    scene = water()
    rng = np.random.default_rng(0)
    species = np.repeat((0, 1, 2), (40, 15, 5))
    length = np.array((0.15, 0.3, 0.8))[species]
    place = free_places(scene, 60)
    return (
        scene,
        length,
        *swim(decision_of, scene, [LONER] * 3, species, length, place, rng.uniform(-np.pi, np.pi, 60), 60.0),
    )


@pytest.mark.film
def test_nobody_leaves_the_tank_or_enters_a_pillar(minute):
    scene, length, paths, headings, _ = minute
    for points in (paths, paths + NOSE_END_LENGTHS * length[:, None] * headings):
        assert WaterBox.from_scene(scene).distance(points)[0].min() > 0
        assert Obstacles.from_scene(scene).distance(points)[0].min() > 0


@pytest.mark.film
def test_nobody_is_stuck_or_swims_in_circles(minute):
    _, length, paths, _, _ = minute
    five = round(5 * FPS)
    travelled = np.linalg.norm(np.diff(paths, axis=0), axis=2)
    for start in range(0, len(paths) - five, five):
        assert (travelled[start : start + five].sum(axis=0) > 2 * length).all()
    # A fish that is stuck in a corner, however busily, never gets out of a small ball.
    reached = np.ptp(paths, axis=0).max(axis=1)
    assert (reached > 4 * length).all()


@pytest.mark.film
def test_headings_and_levels_stay_spread(minute):
    scene, _, paths, headings, _ = minute
    late = headings[len(headings) // 2 :]
    assert np.linalg.norm(late.mean(axis=(0, 1))[:2]) < 0.25
    assert np.median(np.linalg.norm(late.mean(axis=0)[:, :2], axis=1)) < 0.85
    levels = paths[len(paths) // 2 :, :, 2] / scene.tank.size[2]
    assert np.percentile(levels, 10) < 0.35 and np.percentile(levels, 90) > 0.65


@pytest.mark.film
def test_wandering_is_the_rule_and_turns_are_few(minute):
    _, _, _, headings, intentions = minute
    assert (intentions == WANDER).mean() > 0.5 and (intentions == AVOID).mean() > 0.02
    azimuth = np.unwrap(np.arctan2(headings[..., 1], headings[..., 0]), axis=0)
    turning = np.abs(np.diff(azimuth, axis=0)) * FPS > 0.5
    assert 0.05 < turning.mean() < 0.5
    assert [Recording.INTENTIONS[i] for i in (AVOID, SCHOOL, WANDER)] == ["avoid", "school", "wander"]


@pytest.mark.film
def test_who_avoids_and_who_is_done_with_it_go_on_for_a_while(minute):
    """Obstacles in its way come and go with every turn: without this a fish would change its mind as often."""
    intentions = minute[-1]
    bouts = np.concatenate([np.diff(np.flatnonzero(np.diff(mine)) + 1) for mine in intentions.T])
    assert len(bouts) > 60 and (bouts < FPS).mean() < 0.03
    assert np.count_nonzero(np.diff(intentions, axis=0)) / intentions.shape[1] < 5  # a fish and minute


@pytest.mark.film
def test_fishes_keep_off_each_other(minute):
    _, length, paths, _, _ = minute
    late = paths[round(5 * FPS) :: 6]
    apart = np.linalg.norm(late[:, :, None] - late[:, None], axis=3)
    touching = 0.3 * (length[:, None] + length) / 2
    pair = np.triu_indices(len(length), 1)
    assert (apart < touching)[:, pair[0], pair[1]].mean() < 1e-4


@pytest.mark.film
@pytest.mark.parametrize("corner", [(0.25, 0.25, 0.25), (9.75, 7.75, 3.75), (2.0, 1.5, 0.3)])
@pytest.mark.parametrize("azimuth", [-2.356, 0.785])
def test_a_fish_gets_out_of_a_corner(decision_of, corner, azimuth):
    scene = water()
    length = np.array([0.3])
    paths, _, _ = swim(
        decision_of, scene, [LONER], np.zeros(1, int), length, np.array([corner]), np.array([azimuth]), 10.0
    )
    assert np.linalg.norm(paths[:, 0] - corner, axis=1).max() > 0.6
    assert WaterBox.from_scene(scene).distance(paths)[0].min() > 0
    assert Obstacles.from_scene(scene).distance(paths)[0].min() > 0


@pytest.mark.film
@pytest.mark.parametrize("name", each(*(name for name in Species.names() if name != "thesis")))
@pytest.mark.parametrize("corner", [pytest.param(False, marks=pytest.mark.large), True])
def test_who_has_its_nose_at_a_wall_has_soon_turned_away(name, corner):
    """In two seconds: turning on the spot by 90 degrees takes a shark or a sardine 1.0 s."""
    length = Species.load(name).length
    size = [12 * length, 12 * length, 6 * length]
    at = [size[0] - 0.55 * length, size[1] - (0.55 if corner else 6.0) * length, 3 * length]
    fish = {"species": name, "at": at, "heading": [1, 1 if corner else 0, 0]}
    recording = World(Scene.from_dict({"tank": {"size": size}, "fishes": [fish]}), seed=1).simulate(3 * 24)
    ahead = body_frame(recording.nodes[:, 0].astype(float))[1][:, :, 0]
    away = np.flatnonzero(ahead[:, :2] @ ahead[0, :2] < np.cos(1.9))
    assert len(away) and away[0] / 24 <= 2.0


@pytest.mark.film
def test_a_large_fish_copes_with_a_small_tank(decision_of):
    scene = water(pillars=[], size=(4.0, 3.0, 1.0))
    paths, headings, _ = swim(
        decision_of, scene, [LONER], np.zeros(1, int), np.array([0.8]), np.array([(2.0, 1.5, 0.5)]), np.zeros(1), 30.0
    )
    assert WaterBox.from_scene(scene).distance(paths)[0].min() > 0
    assert np.linalg.norm(np.diff(paths, axis=0), axis=2).sum() > 7.5


@pytest.mark.film
def test_a_cross_current_carries_nobody_into_a_wall(decision_of):
    flow = {"kind": "uniform", "direction": [0.0, 1.0, 0.0], "strength": 0.15}
    scene = water(current=[flow])
    place = free_places(scene, 30)
    length = np.full(30, 0.25)
    azimuth = np.linspace(-3, 3, 30)
    paths, _, _ = swim(
        decision_of, scene, [LONER], np.zeros(30, int), length, place, azimuth, 20.0, drift=np.array((0.0, 0.15, 0.0))
    )
    # Nothing here holds a fish up; in the water a body would be, that comes so near.
    assert WaterBox.from_scene(scene).distance(paths)[0].min() > -0.2 * length[0]
    assert Obstacles.from_scene(scene).distance(paths)[0].min() > 0


@pytest.mark.film
def test_sardines_gather_and_head_alike(decision_of):
    scene = water(pillars=[(5, 4, 3)])
    rng = np.random.default_rng(5)
    length = np.full(30, 0.18)
    place = np.array((2.5, 2.5, 2.0)) + rng.uniform(-0.8, 0.8, (30, 3))
    azimuth = rng.uniform(-np.pi, np.pi, 30)
    paths, headings, intentions = swim(decision_of, scene, [SARDINE], np.zeros(30, int), length, place, azimuth, 30.0)
    late = slice(round(15 * FPS), None, 6)
    apart = np.linalg.norm(paths[late, :, None] - paths[late, None], axis=3) + 99 * np.eye(30)
    nearest = apart.min(axis=2) / length
    assert 0.5 < np.median(nearest) < 2.0
    neighbour = apart.argmin(axis=2)
    alike = (headings[late] * np.take_along_axis(headings[late], neighbour[..., None], axis=1)).sum(axis=2)
    assert np.median(alike) > 0.9
    assert (intentions[late] == SCHOOL).mean() > 0.6


@pytest.mark.film
def test_same_seed_same_bits_and_another_seed_another_story(decision_of):
    scene, length = water(), np.full(20, 0.2)
    place, azimuth = free_places(scene, 20), np.linspace(-3, 3, 20)
    a, b, c = (
        swim(decision_of, scene, [LONER], np.zeros(20, int), length, place, azimuth, 5.0, seed)[0] for seed in (1, 1, 2)
    )
    assert np.array_equal(a, b) and not np.allclose(a[-1], c[-1])


def test_another_fish_far_away_changes_nothing(decision_of):
    scene = water(pillars=[(2, 2, 3)], size=(100.0, 8.0, 4.0))
    place = np.vstack((free_places(water(), 12) * (0.8, 1.0, 1.0), [(95.0, 4.0, 2.0)]))
    azimuth, length, species = np.linspace(-3, 3, 13), np.array([0.2] * 12 + [1.1]), np.array([0] * 12 + [1])
    ids = np.arange(13) + 40
    all_but_one, everyone = (
        swim(decision_of, scene, [LONER] * 2, species[:n], length[:n], place[:n], azimuth[:n], 8.0, ids=ids[:n])[0]
        for n in (12, 13)
    )
    assert np.array_equal(all_but_one, everyone[:, :12])


def calls_of_a_mind(decision_of, fishes: int) -> int:
    """Number of function calls that minds of so many fishes make in two seconds."""
    scene, calls = water(size=(40.0, 30.0, 8.0)), 0
    length = np.random.default_rng(0).choice((0.09, 0.15, 0.3, 0.8), fishes)
    place, kind = free_places(scene, fishes), np.arange(fishes) % 2
    swimmers = Kinematics(place, np.linspace(-3, 3, fishes), length)
    mind = mind_of(decision_of, scene, [LONER, SARDINE], kind, length, place, Dice(0, np.arange(fishes)))

    def count(frame, event, argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    for frame in range(48):
        seen = swimmers.swimmers()
        sys.setprofile(count)
        try:
            commands = mind.decide(frame / FPS, 1 / FPS, seen, np.zeros(fishes, dtype=bool))
        finally:
            sys.setprofile(None)
        swimmers.step(commands, 1 / FPS)
    return calls


def test_minds_of_a_thousand_fishes_call_no_more_than_those_of_250(decision_of):
    """None of them loops over fishes."""
    assert calls_of_a_mind(decision_of, 1000) < 1.2 * calls_of_a_mind(decision_of, 250)


@pytest.mark.film
@pytest.mark.parametrize("species", ["grouper", "reef_shark"])
def test_who_rested_is_soon_under_way(species):
    """A look, no law: beating as slowly as they cruise, these took seven seconds to half their speed."""
    group = {"species": species, "at": [5, 10, 5], "type": "pacifist"}
    model = Species.load(species)
    restless = {species: replace(model, temperament=replace(model.temperament, rest=0.0))}
    world = World(Scene.from_dict({"tank": {"size": [60, 20, 10]}, "fishes": [group]}), species=restless)
    world.shoal.put(np.arange(1), np.array([[5.0, 10.0, 5.0]]), np.eye(3)[None], np.zeros(1))
    middles = world.simulate(24 * 10).nodes[:, 0].mean(axis=1)
    pace = np.linalg.norm(middles[24:] - middles[:-24], axis=1)  # metres in the last second
    assert pace[72] > 0.5 * pace[-1]


@pytest.mark.film
def test_who_coasts_in_company_does_so_at_its_own_time_and_keeps_its_pace():
    """Speeds vary more from moment to moment, and fishes of a school are not all fast or slow at once."""
    species = Species.load("sardine")
    steady, darting = (
        replace(species, temperament=replace(species.temperament, coast_school=kept, coast=0.5)) for kept in (0.0, 1.0)
    )
    speeds = []
    for one in (steady, darting):
        group = {"species": "sardine", "count": 12, "at": [4, 4, 2], "spread": 0.6, "mind": {"hunger": 0}}
        scene = Scene.from_dict({"duration": 12, "tank": {"size": [8, 8, 4]}, "fishes": [group]})
        nodes = World(scene, seed=5, species={"sardine": one}).simulate().nodes.mean(axis=2)
        speeds.append(np.linalg.norm(np.diff(nodes[96:], axis=0), axis=2))
    varied = [speed.std(axis=0).mean() / speed.mean() for speed in speeds]
    assert varied[1] > 1.4 * varied[0]
    together = speeds[1].mean(axis=1).std() / speeds[1].std(axis=0).mean()
    assert together < 0.6  # 0.29 where twelve go each by itself, 1 where all go as one
    assert speeds[1].mean() > 0.6 * speeds[0].mean()


def test_recommended_paces_are_those_of_who_wanders_or_schools_and_of_nobody_else(decision_of):
    n, length = WANDER + 1, 0.2
    place, every = free_places(water(), n), np.arange(n)
    mind = mind_of(decision_of, water(), [LONER], np.zeros(n, int), np.full(n, length), place, Dice(0, every))
    mind.decision.generator.intention[:] = every
    slow, fast = np.zeros(n), np.ones(n)
    before = mind.wander.pace.copy()
    mind.heed(every, fast)
    assert set(np.flatnonzero(mind.wander.pace != before)) == {WANDER, SCHOOL}
    quick = mind.wander.pace[WANDER]
    mind.heed(every, slow)
    assert mind.wander.pace[WANDER] < quick
