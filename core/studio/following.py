"""Fishes that swim where others were tracked: our bodies follow the paths of real fish, each by a gait that suits it.

Each fish heads for where its track is a moment later, and beats as hard as that takes: it glides where the track stands
still, and bursts where it is fast. The water
about it goes with the track, and carries it what its own strokes leave over.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..base.codec import SceneError
from ..base.vectors import norm, wrap
from ..body.anatomy import NODES
from ..motor.commands import Commands
from ..recording import Recording
from ..scene.fishes import FishGroup
from ..scene.limits import LEAST_DIRECTION
from ..scene.scene import Scene
from ..scene.species import Species
from ..scene.tank import Tank
from ..world.parts import Parts
from ..world.puppetry import Puppetry
from ..world.settling import upright
from ..world.world import World
from .tracks import Tracks
from .tuning import CARRYING_SECONDS, FARTHEST_OFF, FULL_STRIDE, GLIDING_SPEED, LEAD_SECONDS, PACE_GAIN, TRACK_MARGIN

MOST_FPS = Scene.__dataclass_fields__["fps"].metadata["declared"].high
"""Most frames a second of a recording."""
SIZE_RANGE = 0.05, 20.0
"""Factors on the length of a species, from the smallest to the largest, as in a scene."""
LEAST_STEPS = 48
"""Steps of the simulation in a second, as in a film."""


@dataclass(frozen=True)
class Followed:
    """Fishes that have followed tracks.

    Attributes:
        recording: The resulting recording; a fish that was not tracked at a frame is not there.
        off: Distance of their centers of mass from their tracks, (frames, fish) in body lengths; NaN without a track.
        carried: Shift by the water onto their tracks, over the length of these, (fish,).
    """

    recording: Recording
    off: np.ndarray
    carried: np.ndarray

    def summary(self) -> str:
        """The precision of the fishes on their tracks, in a line."""
        off, fishes = self.off[np.isfinite(self.off)], len(self.carried)
        near = f"{np.median(off):.2f} lengths off in the middle, {off.max():.2f} at the most"
        carried = f"the water shifted them {np.median(self.carried):.0%} of the way"
        return f"{fishes} fish{'es' * (fishes != 1)}: {near}; {carried}"


def follow(
    tracks: Tracks,
    species: Species,
    fps: float,
    *,
    length: float | None = None,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Followed:
    """Has fishes of a species swim along tracks.

    Args:
        tracks: Tracks to follow.
        species: Species of their bodies.
        fps: Frames of the tracks in a second, and of the recording; of more than a recording may have, one of as few as
            it takes.
        length: Length of their bodies in metres; the species' own if left out.
        seed: Draws how they differ in looks.
        progress: Called with the share that is done.

    Raises:
        SceneError: The frames, or the length, are out of range.
    """
    stride = math.ceil(fps / MOST_FPS)
    tracks, fps = tracks.every(stride), fps / stride
    own = species.length if length is None else length
    if not SIZE_RANGE[0] <= own / species.length <= SIZE_RANGE[1]:
        span = f"{SIZE_RANGE[0] * species.length:g} to {SIZE_RANGE[1] * species.length:g} m for a {species.common_name}"
        raise SceneError(f"{own:g} m", span, key="length")
    fishes = tracks.places.shape[1]
    low = np.nanmin(tracks.places, axis=(0, 1)) - TRACK_MARGIN * own
    high = np.nanmax(tracks.places, axis=(0, 1)) + TRACK_MARGIN * own
    group = FishGroup(species=species.name, count=fishes, at=tuple((high - low) / 2), size=own / species.length)
    tank = Tank(size=tuple(float(side) for side in high - low))
    substeps = max(1, math.ceil(LEAST_STEPS / fps))
    scene = Scene("tracks", fps, len(tracks.places) / fps, substeps=substeps, tank=tank, fishes=(group,))
    guide = _Guide(tracks.places - low, own, fps)
    world = World(scene, seed=seed, pilot=guide.lead_on, species={species.name: replace(species, size_variety=0.0)})
    world.puppetry = guide
    guide.begin(world)
    run = world.run(frames=len(tracks.places))
    while True:
        try:
            frame = next(run)
        except StopIteration as end:
            recording = end.value
            break
        if progress:
            progress(frame / len(tracks.places))
    alive = np.isfinite(tracks.places[..., 0])
    way = np.nansum(norm(np.diff(tracks.places, axis=0)), axis=0)
    carried = guide.carried / np.maximum(way, own)
    return Followed(replace(recording, alive=alive), np.stack(guide.off), carried)


class _Guide(Puppetry):
    """Leads fishes along their tracks.

    Attributes:
        off: Distances from their tracks, frame after frame, (fish,) in body lengths.
        carried: Distance that the water has carried each, (fish,) in metres.
    """

    def __init__(self, places: np.ndarray, length: float, fps: float) -> None:
        """Takes tracks (frames, fish, 3) in metres, NaN where there is none, of fishes as long as this."""
        self._seen = np.isfinite(places[..., 0])
        frames = np.arange(len(places))
        self._path = np.stack(
            [
                [np.interp(frames, frames[own], places[own, fish, axis]) for axis in range(3)]
                for fish, own in enumerate(self._seen.T)
            ],
            axis=0,
        ).transpose(2, 0, 1)
        self._length, self._fps = length, fps
        self.off: list[np.ndarray] = []
        self.carried = np.zeros(places.shape[1])

    def begin(self, world: World) -> None:
        """Puts the fishes where their tracks begin, heading where these go."""
        way = self._at(LEAD_SECONDS) - self._at(0.0)
        still = norm(way) < 1e-3 * self._length
        way[still] = self._path[-1, still] - self._path[0, still]
        way[norm(way) < LEAST_DIRECTION] = (1.0, 0.0, 0.0)
        beat = world.models[world.species[0]].rhythm.tail_beat
        self._full = FULL_STRIDE * beat
        speed = norm(self._at(LEAD_SECONDS) - self._at(0.0)) / LEAD_SECONDS
        world.shoal.put(np.arange(len(way)), self._at(0.0), upright(way), speed)
        self._pace = speed / self._length / self._full
        self.off.append(np.where(self._seen[0], 0.0, np.nan))

    def lead_on(self, t: float, world: World) -> Commands:
        """The commands of all fishes from `t` seconds on."""
        way = self._at(t + LEAD_SECONDS) - world.center_of_mass
        speed = norm(way) / (LEAD_SECONDS * self._length)
        _, axes = world.shoal.frames()
        ahead = axes[..., 0]
        own = norm(world.shoal.velocity) / self._length
        self._pace = np.clip(self._pace + PACE_GAIN * (speed - own) / self._fps, 0.0, 2.0)
        moving = speed > GLIDING_SPEED
        commands = Commands.still(len(way))
        commands.swim[:] = np.where(moving, np.minimum(self._pace, 1.0), 0.0)
        commands.burst[:] = np.where(moving, np.maximum(self._pace - 1.0, 0.0), 0.0)
        turn = wrap(np.arctan2(way[:, 1], way[:, 0]) - np.arctan2(ahead[:, 1], ahead[:, 0]))
        commands.turn[:] = np.where(moving, turn, 0.0)
        commands.climb[:] = np.where(moving, np.arctan2(way[:, 2], norm(way[:, :2])), 0.0)
        return commands

    def ended(self, parts: Parts) -> None:
        """Lets the water go with the tracks, and carry the fishes towards them."""
        shoal = parts.bodies.shoal
        gap = self._at(parts.t) - shoal.center_of_mass
        far = norm(gap)
        share = 1.0 - math.exp(-1.0 / (self._fps * CARRYING_SECONDS))
        carried = np.maximum(share * far, far - FARTHEST_OFF * self._length)
        way = gap * (carried / np.maximum(far, 1e-12))[:, None]
        swept = share * ((self._at(parts.t) - self._at(parts.t - 1.0 / self._fps)) * self._fps - shoal.velocity)
        every = np.arange(len(way))
        shoal.displace(every, *(np.repeat(of[:, None], NODES, axis=1) for of in (way, swept)))
        self.carried += carried
        frame = min(round(parts.t * self._fps), len(self._seen) - 1)
        self.off.append(np.where(self._seen[frame], (far - carried) / self._length, np.nan))

    def _at(self, t: float) -> np.ndarray:
        """Places of the tracks at a time, (fish, 3)."""
        frame = min(max(t * self._fps, 0.0), len(self._path) - 1.0)
        before = min(int(frame), len(self._path) - 2) if len(self._path) > 1 else 0
        after = min(before + 1, len(self._path) - 1)
        return self._path[before] + (frame - before) * (self._path[after] - self._path[before])
