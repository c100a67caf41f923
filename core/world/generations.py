"""Generations: fishes of a world die, eggs hatch, and bodies and minds are made anew for those that have grown.

Length and species of a fish are in many parts of a world. When some have grown, a few times a second, or hatched, the
parts are made from lengths and species as they are by then, as a saved world is loaded, and go on from the states of
those before; water and what stands in it are the same. So a fish of an age is what it is in any world at that length.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..base.codec import SceneError
from . import stages
from .assembly import assemble
from .interventions import fits
from .lives import TEETH, Lives
from .parts import Parts
from .persistence import parts_by_key, states_of, take_over
from .tuning import GROWING_STEP_SECONDS, HATCHING_LENGTHS

Event = dict[str, Any]


def live(parts: Parts, events: list[Event]) -> list[Event]:
    """Lets the lives of a world pass on by a frame in which these events happened; events of deaths and births."""
    lives = parts.bodies.lives
    if lives is None:
        return []
    died = lives.pass_by(parts.period, parts.bodies.shoal.alive & ~parts.minds.decision.hooked, events)
    dead = [event["fish"] for event in died if event["cause"] != TEETH]
    if dead:
        parts.die(np.array(dead))
    return died + _hatch(parts, lives)


def renewed(parts: Parts) -> Parts:
    """The same parts, or others if fishes have grown or hatched, from whose states these go on."""
    bodies = parts.bodies
    lives = bodies.lives
    if lives is None or not (_due(parts) and lives.grow(bodies.shoal.alive) or len(lives.fresh)):
        return parts
    mine, rows = states_of(parts), lives.fresh
    other = assemble(lives.scene, parts.model.seed, parts.model.models, minds=True, lived=mine["lives"], before=parts)
    for key in other.bodies.shoal.blocks():
        mine.pop(key, None)  # bodies of other fishes, and of other lengths
    begun = states_of(other)
    states = {key: mine[key] if fits(mine.get(key), state) else state for key, state in begun.items()}
    states |= {key: mine[key] for key in ("plankton", "growth")}
    for key, part in parts_by_key(other).items():
        begins = key != "lives" and not any(field.late for field in part.declared().values())
        for name, field in part.declared().items() if begins else ():  # what comes late has begun while it waited
            array, of = states[key][name], begun[key][name]
            if "fish" in field.shape and array.shape == of.shape and array.size:
                at: Any = (*[slice(None)] * field.shape.index("fish"), rows)
                array[at] = of[at]
    take_over(other, states)
    other.bodies.shoal.go_on(bodies.shoal, np.setdiff1d(np.arange(len(other.bodies.shoal)), rows))
    other.frame, other.recorded, other.events = parts.frame, parts.recorded, parts.events
    other.bodies.strokes = bodies.strokes
    other.schedule.waiting[rows] = False
    other.enter(rows)
    stages.feel_keys(other)
    return other


def _due(parts: Parts) -> bool:
    """True if this is a frame at which fishes grow and hatch."""
    every = max(1, round(GROWING_STEP_SECONDS * parts.model.scene.fps))
    return (parts.frame + parts.model.scene.preroll_frames) % every == 0


def _hatch(parts: Parts, lives: Lives) -> list[Event]:
    """Has the eggs hatch whose time has come, as many as there is room for; the others of a laying perish."""
    events: list[Event] = []
    due = (lives.clutch_mother >= 0) & (lives.clutch_left <= 0.0) & _due(parts)
    for laying in np.flatnonzero(due).tolist():
        mother, father = int(lives.clutch_mother[laying]), int(lives.clutch_father[laying])
        there = parts.bodies.shoal.alive.copy()
        there[lives.fresh] = True
        most = min(lives.breeding.brood, lives.room(there))
        places = parts.water.spawn.hatch(laying, most)
        gap = HATCHING_LENGTHS * lives.breeding.fry * parts.model.full_length[mother]
        places = _clear(parts, lives, int(lives.group[mother]), places, gap)
        happened, children = lives.bear(laying, places, parts.t, parts.model.models)
        parts.model = replace(parts.model, models={**parts.model.models, **children})
        parts.minds.decision.guarding.give_up(father)
        events += happened
    return events


def _clear(parts: Parts, lives: Lives, group: int, places: np.ndarray, gap: float) -> np.ndarray:
    """Places as near as may be to these, (n, 3), where a fish of this group of the scene has room, in metres."""
    water = parts.water
    if not len(places):
        return places
    room, inward = water.tank.distance(places)
    places = places + np.maximum(gap - room, 0.0)[:, None] * inward
    places = np.clip(water.obstacles.pushed_out(places, gap), 0.0, water.tank.size)
    for place in places:
        try:
            lives.scene.refuse_beginning(group, tuple(place.tolist()))
        except SceneError:  # in a corner that the water and its walls are not of one mind about
            place[:] = lives.scene.fishes[group].at
    return places
