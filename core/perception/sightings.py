"""Sightings of fishes by fishes: predators to fear, prey to hunt, and possible mates (Tu 1999, §6.3 and §6.4.5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.nearest import nearest
from ..base.state import Stateful, state
from ..base.vectors import norm
from ..compiled import changes, compiled, reads, takes, writes
from .alarm import EARS_A_THREAD, frights_of_mates, known_to_mates
from .retina.sight import RetinalSight
from .swimmers import NO_FISH, Swimmers
from .tuning import ADMIRED_MATES, FEARED_PREDATORS, LOOMING_SPEED, STARTLE_LENGTHS, WEIGHED_PREY
from .vision import Vision

FEW_PREDATORS = 64
"""Predators up to which each is compared with all that may fear it; of more, a tree finds the nearest."""

STARTLE = compiled(
    "startle",
    over="n",
    least=EARS_A_THREAD,
    rows=reads("i8", "n"),
    foes=takes("i8", "choices", "many"),
    middles=takes("f8", "fishes", 3),
    noses=takes("f8", "fishes", 3),
    alarming=takes("f8", "fishes"),
    startling=takes("f8", "fishes"),
    nearest=writes("i8", "n", 1),
    alarms=changes("?", 3, "fishes"),
)


@dataclass(frozen=True)
class Sighting:
    """Knowledge that n fishes have of k others each.

    Attributes:
        fish: Rows of the others, nearest first; its own row stands for nobody, (n, k).
        known: True where it sees the other, or knows of it by its mates, (n, k) bool.
        distance: Metres from its eye to the other's middle, infinite where it does not know of it, (n, k).
        seen: True where it sees the other itself, (n, k) bool.
    """

    fish: np.ndarray
    known: np.ndarray
    distance: np.ndarray
    seen: np.ndarray


class Sightings(Stateful):
    """The eyes of all fishes, and the fishes that they look for.

    Attributes:
        vision: The sight of all fishes.
        predators: Rows of those that are feared, (p,).
        prey: Rows of those that are hunted, (q,).
        menace: Distance from which each is feared, over that of a predator that hunts in the open, (fish,).
        alarmed_by: Row of the predator that each sees itself and is alarmed by, NO_FISH if none, (fish,).
    """

    alarmed_by: np.ndarray = state("i8", "fish", low=-1, high="fish", begin=NO_FISH, key="_sighted")

    def __init__(
        self,
        vision: Vision,
        alive: np.ndarray,
        predators: np.ndarray,
        prey: np.ndarray,
        school: np.ndarray,
        alarm_reach: np.ndarray,
        retinas: RetinalSight | None = None,
        menace: np.ndarray | float = 1.0,
    ):
        """Begins with nobody in sight.

        Args:
            vision: The sight of all fishes.
            alive: Mask of the fishes that are alive, (fish,) bool; read again each time.
            predators: Mask of the predators, (fish,) bool.
            prey: Mask of the prey, (fish,) bool.
            school: Number of those whose alarm each goes by, NO_FISH where it goes by none, (fish,).
            alarm_reach: Distance within which they have to be in metres, (fish,).
            retinas: The eyes of those that see with images; None where none do.
            menace: Distance from which each is feared, over that of a predator that hunts in the open, (fish,).
        """
        self.menace = menace * np.ones(len(alive))
        self.vision, self._alive, self._retinas = vision, alive, retinas
        self.predators, self.prey = np.flatnonzero(predators), np.flatnonzero(prey)
        self._school, self._alarm_reach = school, alarm_reach
        self._fearful = np.flatnonzero(~predators)
        self._fill(fish=len(alive))

    def of_predators(self, fishes: np.ndarray, swimmers: Swimmers, looming: np.ndarray) -> Sighting:
        """The predators that these fishes, (n,), see, or know of by schoolmates that see them.

        A predator that creeps up seems farther off than one that comes on: prey goes by how fast it looms (Dill 1974).
        One of little menace seems farther off too.

        Args:
            fishes: Their rows, (n,).
            swimmers: All fishes, with velocities through the water.
            looming: Share by which each fears one less that hardly moves, 0 to 1, (n,).
        """
        near = self.near(fishes, self.predators, FEARED_PREDATORS, swimmers)
        seen, distance = self.look(fishes, near, swimmers)
        heard = self._heard(fishes, near, swimmers)
        away = norm(swimmers.middle[near] - swimmers.nose[fishes][:, None])
        seeming = self.looms(near, looming, swimmers) * self.menace[near]
        return Sighting(near, seen | heard, np.where(heard & ~seen, away, distance) / np.maximum(seeming, 1e-9), seen)

    def looms(self, near: np.ndarray, looming: np.ndarray, swimmers: Swimmers) -> np.ndarray:
        """The share to which others, (n, k), are feared for the speed they swim at, 1 for those that come on, (n, k).

        Args:
            near: Their rows, (n, k).
            looming: Share by which each fears one less that hardly moves, 0 to 1, (n,).
            swimmers: All fishes, with velocities through the water.
        """
        fast = norm(swimmers.velocity[near]) / (LOOMING_SPEED * self.vision.length[near])
        return 1.0 - looming[:, None] * np.maximum(1.0 - fast, 0.0)

    def alarms(self, alarming: np.ndarray, swimmers: Swimmers) -> np.ndarray:
        """Masks of fishes that the nearest predator may alarm, to which it is close, and whose mates are in alarm.

        Whether they see it is left to the thought that this gives rise to.

        Args:
            alarming: Distance at which a predator alarms each in metres, (fish,).
            swimmers: All fishes.

        Returns:
            (3, fish) bool.
        """
        alarms = np.zeros((3, len(alarming)), dtype=bool)
        if not self._alive[self.predators].any():
            return alarms
        foe, hunting = np.empty((len(self._fearful), 1), dtype=np.int64), self.predators[self._alive[self.predators]]
        few, startling = len(hunting) <= FEW_PREDATORS, STARTLE_LENGTHS * self.vision.length
        STARTLE(
            rows=self._fearful,
            foes=hunting[None] if few else self.nearest(self._fearful, hunting, swimmers.middle, 1),
            middles=swimmers.middle,
            noses=swimmers.nose,
            alarming=alarming,
            startling=startling,
            nearest=foe,
            alarms=alarms,
        )
        if self._retinas is not None:
            mine, rows = self._retinas.among(self._fearful)
            found, away = self._retinas.pick(rows, self._among(hunting), 1)
            me = self._fearful[mine]
            foe[mine], alarms[0, me] = found, away[:, 0] < alarming[me]
            alarms[1, me] = away[:, 0] < startling[me]
        alarms[2, self._fearful] = self._heard(self._fearful, foe, swimmers)[:, 0]
        return alarms

    def frights(self, fright: np.ndarray, swimmers: Swimmers) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Frightened fishes, schoolmates that frighten them, and the frights, (n,) each, by frights of all, (fish,)."""
        fright = np.where(self._alive, fright, 0.0)
        who, by, given = frights_of_mates(fright, self._school, self.vision.length, swimmers.middle, swimmers.ahead)
        if self._retinas is not None:
            mine, rows = self._retinas.among(who)
            sees = np.ones(len(who), dtype=bool)
            sees[mine] = np.isfinite(self._retinas.ranges(rows, by[mine][:, None])[:, 0])
            who, by, given = who[sees], by[sees], given[sees]
        return who, by, given

    def of_prey(self, fishes: np.ndarray, swimmers: Swimmers) -> Sighting:
        """The prey that these predators, (n,), see."""
        near = self.near(fishes, self.prey, WEIGHED_PREY, swimmers)
        seen, distance = self.look(fishes, near, swimmers)
        return Sighting(near, seen, distance, seen)

    def of_mates(self, fishes: np.ndarray, others: np.ndarray, chosen: np.ndarray, swimmers: Swimmers) -> Sighting:
        """Fishes of the other sex that these fishes see.

        Args:
            fishes: Rows of those that look, (n,).
            others: Rows of the other sex, (m,).
            chosen: Row of the one that each has chosen, which comes first, NO_FISH if none, (n,).
            swimmers: All fishes.
        """
        near = self.near(fishes, others, ADMIRED_MATES, swimmers)
        near = np.concatenate([np.where(chosen == NO_FISH, fishes, chosen)[:, None], near], axis=1)
        seen, distance = self.look(fishes, near, swimmers)
        return Sighting(near, seen, distance, seen)

    def forget(self, fishes: np.ndarray) -> None:
        """Takes these fishes, (n,), out of what others are alarmed by."""
        self.alarmed_by[np.isin(self.alarmed_by, fishes)] = NO_FISH
        self.alarmed_by[fishes] = NO_FISH

    def nearest(self, fishes: np.ndarray, among: np.ndarray, place: np.ndarray, most: int) -> np.ndarray:
        """The nearest living ones of some fishes: those that are worth a look (§6.4.5).

        Args:
            fishes: Rows of the fishes that look, (n,).
            among: Rows of those that they look for, (m,).
            place: Places of all fishes in metres, (fish, 3).
            most: Greatest number of them.

        Returns:
            Rows, nearest first, (n, k); at least one column, its own row for nobody.
        """
        among = among[self._alive[among]]
        if not len(among) or not len(fishes):
            return fishes[:, None]
        ranks = np.arange(1, min(most, len(among)) + 1)
        return among[nearest(place[fishes], place[among], ranks)]

    def near(self, fishes: np.ndarray, among: np.ndarray, most: int, swimmers: Swimmers) -> np.ndarray:
        """`nearest`, where those that see with images pick from the fishes that they see."""
        near = self.nearest(fishes, among, swimmers.middle, most)
        if self._retinas is not None:
            mine, rows = self._retinas.among(fishes)
            near = near.copy()
            near[mine] = self._retinas.pick(rows, self._among(among), near.shape[1])[0]
        return near

    def look(self, fishes: np.ndarray, near: np.ndarray, swimmers: Swimmers) -> tuple[np.ndarray, np.ndarray]:
        """Mask of those of others, (n, k), that fishes, (n,), see, and their distances in metres, (n, k) each."""
        seen, distance = self.vision.look(fishes, near, swimmers.nose, swimmers.ahead, swimmers.nodes, self._alive)
        if self._retinas is not None:
            mine, rows = self._retinas.among(fishes)
            distance[mine] = self._retinas.ranges(rows, near[mine])
            seen[mine] = np.isfinite(distance[mine])
        return seen, distance

    def _heard(self, fishes: np.ndarray, near: np.ndarray, swimmers: Swimmers) -> np.ndarray:
        """Mask of those of these fishes, (n, k), that mates in sight see with their own eyes, (n, k) bool."""
        heard = known_to_mates(
            fishes, near, self.alarmed_by, self._school, self._alarm_reach, swimmers.middle, swimmers.ahead
        )
        if self._retinas is not None:
            mine, rows = self._retinas.among(fishes)
            mates, me = self._retinas.fish[rows], fishes[mine]
            school, reach = self._school[me][:, None], self._alarm_reach[me][:, None]
            warns = (mates != NO_FISH) & self._alive[mates] & (self._school[mates] == school) & (school != NO_FISH)
            warns &= self._retinas.fish_range[rows] <= reach
            news = np.where(warns, self.alarmed_by[mates], NO_FISH)[:, None]
            heard[mine] = ((near[mine][:, :, None] == news) & (news != NO_FISH)).any(axis=2)
        return heard

    def _among(self, fishes: np.ndarray) -> np.ndarray:
        """Mask of the fishes that are among these, (m,), and live, (fish,) bool."""
        found = np.zeros(len(self._alive), dtype=bool)
        found[fishes] = True
        return found & self._alive
