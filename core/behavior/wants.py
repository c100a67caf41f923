"""What each fish sees of friend and foe, what it wants, and what it is about: perception, mental state, intention.

Predators see prey, choose the one that costs least to reach and go for it; prey sees predators, fears them and flees;
whoever is no predator goes for plankton, or bait, that it smells; those that may court see and choose mates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from ..base.dice import Dice
from ..base.state import Stateful
from ..base.vectors import dot, norm, unit
from ..body.anatomy import NOSE_NODE
from ..habitat.hook import Hook
from ..habitat.obstacles import Obstacles
from ..habitat.plankton import PlanktonCloud
from ..habitat.tank import Tank
from ..motor.tuning import AWRY_ANGLE, RUN_UP_LENGTHS, TURNING_CIRCLE_LENGTHS
from ..perception.alarm import known_to_mates
from ..perception.focuser import SKILLS, attend, food_desirability, persist, prey_cost, relative, target
from ..perception.recollection import Recollection
from ..perception.tuning import (
    ADMIRED_MATES,
    FEARED_PREDATORS,
    FOOD_TURN_COST,
    SMELLED_PARTICLES,
    WEIGHED_PREY,
)
from ..perception.vision import Vision
from .character import Characters
from .comfort import Comfort
from .intention import AVOID, EAT, ENABLED, ESCAPE, LEAVE, MATE, PREDATOR, PREY, SCHOOL, WANDER, IntentionGenerator
from .mental_state import MentalState, fear
from .mood import FEAR
from .routines import escape as flight
from .routines.chase import chase, runs_up, sigma_for
from .routines.leave import Leave
from .routines.mate import Courtship
from .routines.struggle import Struggle
from .routines.tuning import (
    ABEAM_ANGLE,
    ABEAM_LENGTHS,
    AT_HOME_EASE,
    BRAKING_LENGTHS,
    CONFUSING_PREY,
    CONFUSION_RATE,
    FACING_ANGLE,
    GOING_ROUND_SECONDS,
    GRAZING_SIGMA,
    LEAST_CHASE_PACE,
    LEAST_PICKING_PACE,
    LEAVING_HURRY,
    PASSING_PACE,
    PICKING_LENGTHS,
    PICKING_PATIENCE_SECONDS,
    PICKING_RATE,
    SINGLED_OUT_SECONDS,
    STEEP_FOOD_ANGLE,
    TEMPTED_LENGTHS,
    THRONG_LENGTHS,
)

NO_FISH = -1


@dataclass
class Urge:
    """What some fishes, n of them, would do for their intention.

    Attributes:
        wish: Unit vector where each would go, (n, 3); nothing where its intention has no place to go to. Where it
            schools for fear, away from what it fears.
        pace: Share of full speed, (n,).
        pressing: Whether this wins over whim and company, (n,) bool.
        intention: What they are about, (n,) int8.
        goal: Row of the fish that each goes for and so does not keep off, NO_FISH without, (n,).
        hold: Whether it hovers on the spot, (n,) bool.
        back: Speed of a retreat, 0 to 1, (n,).
        near: How far its middle is from what it would pick, in metres, infinite for who picks nothing, (n,).
    """

    wish: np.ndarray
    pace: np.ndarray
    pressing: np.ndarray
    intention: np.ndarray
    goal: np.ndarray
    hold: np.ndarray
    back: np.ndarray
    near: np.ndarray


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
        target: Row of the fish that each is after or flees from, NO_FISH without, (fish,).
        alive: Which fishes are, (fish,) bool; the shoal's own array.
        hunters: Rows of the predators.
        courtship: Who courts whom.
        preferences: M of §6.5.2, one a motor skill, (fish, 6).
        food: Row of the plankton that each is after, NO_FISH without; the row after the last is the bait, (fish,).
        dangers: Where each last saw what it fled from.
        hooked: Which fishes hang on the hook, (fish,) bool.
        struggle: How they struggle; None where there is no hook.
    """

    _STATE = (
        *("target", "food", "_turned", "_passing", "_food", "_fear", "_worst", "_mate", "preferences"),
        *("_sighted", "_grinding", "_fixed", "_circling"),
    )

    def __init__(
        self,
        characters: Characters,
        obstacles: Obstacles,
        length: np.ndarray,
        dice: Dice,
        alive: np.ndarray,
        species: np.ndarray | None = None,
        tank: Tank | None = None,
    ):
        """Begins with nobody in sight.

        Args:
            characters: Of all fishes.
            obstacles: What hides them from each other.
            length: Metres, (fish,).
            dice: A stream for each fish.
            alive: Which fishes are, (fish,) bool; read anew each time.
            species: A number for the species of each fish, (fish,); one for all if left out.
            tank: What they live in; boundless if left out.
        """
        drives, fishes = characters.drives, len(length)
        self.feelings = MentalState(drives, drives["hunger"], drives["libido"])
        self.generator = IntentionGenerator(characters.types, drives, characters.schooling, drives["memory"] > 0)
        self.target = np.full(fishes, NO_FISH)
        self.alive = alive
        self._is_hunter = characters.types == PREDATOR
        self.hunters = np.flatnonzero(self._is_hunter)
        self._is_prey = characters.types == PREY
        self._hunted = np.flatnonzero(self._is_prey)  # nobody goes for pacifists (Tu 1999, §10.3)
        self._drives, self._length, self._dice = drives, length, dice
        self._sighted = np.full(fishes, NO_FISH)  # the predator that each sees itself and is alarmed by
        self.dangers = Recollection(drives["recall"])
        self._grinding = np.zeros(fishes)  # seconds for which each is still busy with its last prey
        self._fixed = np.zeros(fishes)  # seconds for which each predator has had its eye on the same prey
        self._circling = np.zeros(fishes)  # seconds for which each predator has gone round its prey
        self.food = np.full(fishes, NO_FISH)
        self._turned = np.zeros(fishes)  # seconds for which each has turned to plankton that lies aside close by
        self._passing = np.zeros(fishes, dtype=bool)  # who swims on past plankton that it could not turn to
        self._plankton: PlanktonCloud | None = None
        self._particles = 0  # of it, those that wait to be dropped included
        self._comfort: Comfort | None = None
        self._leave: Leave | None = None
        self._hook: Hook | None = None
        self.struggle: Struggle | None = None
        self._vision = Vision(obstacles, drives["sight"] * length, length)
        self._food, self._fear, self._worst = np.full(fishes, np.inf), np.zeros(fishes), np.zeros(fishes)
        self._mate = np.full(fishes, np.inf)
        self.preferences = np.zeros((fishes, SKILLS))
        males = characters.sexes == 0
        self._kinds = kinds = np.zeros(fishes, dtype=int) if species is None else np.asarray(species)
        self._school = np.where(characters.schooling, kinds, NO_FISH)
        self.courtship = Courtship(males, kinds, drives, length, tank or Tank([np.inf] * 3), obstacles)
        may_mate = ENABLED[characters.types, MATE]
        sexes = [np.flatnonzero(may_mate & (males == sex)) for sex in (True, False)]
        # Whom each fish may court: nobody where its own sex or the other is missing.
        self._courtable = [(mine, other) for mine, other in (sexes, sexes[::-1]) if len(mine) and len(other)]
        self._courts = np.zeros(fishes, dtype=bool)
        for mine, _ in self._courtable:
            self._courts[mine] = True

    def offer(self, plankton: PlanktonCloud) -> None:
        """Lets fishes know of plankton, of which there may be more than before."""
        self.food[self.food == self._bait_row] = len(plankton)
        self._plankton, self._particles = plankton if len(plankton) else None, len(plankton)

    def mind_ambience(self, comfort: Comfort, leave: Leave) -> None:
        """Lets fishes mind light and warmth."""
        if comfort.cares.any():
            self._comfort, self._leave = comfort, leave

    def bait(self, hook: Hook, struggle: Struggle) -> None:
        """Lets fishes know of a hook, and how to struggle on it."""
        self._hook, self.struggle = hook, struggle

    @property
    def hooked(self) -> np.ndarray:
        """Which fishes hang on the hook, (fish,) bool."""
        caught = NO_FISH if self._hook is None else self._hook.fish
        return (np.arange(len(self.alive)) == caught) & self.alive

    def feel(self, fishes: np.ndarray, hunger: float | None, libido: float | None, fear: float | None) -> None:
        """Makes these fishes (n,) feel so, 0 to 1; None leaves one as it is. Who is made to want is not weary of it."""
        self.feelings.set(fishes, (hunger, libido, fear), (self._food, self._mate, self._fear))
        for column, wanted in enumerate((hunger, libido)):
            if wanted is not None:
                self.generator.rest[fishes, column] = self.generator.toil[fishes, column] = 0.0

    def heed(self) -> None:
        """Feels at once what keys say, and is not weary of what they make it want."""
        keyed = self.feelings.heed()
        self.generator.toil[keyed[:, :2]] = 0.0

    def frighten(self, at: np.ndarray, radius: float, middle: np.ndarray) -> np.ndarray:
        """Frightens whoever is near a place as a predator would that is first minded at the radius.

        Args:
            at: The place in metres, (3,).
            radius: Metres.
            middle: Of all fishes in metres, (fish, 3).

        Returns:
            Rows of those that are frightened, (n,); predators fear nothing.
        """
        distance, mood = norm(middle - at), self.feelings.mood
        fishes = np.flatnonzero(self.alive & ~self._is_hunter & (distance < radius))
        # F = D0 / d, of a D0 by which F is f0 at the radius (Tu 1999, §7.4).
        felt = np.minimum(self._drives["f0"] * radius / np.maximum(distance, 1e-9), 1.0)[fishes]
        stronger = fishes[felt > mood.offset[fishes, FEAR]]
        mood.offset[fishes, FEAR] = np.maximum(mood.offset[fishes, FEAR], felt)
        mood.threat[stronger] = at
        self.feelings.feel(self._food, self._mate, self._fear)
        return fishes

    def bite(self, fish: int) -> None:
        """Notes who has taken the bait: it thinks of nothing but to get away, and all others lose sight of the bait."""
        self.food[self.food == self._bait_row] = NO_FISH
        self.food[fish] = self.target[fish] = NO_FISH
        self.generator.intention[fish] = ESCAPE

    def drawn(self) -> np.ndarray:
        """Rows of whoever a predator's mouth draws in: all that live and are no predators, (n,)."""
        return np.flatnonzero(self.alive & ~self._is_hunter)

    def edible(self, fishes: np.ndarray) -> np.ndarray:
        """Which of these are swallowed, too, (n,) bool: prey."""
        return self._is_prey[fishes]

    def eaters(self) -> np.ndarray:
        """Rows of those that are about to eat and have something to, (n,)."""
        hunts = self.hunts(np.arange(len(self.alive)))
        ready = np.where(hunts, (self.target != NO_FISH) & (self._fixed >= SINGLED_OUT_SECONDS), self.food != NO_FISH)
        return np.flatnonzero(self.alive & ready & (self.generator.intention == EAT) & (self._grinding == 0.0))

    def hunts(self, fishes: np.ndarray) -> np.ndarray:
        """Which of these are after fishes and not after plankton or bait, (n,) bool."""
        return self._is_hunter[fishes] & (self.food[fishes] == NO_FISH)

    def food_nodes(self, fishes: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """Places of what these eaters are after, (n, 23, 3): the nodes of prey, a particle as often."""
        hunts = self.hunts(fishes)
        found = nodes[np.where(hunts, self.target[fishes], 0)]
        grazers = np.flatnonzero(~hunts)
        if len(grazers):
            found[grazers] = self._morsels()[0][self.food[fishes[grazers]]][:, None]
        return found

    def decide(self, fishes: np.ndarray, bodies: Bodies, danger: np.ndarray, elapsed: np.ndarray) -> Urge:
        """Looks around, feels, and settles what these fishes are about.

        Args:
            fishes: Rows of those that take thought, (n,).
            bodies: Of all fishes.
            danger: Whether a collision is near, (n,) bool.
            elapsed: Seconds since each last took thought, (n,).
        """
        self._grinding[fishes] = np.maximum(self._grinding[fishes] - elapsed, 0.0)
        self._look(fishes, bodies.nodes, bodies.frames, elapsed)
        self._admire(fishes, bodies.nodes, bodies.frames[:, :, 0], elapsed)
        self.feelings.feel(self._food, self._mate, self._fear)
        fright = self.feelings.mood.fright
        hunts, number = self.hunts(fishes), len(fishes)
        feeds = self._plankton is not None or self._hook is not None
        intention, _ = self.generator.decide(
            fishes,
            danger,
            fear_total=self.feelings.fear[fishes],
            fear_most=np.maximum(self._worst, fright)[fishes],
            hunger=np.where((hunts | feeds) & (self._grinding[fishes] == 0.0), self.feelings.hunger[fishes], 0.0),
            libido=np.where(self._courts[fishes], self.feelings.libido[fishes], 0.0),
            content=self._content(fishes, bodies),
            elapsed=elapsed,
            chance=self._dice.uniform(fishes),
        )
        never, goal = np.zeros(number, dtype=bool), np.full(number, NO_FISH)
        wish, pace, back, near = np.zeros((number, 3)), np.zeros(number), np.zeros(number), np.full(number, np.inf)
        urge = Urge(wish, pace, never, intention, goal, never.copy(), back, near)
        has_target, has_food = self.target[fishes] != NO_FISH, self.food[fishes] != NO_FISH
        preys = (intention == EAT) & hunts
        self._circling[fishes[~preys]] = 0.0
        goal[preys] = self.target[fishes[preys]]
        has_foe = has_target | (fright[fishes] > 0)
        rows = np.flatnonzero(preys & has_target)
        urge.wish[rows], urge.pace[rows], urge.hold[rows] = self._hunt(fishes[rows], bodies, elapsed[rows])
        urge.pressing[rows] = True
        rows = np.flatnonzero((intention == ESCAPE) & has_foe)
        urge.wish[rows], urge.pace[rows] = self._flee(fishes[rows], bodies)
        urge.pressing[rows] = True
        rows = np.flatnonzero((intention == EAT) & ~hunts & has_food)
        urge.wish[rows], urge.pace[rows], urge.hold[rows] = self._graze(fishes[rows], bodies, elapsed[rows])
        urge.pressing[rows] = True
        morsel = self._morsels()[0][self.food[fishes[rows]]]
        urge.near[rows] = norm(morsel - bodies.nodes[fishes[rows]].mean(axis=1))
        rows = np.flatnonzero((intention == MATE) & (self.courtship.partner[fishes] != NO_FISH))
        if len(rows):
            moves = self.courtship.moves(fishes[rows], bodies.nodes, bodies.frames, bodies.velocity)
            urge.wish[rows], urge.pace[rows] = moves.wish, moves.pace
            urge.hold[rows], urge.back[rows] = moves.hold, moves.back
            urge.pressing[rows], goal[rows] = True, self.courtship.partner[fishes[rows]]
        afraid = self.feelings.fear[fishes] > self._drives["f0"][fishes]
        nose = bodies.nodes[fishes, NOSE_NODE]
        at_ease = np.flatnonzero((intention == SCHOOL) | (intention == LEAVE) | (intention == WANDER))
        urge.wish[at_ease] = self.dangers.away(fishes[at_ease], nose[at_ease])
        wary = np.flatnonzero((intention == SCHOOL) & has_foe & afraid)
        urge.wish[wary] = unit(nose[wary] - self._foes(fishes[wary], bodies)[0])
        return urge

    def prefer(self, fishes: np.ndarray, bodies: Bodies, threat: np.ndarray) -> None:
        """Sets the motor preferences of fishes that have taken thought (Tu 1999, §6.5.2 and §7.6).

        Args:
            fishes: Their rows, (n,).
            bodies: Of all fishes.
            threat: Towards what each may run into, of length 1 and more where it is about to, (n, 3).
        """
        feelings, intention = self.feelings, self.generator.intention[fishes]
        strength = np.stack((feelings.fear, feelings.hunger, feelings.libido), axis=1)[fishes]
        of_intention = np.ones(len(fishes))
        for column, what in enumerate((ESCAPE, EAT, MATE)):
            of_intention = np.where(intention == what, strength[:, column], of_intention)
        tau = np.minimum(strength / np.maximum(of_intention, 1e-3)[:, None], 1.0)
        nose, none = bodies.nodes[fishes, NOSE_NODE], np.zeros((len(fishes), 3))
        fish, mate = self.target[fishes], self.courtship.partner[fishes]
        at_fish, at_mate = (
            np.where((row != NO_FISH)[:, None], bodies.nodes[row].mean(axis=1) - nose, none) for row in (fish, mate)
        )
        hunts, morsels, grain = self._is_hunter[fishes], self._morsels()[0], self.food[fishes]
        at_food = np.where(self.hunts(fishes)[:, None], at_fish, none)
        if len(morsels):
            at_food = np.where((grain != NO_FISH)[:, None], morsels[grain] - nose, at_food)
        offset = np.stack((np.where(hunts[:, None], none, at_fish), at_food, at_mate, threat), axis=1)
        value = np.concatenate((tau * (-1.0, 1.0, 1.0), -np.minimum(norm(threat), 1.0)[:, None]), axis=1)
        value *= offset.any(axis=2)
        self.preferences[fishes] = attend(np.einsum("nij,nki->nkj", bodies.frames[fishes], offset), value)

    def about(self) -> tuple[np.ndarray, np.ndarray]:
        """The fish and the particle that each is about, NO_FISH where its intention has none, (fish,) each."""
        intention = self.generator.intention
        chased = (intention == ESCAPE) | ((intention == EAT) & self.hunts(np.arange(len(intention))))
        fish = np.where(chased, self.target, np.where(intention == MATE, self.courtship.partner, NO_FISH))
        return np.where(self.alive, fish, NO_FISH), np.where(self.alive & (intention == EAT), self.food, NO_FISH)

    @property
    def courting(self) -> bool:
        """Whether anybody has a mate in mind."""
        return self.courtship.at_work

    def court(self, dt: float, nodes: np.ndarray, frames: np.ndarray) -> list[dict[str, Any]]:
        """Leads those that court from stage to stage.

        Args:
            dt: Seconds since it was last called.
            nodes: Metres, (fish, 23, 3).
            frames: Columns ahead, left and up, (fish, 3, 3).

        Returns:
            What happened, as in `Recording.events` but for the frame.
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

    def away(
        self, fishes: np.ndarray, intention: np.ndarray, place: np.ndarray, azimuth: np.ndarray, elapsed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Who would rather be where light or warmth are otherwise, and whither.

        A school by habit stays together, but what each of it would do by itself is to leave: they go together.

        Args:
            fishes: Rows of those that take thought, (n,).
            intention: What they are about, (n,).
            place: Metres, (n, 3).
            azimuth: Of their heading in radians, (n,).
            elapsed: Seconds since each last took thought, (n,).

        Returns:
            Which of the n, (m,), and unit vectors where these would go, (m, 3).
        """
        if self._comfort is None or self._leave is None:
            return np.arange(0), np.zeros((0, 3))
        free = (intention == LEAVE) | (intention == SCHOOL) | (intention == AVOID)
        rows = np.flatnonzero(free & ~self._comfort.content[fishes])
        better = self._comfort.better(fishes[rows], place[rows])
        return rows, self._leave.wish(fishes[rows], better, azimuth[rows], elapsed[rows])

    def unrest(self, fishes: np.ndarray, leaves: np.ndarray) -> np.ndarray:
        """Factor on the pace of these fishes (n,), of whom some leave, (n,) bool: slower where it is good, (n,)."""
        if self._comfort is None:
            return np.ones(len(fishes))
        at_home = self._comfort.cares[fishes] & self._comfort.content[fishes]
        return np.where(leaves, LEAVING_HURRY, np.where(at_home, AT_HOME_EASE, 1.0))

    def fed(self, fishes: np.ndarray) -> None:
        """Notes a meal of each of these, (n,); success does not tire. Prey has to be ground (Tu 1999, §7.9.1)."""
        self.feelings.fed(fishes, 1.0)
        self._grinding[fishes] = np.where(self.hunts(fishes), self._drives["handling"][fishes], 0.0)
        self.generator.toil[fishes, 0] = 0.0

    def forget(self, fishes: np.ndarray) -> None:
        """Takes these fishes, (n,), which have died, out of everybody's mind."""
        for whom in (self.target, self._sighted):
            whom[np.isin(whom, fishes)] = NO_FISH
        self._sighted[fishes] = NO_FISH
        self.courtship.leave(fishes)

    def enter(self, fishes: np.ndarray) -> None:
        """Has these fishes, (n,), which have come in, feel as they do at the beginning."""
        self.feelings.begin(fishes)

    def _content(self, fishes: np.ndarray, bodies: Bodies) -> np.ndarray:
        """Whether these like the light and the warmth in the middle of their bodies (§6.1), (n,) bool."""
        if self._comfort is None:
            return np.ones(len(fishes), dtype=bool)
        return self._comfort.judge(fishes, bodies.nodes[fishes].mean(axis=1))

    def _look(self, fishes: np.ndarray, nodes: np.ndarray, frames: np.ndarray, elapsed: np.ndarray) -> None:
        """Sees predators or prey, whichever concerns each, and smells plankton; sets fear, food and target."""
        self._smell(fishes[~self._is_hunter[fishes]], nodes, frames)
        ahead = frames[:, :, 0]
        if not len(self.hunters):
            return
        eye, middle = nodes[:, NOSE_NODE], nodes.mean(axis=1)
        wary = fishes[~self._is_hunter[fishes]]
        hunters = fishes[self._is_hunter[fishes]]
        near = self._nearest(wary, self.hunters, middle, FEARED_PREDATORS)
        seen, distance = self._vision.look(wary, near, eye, ahead, nodes, self.alive)
        of, sees = self._drives[wary], seen
        heard = known_to_mates(
            wary, near, self._sighted, self._school, self._drives["vigilance"] * self._length, middle, ahead
        )
        distance = np.where(heard & ~seen, norm(middle[near] - eye[wary][:, None]), distance)
        seen = seen | heard
        each, self._fear[wary] = fear(distance / of["book_metres"][:, None], seen, of["D0"])
        worst = each.argmax(axis=1)[:, None]
        self._worst[wary] = np.take_along_axis(each, worst, axis=1)[:, 0]
        most_feared = np.take_along_axis(near, worst, axis=1)[:, 0]
        self.target[wary] = np.where(self._worst[wary] > 0, most_feared, NO_FISH)
        alarmed = self._worst[wary] > of["f0"]
        witness = np.take_along_axis(sees, worst, axis=1)[:, 0] & alarmed
        self._sighted[wary] = np.where(witness, most_feared, NO_FISH)
        now = elapsed[~self._is_hunter[fishes]]
        self.dangers.look(wary, self._worst[wary] > 0, alarmed, middle[most_feared], now)

        near = self._nearest(hunters, self._hunted, middle, WEIGHED_PREY)
        seen, distance = self._vision.look(hunters, near, eye, ahead, nodes, self.alive)
        self._food[hunters] = distance.min(axis=1, initial=np.inf)
        self._choose(hunters, near, distance, middle, eye, ahead, elapsed[self._is_hunter[fishes]])
        self._tempt(hunters, eye)

    def _admire(self, fishes: np.ndarray, nodes: np.ndarray, ahead: np.ndarray, elapsed: np.ndarray) -> None:
        """Sees those of the other sex, and chooses among them if it means to mate."""
        for mine, others in self._courtable:
            now = np.isin(fishes, mine, assume_unique=True)
            me = fishes[now]
            if not len(me):
                continue
            eye, middle = nodes[:, NOSE_NODE], nodes.mean(axis=1)
            chosen = self.courtship.partner[me]
            near = self._nearest(me, others, middle, ADMIRED_MATES)
            near = np.concatenate([np.where(chosen == NO_FISH, me, chosen)[:, None], near], axis=1)
            seen, distance = self._vision.look(me, near, eye, ahead, nodes, self.alive)
            self._mate[me] = distance.min(axis=1)
            mates = self.generator.intention[me] == MATE
            gap = norm(middle[near] - eye[me][:, None])
            self.courtship.choose(
                me[mates], near[mates], gap[mates], seen[mates], self.generator.intention, elapsed[now][mates]
            )

    def _smell(self, fishes: np.ndarray, nodes: np.ndarray, frames: np.ndarray) -> None:
        """The most desirable plankton, unless a fish is devoted to what it is after (§6.5.3, §7.7.3).

        The book's distance counts as what it takes to get there: what lies aside costs a turn, as with prey, and what
        lies within the turning circle costs the way of which a fish must lose speed first.
        """
        place, alive = self._morsels()
        if not len(place) or not len(fishes):
            return
        there = np.flatnonzero(alive)
        length, nose, old = self._length[fishes], nodes[fishes, NOSE_NODE], self.food[fishes]
        self.food[fishes], self._food[fishes] = NO_FISH, np.inf
        if not len(there):
            return
        ranks = np.arange(1, min(SMELLED_PARTICLES, len(there)) + 1)
        near = there[cKDTree(place[there]).query(nose, k=ranks)[1]]
        kept = (old != NO_FISH) & alive[old]
        near = np.concatenate([np.where(kept, old, near[:, 0])[:, None], near], axis=1)  # the old one first
        if self._hook is not None and self._hook.offered:
            near = np.concatenate([near, np.full((len(fishes), 1), self._bait_row)], axis=1)
        offset = place[near] - nose[:, None]
        distance = norm(offset)
        own = frames[fishes]
        off = _angle(unit(offset), own[:, None, :, 0])
        smell = (self._drives["smell"][fishes] * length)[:, None]
        beyond = distance > smell
        missed = (off > AWRY_ANGLE) & (distance < TURNING_CIRCLE_LENGTHS * length[:, None])
        cost = distance * (1.0 + FOOD_TURN_COST * off / np.pi) + RUN_UP_LENGTHS * length[:, None] * missed
        if self._hook is not None:
            cost = np.where(near == self._bait_row, cost / self._hook.asked.lure, cost)
        cost = np.where(beyond, np.inf, cost)
        side = relative(np.einsum("nij,nki->nkj", own, offset))
        farthest = (1.0 + FOOD_TURN_COST) * smell + RUN_UP_LENGTHS * length[:, None]  # in the same reckoning
        best = target(food_desirability(cost, farthest), side, self.preferences[fishes])
        rows = np.arange(len(fishes))
        devotion = self._drives["persistence"][fishes] * length
        loyal = kept & persist(cost[:, 0], cost[rows, best], devotion) & np.isfinite(cost[:, 0])
        found = np.where(loyal, near[:, 0], near[rows, best])
        self.food[fishes] = np.where(loyal | np.isfinite(cost[rows, best]), found, NO_FISH)
        self._food[fishes] = np.where(beyond, np.inf, distance).min(axis=1)

    @property
    def _bait_row(self) -> int:
        """Row of the bait among all that grazers may be after."""
        return self._particles

    def _morsels(self) -> tuple[np.ndarray, np.ndarray]:
        """Places of all plankton and, last, of the bait in metres (p, 3), and which is there to be eaten (p,) bool."""
        none = np.zeros((0, 3)), np.zeros(0, dtype=bool)
        place, alive = none if self._plankton is None else (self._plankton.place, self._plankton.alive)
        if self._hook is None:
            return place, alive
        return np.concatenate([place, self._hook.place[None]]), np.append(alive, self._hook.offered)

    def _tempt(self, hunters: np.ndarray, nose: np.ndarray) -> None:
        """Lets predators (n,) take bait that is close, and nearer than any prey; (fish, 3) are all noses."""
        if self._hook is None:
            return
        self.food[hunters] = NO_FISH
        distance = norm(self._hook.place - nose[hunters])
        takes = (
            (distance < TEMPTED_LENGTHS * self._length[hunters]) & (distance < self._food[hunters]) & self._hook.offered
        )
        self.food[hunters[takes]] = self._bait_row
        self._food[hunters] = np.where(takes, distance, self._food[hunters])

    def _choose(
        self,
        hunters: np.ndarray,
        near: np.ndarray,
        distance: np.ndarray,
        middle: np.ndarray,
        eye: np.ndarray,
        ahead: np.ndarray,
        elapsed: np.ndarray,
    ) -> None:
        """The prey that costs each predator least, unless it is devoted to the one it has (Tu 1999, §7.7.3, §7.9.1)."""
        offset = middle[near] - eye[hunters][:, None]
        off = _angle(unit(offset * (1.0, 1.0, 0.0)), unit(ahead[hunters] * (1.0, 1.0, 0.0))[:, None])
        visible = np.where(np.isfinite(distance), distance, 1e9)
        cost = prey_cost(visible, self.generator.intention[near] == SCHOOL, off)
        best = cost.argmin(axis=1)[:, None]
        new, far = (np.take_along_axis(of, best, axis=1)[:, 0] for of in (near, distance))
        old = self.target[hunters]
        still = np.where(near == old[:, None], distance, np.inf).min(axis=1)
        loyal = persist(still, far, self._drives["persistence"][hunters] * self._length[hunters]) & np.isfinite(still)
        aim = np.where(loyal, old, np.where(np.isfinite(far), new, NO_FISH))
        aim = self._confound(hunters, aim, near, np.isfinite(distance), middle, elapsed)
        self._fixed[hunters] = np.where(aim == old, self._fixed[hunters] + elapsed, 0.0)
        self.target[hunters] = aim

    def _confound(
        self,
        hunters: np.ndarray,
        aim: np.ndarray,
        near: np.ndarray,
        seen: np.ndarray,
        middle: np.ndarray,
        elapsed: np.ndarray,
    ) -> np.ndarray:
        """What each predator then aims at: among many alike it loses the one that it had for another of them.

        After Neill & Cullen (1974), whose predators switched from one to another before they struck at a school, and
        Landeau & Terborgh (1986).

        Args:
            hunters: Rows of n predators, (n,).
            aim: Row of what each means to go for, one of those near, or NO_FISH, (n,).
            near: Rows of prey, (n, k).
            seen: Which of these it sees, (n, k) bool.
            middle: Places of all fishes in metres, (fish, 3).
            elapsed: Seconds since each last looked, (n,).

        Returns:
            Rows, (n,).
        """
        close = norm(middle[near] - middle[aim][:, None]) < THRONG_LENGTHS * self._length[hunters, None]
        alike = seen & close & (near != aim[:, None]) & (self._kinds[near] == self._kinds[aim][:, None])
        alike &= (aim != NO_FISH)[:, None]
        many = alike.sum(axis=1)
        rate = CONFUSION_RATE * self._drives["confusion"][hunters] * many / (many + CONFUSING_PREY)
        loses = self._dice.uniform(hunters) < -np.expm1(-rate * elapsed)
        which = np.floor(self._dice.uniform(hunters) * many) + 1
        other = (alike & (np.cumsum(alike, axis=1) == which[:, None])).argmax(axis=1)
        return np.where(loses, np.take_along_axis(near, other[:, None], axis=1)[:, 0], aim)

    def _nearest(self, fishes: np.ndarray, among: np.ndarray, middle: np.ndarray, most: int) -> np.ndarray:
        """The nearest of some fishes that live, (n, k); at least one column, its own row for nobody."""
        among = among[self.alive[among]]
        if not len(among) or not len(fishes):
            return fishes[:, None]
        ranks = np.arange(1, min(most, len(among)) + 1)
        return among[cKDTree(middle[among]).query(middle[fishes], k=ranks)[1]]

    def _hunt(self, me: np.ndarray, bodies: Bodies, elapsed: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Wish, pace and hold of going for the target, cutting it off (Tu 1999, §7.8.2), or of turning to it.

        Prey within the circle that a predator turns in is never reached at full speed.
        """
        prey, nodes, velocity = self.target[me], bodies.nodes, bodies.velocity
        offset = nodes[prey].mean(axis=1) - nodes[me, NOSE_NODE]
        length, ahead = self._length[me], bodies.frames[me, :, 0]
        sigma = sigma_for(EAT, norm(offset), length)
        pursuit = chase(offset, velocity[prey], ahead, dot(velocity[me], ahead), length, sigma, True)
        aside = pursuit.off > np.where(self._circling[me] > GOING_ROUND_SECONDS, AWRY_ANGLE, ABEAM_ANGLE)
        aside &= norm(offset) < ABEAM_LENGTHS * length
        self._circling[me] = np.where(aside, self._circling[me] + elapsed, 0.0)
        turns = self._circling[me] > GOING_ROUND_SECONDS
        # Prey that flees is not caught by slowing down.
        pace = np.where(turns, 0.0, np.maximum(pursuit.pace, LEAST_CHASE_PACE))
        return np.where(turns[:, None], unit(offset), pursuit.wish), pace, turns

    def _graze(self, me: np.ndarray, bodies: Bodies, elapsed: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Wish, pace and hold of going for plankton, slower the nearer it is; what lies aside is turned to in a glide.

        A fish that swims turns in too wide a circle to pick what is near: it must be slow, and its fins turn it. What
        is nearer than a glide could turn to it brakes for. Who only goes round what it wants swims on and comes back.
        """
        if not len(me):
            return np.zeros((0, 3)), np.zeros(0), np.zeros(0, dtype=bool)
        offset = self._morsels()[0][self.food[me]] - bodies.nodes[me, NOSE_NODE]
        length, ahead, distance = self._length[me], bodies.frames[me, :, 0], norm(offset)
        speed, sigma = dot(bodies.velocity[me], ahead), np.full(len(me), GRAZING_SIGMA)
        pursuit = chase(offset, np.zeros_like(offset), ahead, speed, length, sigma, False)
        nearby, off, turned = distance < PICKING_LENGTHS * length, _angle(unit(offset), ahead), self._turned[me]
        close = distance < BRAKING_LENGTHS * length
        steep = close & (np.abs(offset[:, 2]) > np.sin(STEEP_FOOD_ANGLE) * distance)
        leaves = runs_up(
            self._passing[me] | steep | (turned > PICKING_PATIENCE_SECONDS), offset, ahead, length, begins=False
        )
        turns = nearby & ~leaves & (off > np.where(turned > 0.0, FACING_ANGLE, AWRY_ANGLE))
        self._passing[me], self._turned[me] = leaves, np.where(turns, close * turned + elapsed, 0.0)
        hasty = nearby & (speed > PICKING_RATE * (length + distance))
        pace = np.where(turns | hasty, 0.0, np.clip(distance / (PICKING_LENGTHS * length), LEAST_PICKING_PACE, 1.0))
        wish = np.where(leaves[:, None], unit(ahead * (1.0, 1.0, 0.2)), pursuit.wish)
        return wish, np.where(leaves, PASSING_PACE, pace), turns & close

    def _flee(self, me: np.ndarray, bodies: Bodies) -> tuple[np.ndarray, np.ndarray]:
        """Wish and pace of getting away from the most dangerous predator by the book's rules (Tu 1999, §7.9.2)."""
        nodes, velocity, own = bodies.nodes, bodies.velocity, bodies.frames[me]
        at, heading, motion, size = self._foes(me, bodies)
        offset = at - nodes[me].mean(axis=1)
        found = flight.escape(
            np.einsum("nij,ni->nj", own, offset),
            np.einsum("nij,ni->nj", own, heading),
            -dot(motion - velocity[me], unit(offset)),
            self._length[me],
            size,
            self._dice.uniform(me),
        )
        return flight.wish(own[:, :, 0], own[:, :, 1], found.turn, offset), found.pace

    def _foes(self, me: np.ndarray, bodies: Bodies) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Place, heading, velocity and length, (n, 3) thrice and (n,), of what each of these fishes is afraid of.

        What frightened it is taken for one of its own length that comes at it; without a place it is right behind.
        """
        foe, mood = self.target[me], self.feelings.mood
        at, heading = bodies.nodes[foe].mean(axis=1), bodies.frames[foe, :, 0]
        motion, size = bodies.velocity[foe], self._length[foe]
        known = ~np.isnan(mood.threat[me, 0]) & (mood.offset[me, FEAR] > self._worst[me])
        rows = np.flatnonzero(known | (foe == NO_FISH))
        if len(rows):
            middle, ahead = bodies.nodes[me[rows]].mean(axis=1), bodies.frames[me[rows], :, 0]
            behind = middle - self._length[me[rows], None] * ahead
            at[rows] = np.where(known[rows, None], mood.threat[me[rows]], behind)
            heading = heading.copy()
            heading[rows] = unit(middle - at[rows])
            motion[rows], size[rows] = heading[rows], self._length[me[rows]]
        return at, heading, motion, size


def _angle(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Between unit vectors (..., 3), in radians, (...)."""
    return np.arccos(np.clip(dot(first, second), -1.0, 1.0))
