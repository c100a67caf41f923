"""Instructions that fishes follow by themselves: the first of each whose condition holds (after Funge 1999, ch. 12).

The mind stays in charge: an instruction takes the place of whims, company and appetites. A fish that flees follows only
what it is told to do when it is threatened, sees somebody or is seen, and steers clear of whatever is in its way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.state import Stateful, state
from ..base.vectors import norm
from ..perception.navigation.navigator import Navigator
from ..perception.presences import NOBODY
from ..perception.swimmers import NO_FISH, Swimmers
from ..perception.vision import blocks
from ..scene.instruction import NO_ACT, Caught, Hide, OtherAt, SeenBy, Sees, Threatened
from ..scene.scene import Scene
from .character import Cast
from .conditions import Conditions, Felt
from .decision import Decision
from .intention import ESCAPE
from .plan import Plan
from .routines.hide import NO_SHELTER, Hiding, Searchers
from .routines.tuning import FELT_FOE_LENGTHS, FORESEEN_FOE_SECONDS
from .spots import Spots
from .tasks import Tasks

NOTHING = -1
"""In place of the row of an instruction, of who follows none."""
HEEDED_IN_FLIGHT = Threatened, SeenBy, Sees, Caught, OtherAt
"""Conditions whose instructions are followed by those that flee."""


class Instructions(Stateful):
    """The instructions of a scene, and what each fish makes of them.

    Attributes:
        follows: Row of the instruction that each follows, NOTHING without, (fish,).
        since: Time when it took it up in seconds, (fish,).
        behind: Row of the obstacle behind which each hides, or did last, NO_SHELTER without, (fish,).
        foe: Eye of whom it hides from, as far as it knows, in metres, NaN without, (fish, 3).
        alarmed: Time when it last knew of that in seconds, (fish,).
        known: Obstacles that each has seen, (obstacle, fish) bool.
        tasks: What it does but for hiding.
        happened: Changes that nobody has taken note of yet, as in `Recording.events` but for the frame.
    """

    follows: np.ndarray = state("i8", "fish", low=-1, high="frame", begin=NOTHING)
    since: np.ndarray = state("f8", "fish", unit="s")
    behind: np.ndarray = state("i8", "fish", low=-1, high="frame", begin=NO_SHELTER)
    foe: np.ndarray = state("f8", "fish", 3, unit="m", unset=np.nan)
    alarmed: np.ndarray = state("f8", "fish", unit="s", begin=-1e6)
    known: np.ndarray = state("?", "obstacle", "fish")
    _foe_motion: np.ndarray = state("f8", "fish", 3, unit="m/s")
    _foe_length: np.ndarray = state("f8", "fish", unit="m")
    _foe_time: np.ndarray = state("f8", "fish", unit="s", begin=-1e6)
    _came: np.ndarray = state("?", "fish")

    def __init__(self, scene: Scene, cast: Cast, decision: Decision, navigator: Navigator | None):
        """Begins with nobody doing anything.

        Args:
            scene: The scene that has them.
            cast: The fishes.
            decision: Their perception and wants.
            navigator: Finds ways of those that remember what they see; None where nobody does.
        """
        group = np.repeat(np.arange(len(scene.fishes)), [len(rows) for rows in scene.rows])

        def rows(which: int, member: int | None) -> np.ndarray:
            return np.array(scene.rows_of(which, member))

        waters = decision.waters
        self._decision, self._navigator, self._alive = decision, navigator, cast.alive
        self._length, drives = np.array(cast.length, dtype=float), cast.characters.drives
        self._sight = drives["sight"] * self._length
        self._spots = Spots(scene, waters.obstacles)
        self._hiding = Hiding(self._spots, waters.tank, waters.obstacles, decision.antenna)
        self._conditions = Conditions(cast, decision.sightings.vision, self._spots, rows, group)
        self._entries = [(entry, rows(entry.fishes, entry.member)) for entry in scene.instructions]
        self._instructed = np.zeros(len(group), dtype=bool)
        self._wary = np.full(len(group), np.inf)
        for entry, whom in self._entries:
            self._instructed[whom] = True
            if isinstance(entry.when, Threatened):
                self._wary[whom] = np.minimum(self._wary[whom], entry.when.fear)
        restless = cast.characters.temperament["ram_breathing"] > 0.0
        self.tasks = Tasks(self._spots, self._hiding, navigator, cast, rows, group, restless)
        self.happened: list[dict[str, Any]] = []
        self._fill(fish=len(group), obstacle=len(self._spots.solids))

    @property
    def entries(self) -> list[Any]:
        """The instructions, in order."""
        return [entry for entry, _ in self._entries]

    def act(self, t: float, fishes: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        """Has fishes do what they are told.

        Args:
            t: Time in seconds.
            fishes: Rows of those that take thought, (n,).
            plan: Their plans, replaced where they follow an instruction.
            swimmers: All fishes, with velocities through the water.
        """
        self._came |= self._alive
        rows = np.flatnonzero(self._instructed[fishes])
        if not len(rows):
            return
        me = fishes[rows]
        self._notice(t, me, swimmers)
        first = self._first(t, me, swimmers)
        new = first != self.follows[me]
        self.since[me[new]] = t
        for fish, row in zip(me[new].tolist(), first[new].tolist(), strict=True):
            act = NO_ACT if row == NOTHING else self._entries[row][0].do
            self.happened.append({"kind": "instructed", "fish": fish, "other": NO_FISH, "act": act})
        self.tasks.begin(me[new], swimmers)
        self.follows[me] = first
        flees = plan.intention[rows] == ESCAPE
        for row, (entry, _) in enumerate(self._entries):
            some = np.flatnonzero((first == row) & (~flees | isinstance(entry.when, HEEDED_IN_FLIGHT)))
            if not len(some):
                continue
            if isinstance(entry, Hide):
                self._hide(t, entry, rows[some], me[some], plan, swimmers)
            else:
                self.tasks.do(entry, t, rows[some], me[some], plan, swimmers, self._decision.feelings.mood)

    def _first(self, t: float, me: np.ndarray, swimmers: Swimmers) -> np.ndarray:
        """Row of the first instruction of each of these, (n,), whose condition holds, NOTHING without, (n,)."""
        decision = self._decision
        fear = np.maximum(decision.focus.most_fear, decision.feelings.mood.fright)
        since, eaten = t - self.alarmed, self._came & ~self._alive
        felt = Felt(t, swimmers, fear, since, decision.feelings.hunger, decision.hooked, eaten)
        first = np.full(len(me), NOTHING)
        for row, (entry, whom) in enumerate(self._entries):
            some = np.flatnonzero(np.isin(me, whom) & (first == NOTHING))
            if len(some):
                first[some[self._conditions.hold(entry.when, me[some], felt)]] = row
        return first

    def _notice(self, t: float, me: np.ndarray, swimmers: Swimmers) -> None:
        """Has these, (n,), take in where their foes are, and obstacles that they see for the first time."""
        decision = self._decision
        focus, fright = decision.focus, decision.feelings.mood.fright
        foes = decision.escaping.foes(me, swimmers)
        fear = np.maximum(focus.most_fear[me], fright[me])
        fears = fear >= self._wary[me]
        real = (focus.target[me] != NO_FISH) | (decision.dread.foe[me] != NOBODY) | (fright[me] > 0.0)
        knows = foes.known & real & (fear > 0.0)
        eye, motion, size = foes.place + 0.4 * foes.length[:, None] * foes.ahead, foes.velocity, foes.length
        hunters = decision.sightings.predators
        hunters = hunters[self._alive[hunters]]
        if len(hunters):  # which the water tells of, too
            gap = norm(swimmers.middle[hunters] - swimmers.middle[me][:, None]) / self._length[hunters]
            gap = np.where(hunters == me[:, None], np.inf, gap)
            if decision.relations is not None:
                threat = decision.relations.threatens(me, np.broadcast_to(hunters, gap.shape))
                gap = np.divide(gap, threat, out=np.full(gap.shape, np.inf), where=threat > 0.0)
            near = hunters[gap.argmin(axis=1)]
            feels = gap.min(axis=1) < FELT_FOE_LENGTHS * decision.sightings.menace[near]
            eye = np.where(feels[:, None], swimmers.nose[near], eye)
            motion = np.where(feels[:, None], swimmers.velocity[near], motion)
            size = np.where(feels, self._length[near], size)
            knows, fears = knows | feels, fears | feels
        some = me[knows]
        self.foe[some], self._foe_motion[some] = eye[knows], motion[knows]
        self._foe_length[some], self._foe_time[some] = size[knows], t
        self.alarmed[me[knows & fears]] = t
        self._look_round(me, swimmers)

    def _look_round(self, me: np.ndarray, swimmers: Swimmers) -> None:
        """Notes obstacles that these, (n,), see for the first time, or remember by what they have seen before."""
        for row, solid in enumerate(self._spots.solids):
            some = me[~self.known[row, me]]
            if not len(some):
                continue
            eye = swimmers.nose[some]
            gap, out = solid.distance(eye)
            near = eye - np.maximum(gap - 0.05, 0.0)[:, None] * out
            sees = (gap < self._sight[some]) & ~blocks(eye, near, self._decision.waters.obstacles)
            self.known[row, some] = sees

    def _hide(self, t: float, entry: Hide, rows: np.ndarray, me: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        """Has these, (n,), hide from whom they know of; those with nowhere to hide do as they would without."""
        has = np.flatnonzero(~np.isnan(self.foe[me, 0]))
        rows, me = rows[has], me[has]
        if not len(me):
            return
        known = self.known[:, me].T
        if entry.among:
            named = self._spots.rows(entry.among) - self._spots.marks
            known = np.zeros_like(known)
            known[:, named[named >= 0]] = True
        ago = np.minimum(t - self._foe_time[me], FORESEEN_FOE_SECONDS)
        eye, speed = self.foe[me] + ago[:, None] * self._foe_motion[me], norm(self._foe_motion[me])
        searchers = Searchers(eye, self._foe_length[me], speed)
        place, ahead = swimmers.place[me], swimmers.ahead[me]
        to = known, self.behind[me], plan.intention[rows] == ESCAPE
        moves, behind, lost = self._hiding.moves(me, place, ahead, self._length[me], searchers, *to)
        self.behind[me] = behind
        some = np.flatnonzero(~lost)
        plan.follow(rows[some], moves.of(some))
        plan.goal[rows[some]], plan.near[rows[some]] = NO_FISH, np.inf
        there = some[moves.hold[some]]
        self.tasks.visited[self._spots.marks + behind[there], me[there]] = t
