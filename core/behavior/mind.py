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
from ..perception.tuning import BERTH_LENGTHS
from ..scene.scene import Scene
from .attention import Attention
from .character import Cast
from .decision import Decision
from .director import DirectedFishes, Director, Lead
from .intention import AVOID, EAT, ESCAPE, LEAVE, MATE, SCHOOL, WANDER
from .plan import Company, Plan, Wish
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
    CROWDED_PUSH,
    CROWDED_SHARE,
    CURIOSITY,
    GATHERING_PULL,
    GLANCE_SECONDS,
    LEAST_BOUT_SECONDS,
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
    SHYNESS,
    SLOWING_PACE,
    SLOWING_SHARE,
    TARGET_ZEAL,
    THOUGHT_SECONDS,
    UPSTREAM_PULL,
    WARINESS,
)
from .turns import Turns


class Mind(Stateful):
    """Decides for all fishes of a scene.

    Attributes:
        intention: Row of Recording.INTENTIONS that each fish holds, (fish,) int8.
        threat: Row of the fish that each avoids, the worst in its box, NO_FISH without, (fish,).
        decision: Their perception, desires and intentions.
        director: The direction that leads them.
        wander: The whims that each would follow if it were alone in open water.
        steering: Their courses.
        turns: The order in which they think.
        navigator, haunts: The search for ways, and the return of fishes to places that they remember; None where no
            fish remembers any.
    """

    intention: np.ndarray = state("i1", "fish", low=0, high=WANDER, begin=WANDER)
    threat: np.ndarray = state("i8", "fish", low=-1, high="fish", begin=NO_FISH)
    _avoids: np.ndarray = state("f8", "fish", unit="s", begin=-LEAST_BOUT_SECONDS)  # it goes on; below 0, since its end

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
        self._current = Current.from_scene(scene)
        self._fps, self._preroll = scene.fps, scene.preroll_frames
        self._antenna = decision.antenna
        sight = characters.drives["sight"] * self._length
        self._neighbourhood = Neighbourhood(self._length, cast.species, self._leads, sight, cast.retinas)
        self._attention = Attention(self._traits, dice)
        self.wander = Wander(self._traits, np.array(home, dtype=float), self._length, dice, self._leads)
        self.steering = TurnHistory(self._antenna, self._traits, self._length, rhythm)
        self.turns = Turns(fishes, dice)
        self.navigator: Navigator | None = None
        self.haunts: Haunts | None = None
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
        commands = self.steering.command(self._turn(t, dt, swimmers, touched), self._alive, dt)
        if self.decision.struggle is not None:
            hooked = np.flatnonzero(self.decision.hooked)
            self.intention[hooked] = ESCAPE
            self.decision.struggle.command(commands, hooked, swimmers.ahead, dt)
        return commands

    def heed(self, fishes: np.ndarray, pace: np.ndarray) -> None:
        """Follows recommended paces where nothing prevents it (Yu & Terzopoulos 1999, §6.1).

        Args:
            fishes: Rows of the fishes to which they are recommended, (n,).
            pace: From 0, the slowest that each is at ease with, to 1, the fastest, (n,).
        """
        calm = np.isnan(self.steering.pace[fishes])
        calm &= (self.intention[fishes] == WANDER) | (self.intention[fishes] == SCHOOL)
        self.wander.vary(fishes[calm], pace[calm])

    def _turn(self, t: float, dt: float, swimmers: Swimmers, touched: np.ndarray) -> np.ndarray:
        """Looks ahead, has fishes think at their turn, and sets the pace; returns the turns that begin, (fish,)."""
        free = self._alive & ~self.decision.hooked
        drift = None if self._current.still else self._current.velocity(swimmers.place, t)
        outlook = self.steering.look_ahead(swimmers, drift, dt)
        near = outlook.free < ALARMING_SIGHT * outlook.sight
        near |= self._antenna.loomed(swimmers.place, self._length)
        mood = self.decision.feelings.mood
        fright = self.decision.dread.shown(mood.fright, self.decision.generator.intention == ESCAPE)
        if fright.any():
            frightened, by, given = self.decision.sightings.frights(fright, swimmers)
            mood.take_over(dt, frightened, swimmers.middle[by], given)
        alarms = np.concatenate((touched[None], self.decision.alarms(swimmers)))
        fishes = self.turns.thinking(dt, near, alarms, free)
        turn = np.zeros(len(free))
        if len(fishes):
            turn[fishes] = self._think(t, fishes, outlook, swimmers, free)
        calm = np.isnan(self.steering.pace) & ((self.intention == WANDER) | (self.intention == AVOID))
        own_pace = self.wander.pace * np.where(calm, self.wander.stroke(dt), 1.0)
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
        former = self.decision.generator.intention[fishes]
        minded = np.where((former == AVOID) & (self._composure[fishes] > 0.0), ROOM_AHEAD_LENGTHS, 1.0) * length[fishes]
        danger = (outlook.free_ahead[fishes] < minded) & ~steering.picks[fishes]
        danger &= ~self._preys_ahead(fishes, swimmers) & (former != ESCAPE)
        plan = self.decision.decide(fishes, through, danger, self.turns.since[fishes])
        lead, journeys = None, self.director.journeys
        if self.haunts is not None:
            escaping, mood = self.decision.escaping, self.decision.feelings.mood
            goes_back = self.haunts.act(t, fishes, plan, through, escaping, mood)
            if journeys is not None:
                journeys.kept[fishes] = goes_back
        if not self.director.idle:
            lead = self.director.lead(t, fishes, DirectedFishes(place, swimmers.ahead, swimmers.velocity, length, free))
        company = self._company(t, fishes, swimmers, outlook.speed, plan, lead)
        sight, berth = self._clearance(fishes, outlook.sight, plan)
        antenna = self._antenna.of(fishes)
        clear = antenna.keep_clear(place[fishes], length[fishes], berth)
        self.decision.prefer(fishes, through, -PUSH_AS_THREAT * (company.push + total(clear, axis=1)))
        wish = self._wish(fishes, swimmers, azimuth, company, plan)
        pressed = np.maximum(norm(company.push), norm(total(clear, axis=1)))
        steering.hold[fishes] |= self._rests(fishes, plan, wish, pressed, norm(outlook.drift[fishes]))
        if lead is not None:
            self._obey(fishes, lead, plan, wish, company.push, place)
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
        self._conclude(fishes, company, plan, wish, way, close, lead)
        return steering.begin_turns(fishes, course, wrap(course - azimuth))

    def _lived(self, t: float) -> float:
        """Seconds that the fishes have lived at a time of the film, to the bit the same with a pre-roll and without."""
        return (round(t * self._fps) + self._preroll) / self._fps

    def _preys_ahead(self, fishes: np.ndarray, swimmers: Swimmers) -> np.ndarray:
        """Mask of those that chase prey in front of them, and heed it rather than what stands beyond, (n,) bool."""
        prey = self.decision.focus.target[fishes]
        chases = (self.decision.generator.intention[fishes] == EAT) & (prey != NO_FISH)
        return chases & (dot(swimmers.middle[prey] - swimmers.place[fishes], swimmers.ahead[fishes]) > 0.0)

    def _company(
        self, t: float, fishes: np.ndarray, swimmers: Swimmers, speed: np.ndarray, plan: Plan, lead: Lead | None
    ) -> Company:
        """The company of these fishes, (n,), and its effect on them; speeds in m/s are those of all, (fish,)."""
        length, schooling, ahead = self._length[fishes], self._social[fishes], swimmers.ahead[fishes]
        glances, heed, accord = self._attention.at(self._lived(t), fishes)
        neighbours = self._neighbourhood.around(fishes, glances, swimmers.place, swimmers.ahead, swimmers.velocity)
        pull, hurry, formed, check = keep_together(neighbours, ahead, speed[fishes], length, heed, accord)
        hurry = np.where(self._leads[fishes], wait_for(neighbours, ahead, length), schooling * hurry)
        self.steering.check[fishes] = check & (schooling > 0)
        scale = self._comfort_scale(fishes, formed & (schooling > 0), plan)
        if lead is not None:
            scale *= lead.comfort
        near = threats(neighbours, swimmers.frames[fishes], length, self._traits[fishes], scale, plan.goal)
        push = keep_off(near, neighbours, length)
        return Company(neighbours, near, LEVELLING * pull, hurry, LEVELLING * push)

    def _comfort_scale(self, fishes: np.ndarray, formed: np.ndarray, plan: Plan) -> np.ndarray:
        """Size of the sensitivity boxes of these fishes under their intentions, over that at ease, (n,).

        Args:
            fishes: Their rows, (n,).
            formed: Mask of those in formation, (n,) bool.
            plan: Their plan.
        """
        of, scale = self._traits, np.ones(len(fishes))
        scale[formed] = of["comfort_school"][fishes[formed]]
        for intention, trait in ((ESCAPE, "comfort_flight"), (EAT, "comfort_eating"), (MATE, "comfort_mating")):
            some = plan.pressing & (plan.intention == intention)
            scale[some] = of[trait][fishes[some]]
        scale[(plan.intention != SCHOOL) & self._awkward(fishes)] *= REPLICA_COMFORT  # their schools are as dense
        return scale

    def _awkward(self, fishes: np.ndarray) -> np.ndarray:
        """Mask of replicas, (n,), which turn less nimbly and need more room (Yu & Terzopoulos 1999, §6.2)."""
        levels = self.turns.levels
        return np.zeros(len(fishes), dtype=bool) if levels is None else levels[fishes] > 0

    def _clearance(self, fishes: np.ndarray, sight: np.ndarray, plan: Plan) -> tuple[np.ndarray, np.ndarray]:
        """Distance in metres within which these fishes heed obstacles ahead, and lengths to keep off them, (n,) each.

        Obstacles beyond the food that a fish picks do not matter, and close to that it goes closer to them.
        """
        length = self._length[fishes]
        picks = plan.near < CLOSE_PICKING_LENGTHS * length
        self.steering.picks[fishes] = picks
        berth = np.where(picks, PICKING_BERTH_LENGTHS, BERTH_LENGTHS)
        berth[~picks & self._awkward(fishes)] *= REPLICA_BERTH
        return np.minimum(sight[fishes], np.maximum(plan.near, length)), berth

    def _wish(self, fishes: np.ndarray, swimmers: Swimmers, azimuth: np.ndarray, company: Company, plan: Plan) -> Wish:
        """The wishes of these fishes to go somewhere by whim, for company and for their intentions.

        Args:
            fishes: Their rows, (n,).
            swimmers: All fishes.
            azimuth: Azimuths of their headings in radians, (n,).
            company: Their company; its push is reduced, in place, to that which does not slow them down.
            plan: Their plan.
        """
        place, ahead, since = swimmers.place[fishes], swimmers.ahead[fishes], self.turns.since[fishes]
        steering, schooling, push = self.steering, self._social[fishes], company.push
        whim = self.wander.wish(fishes, place, azimuth, since, self.intention[fishes] == SCHOOL)
        leaves = np.zeros(len(fishes), dtype=bool)
        away, wayout = self.decision.away(fishes, plan.intention, place, azimuth, since)
        leaves[away], whim[away] = True, wayout
        self.wander.settle(fishes[away], place[away])
        if len(self.decision.dread.presences):
            whim += CURIOSITY * self.decision.dread.pull(fishes)
        # A fish in front is a reason to slow down rather than to turn back.
        onward = np.minimum(dot(push, ahead), 0.0)
        push -= SLOWING_SHARE * onward[:, None] * ahead
        hurry = (1 + company.hurry) * (1 + SLOWING_PACE * np.maximum(onward, -1.0))
        hurry *= self.decision.unrest(fishes, leaves)
        drawn = GATHERING_PULL * schooling[:, None] * company.pull
        wish = (1 - SCHOOLING_WHIM_LOSS * schooling)[:, None] * whim + drawn + push
        wary = ~plan.pressing & plan.wish.any(axis=1)
        hurry *= np.where(wary, ALARM_HURRY, 1.0)
        wish += WARINESS * wary[:, None] * plan.wish
        wish = np.where(plan.pressing[:, None], PLAN_WEIGHT * plan.wish + SHYNESS * push, wish)
        steering.hurry[fishes], steering.pace[fishes] = hurry, np.where(plan.pressing, plan.pace, np.nan)
        steering.hold[fishes], steering.back[fishes], steering.cstart[fishes] = plan.hold, plan.back, plan.cstart
        steering.rams[fishes] = plan.pressing & (plan.intention == EAT) & (plan.pace > 1.0)
        return Wish(wish, np.where(plan.pressing & ~plan.hold, TARGET_ZEAL, 1.0), drawn, leaves)

    def _rests(self, fishes: np.ndarray, plan: Plan, wish: Wish, pressed: np.ndarray, drift: np.ndarray) -> np.ndarray:
        """Mask of those that hover for a whim: nothing presses or draws them, no stream (m/s) bears them off, (n,)."""
        idle = ~plan.pressing & ~wish.leaves & ~plan.wish.any(axis=1) & ~wish.drawn.any(axis=1)
        still = (pressed < RESTING_PUSH) & (drift < RESTING_DRIFT * self._length[fishes])
        curious = self.decision.dread.pull(fishes).any(axis=1)
        return self.wander.rests[fishes] & idle & still & ~curious

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
        own_pace = self.wander.pace[fishes] * steering.hurry[fishes]
        own_pace = np.where(np.isnan(steering.pace[fishes]), own_pace, steering.pace[fishes])
        paced = obeys & ~np.isnan(lead.pace)
        pace = (1 - s) * own_pace + s * np.where(paced, lead.pace, 0.0)
        steering.pace[fishes] = np.where(paced, pace, steering.pace[fishes])
        steering.hold[fishes] &= s < LED_HOLD_STRENGTH
        steering.back[fishes] *= np.where(obeys, 1 - s, 1.0)
        led = fishes[s > LED_HOLD_STRENGTH]
        self.wander.settle(led, place[led])  # it does not long to be back where it was before
        wish.zeal = np.where(obeys & ~lead.mild, np.maximum(wish.zeal, 1.0 + s * (TARGET_ZEAL - 1.0)), wish.zeal)
        wish.wish = np.where(obeys[:, None], mixed, wish.wish)

    def _conclude(
        self,
        fishes: np.ndarray,
        company: Company,
        plan: Plan,
        wish: Wish,
        way: PickedWays,
        close: np.ndarray,
        lead: Lead | None,
    ) -> None:
        """Sets the present intention of these fishes, (n,), whom they avoid, and when they think again.

        Those of the mask `close`, (n,) bool, have something close before them.
        """
        kin = (self._social[fishes] > 0) | self._leads[fishes]
        together = kin & (company.pull != 0).any(axis=1)
        # A fish in a school avoids a schoolmate where the others push it away more than they draw it.
        crowded = norm(company.push) > np.maximum(norm(wish.drawn), CROWDED_PUSH)
        at_ease = np.where(together, SCHOOL, np.where(wish.leaves, LEAVE, WANDER))
        danger = plan.intention == AVOID
        begins = danger | ((crowded | close) & (self._avoids[fishes] <= -LEAST_BOUT_SECONDS))
        avoids = self._go_on_avoiding(fishes, way.detour | crowded | danger, begins, together)
        intention = np.where(avoids, AVOID, at_ease)
        stays = (self.intention[fishes] == plan.intention) & (self.decision.generator.bout[fishes] > 0.0)
        intention = np.where(plan.pressing | stays, plan.intention, intention)
        looks = plan.pressing | ((plan.intention == MATE) & (self._composure[fishes] > 0.0))  # for a mate, too
        pause = np.where(looks, GLANCE_SECONDS, self._dice.uniform(fishes, *THOUGHT_SECONDS))
        if lead is not None:
            pause = np.where(
                (lead.strength > 0.0) & ~lead.mild, pause + lead.strength * (GLANCE_SECONDS - pause), pause
            )
        self.intention[fishes] = intention
        self.turns.thought(fishes, pause)
        # A fish that goes on avoiding with more room still has the same fish in mind.
        former = np.where(self._alive[self.threat[fishes]], self.threat[fishes], NO_FISH)
        worst = np.where(crowded, company.threats.worst(company.neighbours.fish), former)
        self.threat[fishes] = np.where((intention == AVOID) & (crowded | ~way.detour), worst, NO_FISH)

    def _go_on_avoiding(
        self, fishes: np.ndarray, must: np.ndarray, begins: np.ndarray, together: np.ndarray
    ) -> np.ndarray:
        """Mask of those that avoid, (n,) bool.

        Args:
            fishes: Their rows, (n,).
            must: Mask of those that have to, (n,) bool. Those that had to go on for a while, and in a school only those
                that had to for some time begin.
            begins: Mask of those that may begin to, if they are in no school and have composure, (n,) bool.
            together: Mask of those in a school, (n,) bool.
        """
        since, composure, left = self.turns.since[fishes], self._composure[fishes], self._avoids[fishes]
        avoids, bears = self.intention[fishes] == AVOID, np.where(together, CROWDED_SHARE * composure, 0.0)
        must = must & (together | avoids | begins | (composure == 0.0))
        more = np.where(together, np.minimum(np.maximum(left, 0.0) + since, bears), composure)
        self._avoids[fishes] = left = np.where(must, more, np.maximum(left - since, -LEAST_BOUT_SECONDS))
        return np.where(avoids, left > 0.5 * bears, must & (left >= bears)) | (must & ~together)
