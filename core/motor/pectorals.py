"""The push of the pectoral fins (Tu 1999, §4.6.2, eq. 4.16), and their visible motion (app. B)."""

from __future__ import annotations

import numpy as np

from ..base.elementary import exp, sin_and_cos
from ..base.state import Stateful, state
from ..base.sums import total
from ..base.vectors import dot
from ..body.anatomy import NODES, RING_NODES
from ..body.dynamics import BodyModel
from ..compiled import changes, compiled, real, takes
from ..scene.species import Pectoral, Species
from .tuning import (
    EFFORT_SECONDS,
    FIN_STOPPING_SHARE,
    FLAP_ANGLE,
    FLAP_ANGLE_MORE,
    FLAP_BEATS,
    FLAP_BEATS_MORE,
    MOST_FIN_EFFORT_ANGLE,
    MOST_OARING_SPEED,
    OAR_BEATS,
    OAR_BEATS_MORE,
    STROKE_FLAP,
    STROKE_SWEEP,
    STROKE_WHOLE,
)

FINS_A_THREAD = 1000
"""Fishes whose fins are worth a thread of their own."""

FIN_MOTION = compiled(
    "fin_motion",
    over="fishes",
    least=FINS_A_THREAD,
    gammas=takes("f8", 2, "fishes"),
    speeds=takes("f8", "fishes"),
    bends=takes("f8", "fishes"),
    backs=takes("?", "fishes"),
    strokes=takes("f8", 2, "fishes"),
    oaring=takes("f8", "fishes"),
    phases=changes("f8", 2, "fishes"),
    oars=changes("f8", 2, "fishes"),
    efforts=changes("f8", 2, "fishes"),
    reaches=changes("f8", "fishes"),
    dt=real(),
    share=real(),
    most_effort=real(),
    flap_beats=real(),
    flap_beats_more=real(),
    oar_beats=real(),
    oar_beats_more=real(),
    most_speed=real(),
)


class PectoralForces:
    """The water's push on the two fins of a block of fishes, in the book's units.

    F = -mu A |w| (n.w) n, eq. 4.16 with the fluid viscosity that it lacks. The flow w is that at the nodes which
    carry the fin, so that a rolling or heaving fish is steadied. Three documented terms are not in the book.
    `flap`, off at 0: fins that beat all the time, as in appendix B, lift or dive even while the fish rests.
    `reach`, off at 0: a fin's push acts out on the fin and not on the flank. `lever`, off at thirds: it acts where
    the fin is and not along half the body. A fin that rows backwards meets the water at its rowing speed.

    Attributes:
        flapping: Lift that `flap` gives, over the share of the fins' angles in it.
    """

    def __init__(self, species: Species, model: BodyModel, fishes: int, dtype: type = np.float64):
        """Prepares for blocks of this many fishes in this precision."""
        self._dtype = dtype
        fins = species.pectoral
        self.strength = model.fluid_viscosity * fins.area * np.square(model.length)
        self.flapping = self.strength * np.square(fins.flap * model.length * species.time_scale)
        self.weights = _outboard(fin_weights(fins.lever), species.body.half_widths, fins)
        self.hold(np.full((2, fishes), np.pi / 2), np.zeros((2, fishes)))

    def hold(self, gamma: np.ndarray, row: np.ndarray) -> None:
        """Sets the fins to these angles.

        Args:
            gamma: Angles of the fins in radians, (2, fish).
            row: Rowing speed of each fin, backwards positive, (2, fish).
        """
        # The normal n is cos gamma ahead and sin gamma up. The strokes of a flapping fin cancel along the fish and
        # leave the lift of their speed.
        up, ahead = sin_and_cos(gamma)
        self.strokes = np.stack([ahead, up, row, -self.flapping * ahead * up]).astype(self._dtype)

    def fastest(self, inertia: float) -> float:
        """The speed of the flow beyond which a fin's push grows no more; `inertia` is that of `push`."""
        return FIN_STOPPING_SHARE * inertia / self.strength if self.strength else np.inf

    def push(self, flow: np.ndarray, ahead: np.ndarray, up: np.ndarray, inertia: float = np.inf) -> np.ndarray:
        """The force on the left and the right fin, (2, 3, fish); its arguments are those of `body.forces.Fins`."""
        ahead, up = ahead[:, None], up[:, None]
        normal_ahead, normal_up, row, lift = self.strokes
        flow = flow + row * ahead
        normal = normal_ahead * ahead + normal_up * up
        speed = np.minimum(np.sqrt(total(flow * flow, axis=0)), self.fastest(inertia))
        push = -self.strength * speed * total(flow * normal, axis=0)
        return (push * normal + lift * up).swapaxes(0, 1).astype(self._dtype)


def fin_weights(lever: tuple[float, ...]) -> np.ndarray:
    """Distribution over the nodes of a force on the left and on the right pectoral fin, (2, 23).

    Args:
        lever: Share of each of the first three rings; a third each in the book, which spreads the force equally
            over the six midsection nodes of its side.
    """
    weights = np.zeros((2, NODES))
    for ring, share in zip(RING_NODES[:3], lever, strict=True):
        weights[0, ring[[0, 3]]] = share / 2
        weights[1, ring[[1, 2]]] = share / 2
    return weights


def _outboard(weights: np.ndarray, half_widths: tuple[float, ...], fins: Pectoral) -> np.ndarray:
    """Fin weights (2, 23) with the same force, but acting at `reach` from the midline."""
    flank = float(dot(np.array(fins.lever), np.array(half_widths[:3])) / total(fins.lever))
    excess = 0.5 * max(fins.reach / flank - 1.0, 0.0)
    return (1.0 + excess) * weights - excess * weights[::-1]


class FinMotion(Stateful):
    """The visible motion of the fins: flapping and oaring (Tu 1999, app. B).

    Amplitude and rate of the flapping grow with |gamma - pi/2| and are never zero; the rate of the oaring grows
    with the speed. In a turn the two sides oar against each other; in a brake or a retreat both oar backwards.

    Attributes:
        flap_phase: Phase of the flapping, left and right, (2, fish).
        oar: Angle of the oaring in radians, (2, fish).
    """

    flap_phase: np.ndarray = state("f8", 2, "fish", unit="rad")
    oar: np.ndarray = state("f8", 2, "fish", unit="rad")
    _effort: np.ndarray = state("f8", 2, "fish")
    _stroke: np.ndarray = state("f8", "fish")

    def __init__(self, oaring: np.ndarray, start: np.ndarray, wing: np.ndarray | float = 0.0):
        """Begins at any phase, so that fishes do not flap in step.

        Args:
            oaring: Share by which each fish's fins are seen oaring rather than flapping, (fish,).
            start: Phase that each fish begins at in radians, (fish,).
            wing: Share by which each fish's fins are held still, (fish,).
        """
        self._oaring = oaring
        self._fill(fish=len(start))
        self.flap_phase[:] = start
        self._loose = 1.0 - wing

    def advance(
        self,
        dt: float,
        gamma: np.ndarray,
        speed: np.ndarray,
        turn: np.ndarray,
        back: np.ndarray,
        stroke: np.ndarray,
    ) -> None:
        """Moves on by `dt` seconds.

        Args:
            dt: Seconds.
            gamma: Angles of the fins, (2, fish).
            speed: Speed in body lengths a second, (fish,).
            turn: Bend of the body, left positive, -1 to 1, (fish,).
            back: True where the fins row backwards, (fish,) bool.
            stroke: Phase in radians of the strokes of fins that row a fish on, and their swing, (2, fish).
        """
        FIN_MOTION(
            gammas=gamma,
            speeds=speed,
            bends=turn,
            backs=back,
            strokes=stroke,
            oaring=self._oaring,
            phases=self.flap_phase,
            oars=self.oar,
            efforts=self._effort,
            reaches=self._stroke,
            dt=dt,
            share=1.0 - exp(-dt / EFFORT_SECONDS),
            most_effort=MOST_FIN_EFFORT_ANGLE,
            flap_beats=FLAP_BEATS,
            flap_beats_more=FLAP_BEATS_MORE,
            oar_beats=OAR_BEATS,
            oar_beats_more=OAR_BEATS_MORE,
            most_speed=MOST_OARING_SPEED,
        )

    def fins(self, gamma: np.ndarray) -> np.ndarray:
        """The fins as a recording keeps them, (fish, 2, 3): gamma, flap and oar of left and right."""
        return self._seen(gamma, self.flap_phase, self.oar, slice(None))

    def at(self, fish: int, flap_phase: np.ndarray, oar: np.ndarray, gamma: np.ndarray) -> np.ndarray:
        """The fins of one fish, as a recording would keep them, at other moments of a motion that goes on as now.

        Args:
            fish: Its row.
            flap_phase: Phases of the flapping, left and right, (2, moments).
            oar: Angles of the oaring in radians, (2, moments).
            gamma: Angles of the fins, (2, moments).

        Returns:
            (moments, 2, 3): gamma, flap and oar of left and right.
        """
        return self._seen(gamma, flap_phase, oar, slice(fish, fish + 1))

    def _seen(self, gamma: np.ndarray, flap_phase: np.ndarray, oar: np.ndarray, rows: slice) -> np.ndarray:
        sweep, swing = sin_and_cos(flap_phase)
        stroke, effort = self._stroke[rows], self._effort[:, rows]
        loose = self._loose[rows] if isinstance(self._loose, np.ndarray) else self._loose
        rowing = np.minimum(stroke / STROKE_WHOLE, 1.0)  # strokes drown what flaps beside them
        reach = (1.0 - rowing) * loose * (FLAP_ANGLE + FLAP_ANGLE_MORE * effort)
        flap = reach * sweep + STROKE_FLAP * stroke * swing
        return np.stack([gamma, flap, oar + STROKE_SWEEP * stroke * sweep], axis=-1).transpose(1, 0, 2)
