"""Signs of life."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.elementary import arctan2, hypot, smooth_step
from artfish.core.base.vectors import local, unit
from artfish.core.form.look import trailing

Array = np.ndarray


def smooth(value: Array, bounds: Array) -> Array:
    """0 up to the lower bound, 1 from the upper on, and smooth between."""
    return smooth_step((value - bounds[0]) / (bounds[1] - bounds[0]))


def signs(
    *,
    signals: SimpleNamespace,
    mosts: Array,
    breaths: Array,
    pantings: Array,
    beats: Array,
    bursts: Array,
    frequencies: Array,
    amplitudes: Array,
    curls: Array,
    gammas: Array,
    rowings: Array,
    strokes: Array,
    nodes: Array,
    velocities: Array,
    places: Array,
    frames: Array,
    lengths: Array,
    bends: Array,
    speeds: Array,
    goals: Array,
    displays: Array,
    reserves: Array,
    gaze: Array,
    phase: Array,
    breathless: Array,
    folds: Array,
    efforts: Array,
    tails: Array,
    turns: Array,
) -> None:
    """Moves gaze, breath, effort and fins on, each by its share of the way."""
    # The effort of muscles, and the breath that this takes.
    bursting, curled = bursts > 0.0, curls != 0.0
    pace = frequencies * amplitudes / beats
    beyond = np.clip((pace - 1.0) / np.maximum(bursts, 1e-9), 0.0, 1.0)
    work = np.where(bursting, 0.5 * np.minimum(pace, 1.0) + 0.5 * beyond, np.minimum(pace, 1.0))
    work = np.maximum(work, signals.rowing_work * np.minimum(strokes[1], 1.0))
    work = np.where(bursting & curled, 1.0, work)
    efforts += signals.exertion_share * (work - efforts)
    lacking = np.maximum(efforts, 1.0 - reserves)
    share = np.where(lacking > breathless, signals.breathless_share, signals.recovery_share)
    breathless += share * (lacking - breathless)
    rate = breaths * (1.0 + (pantings - 1.0) * breathless)
    phase[:] = (phase + 2.0 * np.pi * signals.dt * rate) % (2.0 * np.pi)

    # Eyes turn to what their fishes attend to, and else a little where they turn.
    turns += signals.veering_share * (bends - turns)
    turn = smooth(np.abs(turns), signals.turning)
    attends = np.isfinite(goals[:, 0])
    ahead, left, up = local(frames, unit(np.where(attends[:, None], goals - places, 0.0))).T
    sides, off = np.array([[1.0], [-1.0]]), hypot(ahead, up)
    angle = arctan2(np.stack([off, off]), sides * left)
    reach = np.where(angle < signals.seen_angle, np.minimum(angle, mosts), 0.0) / np.maximum(off, 1e-9)
    glance = -sides * signals.glance_share * mosts * (np.sign(turns) * turn)
    turned = np.stack([np.where(attends, reach * ahead, glance), np.where(attends, reach * up, 0.0)], axis=-1)
    gaze += signals.gaze_share * (turned.transpose(1, 0, 2) - gaze)

    # Fins fold at speed, and spread to turn, to brake and to be shown.
    broadside = np.abs(gammas - np.pi / 2).max(axis=0) / signals.broadside_angle
    rows_on = (strokes[1] > 0.0) & (rowings < 0.0).any(axis=0)
    still = ~curled & ~rows_on & ~(rowings < 0.0).all(axis=0)
    brakes = np.where(still, np.minimum(broadside, 1.0), 0.0)
    rows = (rowings != 0.0).any(axis=0) & ~curled
    hard = smooth(efforts, signals.bursting) * bursting
    median = np.maximum(smooth(speeds, signals.folding), hard)
    pectoral = np.maximum(smooth(speeds, signals.tucking), hard)
    busy = np.maximum(turn, brakes)
    median = np.maximum(median, signals.calm_fold) * (1.0 - np.maximum(busy, displays * (1.0 - median)))
    pectoral = pectoral * (1.0 - np.maximum(busy, rows))
    folds += signals.eased_share * (np.stack([median, pectoral], axis=-1) - folds)
    tails[:] = trailing(nodes, velocities, lengths)
