"""The evidence of a picture's colours for a body whose place is roughly known."""

from __future__ import annotations

import numpy as np
from scipy import ndimage
from scipy.cluster.vq import kmeans, vq

COLOUR_KINDS, LEARNED_PIXELS, SETTLED_DISTANCE = 40, 5000, 1e-4
"""Number of kinds into which colours are sorted, number of pixels from which they are learned, and the least fall of
their mean distance from the kinds' middles, in units of colour, in a turn that is not the last."""
RARE_SHARE = 0.004
"""Share of pixels that every kind has on either side at least, that a few stray ones decide nothing."""
MOST_COLOUR_ODDS = 2.0
"""The most that a colour tells, as the logarithm of its odds."""


def likeness(colour: np.ndarray, body: np.ndarray, near: np.ndarray) -> np.ndarray:
    """The log odds of each pixel's colour on the body against beside it, (h, w), `MOST_COLOUR_ODDS` either way.

    Args:
        colour: (h, w, c).
        body: Probability that each pixel is body (h, w), 0 to 1.
        near: Body and surroundings (h, w) bool; pixels farther away tell nothing.
    """
    kinds = _kinds(colour, near)
    on, beside = (
        np.bincount(kinds[near], share[near], COLOUR_KINDS) / max(float(share[near].sum()), 1.0) + RARE_SHARE
        for share in (body, 1.0 - body)
    )
    return np.clip(np.log(on / beside), -MOST_COLOUR_ODDS, MOST_COLOUR_ODDS)[kinds]


def _kinds(colour: np.ndarray, near: np.ndarray) -> np.ndarray:
    """Colours and how rough they are, sorted into kinds, (h, w)."""
    smooth = ndimage.gaussian_filter(colour, (1.0, 1.0, 0.0))
    rough = ndimage.gaussian_filter((colour[..., :1] - smooth[..., :1]) ** 2, (2.0, 2.0, 0.0))
    every = np.concatenate([smooth, np.sqrt(np.maximum(rough, 0.0))], axis=2)
    some = every[near]
    some = some[:: max(1, len(some) // LEARNED_PIXELS)]
    centres = kmeans(some, min(COLOUR_KINDS, len(some)), 1, SETTLED_DISTANCE, seed=np.random.default_rng(1))[0]
    return vq(every.reshape(-1, every.shape[2]), centres)[0].reshape(colour.shape[:2])
