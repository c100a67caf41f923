"""What a world learns of Blender at each frame that is shown: where obstacles are that no F-curves place, and the view.

Constraints, drivers and simulations are known to Blender's evaluation alone, and of the frame that is shown alone: in
the next one such an obstacle is where it gets to if it goes on as it does.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import bpy
from mathutils import Quaternion, Vector

from ..identity.units import in_metres, metres
from .views import view_of

if TYPE_CHECKING:
    from ...core.studio.rehearsal import Rehearsal
    from ...core.world.world import World


class Pose(NamedTuple):
    """Where an obstacle is at a frame.

    Attributes:
        frame: Of the recording.
        at: Its origin, in metres as the world has places.
        turn: How it is turned.
    """

    frame: int
    at: Vector
    turn: Quaternion

    def after(self, before: Pose | None) -> Pose:
        """Where it gets to in the next frame, if it goes on as it did since the frame before."""
        if before is None or before.frame != self.frame - 1:
            return self
        return Pose(self.frame + 1, 2.0 * self.at - before.at, self.turn @ before.turn.inverted() @ self.turn)


class Move(NamedTuple):
    """What becomes of an obstacle: in its row, where it is to be, and whether it has no way there."""

    row: int
    at: tuple[float, ...]
    turn: tuple[float, ...]
    jumps: bool


Sight = tuple[tuple[float, ...], tuple[float, ...], float]


class Surroundings:
    """What a world has been told of them so far.

    Attributes:
        followed: Names of the objects that only Blender's evaluation places, by the rows of their obstacles.
    """

    def __init__(self) -> None:
        """Nothing."""
        self.followed: dict[int, str] = {}
        self._poses: dict[int, Pose] = {}

    def look(
        self,
        scene: bpy.types.Scene,
        depsgraph: bpy.types.Depsgraph,
        rehearsal: Rehearsal,
        origin: Vector,
    ) -> None:
        """Has a world know of them when its last frame is shown.

        Args:
            scene: Where they are.
            depsgraph: Blender's evaluation of that frame.
            rehearsal: Of the world.
            origin: Where its own origin is in Blender, in metres.
        """
        moves = self._moves(scene, depsgraph, rehearsal.frames - 1, origin)
        sight = _sight(scene, depsgraph, origin)
        if moves or sight is not None:
            rehearsal.surround(partial(_tell, moves, sight))

    def _moves(self, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, frame: int, origin: Vector) -> list[Move]:
        """Of the obstacles that only Blender's evaluation places."""
        found = []
        there = {obj.name: obj for obj in scene.objects} if self.followed else {}
        for row, name in self.followed.items():
            if name not in there:
                continue
            place = in_metres(there[name].evaluated_get(depsgraph).matrix_world, metres(scene))
            at, turn, _ = place.decompose()
            now, before = Pose(frame, at - origin, turn), self._poses.get(row)
            if before is None or before.frame != frame:
                jumps = before is None or before.frame != frame - 1
                after = now.after(before)
                found.append(Move(row, after.at[:], after.turn[:], jumps))
                self._poses[row] = now
        return found


def _sight(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, origin: Vector) -> Sight | None:
    """By what levels of detail go, where they follow the view."""
    detail = scene.artfish.detail
    view = view_of(scene, depsgraph) if detail.on and detail.follow_camera else None
    if view is None:
        return None
    at = view.at * metres(scene) - origin
    return at[:], (at + view.ahead)[:], view.lens


def _tell(moves: list[Move], sight: Sight | None, world: World) -> None:
    """Has a world know; an obstacle that stands by now, as the scene was changed, stays where it is."""
    from ...core.base.codec import SceneError

    for move in moves:
        with suppress(SceneError):
            world.move_obstacle(*move)
    if sight is not None:
        world.look_from(*sight)
