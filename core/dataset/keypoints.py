"""Keypoints: named points of a fish's surface that move with it, the same ones of every species."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, vstack

from ..form.look import Look
from ..form.mesh import EYES, FINS, BoundMesh, ControlNet
from ..form.nurbs import basis
from ..form.relief import eyeball
from ..form.surfaces import Patch
from ..scene.species import Species

LEAST_FIN = 0.005
"""Height in body lengths from which on a fin is one."""
FIN_PLACES = 65
"""Places along a fin where its height is looked at."""
FARTHEST_STAND_IN = 0.12
"""Body lengths from a point of our surfaces to that of a model that stands for it; beyond, the model has none."""
BACK_PLACES = 0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 1.0
"""Where the points of the back's line are, of the way along the body."""


class Keypoint(NamedTuple):
    """A point of the surfaces.

    Attributes:
        name: Its name in files.
        part: Its surface or eye.
        across: Its place across the surface, 0 to 1.
        along: Its place along it; None where the fin begins, or ends, which is `across` 0 or 1 of the fin's edge, and
            where the gill cover does.
    """

    name: str
    part: str
    across: float
    along: float | None


_BOTH = "left", "right"
KEYPOINTS = (
    Keypoint("nose", "body_left", 0.0, 0.0),
    *(Keypoint(f"eye_{side}", f"eye_{side}", 0.0, 0.0) for side in _BOTH),
    *(Keypoint(f"gill_{side}", f"body_{side}", 0.5, None) for side in _BOTH),
    *(Keypoint(f"{fin}_{end}", fin, place, None) for fin in FINS[:2] for place, end in enumerate(("first", "last"))),
    Keypoint("caudal_upper", "caudal", 0.0, 1.0),
    Keypoint("caudal_lower", "caudal", 1.0, 1.0),
    Keypoint("fork", "caudal", 0.5, 1.0),
    *(
        Keypoint(f"pectoral_{side}_{end}", f"pectoral_{side}", 1.0, place)
        for side in _BOTH
        for place, end in enumerate(("first", "last"))
    ),
    *(Keypoint(f"back_{number}", "body_left", 0.0, place) for number, place in enumerate(BACK_PLACES, 1)),
)
"""The points of every fish, in the order of files."""
NAMES = tuple(point.name for point in KEYPOINTS)
_LINKS = (
    *(("nose", f"eye_{side}") for side in _BOTH),
    *((f"eye_{side}", f"gill_{side}") for side in _BOTH),
    *((f"gill_{side}", f"pectoral_{side}_{end}") for side in _BOTH for end in ("first", "last")),
    ("nose", "back_1"),
    *((f"back_{number}", f"back_{number + 1}") for number in range(1, len(BACK_PLACES))),
    *((f"back_{len(BACK_PLACES)}", tail) for tail in ("caudal_upper", "fork", "caudal_lower")),
    ("dorsal_first", "dorsal_last"),
    ("ventral_first", "ventral_last"),
)
SKELETON = tuple((NAMES.index(one), NAMES.index(other)) for one, other in _LINKS)
"""Pairs of points that are joined where a fish is drawn by them."""


class KeypointNet:
    """The keypoints of a species.

    Attributes:
        matrix: Shares of the control points in each, (keypoints, points of the `ControlNet`), sparse.
        there: Whether the species has it, (keypoints,).
    """

    def __init__(self, species: Species, worn: BoundMesh | None = None) -> None:
        """Finds them.

        Args:
            species: The species.
            worn: The model that it wears, whose nearest vertices they are; None for surfaces of its own.
        """
        self._net = ControlNet(species)
        rows = [self._own(point, species) for point in KEYPOINTS]
        self.matrix: csr_matrix = vstack(rows, format="csr")
        self.there = np.array([row.nnz > 0 for row in rows])
        if worn is not None:
            self._take_from(worn)

    def places(
        self, nodes: np.ndarray, fins: np.ndarray, length: np.ndarray, mouth: np.ndarray, look: Look
    ) -> np.ndarray:
        """Where they are.

        Args:
            nodes: Nodes of fishes of this species, (n, 23, 3), metres.
            fins: Their pectoral fins, (n, 2, 3), as a recording has them.
            length: Their lengths at present, (n,), metres.
            mouth: Opening of their mouths, (n,), 0 to 1.
            look: Their looks, (n,).

        Returns:
            (n, keypoints, 3) in metres, world frame; NaN for those that the species has not.
        """
        seen = Look(*(np.asarray(of, dtype=float)[None] for of in vars(look).values()))
        points, origin, turn = self._net.poses(nodes[None], fins[None].astype(float), length, mouth[None], seen)
        many = np.moveaxis(points[0], 0, 1)
        local = (self.matrix @ many.reshape(len(many), -1)).reshape(len(KEYPOINTS), -1, 3)
        local = np.moveaxis(local, 0, 1) * length[:, None, None]
        found = origin[0][:, None] + np.einsum("fab,fkb->fka", turn[0], local)
        found[:, ~self.there] = np.nan
        return found

    def _own(self, point: Keypoint, species: Species) -> csr_matrix:
        """A point's shares (1, points of the net); empty if the fish has none."""
        shares = np.zeros((1, self._net.count))
        block = self._net.blocks[point.part]
        if point.part in EYES:
            out = float(eyeball(np.zeros(1))[0])
            shares[0, block] = 1.0 - out, 0.0, 0.0, out
            return csr_matrix(shares)
        patch = self._net.coupling.rest[point.part]
        across, along = point.across, point.along
        if along is None and point.part in FINS:
            places = np.linspace(0.0, 1.0, FIN_PLACES)
            root, edge = (_shares(patch, row, places) @ patch.points.reshape(-1, 3) for row in (0.0, 1.0))
            high = np.flatnonzero(np.linalg.norm(edge - root, axis=1) >= LEAST_FIN)
            if not len(high):
                return csr_matrix(shares)
            along, across = float(places[high[-1 if across else 0]]), 1.0
        elif along is None:
            along = species.looks.gill
        shares[0, block] = _shares(patch, across, np.array([along]))[0]
        return csr_matrix(shares)

    def _take_from(self, worn: BoundMesh) -> None:
        """The nearest vertices of a model instead."""
        at_rest, ours = worn.matrix @ self._net.rest, self.matrix @ self._net.rest
        rows = []
        for row, point in enumerate(KEYPOINTS):
            group = worn.groups.get("body" if point.part.startswith("body") else point.part, np.zeros(0, dtype=int))
            away = np.linalg.norm(at_rest[group] - ours[row], axis=1)
            self.there[row] &= bool(len(group)) and bool(away.min() <= FARTHEST_STAND_IN)
            rows.append(worn.matrix[group[np.argmin(away)]] if self.there[row] else self.matrix[row])
        self.matrix = vstack(rows, format="csr")


def _shares(patch: Patch, across: float, along: np.ndarray) -> np.ndarray:
    """Shares (n, own points) of a surface's control points at places along it (n,), 0 to 1."""
    rows, columns = patch.points.shape[:2]
    u = basis(rows, patch.degree_u, np.array([across * (rows - patch.degree_u)]))
    v = basis(columns, patch.degree_v, along * (columns - patch.degree_v))
    return np.kron(u, v)
