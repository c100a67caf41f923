"""Fishes and presences among the obstacles: a diver is feared, looked at or followed, as they see it."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.behavior.dread import FEARED
from artfish.core.behavior.intention import EAT, ESCAPE, SCHOOL
from artfish.core.behavior.tuning import START_SHOWN_SECONDS
from artfish.core.perception.tuning import PASSED_ON_FRIGHT
from artfish.core.world.stages import perceive


def sea(presence: str | None, species: str = "sardine", motion=(), at=(3.0, 2.0, 0.6), **group) -> World:
    diver = {"kind": "cylinder", "at": list(at), "radius": 0.2, "height": 0.8, "motion": list(motion)}
    diver |= {} if presence is None else {"presence": presence}
    shoal = {"species": species, "count": 8, "at": [1.5, 2, 1], "spread": 0.4, "heading": [1, 0, 0], **group}
    return World(Scene.from_dict({"tank": {"size": [8, 4, 2]}, "fishes": [shoal], "obstacles": [diver]}))


def run(world: World, frames: int) -> np.ndarray:
    """Gaps between the middles of fishes and the diver, frame by frame, (frames, fish)."""
    gaps = []
    for _ in range(frames):
        world.step()
        gaps.append(world.parts.water.obstacles.movers.solids[0].distance(world.center_of_mass)[0])
    return np.array(gaps)


@pytest.mark.film
def test_prey_flees_a_predator_and_not_what_is_only_in_the_way():
    comes = [{"time": 0, "at": [7, 2, 0.6]}, {"time": 4, "at": [1.5, 2, 0.6]}]
    feared, bare = sea("predator", motion=comes), sea("none", motion=comes)
    assert len(feared.parts.minds.decision.dread.presences) == 1 and not len(bare.parts.minds.decision.dread.presences)
    fled = np.zeros(8, dtype=bool)
    for _ in range(70):
        feared.step()
        bare.step()
        fled |= feared.parts.minds.decision.generator.intention == ESCAPE
        assert not (bare.parts.minds.decision.feelings.fear > 0).any()
    assert np.count_nonzero(fled) >= 6  # the others it does not come near to
    assert (feared.parts.minds.decision.dangers._age < 60.0).any()  # it is remembered


@pytest.mark.film
def test_it_gathers_far_off_and_scatters_near_by():
    world = sea("predator", motion=[{"time": 0, "at": [7.5, 2, 0.6]}, {"time": 4, "at": [1.5, 2, 0.6]}])
    first = {}
    for frame in range(96):
        world.step()
        gap = float(world.parts.water.obstacles.movers.solids[0].distance(world.center_of_mass)[0].min())
        afraid = world.parts.minds.decision.feelings.fear > world.characters.drives["f0"]
        for intention in (SCHOOL, ESCAPE):
            if (afraid & (world.parts.minds.decision.generator.intention == intention)).any():
                first.setdefault(intention, (frame, gap))
    assert first[SCHOOL][1] > first[ESCAPE][1]


def test_who_begins_to_flee_from_a_foe_has_mates_flee_too():
    world = sea(None)
    decision = world.parts.minds.decision
    f1 = float(world.characters.drives["f1"][0])
    decision.focus.most_fear[:3] = f1, 0.9 * f1, f1
    flees, since = np.array([True, True, *[False] * 6]), np.full(8, 1.0)
    shown = decision.dread.shown(np.zeros(8), flees, since)
    assert PASSED_ON_FRIGHT * shown[0] >= f1 > shown[1] == 0.9 * f1 and not shown[2:].any()
    since[1:3] = 0.5 * START_SHOWN_SECONDS  # a flight that has just begun is seen as a start, whatever it is from
    assert decision.dread.shown(np.zeros(8), flees, since).tolist() == [1.0, 1.0, *[0.0] * 6]


def fed_again(hunger: float, **mind) -> float:
    """Seconds after a flight until prey would feed again; infinite where that is not within two minutes."""
    dread = sea(None, count=1, mind=mind).parts.minds.decision.dread
    me, r = np.array([0]), 0.25
    dread.calm_down(me, np.array([True]), np.array([0.25]))
    for quarter in range(480):
        if hunger * (1.0 - dread.wary[0]) > r:
            return quarter / 4
        dread.calm_down(me, np.array([False]), np.array([0.25]))
    return np.inf


def test_who_fled_feeds_again_after_a_while_and_the_hungrier_the_sooner():
    starving, hungry, sated = (fed_again(hunger) for hunger in (1.0, 0.5, 0.2))
    assert 5.0 < starving < hungry < 60.0 and sated == np.inf
    assert fed_again(0.5, composure=0.0) == 0.0  # in the book


def test_who_is_made_hungry_is_not_wary():
    for made in ("felt", "keyed"):
        world = sea(None)
        decision = world.parts.minds.decision
        decision.dread.wary[:] = 1.0
        if made == "felt":
            world.feel(0, hunger=0.9)
        else:
            decision.feelings.mood.keyed[0, 0] = 0.9
            decision.feel_keys()
        assert decision.dread.wary[0] == 0.0 and (decision.dread.wary[1:] == 1.0).all()


@pytest.mark.long
@pytest.mark.film
def test_pacifists_come_for_a_look_and_get_used_to_it():
    gaps = {kind: run(sea(kind, "clownfish", type="pacifist"), 240) for kind in ("predator", "pacifist", None)}
    length = sea(None, "clownfish", type="pacifist").shoal.length.max()
    for kind in ("predator", "pacifist"):
        assert np.median(gaps[kind][-24:]) < np.median(gaps[None][-24:])
        assert gaps[kind].min() > 0.5 * length
    world = sea("pacifist", "clownfish", type="pacifist", at=(1.5, 2.0, 0.6))
    run(world, 48)
    assert (world.parts.minds.decision.dread.known > 0).any()
    assert not (world.parts.minds.decision.feelings.fear > 0).any()


@pytest.mark.film
def test_a_lure_draws_who_is_hungry_and_nobody_else():
    hungry, sated = (
        sea("lure", "grouper", mind={"hunger": hunger}, count=1, heading=[0.6, 0.8, 0], at=(6.0, 1.0, 0.6))
        for hunger in (0.9, 0.0)
    )
    near, far = run(hungry, 96), run(sated, 96)
    assert hungry.parts.minds.decision.generator.intention[0] == EAT
    assert sated.parts.minds.decision.generator.intention[0] != EAT
    assert near[-1, 0] < 0.6 * near[0, 0] and near[-1, 0] < far[-1, 0]


def test_who_does_not_see_it_does_not_fear_it():
    behind = sea("predator", at=(0.4, 2.0, 0.6), heading=[1, 0, 0], spread=0)
    dread = behind.parts.minds.decision.dread
    glimpse = dread.presences.look(np.arange(8), perceive(behind.parts))
    assert not np.isfinite(glimpse.distance).any()
    assert (dread.presences.gap(FEARED, behind.center_of_mass, np.full(8, 9.0)) < 1.5).all()
    before = sea("predator", at=(2.5, 2.0, 0.6), heading=[1, 0, 0], spread=0)
    glimpse = before.parts.minds.decision.dread.presences.look(np.arange(8), perceive(before.parts))
    assert np.isfinite(glimpse.distance).all()
