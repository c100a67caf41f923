"""The decisions of fishes: senses, mental state, intention and routine, one after the other.

Predators see prey, choose the one that costs least to reach and go for it; prey sees predators, fears them and flees;
all others go for plankton, or bait, that they smell or see; those that may court see and choose mates.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.dice import Dice
from ..base.state import Stateful, Together
from ..base.vectors import norm
from ..body.anatomy import NOSE_NODE
from ..perception.browsing import Browsing
from ..perception.focuser import NO_FOOD, Focus
from ..perception.presences import Presences
from ..perception.recollection import Recollection
from ..perception.retina.feeler import antenna_of
from ..perception.sightings import Sightings
from ..perception.smell import Morsels, Smell
from ..perception.swimmers import NO_FISH, Swimmers
from ..perception.vision import Vision
from .acts import Couples, Flights, Meals
from .character import MALE, Cast
from .comfort import Comfort
from .dread import Dread
from .intention import (
    EAT,
    ESCAPE,
    MATE,
    PREDATOR,
    PREY,
    IntentionGenerator,
    Pressures,
)
from .mental_state import MentalState
from .mobbing import Mobbing
from .mood import FEAR
from .plan import Plan
from .preferences import Urges, prefer
from .prospects import Prospects
from .relations import Relations
from .routines.courtship import Courtship
from .routines.escape import Escaping
from .routines.graze import Grazing
from .routines.guard import Guarding
from .routines.hunt import Hunting
from .routines.leave import Leave
from .routines.mate import Mating
from .routines.struggle import Struggle
from .ties import Ties
from .trails import Trails
from .unease import Unease
from .waters import Waters


class Decision:
    """Perception, mental state and intention of all fishes.

    Attributes:
        waters: The fishes' surroundings.
        focus: The target on which each is focused.
        sightings: Sightings of fishes by each other.
        feelings: Hunger, libido and fear.
        generator: The intention generator.
        dangers: Places where each last saw its foe.
        dread, escaping: Fear of foes and presences, and the routine of escape from them.
        antenna: The feeler that measures the free way ahead.
        hunting, grazing: The routines of predators for prey, and of the others for plankton and what grows.
        morsels: All that may be picked.
        browsing: Forays for what grows.
        mobbing: The mobbing of predators that are not fled from.
        courtship, mating, guarding: Couples and their stages, the motions of both, and nests.
        courts: Mask of the fishes that may ever court, (fish,) bool.
        relations: Relations of fishes to others in particular; None where there are none.
        struggle: The routine of fishes on the hook; None where there is no hook.
        trails: The following of smells; None where no fish follows any.
        forages: Mask of the fishes that go back to where they remember food, (fish,) bool.
    """

    def __init__(
        self,
        cast: Cast,
        waters: Waters,
        dice: Dice,
        comfort: Comfort,
        leave: Leave,
        struggle: Struggle | None,
        luck: ArrayLike = 0.0,
        ties: Ties | None = None,
    ):
        """Begins with nobody in sight.

        Args:
            cast: The fishes.
            waters: The fishes' surroundings.
            dice: A stream for each fish.
            comfort: Contentment with light and warmth.
            leave: The routine of discontented fishes.
            struggle: The routine of fishes on the hook; None where there is no hook.
            luck: Random number from 0 to 1 that sets the time since the last mating of each, (fish,).
            ties: Relations of fishes to others in particular; None where there are none.
        """
        characters, length, species = cast.characters, cast.length, cast.species
        drives, males = characters.drives, characters.sexes == MALE
        self._drives, self._alive, self._dice, self._retinas = drives, cast.alive, dice, cast.retinas
        self.waters = waters
        self._alarming = drives["D0"] * drives["book_metres"] / drives["f0"]
        self._comfort, self.unease, self.struggle = comfort, Unease(comfort, leave), struggle
        self.relations: Relations | None = None
        self._hook, self.morsels = waters.hook, Morsels(waters.plankton, waters.hook, waters.growth)
        self._is_predator, self._is_prey = characters.types == PREDATOR, characters.types == PREY

        school = np.where(characters.schooling, species, NO_FISH)
        vision, who = Vision(waters.obstacles, drives["sight"] * length, length), (self._is_predator, self._is_prey)
        # Nobody goes for pacifists (Tu 1999, §10.3).
        alarm = school, drives["vigilance"] * length
        self.sightings = Sightings(vision, cast.alive, *who, *alarm, cast.retinas, drives["menace"])
        self.focus, self._smell = Focus(len(length)), Smell(self.morsels, drives, length, cast.retinas)
        self.browsing = Browsing(np.where(self._is_predator, 0.0, drives["browse"]), dice, len(waters.growth) > 0)
        self.feelings = MentalState(drives, drives["hunger"], drives["libido"], drives["libido_spread"] * luck)
        if ties is not None:
            self.relations = Relations(ties, self.sightings, cast.alive, characters.types, drives, length)
        flees = False if self.relations is None else self.relations.flees
        lasting = characters.schooling, drives["memory"] > 0, cast.enabled, drives["composure"], flees
        self.generator = IntentionGenerator(characters.types, drives, *lasting)
        self.antenna, self.grazing = antenna_of(waters.tank, waters.obstacles, cast.retinas), Grazing(length)
        self.dangers, self.hunting = Recollection(drives["recall"]), Hunting(self.focus, species, drives, length, dice)
        known = Presences(waters.obstacles, drives["sight"] * length, length, cast.retinas)
        self.mobbing = Mobbing(~self._is_predator, drives, length)
        watched = self.sightings, self.focus, self.dangers, self.mobbing
        self.dread = Dread(known, *watched, characters.types, drives, length, self.relations)
        self.escaping = Escaping(self.focus, self.feelings.mood, length, drives, self.antenna, self.dread)
        self.courtship = Courtship(males, species, drives, length, waters.tank.size[2], characters.larger_females)
        self.mating = Mating(self.courtship, males, length, waters.tank, waters.obstacles)
        meals = Meals(self.focus, self.morsels, self.hunting, self.grazing, self.dread, self.browsing)
        flights = Flights(self.focus, self.feelings, drives, self.escaping, self.dread, self.dangers, waters.hosts)
        looks = self.sightings, self.focus, self.generator, self.hunting, self.courtship, self.relations
        self._prospects = Prospects(cast, waters, *looks, self.morsels, males)
        self.courts = self._prospects.courts
        self.guarding = Guarding(self.courts & (drives["ascent"] == 0.0), self._is_predator, length, cast.alive)
        self._acts = meals, flights, Couples(self.courtship, self.mating, self.guarding, self.feelings.mood)
        self.forages, self.trails = np.zeros(len(length), dtype=bool), None
        if waters.plume is not None:
            who = self._is_predator, self.courts
            self.trails = Trails(cast, waters.plume, *who, self.feelings, self.generator)

    @property
    def parts(self) -> tuple[Stateful, ...]:
        """The parts that change with time, are saved under one name, and have no part of their own in a saved world."""
        return self.focus, self.sightings, self.hunting, self.grazing, self.browsing, self.mobbing

    @property
    def courting(self) -> Together:
        """The parts that change with time and are saved as courtship."""
        return Together(self.courtship, self.mating)

    @property
    def hooked(self) -> np.ndarray:
        """Mask of the fishes on the hook, (fish,) bool."""
        return self._alive & (np.arange(len(self._alive)) == (NO_FISH if self._hook is None else self._hook.fish))

    def alarms(self, swimmers: Swimmers) -> np.ndarray:
        """Fishes that a fright, an alarming foe, one close or terror, and mates in alarm startle, (4, fish) bool."""
        fright, alarms = self.feelings.mood.fright, self.sightings.alarms(self._alarming, swimmers)
        if len(self.dread.presences):
            alarms[:2] |= self.dread.alarms(self._alarming, swimmers.nose)
        if self.relations is not None:
            alarms[:2] |= self.relations.alarms(self._alarming, swimmers)
        alarms[1] |= fright >= self._drives["f1"]
        return np.concatenate(((fright > self._drives["f0"])[None], alarms))

    def decide(
        self, fishes: np.ndarray, swimmers: Swimmers, danger: np.ndarray, together: np.ndarray, elapsed: np.ndarray
    ) -> Plan:
        """Perceives, feels, and settles what these fishes are about.

        Args:
            fishes: Rows of those that take thought, (n,).
            swimmers: All fishes, with velocities through the water.
            danger: Whether a collision is near, (n,) bool.
            together: Whether others of its kind are with it, (n,) bool.
            elapsed: Seconds since each last took thought, (n,).
        """
        self.hunting.grinding[fishes] = np.maximum(self.hunting.grinding[fishes] - elapsed, 0.0)
        self._perceive(fishes, swimmers, elapsed)
        self.feel_again()
        intention = self._intend(fishes, swimmers, danger, together, elapsed)
        plan = Plan.empty(intention, self.generator.at_ease(fishes))
        meals, flights, couples = self._acts
        meals.go_for(fishes, plan, swimmers, self.hunts(fishes), elapsed)
        flights.get_away(fishes, plan, swimmers)
        couples.court(fishes, plan, swimmers)
        if self.trails is not None:
            self.trails.follow(fishes, plan, swimmers)
        if self.relations is not None:
            wants = np.stack((self.feelings.hunger[fishes], self.feelings.libido[fishes]), axis=1)
            self.relations.act(fishes, plan, swimmers, wants, ~self.waters.sleep.asleep[fishes], elapsed)
        self.mobbing.act(fishes, plan, swimmers)
        if len(self.waters.dens.tenants):
            awake = ~self.waters.sleep.asleep[fishes]
            hungry = self.feelings.hunger[fishes] > self._drives["r"][fishes]
            self.waters.dens.act(fishes, plan, swimmers, hungry & awake)
        return plan

    def feel_again(self) -> None:
        """Sets hunger, libido and fear to their present values."""
        self.feelings.feel(*self._felt)

    def advance(self, dt: float) -> None:
        """Lets wants grow, and moods and grudges fade, for `dt` seconds."""
        self.feelings.advance(dt)
        if self.relations is not None and self.relations.grudges is not None:
            self.relations.grudges.advance(dt)

    @property
    def _felt(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Distances to food and mates in metres, and the fear of all foes, (fish,) each."""
        return np.minimum(self.focus.food_distance, self.dread.lure), self.focus.mate_distance, self.focus.fear

    def _perceive(self, fishes: np.ndarray, swimmers: Swimmers, elapsed: np.ndarray) -> None:
        """Smells plankton, and sees predators, prey and mates, whichever concern each; see `decide`."""
        hunts = self._is_predator[fishes]
        self._smell.choose(fishes[~hunts], swimmers, self.focus, self.browsing, elapsed[~hunts])
        self.waters.hosts.stay_about(fishes, self.focus, self.morsels.place)
        if len(self.sightings.predators) or len(self.dread.presences) or self.relations is not None:
            self.dread.look_for_predators(fishes[~hunts], swimmers, elapsed[~hunts])
        if hunts.any():
            self._prospects.look_for_prey(fishes[hunts], swimmers, elapsed[hunts])
            if self.relations is not None:
                self.dread.look_for_feared(fishes[hunts], swimmers)
            if len(self.dread.presences):
                self.dread.look_for_lures(fishes[hunts], swimmers)
        self._prospects.look_for_mates(fishes, swimmers, elapsed)

    def sniff(self, swimmers: Swimmers, dt: float) -> None:
        """Has fishes smell what drifts by, every now and then; `dt` seconds have passed."""
        if self.trails is not None and self.trails.due(dt):
            fishes = self.trails.noses[self._alive[self.trails.noses]]
            may = np.stack((self.hunting.grinding[fishes] == 0.0, self.courts[fishes]), axis=1)
            self.trails.sniff(fishes, swimmers, may & ~self._known(fishes))

    def _intend(
        self, fishes: np.ndarray, swimmers: Swimmers, danger: np.ndarray, together: np.ndarray, elapsed: np.ndarray
    ) -> np.ndarray:
        """The intentions that these fishes take up, (n,) int8; see `decide`."""
        feelings, hungry = self.feelings, self.hunting.grinding[fishes] == 0.0
        feeds = self.hunts(fishes) | bool(self.morsels) | self.dread.lured(fishes)
        awake = ~self.waters.sleep.judge(fishes)
        pressures = Pressures(
            danger,
            together & awake,
            fear_total=feelings.fear[fishes],
            fear_most=np.maximum(self.focus.most_fear, feelings.mood.fright)[fishes],
            hunger=np.where(feeds & hungry & awake, feelings.hunger[fishes] * (1.0 - self.dread.wary[fishes]), 0.0),
            libido=np.where(self.courts[fishes] & awake, feelings.libido[fishes], 0.0),
            content=self._comfort.judge(fishes, swimmers.middle[fishes]),
            within_reach=self._within_reach(fishes),
        )
        intention, _ = self.generator.decide(fishes, pressures, elapsed, self._dice.uniform(fishes))
        self.dread.calm_down(fishes, intention == ESCAPE, elapsed)
        if self.relations is not None:  # who hunts has its prey in mind until then
            some = fishes[(intention == ESCAPE) & self._is_predator[fishes]]
            self.focus.target[some] = self.relations.foe[some]
        return intention

    def _within_reach(self, fishes: np.ndarray) -> np.ndarray:
        """Mask of those of these fishes, (n,), with food, and with a mate, to go for, (n, 2) bool."""
        reach = self._known(fishes)
        reach[:, 0] |= self.dread.lured(fishes) | self.forages[fishes]
        return reach if self.trails is None else reach | self.trails.within_reach(fishes)

    def _known(self, fishes: np.ndarray) -> np.ndarray:
        """Mask of those of these fishes, (n,), that know of prey or a morsel, and of a mate, (n, 2) bool."""
        food = np.where(self.hunts(fishes), self.focus.target[fishes] != NO_FISH, self.focus.food[fishes] != NO_FOOD)
        mate = np.isfinite(self.focus.mate_distance[fishes]) | (self.courtship.partner[fishes] != NO_FISH)
        mate |= np.isin(fishes, self.courtship.partner)  # who is courted need not see it
        return np.stack((food, mate), axis=1)

    def prefer(self, fishes: np.ndarray, swimmers: Swimmers, threat: np.ndarray) -> None:
        """Sets the motor preferences of fishes that have taken thought (Tu 1999, §6.5.2 and §7.6).

        Args:
            fishes: Their rows, (n,).
            swimmers: All fishes.
            threat: Towards what each may run into, of length 1 and more where it is about to, (n, 3).
        """
        urges = Urges(self.feelings, self.generator.intention, self._is_predator, self.courtship.partner)
        prefer(self.focus, urges, self.morsels.place, fishes, swimmers, threat)

    def about(self) -> tuple[np.ndarray, np.ndarray]:
        """The fish and the morsel that each is about, -1 where its intention has none, (fish,) each."""
        intention, focus = self.generator.intention, self.focus
        chased = (intention == ESCAPE) | ((intention == EAT) & self.hunts())
        fish = np.where(chased, focus.target, np.where(intention == MATE, self.courtship.partner, NO_FISH))
        return np.where(self._alive, fish, NO_FISH), np.where(self._alive & (intention == EAT), focus.food, NO_FOOD)

    # What others do to them

    def feel(self, fishes: np.ndarray, hunger: float | None, libido: float | None, fear: float | None) -> None:
        """Makes these fishes (n,) feel so, 0 to 1; None leaves one as it is. A new want is not weary."""
        self.feelings.set(fishes, (hunger, libido, fear), self._felt)
        if hunger is not None:
            self.dread.wary[fishes] = 0.0
        for column, value in enumerate((hunger, libido)):
            if value is not None:
                self.generator.rest[fishes, column] = self.generator.toil[fishes, column] = 0.0

    def feel_keys(self) -> None:
        """Feels keyed values at once, and is not weary of keyed wants."""
        keyed = self.feelings.feel_keys()
        self.generator.toil[keyed[:, :2]] = self.dread.wary[keyed[:, 0]] = 0.0

    def frighten(self, at: np.ndarray, radius: float, middle: np.ndarray) -> np.ndarray:
        """Frightens fishes near a place as a predator would that is first feared at the radius.

        Args:
            at: The place in metres, (3,).
            radius: Metres.
            middle: Middles of all fishes in metres, (fish, 3).

        Returns:
            Rows of those that are frightened, (n,); predators fear nothing.
        """
        distance, mood = norm(middle - at), self.feelings.mood
        fishes = np.flatnonzero(self._alive & ~self._is_predator & (distance < radius))
        # F = D0 / d, of a D0 by which F is f0 at the radius (Tu 1999, §7.4).
        felt = np.minimum(self._drives["f0"] * radius / np.maximum(distance, 1e-9), 1.0)[fishes]
        stronger = fishes[felt > mood.offset[fishes, FEAR]]
        mood.offset[fishes, FEAR] = np.maximum(mood.offset[fishes, FEAR], felt)
        mood.threat[stronger] = at
        self.feel_again()
        return fishes

    def enter(self, fishes: np.ndarray) -> None:
        """Has these fishes, (n,), which have come in, feel as they do at the beginning."""
        self.feelings.begin(fishes)

    def forget(self, fishes: np.ndarray) -> None:
        """Takes these fishes, (n,), which have died, out of everybody's mind."""
        self.focus.target[np.isin(self.focus.target, fishes)] = NO_FISH
        self.sightings.forget(fishes)
        self.courtship.leave(fishes)
        if self.relations is not None:
            self.relations.forget(fishes)

    # Food

    def offer(self) -> None:
        """Lets fishes know of plankton, of which there may be more than before."""
        self.morsels.renumber(self.focus.food)

    def hunts(self, fishes: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Mask of those of these, or of all, that hunt fishes and not plankton or bait, (n,) bool."""
        return self._is_predator[fishes] & (self.focus.food[fishes] == NO_FOOD)

    def would_hunt(self, fishes: np.ndarray) -> np.ndarray:
        """Mask of those of these, (n,), that hunger for a fish that they see, (n,) bool."""
        free = (self.hunting.grinding[fishes] == 0.0) & (self.generator.rest[fishes, 0] == 0.0)
        hungry = free & (self.feelings.hunger[fishes] > self._drives["r"][fishes])
        return hungry & self.hunts(fishes) & (self.focus.target[fishes] != NO_FISH)

    def eaters(self) -> np.ndarray:
        """Rows of those that are about to eat and have something to, (n,)."""
        ready = np.where(self.hunts(), self.hunting.ready(), self.focus.food != NO_FOOD)
        return np.flatnonzero(self._alive & ready & (self.generator.intention == EAT) & (self.hunting.grinding == 0.0))

    def drawn(self) -> np.ndarray:
        """Rows of those that a predator's mouth draws in: all that live and are no predators, (n,)."""
        return np.flatnonzero(self._alive & ~self._is_predator)

    def edible(self, fishes: np.ndarray) -> np.ndarray:
        """Mask of those of these that may be swallowed, (n,) bool: prey."""
        return self._is_prey[fishes]

    def food_gap(self, fishes: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """Distances from the noses of these eaters, (n,), to their targets, in metres, (n,).

        Args:
            fishes: Their rows, (n,).
            nodes: Nodes of all fishes in metres, (fish, 23, 3).
        """
        gap, hunts = np.empty(len(fishes)), self.hunts(fishes)
        nose, hunters, grazers = nodes[fishes, NOSE_NODE], np.flatnonzero(hunts), np.flatnonzero(~hunts)
        if len(hunters):
            prey = nodes[self.focus.target[fishes[hunters]]]
            gap[hunters] = norm(prey - nose[hunters][:, None]).min(axis=1)
        if len(grazers):
            gap[grazers] = norm(self.morsels.place[self.focus.food[fishes[grazers]]] - nose[grazers])
        return gap

    def fed(self, fishes: np.ndarray) -> None:
        """Notes a meal of each of these, (n,); success does not tire. Prey has to be ground (Tu 1999, §7.9.1)."""
        self.feelings.fed(fishes, 1.0)
        self.hunting.fed(fishes, self.hunts(fishes))
        self.generator.toil[fishes, 0] = 0.0

    def browsed(self, fishes: np.ndarray) -> None:
        """Notes that each of these, (n,), has bitten at what grows."""
        self.fed(fishes)
        self.browsing.bitten(fishes)

    def browsers(self, fishes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rows of those of these, (n,), that go for what grows, (m,), and the tufts that they go for, (m,)."""
        tufts = self.focus.food[fishes] - self.morsels.first_tuft
        rows = np.flatnonzero(tufts >= 0)
        return rows, tufts[rows]

    def bite(self, fish: int) -> None:
        """Notes a bite: the fish thinks of nothing but to get away, and all others lose sight of the bait."""
        food = self.focus.food
        food[food == self.morsels.bait_row] = NO_FOOD
        food[fish], self.focus.target[fish] = NO_FOOD, NO_FISH
        self.generator.startle(fish)
        if self.relations is not None:
            self.relations.charges[fish] = NO_FISH

    # Courtship

    def court(self, dt: float, nodes: np.ndarray, frames: np.ndarray) -> list[dict[str, Any]]:
        """Leads those that court from stage to stage.

        Args:
            dt: Seconds since it was last called.
            nodes: Metres, (fish, 23, 3).
            frames: Columns ahead, left and up, (fish, 3, 3).

        Returns:
            Events as in `Recording.events`, without their frame.
        """
        courtship = self.courtship
        progress = courtship.advance(dt, nodes, frames, self.generator.intention)
        self.generator.toil[progress, 1] = 0.0  # success does not tire
        happened, courtship.happened = courtship.happened, []
        for event in happened:
            if event["kind"] == "spawned":
                both = np.array([event["fish"], event["other"]])
                self.feelings.mated(both)
                self.generator.rest[both, 1] = self._drives["refractory"][both]
                self.generator.forget(both)
        return happened
