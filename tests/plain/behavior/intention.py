"""The decision on the next intention."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.elementary import exp
from artfish.core.behavior.intention import AVOID, EAT, ESCAPE, LEAVE, MATE, NOTHING, SCHOOL, WANDER

Array = np.ndarray
APPETITES = np.array((EAT, MATE))
"""The intentions that compete for the same place, and that tire."""


def is_appetite(intention: Array) -> Array:
    """Mask of those that are."""
    return (intention == EAT) | (intention == MATE)


def own_of(intention: Array, activation: Array) -> Array:
    """Activation (n, 2) of what each intends, 0 where it is no appetite, (n,)."""
    return np.where(intention[:, None] == APPETITES, activation, 0.0).max(axis=1)


def intend(
    *,
    thinking: SimpleNamespace,
    rows: Array,
    dangers: Array,
    content: Array,
    fears: Array,
    worst: Array,
    hunger: Array,
    libido: Array,
    seconds: Array,
    chances: Array,
    traits: SimpleNamespace,
    enabled: Array,
    schooling: Array,
    memories: Array,
    composures: Array,
    intentions: Array,
    stores: Array,
    since: Array,
    alarms: Array,
    bouts: Array,
    toils: Array,
    rests: Array,
    found: Array,
    taken_up: Array,
) -> None:
    """Decides the next intention of these fishes, each once, and keeps their memory, weariness and alarm."""
    f0, f1, r, gain, fatigue = (getattr(traits, name)[rows] for name in ("f0", "f1", "r", "gain", "fatigue"))
    can, social, memory, former = enabled[rows], schooling[rows], memories[rows], intentions[rows]

    # It tires of what it was doing, and rests from the other as fast (§7.7.2; the rates are ours).
    busy, dt = former[:, None] == APPETITES, seconds[:, None]
    toils[rows] = np.maximum(toils[rows] + np.where(busy, dt, -dt), 0.0)
    rests[rows] = np.maximum(rests[rows] - dt, 0.0)
    desire = np.stack((hunger, libido), axis=1) * can[:, APPETITES]
    activation = np.where(rests[rows] > 0, 0.0, desire * exp(-toils[rows] / fatigue[:, None]))

    left, steady = np.maximum(bouts[rows] - seconds, 0.0), composures[rows] > 0.0
    ease = np.where(steady, thinking.fear_ease, 1.0)
    fearful = fears > f0 * np.where((former == SCHOOL) | (former == ESCAPE), ease, 1.0)
    terrified = worst >= f1 * np.where(former == ESCAPE, ease, 1.0)
    # A fish that courted keeps clear for a while, or it would soon be there again; food would get away.
    gets_clear = steady & (former == AVOID) & (left > 0.0) & ~fearful & (stores[rows] != EAT)
    danger = dangers | gets_clear
    # It flees on for a while once it no longer has to (ours).
    must = fearful & (terrified | ~social) & can[:, ESCAPE]
    alarms[rows] = alarm = np.where(must, composures[rows], np.maximum(alarms[rows] - seconds, 0.0))
    flees_on = must | ((alarm > 0.0) & (former == ESCAPE))
    afraid = ~danger & (fearful | flees_on)
    gather = afraid & ~terrified & social & ~flees_on
    flee = afraid & ~gather & can[:, ESCAPE]
    gather |= ~(danger | flee) & social & (former == ESCAPE) & (left > 0.0)  # for a while, before it feeds again
    calm = ~(danger | gather | flee)

    # Memory stores what was interrupted (§7.7.1), and resumes it where it prevails over its rivals, which -gain * tau
    # inhibits (§7.7.2). The desire to school is implicit: it counts as r here, which hunger and libido must exceed.
    lasting = (former == SCHOOL) | is_appetite(former)
    stored = np.where(memory, np.where((danger | flee) & lasting, former, stores[rows]), NOTHING)
    rivals = is_appetite(former) & is_appetite(stored) & (former != stored)  # at an opportunity meanwhile
    tau = np.where(stored == SCHOOL, r, own_of(stored, activation))
    rival = np.where(stored[:, None] == APPETITES, 0.0, activation).max(axis=1)
    resumed = (stored == SCHOOL) | (tau > r)
    resumed &= calm & (rival - np.where(rivals, 0.0, gain) * tau <= tau)

    # EAT or MATE, the more active of both; if hunger equals libido, the former one or else one by chance.
    tie = (desire[:, 0] == desire[:, 1]) & (activation > r[:, None]).all(axis=1)
    greater = np.where(activation[:, 0] > activation[:, 1], EAT, MATE)
    either = np.where(is_appetite(former), former, np.where(chances < 0.5, EAT, MATE))
    at_ease = np.where(content | ~can[:, LEAVE], WANDER, LEAVE)
    chosen = np.where(activation.max(axis=1) > r, np.where(tie, either, greater), np.where(social, SCHOOL, at_ease))
    intention = np.select((danger, flee, gather, resumed), (AVOID, ESCAPE, SCHOOL, stored), chosen)
    # It may go on for a while, though another intention would now win (ours).
    habitual = (former == SCHOOL) | (former == LEAVE) | (former == WANDER)
    stays = calm & (left > 0.0) & ((own_of(former, activation) > 0.0) | habitual)
    intention = np.where(stays, former, intention)
    unpressed = np.where(intention == former, left, thinking.least_bout)
    bouts[rows] = steady * np.where(gather | flee, thinking.gathering, unpressed)

    # What it gave up rests, where the desire is still there and only weariness ended it: fresh it would go on.
    waits = ~calm | stays  # what it would prefer to do is put off
    given_up = np.where(is_appetite(former), former, stored)
    ended = ~waits & (intention != given_up)
    weary = (given_up[:, None] == APPETITES) & (desire > r[:, None]) & (desire >= activation[:, ::-1])
    rests[rows] = np.where(ended[:, None] & weary, fatigue[:, None], rests[rows])
    # Eating or mating stays in memory if an opportunity for the other interrupts it.
    dropped = np.where(is_appetite(stored), stored, former)
    keen = is_appetite(dropped) & (own_of(dropped, activation) > r)
    interrupted = keen & is_appetite(intention) & (dropped != intention)
    stores[rows] = np.where(resumed | waits, stored, np.where(interrupted & memory, dropped, NOTHING))
    since[rows] = np.where(intention == former, since[rows] + seconds, 0.0)
    intentions[rows] = found[:] = intention
    taken_up[:] = resumed
