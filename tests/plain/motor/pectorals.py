"""The visible motion of pectoral fins."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def fin_motion(
    *,
    gammas: Array,
    speeds: Array,
    bends: Array,
    backs: Array,
    strokes: Array,
    oaring: Array,
    phases: Array,
    oars: Array,
    efforts: Array,
    reaches: Array,
    dt: float,
    share: float,
    most_effort: float,
    flap_beats: float,
    flap_beats_more: float,
    oar_beats: float,
    oar_beats_more: float,
    most_speed: float,
) -> None:
    """Flapping that grows with the effort, and oaring that grows with the speed (Tu 1999, app. B)."""
    efforts += share * (np.minimum(np.abs(gammas - np.pi / 2) / most_effort, 1.0) - efforts)
    phases += 2 * np.pi * dt * (flap_beats + flap_beats_more * efforts)
    rate = oaring * (oar_beats + oar_beats_more * np.minimum(speeds, most_speed))
    inner = np.clip(2.0 * np.abs(bends), 0.0, 2.0)  # 1 stops the inner fin, 2 lets it oar backwards
    sides = np.stack([np.where(bends > 0, 1.0 - inner, 1.0), np.where(bends < 0, 1.0 - inner, 1.0)])
    rate = np.where(backs, np.maximum(rate, oar_beats + oar_beats_more), rate)
    oars += 2 * np.pi * dt * rate * np.where(backs, -1.0, sides)
    # Fins that row a fish on flap with their strokes.
    reaches[:] = strokes[1]
    phases[:] = np.where(reaches > 0.0, strokes[0], phases)
