"""Levels of detail in a world: the dynamic fishes, and the motion of replicas (Yu & Terzopoulos 1999, §9.1).

Minds, senses, contact and food know nothing of it: the nodes of replicas stand in the shoal's arrays, too. Changes
there, such as a blow, are handed to the replicas by `heed`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.elementary import arctan2, exp
from ..base.state import Stateful, state
from ..base.vectors import dot, local, wrap
from ..body.anatomy import body_frame
from ..motor.center import MotorCenter
from ..motor.commands import Commands
from ..replicas.capture import remembered
from ..replicas.exchange import Advice
from ..replicas.levels import DYNAMIC, FRAME_ONLY, REPLICA, CameraView, Levels, seen, shot_at
from ..replicas.playback import HEADING
from ..replicas.secondary import Handover, Replicas
from ..scene.detail import Detail as Wish
from ..scene.detail import Shot
from ..scene.species import Species
from .shoal import AS_IT_IS, PLAYED, RESTING, Blows, Shoal, Stance
from .tuning import DRIFT_SECONDS


class DetailControl(Stateful):
    """The levels of detail of a world's fishes, and the replicas of all.

    Attributes:
        replicas: Replicas of all fishes; those of dynamic ones go along unheeded.
    """

    _drift: np.ndarray = state("f8", "fish", 3, unit="m/s")  # left by blows
    _view: np.ndarray = state("f8", 7, unset=np.nan)  # place, middle and lens of a camera moved by hand, or riding
    _rests: np.ndarray = state("?", "fish")  # fishes with bodies at rest

    def __init__(
        self,
        wish: Wish,
        shots: Sequence[Shot],
        species: Sequence[Species],
        shoal: Shoal,
        slowness: np.ndarray,
        seed: int,
    ):
        """Captures the species, or remembers them.

        Args:
            wish: Settings of the scene.
            shots: Keys of the camera by which levels go.
            species: Species that occur.
            shoal: Shoal of all fishes.
            slowness: Factor on the time that each takes for a beat, over that of its kind, (fish,).
            seed: Seed of the advice that replicas get.
        """
        fishes = len(shoal)
        self._shots, self._follows = shots, wish.follow_camera
        self.replicas = Replicas(
            species, [remembered(one) for one in species], shoal.kind, shoal.length, slowness, seed
        )
        self._levels, self._blows = Levels(fishes, wish.dynamic, wish.near), Blows(fishes)
        self._fill(fish=fishes)
        rest = np.array([shoal.resting(row) for row in range(len(species))])
        origins, frames = body_frame(rest)
        self._rest = np.array([local(of, one - at) for at, of, one in zip(origins, frames, rest, strict=True)])
        shoal.blows = self._blows

    @property
    def level(self) -> np.ndarray:
        """The level of each fish, (fish,) int8; one array for good."""
        return self._levels.level

    def parts(self) -> dict[str, Stateful]:
        """The stateful parts by their names in a saved world."""
        return {"detail": self, "levels": self._levels, "blows": self._blows, **self.replicas.parts()}

    def look(self, view: CameraView | None) -> None:
        """Has levels go by another camera than the scene's from now on, if they follow one; None is the scene's."""
        if self._follows:
            self.ride(view)

    def ride(self, view: CameraView | None) -> None:
        """Has levels go by the camera of a ride from now on; None is the scene's again."""
        self._view[:] = np.nan if view is None else (*view.at, *view.look_at, view.lens)

    def begin(self, shoal: Shoal, t: float, pace: float, period: float) -> None:
        """Makes replicas of all fishes as they are, and gives each its level.

        Args:
            shoal: Shoal of all fishes.
            t: Seconds since the film begins.
            pace: Share of full speed that they swim at.
            period: Seconds of a frame.
        """
        everyone, still = np.arange(len(shoal)), np.zeros((len(shoal), 3))
        place, frames = shoal.frames()
        body = Handover(shoal.nodes, shoal.node_velocities, shoal.beats(everyone), still, _azimuth(frames))
        self.replicas.adopt(everyone, body, np.full(len(shoal), pace), still[:, 0], period)
        nobody = np.zeros(len(shoal), dtype=bool)
        self._levels.choose(self._size(t, place, shoal.length), nobody, shoal.alive, 0.0)
        self._blows.clear()

    def choose(
        self,
        shoal: Shoal,
        motor: MotorCenter,
        commands: Commands,
        place: np.ndarray,
        water: np.ndarray,
        busy: tuple[np.ndarray, np.ndarray],
        t: float,
        period: float,
    ) -> None:
        """Gives every fish its level for the next frame, and has those change over whose level is another.

        Args:
            shoal: Shoal of all fishes.
            motor: Their motor center.
            commands: Commands of this frame.
            place: Places of the fishes in metres, (fish, 3).
            water: Velocity of the water at each in m/s, (fish, 3).
            busy: Fishes that must be dynamic, and those that should be if there is room, (fish,) bool each.
            t: Seconds since the film begins.
            period: Seconds of the frame.
        """
        self._heed(shoal)
        must, should = busy
        size, before = self._size(t, place, shoal.length), self.level.copy()
        changed = self._levels.choose(size, must & shoal.alive, shoal.alive, period, should)
        shoal.idle[:] = self.level != DYNAMIC
        if not changed.any():
            return
        self.promote(shoal, np.flatnonzero(changed & ~shoal.idle), before == FRAME_ONLY)
        self._demote(shoal, motor, commands, water, np.flatnonzero(changed & shoal.idle), period)

    def promote(self, shoal: Shoal, fishes: np.ndarray, unseen: np.ndarray | None = None) -> None:
        """Makes replicas dynamic, so that neither place nor speed of any node jumps.

        Args:
            shoal: Shoal of all fishes.
            fishes: Rows of the fishes, (n,).
            unseen: Fishes of which no more than a frame was kept, (fish,) bool; by their levels if left out.
        """
        if not len(fishes):
            return
        unseen = self.level == FRAME_ONLY if unseen is None else unseen
        self.replicas.show(fishes[unseen[fishes]])
        body = self.replicas.given_up(fishes, shoal.dt)
        shoal.follow(fishes, body.nodes, body.velocity)
        shoal.tense(fishes, body.phase, body.tension)
        self._drift[fishes] = 0.0

    def _demote(
        self,
        shoal: Shoal,
        motor: MotorCenter,
        commands: Commands,
        water: np.ndarray,
        fishes: np.ndarray,
        period: float,
    ) -> None:
        """Makes replicas of dynamic fishes, (n,); see `choose`."""
        if not len(fishes):
            return
        nodes, through = shoal.nodes_of(fishes), shoal.node_velocities_of(fishes) - water[fishes, None]
        _, frames = body_frame(nodes)
        heading, course = _azimuth(frames), motor.course[fishes]
        course = np.where(np.isnan(course), heading, course)  # before the motor center has driven for the first time
        turn = wrap(course - heading)
        sharpest, fastest = self.replicas.tables.turns[-1], self.replicas.tables.fastest
        burst = np.clip(commands.burst, 0.0, 1.0)[fishes]
        pace = np.maximum(np.clip(commands.swim, 0.0, 1.0)[fishes], burst)
        pace = np.where(np.asarray(commands.brake, dtype=bool)[fishes], 0.0, pace + burst * (fastest - pace))
        body = Handover(nodes, through, shoal.beats(fishes), np.zeros((len(fishes), 3)), course)
        self.replicas.adopt(fishes, body, pace, np.clip(turn, -sharpest, sharpest), period)
        self.replicas.sprints.copy_rows(motor.sprints, fishes)
        self.replicas.paddles.copy_rows(motor.paddles, fishes)

    def aim(self, goals: np.ndarray, seconds: float) -> None:
        """Has replicas steer finely at their goals, from far off; places in metres, (fish, 3), NaN for nothing."""
        self.replicas.aim(goals, seconds)

    def move(self, shoal: Shoal, motor: MotorCenter, commands: Commands, water: np.ndarray, period: float) -> None:
        """Moves all replicas on by a frame; its arguments are those of `choose`."""
        replicas, idle = np.flatnonzero(shoal.idle), shoal.idle
        if not len(replicas):
            return
        shown = idle & (self.level == REPLICA)
        self.replicas.move(commands, period, water + self._drift, shown)
        self._drift *= exp(-period / DRIFT_SECONDS)
        motor.follow(replicas, self.replicas.course[replicas], self.replicas.playback.carriers[replicas, HEADING])
        playback, here = self.replicas.playback, idle & shoal.alive
        how = np.where(here, np.where(shown, PLAYED, RESTING), AS_IT_IS).astype(np.uint8)
        bodies = playback.nodes, playback.origins, playback.frames, self._rest, self.replicas.velocity
        shoal.stand(Stance(how, self._rests, *bodies), period)

    def advise(self, shoal: Shoal) -> Advice:
        """The replicas' advice to the minds of their fishes, so that no two swim in step."""
        fishes, pace = self.replicas.advise()
        here = (shoal.idle & shoal.alive)[fishes]
        return Advice(fishes[here], pace[here])

    def bend(self, bend: np.ndarray) -> np.ndarray:
        """The bend of bodies, left positive, (fish,), of which this is true of the dynamic ones."""
        return np.where(self.level == DYNAMIC, bend, self.replicas.bend)

    def _heed(self, shoal: Shoal) -> None:
        """Has replicas follow the changes of their bodies since they were moved."""
        fishes = np.flatnonzero(self._blows.struck & (self.level != DYNAMIC))
        if len(fishes):
            playback, length = self.replicas.playback, shoal.length[fishes]
            origins, frames = body_frame(shoal.nodes_of(fishes))
            turn = wrap(_azimuth(frames) - _azimuth(playback.frames[fishes]))
            self.replicas.displace(fishes, origins, turn, ~shoal.alive[fishes])
            ahead, change = frames[:, :, 0], self._blows.change[fishes]
            along = dot(change, ahead)
            self.replicas.speed[fishes] += along / length
            self._drift[fishes] += change - along[:, None] * ahead
        self._blows.clear()

    def _size(self, t: float, place: np.ndarray, length: np.ndarray) -> np.ndarray:
        """The size of each in the picture, 0 out of it, (fish,)."""
        by_hand = self._view
        view = shot_at(self._shots, t)
        if not np.isnan(by_hand[0]):
            view = CameraView(tuple(by_hand[:3].tolist()), tuple(by_hand[3:6].tolist()), float(by_hand[6]))
        return seen(view, place, length)


def _azimuth(frames: np.ndarray) -> np.ndarray:
    """Azimuths of headings in radians, (n,), of frames (n, 3, 3)."""
    return arctan2(frames[:, 1, 0], frames[:, 0, 0])
