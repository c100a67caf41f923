"""The bones of a fish, keyed one after another, each against its carrier as that plays.

So what the keys of a carrier are off is made good by those that it carries, and the whole tolerance is left to each of
them: a vertex is no farther off than by the worst of the bones that move it, which is measured and not estimated.
"""

from __future__ import annotations

import bpy
import numpy as np

from ...core.form.rig import BonePose, Rig
from ...core.geometry.moving import AT_REST
from ..blender.fcurves import LOCATION, Keys, thin, write
from ..blender.versions import channelbag
from .fishes import MARGIN, QUATERNION
from .order import Order

FIRST_TRY = 1.6
"""Errors of channels, over those that would do even if all were largest at once, that are tried first."""
NEXT_TRY = 0.5, 0.9
"""Least and greatest share of them that is tried next."""
ROOT_SHARE = 0.5
"""Share of the tolerance that the root may be off, which all others ride on."""
STIFF_SHARE, STIFFER = 0.45, 0.8
"""Share of the tolerance that each bone has where bones keep their places, which then make nothing good; and the share
of it that is tried next."""
LEAST_BONE_BOUND = 1e-7
"""Smallest bound, in body lengths: single precision's rounding."""


def key_bones(
    action: bpy.types.Action,
    root: bpy.types.Object,
    rig: Rig,
    points: np.ndarray,
    origin: np.ndarray,
    turn: np.ndarray,
    times: np.ndarray | None,
    order: Order,
) -> None:
    """Key the bones of a fish; a channel that stays at rest has no curve.

    Args:
        action: The action to key.
        root: The armature.
        rig: Its bones.
        points: Control points (moments, points, 3), in body lengths in the fish's own frame.
        origin: Origin of that frame, (moments, 3), in body lengths.
        turn: Rotation of that frame, (moments, 3, 3).
        times: Times of the moments in frames; one every frame if left out.
        order: The tolerance and the first frame.
    """
    turns, heads = rig.poses(points)
    if not order.stretch:
        turns, heads = rig.without_stretch(turns, heads)
    turns, heads = turn[:, None] @ turns, origin[:, None] + heads @ np.swapaxes(turn, -1, -2)
    bag = channelbag(action, root)
    found = bone_keys(rig, turns, heads, MARGIN * order.tolerance, times, order.stretch)
    for bone, keys in zip(rig.bones, found, strict=True):
        pose = root.pose.bones[bone.name]
        pose.rotation_mode = "QUATERNION"
        first = keys.first.tolist()
        pose.location, pose.rotation_quaternion = first[:3], first[3:]
        path = f'pose.bones["{bone.name}"].'
        rows = np.flatnonzero(keys.counts)
        channels = [(path + name, axis) for name, axis in LOCATION + QUATERNION]
        write(bag, [channels[row] for row in rows], keys.of(rows), order.first)


def bone_keys(
    rig: Rig, turns: np.ndarray, heads: np.ndarray, bound: float, times: np.ndarray | None, stretch: bool = True
) -> list[Keys]:
    """The keys of each bone, of its place and of its quaternion.

    Args:
        rig: The bones.
        turns: Rotations from rest, (moments, bones, 3, 3), and
        heads: heads of the bones, (moments, bones, 3), in one frame, body lengths.
        bound: Largest error of a vertex at any moment, body lengths; 0 keys every moment.
        times: Times of the moments in frames; one every frame if left out.
        stretch: Whether bones may leave their places on their carriers, but for the foremost.
    """
    share = 1.0 if stretch else STIFF_SHARE
    while True:
        found, worst = _chain(rig, turns, heads, share * bound, times, stretch)
        if stretch or worst <= bound or share * bound <= LEAST_BONE_BOUND:
            return found
        share *= STIFFER


def _chain(
    rig: Rig, turns: np.ndarray, heads: np.ndarray, bound: float, times: np.ndarray | None, stretch: bool
) -> tuple[list[Keys], float]:
    """The keys of each bone, arguments as for `bone_keys`; and how far the worst of them is off."""
    poses: list[BonePose] = []
    found, worst = [], 0.0
    for row, bone in enumerate(rig.bones):
        carrier = None if bone.parent < 0 else poses[bone.parent]
        pose = turns[:, row], heads[:, row]
        place, quaternion = rig.against(row, pose, carrier)
        if not stretch and bone.parent > 0:
            place = np.zeros_like(place)
        keys, played = _keys(rig, row, place, quaternion, carrier, bound * (1.0 if row else ROOT_SHARE), times)
        poses.append(played)
        found.append(keys)
        worst = max(worst, rig.off(row, played, pose))
    return found, worst


def _keys(
    rig: Rig,
    row: int,
    place: np.ndarray,
    quaternion: np.ndarray,
    carrier: BonePose | None,
    bound: float,
    times: np.ndarray | None,
) -> tuple[Keys, BonePose]:
    """The keys of a bone that put no vertex of it off by more than a bound, and its pose as they play."""
    aim = rig.posed(row, place, quaternion, carrier)
    curves = np.concatenate([place, quaternion], axis=1).T.copy()
    errors = FIRST_TRY * bound * np.repeat(rig.leeway(row), (3, 4))
    while True:
        keys = thin(curves, errors, times=times)
        if row:
            keys = keys.resting(AT_REST, errors)
        played = keys.played().T
        pose = rig.posed(row, played[:, :3], played[:, 3:], carrier)
        off = rig.off(row, pose, aim)
        if off <= bound or bound <= LEAST_BONE_BOUND or errors.max() <= LEAST_BONE_BOUND:
            return keys, pose
        errors = errors * min(max(bound / off, NEXT_TRY[0]), NEXT_TRY[1])
