"""Prospects: the prey and the mates that fishes see and choose among (Tu 1999, §6.3, §7.9.1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..base.vectors import norm
from ..perception.focuser import Focus
from ..perception.retina.sight import bait_in_sight
from ..perception.sightings import Sightings
from ..perception.smell import Morsels
from ..perception.swimmers import NO_FISH, Swimmers
from .character import Cast
from .intention import ESCAPE, MATE, IntentionGenerator
from .relations import Relations
from .routines.courtship import Courtship, courtable
from .routines.hunt import Hunting
from .waters import Waters


class Prospects:
    """The looks of fishes for prey and for mates.

    Attributes:
        courts: Mask of the fishes that may ever court, (fish,) bool.
    """

    def __init__(
        self,
        cast: Cast,
        waters: Waters,
        sightings: Sightings,
        focus: Focus,
        generator: IntentionGenerator,
        hunting: Hunting,
        courtship: Courtship,
        relations: Relations | None,
        morsels: Morsels,
        males: np.ndarray,
    ):
        """Takes over what they look by.

        Args:
            cast: The fishes.
            waters: The fishes' surroundings.
            sightings: Sightings of fishes by each other.
            focus: The target on which each is focused.
            generator: Their intentions.
            hunting: The routine of predators for prey.
            courtship: Couples.
            relations: Relations of fishes to others in particular; None where there are none.
            morsels: All that may be picked, bait among it.
            males: Mask of the males, (fish,) bool.
        """
        self._waters, self._sightings, self._focus, self._generator = waters, sightings, focus, generator
        self._hunting, self._courtship, self._relations, self._morsels = hunting, courtship, relations, morsels
        self._retinas, characters = cast.retinas, cast.characters
        able, foreigners = cast.enabled[characters.types, MATE], characters.drives["foreigners"] > 0
        self._courtable = courtable(able, males, cast.species, foreigners)
        self.courts = np.isin(np.arange(len(cast.length)), [row for mine, _ in self._courtable for row in mine])
        if cast.adult is not None:  # the others may in time
            self._courtable = courtable(able & cast.adult, males, cast.species, foreigners)

    def look_for_prey(self, hunters: np.ndarray, swimmers: Swimmers, elapsed: np.ndarray) -> None:
        """Sets the prey of these predators, (n,), that last looked so many seconds ago, (n,)."""
        seen, in_schools = self._sightings.of_prey(hunters, swimmers), self._generator.in_schools()
        if len(self._waters.hosts.tenants):
            hidden = self._waters.hosts.within(swimmers.middle)
            seen = replace(seen, distance=np.where(hidden[seen.fish], np.inf, seen.distance))
        if len(self._waters.dens.tenants):
            high = self._waters.dens.out_of_reach(hunters, swimmers.middle[seen.fish])
            seen = replace(seen, distance=np.where(high, np.inf, seen.distance))
        if self._relations is not None:
            seen = replace(seen, distance=seen.distance * self._relations.spares(hunters, seen.fish))
            fled = hunters[self._generator.intention[hunters] == ESCAPE]
            self._focus.target[fled] = NO_FISH
        self._hunting.choose(hunters, seen, swimmers, in_schools, elapsed)
        hook = self._waters.hook
        if hook is not None:
            sees = bait_in_sight(self._retinas, hunters)
            self._hunting.tempt(hunters, hook, self._morsels.bait_row, swimmers.nose, sees)

    def look_for_mates(self, fishes: np.ndarray, swimmers: Swimmers, elapsed: np.ndarray) -> None:
        """Has these, (n,), see those of the other sex, and choose among them if they mean to mate."""
        for mine, others in self._courtable:
            now = np.isin(fishes, mine, assume_unique=True)
            me = fishes[now]
            if not len(me):
                continue
            sighting = self._sightings.of_mates(me, others, self._courtship.partner[me], swimmers)
            suits = self._courtship.suits(me, sighting.fish)
            self._focus.mate_distance[me] = np.where(suits, sighting.distance, np.inf).min(axis=1)
            mates = self._generator.intention[me] == MATE
            gap = norm(swimmers.middle[sighting.fish] - swimmers.nose[me][:, None])
            near, seen = sighting.fish[mates], sighting.seen[mates]
            self._courtship.choose(me[mates], near, gap[mates], seen, self._generator.intention, elapsed[now][mates])
