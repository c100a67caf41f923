"""The largest stable step of explicit Euler, the book's scheme and ours (Tu 1999, §4.5.2).

The book found its semi-implicit scheme stable at 100 to 150 times the step of explicit Euler. Here the book's own
fish swims, and a scheme is stable at a step if for ten tail beats every unit keeps 0.3 to 3 times its natural length.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.body.anatomy import BOOK_STEP, LEFT_MUSCLES, MUSCLES, UNITS
from ..core.body.dynamics import BodyModel
from ..core.body.forces import Finless
from ..core.body.integrators import ExplicitEuler, Integrator, Reference
from ..core.body.production import Production
from ..core.scene.species import Species
from .table import Row, explains

BEAT = 120 * BOOK_STEP  # book units of time
CONTRACTION = 0.1  # of the muscles of the two swim segments, over their natural length
LARGEST = BEAT / 8  # a longer step no longer shows the muscles a beat
SCHEMES: dict[str, Callable[..., Integrator]] = {
    "explicit Euler": ExplicitEuler,
    "reference": Reference,
    "production": Production,
}


def stable(scheme: Callable[..., Integrator], model: BodyModel, dt: float, beats: float) -> bool:
    """True if a fish that swims for this many beats holds together at steps of `dt` book units."""
    integrator = scheme(model, 1, dt, Finless())
    x = model.resting(1)
    v, water = np.zeros_like(x), np.zeros((3, 1))
    sides = np.where(LEFT_MUSCLES, -1.0, 1.0) * np.repeat([0.0, 1.0, -1.0], 4)  # the last segment pi behind
    for step in range(round(beats * BEAT / dt)):
        contraction = CONTRACTION * sides * np.sin(2.0 * np.pi * step * dt / BEAT)
        integrator.step(x, v, (model.natural[MUSCLES] * (1.0 + contraction))[:, None], water)
        lengths = np.linalg.norm(x[UNITS[:, 1]] - x[UNITS[:, 0]], axis=1)[:, 0] / model.natural
        if not 0.3 < lengths.min() <= lengths.max() < 3.0:  # false for nan as well
            return False
    return True


def largest_step(scheme: Callable[..., Integrator], model: BodyModel, beats: float, exact: float) -> float:
    """The largest stable step up to `LARGEST`, halved until stable, then bisected to within a factor of `exact`."""
    low = high = LARGEST
    while not stable(scheme, model, low, beats):
        low, high = low / 2.0, low
    while high > low * exact:
        middle = (low * high) ** 0.5
        if stable(scheme, model, middle, beats):
            low = middle
        else:
            high = middle
    return low


@explains("largest stable step")
def rows(quick: bool = False) -> list[Row]:
    """The largest stable step of each scheme in the book's unit of time, and its ratio to explicit Euler's."""
    model = BodyModel(Species.load("thesis").body)
    beats, exact = (1.0, 1.5) if quick else (10.0, 1.03)
    with np.errstate(all="ignore"):
        steps = {name: largest_step(scheme, model, beats, exact) for name, scheme in SCHEMES.items()}
    found = []
    for name, step in steps.items():
        note = f"thesis, {beats:g} beats" + (", and more" if step == LARGEST else "")
        found.append(Row(f"largest stable step, {name}", step, "book time", note=note))
    explicit, reference, production = steps.values()
    found.append(Row("reference over explicit", reference / explicit, note="the book says 100 to 150"))
    found.append(Row("production over explicit", production / explicit, target=">= 100"))
    return found
