"""Fishes' fear of foes, and their curiosity about presences and attraction to them.

Yu and Terzopoulos (1999, §9.1) wish that prey took a submarine for a large predator, and gathered or fled by how near
it is, and that pacifists were intrigued by it. A presence that is a predator is feared as one is, with the same
numbers; of several foes the worst is fled from. A lure is food that is seen and never eaten.
"""

from __future__ import annotations

import numpy as np

from ..base.state import Stateful, state
from ..base.sums import total
from ..base.vectors import norm, unit
from ..perception.focuser import Focus
from ..perception.presences import NOBODY, Glimpse, Presences
from ..perception.recollection import Recollection
from ..perception.sightings import Sighting, Sightings
from ..perception.swimmers import NO_FISH, Swimmers
from ..perception.tuning import LOOMING_SPEED, STARTLE_LENGTHS
from .intention import PACIFIST, PREY
from .mental_state import fear
from .mobbing import Mobbing
from .relations import Relations
from .routines.moves import Moves
from .tuning import (
    CURIOUS_LENGTHS,
    CURIOUS_SECONDS,
    LURED_PACE,
    LURED_SLOWING_LENGTHS,
    SATED_SECONDS,
    START_SHOWN_SECONDS,
    WARY_SECONDS,
)

FEARED, INTERESTING, LURING = ("predator",), ("predator", "pacifist"), ("lure",)
"""The presences that prey fears, that pacifists are curious about, and that draw hungry fishes."""


class Wariness(Stateful):
    """Flights' effect on appetites, also where there are no presences.

    Attributes:
        wary: Share of its appetite that a flight has taken from each, (fish,).
    """

    wary: np.ndarray = state("f8", "fish", low=0, high=1)

    def __init__(self, fishes: int):
        """Begins with nobody wary."""
        self._fill(fish=fishes)


class Dread(Stateful):
    """Reactions of fishes to foes and presences.

    Attributes:
        presences: The presences.
        foe: Row of the presence that each flees from, NOBODY without, (fish,).
        lure: Metres to the nearest lure that each sees, infinite without, (fish,).
        known: Familiarity of each with the object of its curiosity, 0 to 1, (fish,).
        wariness: Loss of appetite after flights.
    """

    foe: np.ndarray = state("i8", "fish", begin=NOBODY)
    lure: np.ndarray = state("f8", "fish", unit="m", unset=np.inf)
    known: np.ndarray = state("f8", "fish", low=0, high=1)
    _bait: np.ndarray = state("f8", "fish", 3, unit="m")
    _pull: np.ndarray = state("f8", "fish", 3)

    def __init__(
        self,
        presences: Presences,
        sightings: Sightings,
        focus: Focus,
        dangers: Recollection,
        mobbing: Mobbing,
        types: np.ndarray,
        drives: np.ndarray,
        length: np.ndarray,
        relations: Relations | None = None,
    ):
        """Begins with nobody in sight.

        Args:
            presences: The presences.
            sightings: Sightings of predators.
            focus: Focus, which holds the object of each fish's fear.
            dangers: Places where each last saw its foe.
            mobbing: Predators that each mobs.
            types: Rows of ENABLED, (fish,).
            drives: (fish,) with the fields D0, f0, f1, looming, composure and book_metres.
            length: Metres, (fish,).
            relations: Relations of fishes to others in particular; None where there are none.
        """
        self._relations = relations
        self.presences, self._sightings, self._focus, self._dangers = presences, sightings, focus, dangers
        self._mobbing, self._types, self._drives, self._length = mobbing, types, drives, length
        self._feared, self._interesting, self._luring = (
            np.isin(presences.kinds.astype(str), kinds) for kinds in (FEARED, INTERESTING, LURING)
        )
        fishes = len(length)
        self._fill(fish=fishes)
        self.wariness = Wariness(fishes)

    @property
    def wary(self) -> np.ndarray:
        """Share of its appetite that a flight has taken from each, (fish,)."""
        return self.wariness.wary

    def look_for_predators(self, fishes: np.ndarray, swimmers: Swimmers, elapsed: np.ndarray) -> None:
        """Sets fear, whom each fears most, and what it remembers of it (Tu 1999, §7.4).

        Args:
            fishes: Rows of those that take thought and are no predators, (n,).
            swimmers: All fishes, with velocities through the water.
            elapsed: Seconds since each last took thought, (n,).
        """
        of, focus = self._drives[fishes], self._focus
        sighting = self._sightings.of_predators(fishes, swimmers, of["looming"])
        if self._mobbing.anybody:
            mobbed = sighting if self._relations is None else self._relations.unmet(fishes, sighting)
            self._mobbing.notice(fishes, mobbed, swimmers, elapsed)
        each, focus.fear[fishes] = fear(sighting.distance / of["book_metres"][:, None], sighting.known, of["D0"])
        if self._relations is not None:
            sighting, each, focus.fear[fishes] = self._relations.weigh(fishes, sighting, each, swimmers)
        worst = np.arange(len(fishes)), each.argmax(axis=1)
        most_feared, most, witness = sighting.fish[worst], each[worst], sighting.seen[worst]
        place = swimmers.middle[most_feared]
        if len(self.presences):
            most, place = self._look_for_presences(fishes, swimmers, most, place, elapsed)
            most_feared = np.where(self.foe[fishes] == NOBODY, most_feared, NO_FISH)
        focus.most_fear[fishes] = most
        focus.target[fishes] = np.where(most > 0, most_feared, NO_FISH)
        alarmed = most > of["f0"]
        self._sightings.alarmed_by[fishes] = np.where(witness & alarmed, most_feared, NO_FISH)
        self._dangers.look(fishes, most > 0, alarmed, place, elapsed)

    def look_for_feared(self, hunters: np.ndarray, swimmers: Swimmers) -> None:
        """Sets the fear of predators, (n,), which fear none but those that they fear in particular."""
        assert self._relations is not None
        nobody = np.zeros((len(hunters), 1), dtype=bool)
        none = Sighting(hunters[:, None], nobody, np.full((len(hunters), 1), np.inf), nobody)
        _, each, self._focus.fear[hunters] = self._relations.weigh(hunters, none, np.zeros(nobody.shape), swimmers)
        self._focus.most_fear[hunters] = each.max(axis=1)

    def _look_for_presences(
        self, fishes: np.ndarray, swimmers: Swimmers, most: np.ndarray, place: np.ndarray, elapsed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The fear that each has most, (n,), and where that comes from, (n, 3), with presences beside predators."""
        of, prey = self._drives[fishes], self._types[fishes] == PREY
        glimpse = self.presences.look(fishes, swimmers)
        seen = np.isfinite(glimpse.distance) & self._feared & prey[:, None]
        seeming = self.presences.seeming(glimpse, fishes, of["looming"])
        each, _ = fear(seeming / of["book_metres"][:, None], seen, of["D0"])
        worst = np.arange(len(fishes)), each.argmax(axis=1)
        stronger = each[worst] > most
        self._focus.fear[fishes] = np.minimum(self._focus.fear[fishes] + total(each, axis=1), 1.0)
        self.foe[fishes] = np.where(stronger, worst[1], NOBODY)
        self._be_curious(fishes, glimpse, swimmers, elapsed)
        self._notice_lures(fishes, glimpse)
        return np.where(stronger, each[worst], most), np.where(stronger[:, None], glimpse.place[worst], place)

    def calm_down(self, fishes: np.ndarray, flee: np.ndarray, elapsed: np.ndarray) -> None:
        """Takes the appetite of fleeing fishes with composure, and gives it back bit by bit.

        Args:
            fishes: Rows of those that take thought, (n,).
            flee: Whether each of them flees, (n,) bool.
            elapsed: Seconds since each last took thought, (n,).
        """
        left = np.maximum(self.wary[fishes] - elapsed / WARY_SECONDS, 0.0)
        self.wary[fishes] = np.where(flee & (self._drives["composure"][fishes] > 0.0), 1.0, left)

    def shown(self, fright: np.ndarray, flees: np.ndarray, since: np.ndarray) -> np.ndarray:
        """The fright that mates see in each: its own, 0 to 1, and in flight also its fear of a foe, (fish,).

        A start is all or nothing: a fish that flees in terror of a foe, or begins to flee from anything, frightens its
        mates as much as possible, however far the foe is and however it came to know. If it gave no more than its own
        fear, which is just enough as a flight begins, no mate would flee with it, and no wave would cross a school.

        Args:
            fright: Fright from unseen causes, (fish,).
            flees: Whether each flees, (fish,) bool.
            since: Seconds since each took up what it does, (fish,).
        """
        most = self._focus.most_fear
        start = np.where((most >= self._drives["f1"]) | (since < START_SHOWN_SECONDS), 1.0, most)
        return np.maximum(fright, np.where(flees, start, 0.0))

    def look_for_lures(self, fishes: np.ndarray, swimmers: Swimmers) -> None:
        """Sets the lures that predators, (n,), see among presences."""
        self._notice_lures(fishes, self.presences.look(fishes, swimmers))

    def _notice_lures(self, fishes: np.ndarray, glimpse: Glimpse) -> None:
        self.lure[fishes], self._bait[fishes] = glimpse.nearest(self._luring)
        self.lure[fishes[self._types[fishes] == PACIFIST]] = np.inf

    def _be_curious(self, fishes: np.ndarray, glimpse: Glimpse, swimmers: Swimmers, elapsed: np.ndarray) -> None:
        """Sets where pacifists would go for a look, until they know it: near it, and not where it comes on fast."""
        distance, place = glimpse.nearest(self._interesting)
        length, seen = self._length[fishes], np.isfinite(distance) & (self._types[fishes] == PACIFIST)
        keep = CURIOUS_LENGTHS * length
        looks = seen & (distance < 2.0 * keep)
        learns = np.where(looks, 1.0 / CURIOUS_SECONDS, -1.0 / SATED_SECONDS)
        self.known[fishes] = np.clip(self.known[fishes] + elapsed * learns, 0.0, 1.0)
        fast = np.where(np.isfinite(glimpse.distance) & self._interesting, glimpse.speed, 0.0).max(axis=1, initial=0.0)
        calm = np.maximum(1.0 - fast / (2.0 * LOOMING_SPEED * length), 0.0)
        nearer = np.clip((np.where(seen, distance, keep) - keep) / keep, -1.0, 1.0)
        pull = np.where(nearer > 0.0, (1.0 - self.known[fishes]) * calm, 1.0) * nearer
        self._pull[fishes] = np.where(seen, pull, 0.0)[:, None] * unit(place - swimmers.nose[fishes])

    def pull(self, fishes: np.ndarray) -> np.ndarray:
        """The pull of curiosity on these fishes, (n,), of length 1 at most, (n, 3)."""
        return self._pull[fishes]

    def alarms(self, alarming: np.ndarray, noses: np.ndarray) -> np.ndarray:
        """Fishes that a feared presence may alarm, and those to which it is close, (2, fish) bool.

        Args:
            alarming: Distance at which a presence alarms each in metres, (fish,).
            noses: Noses of all fishes in metres, (fish, 3).
        """
        startling = STARTLE_LENGTHS * self._length
        gap = self.presences.gap_of_all(FEARED, noses, np.maximum(alarming, startling))
        return (self._types == PREY) & np.stack((gap < alarming, gap < startling))

    def lured(self, fishes: np.ndarray) -> np.ndarray:
        """Mask of those of these, (n,), that see a lure, (n,) bool."""
        return np.isfinite(self.lure[fishes])

    def approach(self, fishes: np.ndarray, swimmers: Swimmers) -> Moves:
        """Going to the lure, and slowing down before it, for the fishes of these rows, (n,)."""
        way = self._bait[fishes] - swimmers.nose[fishes]
        slowing = np.minimum(norm(way) / (LURED_SLOWING_LENGTHS * self._length[fishes]), 1.0)
        none = np.zeros(len(fishes))
        return Moves(unit(way), LURED_PACE * slowing, none.astype(bool), none)
