"""Grazing: going for plankton, or bait, slower the nearer it is (Tu 1999, §7.8; the numbers are ours)."""

from __future__ import annotations

from functools import cache

import numpy as np

from ...base.elementary import sin
from ...base.state import Stateful, state
from ...compiled import changes, compiled, reads, reals, record, takes, values, writes
from ...motor.tuning import AWRY_ANGLE, RUN_UP_LENGTHS
from ...perception.swimmers import Swimmers
from .moves import Moves
from .tuning import (
    BRAKING_LENGTHS,
    FACING_ANGLE,
    GRAZING_SIGMA,
    LEAST_PICKING_PACE,
    PASSING_CLIMB,
    PASSING_PACE,
    PICKING_LENGTHS,
    PICKING_PATIENCE_SECONDS,
    PICKING_RATE,
    STEEP_FOOD_ANGLE,
)

FISHES_A_THREAD = 300
"""Fewest fishes that are worth a thread of their own."""

PICKING = record(
    "Picking",
    **reals("sigma awry run_up facing picking braking steep_sine patience rate least_pace climb passing_pace"),
)
GRAZE = compiled(
    "graze",
    over="n",
    least=FISHES_A_THREAD,
    picking=reads(PICKING),
    rows=takes("i8", "n"),
    foods=takes("f8", "n", 3),
    seconds=takes("f8", "n"),
    noses=takes("f8", "fishes", 3),
    aheads=takes("f8", "fishes", 3),
    velocities=takes("f8", "fishes", 3),
    lengths=takes("f8", "fishes"),
    turned=changes("f8", "fishes"),
    passing=changes("?", "fishes"),
    ways=writes("f8", "n", 3),
    paces=writes("f8", "n"),
    holds=writes("?", "n"),
)


@cache
def _picking() -> np.ndarray:
    """The numbers of grazing as compiled functions take them."""
    return values(
        PICKING,
        sigma=GRAZING_SIGMA,
        awry=AWRY_ANGLE,
        run_up=RUN_UP_LENGTHS,
        facing=FACING_ANGLE,
        picking=PICKING_LENGTHS,
        braking=BRAKING_LENGTHS,
        steep_sine=sin(STEEP_FOOD_ANGLE),
        patience=PICKING_PATIENCE_SECONDS,
        rate=PICKING_RATE,
        least_pace=LEAST_PICKING_PACE,
        climb=PASSING_CLIMB,
        passing_pace=PASSING_PACE,
    )


class Grazing(Stateful):
    """The routine of fishes that pick drifting food.

    Attributes:
        length: Metres, (fish,).
        turned: Seconds for which each has turned to food that lies off its nose close by, (fish,).
        passing: Mask of the fishes that swim on past food that they could not turn to, (fish,) bool.
    """

    turned: np.ndarray = state("f8", "fish", unit="s", key="_turned")
    passing: np.ndarray = state("?", "fish", key="_passing")

    def __init__(self, length: np.ndarray):
        """Begins with nobody grazing; lengths in metres, (fish,)."""
        self.length = length
        self._fill(fish=len(length))

    def moves(self, me: np.ndarray, swimmers: Swimmers, food: np.ndarray, elapsed: np.ndarray) -> Moves:
        """The moves of fishes that go for food; they turn in a glide to food that lies off the nose.

        A fish that swims turns in too wide a circle to pick what is near: it must be slow, and its fins turn it. For
        food too near to turn to in a glide it brakes. One that only circles its food swims on and comes back.

        Args:
            me: Rows of n fishes, (n,).
            swimmers: All fishes, with velocities through the water.
            food: Place of each one's food in metres, (n, 3).
            elapsed: Seconds since each last took thought, (n,).
        """
        none = np.zeros(len(me))
        if not len(me):
            return Moves(np.zeros((0, 3)), none, none.astype(bool), none)
        way, pace, hold = np.empty((len(me), 3)), np.empty(len(me)), np.empty(len(me), dtype=bool)
        GRAZE(
            picking=_picking(),
            rows=me,
            foods=food,
            seconds=elapsed,
            noses=swimmers.nose,
            aheads=swimmers.ahead,
            velocities=swimmers.velocity,
            lengths=self.length,
            turned=self.turned,
            passing=self.passing,
            ways=way,
            paces=pace,
            holds=hold,
        )
        return Moves(way, pace, hold, none)
