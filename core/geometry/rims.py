"""The rims of gaps: directed edges joined into polygons."""

from __future__ import annotations

import numpy as np


def rims(edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Polygons made of directed edges (e, 2), of which as many come to each corner as go on from it.

    Every walk comes back then; where it meets itself, a rim ends.

    Returns:
        Rows of the corners of all, (c,), and the number of each rim's, three or more, (r,).
    """
    onward: dict[int, list[int]] = {}
    for start, end in edges.tolist():
        onward.setdefault(start, []).append(end)
    found = []
    for first in list(onward):
        while onward[first]:
            walk, place = [first], {first: 0}
            while True:
                here = onward[walk[-1]].pop()
                if here in place:
                    rim = walk[place[here] :]
                    for corner in rim[1:]:
                        del place[corner]
                    del walk[place[here] + 1 :]
                    if len(rim) > 2:
                        found.append(rim)
                    if here == first:
                        break
                else:
                    place[here] = len(walk)
                    walk.append(here)
    corners = np.array([corner for rim in found for corner in rim], dtype=int)
    return corners, np.array([len(rim) for rim in found], dtype=int)
