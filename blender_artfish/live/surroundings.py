"""State that a world reads from Blender at each shown frame: obstacles placed by evaluation only, and the view.

Constraints, drivers and simulations are known to Blender's evaluation alone, and only for the current frame: in
the next one such an obstacle is extrapolated.
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


class ObstaclePose(NamedTuple):
    """Pose of an obstacle at a frame.

    Attributes:
        frame: Frame of the recording.
        at: Its origin in the world's frame, metres.
        turn: Its rotation.
    """

    frame: int
    at: Vector
    turn: Quaternion

    def after(self, before: ObstaclePose | None) -> ObstaclePose:
        """The pose in the next frame, extrapolated from the frame before."""
        if before is None or before.frame != self.frame - 1:
            return self
        return ObstaclePose(self.frame + 1, 2.0 * self.at - before.at, self.turn @ before.turn.inverted() @ self.turn)


class Move(NamedTuple):
    """Motion of an obstacle: its row, its new pose, and whether it jumps there."""

    row: int
    at: tuple[float, ...]
    turn: tuple[float, ...]
    jumps: bool


Sight = tuple[tuple[float, ...], tuple[float, ...], float]


class LiveObstacles:
    """State passed to a world so far.

    Attributes:
        followed: Names of the objects that only Blender's evaluation places, by rows of their obstacles.
    """

    def __init__(self) -> None:
        """Start with nothing passed."""
        self.followed: dict[int, str] = {}
        self._poses: dict[int, ObstaclePose] = {}

    def look(
        self,
        scene: bpy.types.Scene,
        depsgraph: bpy.types.Depsgraph,
        rehearsal: Rehearsal,
        origin: Vector,
    ) -> None:
        """Passes the surroundings to a world when its last frame is shown.

        Args:
            scene: Their scene.
            depsgraph: Blender's evaluation of that frame.
            rehearsal: The world's rehearsal.
            origin: Its origin in Blender, metres.
        """
        moves = self._moves(scene, depsgraph, rehearsal.frames - 1, origin)
        sight = _sight(scene, depsgraph, origin)
        if moves or sight is not None:
            rehearsal.surround(partial(_tell, moves, sight))

    def _moves(self, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, frame: int, origin: Vector) -> list[Move]:
        """Motion of the obstacles that only Blender's evaluation places."""
        found = []
        there = {obj.name: obj for obj in scene.objects} if self.followed else {}
        for row, name in self.followed.items():
            if name not in there:
                continue
            place = in_metres(there[name].evaluated_get(depsgraph).matrix_world, metres(scene))
            at, turn, _ = place.decompose()
            now, before = ObstaclePose(frame, at - origin, turn), self._poses.get(row)
            if before is None or before.frame != frame:
                jumps = before is None or before.frame != frame - 1
                after = now.after(before)
                found.append(Move(row, after.at[:], after.turn[:], jumps))
                self._poses[row] = now
        return found


def _sight(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, origin: Vector) -> Sight | None:
    """The view that levels of detail go by, if they follow it."""
    detail = scene.artfish.detail
    view = view_of(scene, depsgraph) if detail.on and detail.follow_camera else None
    if view is None:
        return None
    at = view.at * metres(scene) - origin
    return at[:], (at + view.ahead)[:], view.lens


def _tell(moves: list[Move], sight: Sight | None, world: World) -> None:
    """Passes moves and view to a world; an obstacle that by now is static, after a change, stays."""
    from ...core.base.codec import SceneError

    for move in moves:
        with suppress(SceneError):
            world.move_obstacle(*move)
    if sight is not None:
        world.look_from(*sight)
