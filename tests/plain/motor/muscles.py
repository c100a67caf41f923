"""Rest lengths of muscles, step by step."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.elementary import sin, sin_and_cos
from artfish.core.motor.learned import KNOTS
from artfish.core.scene.controller import MOST_MODES

Array = np.ndarray


def muscles(
    *,
    sinews: SimpleNamespace,
    rates: Array,
    aims: Array,
    curls: Array,
    phase: Array,
    swing: Array,
    curl: Array,
    before: Array,
    states: Array,
    lengths: Array,
    curling: int,
    hurrying: int,
) -> None:
    """Moves lengths on towards what the controllers set; states are phase, beat, bends and curl after all steps."""
    ordinals = np.arange(1.0, len(lengths) + 1.0)[:, None]
    # A beat swells and fades over about one beat; a bend comes at its rate and goes more slowly.
    pace = sinews.dt * rates[[0, 1, 1]]
    gone = np.abs(aims[1:]) < np.abs(swing[1:])
    pace[1:] = np.minimum(pace[1:], sinews.swiftest) * np.where(gone, sinews.release, 1.0)
    farthest = ordinals[:, :, None] * pace
    course = np.maximum(np.minimum(aims - swing, farthest), -farthest) + swing
    phases = 2.0 * np.pi * ordinals * (sinews.dt * rates[0]) + phase
    contracted = by_pattern if sinews.pattern[0] else by_hand
    natural = sinews.natural[:, None]
    found = np.maximum(natural * (1.0 - contracted(sinews, course, phases)), sinews.shortest[:, None])
    bent = np.broadcast_to(curl, phases.shape)
    if curling:
        # A C-start: one side shortens, and the other gives way by as much. A muscle that is relaxed is stretched
        # without resistance, where a unit with a fixed rest length would be a spring that holds the body straight.
        farthest = ordinals * (sinews.dt * curls[1])
        bent = curl + np.clip(curls[0] - curl, -farthest, farthest)
        eased = (np.square(bent) * (3.0 * np.sign(bent) - 2.0 * bent))[:, None]  # begins and ends gently
        found += np.abs(eased) * (natural - found)
        found += sinews.curling[:, None] * eased
    last = before
    for row, length in enumerate(found):
        # No muscle changes faster than it can.
        lengths[row] = np.clip(length - last, -sinews.most, sinews.most) + last if hurrying else length
        last = lengths[row]
    states[:] = phases[-1], *course[-1], bent[-1]


def by_hand(sinews: SimpleNamespace, course: Array, phases: Array) -> Array:
    """Share of its length that each muscle contracts by, (steps, m, fish): two segments turn, and all may swim."""
    beat, bend = course[:, :1], course[:, 1:]
    waves = sin(phases[:, None] - sinews.lag[:, None]) * beat
    share = np.zeros((2, *waves.shape))  # of each segment, left and right
    left = np.maximum(bend, 0.0)
    share[0, :, :2], share[1, :, :2] = sinews.bending * left, sinews.bending * (left - bend)
    share[0] += sinews.beating[:, None] * (beat + waves)
    share[1] += sinews.beating[:, None] * (beat - waves)
    muscle = np.arange(len(sinews.left))
    return share[np.where(sinews.left != 0.0, 0, 1), :, muscle // 4].swapaxes(0, 1)


def by_pattern(sinews: SimpleNamespace, course: Array, phases: Array) -> Array:
    """The same of a fish that learned to swim, by interpolation over maps of beats and turns."""
    (beat, bend, _), count = course.swapaxes(0, 1), len(sinews.left)
    pace, harmonics, tables = sinews.pattern[1], sinews.pattern[2 : 2 + MOST_MODES], sinews.pattern[2 + MOST_MODES :]
    every = tables.reshape(-1, count, 1 + 2 * MOST_MODES)
    straight, turning = every[:KNOTS], every[KNOTS:]
    at = np.minimum(beat, 1.0) * (KNOTS - 1)
    knot = np.clip(np.floor(at), 0, KNOTS - 2).astype(int)
    share, wide = (at - knot)[..., None], np.maximum(beat, 1.0)[..., None]
    turned = (np.clip(bend, -1.0, 1.0) + 1.0) * (KNOTS - 1)
    place = np.minimum(np.floor(turned), 2 * KNOTS - 3).astype(int)
    rest, some = (turned - place)[..., None], np.minimum(beat / pace, 1.0)[..., None]

    def coefficient(k: int) -> tuple[Array, Array]:
        swims, turns = straight[..., k], turning[..., k]
        swims = wide * (swims[knot] + share * (swims[knot + 1] - swims[knot]))
        return swims, turns[place] + rest * (turns[place + 1] - turns[place])

    swims, turns = coefficient(0)
    pulled = swims + turns
    for mode, harmonic in enumerate(harmonics):
        for k, wave in enumerate(sin_and_cos(harmonic * phases), start=1 + 2 * mode):
            swims, turns = coefficient(k)
            pulled = pulled + (swims + some * turns) * wave[..., None]
    return np.maximum(pulled, 0.0).transpose(0, 2, 1)
