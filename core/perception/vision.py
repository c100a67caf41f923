"""The other fishes that a fish sees (Tu 1999, §6.3, §6.4)."""

from __future__ import annotations

from functools import cache

import numpy as np

from ..base.elementary import cos
from ..base.vectors import dot
from ..compiled import compiled, laid, reads, real, takes, writes
from ..habitat.obstacles import CYLINDER, Obstacles
from .tuning import FIELD_ANGLE

EYES_A_THREAD = 400
"""Fishes whose looks at others are worth a thread of their own."""
LOOKS_A_THREAD = 2000
"""Lines of sight that are worth a thread of their own."""

MIDDLES = compiled(
    "middles",
    candidates=reads("i8", "n", "others"),
    nodes=reads("f8", "fishes", "points", 3),
    middles=writes("f8", "fishes", 4),
)
_LOOK = compiled(
    "look",
    over="n",
    least=EYES_A_THREAD,
    rows=reads("i8", "n"),
    candidates=reads("i8", "n", "others"),
    eyes=takes("f8", "fishes", 3),
    headings=takes("f8", "fishes", 3),
    nodes=reads("f8", "fishes", "points", 3),
    alive=reads("?", "fishes"),
    sight=takes("f8", "fishes"),
    length=takes("f8", "fishes"),
    middles=reads("f8", "fishes", 4),
    cylinders=reads(CYLINDER, "count"),
    distance=writes("f8", "n", "others"),
    seen=writes("?", "n", "others", "looks"),
    cosine=real(),
)
_BEHIND_CYLINDERS = compiled(
    "behind_cylinders",
    over="n",
    least=LOOKS_A_THREAD,
    starts=takes("f8", "n", 3),
    ends=takes("f8", "n", 3),
    cylinders=reads(CYLINDER, "count"),
    behind=writes("?", "n"),
)


@cache
def field_cosine() -> float:
    """Cosine of half the angle that a fish sees."""
    return float(cos(FIELD_ANGLE / 2))


class Vision:
    """The eye of every fish: a field of 300 degrees, and a range that grows with the size of what is looked at.

    Attributes:
        obstacles: Obstacles, which hide what is behind them; fishes hide nothing (§6.4.1).
        sight: V_r, the distance at which each fish sees another of its own length, in metres, (fish,).
        length: Metres, (fish,).
    """

    def __init__(self, obstacles: Obstacles, sight: np.ndarray, length: np.ndarray):
        self.obstacles, self.sight, self.length = obstacles, sight, length

    def look(
        self,
        fishes: np.ndarray,
        candidates: np.ndarray,
        eye: np.ndarray,
        ahead: np.ndarray,
        nodes: np.ndarray,
        alive: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The candidates that each fish sees: those with a node in range, in the field and behind no obstacle.

        The book leaves out whatever has its middle beyond the view volume (§6.4.2); here a tail that reaches in is
        enough, as §6.3.2 has it. The range is V_r times the length of the one seen over that of the one that looks.

        Args:
            fishes: Rows of the fishes that look, (n,).
            candidates: Rows of those each looks at, (n, k); its own row stands for nobody.
            eye: Place of every fish's eye in metres, (fish, 3).
            ahead: Unit vector along every fish's body, (fish, 3).
            nodes: Metres, (fish, 23, 3).
            alive: Mask of the fishes that are alive, (fish,); the others are not seen.

        Returns:
            Mask of those seen, (n, k), and the metres from the eye to their middles, infinite if not seen, (n, k).
        """
        (fishes, candidates), (nodes,) = laid(fishes, candidates, kind=np.int64), laid(nodes)
        points, solids = nodes.shape[1], self.obstacles.solids
        middles, distance = np.empty((len(nodes), 4)), np.empty(candidates.shape)
        seen = np.empty((*candidates.shape, points if solids else 1), dtype=bool)
        MIDDLES(candidates=candidates, nodes=nodes, middles=middles)
        _LOOK(
            rows=fishes,
            candidates=candidates,
            eyes=eye,
            headings=ahead,
            nodes=nodes,
            alive=alive,
            sight=self.sight,
            length=self.length,
            middles=middles,
            cylinders=self.obstacles.cylinders,
            cosine=field_cosine(),
            distance=distance,
            seen=seen,
        )
        seen = self._in_front(seen, eye[fishes], nodes, candidates) if solids else seen[..., 0]
        return seen, np.where(seen, distance, np.inf)

    def _in_front(self, seen: np.ndarray, eye: np.ndarray, nodes: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """Mask of the candidates with a node, of those that each of n eyes would see, before all solids, (n, k).

        Args:
            seen: Mask of the nodes that it would see, (n, k, p) bool.
            eye: Metres, (n, 3).
            nodes: Nodes of all fishes in metres, (fish, p, 3).
            candidates: (n, k).
        """
        found = np.zeros(candidates.shape, dtype=bool)
        # One node settles most pairs; only the rest need all of them.
        for first, last in ((0, 1), (1, seen.shape[-1])):
            row, column, point = np.nonzero(seen[..., first:last] & ~found[..., None])
            start, end = eye[row], nodes[candidates[row, column], first + point]
            clear = ~_behind(start, end, self.obstacles, np.zeros(len(row), dtype=bool))
            found[row[clear], column[clear]] = True
        return found


def in_field(ray: np.ndarray, away: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """True where a ray (..., 3) of that length (...) lies in the field of view of a fish so headed, (...)."""
    return dot(ray, ahead) >= field_cosine() * away


def blocks(start: np.ndarray, end: np.ndarray, obstacles: Obstacles) -> np.ndarray:
    """Mask of the lines from start to end with an obstacle in the way.

    Equations 6.1 and 6.2 for solid cylinders: where the book looks for a crossing of the mantle, a line that enters
    and leaves by the ends, or that begins within, is blocked too. A line that only touches mantle or top is not.

    Args:
        start: Metres, (m, 3).
        end: Metres, (m, 3).
        obstacles: Cylinders, meshes and the bed.

    Returns:
        (m,).
    """
    behind = np.empty(len(start), dtype=bool)
    _BEHIND_CYLINDERS(starts=start, ends=end, cylinders=obstacles.cylinders, behind=behind)
    return _behind(start, end, obstacles, behind)


def _behind(start: np.ndarray, end: np.ndarray, obstacles: Obstacles, blocked: np.ndarray) -> np.ndarray:
    """Mask of the lines from start to end, (m, 3) each, that are blocked, (m,), or have a solid in the way, (m,)."""
    for solid in obstacles.solids:
        if solid.sheer:
            continue
        open_yet = np.flatnonzero(~blocked)
        blocked[open_yet] = solid.blocks(start[open_yet], end[open_yet])
    return blocked
