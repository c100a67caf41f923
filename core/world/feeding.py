"""Feeding: mouths that open on what is near, draw it in and swallow it, or bite at it (Tu 1999, §7.9.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.sums import mean
from ..base.vectors import dot, unit
from ..behavior.routines.eat import Mouths, bait_in, closes_on, fishes_in, gape, particles_in
from ..behavior.routines.tuning import AGAPE_OPENING
from ..body.anatomy import NOSE_NODE
from ..habitat.plume import BLOOD
from ..habitat.tuning import BLOOD_ODOUR
from ..perception.swimmers import NO_FISH
from .parts import Parts
from .puppetry import Puppetry

Event = dict[str, Any]


def feed(parts: Parts, puppetry: Puppetry) -> list[Event]:
    """Mouths open on food that is near, draw it in and swallow it (Tu 1999, §7.9.1)."""
    bodies = parts.bodies
    decision, nodes, length = parts.minds.decision, bodies.shoal.nodes, bodies.shoal.length
    eaters = puppetry.gaped(parts, _gape(parts))
    mouths, hunts = Mouths.of(nodes, bodies.mouth, length, eaters), decision.hunts(eaters)
    events: list[Event] = []
    if (mouths.opening > AGAPE_OPENING).any():
        events += _swallow_fishes(parts, eaters[hunts], mouths.where(hunts), puppetry)
        grazers, grazing = eaters[~hunts], mouths.where(~hunts)
        puppetry.sucking(parts, grazers, grazing.place)
        events += _swallow_plankton(parts, grazers, grazing)
        events += _browse(parts, grazers, grazing)
        events += _bite(parts, grazers, grazing)
    puppetry.fed(parts, events)
    return events


def _gape(parts: Parts) -> np.ndarray:
    """Opens mouths near their targets and closes all others; rows of fishes that may swallow, (n,)."""
    bodies = parts.bodies
    decision, nodes = parts.minds.decision, bodies.shoal.nodes
    eaters, gap = decision.eaters(), np.full(len(nodes), np.inf)
    if len(eaters):
        gap[eaters] = decision.food_gap(eaters, nodes)
        hunters = eaters[decision.hunts(eaters)]
        if len(hunters):
            prey, velocity = decision.focus.target[hunters], bodies.shoal.node_velocities
            toward = unit(mean(nodes[prey], axis=1) - nodes[hunters, NOSE_NODE])
            closing = dot(mean(velocity[hunters], axis=1) - mean(velocity[prey], axis=1), toward)
            opens = decision.hunting.opens(hunters, gap[hunters], closing, bodies.mouth[hunters])
            gap[hunters[~opens]] = np.inf
    free = ~decision.hooked
    bodies.mouth[free] = gape(gap, bodies.shoal.length, bodies.mouth, parts.period)[free]
    return eaters


def _swallow_fishes(parts: Parts, eaters: np.ndarray, mouths: Mouths, puppetry: Puppetry) -> list[Event]:
    """Draws fishes towards the mouths of these eaters (n,), and prey in."""
    decision, shoal = parts.minds.decision, parts.bodies.shoal
    prey = decision.drawn()
    if not len(prey) or not len(eaters):
        return []
    intake = fishes_in(mouths, shoal.nodes, shoal.length, prey, parts.period)
    prey = prey[intake.rows]
    if not len(prey):
        return []
    shoal.push(prey, intake.change)
    mouth = np.where(decision.edible(prey) & ~puppetry.spared(prey), intake.mouth, NO_FISH)
    eaten, by = prey[mouth >= 0], eaters[mouth[mouth >= 0]]
    decision.fed(by)
    parts.die(eaten)
    if parts.water.plume is not None:
        parts.water.plume.release(mean(shoal.nodes_of(eaten), axis=1), BLOOD, BLOOD_ODOUR)
    return _events("eaten", by, eaten)


def _swallow_plankton(parts: Parts, eaters: np.ndarray, mouths: Mouths) -> list[Event]:
    """Draws plankton towards the mouths of these eaters (n,), and in."""
    water = parts.water
    if not len(water.plankton) or not len(eaters):
        return []
    intake = particles_in(mouths, water.plankton.place, parts.period)
    water.plankton.pull(intake.change)
    mouth = np.where(water.plankton.alive, intake.mouth, NO_FISH)
    particles = np.flatnonzero(mouth >= 0)
    by = eaters[mouth[particles]]
    parts.minds.decision.fed(by)
    water.plankton.eaten(particles)
    return _events("fed", by, particles)


def _browse(parts: Parts, eaters: np.ndarray, mouths: Mouths) -> list[Event]:
    """Has those of these eaters (n,) bite that have come to what grows; a tuft is no more than one mouthful."""
    rows, tufts = parts.minds.decision.browsers(eaters)
    there = np.flatnonzero(closes_on(mouths.where(rows), parts.water.growth.place[tufts]))
    _, first = np.unique(tufts[there], return_index=True)
    by, tufts = eaters[rows[there[first]]], tufts[there[first]]
    parts.water.growth.bitten(tufts)
    parts.minds.decision.browsed(by)
    return _events("browsed", by, tufts)


def _bite(parts: Parts, eaters: np.ndarray, mouths: Mouths) -> list[Event]:
    """Draws the bait towards the mouths of these eaters (n,), and the hook into the first that closes on it."""
    hook = parts.water.hook
    if hook is None or not hook.offered or not len(eaters):
        return []
    intake = bait_in(mouths, hook.place, hook.bait, parts.period)
    hook.tug(intake.change[0])
    if intake.mouth[0] < 0:
        return []
    by = eaters[intake.mouth]
    hook.take(int(by[0]), parts.bodies.shoal.nodes[by[0]])
    parts.minds.decision.bite(int(by[0]))
    return _events("hooked", by, np.zeros(1, dtype=int))


def _events(kind: str, fishes: np.ndarray, others: np.ndarray) -> list[Event]:
    """One event of this kind for each of some fishes and others, (n,) both."""
    pairs = zip(fishes.tolist(), others.tolist(), strict=True)
    return [{"kind": kind, "fish": fish, "other": other} for fish, other in pairs]
