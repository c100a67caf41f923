"""Glances and paces of steering."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.elementary import arcsin, arctan2
from artfish.core.base.vectors import dot, norm, unit, wrap

Array = np.ndarray


def glance(
    *,
    frames: Array,
    velocities: Array,
    waters: Array,
    cautions: Array,
    foresights: Array,
    lengths: Array,
    before: Array,
    aims: Array,
    wound: Array,
    turning: Array,
    pitches: Array,
    azimuths: Array,
    speeds: Array,
    sights: Array,
    onwards: Array,
    downstreams: Array,
    unseen: float,
    lasting: float,
    half_turn: float,
) -> None:
    """Headings and motion in the water, and how far ahead each fish heeds obstacles.

    What has been wound lasts by so much; a fish that is carried looks farther by the seconds of half a turn.
    """
    ahead = frames[:, :, 0]
    azimuths[:] = arctan2(ahead[:, 1], ahead[:, 0])
    pitches[:] = arcsin(np.clip(ahead[:, 2], -1.0, 1.0))
    aims[:] = np.where(np.isnan(aims), azimuths, aims)
    wound[:] = lasting * wound + np.where(np.isnan(before), 0.0, wrap(azimuths - before))
    turning += unseen
    speeds[:] = norm(velocities - waters)
    sights[:] = cautions * lengths + foresights * speeds + half_turn * norm(waters)
    onwards[:], downstreams[:] = unit(ahead * speeds[:, None] + waters), unit(waters)


def pace(
    *,
    pacing: SimpleNamespace,
    azimuths: Array,
    speeds: Array,
    sights: Array,
    aheads: Array,
    frees: Array,
    lees: Array,
    grazed: Array,
    downstreams: Array,
    drifts: Array,
    velocities: Array,
    frames: Array,
    lengths: Array,
    owns: Array,
    breathing: Array,
    kicks: Array,
    beats: Array,
    slow_beats: Array,
    slow_widths: Array,
    aims: Array,
    paces: Array,
    hurries: Array,
    walled: Array,
    rams: Array,
    holds: Array,
    checks: Array,
    bursts: Array,
    swims: Array,
    rows: Array,
    brakes: Array,
    fading: float,
) -> None:
    """Speeds of all fishes, and which of them brake, once it is known what is free; a burst fades by `fading`."""
    ahead, own = frames[:, :, 0], np.isnan(paces)
    caution = np.minimum(aheads / sights, 1.0)
    meant = np.where(own, owns * hurries, paces)
    # The speed that can be lost within a way grows with the root of it; a course that only grazes is no danger.
    room = np.maximum(caution, np.minimum(grazed / sights, 1.0))
    room = np.where(rams, np.minimum(aheads / (pacing.ramming * lengths), 1.0), room)
    swim = np.minimum(meant * (pacing.least_room + (1.0 - pacing.least_room) * np.sqrt(room)), 1.0)
    off = np.abs(wrap(aims - azimuths))
    onward = dot(velocities - drifts, ahead) / lengths

    # Large fishes that beat as slowly as they mean to swim would take ten seconds to reach that speed.
    beat = beats * (slow_beats + (1.0 - slow_beats) * swim)
    width = (slow_widths + (1.0 - slow_widths) * swim) * np.minimum(swim / pacing.fade_speed, 1.0)
    lack = np.clip(pacing.starting * (1.0 - onward / (pacing.stride * beat)), 0.0, 1.0)
    idle = np.where(own & ~holds & (width > 0.0), lack, 0.0)
    swim += (1.0 - swim) * idle * room * np.maximum(1.0 - off / pacing.off_course, 0.0)

    rested = np.maximum(1.0 - speeds / (pacing.at_rest * lengths), 0.0)
    away = (pacing.turning_away + (1.0 - pacing.turning_away) * rested) * (1.0 - caution)
    away = np.maximum(away, pacing.about_pace * np.clip(off - pacing.about_angle, 0.0, 1.0))
    away *= paces != 0.0  # a fish that means to glide turns by its fins alone
    swim = np.maximum(swim, away * np.minimum(off / pacing.off_course, 1.0))
    # A fish with its nose almost at a wall turns on the spot, by the fins alone: swimming would press it there.
    # Round a pillar there is a way.
    swim = np.where(walled & (off > pacing.off_course), 0.0, swim)

    # A burst that is over fades: a fish that has fled beats on for a moment. A kick between coasting ends at once.
    burst = np.clip(meant - 1.0, 0.0, np.where(own, kicks, 1.0))
    left = np.where(own & (bursts <= kicks), 0.0, bursts - fading)
    bursts[:] = np.minimum(np.maximum(burst, left), room)
    # Against water that carries it into trouble, or would, if it did not swim, it swims as hard as it can.
    against = np.maximum(-dot(downstreams, ahead), 0.0)
    headway = np.maximum(np.maximum(caution - frees / sights, 0.0), (caution - 1.0 + lees) * against)
    swims[:] = np.maximum(np.where(holds, 0.0, swim + (1.0 - swim) * headway), breathing)
    brakes[:] = (aheads < pacing.nose * lengths) & (speeds > pacing.braking * lengths)
    brakes |= (checks & own) | (holds & (onward > pacing.hovering))
    brakes &= breathing == 0.0
    rows[:] = np.where(holds & (off < pacing.off_aim), np.clip(onward, 0.0, pacing.hovering), 0.0)
