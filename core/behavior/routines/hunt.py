"""Hunting: choosing prey, going for it and cutting it off, and grinding what was caught (Tu 1999, §7.9.1)."""

from __future__ import annotations

import numpy as np

from ...base.dice import Dice
from ...base.elementary import arccos, arcsin, cos, exp
from ...base.state import Stateful, state
from ...base.vectors import dot, norm, unit
from ...habitat.hook import BaitedHook
from ...motor.tuning import AWRY_ANGLE
from ...perception.focuser import NO_FOOD, Focus, persist, prey_cost
from ...perception.sightings import Sighting
from ...perception.swimmers import NO_FISH, Swimmers
from ..intention import EAT
from .chase import chase, sigma_for
from .moves import Moves
from .tuning import (
    ABEAM_ANGLE,
    ABEAM_LENGTHS,
    CONFUSING_PREY,
    CONFUSION_RATE,
    EAT_NEAR_SIGMA,
    GAPING_LENGTHS,
    GAPING_OPENING,
    GAPING_SECONDS,
    GOING_ROUND_SECONDS,
    LEAST_CHASE_PACE,
    LUNGE_SECONDS,
    LUNGE_SPEED,
    OVERHEAD_ANGLE,
    PASSED_COSINE,
    PASSING_SLOPE,
    RAM_ANGLE,
    RAM_LENGTHS,
    SINGLED_OUT_SECONDS,
    STALKING_LENGTHS,
    STALKING_PACE,
    STRAGGLING_LENGTHS,
    STRIKE_ANGLES,
    TEMPTED_LENGTHS,
    THRONG_LENGTHS,
    WEARY_PACE,
    WEARY_SECONDS,
)


class Hunting(Stateful):
    """The hunting of predators.

    Attributes:
        grinding: Seconds for which each is still busy with its last prey, (fish,).
        fixed: Seconds for which each has had its eye on the same prey, (fish,).
        circling: Seconds for which each has gone round its prey, (fish,).
        lunging: Seconds for which each still strikes, (fish,).
        weary: Seconds for which each rests from a strike that missed, (fish,).
    """

    grinding: np.ndarray = state("f8", "fish", unit="s", key="_grinding")
    fixed: np.ndarray = state("f8", "fish", unit="s", key="_fixed")
    circling: np.ndarray = state("f8", "fish", unit="s", key="_circling")
    lunging: np.ndarray = state("f8", "fish", unit="s")
    weary: np.ndarray = state("f8", "fish", unit="s")

    def __init__(self, focus: Focus, species: np.ndarray, drives: np.ndarray, length: np.ndarray, dice: Dice):
        """Begins with nobody hunting.

        Args:
            focus: Focus, whose targets are chosen here.
            species: A number for the species of each fish, (fish,).
            drives: (fish,) with the fields `persistence`, `confusion`, `handling`, `strike` and `opportunism`.
            length: Metres, (fish,).
            dice: A stream for each fish.
        """
        self._focus, self._species, self._drives, self._length, self._dice = focus, species, drives, length, dice
        self._fill(fish=len(length))

    def choose(
        self, hunters: np.ndarray, prey: Sighting, swimmers: Swimmers, in_school: np.ndarray, elapsed: np.ndarray
    ) -> None:
        """Sets the prey that costs each predator least, unless it is devoted to the one it has (§7.7.3, §7.9.1).

        Args:
            hunters: Rows of n predators, (n,).
            prey: The prey that they see.
            swimmers: All fishes.
            in_school: Whether each fish is in a school, (fish,) bool.
            elapsed: Seconds since each last looked, (n,).
        """
        self._focus.food_distance[hunters] = prey.distance.min(axis=1, initial=np.inf)
        offset = swimmers.middle[prey.fish] - swimmers.nose[hunters][:, None]
        course = unit(swimmers.ahead[hunters] * (1.0, 1.0, 0.0))[:, None]
        off = arccos(np.clip(dot(unit(offset * (1.0, 1.0, 0.0)), course), -1.0, 1.0))
        opportunism = self._drives["opportunism"][hunters, None]
        seeming = prey.distance * (1.0 - opportunism * self._weakness(prey, swimmers))
        cost = prey_cost(np.where(np.isfinite(seeming), seeming, 1e9), in_school[prey.fish], off)
        best = np.arange(len(hunters)), cost.argmin(axis=1)
        new, far = prey.fish[best], seeming[best]
        old = self._focus.target[hunters]
        still = np.where(prey.fish == old[:, None], seeming, np.inf).min(axis=1)
        devotion = self._drives["persistence"][hunters] * self._length[hunters]
        loyal = (persist(still, far, devotion) | (self.lunging[hunters] > 0.0)) & np.isfinite(still)
        aim = np.where(loyal, old, np.where(np.isfinite(far), new, NO_FISH))
        aim = self._confound(hunters, aim, prey, swimmers.middle, elapsed)
        self.fixed[hunters] = np.where(aim == old, self.fixed[hunters] + elapsed, 0.0)
        self._focus.target[hunters] = aim

    def _weakness(self, prey: Sighting, swimmers: Swimmers) -> np.ndarray:
        """The weakness of each prey, 0 to 1, (n, k): it has spent its bursts, or has strayed from its mates (ours).

        After Morgan & Godin (1985), whose perch took killifish that strayed from their shoal.

        Args:
            prey: The prey that predators see, mates among it.
            swimmers: All fishes.
        """
        near, seen = prey.fish, np.isfinite(prey.distance)
        kin = self._species[near][:, :, None] == self._species[near][:, None]
        mates = kin & seen[:, None] & (near[:, :, None] != near[:, None])
        places = swimmers.middle[near]
        gap = np.where(mates, norm(places[:, :, None] - places[:, None]), np.inf).min(axis=2, initial=np.inf)
        begins, whole = STRAGGLING_LENGTHS
        apart = np.clip((gap / self._length[near] - begins) / (whole - begins), 0.0, 1.0)
        return apart if swimmers.reserve is None else np.maximum(apart, 1.0 - swimmers.reserve[near])

    def tempt(self, hunters: np.ndarray, hook: BaitedHook, bait_row: int, nose: np.ndarray, sees: np.ndarray) -> None:
        """Lets predators take bait that is close, and nearer than any prey.

        Args:
            hunters: Rows of n predators, (n,).
            hook: The hook with its bait.
            bait_row: Row of the bait among morsels.
            nose: Noses of all fishes in metres, (fish, 3).
            sees: Whether each may see the bait, (n,) bool.
        """
        focus = self._focus
        focus.food[hunters] = NO_FOOD
        distance = norm(hook.place - nose[hunters])
        close = sees & (distance < TEMPTED_LENGTHS * self._length[hunters])
        takes = close & (distance < focus.food_distance[hunters]) & hook.offered
        focus.food[hunters[takes]] = bait_row
        focus.food_distance[hunters] = np.where(takes, distance, focus.food_distance[hunters])

    def moves(self, me: np.ndarray, swimmers: Swimmers, elapsed: np.ndarray) -> Moves:
        """Going for the target: running it down and cutting it off (§7.8.2), or stalking it and striking (ours).

        Prey within the circle that a predator turns in is never reached at full speed: it turns to it on the spot.

        Args:
            me: Rows of n predators that have a target, (n,).
            swimmers: All fishes, with velocities through the water.
            elapsed: Seconds since each last took thought, (n,).
        """
        prey, velocity = self._focus.target[me], swimmers.velocity
        offset = swimmers.middle[prey] - swimmers.nose[me]
        length, ahead, distance = self._length[me], swimmers.ahead[me], norm(offset)
        lies_in_wait = self._drives["strike"][me] > 0.0
        rises, height = self._heights(offset, ahead)
        self._lunge(me, offset, ahead, rises, elapsed)
        lunges, weary = self.lunging[me] > 0.0, self.weary[me] > 0.0
        speed = dot(velocity[me], ahead)
        # A striking fish is soon much faster, and needs to turn less far ahead of prey that crosses.
        sigma = np.where(lies_in_wait, EAT_NEAR_SIGMA, sigma_for(EAT, distance, length))
        reckoned = np.where(lies_in_wait, np.maximum(speed, LUNGE_SPEED * length), speed)
        pursuit = chase(offset, velocity[prey], ahead, reckoned, length, sigma, True)
        abeam = pursuit.off > np.where(self.circling[me] > GOING_ROUND_SECONDS, AWRY_ANGLE, ABEAM_ANGLE)
        abeam &= (distance < ABEAM_LENGTHS * length) & ~lunges
        self.circling[me] = np.where(abeam, self.circling[me] + elapsed, 0.0)
        aims = lies_in_wait & ~lunges & (distance < self._drives["strike"][me] * length)
        # Standing, it turns to neither what is above nor what is below: it comes nearer, or swims past at that height.
        aims &= rises < STRIKE_ANGLES[1]
        passes = lies_in_wait & ~lunges & (height > OVERHEAD_ANGLE) & (distance < ABEAM_LENGTHS * length)
        turns = aims | (self.circling[me] > np.where(lies_in_wait, 0.0, GOING_ROUND_SECONDS))
        turns &= ~weary & ~passes
        runs = np.maximum(pursuit.pace, LEAST_CHASE_PACE)
        runs = np.where(self._rams(pursuit.off, distance, length) & self.ready()[me], 2.0, runs)
        far = np.clip(distance / length - self._drives["strike"][me] - STALKING_LENGTHS, 0.0, 1.0)
        away = np.maximum(dot(velocity[prey], unit(offset)), 0.0) / length
        creeps = np.minimum(STALKING_PACE + (LEAST_CHASE_PACE - STALKING_PACE) * far + away, 1.0)
        pace = np.where(lies_in_wait, np.where(weary, WEARY_PACE, creeps), runs)
        pace = np.where(lunges, 2.0, np.where(turns, 0.0, pace))
        wish = np.where((turns & ~aims)[:, None], unit(offset), pursuit.wish)
        onward = np.stack((ahead[:, 0], ahead[:, 1], PASSING_SLOPE * np.sign(offset[:, 2])), axis=1)
        wish = np.where(passes[:, None], unit(onward), wish)
        return Moves(np.where(weary[:, None], ahead, wish), pace, turns, np.zeros(len(me)))

    @staticmethod
    def _heights(offset: np.ndarray, ahead: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Angles of prey at offsets (n, 3) above or below the heading, and above or below the level, (n,) radians."""
        height = arcsin(np.clip(unit(offset)[:, 2], -1.0, 1.0))
        return np.abs(height - arcsin(np.clip(ahead[:, 2], -1.0, 1.0))), np.abs(height)

    @staticmethod
    def _rams(off: np.ndarray, distance: np.ndarray, length: np.ndarray) -> np.ndarray:
        """Mask of chasers that are near enough, and well enough on course, to give all they can, (n,)."""
        return (off < RAM_ANGLE) & (distance < RAM_LENGTHS * length)

    def _lunge(
        self, me: np.ndarray, offset: np.ndarray, ahead: np.ndarray, rises: np.ndarray, elapsed: np.ndarray
    ) -> None:
        """Begins strikes of these, (n,), that are near and face their prey, offset (n, 3), and ends those that miss."""
        self.weary[me] = np.maximum(self.weary[me] - elapsed, 0.0)
        distance, cosine = norm(offset), dot(unit(offset), ahead)
        lunges = self.lunging[me] > 0.0
        left = np.maximum(self.lunging[me] - elapsed, 0.0)
        missed = lunges & ((left == 0.0) | (cosine < PASSED_COSINE))
        near = distance < self._drives["strike"][me] * self._length[me]
        sideways, upwards = STRIKE_ANGLES
        aligned = (rises < upwards) & (cosine > cos(sideways))
        begins = ~lunges & near & aligned & self.ready()[me] & (self.weary[me] == 0.0)
        self.lunging[me] = np.where(begins, LUNGE_SECONDS, np.where(missed, 0.0, left))
        self.weary[me] = np.where(missed, WEARY_SECONDS, self.weary[me])

    def leave(self, fishes: np.ndarray) -> None:
        """Notes that these fishes, (n,), are after no prey now."""
        self.circling[fishes] = self.lunging[fishes] = 0.0

    def opens(self, eaters: np.ndarray, gap: np.ndarray, closing: np.ndarray, mouth: np.ndarray) -> np.ndarray:
        """Mask of those of these that open their mouths: prey is in reach as soon as they are open, (n,) bool.

        A striking fish keeps it open until the strike is over.

        Args:
            eaters: Rows of n predators, (n,).
            gap: Distance from the mouth to its prey in metres, (n,).
            closing: Speed at which that shrinks, in m/s, (n,).
            mouth: Opening of its mouth, 0 to 1, (n,).
        """
        least, most = GAPING_LENGTHS
        reach = np.clip(GAPING_SECONDS * closing, least * self._length[eaters], most * self._length[eaters])
        return (gap < reach) | ((self.lunging[eaters] > 0.0) & (mouth > GAPING_OPENING))

    def ready(self) -> np.ndarray:
        """Mask of hunters that may swallow their target, having singled it out, (fish,) bool."""
        return (self._focus.target != NO_FISH) & (self.fixed >= SINGLED_OUT_SECONDS)

    def fed(self, fishes: np.ndarray, hunts: np.ndarray) -> None:
        """Has those of these fishes (n,) that hunt, (n,) bool, grind their prey for a while (§7.9.1)."""
        self.grinding[fishes] = np.where(hunts, self._drives["handling"][fishes], 0.0)
        self.leave(fishes)

    def _confound(
        self, hunters: np.ndarray, aim: np.ndarray, prey: Sighting, middle: np.ndarray, elapsed: np.ndarray
    ) -> np.ndarray:
        """The final target of each predator: among many alike it loses its own for another of them.

        After Neill & Cullen (1974), whose predators switched from one to another before they struck at a school, and
        Landeau & Terborgh (1986).

        Args:
            hunters: Rows of n predators, (n,).
            aim: Row of each one's intended prey, one of those near, or NO_FISH, (n,).
            prey: The prey that they see.
            middle: Places of all fishes in metres, (fish, 3).
            elapsed: Seconds since each last looked, (n,).

        Returns:
            Rows, (n,).
        """
        near, seen = prey.fish, np.isfinite(prey.distance)
        close = norm(middle[near] - middle[aim][:, None]) < THRONG_LENGTHS * self._length[hunters, None]
        alike = seen & close & (near != aim[:, None]) & (self._species[near] == self._species[aim][:, None])
        alike &= (aim != NO_FISH)[:, None]
        many = np.count_nonzero(alike, axis=1)
        rate = CONFUSION_RATE * self._drives["confusion"][hunters] * many / (many + CONFUSING_PREY)
        loses = (self._dice.uniform(hunters) < 1.0 - exp(-rate * elapsed)) & (self.lunging[hunters] == 0.0)
        which = np.floor(self._dice.uniform(hunters) * many) + 1
        other = (alike & (np.cumsum(alike, axis=1) == which[:, None])).argmax(axis=1)
        return np.where(loses, near[np.arange(len(hunters)), other], aim)
