"""A frame of a recording as a world for eyes to look at: no recording keeps a world, but all that can be seen of it."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from ..form.look import Look
from ..habitat.movers import Movers
from ..habitat.submarine import Submarine
from ..habitat.tuning import BAIT_HOOK_SIZES
from ..recording import LOOK_ARRAYS, Recording
from ..world.stages import OUT_OF_THE_WAY


@dataclass(frozen=True, eq=False)
class RecordedShoal:
    """The fishes of a frame.

    Attributes:
        nodes: Metres, (fish, 23, 3).
        length: Metres, (fish,).
        alive: Fishes that are there, (fish,) bool.
    """

    nodes: np.ndarray
    length: np.ndarray
    alive: np.ndarray

    def __len__(self) -> int:
        return len(self.length)


@dataclass(frozen=True, eq=False)
class RecordedFins:
    """Their pectoral fins.

    Attributes:
        seen: Gamma, flap and oar of left and right, (fish, 2, 3).
    """

    seen: np.ndarray

    def fins(self, gamma: np.ndarray) -> np.ndarray:
        """As `motor.pectorals.FinMotion.fins`."""
        return self.seen


class RecordedWorld:
    """The world of a recording, in place of one where images on retinas are made.

    Attributes:
        scene: Scene of the recordings.
        movers: Movers among its obstacles.
        parts: Visible things, as in `world.parts.Parts`.
    """

    def __init__(self, recording: Recording) -> None:
        """Shows its first frame; each frame may then be of another recording of the same scene."""
        scene = recording.scene
        self.scene, self.movers = scene, Movers(scene.bodies)
        counts = [cluster.leaves for cluster in scene.seaweed]
        self._clusters = np.repeat(np.arange(len(counts)), counts)
        self.show(recording, 0)

    def show(self, recording: Recording, frame: int) -> RecordedWorld:
        """Is as a frame of a recording of the same scene; itself."""
        now = {name: np.asarray(getattr(recording, name)[frame]) for name in ("plankton_alive", "bubbles_alive")}
        real = ("nodes", "fins", "mouth", "plankton", "seaweed", "bubbles", "hook", *LOOK_ARRAYS)
        now |= {name: np.asarray(getattr(recording, name)[frame], float) for name in real}
        self._put(recording, frame)
        bodies = SimpleNamespace(
            shoal=RecordedShoal(now["nodes"], recording.body_length, np.asarray(recording.alive[frame])),
            signs=Look(*(now[name] for name in LOOK_ARRAYS)),
            fins=RecordedFins(now["fins"]),
            gamma=now["fins"][..., 0].T,
            mouth=now["mouth"],
        )
        water = SimpleNamespace(
            obstacles=SimpleNamespace(movers=self.movers),
            weed=SimpleNamespace(place=now["seaweed"], cluster=self._clusters[: len(now["seaweed"])]),
            plankton=SimpleNamespace(place=now["plankton"], alive=now["plankton_alive"]),
            bubbles=SimpleNamespace(
                place=now["bubbles"], alive=now["bubbles_alive"], size=np.asarray(recording.bubbles_size, float)
            ),
            hook=self._hook(now["hook"], recording, frame),
        )
        model = SimpleNamespace(scene=self.scene, models=recording.species_models)
        self.parts = SimpleNamespace(model=model, water=water, bodies=bodies, species=recording.species)
        return self

    def poses(self, recording: Recording, frame: int) -> np.ndarray:
        """Places in metres and turns of the movers at a frame, as `habitat.movers.Movers.pose`, (k, 7)."""
        movers, t = self.movers, frame / recording.fps
        recorded = recording.obstacles[frame]
        if not len(recorded):  # an older recording
            movers.show(t)
        pose = movers.pose.copy()
        pose[: len(recorded)] = recorded
        if self.scene.ride is not None:
            vessel = Submarine(self.scene.ride)
            x, y, z, vessel.azimuth, vessel.pitch = recording.submarine[frame].tolist()
            place = (x, y, z) if vessel.is_there(t) else OUT_OF_THE_WAY
            pose[-1] = np.concatenate((place, vessel.turn))
        return pose

    def _put(self, recording: Recording, frame: int) -> None:
        """Puts the movers where they were."""
        if len(self.movers):
            pose = self.poses(recording, frame)
            self.movers.restore({"pose": pose, "before": pose, "goal": np.full(pose.shape, np.nan)})

    def _hook(self, points: np.ndarray, recording: Recording, frame: int) -> SimpleNamespace | None:
        """The hook with its bait, which nobody has taken who is still there; None without."""
        description = self.scene.hook
        if description is None or not len(points):
            return None
        bait = BAIT_HOOK_SIZES * description.size
        caught = [one["fish"] for one in recording.events if one["kind"] == "hooked" and one["frame"] <= frame]
        taken = bool(recording.alive[frame, caught].any())
        offered = not taken and bool(points[-1, 2] < self.scene.tank.size[2])
        return SimpleNamespace(description=description, points=points, place=points[-1], bait=bait, offered=offered)
