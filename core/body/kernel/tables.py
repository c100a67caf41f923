"""A shoal and its species as the kernel sees them: the records of which C's structs are made."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ...base.vectors import norm
from ...compiled import Kept, changes, integer, keep, part, reads, real, record, singles, struct, writes
from ...compiled.declarations import Array
from ..anatomy import FACES, MIRROR_NODES, NODES, TRUNK_FACES, UNITS
from ..forces import Fins
from ..scheme import Scheme
from ..spine import AHEAD_AXIS, LEFT_AXIS, UP_AXIS, BendMaps, resting_segments
from ..tuning import MOST_STOPPED_SHARE

UNBOUNDED = float(np.finfo(np.float32).max)
"""Stands in for infinity."""

BODY = record(
    "Body",
    dt=real(),
    muscles=integer(),
    trunk_faces=integer(),
    alike=integer(),
    **singles("impulse flow_unit stopping streamlining tail_lost tail_strength fin_strength fin_fastest"),
    **singles("most_spin jump creep"),
    unit_nodes=reads("i4", "units", 2),
    unit_muscles=reads("i4", "units"),
    face_nodes=reads("i4", "faces", 3),
    elasticity=reads("f4", "units"),
    viscosity=reads("f4", "units"),
    tension=reads("f4", "units"),
    compliance=reads("f4", "faces"),
    shares=reads("f8", 23),
    rates=reads("f4", 23),
    segment_lengths=reads("f4", 6),
    means=reads("f4", 23),
    rolls=reads("f4", 23),
    shifted=reads("f4", 23, 6),
    pitched_up=reads("f4", 23, 6),
    pitched_ahead=reads("f4", 23, 6),
    fin_weights=reads("f4", 2, 23),
    side=reads("f4", 69),
    solve=reads("f4", "halves"),
    hold=reads("f4", "halves"),
    rescue=reads("f4", 23, 23),
    mirror=reads("i4", 69, 2),
    first_shifted=reads("i4", 23),
    first_up=reads("i4", 23),
    first_ahead=reads("i4", 23),
)
"""A species, its fins and a length of the step."""
MOVED_BY = record(
    "Pace", body=part(BODY), muscles=struct("Sinews"), ends=reads("i8", "cuts"), parts=integer(), hurrying=integer()
)
"""`ranks.Pace`, and the steps at whose ends strokes are seen."""
BLOCK = record(
    "Block",
    calm=part(MOVED_BY),
    swift=part(MOVED_BY),
    swift_beat=real(),
    flapping=real(),
    fishes=integer(),
    rows=reads("i8", "columns"),
    phase=changes("f8", "columns"),
    swing=changes("f8", 3, "columns"),
    curl=changes("f8", "columns"),
    lengths=changes("f8", "muscles", "columns"),
)
"""`ranks.Columns`, of which those beyond the fishes only fill up."""
SHOAL = record(
    "Shoal",
    targets=reads("f8", 14, "fishes"),
    metres=reads("f8", "fishes"),
    x=changes("f8", "fishes", 23, 3),
    v=changes("f8", "fishes", 23, 3),
    samples_of=changes("i8", "fishes"),
)
"""All fishes, and where the samples of each begin, -1 for none."""
FRAME = record(
    "Frame",
    shoal=part(SHOAL),
    blocks=reads("i8", "many"),
    ranks=reads("i4", "places", 20),
    samples=writes("f8", "seen", 23, 3),
    next=changes("i8", 1),
    steps=integer(),
    count=integer(),
)
"""A frame: addresses of the blocks, the ranks that are moved, and the row of the next one to be taken up."""


def laid_out(scheme: Scheme, fins: Fins) -> Kept:
    """The numbers of a species, its fins and its step, laid out for the kernel."""
    model, dt, limits, bend = scheme.model, scheme.dt, scheme.limits, BendMaps(scheme.model)
    flow_unit = float(np.sqrt(0.5 * model.fluid_viscosity))
    muscles = np.full(len(UNITS), -1)
    muscles[model.muscles] = np.arange(len(model.muscles))
    bends = {
        "shifted": bend.shifted,
        "pitched_up": bend.pitched[UP_AXIS],
        "pitched_ahead": bend.pitched[AHEAD_AXIS],
    }
    values: dict[str, Any] = {
        "dt": dt,
        "muscles": len(model.muscles),
        "trunk_faces": len(TRUNK_FACES),
        "impulse": dt / model.mass,
        "flow_unit": -flow_unit / 3.0,  # of the sum over the corners; half the viscosity is one for it
        "stopping": -flow_unit / (MOST_STOPPED_SHARE * limits.inertia),
        "streamlining": model.streamlining,
        "tail_lost": -model.tail_inertia,
        "tail_strength": limits.tail * model.tail_inertia,
        "fin_strength": -fins.strength,
        "fin_fastest": min(fins.fastest(limits.inertia), UNBOUNDED),
        "most_spin": scheme.most_spin,
        "jump": scheme.most_change,
        "creep": 1.0 / scheme.most_creep,
        "unit_nodes": UNITS,
        "unit_muscles": muscles,
        "face_nodes": FACES,
        "elasticity": model.elasticity,
        "viscosity": model.viscosity,
        "tension": model.elasticity * model.natural,
        "compliance": flow_unit * limits.faces[:, 0],
        "shares": model.masses / model.mass,
        "rates": model.masses / dt,
        "segment_lengths": norm(resting_segments(model)),
        "fin_weights": fins.weights,
        "rescue": scheme.rescue,
        "means": bend.means,
        "rolls": bend.rolls,
        **bends,
        **{f"first_{name.removeprefix('pitched_')}": _first(of) for name, of in bends.items()},
        **_halves(scheme),
    }
    return keep(BODY, **{name: _as_declared(name, value) for name, value in values.items()})


def _as_declared(name: str, value: Any) -> Any:
    """A value of the record in the type that C has for it."""
    one = BODY.fields[name]
    return np.ascontiguousarray(value, one.kind) if isinstance(one, Array) else value


def _first(of: np.ndarray) -> np.ndarray:
    """The first row that is the same as each, in single precision, (23,)."""
    seen: dict[bytes, int] = {}
    rows = of.astype(np.float32) + np.float32(0.0)  # of both zeros one
    return np.array([seen.setdefault(line.tobytes(), row) for row, line in enumerate(rows)])


def _halves(scheme: Scheme) -> dict[str, Any]:
    """The two products that are left of each of the scheme's, as left mirrors right.

    A motion alike on both sides has a number for each pair of nodes and for each node in the middle, and an opposite
    motion has another. `mirror` has the rows of the two nodes, and `side` the sign that makes them alike.
    """
    alike, opposite = _kinds_of_motion()
    entries = np.concatenate([alike, opposite])
    found: dict[str, Any] = {"alike": len(alike), "mirror": entries[:, :2], "side": entries[:, 2]}
    for name, matrix in (("solve", scheme.solve), ("hold", -scheme.hold)):
        found[name] = np.concatenate([_half(matrix, alike, 1.0), _half(matrix, opposite, -1.0)])
    return found


@cache
def _kinds_of_motion() -> tuple[np.ndarray, np.ndarray]:
    """Rows of two nodes and the sign that makes them alike, of the motions alike on both sides, and the others."""
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
    return np.array(alike), np.array(opposite)


def _half(matrix: np.ndarray, entries: np.ndarray, sign: float) -> np.ndarray:
    """A matrix (69, 69) restricted to motions of one kind, in the kernel's order: three rows at a time."""
    own, other = entries[:, :2].astype(int).T
    paired = own != other
    rows = matrix[own]
    # A motion's number is that of its first node, half the sum or the difference of both.
    both = rows[:, own] + np.where(paired, sign * entries[:, 2], 0.0) * rows[:, other]
    halves = both * np.where(paired, 0.5, 1.0)
    return halves.reshape(-1, 3, len(entries)).transpose(0, 2, 1).ravel()
