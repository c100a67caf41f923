"""The decision on the next intention."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.elementary import exp
from artfish.core.behavior.intention import (
    EAT,
    ESCAPE,
    LEAVE,
    MATE,
    NOTHING,
    RULE_NAMES,
    RULES,
    SCHOOL,
    WANDER,
)

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
    together: Array,
    content: Array,
    within_reach: Array,
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
    hindrances: Array,
    intentions: Array,
    causes: Array,
    stores: Array,
    since: Array,
    bouts: Array,
    losses: Array,
    toils: Array,
    rests: Array,
    found: Array,
    taken_up: Array,
) -> None:
    """Decides the next intention of these fishes, each once, and keeps their memory and weariness."""
    f0, f1, r, gain, fatigue = (getattr(traits, name)[rows] for name in ("f0", "f1", "r", "gain", "fatigue"))
    can, social, memory, former = enabled[rows], schooling[rows], memories[rows], intentions[rows]
    composure, hindered, cause = composures[rows], hindrances[rows] >= 1.0, causes[rows]
    row = {name: index for index, name in enumerate(RULE_NAMES)}

    # It tires of what it was doing, and rests from the other as fast (§7.7.2; the rates are ours).
    busy, dt = former[:, None] == APPETITES, seconds[:, None]
    toils[rows] = np.maximum(toils[rows] + np.where(busy, dt, -dt), 0.0)
    rests[rows] = np.maximum(rests[rows] - dt, 0.0)
    desire = np.stack((hunger, libido), axis=1) * can[:, APPETITES]
    activation = np.where(rests[rows] > 0, 0.0, desire * exp(-toils[rows] / fatigue[:, None]))
    near = within_reach | (busy & (losses[rows] + seconds < thinking.search)[:, None])
    reached = np.where(near, activation, 0.0)

    steady, kept_clear = composure > 0.0, np.isin(cause, (row["collision"], row["clearance"]))
    left = np.maximum(bouts[rows] - seconds, 0.0)
    lately, ease = left > 0.0, np.where(steady, thinking.fear_ease, 1.0)
    # Who has fled or is with its school, and neither feeds nor courts, is the sooner afraid (ours).
    wary = (former == ESCAPE) | (social & ~is_appetite(former))
    fearful = fears > f0 * np.where(wary, ease, 1.0)
    terrified = worst >= f1 * np.where(former == ESCAPE, ease, 1.0)

    # What presses.
    applies = {
        "collision": dangers,
        "clearance": steady & kept_clear & lately & ~fearful & (stores[rows] != EAT),
        "flight": fearful & (terrified | ~social) & can[:, ESCAPE],
        "alarm": (former == ESCAPE) & lately,
        "fear": fearful & social,
        "regrouping": social & steady & (former == ESCAPE),
    }

    # Memory stores what was interrupted (§7.7.1), and resumes it where it prevails over its rivals, which -gain * tau
    # inhibits (§7.7.2). The desire to school is implicit: it counts as r here, which hunger and libido must exceed.
    presses = applies["collision"] | applies["clearance"] | applies["flight"] | applies["alarm"]
    lasting = ((former == SCHOOL) & social) | is_appetite(former)
    stored = np.where(memory, np.where(presses & lasting, former, stores[rows]), NOTHING)
    rivals = is_appetite(former) & is_appetite(stored) & (former != stored)  # at an opportunity meanwhile
    tau = np.where(stored == SCHOOL, r, own_of(stored, activation))
    rival = np.where(stored[:, None] == APPETITES, 0.0, activation).max(axis=1)
    sought = (stored == SCHOOL) | (tau > r)
    sought &= rival - np.where(rivals, 0.0, gain) * tau <= tau
    has_it = np.where(stored == SCHOOL, together, np.where(stored == EAT, near[:, 0], near[:, 1]))

    # What does not press, and the first of all that apply.
    habitual = (former == SCHOOL) | (former == LEAVE) | (former == WANDER)
    applies |= {
        "persistence": lately & ((own_of(former, activation) > 0.0) | habitual),
        "memory": sought & has_it,
        "appetite": reached.max(axis=1) > r,
        "way": hindered | ((cause == row["way"]) & lately),
        "company": social & together,
        "discomfort": ~content & can[:, LEAVE],
        "whim": np.ones(len(rows), dtype=bool),
    }
    rule = np.stack([applies[name] for name in RULE_NAMES]).argmax(axis=0)

    # EAT or MATE, the more active of both; if hunger equals libido, the former one or else one by chance.
    tie = (desire[:, 0] == desire[:, 1]) & (reached > r[:, None]).all(axis=1)
    greater = np.where(reached[:, 0] > reached[:, 1], EAT, MATE)
    by_chance = np.where(is_appetite(former), former, np.where(chances < 0.5, EAT, MATE))
    some = np.array([NOTHING if one.intention is None else one.intention for one in RULES])
    intention = np.select(
        [rule == row[name] for name in ("persistence", "memory", "appetite")],
        (former, stored, np.where(tie, by_chance, greater)),
        some[rule],
    )

    # It stays at that for a while (ours): what is renewed as it presses, and what has just begun.
    begins = (intention != former) | ((rule == row["collision"]) & ~kept_clear) | ((rule == row["way"]) & hindered)
    least_time = np.where(begins, thinking.least_bout, left)
    least_time = np.where((rule == row["fear"]) | (rule == row["regrouping"]), thinking.gathering, least_time)
    least_time = np.where(rule == row["flight"], thinking.flight_share * composure, least_time)
    bouts[rows] = steady * least_time

    # What it gave up rests, where the desire is still there and only weariness ended it: fresh it would go on.
    given_up = np.where(is_appetite(former), former, stored)
    ended = (rule >= row["memory"]) & (intention != given_up)
    weary = (given_up[:, None] == APPETITES) & near & (desire > r[:, None]) & (desire >= activation[:, ::-1])
    rests[rows] = np.where(ended[:, None] & weary, fatigue[:, None], rests[rows])
    # Eating or mating stays in memory if an opportunity for the other interrupts it, and as long as it is sought and
    # out of sight.
    dropped = np.where(is_appetite(stored), stored, former)
    keen = is_appetite(dropped) & (own_of(dropped, activation) > r)
    interrupted = keen & is_appetite(intention) & (dropped != intention) & memory
    keeps = (rule <= row["memory"]) | (sought & is_appetite(stored) & ~has_it)
    stores[rows] = np.where(keeps, stored, np.where(interrupted, dropped, NOTHING))
    since[rows] = np.where(intention == former, since[rows] + seconds, 0.0)
    lost = ((intention[:, None] == APPETITES) & ~within_reach).any(axis=1)
    losses[rows] = np.where(lost, losses[rows] + seconds, 0.0)
    causes[rows] = rule
    intentions[rows] = found[:] = intention
    taken_up[:] = rule == row["memory"]
