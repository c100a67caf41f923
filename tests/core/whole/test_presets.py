"""The preset scenes: every one runs, and does on its own what its section of the book tells (Tu 1999, §10.2-10.5)."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

from artfish.core import Recording, Scene, World
from artfish.core.behavior.routines.mate import COURTSHIP_STAGES
from artfish.core.geometry.bed import Bed
from artfish.core.habitat.obstacles import Obstacles

TOUCH = 0.05  # lengths that a node may be inside something
SEEDS, MOST_FAILURES = range(6), 1
EAT, ESCAPE, MATE, SCHOOL = map(Recording.INTENTIONS.index, ("eat", "escape", "mate", "school"))


def depth_of(recording: Recording) -> np.ndarray:
    """How far each fish is at most inside a wall, a pillar, a rock or the bed, in lengths, (fish,)."""
    nodes, scene = recording.nodes.astype(float), recording.scene
    beyond = np.maximum(-nodes, nodes - scene.tank.size).max(axis=-1)
    inside = -Obstacles.from_scene(scene).distance(nodes)[0]
    return np.maximum(beyond, inside).max(axis=(0, 2)) / recording.body_length


@pytest.mark.parametrize("name", Scene.names())
def test_every_scene_runs_and_everybody_is_in_its_water(name):
    scene = Scene.load(name)
    recording = World(scene, seed=0).simulate(16)
    assert recording.nodes.shape[:2] == (16, scene.count)
    for array in (recording.nodes, recording.plankton, recording.seaweed, recording.bubbles, recording.hook):
        assert np.isfinite(array).all()
    assert depth_of(recording).max() < TOUCH
    moved = (recording.nodes[-1] != recording.nodes[0]).any(axis=(1, 2))
    assert (moved | ~recording.alive[-1]).all()  # nobody is a picture


@pytest.mark.parametrize("name", Scene.names())
def test_seaweed_grows_on_the_bed_and_bubbles_rise_from_it(name):
    scene = Scene.load(name)
    bed = Bed.from_scene(scene)
    roots = World(scene, seed=0).simulate(1).seaweed[0, :, 0]
    under = np.zeros(len(roots)) if bed is None else bed.height(*roots[:, :2].T)
    assert ((roots[:, 2] >= under - 1e-4) & (roots[:, 2] < under + 0.05)).all()
    assert len(np.unique(roots.round(4), axis=0)) == len(roots)
    for vent in scene.bubbles:
        assert 0 <= vent.at[2] - (0.0 if bed is None else bed.height(*vent.at[:2])) < 0.1


@cache
def lived(name: str, seed: int) -> Recording:
    """All of a preset, with nobody at the reins."""
    return World(Scene.load(name), seed=seed).simulate()


def kinds(recording: Recording, kind: str) -> list[dict]:
    return [event for event in recording.events if event["kind"] == kind]


def rows(recording: Recording, *species: str) -> np.ndarray:
    return np.flatnonzero(np.isin(recording.species, species))


def mostly(told: list[bool]) -> bool:
    return sum(told) >= len(told) - MOST_FAILURES


@pytest.mark.slow
def test_directed_courts_as_the_school_passes_and_then_the_grouper_comes():
    recording = lived("directed", 0)  # the starts were shifted for this seed
    courts = kinds(recording, "courtship")[0]["frame"] / 24
    school = recording.nodes[:, rows(recording, "sardine")].mean(axis=(1, 2))
    passes = np.flatnonzero(school[:, 0] > 3.5)[0] / 24
    assert abs(courts - passes) <= 0.25
    (grouper,) = rows(recording, "grouper")
    assert not recording.alive[: 18 * 24, grouper].any() and recording.alive[18 * 24 :, grouper].all()
    assert all(event["frame"] > 18 * 24 for event in kinds(recording, "eaten"))
    background = recording.nodes[20 * 24 :, grouper, :, 1].mean(axis=1) > 3.0
    assert background.mean() > 0.8


@pytest.mark.slow
def test_cousto_is_a_world_of_courtship_grazing_schools_and_a_shark():
    hunted, fled, circled = [], [], []
    for seed in SEEDS:
        recording = lived("cousto", seed)
        shark, prey = rows(recording, "reef_shark")[0], rows(recording, "sardine", "cardinalfish")
        pacifists = np.setdiff1d(np.arange(len(recording.species)), [shark, *prey])
        assert np.isfinite(recording.nodes).all() and depth_of(recording).max() < TOUCH
        # Peaceful: those that court do, those that are hungry feed, whoever swims by, and the others school.
        stages = [event["stage"] for event in kinds(recording, "courtship")]
        assert stages[0] == "looping"
        assert len(kinds(recording, "fed")) >= 5
        assert not (recording.intention[:, pacifists] == ESCAPE).any()
        schooling = (recording.intention == SCHOOL) & recording.alive
        assert schooling[:, prey].sum() > 0.2 * recording.alive[:, prey].sum()
        # Deceptively so: the shark goes for one of the school, and they flee.
        hunts = recording.intention[:, shark] == EAT
        after = recording.target[hunts, shark]
        hunted.append(len(after) > 2 * recording.fps and bool(np.isin(after, prey).any()))
        fled.append(bool((recording.intention[:, prey] == ESCAPE).any()))
        circled.append("circling" in stages)
        # And it is still a world afterwards.
        assert recording.alive[-1].sum() >= len(recording.species) - 4
        assert all(event["fish"] == shark for event in kinds(recording, "eaten"))
    assert mostly(hunted) and mostly(fled)
    assert sum(circled) >= len(SEEDS) / 2


@pytest.mark.slow
def test_a_predator_preys_and_its_prey_flees_and_schools():
    hunted, caught = [], []
    for seed in SEEDS:
        recording = lived("preying", seed)
        prey = rows(recording, "cardinalfish")
        intention = recording.intention[:, prey][recording.alive[:, prey]]
        assert (intention == ESCAPE).any() and (intention == SCHOOL).any()
        hungry = recording.hunger[:, 0] > 0.5
        hunted.append((recording.intention[hungry, 0] == EAT).mean() > 0.25)
        caught.append(bool(kinds(recording, "eaten")))
        assert all(event["fish"] == 0 and event["other"] in prey for event in kinds(recording, "eaten"))
        # Untroubled by all that, others graze.
        peaceful = rows(recording, "butterflyfish", "blue_tang", "clownfish")
        assert recording.alive[:, peaceful].all() and not (recording.intention[:, peaceful] == ESCAPE).any()
        assert len(kinds(recording, "fed")) >= 3
    assert mostly(hunted)
    assert sum(caught) >= len(SEEDS) / 2


@pytest.mark.slow
def test_couples_loop_circle_ascend_nuzzle_and_spawn_and_the_larger_male_wins():
    nuzzled, spawned, won = [], [], []
    for seed in SEEDS:
        recording = lived("mating", seed)
        steps: dict[tuple[int, int], list[str]] = {}
        for event in kinds(recording, "courtship"):
            steps.setdefault((event["fish"], event["other"]), []).append(event["stage"])
        couples = [(event["fish"], event["other"]) for event in kinds(recording, "spawned")]
        assert all(set(steps[couple]) == set(COURTSHIP_STAGES) for couple in couples)
        nuzzled.append(any(set(stages) == set(COURTSHIP_STAGES) for stages in steps.values()))
        spawned.append(bool(couples))
        circling = [event["fish"] for event in kinds(recording, "courtship") if event["stage"] == "circling"]
        winners = [fish for fish in circling if fish in (0, 1)]  # of the two males that court one female
        won.append(winners[:1] != [1])
    assert mostly(nuzzled) and mostly(won)
    assert sum(spawned) >= len(SEEDS) / 2


@pytest.mark.slow
def test_reef_is_alive_and_nobody_is_lost():
    for seed in SEEDS:
        recording = lived("reef", seed)
        assert len(recording.species) >= 24 and len(set(recording.species)) >= 5
        assert recording.alive.all()
        assert depth_of(recording).max() < TOUCH
        assert kinds(recording, "courtship") and kinds(recording, "fed")
        assert (recording.intention == SCHOOL).any() and (recording.intention == MATE).any()


@pytest.mark.parametrize("seed", [0])
def test_the_log_has_a_line_an_event_in_the_order_of_time(seed):
    recording = lived("reef", seed)
    log = recording.log()
    assert len(log) == len(recording.events) > 0
    line = re.compile(r" *(\d+\.\d\d) s  [a-z_]+ \d+ (courts|ate|spawned|took) .+")
    times = [float(found[1]) for found in map(line.fullmatch, log) if found]
    assert len(times) == len(log) and times == sorted(times)
    assert times[-1] <= recording.duration
