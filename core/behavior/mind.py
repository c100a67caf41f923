"""The loop of all minds: perceive, decide, wish, steer.

A fish decides every quarter to half of a second, earlier when something is close ahead, and at once when it is
startled; in between it carries out its last decision, as fast as what lies ahead allows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.dice import Dice
from ..base.state import Stateful, state
from ..base.sums import total
from ..base.vectors import dot, norm, wrap
from ..habitat.currents import Current
from ..motor.commands import Commands
from ..perception.navigation.navigator import Navigator
from ..perception.neighbours import Neighbourhood
from ..perception.swimmers import NO_FISH, Swimmers
from ..perception.threats import threats
from ..scene.scene import Scene
from .afterthoughts import think_better
from .attention import Attention
from .character import Cast
from .decision import Decision
from .director import DirectedFishes, Director, Lead
from .instructions import Instructions
from .intention import AVOID, EAT, ESCAPE, MATE, SCHOOL, WANDER
from .plan import Company, Crowd, Plan, Wish
from .routines.avoid import PickedWays, Situation, best_way, keep_off, press_off
from .routines.haunts import Haunts
from .routines.school import keep_together, wait_for
from .routines.tuning import FAN_JITTER
from .routines.wander import Wander
from .steering import Outlook, TurnHistory, compromise
from .tuning import (
    ABSENT_METRES,
    ALARM_HURRY,
    ALARMING_SIGHT,
    CLEARANCE_LEAST_WISH,
    CLOSE_PICKING_LENGTHS,
    CROWD_LEVELLING,
    CROWDED_PUSH,
    CURIOSITY,
    GATHERING_PULL,
    GLANCE_SECONDS,
    LED_HOLD_STRENGTH,
    LEVELLING,
    OBEYED_STRENGTH,
    PICKING_BERTH_LENGTHS,
    PLAN_WEIGHT,
    PUSH_AS_THREAT,
    REPLICA_BERTH,
    REPLICA_COMFORT,
    RESTING_DRIFT,
    RESTING_PUSH,
    ROOM_AHEAD_LENGTHS,
    SCHOOLING_WHIM_LOSS,
    SHAPE_WARY_SHARE,
    SHORTEST_SIGHT_LENGTHS,
    SHYNESS,
    SLEEPING_COMFORT,
    SLOWING_PACE,
    SLOWING_SHARE,
    TARGET_ZEAL,
    THOUGHT_SECONDS,
    TOUCHED_LENGTHS,
    TOUCHING_BERTH_LENGTHS,
    UPSTREAM_PULL,
    WARINESS,
)
from .turns import Turns


class Mind(Stateful):
    """Decides for all fishes of a scene.

    Attributes:
        threat: Row of the fish that each avoids, the worst in its box, NO_FISH without, (fish,).
        decision: Their perception, desires and intentions.
        director: The direction that leads them.
        wander: The whims that each would follow if it were alone in open water.
        steering: Their courses.
        turns: The order in which they think.
        navigator, haunts: The search for ways, and the return of fishes to places that they remember; None where no
            fish remembers any.
        instructions: What fishes are told; None where nobody is.
    """

    threat: np.ndarray = state("i8", "fish", low=-1, high="fish", begin=NO_FISH)

    def __init__(
        self, scene: Scene, cast: Cast, home: np.ndarray, rhythm: Sequence[np.ndarray], dice: Dice, decision: Decision
    ):
        """Begins with every fish on its course.

        Args:
            scene: The scene whose current and direction they heed.
            cast: The fishes.
            home: Place where each fish begins in metres, (fish, 3).
            rhythm: Beats a second at full speed, and the shares of beats and contractions that are left at the
                slowest, (fish,) each.
            dice: A stream for each fish.
            decision: Their perception, desires and intentions.
        """
        characters, fishes = cast.characters, len(cast.length)
        self._alive, self._length, self._leads = cast.alive, np.array(cast.length, dtype=float), characters.leads
        self._traits, self._dice = characters.temperament, dice
        self._social = np.where(self._leads, 0.0, self._traits["schooling"])
        self.decision, self.director = decision, Director(scene, dice)
        self._current, self._fps, self._preroll = Current.from_scene(scene), scene.fps, scene.preroll_frames
        self._antenna = decision.antenna
        sight = characters.drives["sight"] * self._length
        self._neighbourhood = Neighbourhood(self._length, cast.species, self._leads, sight, cast.retinas)
        self._attention = Attention(self._traits, dice)
        self.wander = Wander(self._traits, np.array(home, dtype=float), self._length, dice, self._leads)
        self.wander.live_in(decision.waters)
        self.steering = TurnHistory(self._antenna, self._traits, self._length, rhythm)
        self.turns = Turns(fishes, dice)
        self.navigator: Navigator | None = None
        self.haunts: Haunts | None = None
        self.instructions: Instructions | None = None
        self._composure = characters.drives["composure"]
        self._fill(fish=fishes)

    def decide(self, t: float, dt: float, swimmers: Swimmers, touched: np.ndarray) -> Commands:
        """Decides what every fish does in the next frame.

        Args:
            t: Time in seconds.
            dt: Length of a frame in seconds.
            swimmers: All fishes, with velocities over ground.
            touched: Mask of the fishes that were touched in the last one, or touched something, (fish,) bool.

        Returns:
            One command per fish. A turn is given once, when it is to begin.
        """
        if self.navigator is not None:
            self.navigator.begin(t)
        if not self._alive.all():  # out of everybody's way
            absent = -ABSENT_METRES * np.arange(1.0, len(self._length) + 1.0)[:, None]
            swimmers = swimmers.but(place=np.where(self._alive[:, None], swimmers.place, absent))
        wish = self.steering.command(self._turn(t, dt, swimmers, touched), self._alive, dt)
        commands = self.director.prolonged(wish)
        if self.decision.struggle is not None:
            hooked = np.flatnonzero(self.decision.hooked)
            self.decision.struggle.command(commands, hooked, swimmers.ahead, dt)
        return commands

    def heed(self, fishes: np.ndarray, pace: np.ndarray) -> None:
        """Follows recommended paces where nothing prevents it (Yu & Terzopoulos 1999, §6.1).

        Args:
            fishes: Rows of the fishes to which they are recommended, (n,).
            pace: From 0, the slowest that each is at ease with, to 1, the fastest, (n,).
        """
        intention, calm = self.decision.generator.intention[fishes], np.isnan(self.steering.pace[fishes])
        calm &= (intention == WANDER) | (intention == SCHOOL)
        self.wander.vary(fishes[calm], pace[calm])

    def _turn(self, t: float, dt: float, swimmers: Swimmers, touched: np.ndarray) -> np.ndarray:
        """Looks ahead, has fishes think at their turn, and sets the pace; returns the turns that begin, (fish,)."""
        free = self._alive & ~self.decision.hooked
        drift = None if self._current.still else self._current.velocity(swimmers.place, t)
        outlook = self.steering.look_ahead(swimmers, drift, dt)
        near = (outlook.free < ALARMING_SIGHT * outlook.sight) | self._antenna.loomed(swimmers.place, self._length)
        mood, generator = self.decision.feelings.mood, self.decision.generator
        intention = generator.intention
        fright = self.decision.dread.shown(mood.fright, intention == ESCAPE, generator.since)
        if fright.any():
            frightened, by, given = self.decision.sightings.frights(fright, swimmers)
            mood.take_over(dt, frightened, swimmers.middle[by], given)
        alarms = np.concatenate((touched[None], self.decision.alarms(swimmers)))
        fishes = self.turns.thinking(dt, near, alarms, free)
        turn = np.zeros(len(free))
        self.decision.sniff(swimmers, dt)
        if len(fishes):
            turn[fishes] = self._think(t, fishes, outlook, swimmers, free)
        stroke = self.wander.stroke(dt)
        stroke = np.where(intention == SCHOOL, 1.0 + self._traits["coast_school"] * (stroke - 1.0), stroke)
        own_pace = self.wander.pace * np.where(np.isnan(self.steering.pace), stroke, 1.0)
        self.steering.resolve_pace(dt, outlook, swimmers, own_pace)
        return turn

    def _think(
        self, t: float, fishes: np.ndarray, outlook: Outlook, swimmers: Swimmers, free: np.ndarray
    ) -> np.ndarray:
        """Has fishes perceive, decide and resolve where to go.

        Args:
            t: Time in seconds.
            fishes: Their rows, (n,).
            outlook: The outlook of all fishes.
            swimmers: All fishes, with velocities over ground.
            free: Mask of the fishes that are there and on no hook, (fish,) bool.

        Returns:
            The turns that begin, in radians, (n,).
        """
        steering, place, length, azimuth = self.steering, swimmers.place, self._length, outlook.azimuth[fishes]
        through = swimmers.but(velocity=swimmers.velocity - outlook.drift)
        company = self._company(t, fishes, swimmers, outlook.speed)
        danger = self._in_danger(fishes, swimmers, outlook.free_ahead)
        plan = self.decision.decide(fishes, through, danger, company.together, self.turns.since[fishes])
        known = self.haunts, self.director.journeys, self.instructions, self.turns.since[fishes]
        think_better(t, fishes, plan, through, self.decision, *known)
        lead = None if self.director.idle else self.director.lead(t, fishes, DirectedFishes.of(swimmers, length, free))
        crowd = self._crowd(fishes, swimmers, company, plan, lead)
        sight, berth = self._clearance(fishes, outlook.sight, plan)
        antenna = self._antenna.of(fishes)
        clear = antenna.keep_clear(place[fishes], length[fishes], berth)
        self.decision.prefer(fishes, through, -PUSH_AS_THREAT * (crowd.push + total(clear, axis=1)))
        wish = self._wish(fishes, swimmers, azimuth, company, crowd.push, plan)
        pressed = np.maximum(norm(crowd.push), norm(total(clear, axis=1)))
        steering.hold[fishes] |= self._rests(fishes, place[fishes], plan, wish, pressed, norm(outlook.drift[fishes]))
        if lead is not None:
            self._obey(fishes, lead, plan, wish, crowd.push, place)
        against = -outlook.lee[:, None] * outlook.downstream
        wish.wish += UPSTREAM_PULL * against[fishes]
        wish.wish = press_off(wish.wish, clear)

        ahead, wound = swimmers.ahead[fishes], steering.wound[fishes]
        way = best_way(
            antenna,
            Situation(
                wish=wish.wish + CLEARANCE_LEAST_WISH * ahead,
                aim=steering.aim[fishes],
                place=place[fishes],
                ahead=ahead,
                speed=outlook.speed[fishes],
                drift=outlook.drift[fishes],
                length=length[fishes],
                sight=sight,
                jitter=self._dice.uniform(fishes, -FAN_JITTER, FAN_JITTER),
                zeal=wish.zeal,
                wound=np.where(plan.pressing, 0.0, wound),  # courting and hunting lead round and round
                berth=berth,
            ),
        )
        preferences = self.decision.focus.preferences[fishes]
        course = compromise(way.azimuth, azimuth, preferences, ~way.detour)
        steering.climb[fishes] = way.climb
        led = way.detour | wish.leaves
        self.wander.follow(fishes[led], course[led], way.climb[led])
        close = (outlook.free < ALARMING_SIGHT * outlook.sight)[fishes]
        self._bear(fishes, company, crowd, wish, way, close)
        self._set_pause(fishes, plan, lead)
        return steering.begin_turns(fishes, course, wrap(course - azimuth))

    def _lived(self, t: float) -> float:
        """Seconds that the fishes have lived at a time of the film, to the bit the same with a pre-roll and without."""
        return (round(t * self._fps) + self._preroll) / self._fps

    def _in_danger(self, fishes: np.ndarray, swimmers: Swimmers, free: np.ndarray) -> np.ndarray:
        """Mask of these fishes, (n,), that something is dangerously close ahead of; see `RULES`, "collision".

        Args:
            fishes: Their rows, (n,).
            swimmers: All fishes.
            free: The free way ahead of all fishes in metres, (fish,).
        """
        generator, length = self.decision.generator, self._length[fishes]
        avoids = generator.avoids_collision(fishes) & (self._composure[fishes] > 0.0)
        minded = np.where(avoids, ROOM_AHEAD_LENGTHS, 1.0) * length
        heeds = (
            (generator.intention[fishes] != ESCAPE)
            & ~self.steering.picks[fishes]
            & ~self._preys_ahead(fishes, swimmers)
        )
        return heeds & (free[fishes] < minded)

    def _preys_ahead(self, fishes: np.ndarray, swimmers: Swimmers) -> np.ndarray:
        """Mask of those that have prey in front of them, and heed it rather than what stands beyond, (n,) bool."""
        prey = self.decision.focus.target[fishes]
        ahead = dot(swimmers.middle[prey] - swimmers.place[fishes], swimmers.ahead[fishes]) > 0.0
        return self.decision.would_hunt(fishes) & ahead

    def _company(self, t: float, fishes: np.ndarray, swimmers: Swimmers, speed: np.ndarray) -> Company:
        """The company of these fishes, (n,), and its effect on them; speeds in m/s are those of all, (fish,)."""
        length, schooling, ahead = self._length[fishes], self._social[fishes], swimmers.ahead[fishes]
        glances, heed, accord, alignment = self._attention.at(self._lived(t), fishes)
        neighbours = self._neighbourhood.around(fishes, glances, swimmers.place, swimmers.ahead, swimmers.velocity)
        pull, hurry, formed, check = keep_together(neighbours, ahead, speed[fishes], length, heed, accord, alignment)
        hurry = np.where(self._leads[fishes], wait_for(neighbours, ahead, length), schooling * hurry)
        self.steering.check[fishes] = check & (schooling > 0)
        together = ((schooling > 0) | self._leads[fishes]) & (pull != 0).any(axis=1)
        return Company(neighbours, LEVELLING * pull, hurry, together, formed & (schooling > 0))

    def _crowd(self, fishes: np.ndarray, swimmers: Swimmers, company: Company, plan: Plan, lead: Lead | None) -> Crowd:
        """The fishes that are too close to these, (n,), for what they are about."""
        length, scale = self._length[fishes], self._comfort_scale(fishes, company.formed, plan)
        if lead is not None:
            scale *= lead.comfort
        near = threats(company.neighbours, swimmers.frames[fishes], length, self._traits[fishes], scale, plan.goal)
        return Crowd(near, CROWD_LEVELLING * keep_off(near, company.neighbours, length))

    def _comfort_scale(self, fishes: np.ndarray, formed: np.ndarray, plan: Plan) -> np.ndarray:
        """Size of the sensitivity boxes of these fishes under their intentions, over that at ease, (n,).

        Args:
            fishes: Their rows, (n,).
            formed: Mask of those in formation, (n,) bool.
            plan: Their plan.
        """
        of, scale = self._traits, np.where(self.wander.asleep(fishes), SLEEPING_COMFORT, 1.0)
        scale[formed] = of["comfort_school"][fishes[formed]]
        for intention, trait in ((ESCAPE, "comfort_flight"), (EAT, "comfort_eating"), (MATE, "comfort_mating")):
            some = plan.pressing & (plan.intention == intention)
            scale[some] = of[trait][fishes[some]]
        schools = plan.at_ease & (self._social[fishes] > 0)  # as densely
        scale[~schools & self._awkward(fishes)] *= REPLICA_COMFORT
        return scale

    def _awkward(self, fishes: np.ndarray) -> np.ndarray:
        """Mask of replicas, (n,), which turn less nimbly and need more room (Yu & Terzopoulos 1999, §6.2)."""
        return np.zeros(len(fishes), dtype=bool) if self.turns.levels is None else self.turns.levels[fishes] > 0

    def _clearance(self, fishes: np.ndarray, sight: np.ndarray, plan: Plan) -> tuple[np.ndarray, np.ndarray]:
        """Distance in metres within which these fishes heed obstacles ahead, and lengths to keep off them, (n,) each.

        Obstacles beyond the food that a fish picks do not matter, and close to that it goes closer to them.
        """
        length = self._length[fishes]
        picks = plan.near < CLOSE_PICKING_LENGTHS * length
        self.steering.picks[fishes] = picks
        berth = np.where(picks | self.wander.asleep(fishes), PICKING_BERTH_LENGTHS, self.steering.berth[fishes])
        berth[picks & plan.touches] = TOUCHING_BERTH_LENGTHS
        berth[~picks & self._awkward(fishes)] *= REPLICA_BERTH
        beyond = np.where(plan.touches, plan.near - TOUCHED_LENGTHS * length, np.maximum(plan.near, length))
        return np.minimum(sight[fishes], np.maximum(beyond, SHORTEST_SIGHT_LENGTHS * length)), berth

    def _wish(
        self,
        fishes: np.ndarray,
        swimmers: Swimmers,
        azimuth: np.ndarray,
        company: Company,
        push: np.ndarray,
        plan: Plan,
    ) -> Wish:
        """The wishes of these fishes to go somewhere by whim, for company and for their intentions.

        Args:
            fishes: Their rows, (n,).
            swimmers: All fishes.
            azimuth: Azimuths of their headings in radians, (n,).
            company: Their company.
            push: Push of others, (n, 3); it is reduced, in place, to that which does not slow them down.
            plan: Their plan.
        """
        place, ahead, since = swimmers.place[fishes], swimmers.ahead[fishes], self.turns.since[fishes]
        steering, schooling = self.steering, np.where(self.wander.asleep(fishes), 0.0, self._social[fishes])
        whim = self.wander.wish(fishes, place, azimuth, since, plan.intention == SCHOOL)
        leaves = np.zeros(len(fishes), dtype=bool)
        away, wayout = self.decision.unease.away(fishes, plan.intention, place, azimuth, since)
        leaves[away], whim[away] = True, wayout
        self.wander.settle(fishes[away], place[away])
        if len(self.decision.dread.presences):
            whim += CURIOSITY * self.decision.dread.pull(fishes)
        # A fish in front is a reason to slow down rather than to turn back.
        onward = np.minimum(dot(push, ahead), 0.0)
        push -= SLOWING_SHARE * onward[:, None] * ahead
        hurry = (1 + company.hurry) * (1 + SLOWING_PACE * np.maximum(onward, -1.0))
        hurry *= self.decision.unease.unrest(fishes, leaves)
        drawn = GATHERING_PULL * schooling[:, None] * company.pull
        wish = (1 - SCHOOLING_WHIM_LOSS * schooling)[:, None] * whim + drawn
        wish = self.wander.along_walls(fishes, place, wish, ~leaves) + push
        wary = ~plan.pressing & plan.wish.any(axis=1)
        hurry *= np.where(wary, ALARM_HURRY, 1.0)
        wish += WARINESS * wary[:, None] * plan.wish
        wish = np.where(plan.pressing[:, None], PLAN_WEIGHT * plan.wish + SHYNESS * push, wish)
        steering.hurry[fishes], steering.pace[fishes] = hurry, np.where(plan.pressing, plan.pace, np.nan)
        steering.hold[fishes], steering.back[fishes], steering.cstart[fishes] = plan.hold, plan.back, plan.cstart
        steering.rams[fishes] = plan.pressing & (plan.intention == EAT) & (plan.pace > 1.0)
        return Wish(wish, np.where(plan.pressing & ~plan.hold, TARGET_ZEAL, 1.0), drawn, leaves)

    def _rests(
        self, fishes: np.ndarray, place: np.ndarray, plan: Plan, wish: Wish, pressed: np.ndarray, drift: np.ndarray
    ) -> np.ndarray:
        """Mask of those that hover for a whim: nothing presses or draws them, no stream (m/s) bears them off, (n,)."""
        idle = ~plan.pressing & ~wish.leaves & ~plan.wish.any(axis=1) & ~wish.drawn.any(axis=1)
        weak = (drift < RESTING_DRIFT * self._length[fishes]) | self.wander.asleep(fishes)
        curious = self.decision.dread.pull(fishes).any(axis=1)
        return self.wander.resting(fishes, place) & idle & (pressed < RESTING_PUSH) & weak & ~curious

    def _obey(
        self, fishes: np.ndarray, lead: Lead, plan: Plan, wish: Wish, push: np.ndarray, place: np.ndarray
    ) -> None:
        """Mixes the fishes' own wishes with the lead that they are given, as far as they obey.

        Args:
            fishes: Their rows, (n,).
            lead: Their lead; its strength is set to that with which each obeys.
            plan: Their plan.
            wish: Their own wish, `push` included; it is set to the mixture.
            push: Push away from others, (n, 3).
            place: Places of all fishes in metres, (fish, 3).
        """
        steering = self.steering
        flees = plan.pressing & (plan.intention == ESCAPE)
        deaf = plan.pressing & (lead.mild | (flees & (lead.strength < OBEYED_STRENGTH)))
        wary = lead.mild & plan.wish.any(axis=1)
        lead.strength = np.where(deaf, 0.0, lead.strength * np.where(wary, SHAPE_WARY_SHARE, 1.0))
        s = lead.strength
        obeys = s > 0.0
        shyness = np.where(plan.pressing, SHYNESS, 1.0)
        will = wish.wish - shyness[:, None] * push
        size = np.maximum(norm(will), 1.0)
        mixed = (1 - s)[:, None] * will + (s * size)[:, None] * lead.wish + ((1 - s) * shyness + s)[:, None] * push
        own_pace, at_ease = steering.pace[fishes], self.wander.pace[fishes] * steering.hurry[fishes]
        own_pace = np.where(np.isnan(own_pace), at_ease, own_pace)
        paced = obeys & ~np.isnan(lead.pace)
        pace = (1 - s) * own_pace + s * np.where(paced, lead.pace, 0.0)
        steering.pace[fishes] = np.where(paced, pace, steering.pace[fishes])
        self.director.keep_pace(fishes, paced & lead.keeps)
        steering.hold[fishes] &= s < LED_HOLD_STRENGTH
        steering.back[fishes] *= np.where(obeys, 1 - s, 1.0)
        led = fishes[s > LED_HOLD_STRENGTH]
        self.wander.settle(led, place[led])  # it does not long to be back where it was before
        wish.zeal = np.where(obeys & ~lead.mild, np.maximum(wish.zeal, 1.0 + s * (TARGET_ZEAL - 1.0)), wish.zeal)
        wish.wish = np.where(obeys[:, None], mixed, wish.wish)

    def _bear(
        self, fishes: np.ndarray, company: Company, crowd: Crowd, wish: Wish, way: PickedWays, close: np.ndarray
    ) -> None:
        """Notes what is in the way of these fishes, (n,), and whom they avoid if they make way.

        Those of the mask `close`, (n,) bool, have something close before them.
        """
        generator = self.decision.generator
        avoids = generator.intention[fishes] == AVOID
        # A fish in a school avoids a schoolmate where the others push it away more than they draw it.
        crowded = norm(crowd.push) > np.maximum(norm(wish.drawn), CROWDED_PUSH)
        hindered = crowded | (way.detour & (company.together | close | avoids))
        generator.bear(fishes, hindered, company.together, self.turns.since[fishes])
        # A fish that goes on avoiding with more room still has the same fish in mind.
        former = np.where(self._alive[self.threat[fishes]], self.threat[fishes], NO_FISH)
        worst = np.where(crowded, crowd.threats.worst(company.neighbours.fish), former)
        self.threat[fishes] = np.where((avoids & ~way.detour) | crowded, worst, NO_FISH)

    def _set_pause(self, fishes: np.ndarray, plan: Plan, lead: Lead | None) -> None:
        """Sets when these fishes, (n,), think again: soon where they follow a target, or a lead."""
        looks = plan.hurried | ((plan.intention == MATE) & (self._composure[fishes] > 0.0))  # for a mate, too
        pause = np.where(looks, GLANCE_SECONDS, self._dice.uniform(fishes, *THOUGHT_SECONDS))
        if lead is not None:
            follows = (lead.strength > 0.0) & ~lead.mild
            pause = np.where(follows, pause + lead.strength * (GLANCE_SECONDS - pause), pause)
        self.turns.thought(fishes, pause)
