"""A short trial: whether the body that was measured swims ahead, keeps upright, and holds together."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from ..base.codec import SceneError
from ..body.anatomy import MASS_SHARES, body_frame
from ..motor.commands import Commands
from ..replicas.capture import capture
from ..replicas.trial import Trial
from ..scene.species import Species
from .tuning import LEAST_STRIDE_SHARE, TRIAL_BEATS, TRIAL_LEAST_UP


@lru_cache(maxsize=16)
def swims(species: Species, kin: Species) -> bool:
    """True if a species, from rest, swims ahead, turns upright, and comes nearly as far in a beat as its kin.

    Args:
        species: Species with its own proportions, length and time scale.
        kin: The preset whose gait it has.
    """
    stride, up = trial(species)
    least = LEAST_STRIDE_SHARE * _usual(kin)
    return bool(np.isfinite(stride).all() and stride[0] > least and up.min() > TRIAL_LEAST_UP)


@lru_cache(maxsize=16)
def repeats(species: Species) -> bool:
    """True if one beat is like another at every pace, slow and burst too, so that replicas and loops can be made."""
    try:
        with np.errstate(all="ignore"):
            capture(species)
    except SceneError:
        return False
    return True


@cache
def _usual(kin: Species) -> float:
    """Lengths ahead in a beat of a preset."""
    return float(trial(kin)[0][0])


def trial(species: Species) -> tuple[np.ndarray, np.ndarray]:
    """Lengths ahead in a beat at the end of a trial, and the least of its back's upright part, (2,) each.

    The first fish swims straight ahead at full speed, the second one turns by a radian.
    """
    commands = Commands.still(2)
    commands.swim[:] = (1.0, 0.7)
    beat = 1.0 / species.rhythm.tail_beat
    with np.errstate(all="ignore"):

        def steered(time: float) -> Commands:
            commands.turn[1] = float(2.0 * beat <= time < 3.0 * beat)
            return commands

        nodes = Trial(species.alike, 2).run(steered, TRIAL_BEATS * beat).nodes
        middle = np.einsum("n,tfnc->tfc", MASS_SHARES, nodes)
        _, frames = body_frame(nodes)
        half = len(nodes) // 2
        way = middle[-1] - middle[half]
        ahead = frames[half:, :, :, 0].mean(axis=0)
        stride = (way * ahead).sum(axis=-1) / (TRIAL_BEATS * (1.0 - half / len(nodes)))
        up = frames[..., 2, 2].min(axis=0)
    return np.where(np.isfinite(nodes).all(axis=(0, 2, 3)), stride, np.nan), np.nan_to_num(up)
