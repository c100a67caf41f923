"""Bootstrap intervals of quantiles: halves drawn anew by whole blocks of time, as what a fish does lasts.

Blocks go round the end of a half (Politis & Romano 1992), so that every moment is drawn as often as any other.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .figures import FIGURES, quartiles
from .tuning import BLOCK_SECONDS, CONFIDENCE, MOST_BLOCK, RESAMPLES


def intervals(samples: Mapping[str, np.ndarray], rate: float, seed: int) -> np.ndarray:
    """The intervals of the judged quantiles of every figure, (figure, quantile, 2); NaN without samples."""
    return np.stack([interval(samples[figure.key], rate, seed) for figure in FIGURES])


def interval(samples: np.ndarray, rate: float, seed: int) -> np.ndarray:
    """The intervals of the judged quantiles of samples at each frame, (frame, any): (quantile, 2)."""
    frames = len(samples)
    block = max(1, round(min(BLOCK_SECONDS * rate, MOST_BLOCK * frames)))
    dice = np.random.default_rng(seed)
    begins = dice.integers(0, frames, (RESAMPLES, -(-frames // block)))
    rows = (begins[..., None] + np.arange(block)).reshape(RESAMPLES, -1)[:, :frames] % frames
    found = np.stack([quartiles(samples[some]) for some in rows])
    there = np.isfinite(found).all(axis=1)
    tail = 0.5 * (1.0 - CONFIDENCE)
    if not there.any():
        return np.full((found.shape[1], 2), np.nan)
    return np.quantile(found[there], [tail, 1.0 - tail], axis=0).T
