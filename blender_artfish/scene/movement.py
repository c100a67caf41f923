"""Motion of obstacles through the film: read from F-curves, and sampled where these do not determine it.

An obstacle placed by F-curves alone, its own or its parents', is read at every frame without setting any.
Constraints, drivers, strips and simulations, and deformations, are known only to Blender's evaluation: the
film's frames are stepped through once, in steps, before a bake or when a scene file is written.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..blender.keyframes import reading_at
from ..blender.words import translated
from ..identity.film_time import clock, film
from ..identity.precision import short
from ..identity.roles import is_keyed, objects_of
from ..identity.units import metres, placed
from ..stage.moving import move_along
from .animated import deforms, needs_sampling
from .meshes import all_rounded, hull_of
from .wording import ObjectError

if TYPE_CHECKING:
    from collections.abc import Iterator

STILL_METRES = 1e-4
"""Motion over the film below which an animated object counts as static."""
MOST_SAMPLED_VERTICES = 500_000
"""Most vertices of a deforming mesh, over all frames together."""


@dataclass
class ObstacleSamples:
    """Samples of obstacles over the film's frames.

    Attributes:
        frames: The sampled frames.
        matrices: Matrices of each obstacle by `session_uid`, from its own axes to metres in Blender's world.
        places: Vertices of deforming obstacles, metres in Blender's world, (n, 3) float32 for each frame.
    """

    frames: list[int] = field(default_factory=list)
    matrices: dict[int, list[Matrix]] = field(default_factory=dict)
    places: dict[int, list[np.ndarray]] = field(default_factory=dict)


_kept: dict[int, ObstacleSamples] = {}
"""Samples by scene, while they are being read."""


def sampled(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The obstacles of a scene that must be sampled, and the instancers of collections with one."""
    marked = objects_of(scene, "OBSTACLE")
    makers = [obj for obj in scene.objects if obj not in set(marked) and _instances_obstacle(obj)]
    return [obj for obj in (*marked, *makers) if needs_sampling(obj)]


def _instances_obstacle(obj: bpy.types.Object) -> bool:
    """True if the object instances a collection with an obstacle in it."""
    within = obj.instance_collection if obj.instance_type == "COLLECTION" else None
    return within is not None and any(each.artfish.kind == "OBSTACLE" for each in within.all_objects)


def sample(scene: bpy.types.Scene) -> Generator[int, None, None]:
    """Steps through the film's frames, and records obstacles that must be sampled, for `reading`.

    The scene's frame is restored in the end, also if this is given up.

    Yields:
        Each frame, once it is sampled.

    Raises:
        SceneError: A mesh changes its number of vertices, or has too many for so many frames.
    """
    obstacles = sampled(scene)
    _kept.pop(scene.session_uid, None)
    if not obstacles:
        return
    found, unit, before = ObstacleSamples(), metres(scene), (scene.frame_current, scene.frame_subframe)
    (first, last), spacing = film(scene), max(1, min(obj.artfish.movement.spacing for obj in obstacles))
    frames = [*range(first, last, spacing), last]
    try:
        for frame in frames:
            scene.frame_set(frame)
            found.frames.append(frame)
            for obj in obstacles:
                _look(obj, found, unit, len(frames))
            yield frame
    finally:
        scene.frame_set(before[0], subframe=before[1])
    _kept[scene.session_uid] = found


def _look(obj: bpy.types.Object, found: ObstacleSamples, unit: float, frames: int) -> None:
    """Records an obstacle at the present frame."""
    uid = obj.session_uid
    found.matrices.setdefault(uid, []).append(placed(obj, unit).copy())
    if not deforms(obj):
        return
    places, kept = hull_of(obj, unit).places, found.places.setdefault(uid, [])
    if kept and len(places) != len(kept[0]):
        now = translated(
            "{count:,} vertices at frame {frames} and {other:,} before",
            count=len(places),
            frames=found.frames[-1],
            other=len(kept[0]),
        )
        raise ObjectError(now, "a mesh that keeps its number: bake its modifiers, or let it stand still", obj.name, "")
    if len(places) * frames > MOST_SAMPLED_VERTICES:
        many = translated("{count:,} vertices at {frames:,} frames", count=len(places), frames=frames)
        most = translated(
            "up to {most_sampled_vertices:,} in all: sample fewer frames, or a simpler mesh",
            most_sampled_vertices=MOST_SAMPLED_VERTICES,
        )
        raise ObjectError(many, most, obj.name, "")
    kept.append(places)


@contextmanager
def reading(scene: bpy.types.Scene) -> Iterator[None]:
    """A context in which the last samples of a scene are read, and after which they are dropped."""
    try:
        yield
    finally:
        _kept.pop(scene.session_uid, None)


def sample_at_once(scene: bpy.types.Scene) -> None:
    """`sample` to its end, for scripts and files."""
    for _ in sample(scene):
        pass


@dataclass(frozen=True)
class ObstacleCourse:
    """Motion of an obstacle, in the form of a scene file.

    Attributes:
        times: Seconds of the film.
        at: Its origin in metres from the corner of the water at these, (n, 3).
        turns: Its rotations as quaternions, (n, 4).
        scale: Scale of its own axes, in the first frame.
        places: Its vertices in metres from the corner of the water, (n, vertices, 3), if it deforms.
    """

    times: list[float]
    at: np.ndarray
    turns: np.ndarray
    scale: Vector
    places: np.ndarray | None = None

    @property
    def start(self) -> list[float]:
        """Its first position."""
        return [short(float(x)) for x in self.at[0]]

    @property
    def soft(self) -> bool:
        """True if it deforms."""
        return self.places is not None

    def keys(self) -> list[dict[str, Any]]:
        """Its keys as JSON, without those between two equal ones."""
        if self.places is not None:
            origin = Vector(self.start)
            return [
                {"time": time, "vertices": all_rounded(places.astype(np.float32), origin)}
                for time, places in zip(self.times, self.places, strict=True)
            ]
        rows = [
            ([short(float(x)) for x in at], [short(float(x)) for x in turn])
            for at, turn in zip(self.at, self.turns, strict=True)
        ]
        needed = [
            row
            for row in range(len(rows))
            if row in (0, len(rows) - 1) or not rows[row - 1] == rows[row] == rows[row + 1]
        ]
        return [{"time": self.times[row], "at": rows[row][0], "turn": rows[row][1]} for row in needed]


_followed: ContextVar[bool] = ContextVar("followed", default=False)


@contextmanager
def followed() -> Iterator[None]:
    """A context in which objects to be sampled are read as if moved by hand: live play follows them."""
    before = _followed.set(True)
    try:
        yield
    finally:
        _followed.reset(before)


def course_of(obj: bpy.types.Object, unit: float, low: Vector, rigid: bool = False) -> ObstacleCourse | None:
    """Motion of an obstacle through the film; None if it is static.

    Args:
        obj: The obstacle, or the maker of its instances.
        unit: Metres in a unit of its scene.
        low: Lowest corner of the water in metres.
        rigid: Whether only its place and turn count, not deformation.
    """
    moves, scene = obj.artfish.movement.moves, obj.users_scene[0] if obj.users_scene else bpy.context.scene
    if moves == "STILL":
        return None
    samples, uid = _kept.get(scene.session_uid, ObstacleSamples()), obj.session_uid
    if moves == "HAND" or _followed.get() and needs_sampling(obj):
        return _course([placed(obj, unit)], [0.0], low)
    time = clock(scene)
    if uid in samples.matrices:
        times = [time.seconds(frame) for frame in samples.frames]
        soft = uid in samples.places and not rigid
        places = np.array(samples.places[uid], dtype=float) - low if soft else None
        return _unless_still(_course(samples.matrices[uid], times, low, places))
    if not is_keyed(obj):
        return None
    first, last = film(scene)
    frames = range(first, last + 1)
    return _unless_still(_course(list(_matrices(obj, unit, frames)), [time.seconds(frame) for frame in frames], low))


def _matrices(obj: bpy.types.Object, unit: float, frames: Iterable[int]) -> Iterator[Matrix]:
    for frame in frames:
        with reading_at(frame):
            yield placed(obj, unit)


def _course(
    matrices: list[Matrix], times: list[float], low: Vector, places: np.ndarray | None = None
) -> ObstacleCourse:
    parts = [matrix.decompose() for matrix in matrices]
    at = np.array([place - low for place, _, _ in parts])
    turns = np.array([turn for _, turn, _ in parts])
    return ObstacleCourse(times, at, turns, parts[0][2], places)


def _unless_still(course: ObstacleCourse) -> ObstacleCourse | None:
    """A course, or None if nothing moves in it."""
    shift = np.abs(course.at - course.at[0]).max()
    turn = np.minimum(np.abs(course.turns - course.turns[0]), np.abs(course.turns + course.turns[0])).max()
    form = 0.0 if course.places is None else np.abs(course.places - course.places[0]).max(initial=0.0)
    return course if max(shift, turn, form) > STILL_METRES else None


def put_motion(scene: bpy.types.Scene, obj: bpy.types.Object, obstacle: Any, low: Vector) -> None:
    """Give an object the keys and the presence of a scene file's obstacle.

    Args:
        scene: The object's scene.
        obj: The object, at the obstacle's first place.
        obstacle: The scene file's obstacle.
        low: Lowest corner of the water in metres.
    """
    movement = obj.artfish.movement
    movement.presence = (obstacle.presence or "none").upper()
    if obstacle.motion is not None and len(obstacle.motion) < 2:
        movement.moves = "HAND"
    move_along(obj, obstacle, clock(scene).frame, low[:], metres(scene))
