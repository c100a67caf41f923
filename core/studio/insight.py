"""The mind of a fish by its recording: the reach of its eyes and the fishes in sight, its aims, and why, in words.

Nothing is decided here: the simulated mind did that. Its sight is computed again by the same vision from the recorded
nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..base.constants import constant
from ..base.dice import Dice
from ..base.vectors import norm
from ..behavior.character import Characters
from ..behavior.director import Director
from ..behavior.intention import AVOID, COMPANY, DISCOMFORT, EAT, ENABLED, ESCAPE, LEAVE, MATE, PREDATOR, RULES, SCHOOL
from ..behavior.routines.sleep import sleeps
from ..body.anatomy import NOSE_NODE, body_frame
from ..habitat.currents import Current
from ..habitat.obstacles import Obstacles
from ..perception.focuser import SKILL_BACKWARD, SKILL_LEFT, SKILL_RIGHT, relative
from ..perception.tuning import FIELD_ANGLE, FRONT_ANGLE
from ..perception.vision import Vision
from ..recording import Recording
from ..scene.direction import Arrival, Curve, Direction, Leader, Region, Shape
from ..scene.instruction import NO_ACT
from .bonds import Bonds

FAINT_PREFERENCE = 0.05  # a motor preference weaker than this is not worth a word
PREFERENCE_AXES = constant(np.array([[0, 1, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]], dtype=float))
"""Direction of each motor preference in the fish's own frame, ahead, left, up, (6, 3)."""


@dataclass(frozen=True)
class VisualField:
    """The visual field of a fish (Tu 1999, §6.3.1).

    Attributes:
        eye: Metres, (3,).
        axes: Columns ahead, left and up, (3, 3).
        radius: Distance at which it sees a fish of its own length, in metres.
        smell: Distance at which it smells food, in metres.
        half: Half the angle of the field in radians.
    """

    eye: np.ndarray
    axes: np.ndarray
    radius: float
    smell: float
    half: float


class Insight:
    """The minds of fishes as shown by a recording.

    Attributes:
        drives: Wants and fears, (fish,) with the fields of `species.Drives`.
        length: Metres, (fish,).
        current: The flow of the water.
        bonds: The relations of fishes to others in particular.
    """

    def __init__(self, recording: Recording):
        """Takes the scene, the species and the lengths; each question is about a recording of them.

        Args:
            recording: Any of this scene.
        """
        scene, everyone = recording.scene, np.arange(len(recording.species))
        characters = Characters.from_scene(scene, recording.species_models, Dice(0, everyone))
        self.drives, self.length = characters.drives, recording.body_length
        self.current, self.bonds = Current.from_scene(scene), Bonds(scene)
        self._schooling = characters.schooling
        self._director = Director(scene)
        self._feeds = scene.hook is not None or scene.plankton.count > 0
        self._hunts = characters.types == PREDATOR
        self._courts, self._sexes = ENABLED[characters.types, MATE], characters.sexes
        self._obstacles = Obstacles.from_scene(scene)
        self._vision = Vision(self._obstacles, self.drives["sight"] * self.length, self.length)
        self._tank = np.array(scene.tank.size)
        self._fps = scene.fps
        self._steady = not any(getattr(flow, "period", 0.0) for flow in scene.current)
        self._flow: tuple[tuple[int, int], np.ndarray, np.ndarray] | None = None

    def field(self, recording: Recording, frame: int, fish: int) -> VisualField:
        """The field of view of a fish."""
        nodes = np.asarray(recording.nodes[frame, fish], dtype=float)
        smell = float(self.drives["smell"][fish] * self.length[fish])
        return VisualField(
            nodes[NOSE_NODE], body_frame(nodes)[1], float(self._vision.sight[fish]), smell, FIELD_ANGLE / 2
        )

    def seen(self, recording: Recording, frame: int, fish: int) -> np.ndarray:
        """Rows of the fishes that it sees, nearest first, (n,)."""
        nodes = np.asarray(recording.nodes[frame], dtype=float)
        others = np.arange(len(nodes))
        ahead = np.zeros((len(nodes), 3))
        ahead[fish] = body_frame(nodes[fish])[1][:, 0]  # nobody else looks
        self._obstacles.movers.show(frame / self._fps)
        seen, distance = self._vision.look(
            np.array([fish]), others[None], nodes[:, NOSE_NODE], ahead, nodes, recording.alive[frame]
        )
        order = np.argsort(distance[0], kind="stable")
        return order[seen[0, order]]

    def focus(self, recording: Recording, frame: int, fish: int) -> np.ndarray | None:
        """The place of the fish, food or other thing on its mind in metres, (3,); None without."""
        other, food = int(recording.target[frame, fish]), int(recording.food[frame, fish])
        if other >= 0:
            return np.asarray(recording.nodes[frame, other], dtype=float).mean(axis=0)
        if 0 <= food < recording.plankton.shape[1]:
            return np.asarray(recording.plankton[frame, food], dtype=float)
        tuft = food - recording.plankton.shape[1] - (recording.hook.shape[1] > 0)
        if 0 <= tuft < len(recording.tufts):
            return np.asarray(recording.tufts[tuft], dtype=float)
        if food >= 0 and recording.hook.shape[1]:
            return np.asarray(recording.hook[frame, -1], dtype=float)
        return None

    def preferences(self, recording: Recording, frame: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The strongest motor preference of every fish as an arrow.

        Returns:
            Where it begins, the nose, in metres, (fish, 3); the unit vector of where it leads, (fish, 3); its
            strength, -1 to 1, (fish,), below 0 where it is one against.
        """
        nodes = np.asarray(recording.nodes[frame], dtype=float)
        way = np.einsum("nij,nj->ni", body_frame(nodes)[1], PREFERENCE_AXES[recording.preference[frame]])
        return nodes[:, NOSE_NODE], way, np.asarray(recording.preference_strength[frame], dtype=float)

    def flow(self, frame: int, spacing: int = 10) -> tuple[np.ndarray, np.ndarray]:
        """The water's velocity over the tank.

        Args:
            frame: Frame of the film.
            spacing: Places along the tank's longest side.

        Returns:
            Places on an even grid in metres, (n, 3), and the velocity there in m/s, (n, 3).
        """
        key = (spacing, -1 if self._steady else frame)
        if self._flow is None or self._flow[0] != key:
            places = self._grid(spacing)
            self._flow = key, places, self.current.velocity(places, frame / self._fps)
        return self._flow[1:]

    def _grid(self, spacing: int) -> np.ndarray:
        number = np.maximum(np.round(spacing * self._tank / self._tank.max()), 1).astype(int)
        sides = [(np.arange(n) + 0.5) / n * size for n, size in zip(number, self._tank, strict=True)]
        return np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, 3)

    def reason(self, recording: Recording, frame: int, fish: int, name: Callable[[int], str] = str) -> list[str]:
        """The reason for a fish's intention: short lines, the first the reason itself.

        Args:
            recording: Recording of this scene.
            frame: Frame of the recording.
            fish: Row of the fish.
            name: Name of the fish of a row.
        """
        if not recording.alive[frame, fish]:
            return ["Dead"]
        lines = self._why(recording, frame, fish)
        other, food = int(recording.target[frame, fish]), int(recording.food[frame, fish])
        focus = self.focus(recording, frame, fish)
        if focus is not None:
            baited = food == recording.plankton.shape[1] and recording.hook.shape[1] > 0
            what = name(other) if other >= 0 else "Bait" if baited else "Food"
            lines.append(f"{what}: {self._whereabouts(recording, frame, fish, focus)}")
        strength = float(recording.preference_strength[frame, fish])
        if abs(strength) >= FAINT_PREFERENCE:
            way = Recording.PREFERENCES[recording.preference[frame, fish]]
            lines.append(f"{'Inclined' if strength > 0 else 'Disinclined'} to {_VERBS[way]}, {abs(strength):.2f}")
        return lines + self._instructed(recording, frame, fish) + self._led(frame / self._fps, fish)

    @staticmethod
    def _instructed(recording: Recording, frame: int, fish: int) -> list[str]:
        """The act of a fish by an instruction, in words."""
        acts = [
            event["act"]
            for event in recording.events
            if event["kind"] == "instructed" and event["fish"] == fish and event["frame"] <= frame
        ]
        return [f"Told to {acts[-1].replace('_', ' ')}"] if acts and acts[-1] != NO_ACT else []

    def _led(self, t: float, fish: int) -> list[str]:
        """The direction of a fish: the entries that lead it, and its keyed wants."""
        lines = [f"{_leads(entry)}, strength {strength:.2f}" for entry, strength in self._director.leading(t, fish)]
        keyed = self._director.keyed(t, fish)
        return [*lines, f"Keyed: {', '.join(keyed)}"] if keyed else lines

    def _why(self, recording: Recording, frame: int, fish: int) -> list[str]:
        """The cause of its intention."""
        of, intention = self.drives[fish], int(recording.intention[frame, fish])
        hunger, libido, fear = (float(getattr(recording, name)[frame, fish]) for name in ("hunger", "libido", "fear"))
        f0, f1, r = (float(of[name]) for name in ("f0", "f1", "r"))
        cause = int(recording.cause[frame, fish])
        by = RULES[cause].short if 0 <= cause < len(RULES) else ""
        if intention == AVOID:
            other = recording.target[frame, fish] >= 0
            return ["Another fish is too close" if other else by or "Something is too close ahead or beside"]
        if intention == ESCAPE:
            if self._hooked(recording, frame, fish):
                return ["It hangs on the hook"]
            if by:
                return [f"{by}: fear {fear:.2f}"]
            return [f"Fear {fear:.2f}, flees above {f1 if self._schooling[fish] else f0:.2f}"]
        if intention == SCHOOL:
            if fear > f0:
                return [f"Fear {fear:.2f}, gathers above {f0:.2f}"]
            return [by or RULES[COMPANY].short, *self._seeks(recording, frame, fish)]
        if intention == EAT:
            lines = [f"Hunger {hunger:.2f}, eats above {r:.2f}"]
            nothing = recording.target[frame, fish] < 0 and recording.food[frame, fish] < 0
            return [*lines, "No food in sight"] if nothing else lines
        if intention == MATE:
            lines = [f"Libido {libido:.2f}, courts above {r:.2f}"]
            stage = self._stage(recording, frame, fish)
            return [*lines, f"Courtship: {stage}"] if stage else lines
        if intention == LEAVE:
            return [RULES[DISCOMFORT].short]
        t, nocturnal = frame / recording.fps, float(of["nocturnal"])
        if sleeps(recording.scene.light, nocturnal, t):
            return [f"It is {'night' if nocturnal < 0.5 else 'day'}: it keeps to its bed"]
        grinds = self._grinds(recording, frame, fish)
        if grinds > 0.0 and libido <= r:
            return [f"Grinds its prey, {grinds:.0f} s more"]
        if max(hunger * (self._feeds or self._hunts[fish]), libido) <= r:
            return [f"Nothing presses: all below {r:.2f}"]
        return self._seeks(recording, frame, fish) or ["Nothing within reach, or tired of it"]

    def _seeks(self, recording: Recording, frame: int, fish: int) -> list[str]:
        """The object of its search as it goes about: the greater of its wants, if nothing for it is in sight.

        A fish tired of its search counts as one of them.
        """
        hunger, libido, r = float(recording.hunger[frame, fish]), float(recording.libido[frame, fish]), self.drives["r"]
        hungry, eager = hunger > r[fish] and (self._feeds or self._hunts[fish]), libido > r[fish]
        hungry &= self._grinds(recording, frame, fish) == 0.0
        if hungry and (hunger >= libido or not eager):
            field = self.field(recording, frame, fish)
            morsels = [recording.plankton[frame][recording.plankton_alive[frame]], recording.hook[frame][-1:]]
            morsels += [recording.tufts] if self.drives["browse"][fish] > 0.0 else []
            smelled = (norm(np.concatenate(morsels) - field.eye) < field.smell).any()
            preys = self._hunts[fish] and not self._hunts[self.seen(recording, frame, fish)].all()
            return [] if smelled or preys else [f"Seeks food: hunger {hunger:.2f}, none in sight"]
        if not (eager and self._courts[fish]):
            return []
        kinds = np.array(recording.species)
        others = (kinds == kinds[fish]) & (self._sexes != self._sexes[fish]) & self._courts
        if not others.any() or others[self.seen(recording, frame, fish)].any():
            return []
        return [f"Seeks a mate: libido {libido:.2f}, none in sight"]

    def _whereabouts(self, recording: Recording, frame: int, fish: int, place: np.ndarray) -> str:
        """The place of something as a fish sees it: "3.2 lengths ahead"."""
        field = self.field(recording, frame, fish)
        offset = (place - field.eye) @ field.axes
        lengths = float(norm(offset) / self.length[fish])
        if abs(offset[2]) > np.sin(np.pi / 2 - FRONT_ANGLE) * norm(offset):
            way = "above" if offset[2] > 0 else "below"
        elif np.arctan2(abs(offset[1]), offset[0]) > np.pi - FRONT_ANGLE:
            way = _SIDES[SKILL_BACKWARD]
        else:
            way = _SIDES.get(int(relative(offset)), "ahead")
        return f"{lengths:.1f} lengths {way}"

    @staticmethod
    def _hooked(recording: Recording, frame: int, fish: int) -> bool:
        """True if it has taken the bait by then."""
        return any(
            event["kind"] == "hooked" and event["fish"] == fish and event["frame"] <= frame
            for event in recording.events
        )

    def _grinds(self, recording: Recording, frame: int, fish: int) -> float:
        """Seconds for which a predator is still busy with its last prey."""
        meals = [event["frame"] for event in recording.events if event["kind"] == "eaten" and event["fish"] == fish]
        since = min((frame - meal for meal in meals if meal <= frame), default=np.inf) / self._fps
        return max(float(self.drives["handling"][fish]) - since, 0.0)

    @staticmethod
    def _stage(recording: Recording, frame: int, fish: int) -> str:
        """The stage that its courtship has come to; "" without."""
        stage = ""
        for event in recording.events:
            if event["frame"] <= frame and fish in (event["fish"], event["other"]):
                if event["kind"] == "courtship":
                    stage = str(event["stage"])
                elif event["kind"] == "spawned":
                    stage = ""
        return stage


def _leads(entry: Direction) -> str:
    """The effect of an entry of a scene's direction on a fish."""
    if isinstance(entry, Region):
        return "Kept in a region" if entry.inside else "Kept out of a region"
    if isinstance(entry, Leader):
        return "Led after a leader"
    if isinstance(entry, Shape):
        return {"ball": "In a ball", "fill": "In a mesh", "stream": "In a stream"}[entry.kind]  # type: ignore[attr-defined]
    if isinstance(entry, Arrival):
        return "Led to be there in time"
    return "Led along a curve" if isinstance(entry, Curve) else "Led to a target"


_SIDES = {SKILL_LEFT: "to the left", SKILL_RIGHT: "to the right", SKILL_BACKWARD: "behind"}
_VERBS = {
    "left": "turn left",
    "right": "turn right",
    "forward": "go forward",
    "backward": "back up",
    "ascend": "ascend",
    "descend": "descend",
}
