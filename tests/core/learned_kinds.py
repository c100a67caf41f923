"""Controllers for tests, made by hand: a wave down the body, and bends to both sides."""

from __future__ import annotations

import numpy as np

from artfish.core import Species
from artfish.core.body.anatomy import LEFT_MUSCLES
from artfish.core.scene.controller import Controller, Drill


def drill(species: Species, speed: float, turn: float, frequency: float, wide: float, bend: float = 0.0) -> Drill:
    """A wave of this width that runs down the body, bent by so much, left positive."""
    muscles = 12 + 4 * species.body.peduncle_muscles
    left, segments = np.resize(LEFT_MUSCLES, muscles), np.arange(muscles) // 4
    size = wide * (0.4 + 0.2 * segments)
    bent = np.maximum(np.where(left, bend, -bend), 0.0) * (segments < 2)
    lag = 1.2 * segments + np.where(left, 0.0, -np.pi)
    return Drill(
        speed=speed,
        turn=turn,
        frequency=frequency,
        mean=tuple((size + bent).tolist()),
        amplitude=(tuple(size.tolist()),),
        phase=(tuple(((lag + np.pi) % (2.0 * np.pi) - np.pi).tolist()),),
    )


def controller(name: str = "sardine") -> Controller:
    """Three paces and two turns to either side."""
    species = Species.load(name)
    beat = species.rhythm.tail_beat
    paces = ((0.3, 0.6 * beat, 0.06), (0.9, 0.8 * beat, 0.1), (1.6, beat, 0.14))
    turns = [
        tuple(drill(species, 0.8, side * rate, 0.75 * beat, 0.09, side * bend) for rate, bend in ((0.8, 0.1), (2, 0.2)))
        for side in (1.0, -1.0)
    ]
    return Controller(
        species=name,
        time_scale=species.time_scale,
        body=species.body,
        swims=tuple(drill(species, speed, 0.0, frequency, wide) for speed, frequency, wide in paces),
        left=turns[0],
        right=turns[1],
    )
