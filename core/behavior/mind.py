"""A first mind: wander, keep inside the tank, keep off pillars and each other, keep with one's kind.

Eight times a second every fish glances ahead, and each takes thought every third or half of a second, earlier when
something is close ahead; in between it does what it resolved on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.dice import Dice
from ..base.state import Stateful
from ..base.vectors import arctan2, dot, norm, unit, wrap
from ..habitat.currents import Current
from ..habitat.obstacles import Obstacles
from ..habitat.tank import Tank
from ..motor import controllers
from ..motor.commands import Commands
from ..motor.tuning import STRIDE_LENGTHS, TURNING_RATE
from ..perception.boxes import threats
from ..perception.focuser import SKILL_LEFT, SKILL_RIGHT, compromised
from ..perception.neighbours import Neighbourhood
from ..perception.tuning import BERTH_LENGTHS, NOSE_END_LENGTHS
from ..scene.scene import Scene
from .director import Director, Lead, Seen
from .intention import AVOID, EAT, ESCAPE, LEAVE, MATE, SCHOOL, WANDER
from .routines.avoid import Antenna, keep_off
from .routines.school import keep_together, wait_for
from .routines.wander import Wander
from .tuning import (
    ABOUT_FACE_PACE,
    ABSENT_METRES,
    ALARM_HURRY,
    AT_REST_SPEED,
    CLOSE_PICKING_LENGTHS,
    CROWDED_PUSH,
    EASE_SECONDS,
    GATHERING_PULL,
    GLANCE_SECONDS,
    HOVERING_SPEED,
    LEEWAY_LENGTHS,
    OBEYED_STRENGTH,
    OFF_AIM_ANGLE,
    OFF_COURSE_ANGLE,
    PICKING_BERTH_LENGTHS,
    SAME_AIM_ANGLE,
    SCRAPE_LENGTHS,
    SHYNESS,
    TARGET_ZEAL,
    THOUGHT_SECONDS,
    TURN_SECONDS,
    TURNING_AWAY_PACE,
    UPSTREAM_PULL,
    WARINESS,
    WINDING_SECONDS,
)
from .wants import NO_FISH, Bodies, Urge, Wants


class Mind(Stateful):
    """Decides for all fishes of a scene.

    Attributes:
        intention: Row of Recording.INTENTIONS that each fish holds, (fish,) int8.
        director: Who leads them.
        threat: Row of the fish that each avoids, the worst in its box, NO_FISH without, (fish,).
    """

    _STATE = (
        *("_unseen", "_since", "_pause", "_aim", "_turning", "_azimuth", "_wound", "_zeal", "_haste"),
        *("_swim", "_climb", "_eased_swim", "_eased_climb", "_brake", "_check", "_hold", "_back", "_row", "_picks"),
        *("intention", "threat"),
    )

    def __init__(
        self,
        scene: Scene,
        temperaments: np.ndarray,
        species: np.ndarray,
        length: np.ndarray,
        home: np.ndarray,
        dice: Dice,
        wants: Wants | None = None,
        leads: np.ndarray | None = None,
        rhythm: Sequence[np.ndarray] | None = None,
    ):
        """Begins with every fish on its course.

        Args:
            scene: Whose tank, obstacles and current they mind.
            temperaments: (fish,) with the fields of `species.Temperament`.
            species: A number for the species of each fish, (fish,).
            length: Length of each fish in metres, (fish,).
            home: Where each fish begins in metres, (fish, 3).
            dice: A stream for each fish.
            wants: What they see and want; without them nobody hunts or flees.
            leads: Whose kin follow them, (fish,) bool; without it nobody's.
            rhythm: Beats a second at full speed, and the shares of beats and contractions that are left at the
                slowest, (fish,) each; without it nobody knows its beat, and gets under way as slowly as it swims.
        """
        leads = np.zeros(len(length), dtype=bool) if leads is None else leads
        self._leads, self._social = leads, np.where(leads, 0.0, temperaments["schooling"])
        self._traits = temperaments
        self._wants = wants
        self._rhythm = rhythm
        self.director = Director(scene)
        self._length = np.array(length, dtype=float)
        self._dice = dice
        self._current = Current.from_scene(scene)
        self._antenna = Antenna(Tank.from_scene(scene), Obstacles.from_scene(scene))
        self._neighbourhood = Neighbourhood(self._length, np.array(species), leads)
        self.wander = Wander(self._traits, np.array(home, dtype=float), self._length, dice, leads)

        fishes = len(self._length)
        self._unseen = GLANCE_SECONDS  # seconds since the last glance
        self._since = dice.uniform(np.arange(fishes), 0.0, THOUGHT_SECONDS[1])  # seconds since its last thought
        self._pause = np.full(fishes, THOUGHT_SECONDS[1])
        self._aim = np.full(fishes, np.nan)  # azimuth of the last turn; none yet
        self._turning = np.zeros(fishes)  # seconds since that turn began
        self._azimuth = np.full(fishes, np.nan)  # of its heading at the last glance; none yet
        self._wound = np.zeros(fishes)  # radians that it has turned of late, left positive
        self._zeal = np.ones(fishes)  # factor on the pace
        self._haste = np.full(fishes, np.nan)  # pace of who hunts or flees
        self._swim, self._climb = self._traits["cruise"].copy(), np.zeros(fishes)  # what was resolved
        self._eased_swim, self._eased_climb = self._swim.copy(), self._climb.copy()  # what is done
        self._brake, self._check = np.zeros(fishes, dtype=bool), np.zeros(fishes, dtype=bool)
        self._hold, self._back = np.zeros(fishes, dtype=bool), np.zeros(fishes)  # hovering, and speed of a retreat
        self._row = np.zeros(fishes)  # the same of who hovers, so as to stay in place
        self._picks = np.zeros(fishes, dtype=bool)  # who is close to what it would eat
        self.intention = np.full(fishes, WANDER, dtype=np.int8)
        self.threat = np.full(fishes, NO_FISH)

    def decide(
        self,
        t: float,
        place: np.ndarray,
        frames: np.ndarray,
        velocity: np.ndarray,
        dt: float,
        nodes: np.ndarray | None = None,
    ) -> Commands:
        """What every fish is to do in the next frame.

        Args:
            t: Time in seconds.
            place: Metres, (fish, 3).
            frames: Columns ahead, left and up of each body, (fish, 3, 3).
            velocity: Over ground in m/s, (fish, 3).
            dt: Length of a frame in seconds.
            nodes: Metres, (fish, 23, 3); needed where there are wants.

        Returns:
            One command a fish. A turn is given once, when it is to begin.
        """
        turn = np.zeros(len(place))
        alive = np.ones(len(place), dtype=bool) if self._wants is None else self._wants.alive
        if not alive.all():  # out of everybody's way
            place = np.where(alive[:, None], place, -ABSENT_METRES * np.arange(1.0, len(place) + 1.0)[:, None])
        self._unseen += dt
        if self._unseen >= GLANCE_SECONDS:
            free = alive if self._wants is None else alive & ~self._wants.hooked
            turn = self._glance(t, place, frames, velocity, free, nodes)
            self._unseen = 0.0
        share = 1 - np.exp(-dt / EASE_SECONDS)
        self._eased_swim += share * (self._swim - self._eased_swim)
        self._eased_climb += share * (self._climb - self._eased_climb)
        swim = np.where(alive, self._eased_swim, 0.0)
        back = np.where(alive, np.maximum(self._back, self._row), 0.0)
        commands = Commands(swim, turn, self._eased_climb.copy(), self._brake.copy(), back)
        if self._wants is not None and self._wants.struggle is not None:
            hooked = np.flatnonzero(self._wants.hooked)
            self.intention[hooked] = ESCAPE
            self._wants.struggle.command(commands, hooked, frames[:, :, 0], dt)
        return commands

    def _glance(
        self,
        t: float,
        place: np.ndarray,
        frames: np.ndarray,
        velocity: np.ndarray,
        alive: np.ndarray,
        nodes: np.ndarray | None,
    ) -> np.ndarray:
        """Looks ahead, slows down or makes headway, lets think who must, and returns the turns that begin, (fish,)."""
        ahead = frames[:, :, 0]
        azimuth = arctan2(ahead[:, 1], ahead[:, 0])
        self._aim = np.where(np.isnan(self._aim), azimuth, self._aim)
        turned = np.where(np.isnan(self._azimuth), 0.0, wrap(azimuth - self._azimuth))
        self._wound = np.exp(-self._unseen / WINDING_SECONDS) * self._wound + turned
        self._azimuth = azimuth
        drift = np.zeros(place.shape) if self._current.still else self._current.velocity(place, t)
        speed = norm(velocity - drift)
        sight = self._traits["caution"] * self._length + self._traits["foresight"] * speed
        sight += np.pi / TURNING_RATE * norm(drift)  # it is carried on while it turns round
        free_ahead = self._free_path(place, ahead, sight)
        onward = unit(ahead * speed[:, None] + drift)
        free = free_ahead if self._current.still else self._free_path(place, onward, sight)
        downstream = unit(drift)
        lee = self._lee(place, downstream, sight)
        against = -lee[:, None] * downstream

        self._since += self._unseen
        self._turning += self._unseen
        fishes = np.flatnonzero(((self._since >= self._pause) | (free < 0.5 * sight)) & alive)
        turn = np.zeros(len(place))
        if len(fishes):
            urge, bodies = None, None
            if self._wants is not None and nodes is not None:
                danger = (free_ahead[fishes] < self._length[fishes]) & ~self._picks[fishes]
                bodies = Bodies(nodes, frames, velocity - drift)
                urge = self._wants.decide(fishes, bodies, danger, self._since[fishes])
            lead = None
            if not self.director.idle:
                lead = self.director.lead(t, fishes, Seen(place, ahead, velocity, self._length, alive))
            turn[fishes] = self._think(
                fishes, place, frames, velocity, speed, drift, azimuth, sight, against, bodies, urge, lead
            )

        caution = np.minimum(free_ahead / sight, 1.0)
        pace = np.where(np.isnan(self._haste), self.wander.pace * self._zeal, self._haste)
        # The speed that can be lost within a way grows with the root of it; a course that only grazes is no danger.
        room = np.maximum(caution, np.minimum(self._free_path(place, ahead, sight, SCRAPE_LENGTHS) / sight, 1.0))
        swim = np.minimum(pace * (0.1 + 0.9 * np.sqrt(room)), 1.0)
        off = np.abs(wrap(self._aim - azimuth))
        onward = dot(velocity - drift, ahead) / self._length
        swim += (1 - swim) * self._idle(swim, onward) * room * np.maximum(1 - off / OFF_COURSE_ANGLE, 0.0)
        rested = np.maximum(1 - speed / (AT_REST_SPEED * self._length), 0.0)
        struggle = (TURNING_AWAY_PACE + (1 - TURNING_AWAY_PACE) * rested) * (1 - caution)
        struggle = np.maximum(struggle, ABOUT_FACE_PACE * np.clip(off - 1.0, 0.0, 1.0))
        struggle *= self._haste != 0.0  # who means to glide turns by its fins alone
        swim = np.maximum(swim, struggle * np.minimum(off / OFF_COURSE_ANGLE, 1.0))
        # A nose that is almost at a wall turns on the spot, by the fins alone: who swims presses it there. Round a
        # pillar there is a way.
        swim = np.where(self._antenna.walled(place, ahead, self._length) & (off > OFF_COURSE_ANGLE), 0.0, swim)
        headway = np.maximum(caution - free / sight, 0.0)  # against water that carries it into trouble
        # Or would, if it did not swim: who heads up the stream then swims all that it can.
        headway = np.maximum(headway, (caution - 1.0 + lee) * np.maximum(-dot(downstream, ahead), 0.0))
        self._swim = swim + (1 - swim) * headway
        self._swim = np.where(self._hold, 0.0, self._swim)
        self._brake = (free_ahead < NOSE_END_LENGTHS * self._length) & (speed > 0.4 * self._length)
        self._brake |= self._check & np.isnan(self._haste)
        self._brake |= self._hold & (onward > HOVERING_SPEED)
        self._row = np.where(self._hold & (off < OFF_AIM_ANGLE), np.clip(onward, 0.0, HOVERING_SPEED), 0.0)
        return turn

    def _idle(self, swim: np.ndarray, onward: np.ndarray) -> np.ndarray:
        """How far each fish that cruises is from being under way, 1 at rest and 0 once its beats bring it on, (fish,).

        Large fishes that beat as slowly as they mean to swim would take ten seconds to get there.

        Args:
            swim: Share of full speed that it means to swim, (fish,).
            onward: Speed ahead in lengths a second, (fish,).
        """
        if self._rhythm is None:
            return np.zeros(len(swim))
        beats, width = controllers.swim(swim, *self._rhythm)
        cruises = np.isnan(self._haste) & ~self._hold & (width > 0.0)
        return np.where(cruises, np.clip(2.0 * (1.0 - onward / (STRIDE_LENGTHS * beats)), 0.0, 1.0), 0.0)

    def _free_path(
        self, place: np.ndarray, way: np.ndarray, sight: np.ndarray, berth: float = BERTH_LENGTHS
    ) -> np.ndarray:
        reach = np.maximum(sight, self._length)[:, None]
        return self._antenna.free_path(place, place[:, None], way[:, None], self._length, reach, berth)[:, 0]

    def _lee(self, place: np.ndarray, downstream: np.ndarray, sight: np.ndarray) -> np.ndarray:
        """How near each fish is to what the stream would carry it to, 0 to 1 where it is hardly clear, (fish,)."""
        if self._current.still:
            return np.zeros(len(place))
        reach = np.maximum(sight, 2 * LEEWAY_LENGTHS * self._length)
        room = self._free_path(place, downstream, reach) - LEEWAY_LENGTHS * self._length
        return np.clip(1.0 - room / (reach - LEEWAY_LENGTHS * self._length), 0.0, 1.0)

    def _think(
        self,
        fishes: np.ndarray,
        place: np.ndarray,
        frames: np.ndarray,
        velocity: np.ndarray,
        speed: np.ndarray,
        drift: np.ndarray,
        azimuth: np.ndarray,
        sight: np.ndarray,
        against: np.ndarray,
        bodies: Bodies | None,
        urge: Urge | None,
        lead: Lead | None = None,
    ) -> np.ndarray:
        """Resolves anew for these fishes (n,), of arrays over all fishes; returns the turns that begin, (n,)."""
        ahead = frames[:, :, 0]
        length, schooling, leads = self._length[fishes], self._social[fishes], self._leads[fishes]
        neighbours = self._neighbourhood.around(fishes, place, ahead, velocity)
        pull, hurry, formed, check = keep_together(neighbours, ahead[fishes], speed[fishes], length)
        hurry = np.where(leads, wait_for(neighbours, ahead[fishes], length), schooling * hurry)
        self._check[fishes] = check & (schooling > 0)
        scale = self._comfort_scale(fishes, formed & (schooling > 0), urge)
        goal = None if urge is None else urge.goal
        near = threats(neighbours, frames[fishes], length, self._traits[fishes], scale, goal)
        push = keep_off(near, neighbours, length)
        sight, berth = sight[fishes], np.full(len(fishes), BERTH_LENGTHS)
        if urge is not None:  # what stands beyond what it picks is no matter, and close to that it goes closer
            sight = np.minimum(sight, np.maximum(urge.near, length))
            self._picks[fishes] = urge.near < CLOSE_PICKING_LENGTHS * length
            berth[self._picks[fishes]] = PICKING_BERTH_LENGTHS
        clear = self._antenna.keep_clear(place[fishes], length, berth)
        if self._wants is not None and bodies is not None:
            self._wants.prefer(fishes, bodies, -0.5 * (push + clear.sum(axis=1)))
        whim = self.wander.wish(fishes, place[fishes], azimuth[fishes], self._since[fishes])
        leaves = np.zeros(len(fishes), dtype=bool)  # where light or warmth do not suit them
        if urge is not None and self._wants is not None:
            away, wayout = self._wants.away(fishes, urge.intention, place[fishes], azimuth[fishes], self._since[fishes])
            leaves[away], whim[away] = True, wayout
            self.wander.settle(fishes[away], place[fishes[away]])
        # Somebody in front is a reason to slow down rather than to turn back.
        onward = np.minimum(dot(push, ahead[fishes]), 0.0)
        push -= 0.8 * onward[:, None] * ahead[fishes]
        self._zeal[fishes] = (1 + hurry) * (1 + 0.5 * np.maximum(onward, -1.0))
        if self._wants is not None:
            self._zeal[fishes] *= self._wants.unrest(fishes, leaves)
        drawn = GATHERING_PULL * schooling[:, None] * pull
        wish = (1 - 0.7 * schooling)[:, None] * whim + drawn + push
        wound = self._wound[fishes]
        if urge is not None:
            wound = np.where(urge.pressing, 0.0, wound)  # courting and hunting lead round and round
            wary = ~urge.pressing & urge.wish.any(axis=1)
            self._zeal[fishes] *= np.where(wary, ALARM_HURRY, 1.0)
            wish += WARINESS * wary[:, None] * urge.wish
            wish = np.where(urge.pressing[:, None], 2.0 * urge.wish + SHYNESS * push, wish)
            self._haste[fishes] = np.where(urge.pressing, urge.pace, np.nan)
            self._hold[fishes], self._back[fishes] = urge.hold, urge.back
        zeal = np.ones(len(fishes)) if urge is None else np.where(urge.pressing & ~urge.hold, TARGET_ZEAL, 1.0)
        if lead is not None:
            wish, zeal = self._obey(fishes, lead, urge, wish, push, zeal, place)
        wish += UPSTREAM_PULL * against[fishes]
        # The nearer a wall, the less anything can press a fish against it.
        for wall in np.moveaxis(clear, 1, 0):
            off = unit(wall)
            wish += wall - (np.minimum(norm(wall), 1.0) * np.minimum(dot(wish, off), 0.0))[:, None] * off

        way, climb, detour = self._antenna.best_way(
            wish + 1e-6 * ahead[fishes],
            self._aim[fishes],
            place[fishes],
            ahead[fishes],
            speed[fishes],
            drift[fishes],
            length,
            sight,
            self._dice.uniform(fishes, -0.12, 0.12),
            zeal,
            wound,
            berth,
        )
        way = self._compromise(fishes, way, azimuth[fishes], ~detour)
        self._climb[fishes] = climb
        led = detour | leaves
        self.wander.follow(fishes[led], way[led], climb[led])

        together = ((schooling > 0) | leads) & (pull != 0).any(axis=1)
        # Who is in a school avoids a schoolmate where it is more drawn apart from the others than to them.
        crowded = norm(push) > np.maximum(norm(drawn), CROWDED_PUSH)
        intention = np.where(detour | crowded, AVOID, np.where(together, SCHOOL, np.where(leaves, LEAVE, WANDER)))
        pause = self._dice.uniform(fishes, *THOUGHT_SECONDS)
        if urge is not None:
            intention = np.where(urge.pressing, urge.intention, intention)
            pause = np.where(urge.pressing, GLANCE_SECONDS, pause)
        if lead is not None:
            pause = np.where(lead.strength > 0.0, pause + lead.strength * (GLANCE_SECONDS - pause), pause)
        self.intention[fishes], self._pause[fishes], self._since[fishes] = intention, pause, 0.0
        self.threat[fishes] = np.where((intention == AVOID) & crowded, near.worst(neighbours.fish), NO_FISH)
        return self._begin_turns(fishes, way, wrap(way - azimuth[fishes]))

    def _comfort_scale(self, fishes: np.ndarray, formed: np.ndarray, urge: Urge | None) -> np.ndarray:
        """What these fishes' (n,) sensitivity boxes are for what they are about, over those at ease, (n,).

        Args:
            fishes: Their rows.
            formed: Which are in formation, (n,) bool.
            urge: What they want.
        """
        of = self._traits[fishes]
        scale = np.where(formed, of["comfort_school"], 1.0)
        if urge is None:
            return scale
        for intention, trait in ((ESCAPE, "comfort_flight"), (EAT, "comfort_eating"), (MATE, "comfort_mating")):
            scale = np.where(urge.pressing & (urge.intention == intention), of[trait], scale)
        return scale

    def _compromise(self, fishes: np.ndarray, way: np.ndarray, azimuth: np.ndarray, some: np.ndarray) -> np.ndarray:
        """The azimuth (n,) to which fishes turn who would turn to `way` though they rather would not (Tu 1999, §6.5.3).

        Args:
            fishes: Their rows, (n,).
            way: Azimuth that is meant in radians, (n,).
            azimuth: That of their headings, (n,).
            some: Which of them compromise, (n,) bool: none that must go round what stands, which weighs every turn.
        """
        if self._wants is None:
            return way
        turn, liked = wrap(way - azimuth), self._wants.preferences[fishes]
        less = compromised(turn, -np.where(turn > 0, liked[:, SKILL_LEFT], liked[:, SKILL_RIGHT]))
        return np.where(some & (less != turn), wrap(azimuth + less), way)

    def _obey(
        self,
        fishes: np.ndarray,
        lead: Lead,
        urge: Urge | None,
        wish: np.ndarray,
        push: np.ndarray,
        zeal: np.ndarray,
        place: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Mixes what these fishes (n,) would do with how they are led, as far as they obey.

        Args:
            fishes: Their rows, (n,).
            lead: How they are led; its strength becomes that with which each obeys.
            urge: What they would do for their intention.
            wish: Where they would go by themselves, `push` included, (n, 3).
            push: Away from others, (n, 3).
            zeal: How much each minds going just there, (n,).
            place: Of all fishes in metres, (fish, 3).

        Returns:
            Wish and zeal.
        """
        if urge is not None:
            flees = urge.pressing & (urge.intention == ESCAPE)
            lead.strength = np.where(flees & (lead.strength < OBEYED_STRENGTH), 0.0, lead.strength)
        s = lead.strength
        obeys = s > 0.0
        minded = np.ones(len(fishes)) if urge is None else np.where(urge.pressing, SHYNESS, 1.0)
        will = wish - minded[:, None] * push
        size = np.maximum(norm(will), 1.0)
        mixed = (1 - s)[:, None] * will + (s * size)[:, None] * lead.wish + ((1 - s) * minded + s)[:, None] * push
        own = np.where(
            np.isnan(self._haste[fishes]), self.wander.pace[fishes] * self._zeal[fishes], self._haste[fishes]
        )
        paced = obeys & ~np.isnan(lead.pace)
        pace = (1 - s) * own + s * np.where(paced, lead.pace, 0.0)
        self._haste[fishes] = np.where(paced, pace, self._haste[fishes])
        self._hold[fishes] &= s < 0.5
        self._back[fishes] *= np.where(obeys, 1 - s, 1.0)
        far = fishes[s > 0.5]
        self.wander.settle(far, place[far])  # it does not long for where it was before
        zeal = np.where(obeys, np.maximum(zeal, 1.0 + s * (TARGET_ZEAL - 1.0)), zeal)
        return np.where(obeys[:, None], mixed, wish), zeal

    def _begin_turns(self, fishes: np.ndarray, way: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Lets a turn that is under way to the same aim go on, (n,)."""
        anew = np.abs(wrap(way - self._aim[fishes])) > SAME_AIM_ANGLE
        astray = (self._turning[fishes] > TURN_SECONDS) & (np.abs(turn) > OFF_AIM_ANGLE)
        begin = anew | astray
        self._aim[fishes[begin]] = way[begin]
        self._turning[fishes[begin]] = 0.0
        # A turn by nothing would not end the one that is under way.
        least = np.where(np.abs(turn) < 1e-3, 1e-3, turn)
        return np.where(begin, least, 0.0)
