"""A model that has bones moves as its maker weighted it: each bone is carried by the body where it lies.

Names say nothing. A bone along the body goes with the cross-section at its station, whatever its name; one whose
vertices are mostly a pectoral fin or an eye goes with that, and one whose vertices open with the mouth with the chin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import csr_matrix, diags

from ..form.mesh import ControlNet
from ..form.rig import SPINE, Bone
from .model import Model
from .tuning import BENDING_STATIONS, BONE_LEAST_SHARE, JAW_BONE_SHARE, OWN_PART_SHARE

OWN_PARTS = {"pectoral_left": "pectoral.L", "pectoral_right": "pectoral.R", "eye_left": "eye.L", "eye_right": "eye.R"}
"""Parts of a fish that have a bone of their own, which carries nothing else, by its name in our rigs."""
MOST_SHARES = 4
"""Bones that move one vertex."""
JAW = "jaw"


class Carriers:
    """The parts of a fish that carry the bones of a model.

    Attributes:
        shares: Shares of its bones in its vertices, (vertices, bones), 1 in all or none at all.
        weighted: 1 for vertices that its bones move, else 0, (vertices,).
        stations: Stations of its bones along the body, (bones,).
        kinds: Part of the fish that carries each: one of `OWN_PARTS`, "jaw", or "" for the body.
    """

    def __init__(self, net: ControlNet, model: Model, found: Mapping[str, np.ndarray], shape: csr_matrix) -> None:
        """Finds it out.

        Args:
            net: The species' control net.
            model: Standing, with bones.
            found: Vertices of its fins and eyes.
            shape: Shares of the control points in its vertices, as its shape alone has them.
        """
        weights: csr_matrix = csr_matrix(model.weights)  # type: ignore[arg-type]
        weights.data = np.maximum(np.nan_to_num(weights.data), 0.0)
        whole = np.asarray(weights.sum(axis=1)).ravel()
        self.weighted = (whole > BONE_LEAST_SHARE).astype(float)
        self.shares = csr_matrix(diags(self.weighted / np.maximum(whole, BONE_LEAST_SHARE)) @ weights)
        nose = float(net.rest[net.blocks["body_left"]][0, 0])
        middles = np.array([(bone.head + bone.tail) / 2 for bone in model.bones])
        self.stations = nose - middles[:, 0]
        mass = np.maximum(np.asarray(self.shares.sum(axis=0)).ravel(), BONE_LEAST_SHARE)
        self._mass = mass
        self.kinds = [""] * len(model.bones)
        for part in OWN_PARTS:
            own = np.zeros(model.count)
            own[found[part]] = 1.0
            for bone in np.flatnonzero(self.shares.T @ own / mass > OWN_PART_SHARE):
                self.kinds[bone] = part
        opened = np.linalg.norm(shape @ net.gape, axis=1)
        opening = self.shares.T @ opened / mass / max(float(np.linalg.norm(net.gape, axis=1).max()), 1e-9)
        for bone in np.flatnonzero(opening > JAW_BONE_SHARE):
            self.kinds[bone] = self.kinds[bone] or JAW

    @property
    def bend(self) -> bool:
        """True if the bones bend the body: enough of them lie one behind the other and move something."""
        body = np.array([not kind for kind in self.kinds]) & (self._mass > BONE_LEAST_SHARE * self._mass.sum())
        places = np.sort(self.stations[body])
        return len(places) > 0 and 1 + int((np.diff(places) > 0.02).sum()) >= BENDING_STATIONS

    def worn(self, bones: Sequence[Bone], own: np.ndarray) -> np.ndarray:
        """Shares of the bones of our rig, (vertices, bones), as the maker weighted the model's.

        Args:
            bones: Bones of the rig.
            own: Shares by the model's shape, (vertices, bones), for vertices that no bone of the model moves.
        """
        names = [bone.name for bone in bones]
        spine = [row for row, name in enumerate(names) if name in SPINE]
        nose = max(float(bone.head[0]) for bone in bones if bone.name in SPINE)
        middles = np.array([nose - (bones[row].head[0] + bones[row].tail[0]) / 2 for row in spine])
        goes = np.zeros((len(self.kinds), len(bones)))
        for bone, kind in enumerate(self.kinds):
            name = OWN_PARTS.get(kind, kind)
            if name in names:
                goes[bone, names.index(name)] = 1.0
            else:
                goes[bone, spine] = [np.interp(self.stations[bone], middles, one) for one in np.eye(len(spine))]
        shares = np.asarray(self.shares @ goes) + (1.0 - self.weighted)[:, None] * own
        least = np.partition(shares, -MOST_SHARES, axis=1)[:, -MOST_SHARES, None]
        return np.where(shares >= np.maximum(least, 1e-9), shares, 0.0)
