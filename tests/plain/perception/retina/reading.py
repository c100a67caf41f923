"""Objects in pictures."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def objects(
    *,
    identities: Array,
    ranges: Array,
    rays: Array,
    angles: Array,
    counts: Array,
    all_sums: Array,
    nearests: Array,
    places: Array,
) -> None:
    """Pixels of every identity, sums of angle, angle times ray and angle times range, and the nearest and its pixel."""
    many = counts.shape[1]
    for image, identity in enumerate(identities):
        at = np.flatnonzero((identity > 0) & (identity < many))
        own, away, angle = identity[at], ranges[image, at].astype(float), angles[at]
        counts[image] += np.bincount(own, minlength=many)
        for column, term in enumerate((np.ones(len(at)), *rays[:, at].astype(float), away)):
            all_sums[image, :, column] += np.bincount(own, angle * term, minlength=many)
        order = np.lexsort((at, away, own))
        first = order[np.flatnonzero(np.diff(own[order], prepend=-1))]
        first = first[away[first] < nearests[image, own[first]]]
        nearests[image, own[first]], places[image, own[first]] = away[first], at[first]
