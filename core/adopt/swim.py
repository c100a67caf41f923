"""A short trial: whether the body that was measured swims ahead, keeps upright, and holds together."""

from __future__ import annotations

import numpy as np

from ..body.anatomy import MASS_SHARES, body_frame
from ..motor.commands import Commands
from ..replicas.trial import Trial
from ..scene.species import Species
from .tuning import LEAST_STRIDE_SHARE, TRIAL_BEATS, TRIAL_LEAST_UP


def swims(species: Species, kin: Species) -> bool:
    """Whether a species, from rest, swims ahead and turns upright, and nearly as far in a beat as its kin does.

    Args:
        species: With its own proportions, length and time scale.
        kin: The preset whose gait it has.
    """
    (stride, up), (usual, _) = trial(species), trial(kin)
    return bool(np.isfinite(stride).all() and stride[0] > LEAST_STRIDE_SHARE * usual[0] and up.min() > TRIAL_LEAST_UP)


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
