"""The choice of the panel: folder, frames, cameras, and why nothing can be made of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import bpy

from ..bake import history, whole_fish
from ..blender.glances import glance
from ..blender.messages import plain
from ..blender.words import Message
from ..filming.operators import bake_of
from ..filming.shots import camera_at
from ..identity.film_time import FIRST
from ..identity.provenance import NO_ROW, row_of
from ..live.runtime import session_of

UNBAKED_SET: Message = "Bake first: a data set labels the fishes of a bake"
UNKEPT: Message = "The recording of this bake is not kept any more: bake again to label it"
MOVED_BY_HAND: Message = (
    "Fishes were moved, retimed or recast by hand since the bake, so that nothing says where their fins are: "
    "put them back, or bake again"
)
LIVE_IS_ON: Message = "Live play is on: end it first, as the fishes of a bake are labelled"
NO_CAMERA: Message = "There is no camera: add one to the scene"
NONE_SELECTED: Message = "Select a camera first, or choose other cameras"
LONGEST_FOLDER = 40


class DatasetCamera(NamedTuple):
    """A camera of a data set.

    Attributes:
        name: Its name in files.
        camera: Its object; None for the scene's own, which may change at cuts.
    """

    name: str
    camera: bpy.types.Object | None

    def at(self, scene: bpy.types.Scene, frame: int) -> bpy.types.Object | None:
        """Its object at a frame."""
        return self.camera or camera_at(scene, frame)


class DatasetPace:
    """The pace at which pictures were made last.

    Attributes:
        seconds: Seconds a picture; None before the first.
    """

    def __init__(self) -> None:
        """Unknown."""
        self.seconds: float | None = None


def folder_of(scene: bpy.types.Scene) -> Path:
    """The folder set in a scene's panel.

    Raises:
        SceneError: None is set, or it is relative to a .blend that is not saved yet.
    """
    from ...core.base.codec import SceneError

    name = scene.artfish_dataset.folder
    if not name.strip("/ "):
        raise SceneError("no name", "where it is to be written", key="folder")
    if name.startswith("//") and not bpy.data.filepath:
        found = "a folder beside this .blend, which is not saved"
        raise SceneError(found, "save it first, or name another folder", key="folder")
    return Path(bpy.path.abspath(name))


def span_of(scene: bpy.types.Scene) -> tuple[int, int]:
    """The first frame and the last that may be labelled, before a bake is looked at."""
    settings = scene.artfish_dataset
    return (settings.first, settings.last) if settings.own_range else (scene.frame_start, scene.frame_end)


def frames_of(scene: bpy.types.Scene, bake: history.Bake) -> list[int]:
    """The frames of a scene that are labelled: those of the choice in which the bake plays.

    Raises:
        SceneError: There is none, or the recording of the bake is lost.
    """
    from ...core.base.codec import SceneError

    recording = history.recording(bake.id)
    if recording is None:
        raise SceneError("no recording of this bake", "one that is kept: bake again")
    begin = bake.record.get("first", FIRST)
    end, (first, last) = begin + recording.frames - 1, span_of(scene)
    found = [frame for frame in range(first, last + 1, scene.artfish_dataset.every) if begin <= frame <= end]
    if not found:
        raise SceneError(f"frames {first} to {last}", f"some of {begin} to {end}, which are baked", key="frames")
    return found


def cameras_of(scene: bpy.types.Scene) -> list[DatasetCamera]:
    """The cameras that are chosen, by names that differ."""
    which = scene.artfish_dataset.cameras
    if which == "SCENE":
        cut = any(marker.camera is not None for marker in scene.timeline_markers)
        return [DatasetCamera("camera", None)] if cut or scene.camera is not None else []
    found: list[DatasetCamera] = []
    for obj in sorted((obj for obj in scene.objects if obj.type == "CAMERA"), key=lambda obj: obj.name):
        if which == "ALL" or obj.select_get():
            found.append(DatasetCamera(_free(obj.name, {one.name for one in found}), obj))
    return found


def _free(name: str, taken: set[str]) -> str:
    """A name for files, of letters, digits and _, that is not taken."""
    stem = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_")[: LONGEST_FOLDER - 4] or "camera"
    found, number = stem, 1
    while found.lower() in {each.lower() for each in taken}:
        number += 1
        found = f"{stem}_{number}"
    return found


def is_by_hand(scene: bpy.types.Scene) -> bool:
    """True if fishes of a scene are elsewhere than their recording says, or have the bodies of other species."""
    recast = (whole_fish.CAST in obj.keys() for obj in scene.objects if row_of(obj) != NO_ROW)  # noqa: SIM118
    return whole_fish.is_nudged(scene) or any(recast)


def obstacle_of(scene: bpy.types.Scene) -> Message:
    """The reason why no data set can be made of a scene, in a sentence; "" if one can."""
    from ...core.base.codec import SceneError
    from .lenses import refuse_lens

    bake = bake_of(bpy.context, glance(history.made_in, scene))
    if bake is None:
        return UNBAKED_SET
    if session_of(scene) is not None:
        return LIVE_IS_ON
    if history.recording(bake.id) is None:
        return UNKEPT
    if is_by_hand(scene):
        return MOVED_BY_HAND
    cameras = cameras_of(scene)
    if not cameras:
        return NONE_SELECTED if scene.artfish_dataset.cameras == "SELECTED" else NO_CAMERA
    try:
        frames = frames_of(scene, bake)
        for camera in {one.at(scene, frame) for one in cameras for frame in frames} - {None}:
            refuse_lens(camera)
        folder_of(scene)
    except SceneError as error:
        return plain(error)
    return ""


def glanced(context: bpy.types.Context) -> list[Any]:
    """Values on which the number of pictures and an obstacle depend, and which `glance` is to compare."""
    settings, scene, active = context.scene.artfish_dataset, context.scene, context.object
    chosen = [getattr(settings, name) for name in settings.bl_rna.properties.keys() if name != "rna_type"]  # noqa: SIM118
    eye = scene.camera
    about = [0 if one is None else one.session_uid for one in (eye, active)]
    return [*chosen, *about, bpy.data.filepath, len(scene.timeline_markers), session_of(scene) is None]


def count_of(scene: bpy.types.Scene) -> int:
    """The number of pictures that the panel would make."""
    from ...core.base.codec import SceneError

    bake = bake_of(bpy.context, glance(history.made_in, scene))
    try:
        return 0 if bake is None else len(cameras_of(scene)) * len(frames_of(scene, bake))
    except SceneError:
        return 0


def formats_of(scene: bpy.types.Scene) -> tuple[str, ...]:
    """The formats that are chosen."""
    return tuple(name for name in ("coco", "mot", "yolo") if getattr(scene.artfish_dataset, name))


def standing(camera: bpy.types.Object) -> dict[str, Any]:
    """Place, axes and lens of a camera that nothing moves, as JSON holds it; nothing of one that moves."""
    chain, each = [camera], camera.parent
    while each is not None:
        chain.append(each)
        each = each.parent
    lens: Any = camera.data
    if any(one.constraints or one.animation_data is not None for one in chain) or lens.animation_data is not None:
        return {}
    steps = [matrix for one in chain for matrix in (one.matrix_basis, one.matrix_parent_inverse)]
    place = [round(value, 5) for matrix in steps for row in matrix for value in row]
    names = "lens", "sensor_fit", "sensor_width", "sensor_height", "shift_x", "shift_y", "clip_start", "clip_end"
    values = {name: getattr(lens, name) for name in names}
    return {"place": place} | {name: round(of, 6) if isinstance(of, float) else of for name, of in values.items()}
