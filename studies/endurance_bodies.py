"""A hundred million steps of single bodies with wild commands: no unit is crushed or torn, all stays finite.

Half of the fishes of a tank get the wildest commands that a mind may give: beats, bursts and hard turns
that change at random times. The others have independent muscles, each of which relaxes or contracts
fully from one step to the next. All have fins, rowing faster than under any mind, and water that change likewise.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..core.body.anatomy import NODES, UNITS
from ..core.body.dynamics import BodyModel
from ..core.body.kernel import mover
from ..core.body.tuning import LONGEST_BOOK_STEP
from ..core.motor.muscles import Muscles
from ..core.motor.pectorals import PectoralForces
from ..core.scene.species import Species
from .finding import Finding, counted, each

STEP = 1.0 / 48.0  # seconds, that of a scene by default
TOTAL = 100_000_000  # steps of one fish each, of all species together
FISHES = 256  # of a tank
AT_ONCE = 3  # steps between two checks of the units
CRUSHED, TORN = 0.3, 3.0  # of a unit's length at rest
CHANGING = 0.08  # share of all commands that change at every check
WATER = 1.0  # lengths a second along each axis, from one step to the next
ROWING = 1.5  # over the fastest commanded rowing of a species' fins


def thrash(name: str, tank: int, steps: int) -> tuple[int, bool, float, float]:
    """Moves a tank of fishes of a species by wild commands.

    Args:
        name: Name of the species.
        tank: Seed of its generator.
        steps: Least number of fish-steps.

    Returns:
        Number of steps, whether all was finite, and the shortest and the longest of all units, over their lengths
        at rest.
    """
    dice = np.random.default_rng([tank, *name.encode()])
    species = Species.load(name)
    model, whole = BodyModel(species.body), STEP / species.time_scale
    dt = whole / np.ceil(whole / LONGEST_BOOK_STEP - 1e-9)
    fins = PectoralForces(species, model, FISHES, np.float32)
    muscles, body = Muscles(species, model, FISHES, dt), mover(model, FISHES, dt, fins)
    x, v = model.resting(FISHES), np.zeros((NODES, 3, FISHES))
    natural, first, last = model.natural[:, None], *UNITS.T
    speed = model.length * species.time_scale  # a length a second
    rowing = ROWING * max(species.pectoral.row, species.pectoral.turn) * speed
    beat = species.rhythm.tail_beat * species.time_scale
    most = max(species.rhythm.contraction, species.steering.contraction)
    own = np.repeat(natural[model.muscles], FISHES // 2, axis=1)
    rates, swing, water = np.zeros((2, FISHES)), np.zeros((3, FISHES)), np.zeros((3, FISHES))
    gamma, row = np.full((2, FISHES), np.pi / 2), np.zeros((2, FISHES))
    shortest, longest, done = 1.0, 1.0, 0
    while done < steps:
        _change(dice, rates, dice.uniform(0.0, 2.0 * beat, rates.shape))
        _change(dice, swing, dice.choice([0.0, 1.0, 1.0, dice.random()], swing.shape))
        swing[1:] *= dice.choice([1.0, 1.0, 1.0, 1.0, -1.0], swing[1:].shape)
        _change(dice, own, natural[model.muscles] * (1.0 - most * dice.choice([0.0, 1.0, dice.random()], own.shape)))
        _change(dice, gamma, dice.uniform(0.0, np.pi, gamma.shape))
        _change(dice, row, dice.uniform(-rowing, rowing, row.shape))
        _change(dice, water, dice.uniform(-WATER * speed, WATER * speed, water.shape))
        fins.hold(gamma, row)
        lengths = muscles.advance(rates.copy(), swing, AT_ONCE)
        lengths[:, :, : FISHES // 2] = own
        body.advance(x, v, lengths, water)
        done += AT_ONCE * FISHES
        spans = x[last] - x[first]
        squares = (spans[:, 0] * spans[:, 0] + spans[:, 1] * spans[:, 1] + spans[:, 2] * spans[:, 2]) / natural**2
        if not (np.isfinite(squares).all() and np.isfinite(v).all()):
            return done, False, shortest, longest
        shortest, longest = min(shortest, squares.min() ** 0.5), max(longest, squares.max() ** 0.5)
        x -= x.mean(axis=0)  # nobody swims away
    return done, True, float(shortest), float(longest)


def _change(dice: np.random.Generator, commands: np.ndarray, others: np.ndarray) -> None:
    """Replaces some commands at random, in place."""
    which = dice.random(commands.shape) < CHANGING
    commands[which] = others[which]


def findings(seeds: range = range(10)) -> Iterator[Finding]:
    """Number of tanks of each species that stay whole, in so many steps for all of them."""
    names = Species.names()
    steps = TOTAL // (10 * len(names))
    lives = each(thrash, names, seeds, [steps])
    for which, name in enumerate(names):
        of = lives[which * len(seeds) : (which + 1) * len(seeds)]
        shortest, longest = min(low for *_, low, _ in of), max(high for *_, high in of)
        whole = [finite and low >= CRUSHED and high <= TORN for _, finite, low, high in of]
        done = sum(steps for steps, *_ in of)
        note = f"units {shortest:.2f} to {longest:.2f} of their length at rest, {done:,} steps of one fish"
        yield counted(f"wild commands leave {name.replace('_', ' ')} whole", whole, 1.0, note)
