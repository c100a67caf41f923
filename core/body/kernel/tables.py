"""A species as the kernel sees it: the struct `BodyStruct` of kernel.c."""

from __future__ import annotations

import ctypes

import numpy as np

from ...base.matrices import product
from ...base.vectors import norm
from ..anatomy import FACES, MIRROR_NODES, NODES, TRUNK_FACES, UNITS
from ..forces import Fins
from ..scheme import Scheme
from ..spine import AHEAD_AXIS, LEFT_AXIS, UP_AXIS, BendMaps, resting_segments
from ..tuning import MOST_STOPPED_SHARE

UNBOUNDED = float(np.finfo(np.float32).max)
"""Stands in for infinity."""

_INTEGERS = "units", "muscles", "faces", "trunk_faces", "alike"
_NUMBERS = (
    *("impulse", "flow_unit", "stopping", "streamlining", "tail_lost", "tail_strength", "fin_strength", "fin_fastest"),
    *("most_spin", "jump", "creep"),
)
_ARRAYS = (
    *("unit_nodes", "unit_muscles", "face_nodes", "elasticity", "viscosity", "tension", "compliance", "shares"),
    *("rates", "segment_lengths", "means", "rolls", "shifted", "pitched_up", "pitched_ahead", "fin_weights", "side"),
    *("solve", "hold", "rescue", "mirror", "first_shifted", "first_up", "first_ahead"),
)


class BodyStruct(ctypes.Structure):
    """The struct of the same name in kernel.c, field by field."""

    _fields_ = [
        ("dt", ctypes.c_double),
        *((field, ctypes.c_int32) for field in _INTEGERS),
        *((field, ctypes.c_float) for field in _NUMBERS),
        *((field, ctypes.c_void_p) for field in _ARRAYS),
    ]


class BodyTables:
    """The numbers of a species, its fins and its step, laid out for the kernel.

    Attributes:
        body: The struct; its pointers lead to arrays that live as long as this does.
        arrays: Those arrays by field.
    """

    def __init__(self, scheme: Scheme, fins: Fins):
        """Lays them out."""
        model, dt, limits = scheme.model, scheme.dt, scheme.limits
        flow_unit = float(np.sqrt(0.5 * model.fluid_viscosity))
        self.body = body = BodyStruct()
        body.dt = dt
        body.units, body.muscles = len(UNITS), len(model.muscles)
        body.faces, body.trunk_faces = len(FACES), len(TRUNK_FACES)
        body.impulse = dt / model.mass
        body.flow_unit = -flow_unit / 3.0  # of the sum over the corners; half the viscosity is one for it
        body.stopping = -flow_unit / (MOST_STOPPED_SHARE * limits.inertia)
        body.streamlining = model.streamlining
        body.tail_lost, body.tail_strength = -model.tail_inertia, limits.tail * model.tail_inertia
        body.fin_strength, body.fin_fastest = -fins.strength, min(fins.fastest(limits.inertia), UNBOUNDED)
        body.most_spin, body.jump, body.creep = scheme.most_spin, scheme.most_change, 1.0 / scheme.most_creep
        self.arrays: dict[str, np.ndarray] = {}
        self._keep("unit_nodes", UNITS, np.int32)
        muscles = np.full(len(UNITS), -1)
        muscles[model.muscles] = np.arange(len(model.muscles))
        self._keep("unit_muscles", muscles, np.int32)
        self._keep("face_nodes", FACES, np.int32)
        self._keep("elasticity", model.elasticity)
        self._keep("viscosity", model.viscosity)
        self._keep("tension", model.elasticity * model.natural)
        self._keep("compliance", flow_unit * limits.faces)
        self._keep("shares", model.masses / model.mass, np.float64)
        self._keep("rates", model.masses / dt)
        self._keep("segment_lengths", norm(resting_segments(model)))
        self._keep("fin_weights", fins.weights)
        self._keep("rescue", scheme.rescue)
        bend = BendMaps(model)
        self._keep("means", bend.means)
        self._keep("rolls", bend.rolls)
        self._keep("shifted", bend.shifted)
        self._keep("pitched_up", bend.pitched[UP_AXIS])
        self._keep("pitched_ahead", bend.pitched[AHEAD_AXIS])
        self._halves(scheme)
        for name in ("shifted", "pitched_up", "pitched_ahead"):
            _, first, row = np.unique(self.arrays[name], axis=0, return_index=True, return_inverse=True)
            self._keep(f"first_{name.removeprefix('pitched_')}", first[row.ravel()], np.int32)

    def _keep(self, name: str, values: np.ndarray, dtype: type = np.float32) -> None:
        """Sets a pointer of the struct to a copy of these values."""
        self.arrays[name] = np.ascontiguousarray(values, dtype)
        setattr(self.body, name, self.arrays[name].ctypes.data)

    def _halves(self, scheme: Scheme) -> None:
        """The two products that are left of each of the scheme's, as left mirrors right.

        A motion alike on both sides has a number for each pair of nodes and for each node in the middle, and an
        opposite motion has another. `mirror` has the rows of the two nodes, and `side` the sign that makes them alike.
        """
        alike, opposite = [], []
        for axis in (UP_AXIS, AHEAD_AXIS, LEFT_AXIS):
            sign = -1.0 if axis == LEFT_AXIS else 1.0
            for node, other in enumerate(MIRROR_NODES.tolist()):
                entry = (axis * NODES + node, axis * NODES + other, sign)
                if node == other:
                    (opposite if axis == LEFT_AXIS else alike).append(entry)
                elif node < other:
                    alike.append(entry)
                    opposite.append(entry)
        self.body.alike = len(alike)
        entries = np.array([*alike, *opposite])
        self._keep("mirror", entries[:, :2], np.int32)
        self._keep("side", entries[:, 2])
        for name, matrix in (("solve", scheme.solve), ("hold", -scheme.hold)):
            parts = [_half(matrix, np.array(half), sign) for half, sign in ((alike, 1.0), (opposite, -1.0))]
            self._keep(name, np.concatenate(parts))


def _half(matrix: np.ndarray, entries: np.ndarray, sign: float) -> np.ndarray:
    """A matrix (69, 69) restricted to motions of one kind, in the kernel's order: three rows at a time."""
    own, other = entries[:, :2].astype(int).T
    columns = np.arange(len(entries))
    motions = np.zeros((len(matrix), len(entries)))
    motions[own, columns] = 1.0
    paired = own != other
    motions[other[paired], columns[paired]] = sign * entries[paired, 2]
    # A motion's number is that of its first node, half the sum or the difference of both.
    halves = product(matrix, motions)[own] * np.where(paired, 0.5, 1.0)
    return halves.reshape(-1, 3, len(entries)).transpose(0, 2, 1).ravel()
