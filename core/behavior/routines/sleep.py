"""Sleep: by night the fishes of the day rest in crevices, and by day those of the night (Hobson 1965; ours).

Every fish has a sleeping place of its own: the nearest to where it began, beside rock that meets the ground or other
rock, else the ground itself. The light tells it when to go there; in a scene without day and night nobody sleeps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.state import Stateful, state
from ...base.vectors import norm, unit
from ...geometry.bed import Bed
from ...habitat.ambient import Ambient
from ...habitat.ground import Ground
from ...habitat.growth import strewn
from ...habitat.obstacles import Obstacles
from ...habitat.tank import WaterBox
from ...scene.daylight import brightness_at, changes
from ...scene.water import Light
from .tuning import (
    BED_GAP_LENGTHS,
    BEDDED_LENGTHS,
    BEDS_A_SQUARE_METRE,
    CREVICE_METRES,
    LEAST_BED_ROOM,
    LEDGE_TILT,
    OFF_BED_LENGTHS,
    SLEEPING_BRIGHTNESS,
    WAKING_SHARE,
)

BED_DICE = 7 << 32  # purpose of its dice


class Sleep(Stateful):
    """The sleep of all fishes.

    Attributes:
        ambient: The light at the surface.
        asleep: Mask of the fishes whose time it is to sleep, (fish,) bool.
        bed: Sleeping place of each in metres, (fish, 3).
        anybody: True if anybody ever sleeps.
    """

    asleep: np.ndarray = state("?", "fish")

    def __init__(self, nocturnal: np.ndarray, ambient: Ambient, bed: np.ndarray, length: np.ndarray, luck: np.ndarray):
        """Begins with everybody awake.

        Args:
            nocturnal: When each is about, 0 by day, 1 by night, 0.5 at all hours, (fish,).
            ambient: The light at the surface.
            bed: Sleeping place of each in metres, (fish, 3).
            length: Metres, (fish,).
            luck: Random number from 0 to 1: some are up before others, (fish,).
        """
        self.ambient, self.bed, self._length = ambient, bed, length
        self._by_day, self._by_night = nocturnal < 0.5, nocturnal > 0.5
        low, high = SLEEPING_BRIGHTNESS
        self._dark = low + (high - low) * luck
        self.anybody = changes(ambient.light) and bool((self._by_day | self._by_night).any())
        self._fill(fish=len(length))

    def judge(self, fishes: np.ndarray) -> np.ndarray:
        """Mask of those of these, (n,), whose time it is to sleep, (n,) bool; they stay asleep, or up, for a while."""
        if self.anybody:
            dark, now = self._dark[fishes], self.ambient.daylight
            dark = np.where(self.asleep[fishes] == self._by_day[fishes], WAKING_SHARE * dark, dark)
            night = now < dark
            self.asleep[fishes] = (night & self._by_day[fishes]) | (~night & self._by_night[fishes])
        return self.asleep[fishes]

    def rests(self, fishes: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Mask of those of these, (n,), at places (n, 3) in metres, that have come to their beds, (n,) bool."""
        near = norm(self.bed[fishes] - place) < BEDDED_LENGTHS * self._length[fishes]
        return self.asleep[fishes] & near

    def wish(self, fishes: np.ndarray, place: np.ndarray, wish: np.ndarray) -> np.ndarray:
        """The wishes of these fishes, (n, 3): to bed if it is time, else what they were."""
        return np.where(self.asleep[fishes][:, None], unit(self.bed[fishes] - place), wish)


def sleeps(light: Light, nocturnal: float, t: float) -> bool:
    """True if a fish that is about by day, 0, or by night, 1, sleeps at `t` seconds of the film, if it is as most."""
    low, high = SLEEPING_BRIGHTNESS
    night = brightness_at(light, t) < 0.5 * (low + high)
    return changes(light) and (nocturnal < 0.5 if night else nocturnal > 0.5)


def beds(scene: Any, seed: int, waters: tuple[WaterBox, Obstacles], home: np.ndarray, length: np.ndarray) -> np.ndarray:
    """A sleeping place for each fish in metres, (fish, 3); the longest choose first.

    Args:
        scene: The Scene; where it has neither day nor night every fish's is where it begins.
        seed: Seed of the world.
        waters: The tank, and all that stands in it.
        home: Place where each fish begins in metres, (fish, 3).
        length: Metres, (fish,).
    """
    found = home.copy()
    if not changes(scene.light):
        return found
    ground = Ground(*waters)
    bed = Bed.from_scene(scene)

    def above(at: np.ndarray) -> np.ndarray:
        return np.asarray(at[:, 2] - (0.0 if bed is None else bed.height(at[:, 0], at[:, 1])))

    found[:, 2] += OFF_BED_LENGTHS * length - above(found)
    place, away = strewn(scene, seed, BED_DICE, BEDS_A_SQUARE_METRE)
    taken = np.zeros(len(place), dtype=bool)
    for fish in np.argsort(-length, kind="stable").tolist():
        off = OFF_BED_LENGTHS * length[fish]
        at = place + off * away
        crevice = (above(at) < off + CREVICE_METRES) | (away[:, 2] < LEDGE_TILT)
        room = ground.room(at)
        there = crevice & (room > LEAST_BED_ROOM * off) & (above(at) > 0.0) & ~taken
        if there.any():
            row = int(np.where(there, norm(at - home[fish]), np.inf).argmin())
            found[fish] = at[row]
            taken |= norm(place - place[row]) < BED_GAP_LENGTHS * length[fish]
    return found
