"""The secondary controller: motor commands choose, mix and change segments (Yu & Terzopoulos 1999, §6.1 and 6.2).

It stands between a mind, which commands replicas as it does dynamic fishes, and `Playback`. Speeds, turns and slopes
come as the repertoire's responses say: v' = (V^2 - v^2)/L, thrust against drag, and turns and climbs within their
time. A turn is steered as the motor center steers it: the more is left of it, the sharper the segment.

A fish can be dynamic for a while and a replica for another (§9.1): `adopt` takes over a dynamic fish, `given_up` hands
one back, with the velocities of its nodes and the tension of its muscles. Neither its place, heading and speed nor the
acceleration of a node shows which it is, if the motor center has gone on meanwhile: sensing the replica, steering its
course, and trimming nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.dice import Dice
from ..base.elementary import arcsin, arctan2, cos, exp, hypot
from ..base.state import Stateful, state
from ..base.sums import weighted
from ..base.vectors import dot, unit, wrap
from ..body.anatomy import MASS_SHARES
from ..motor import controllers
from ..motor.commands import Commands
from ..motor.paddling import Paddles
from ..motor.pectorals import FinMotion
from ..motor.sprint import Sprints
from ..motor.tuning import CSTART_AGAIN_BEATS, CSTART_BEATS, CSTART_RECOIL_BEATS, ON_COURSE_ANGLE, PITCH_GAIN
from ..scene.species import Species
from .exchange import Advice, Handover
from .playback import HEADING, PLACE, SLOPE, Mixture, Playback
from .repertoire import POSES, Repertoire
from .tables import BRAKE, CORNERS, LEFT_SIDE, RETREAT, RIGHT_SIDE, START, SWIM, SegmentTables
from .tuning import (
    ADVICE_SECONDS,
    ADVICE_SPREAD,
    ADVISED_PACES,
    AIM_ANGLE,
    AIM_RATE,
    QUICKEST_SECONDS,
    SHORTEST_LENGTHS,
    STEEPEST_LEVEL,
    STRAIGHT_ANGLE,
)

AGAIN_SHARE = (CSTART_BEATS - CSTART_AGAIN_BEATS) / (CSTART_BEATS + CSTART_RECOIL_BEATS)
"""Share of a C-start at which a second bend begins."""


class Replicas(Stateful):
    """Fishes that are played back, moved by the commands that dynamic ones obey.

    Attributes:
        playback: Their places and their nodes.
        sprints: Their stamina and their C-starts.
        speed: Ahead, in lengths a second, (fish,).
        phase: Phase of the beat in cycles, 0 to below 1, (fish,).
        fins: The visible motion of their pectoral fins,
        paddles: and how they row, if they do.
    """

    speed: np.ndarray = state("f8", "fish", unit="lengths/s")
    phase: np.ndarray = state("f8", "fish", unit="cycles")
    _course: np.ndarray = state("f8", "fish", unit="rad")
    _command: np.ndarray = state("f8", "fish")
    _bend: np.ndarray = state("f8", "fish")
    _pace: np.ndarray = state("f8", "fish")
    _gait: np.ndarray = state("i8", "fish", begin=SWIM)
    _side: np.ndarray = state("i8", "fish")
    _clock: np.ndarray = state("f8", "fish", unit="s")
    _curl: np.ndarray = state("f8", "fish")
    _slip: np.ndarray = state("f8", "fish")
    _segment: np.ndarray = state("i8", "fish", begin=-1)
    _since: np.ndarray = state("f8", "fish", unit="s")
    _corners: np.ndarray = state("i8", "fish", CORNERS)
    _shares: np.ndarray = state("f8", "fish", CORNERS)
    _moments: np.ndarray = state("f8", "fish", unit="poses")
    _once: np.ndarray = state("i8", "fish")
    _velocity: np.ndarray = state("f8", "fish", 3)
    _motions: np.ndarray = state("f8", "fish", 4)
    _rate: np.ndarray = state("f8", "fish")
    _water: np.ndarray = state("f8", "fish", 3, unit="m/s")

    def __init__(
        self,
        species: Sequence[Species],
        repertoires: Sequence[Repertoire],
        kind: np.ndarray,
        length: np.ndarray,
        slowness: np.ndarray | float = 1.0,
        seed: int = 0,
    ):
        """Begins at rest at the origin, heading along x, each in its own phase of the beat.

        Args:
            species: The species that occur.
            repertoires: Theirs.
            kind: Row of each fish's species, (fish,).
            length: Body length of each in metres, (fish,).
            slowness: Factor on the time that each takes for a beat, over that of its kind, (fish,).
            seed: Seed of their phases, and of the advice that they get.
        """
        fishes = len(kind)
        self.tables = SegmentTables(repertoires)
        self.playback, self.sprints = Playback(self.tables, length), Sprints(species, kind)
        self._kind, self._tempo = np.array(kind, dtype=np.int64), np.full(fishes, 1.0) / slowness
        self._dice = Dice(seed, np.arange(fishes), 0)
        least = {"surge": QUICKEST_SECONDS, "turn": QUICKEST_SECONDS, "climb": QUICKEST_SECONDS, "slope": 0.0}
        self._responses = {
            name: np.maximum(values[kind], least.get(name, SHORTEST_LENGTHS))
            for name, values in self.tables.responses.items()
        }
        self._period = 0.0
        everyone = np.arange(fishes)
        self._fill(fish=fishes)
        self.phase[:] = self._dice.uniform(everyone)
        self._beats = np.array([one.rhythm.tail_beat for one in species])[kind] * self._tempo
        oaring, wing = (np.array([getattr(one.pectoral, name) for one in species])[kind] for name in ("oaring", "wing"))
        self.paddles = Paddles(species, kind)
        self.fins = FinMotion(oaring, 2.0 * np.pi * self._dice.uniform(everyone), wing)
        self._mixture().put(everyone, self._with_gaits(self._swimming()[0], 0.0))

    def __len__(self) -> int:
        return len(self.speed)

    def parts(self) -> dict[str, Stateful]:
        """The stateful parts by their names in a saved world."""
        members = {
            "": self,
            " playback": self.playback,
            " sprints": self.sprints,
            " fins": self.fins,
            " paddles": self.paddles,
            " dice": self._dice,
        }
        return {f"replicas{name}": member for name, member in members.items()}

    @property
    def nodes(self) -> np.ndarray:
        """Places of the nodes in metres, (fish, 23, 3)."""
        return self.playback.nodes

    @property
    def velocity(self) -> np.ndarray:
        """Velocities of the carriers in m/s in the last frame, (fish, 3)."""
        return self._velocity

    @property
    def course(self) -> np.ndarray:
        """Azimuth in radians that each fish steers, (fish,)."""
        return self._course

    @property
    def bend(self) -> np.ndarray:
        """The turn of each over the sharpest turn that was captured, left positive, (fish,)."""
        return self._bend / self.tables.turns[-1]

    def put(self, fishes: np.ndarray, place: np.ndarray, frames: np.ndarray, speed: np.ndarray) -> None:
        """Puts fishes somewhere.

        Args:
            fishes: Rows of the fishes, (n,).
            place: Origins of their own frames in metres, (n, 3).
            frames: Columns ahead, left and up, (n, 3, 3).
            speed: Ahead in lengths a second, (n,).
        """
        self.speed[fishes] = speed
        self.playback.put(fishes, place, frames, self._mixture().of(fishes))
        self._course[fishes] = self.playback.carriers[fishes, HEADING]

    def show(self, fishes: np.ndarray) -> None:
        """Puts the nodes of fishes (n,) in place that were displaced, or of which only frames were kept up."""
        self.playback.show(fishes, self._mixture().of(fishes))

    def displace(self, fishes: np.ndarray, origins: np.ndarray, turn: np.ndarray, course: np.ndarray) -> None:
        """Moves fishes as a whole, as something else has.

        Args:
            fishes: Rows of the fishes, (n,).
            origins: Origins of their own frames then in metres, (n, 3).
            turn: Angles that they have turned by in radians, left positive, (n,).
            course: Fishes whose course turns with them, (n,) bool; others steer back.
        """
        self.playback.displace(fishes, origins, turn)
        self._course[fishes] += np.where(course, turn, 0.0)
        self.show(fishes)

    def adopt(self, fishes: np.ndarray, body: Handover, pace: np.ndarray, turn: np.ndarray, seconds: float) -> None:
        """Takes over dynamic fishes: place, heading, shape, speed and beat are kept; roll and odd shapes fade.

        Args:
            fishes: Rows of the fishes, (n,).
            body: Theirs.
            pace: Their pace, 0 to 1, and up to 2 for the share of a burst, (n,).
            turn: Rest of their turns in radians, left positive, (n,).
            seconds: Duration of a frame.
        """
        playback = self.playback
        self.phase[fishes] = (body.phase / (2.0 * np.pi)) % 1.0
        self._pace[fishes], self._bend[fishes], self._gait[fishes] = pace, turn, SWIM
        corners, shares, motion = self.tables.mixed(self._kind[fishes], self._pace[fishes], self._bend[fishes])
        mixture = Mixture(corners, shares, POSES * self.phase[fishes], np.zeros(len(fishes), np.int64))
        self._slip[fishes] = motion[:, 1]
        playback.adopt(fishes, body.nodes, mixture, seconds)
        self._mixture().put(fishes, mixture)
        carriers, frames = playback.carriers[fishes], playback.frames[fishes]
        heading = arctan2(frames[:, 1, 0], frames[:, 0, 0])
        self._course[fishes] = carriers[:, HEADING] + wrap(heading - carriers[:, HEADING]) + wrap(body.course - heading)
        velocity = weighted(MASS_SHARES, body.velocity)
        self.speed[fishes] = dot(velocity, frames[:, :, 0]) / playback.length[fishes]

    def given_up(self, fishes: np.ndarray, step: float) -> Handover:
        """The bodies of replicas for dynamic fishes, so that neither place nor speed of any node jumps.

        Args:
            fishes: Rows of the fishes, (n,).
            step: Seconds of a step of their bodies, whose velocities are those of the step that brings them here.
        """
        mixture, motion = self._mixture().of(fishes), self._motions[fishes]
        nodes = self.playback.nodes[fishes].copy()
        before = self.playback.before(fishes, mixture, motion, self._rate[fishes], step)
        velocity = (nodes - before) / step + self._water[fishes, None]
        tension = Playback.mixed(self.tables.tension, mixture)
        return Handover(nodes, velocity, 2.0 * np.pi * self.phase[fishes], tension, self._course[fishes])

    def fan(self, commands: Commands, seconds: float) -> np.ndarray:
        """Moves the fins that are seen, on top of all: flapping and oaring are kinematic anyway (§4.2).

        Args:
            commands: Commands of this frame.
            seconds: Duration of the frame.

        Returns:
            As a recording keeps them, (fish, 2, 3): gamma, flap and oar of left and right.
        """
        stopped = np.asarray(commands.brake, dtype=bool) | (np.asarray(commands.back) > 0.0)
        steep = PITCH_GAIN * (np.asarray(commands.climb, dtype=float) - self.playback.carriers[:, SLOPE])
        gamma = np.where(steep > 0.0, controllers.ascend(steep), controllers.descend(-steep))
        gamma = np.where(stopped, controllers.brake(len(self)), gamma)
        swim = np.where(stopped, 0.0, np.clip(commands.swim, 0.0, 1.0))
        wish = self.paddles.speed(swim, np.asarray(commands.burst, dtype=float), self._rate / POSES)
        self.paddles.advance(wish, self.speed, seconds)
        stroke = np.stack([self.paddles.phase, self.paddles.reach])
        self.fins.advance(seconds, gamma, np.abs(self.speed), self.bend, stopped, stroke)
        return self.fins.fins(gamma)

    def move(
        self, commands: Commands, seconds: float, water: np.ndarray | None = None, shown: np.ndarray | None = None
    ) -> np.ndarray:
        """Moves everybody on by a frame.

        Args:
            commands: Commands of all fishes.
            seconds: Duration of the frame.
            water: Velocity of the water at each in m/s, (fish, 3); still if left out.
            shown: Fishes whose nodes are wanted, (fish,) bool; all if left out.

        Returns:
            Places of the nodes in metres, (fish, 23, 3), in an array that changes with the next frame; of fishes that
            are not shown, as they were.
        """
        shown = np.ones(len(self), dtype=bool) if shown is None else shown
        begin, place = self.playback.carriers[:, PLACE].copy(), self.playback.carriers[:, PLACE]
        motion = self._steer(commands, seconds)
        if water is not None:
            place += water * seconds
        self.playback.advance(self._mixture(), motion, seconds, shown)
        self._motions, self._water = motion, np.zeros((len(self), 3)) if water is None else np.array(water)
        self._velocity = (place - begin) / seconds
        return self.playback.nodes

    def aim(self, goals: np.ndarray, seconds: float) -> None:
        """Aligns fishes finely with the direction of their goals (§6.2, fig. 6).

        Segments are fewer than what a dynamic fish can do between them. A fish with its goal within 45 degrees of its
        nose turns a little to it, wherever it is.

        Args:
            goals: Places in metres, (fish, 3); NaN where there is none.
            seconds: Duration of a frame.
        """
        carriers, fishes = self.playback.carriers, np.flatnonzero(~np.isnan(goals[:, 0]))
        way = unit(goals[fishes] - self.playback.origins[fishes])
        turn = wrap(arctan2(way[:, 1], way[:, 0]) - carriers[fishes, HEADING])
        rise = arcsin(np.clip(way[:, 2], -1.0, 1.0)) - carriers[fishes, SLOPE]
        near, most = hypot(turn, rise) < AIM_ANGLE, AIM_RATE * seconds
        turned = np.where(near, np.clip(turn, -most, most), 0.0)
        carriers[fishes, HEADING] += turned
        self._course[fishes] += turned
        carriers[fishes, SLOPE] += np.where(near, np.clip(rise, -most, most), 0.0)

    def advise(self) -> Advice:
        """The advice to fishes that have stayed too long in one segment, so that no two swim in step (§6.1).

        It is for the mind to follow (`Mind.heed`). An advised fish is left in peace for as long again.
        """
        long = np.flatnonzero((self._since > (1.0 - 0.5 * ADVICE_SPREAD) * ADVICE_SECONDS) & (self._gait == SWIM))
        spread = self._dice.shares(long, self._segment[long] + 1, 1)[:, 0] - 0.5
        fishes = long[self._since[long] > ADVICE_SECONDS * (1.0 + ADVICE_SPREAD * spread)]
        self._since[fishes] = 0.0
        return Advice(fishes, self._dice.uniform(fishes, *ADVISED_PACES))

    def _mixture(self) -> Mixture:
        """The mixture of segments shown of each fish; its arrays are ours."""
        return Mixture(self._corners, self._shares, self._moments, self._once)

    def _steer(self, commands: Commands, seconds: float) -> np.ndarray:
        """Follows commands for a frame: sets the mixture at its end; the motion of carriers meanwhile, (fish, 4)."""
        if seconds != self._period:  # what comes in a frame of what comes in time
            self._period = seconds
            self._bending, self._climbing = (1.0 - exp(-seconds / self._responses[name]) for name in ("turn", "climb"))
        back = np.clip(commands.back, 0.0, 1.0)
        stopped = np.asarray(commands.brake, dtype=bool) | (back > 0.0)
        swim = np.where(stopped, 0.0, self.sprints.pace(np.clip(commands.swim, 0.0, 1.0)))
        burst = self.sprints.burst(np.where(stopped, 0.0, np.asarray(commands.burst, dtype=float)), seconds)
        level = cos(self.playback.carriers[:, SLOPE])
        left = level * (self._course - self._heading())
        curl, flung = self.sprints.cstart(np.asarray(commands.cstart, dtype=float), left, seconds)
        self._turn_by(np.where(flung, commands.cstart, np.asarray(commands.turn, dtype=float)), level, seconds)
        pace = np.maximum(swim, burst)
        self._swell_to(pace + burst * (self.tables.fastest - pace), seconds)
        (mixture, motion), before = self._swimming(), self.phase
        self._rate = POSES * self._tempo * motion[:, 3]
        self.phase = (self.phase + self._rate * (seconds / POSES)) % 1.0
        again = self._change_gait(curl, flung, stopped, back)
        clock = self._clock.copy()
        mixture = self._with_gaits(mixture, seconds)
        changed = np.flatnonzero(again)
        if len(changed):
            begin = mixture.of(changed)  # as the frame begins
            begin.moments[:] = np.where(begin.once != 0, (POSES - 1) * clock[changed], POSES * before[changed])
            self.playback.join(changed, self._mixture().of(changed), begin, seconds)
        self._corners, self._shares, self._moments = mixture.corners, mixture.shares, mixture.moments
        self._once = mixture.once
        self._note_segments(seconds)
        return self._motion(motion, stopped, back, level, np.asarray(commands.climb, dtype=float), seconds)

    def _turn_by(self, turn: np.ndarray, level: np.ndarray, seconds: float) -> None:
        """Begins turns, as the motor center does, and bends for the rest of them."""
        heading = self._heading()
        begun = (turn != 0.0) & (turn != self._command)
        self._command = turn.copy()
        base = np.where(np.abs(self._course - heading) < ON_COURSE_ANGLE, self._course, heading)
        self._course = np.where(begun, base + turn, self._course)
        left = level * (self._course - heading)
        sharpest = self.tables.turns[-1]
        self._bend += self._bending * (np.minimum(np.maximum(left, -sharpest), sharpest) - self._bend)

    def _heading(self) -> np.ndarray:
        """Azimuths of the noses, less their sway with the beat, (fish,) in radians."""
        return self.playback.carriers[:, HEADING] + self._slip

    def _swell_to(self, pace: np.ndarray, seconds: float) -> None:
        """Goes over to another pace, as a beat swells and fades, over about one beat of those at full speed."""
        most = seconds * self._beats
        self._pace += np.minimum(np.maximum(pace - self._pace, -most), most)

    def _swimming(self) -> tuple[Mixture, np.ndarray]:
        """The mixture of paces and turns that fishes swim at, and its motion, (fish, 4), as in the tables."""
        corners, shares, motion = self.tables.mixed(self._kind, self._pace, self._bend)
        self._slip = motion[:, 1]
        fishes = len(self)
        return Mixture(corners, shares, np.zeros(fishes), np.zeros(fishes, np.int64)), motion

    def _change_gait(self, curl: np.ndarray, flung: np.ndarray, stopped: np.ndarray, back: np.ndarray) -> np.ndarray:
        """Follows starts, brakes and retreats; mask of fishes whose segment is another now, (fish,) bool.

        A fish that stops and still turns is bent, unlike those captured as they braked and backed up.
        """
        if not (flung.any() or stopped.any() or (self._gait != SWIM).any()):
            self._curl = curl
            return flung  # everybody swims on, which is most frames of most schools
        sides = np.where(self._side == LEFT_SIDE, 1.0, -1.0)
        again = (self._gait == START) & (curl * sides > 0.0) & (self._curl * sides < 0.0)
        self._curl = curl
        begins = flung | again
        self._clock = np.where(flung, 0.0, np.where(again, AGAIN_SHARE, self._clock))
        starts = begins | ((self._gait == START) & (self._clock < 1.0 - 1e-9))
        straight = stopped & (np.abs(self._bend) < STRAIGHT_ANGLE)
        gait = np.where(starts, START, np.where(straight, np.where(back > 0.0, RETREAT, BRAKE), SWIM))
        side = np.where(flung, np.where(self._command > 0.0, LEFT_SIDE, RIGHT_SIDE), self._side)
        changed = begins | (gait != self._gait)
        self._gait, self._side = gait, side
        return changed

    def _with_gaits(self, mixture: Mixture, seconds: float) -> Mixture:
        """The same for fishes that do something else than swim."""
        mixture.moments[:] = POSES * self.phase
        rows = np.flatnonzero(self._gait != SWIM)
        if len(rows):
            own = self.tables.gaits[self._kind[rows], self._gait[rows], self._side[rows]]
            mixture.corners[rows, 0] = own
            mixture.shares[rows] = np.eye(CORNERS)[0]
            starts, segment = rows[self._gait[rows] == START], own[self._gait[rows] == START]
            self._clock[starts] += seconds / self.tables.seconds[segment]
            self._rate[starts] = (POSES - 1) / self.tables.seconds[segment]
            mixture.moments[starts] = (POSES - 1) * np.minimum(self._clock[starts], 1.0)
            mixture.once[starts] = 1
        return mixture

    def _note_segments(self, seconds: float) -> None:
        """Keeps count of how long each has been in one segment, or between the same ones."""
        segment = self._corners[:, 0]
        self._since = np.where(segment == self._segment, self._since + seconds, 0.0)
        self._segment = segment

    def _motion(
        self,
        swimming: np.ndarray,
        stopped: np.ndarray,
        back: np.ndarray,
        level: np.ndarray,
        climb: np.ndarray,
        seconds: float,
    ) -> np.ndarray:
        """Motion of the carriers in a frame, (fish, 4), at the speeds and slopes that fishes have come to."""
        of, tables = self._responses, self.tables
        meant, yaw = swimming[:, 0] * self._tempo, swimming[:, 2] / np.maximum(level, STEEPEST_LEVEL)
        speeds_up, longest = np.abs(meant) > np.abs(self.speed), of["coast"]
        retreats = (back > 0.0) & (self._gait != START)
        brakes = stopped & ~retreats & (self._gait != START)
        if brakes.any() or retreats.any():
            backing = back * tables.motion[tables.gaits[self._kind, RETREAT, LEFT_SIDE], 0]
            meant = np.where(brakes, 0.0, np.where(retreats, backing, meant))
            longest = np.where(brakes, of["brake"], np.where(retreats, of["back"], longest))
            speeds_up &= ~retreats
        drag = (np.abs(meant) + np.abs(self.speed)) / longest
        gain = seconds * np.where(speeds_up, 1.0 / of["surge"], drag)
        self.speed += (meant - self.speed) * gain / (1.0 + gain)
        motion = np.zeros((len(self), 4))
        motion[:, 0], motion[:, 3] = self.speed, yaw
        starts = np.flatnonzero(self._gait == START)
        if len(starts):
            own = tables.gaits[self._kind[starts], START, self._side[starts]]
            self.speed[starts] = np.maximum(self.speed[starts], tables.motion[own, 0])
            motion[starts, 0], motion[starts, 1] = self.speed[starts], tables.drift[own]
            motion[starts, 3] = tables.motion[own, 2]
        slope = self.playback.carriers[:, SLOPE]
        slope += self._climbing * (of["slope"] * climb - slope)
        return motion
