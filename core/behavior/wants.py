"""What each fish sees of friend and foe, what it wants, and what it is about: perception, mental state, intention.

Predators see prey, choose the one that costs least to reach and go for it; whoever is no predator sees predators,
fears them and flees, and goes for plankton that it smells. Nobody courts yet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from ..body.anatomy import NOSE
from ..dice import Dice
from ..habitat.obstacles import Obstacles
from ..habitat.plankton import PlanktonCloud
from ..perception.focuser import persist, prey_cost
from ..perception.vision import Vision
from ..state import Stateful
from ..vectors import dot, norm, unit
from .character import Characters
from .intention import EAT, ESCAPE, PREDATOR, SCHOOL, IntentionGenerator
from .mental_state import MentalState, fear
from .routines import escape as flight
from .routines.chase import chase, sigma_for

FEARED, WEIGHED = 4, 12  # how many predators, and how many prey, a fish looks at: the nearest
NOBODY = -1
SHYNESS = 0.3  # how much who flees or grazes still keeps out of others' way; who hunts does not
CHASE = 0.9  # least pace of a chase
STEADY = 0.05  # rad; plankton is steered for as closely as that
AWRY = 0.4  # rad; plankton farther off the nose than this
SMELLED, TURN_COST = 24, 4.0  # particles that are weighed, and what a half turn adds to their distance, of itself
CIRCLE, RUN_UP = 1.0, 2.2  # and nearer than so many lengths is left until it is so far away


@dataclass
class Urge:
    """What some fishes, n of them, would do for their intention.

    Attributes:
        wish: Unit vector where each would go, (n, 3); nothing where its intention has no place to go to. Where it
            schools for fear, away from what it fears.
        pace: Share of full speed, (n,).
        pressing: Whether this wins over whim and company, (n,) bool.
        intention: What they are about, (n,) int8.
        shyness: How much each then still keeps out of others' way, (n,).
    """

    wish: np.ndarray
    pace: np.ndarray
    pressing: np.ndarray
    intention: np.ndarray
    shyness: np.ndarray


@dataclass
class Bodies:
    """What there is of all fishes to be seen.

    Attributes:
        nodes: Metres, (fish, 23, 3).
        frames: Columns ahead, left and up, (fish, 3, 3).
        velocity: Through the water in m/s, (fish, 3).
    """

    nodes: np.ndarray
    frames: np.ndarray
    velocity: np.ndarray


class Wants(Stateful):
    """Perception, mental state and intention of all fishes.

    Attributes:
        feelings: Hunger, libido and fear.
        generator: Whose intentions they hold.
        target: Row of the fish that each is after or flees from, NOBODY without, (fish,).
        alive: Which fishes are, (fish,) bool.
        hunters: Rows of the predators.
        food: Row of the plankton that each is after, NOBODY without, (fish,).
    """

    _STATE = "target", "food", "alive", "_passing", "_food", "_fear", "_worst"

    def __init__(self, characters: Characters, obstacles: Obstacles, length: np.ndarray, dice: Dice):
        """Begins with nobody in sight.

        Args:
            characters: Of all fishes.
            obstacles: What hides them from each other.
            length: Metres, (fish,).
            dice: A stream for each fish.
        """
        drives, fishes = characters.drives, len(length)
        self.feelings = MentalState(drives, drives["hunger"], drives["libido"])
        self.generator = IntentionGenerator(characters.types, drives, characters.schooling)
        self.target = np.full(fishes, NOBODY)
        self.alive = np.ones(fishes, dtype=bool)
        self._is_hunter = characters.types == PREDATOR
        self.hunters = np.flatnonzero(self._is_hunter)
        self._hunted = np.flatnonzero(~self._is_hunter)
        self._drives, self._length, self._dice = drives, length, dice
        self.food = np.full(fishes, NOBODY)
        self._passing = np.zeros(fishes, dtype=bool)  # who swims away from plankton that it could not turn to
        self._plankton: PlanktonCloud | None = None
        self._vision = Vision(obstacles, drives["sight"] * length, length)
        self._food, self._fear, self._worst = np.full(fishes, np.inf), np.zeros(fishes), np.zeros(fishes)

    def offer(self, plankton: PlanktonCloud) -> None:
        """Lets fishes know of plankton."""
        self._plankton = plankton if len(plankton) else None

    def prey(self) -> np.ndarray:
        """Rows of whoever lives and is no predator, (n,)."""
        return self._hunted[self.alive[self._hunted]]

    def eaters(self) -> np.ndarray:
        """Rows of those that are about to eat and have something to, (n,)."""
        has_food = np.where(self._is_hunter, self.target, self.food) != NOBODY
        return np.flatnonzero(self.alive & has_food & (self.generator.intention == EAT))

    def hunts(self, fishes: np.ndarray) -> np.ndarray:
        """Which of these eat fishes and not plankton, (n,) bool."""
        return self._is_hunter[fishes]

    def food_nodes(self, fishes: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """Places of what these eaters are after, (n, 23, 3): the nodes of prey, a particle as often."""
        found = nodes[np.where(self._is_hunter[fishes], self.target[fishes], 0)]
        grazers = np.flatnonzero(~self._is_hunter[fishes])
        if self._plankton is not None and len(grazers):
            found[grazers] = self._plankton.place[self.food[fishes[grazers]]][:, None]
        return found

    def decide(self, fishes: np.ndarray, bodies: Bodies, danger: np.ndarray, elapsed: np.ndarray) -> Urge:
        """Looks around, feels, and settles what these fishes are about.

        Args:
            fishes: Rows of those that take thought, (n,).
            bodies: Of all fishes.
            danger: Whether a collision is near, (n,) bool.
            elapsed: Seconds since each last took thought, (n,).
        """
        self._look(fishes, bodies.nodes, bodies.frames[:, :, 0])
        self.feelings.feel(self._food, np.inf, self._fear)
        hunts, number = self._is_hunter[fishes], len(fishes)
        intention, _ = self.generator.decide(
            fishes,
            danger,
            fear_total=self._fear[fishes],
            fear_most=self._worst[fishes],
            hunger=np.where(hunts | (self._plankton is not None), self.feelings.hunger[fishes], 0.0),
            libido=np.zeros(number),
            content=np.ones(number, dtype=bool),
            elapsed=elapsed,
            chance=self._dice.uniform(fishes),
        )
        never, shyness = np.zeros(number, dtype=bool), np.where(hunts, 0.0, SHYNESS)
        urge = Urge(np.zeros((number, 3)), np.zeros(number), never, intention, shyness)
        has_target, has_food = self.target[fishes] != NOBODY, self.food[fishes] != NOBODY
        for who, routine in (
            ((intention == EAT) & hunts & has_target, self._hunt),
            ((intention == EAT) & ~hunts & has_food, self._graze),
            ((intention == ESCAPE) & has_target, self._flee),
        ):
            rows = np.flatnonzero(who)
            urge.wish[rows], urge.pace[rows] = routine(fishes[rows], bodies)
            urge.pressing[rows] = True
        wary = np.flatnonzero((intention == SCHOOL) & has_target & (self._fear[fishes] > self._drives["f0"][fishes]))
        foes = self.target[fishes[wary]]
        urge.wish[wary] = unit(bodies.nodes[fishes[wary], NOSE] - bodies.nodes[foes].mean(axis=1))
        return urge

    def fed(self, fishes: np.ndarray) -> None:
        """Notes a meal of each of these, (n,); success does not tire."""
        self.feelings.fed(fishes, 1.0)
        self.generator.toil[fishes, 0] = 0.0

    def die(self, fishes: np.ndarray) -> None:
        """Takes these fishes out of everybody's mind, (n,)."""
        self.alive[fishes] = False
        self.target[np.isin(self.target, fishes)] = NOBODY

    def _look(self, fishes: np.ndarray, nodes: np.ndarray, ahead: np.ndarray) -> None:
        """Sees predators or prey, whichever concerns each, and smells plankton; sets fear, food and target."""
        self._smell(fishes[~self._is_hunter[fishes]], nodes, ahead)
        if not len(self.hunters):
            return
        eye, middle = nodes[:, NOSE], nodes.mean(axis=1)
        wary = fishes[~self._is_hunter[fishes]]
        hunters = fishes[self._is_hunter[fishes]]
        near = self._nearest(wary, self.hunters, middle, FEARED)
        seen, distance = self._vision.look(wary, near, eye, ahead, nodes, self.alive)
        of = self._drives[wary]
        each, self._fear[wary] = fear(distance / of["book_metres"][:, None], seen, of["D0"])
        worst = each.argmax(axis=1)[:, None]
        self._worst[wary] = np.take_along_axis(each, worst, axis=1)[:, 0]
        most_feared = np.take_along_axis(near, worst, axis=1)[:, 0]
        self.target[wary] = np.where(self._worst[wary] > 0, most_feared, NOBODY)

        near = self._nearest(hunters, self._hunted, middle, WEIGHED)
        seen, distance = self._vision.look(hunters, near, eye, ahead, nodes, self.alive)
        self._food[hunters] = distance.min(axis=1, initial=np.inf)
        self._choose(hunters, near, distance, middle, eye, ahead)

    def _smell(self, fishes: np.ndarray, nodes: np.ndarray, ahead: np.ndarray) -> None:
        """The plankton that is soonest reached, unless a fish is devoted to what it is after (§6.3.3, §7.7.3).

        What lies aside costs a turn, as with prey, and what lies within the turning circle cannot be had now.
        """
        if self._plankton is None or not len(fishes):
            return
        there = np.flatnonzero(self._plankton.alive)
        length, nose, old = self._length[fishes], nodes[fishes, NOSE], self.food[fishes]
        self.food[fishes], self._food[fishes] = NOBODY, np.inf
        if not len(there):
            return
        ranks = np.arange(1, min(SMELLED, len(there)) + 1)
        near = there[cKDTree(self._plankton.place[there]).query(nose, k=ranks)[1]]
        kept = (old != NOBODY) & self._plankton.alive[old]
        near = np.concatenate([np.where(kept, old, near[:, 0])[:, None], near], axis=1)  # the old one first
        offset = self._plankton.place[near] - nose[:, None]
        distance = norm(offset)
        off = _angle(unit(offset), ahead[fishes][:, None])
        beyond = distance > (self._drives["smell"][fishes] * length)[:, None]
        missed = (off > AWRY) & (distance < CIRCLE * length[:, None])
        cost = distance * (1.0 + TURN_COST * off / np.pi) + RUN_UP * length[:, None] * missed
        cost = np.where(beyond, np.inf, cost)
        best = cost.argmin(axis=1)
        rows = np.arange(len(fishes))
        devotion = self._drives["persistence"][fishes] * length
        loyal = kept & persist(cost[:, 0], cost[rows, best], devotion) & np.isfinite(cost[:, 0])
        found = np.where(loyal, near[:, 0], near[rows, best])
        self.food[fishes] = np.where(loyal | np.isfinite(cost[rows, best]), found, NOBODY)
        self._food[fishes] = np.where(beyond, np.inf, distance).min(axis=1)

    def _choose(
        self,
        hunters: np.ndarray,
        near: np.ndarray,
        distance: np.ndarray,
        middle: np.ndarray,
        eye: np.ndarray,
        ahead: np.ndarray,
    ) -> None:
        """The prey that costs each predator least, unless it is devoted to the one it has (Tu 1999, §7.7.3, §7.9.1)."""
        way = unit((middle[near] - eye[hunters][:, None]) * (1.0, 1.0, 0.0))
        off = _angle(way, unit(ahead[hunters] * (1.0, 1.0, 0.0))[:, None])
        visible = np.where(np.isfinite(distance), distance, 1e9)
        cost = prey_cost(visible, self.generator.intention[near] == SCHOOL, off)
        best = cost.argmin(axis=1)[:, None]
        new, far = (np.take_along_axis(of, best, axis=1)[:, 0] for of in (near, distance))
        old = self.target[hunters]
        still = np.where(near == old[:, None], distance, np.inf).min(axis=1)
        loyal = persist(still, far, self._drives["persistence"][hunters] * self._length[hunters]) & np.isfinite(still)
        self.target[hunters] = np.where(loyal, old, np.where(np.isfinite(far), new, NOBODY))

    def _nearest(self, fishes: np.ndarray, among: np.ndarray, middle: np.ndarray, most: int) -> np.ndarray:
        """The nearest of some fishes that live, (n, k); at least one column, its own row for nobody."""
        among = among[self.alive[among]]
        if not len(among) or not len(fishes):
            return fishes[:, None]
        ranks = np.arange(1, min(most, len(among)) + 1)
        return among[cKDTree(middle[among]).query(middle[fishes], k=ranks)[1]]

    def _hunt(self, me: np.ndarray, bodies: Bodies) -> tuple[np.ndarray, np.ndarray]:
        """Wish and pace of going for the target, cutting it off (Tu 1999, §7.8.2)."""
        prey, nodes, velocity = self.target[me], bodies.nodes, bodies.velocity
        offset = nodes[prey].mean(axis=1) - nodes[me, NOSE]
        length, ahead = self._length[me], bodies.frames[me, :, 0]
        sigma = sigma_for(EAT, norm(offset), length)
        pursuit = chase(offset, velocity[prey], ahead, dot(velocity[me], ahead), length, sigma, True)
        # Prey that flees is not caught by slowing down.
        return pursuit.wish, np.maximum(pursuit.pace, CHASE)

    def _graze(self, me: np.ndarray, bodies: Bodies) -> tuple[np.ndarray, np.ndarray]:
        """Wish and pace of going for plankton; what lies within its turning circle a fish swims away from first."""
        if self._plankton is None:
            return np.zeros((len(me), 3)), np.zeros(len(me))
        offset = self._plankton.place[self.food[me]] - bodies.nodes[me, NOSE]
        length, ahead, distance = self._length[me], bodies.frames[me, :, 0], norm(offset)
        speed, sigma = dot(bodies.velocity[me], ahead), np.full(len(me), STEADY)
        pursuit = chase(offset, np.zeros_like(offset), ahead, speed, length, sigma, False)
        aside = _angle(unit(offset), ahead) > AWRY
        self._passing[me] &= aside & (distance < RUN_UP * length)
        self._passing[me] |= aside & (distance < CIRCLE * length)
        passing = self._passing[me]
        wish = np.where(passing[:, None], unit(ahead * (1.0, 1.0, 0.2)), pursuit.wish)
        return wish, np.where(passing, 0.5, pursuit.pace * np.clip(distance / (RUN_UP * length), 0.4, 1.0))

    def _flee(self, me: np.ndarray, bodies: Bodies) -> tuple[np.ndarray, np.ndarray]:
        """Wish and pace of getting away from the most dangerous predator by the book's rules (Tu 1999, §7.9.2)."""
        foe, nodes, velocity, own = self.target[me], bodies.nodes, bodies.velocity, bodies.frames[me]
        offset = nodes[foe].mean(axis=1) - nodes[me].mean(axis=1)
        found = flight.escape(
            np.einsum("nij,ni->nj", own, offset),
            np.einsum("nij,ni->nj", own, bodies.frames[foe, :, 0]),
            -dot(velocity[foe] - velocity[me], unit(offset)),
            self._length[me],
            self._length[foe],
            self._dice.uniform(me),
        )
        return flight.wish(own[:, :, 0], own[:, :, 1], found.turn, offset), found.pace


def _angle(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Between unit vectors (..., 3), in radians, (...)."""
    return np.arccos(np.clip(dot(first, second), -1.0, 1.0))
