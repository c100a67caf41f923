"""A world that is watched while it lives: it can be wound back, changed, and run on from there.

The acts on it are kept in a log, each with its frame: scene, seed and log are all of a rehearsal, and wound back frames
are simulated again to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from ..base.codec import SceneError
from ..recording import ARRAYS, Recording
from ..scene.scene import Scene
from ..scene.species import Species
from ..world.persistence import WorldMoment
from ..world.snapshots import make_room
from ..world.strokes import StrokeLog
from ..world.world import World

MOMENTS_BYTES = 256_000_000  # bytes of moments to go back to
FRAMES_BYTES = 2_000_000_000  # bytes of recorded frames, after which none are added
FIRST_FRAMES = 64  # frames, the fewest that arrays begin with

_workers: list[ThreadPoolExecutor] = []  # which simulates ahead


@dataclass(frozen=True, eq=False)
class Act:
    """An act on a world at a frame.

    Attributes:
        frame: Index of the frame, 0 the first.
        do: Does it; the same world always has it done in the same way.
    """

    frame: int
    do: Callable[[World], object]


class BreakdownError(ValueError):
    """The numbers of a world break down, for a species or water that is too extreme: it cannot go on.

    Attributes:
        frame: Index of the last frame that is there; -1 without one.
    """

    def __init__(self, frame: int) -> None:
        super().__init__(f"fishes cannot swim on after frame {frame}: found numbers that are too extreme")
        self.frame = frame


class _NextFrame:
    """The frame after the last of a world, simulated in a thread; nobody else touches the world meanwhile.

    Attributes:
        before: The moment at which the world stood; None where there was none, and nothing was done.
        after: The moment at which it stands once it is made, if that is to be remembered.
        arrays: Arrays recorded of it then.
        picture: Result of `draw` for these.
    """

    def __init__(self, world: World, draw: Callable[[Mapping[str, np.ndarray]], object] | None, remember: bool) -> None:
        """Begins with it; see `Rehearsal.look_ahead`."""
        if not _workers:
            _workers.append(ThreadPoolExecutor(1, thread_name_prefix="artfish ahead"))
        self.before: WorldMoment | None = None
        self.after: WorldMoment | None = None
        self.arrays: dict[str, np.ndarray] = {}
        self.picture: object = None
        self._made = _workers[0].submit(self._make, world, draw, remember)

    def _make(self, world: World, draw: Callable[[Mapping[str, np.ndarray]], object] | None, remember: bool) -> None:
        self.before = world.moment()
        world.step()
        self.after = world.moment() if remember else None
        self.arrays = _recorded(world)
        self.picture = None if draw is None else draw(self.arrays)

    def wait(self) -> bool:
        """Waits until it is done; whether it could be made: who makes it then comes upon the same."""
        return self._made.exception() is None


class Rehearsal:
    """Frames of a world, simulated when they were needed.

    Attributes:
        frames: Number of frames so far.
        acts: Acts by frame; those that still lie ahead included.
    """

    def __init__(self, scene: Scene, seed: int = 0, species: Mapping[str, Species] | None = None) -> None:
        """Fills the tank; as `World`."""
        self._world = World(scene, seed, species=species)
        self.frames = 0
        self.acts: tuple[Act, ...] = ()
        self._preroll = -self._world.frame
        self._arrays: dict[str, np.ndarray] = {}
        self._strokes = StrokeLog()
        self._moments: dict[int, WorldMoment] = {}
        self._every = max(1, round(scene.fps))
        self._next: _NextFrame | None = None
        self._picture: tuple[int, object] = -1, None  # its frame, and the picture
        self._outside: dict[int, Callable[[World], object]] = {}
        self._patience = 0  # frames before which nothing is simulated ahead

    @property
    def world(self) -> World:
        """The world, which stands at the last of the frames."""
        begun, self._next = self._next, None
        if begun is not None:
            begun.wait()
            if begun.before is not None:
                self._world.go_back(begun.before)
            self._patience = self.frames + self._every
        return self._world

    def look_ahead(self, draw: Callable[[Mapping[str, np.ndarray]], object] | None = None) -> None:
        """Begins to simulate the next frame in a thread; `advance` takes it over.

        Any other access to the world drops it, and for a second of frames after that none is begun.

        Args:
            draw: Makes something of the recorded arrays, in that thread, too; see `picture`.
        """
        if self._next is None and self.frames > self._patience and not self.full:
            self._next = _NextFrame(self._world, draw, self.frames % self._every == 0)

    def picture(self, frame: int) -> object:
        """The drawing of a frame made when it was simulated ahead; None if there is none, or the frame has changed."""
        made_of, picture = self._picture
        return picture if made_of == frame else None

    def surround(self, do: Callable[[World], object]) -> None:
        """Has something from outside, such as a camera that is moved, be known to the world from the last frame on.

        It changes nothing that is recorded of that frame, is no act that somebody takes back, and is done again
        whenever the frame is simulated again. Where the next frame is being simulated already, it comes too late.
        """
        if self.frames and self._next is None:
            self._outside[self.frames - 1] = do
            do(self._world)

    def __getitem__(self, frame: int) -> dict[str, np.ndarray]:
        """The recorded arrays of a frame, by name, as in a `Recording` of one frame less its axis."""
        if not 0 <= frame < self.frames:
            raise IndexError(f"frame: found {frame}, allowed 0 to {self.frames - 1}")
        return {name: array[frame] for name, array in self._arrays.items()}

    @property
    def full(self) -> bool:
        """True if memory for frames is used up."""
        return self.frames * self._frame_bytes + self._strokes.size > FRAMES_BYTES

    @property
    def _frame_bytes(self) -> int:
        """Bytes of the recorded arrays of one frame."""
        return sum(array.nbytes // len(array) for array in self._arrays.values())

    @property
    def ahead(self) -> int:
        """Frames of pre-roll that are still to be simulated before the first."""
        return max(0, -self._world.frame) if not self.frames else 0

    def advance(self, frame: int, seconds: float = np.inf) -> bool:
        """Simulates until a frame is there, or time is up.

        Args:
            frame: Its index.
            seconds: After which to stop; at least one step is made.

        Returns:
            Whether it is there.

        Raises:
            BreakdownError: The world cannot go on so far; it stands at the last frame that is there.
        """
        until = perf_counter() + seconds
        while self.frames <= frame and not self.full:
            self._step_or_stand()
            if perf_counter() > until:
                break
        return self.frames > frame

    def act(self, frame: int, do: Callable[[World], object]) -> None:
        """Does something to the world at a frame that is there; later frames and acts are dropped.

        Raises:
            SceneError: The world refuses; all is then as before.
        """
        kept = [act for act in self.acts if act.frame <= frame]
        if frame == self.frames - 1 and len(kept) == len(self.acts):
            do(self.world)
            self.acts = (*kept, Act(frame, do))
            self._keep(frame)
            self._surround(frame)
        else:
            before = self.acts
            try:
                self.lead((*kept, Act(frame, do)))
                self.advance(frame)
            except SceneError:
                self.acts = before
                self._go_back(frame)
                raise

    def lead(self, acts: tuple[Act, ...]) -> None:
        """Has this log in place of the one before; frames from the first act that differs are to be simulated again."""
        same = 0
        while same < min(len(acts), len(self.acts)) and acts[same] is self.acts[same]:
            same += 1
        differ = [of[same].frame for of in (acts, self.acts) if len(of) > same]
        self.acts = acts
        if differ and min(differ) < self.frames:
            self._go_back(min(differ))

    def recording(self) -> Recording:
        """All frames so far. It shares their memory: copy it to keep it while frames are dropped.

        Raises:
            ValueError: If there is no frame yet.
        """
        if not self.frames:
            raise ValueError("frames: found none, allowed one or more")
        frames = {name: array[: self.frames] for name, array in self._arrays.items()}
        found = self._world.recorded(frames | self._strokes.arrays())
        return replace(found, events=[event for event in found.events if event["frame"] < self.frames])

    def _step_or_stand(self) -> None:
        """Simulates one frame; if it cannot be, the world stands at the one before.

        Raises:
            BreakdownError: If it cannot be.
        """
        frames = self.frames
        try:
            self._step()
        except SceneError:  # an act at a frame is refused
            raise
        except (ValueError, ArithmeticError, IndexError) as error:
            if frames:
                self._go_back(frames - 1)
            while self.frames < frames:
                self._step()
            raise BreakdownError(frames - 1) from error

    def _step(self) -> None:
        """Simulates one frame, or one of the pre-roll."""
        begun, self._next = self._next, None
        made = begun is not None and begun.wait()
        if begun is not None and not made and begun.before is not None:
            self._world.go_back(begun.before)
        if not made and (self.frames or self._world.frame < 0):
            self._world.step()
        if self._world.frame >= 0:
            self._arrive(begun if made else None)

    def _arrive(self, ahead: _NextFrame | None = None) -> None:
        """Does the acts of the frame at which the world stands, and records it."""
        if self.frames % self._every == 0:
            self._remember(None if ahead is None else ahead.after)
        for act in self.acts:
            if act.frame == self.frames:
                act.do(self.world)
                ahead = None
        self._keep(self.frames, ahead)
        self._surround(self.frames)
        self.frames += 1

    def _surround(self, frame: int) -> None:
        """Has the world know again what came from outside at a frame."""
        if frame in self._outside:
            self._outside[frame](self._world)

    def _keep(self, frame: int, ahead: _NextFrame | None = None) -> None:
        """Records the world as this frame, which may have been simulated ahead."""
        now = _recorded(self.world) if ahead is None else ahead.arrays
        self._picture = frame, None if ahead is None else ahead.picture
        self._strokes.drop(frame)
        self.world.log_strokes(self._strokes, frame)
        if not self._arrays:  # the unused part of an array of zeros takes no memory
            film = min(self.world.scene.frames, FRAMES_BYTES // sum(of.nbytes for of in now.values()))
            room = max(FIRST_FRAMES, film)
            self._arrays = {name: np.zeros((room, *of.shape), of.dtype) for name, of in now.items()}
        arrays = self._arrays
        make_room(arrays, now)
        for name, value in now.items():
            if frame == len(arrays[name]):
                larger = np.zeros((2 * frame, *value.shape), value.dtype)
                larger[:frame] = arrays[name]
                arrays[name] = larger
            arrays[name][frame] = value

    def _remember(self, moment: WorldMoment | None) -> None:
        """Keeps this moment to go back to, and fewer of those before where memory for them is used up."""
        moment = moment or self.world.moment()
        self._moments[self.frames] = moment
        if len(self._moments) * moment.size > MOMENTS_BYTES and len(self._moments) > 2:
            self._every *= 2
            self._moments = {frame: kept for frame, kept in self._moments.items() if frame % self._every == 0}

    def _go_back(self, frame: int) -> None:
        """Drops this frame and those after it, and some before: back to the last moment that was kept."""
        begin = max(kept for kept in self._moments if kept <= frame)
        self.world.go_back(self._moments[begin])
        self._moments = {kept: moment for kept, moment in self._moments.items() if kept < begin}
        self.frames = begin
        self._strokes.drop(begin)
        self._arrive()


def _recorded(world: World) -> dict[str, np.ndarray]:
    """The recorded arrays of a world as it stands, in their own precision."""
    return {name: np.asarray(of, ARRAYS[name].kind) for name, of in world.record().items()}
