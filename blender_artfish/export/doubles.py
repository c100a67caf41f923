"""Doubles of fishes in a separate scene: all motion of a fish, whatever its source, is in their keys.

Exporters leave out what is hidden, locked or in no layer of a scene, and each supports some of the ways in which
Blender moves objects. Doubles are all visible, and keys are supported by all; the fishes themselves are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import bpy
import numpy as np

from ..blender.fcurves import thin, write, write_switch
from ..blender.versions import channelbag
from ..identity.units import metres
from .motion import LEAST_SCALE, NOT_RENDERED, Motion, channels, has_volume, sizes_of, watch

STILL = 1e-6
"""Largest change of a mesh's transform relative to its bones while it counts as fixed."""
GROWN = 0.2
"""Share of its largest size above which a fish is not small."""
SWIMS = "swims"
"""Name of a double's action until it gets the name of its fish."""
ABSENT_SIZELESS, ABSENT_HIDDEN, ABSENT_LEFT = "sizeless", "hidden", "left"
"""Fates of a fish in a file while it is absent."""
THERE = "there"
"""Last word of the name of an empty that shows a fish only while it is there."""
CHANNELS = "location", "rotation_quaternion", "scale"
"""Keyed properties of an object or a bone."""
Meshes = Mapping[bpy.types.Mesh, bpy.types.Mesh]


@dataclass(frozen=True)
class ExportStage:
    """The scene and objects that are written.

    Attributes:
        scene: The scene.
        objects: All objects that go into the file.
        bodies: The meshes of fishes among them.
        rest: Frame at which exporters may bind meshes to bones.
        absent: For a body that is not always there, True for each frame at which it is not, (frames,) bool.
    """

    scene: bpy.types.Scene
    objects: tuple[bpy.types.Object, ...]
    bodies: tuple[bpy.types.Object, ...]
    rest: int
    absent: Mapping[bpy.types.Object, np.ndarray] = field(default_factory=dict)


def carriers(obj: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """The parents of an object, the nearest first."""
    while obj.parent is not None:
        obj = obj.parent
        yield obj


def bones_of(body: bpy.types.Object) -> bpy.types.Object | None:
    """The armature that deforms the mesh of a fish, its parent or not; None without one."""
    bending: Any = (modifier for modifier in body.modifiers if modifier.type == "ARMATURE" and modifier.object)
    return next((modifier.object for modifier in bending), None)


@contextmanager
def copied(meshes: Iterable[Any]) -> Iterator[Meshes]:
    """Copies of the meshes of fishes, free to be painted, for the duration of the block."""
    copies: dict[Any, bpy.types.Mesh] = {}
    try:
        for mesh in dict.fromkeys(meshes):
            copies[mesh] = mesh.copy()
        yield copies
    finally:
        _remove(copies.values())


@contextmanager
def doubled(
    scene: bpy.types.Scene,
    bodies: Sequence[bpy.types.Object],
    meshes: Meshes,
    times: np.ndarray,
    first: int,
    apart: bool = False,
    plain: bool = False,
    absence: str = ABSENT_SIZELESS,
    in_metres: bool = False,
) -> Iterator[ExportStage]:
    """Doubles with the motion and the names of fishes, for the duration of the block.

    Args:
        scene: The scene of the fishes.
        bodies: Their meshes.
        meshes: The mesh of the double for each mesh.
        times: Frames at which the doubles are keyed, the first of them whole, (moments,).
        first: Frame at which they begin.
        apart: Whether each has a mesh of its own.
        plain: Whether their names are restricted to letters, numbers and underscores, as formats with paths require.
        absence: What becomes of a fish while it is absent: it is `ABSENT_SIZELESS`, or `ABSENT_HIDDEN`, by an empty
            above it whose visibility is keyed, as Blender's exporters leave out a mesh that is hidden; or it is
            `ABSENT_LEFT` as it is.
        in_metres: Whether the doubles' scene is in metres, and they are of their true size there; else it has the units
            of the fishes' scene.
    """
    own = _all_of(bodies)
    motion = watch(scene, own, times)
    if in_metres and (unit := metres(scene)) != 1.0:
        motion = motion.scaled(unit)
    made: list[bpy.types.ID] = []
    names: dict[bpy.types.ID, str] = {}
    try:
        stage = bpy.data.scenes.new("stage")
        made.append(stage)
        _set_up(stage, scene, first, first + int(np.floor(times[-1] - times[0])), in_metres)
        doubles: dict[bpy.types.Object, bpy.types.Object] = {}
        for obj in own:
            doubles[obj] = _double(obj, obj in bodies, meshes, apart, made)
            stage.collection.objects.link(doubles[obj])
        for body in bodies:
            for modifier in doubles[body].modifiers:
                if (bones := getattr(modifier, "object", None)) in doubles:
                    modifier.object = doubles[bones]
        stage.view_layers[0].update()  # only then does an armature have its bones' poses
        rest = _largest(motion, bodies, times)
        gone = _sizeless(motion, bodies, rest) if absence == ABSENT_SIZELESS else {}
        for obj, double in doubles.items():
            made.append(_keyed(obj, double, doubles, motion, times - times[0], first, gone.get(obj)))
        whole = times % 1.0 == 0.0
        absent = {doubles[body]: motion.absent[body][whole] for body in bodies if body in motion.absent}
        pairs = [*((double, obj) for obj, double in doubles.items()), *_data(doubles)]
        namesakes = [each for each in bpy.data.scenes if each.name == scene.name]
        if scene.library is None and len(namesakes) == 1:  # the exporter of glTF knows scenes by their names
            pairs.append((stage, scene))
        _rename(pairs, names, plain)
        for body in bodies if absence == ABSENT_HIDDEN else ():
            if doubles[body] in absent:
                above = _there(doubles[bones_of(body) or body], absent[doubles[body]], first, made)
                stage.collection.objects.link(above)
                doubles[above] = above
        at = first + int(times[rest] - times[0])
        yield ExportStage(stage, tuple(doubles.values()), tuple(doubles[body] for body in bodies), at, absent)
    finally:
        _remove(made)
        for copy in meshes.values():  # which exist a while longer
            copy.name = SWIMS
        for block, name in names.items():
            block.name = name


def _all_of(bodies: Sequence[bpy.types.Object]) -> list[bpy.types.Object]:
    """Fishes with their armatures and parents, each after its parent."""
    found: dict[bpy.types.Object, None] = {}
    for body in bodies:
        root = bones_of(body) or body
        found.update(dict.fromkeys([*reversed(list(carriers(root))), root]))
    found.update(dict.fromkeys(bodies))
    return list(found)


def _largest(motion: Motion, bodies: Sequence[bpy.types.Object], times: np.ndarray) -> int:
    """The first whole moment when all fishes are there and none is small compared with other times, if there is one."""
    sizes = np.stack([sizes_of(motion.world[bones_of(body) or body]) * _present(motion, body) for body in bodies])
    share = (sizes / np.maximum(sizes.max(axis=1, keepdims=True), np.finfo(float).tiny)).min(axis=0)
    share[times % 1.0 != 0.0] = -1.0
    return int(np.argmax(np.where(share > GROWN, GROWN, share)))


def _present(motion: Motion, body: bpy.types.Object) -> np.ndarray:
    """True while a fish is there, (moments,), or for all moments, ()."""
    return ~motion.absent[body] if body in motion.absent else np.array(True)


def _sizeless(
    motion: Motion, bodies: Sequence[bpy.types.Object], rest: int
) -> dict[bpy.types.Object, tuple[np.ndarray, float]]:
    """When what carries a fish has no size, as the fish is absent, (moments,) bool, and the factor that it has then.

    It is 0, but for a fish that is absent where exporters bind its mesh to its bones, by a size that can be inverted.
    """
    found = {}
    for body in bodies:
        if body in motion.absent and motion.absent[body].any():
            absent = motion.absent[body]
            found[bones_of(body) or body] = absent, LEAST_SCALE if absent[rest] else 0.0
    return found


def _set_up(stage: bpy.types.Scene, scene: bpy.types.Scene, first: int, last: int, in_metres: bool) -> None:
    """Set a scene's frame rate, units and frames."""
    stage.render.fps, stage.render.fps_base = scene.render.fps, scene.render.fps_base
    stage.unit_settings.system, stage.unit_settings.scale_length = (
        ("METRIC", 1.0) if in_metres else (scene.unit_settings.system, scene.unit_settings.scale_length)
    )
    stage.frame_start, stage.frame_end = first, last


def _double(
    obj: bpy.types.Object, is_body: bool, meshes: Meshes, apart: bool, made: list[bpy.types.ID]
) -> bpy.types.Object:
    """A double without motion; parents of fishes become empties."""
    if not is_body and obj.type != "ARMATURE":
        double = bpy.data.objects.new(obj.name, None)
        made.append(double)
        return double
    double = obj.copy()
    made.append(double)
    double.animation_data_clear()
    double.constraints.clear()
    double.parent = None
    double.matrix_parent_inverse.identity()
    for name in ("location", "rotation_euler"):
        setattr(double, f"delta_{name}", (0.0, 0.0, 0.0))
    double.delta_scale, double.delta_rotation_quaternion = (1.0, 1.0, 1.0), (1.0, 0.0, 0.0, 0.0)
    double.hide_viewport = double.hide_render = double.hide_select = False
    if is_body:
        data: Any = meshes[cast(bpy.types.Mesh, obj.data)]
        if apart:
            data = data.copy()
            made.append(data)
        double.data = data
        if data.shape_keys is not None:
            data.shape_keys.animation_data_clear()
    elif any(not _is_plain(bone) for bone in obj.data.bones):
        data = obj.data.copy()
        made.append(data)
        double.data = data
        for bone in data.bones:
            bone.use_inherit_rotation, bone.use_local_location, bone.inherit_scale = True, True, "FULL"
    return double


def _is_plain(bone: bpy.types.Bone) -> bool:
    """True if a bone inherits everything from its parent."""
    return bone.use_inherit_rotation and bone.use_local_location and bone.inherit_scale == "FULL"


def _keyed(
    obj: bpy.types.Object,
    double: bpy.types.Object,
    doubles: Mapping[bpy.types.Object, bpy.types.Object],
    motion: Motion,
    times: np.ndarray,
    first: int,
    gone: tuple[np.ndarray, float] | None = None,
) -> bpy.types.Action:
    """Key a double with its original's motion; `gone` says when it has no size, and the factor that it has then."""
    action = bpy.data.actions.new(SWIMS)
    bag = channelbag(action, double)
    bones = bones_of(obj) if obj.type == "MESH" else None
    if bones is not None:
        place = _on_bones(obj, bones, motion)
        hung, local = bones, np.repeat(place[:1], len(times), axis=0)
    else:
        hung, local = _hung(obj, doubles, motion)
    double.parent = None if hung is None else doubles[hung]
    double.rotation_mode = "QUATERNION"
    for path, values in zip(CHANNELS, channels(local), strict=True):
        if gone is not None and path == "scale":
            values[gone[0]] *= gone[1]
        setattr(double, path, values[0])
        _write(bag, path, values, times, first)
    if obj in motion.pose:
        _key_bones(obj, double, bag, motion, times, first)
    for block, own in ((obj, double), (_keys(obj), _keys(double))):
        for path, values in motion.values.get(block, {}).items() if block is not None and own is not None else ():
            _write(channelbag(action, own), path, values, times, first)
    return action


def _there(double: bpy.types.Object, absent: np.ndarray, first: int, made: list[bpy.types.ID]) -> bpy.types.Object:
    """Put an empty above a double that moves nothing, and is rendered only while the fish is there."""
    above = bpy.data.objects.new(f"{double.name}_{THERE}", None)
    action = bpy.data.actions.new(above.name)
    made += [above, action]
    # In views it stays: exporters leave out what cannot be selected at the first frame.
    write_switch(channelbag(action, above), [NOT_RENDERED], absent, first)
    above.parent, double.parent = double.parent, above
    return above


def _keys(obj: bpy.types.Object) -> bpy.types.Key | None:
    """The shape keys of an object."""
    return getattr(obj.data, "shape_keys", None)


def _write(bag: bpy.types.ActionChannelbag, path: str, values: np.ndarray, times: np.ndarray, first: int) -> None:
    """Key numbers (moments, width) unchanged."""
    write(bag, [(path, axis) for axis in range(values.shape[1])], thin(values.T.copy(), 0.0, times=times), first)


def _hung(
    obj: bpy.types.Object, doubles: Mapping[bpy.types.Object, bpy.types.Object], motion: Motion
) -> tuple[bpy.types.Object | None, np.ndarray]:
    """The parent of an object's double, if any, and its matrices relative to it.

    Nothing is parented to another fish's armature, which importers would take for its own bones.
    """
    above = obj.parent
    if above not in doubles or above.type == "ARMATURE" or not has_volume(motion.world[above]).all():
        return None, motion.world[obj]
    return above, np.linalg.inv(motion.world[above]) @ motion.world[obj]


def _on_bones(body: bpy.types.Object, bones: bpy.types.Object, motion: Motion) -> np.ndarray:
    """Matrices of a mesh relative to its armature, (moments, 4, 4); where one has no volume, the first that does."""
    found = np.repeat(np.eye(4)[None], len(motion.world[body]), axis=0)
    there = has_volume(motion.world[bones]) & has_volume(motion.world[body])
    found[there] = np.linalg.inv(motion.world[bones][there]) @ motion.world[body][there]
    if there.any():
        found[~there] = found[there][0]
    return found


def _key_bones(
    obj: bpy.types.Object,
    double: bpy.types.Object,
    bag: bpy.types.ActionChannelbag,
    motion: Motion,
    times: np.ndarray,
    first: int,
) -> None:
    """Key the bones of a double.

    Exporters assume a mesh fixed to its armature. If it is not, its relative motion is given to the bones.
    """
    pose, armature = motion.pose[obj].astype(float), cast(bpy.types.Armature, double.data)
    rest = np.array([bone.bone.matrix_local for bone in obj.pose.bones])
    body = next((one for one in motion.world if one.type == "MESH" and bones_of(one) == obj), None)
    if body is not None:
        place = _on_bones(body, obj, motion)
        if np.abs(place - place[:1]).max() > STILL:
            shift = place @ np.linalg.inv(place[0])
            pose = pose @ np.linalg.inv(rest) @ shift[:, None] @ rest
    number = {bone.name: place for place, bone in enumerate(obj.pose.bones)}
    for bone in armature.bones:
        row, local = number[bone.name], np.linalg.inv(rest[number[bone.name]])
        if bone.parent is not None:
            above = number[bone.parent.name]
            carried = pose[:, above] @ np.linalg.inv(rest[above]) @ rest[row]
            there = has_volume(carried)
            local = np.repeat(np.eye(4)[None], len(times), axis=0)
            local[there] = np.linalg.inv(carried[there])
        pose_bone = double.pose.bones[bone.name]
        for constraint in list(pose_bone.constraints):
            pose_bone.constraints.remove(constraint)
        pose_bone.rotation_mode = "QUATERNION"
        for path, values in zip(
            ("location", "rotation_quaternion", "scale"), channels(local @ pose[:, row]), strict=True
        ):
            setattr(pose_bone, path, values[0])
            _write(bag, f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"].{path}', values, times, first)


def _data(doubles: Mapping[bpy.types.Object, bpy.types.Object]) -> Iterator[tuple[bpy.types.ID, bpy.types.ID]]:
    """Copied data of doubles with their originals, each once."""
    done: set[bpy.types.ID] = set()
    for obj, double in doubles.items():
        if double.data is not None and double.data != obj.data and double.data not in done:
            done.add(double.data)
            yield double.data, obj.data


def _rename(pairs: Iterable[tuple[bpy.types.ID, bpy.types.ID]], names: dict[bpy.types.ID, str], plain: bool) -> None:
    """Give blocks the names of others, which are renamed meanwhile; `names` collects the names to restore."""
    taken: set[tuple[str, str]] = set()
    for double, original in pairs:
        name = names.get(original, original.name)
        if original.library is None and original not in names:
            names[original] = name
            original.name = f"{name[:40]} itself"
        double.name = _plain_name(double, name, taken) if plain else name


def _plain_name(double: bpy.types.ID, name: str, taken: set[tuple[str, str]]) -> str:
    """A name of letters, numbers and underscores, unique among its kind by these alone."""
    stem = re.sub(r"\W", "_", name)
    stem = stem if stem[:1].isalpha() else f"_{stem}"
    number = 1
    while (double.id_type, key := simple(plain := stem if number == 1 else f"{stem[:50]}_{number}")) in taken:
        number += 1
    taken.add((double.id_type, key))
    return plain


def simple(name: str) -> str:
    """A name reduced to what all formats preserve."""
    return re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")


def _remove(made: Iterable[bpy.types.ID]) -> None:
    """Remove all that was made, with the shape keys of meshes."""
    for scene in [each for each in made if isinstance(each, bpy.types.Scene)]:
        bpy.data.scenes.remove(scene)
    bpy.data.batch_remove([each for each in made if not isinstance(each, bpy.types.Scene)])
