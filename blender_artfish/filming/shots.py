"""Shots in a scene: keyed cameras, each bound to the timeline by a marker, so that playback cuts between them.

Finding them loads no simulation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import bpy

from ..blender.versions import channelbags
from .lights import OWN, cuts_of, light

SHOT = "artfish_shot"
"""Property of a shot's camera: subject and manner, as JSON."""
SPAN = "artfish_shot_frames"
"""Property of a shot's camera: the first and last frame of the shot in the scene, and its number."""
HOME = "artfish_shots"
"""Property of the collection that holds such cameras."""
OF_EDIT = "artfish_shot_of_edit"
"""Property of the camera of a shot that an edit has made."""
SIGNED = "artfish_shot_signed"
"""Property of a shot's camera: digest of its keys as they were made."""
CUT = "Cut to "
"""Prefix of the names of our markers."""


def is_shot(obj: bpy.types.Object | None) -> bool:
    """True if an object is the camera of a shot."""
    return obj is not None and obj.type == "CAMERA" and isinstance(obj.get(SHOT), str)


def shots_of(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The cameras of a scene's shots, in order of time."""
    return sorted(filter(is_shot, scene.objects), key=lambda obj: (span_of(obj), obj.name))


def called(scene: bpy.types.Scene, name: str) -> list[bpy.types.Object]:
    """The cameras of a scene's shots with a name, or all of them if it is empty."""
    return [camera for camera in shots_of(scene) if name in ("", camera.name)]


def span_of(camera: bpy.types.Object) -> tuple[int, int, int]:
    """First and last frame of a shot, and its number; an empty span if the property was overwritten."""
    try:
        first, last, number = (int(each) for each in camera.get(SPAN, ()))
    except (TypeError, ValueError):
        return 0, -1, 0
    return first, last, number


def sign(camera: bpy.types.Object) -> None:
    """Writes on a shot's camera how it was made, so that changes by hand are found."""
    camera[SIGNED] = _digest(camera)


def is_touched(camera: bpy.types.Object) -> bool:
    """True if a shot's camera was changed by hand since it was made: its keys, its lens, what hangs on it."""
    signed = camera.get(SIGNED)
    hung = [obj for obj in camera.children if not obj.get(OWN)]
    return bool(isinstance(signed, str) and signed != _digest(camera) or hung or camera.constraints)


def _digest(camera: bpy.types.Object) -> str:
    """A short text that differs where the keys, the lens or the span of a shot's camera do."""
    import numpy as np

    found = hashlib.sha256(repr((camera.data.lens, camera.data.type, span_of(camera))).encode())
    for bag in (bag for block in (camera, camera.data) for bag in channelbags(block)):
        for curve in sorted(bag.fcurves, key=lambda each: (each.data_path, each.array_index)):
            keys = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
            curve.keyframe_points.foreach_get("co", keys)
            found.update(keys.tobytes())
    return found.hexdigest()[:16]


def of_edit(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The cameras of shots that an edit has made, and nobody has touched since."""
    return [camera for camera in shots_of(scene) if camera.get(OF_EDIT) and not is_touched(camera)]


def covered(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The cameras of shots all of whose frames later shots take, and that nobody has touched."""
    spans = sorted(((span_of(camera), camera) for camera in shots_of(scene)), key=lambda each: -each[0][2])
    taken, found = set[int](), []
    for (first, last, _), camera in spans:
        frames = set(range(first, last + 1))
        if frames and frames <= taken and not is_touched(camera):
            found.append(camera)
        taken |= frames
    return found


def next_number() -> int:
    """The next free number of a shot in this file."""
    return 1 + max((span_of(obj)[2] for obj in bpy.data.objects if is_shot(obj)), default=0)


def home_of(scene: bpy.types.Scene) -> bpy.types.Collection:
    """The collection of a scene's shots, a new one if there is none."""
    found = _home(scene)
    if found is None:
        found = bpy.data.collections.new("Shots")
        found[HOME] = True
        scene.collection.children.link(found)
    return found


def camera_at(scene: bpy.types.Scene, frame: int) -> bpy.types.Object | None:
    """The active camera of a scene at a frame, by its markers."""
    bound = cuts_of(scene)
    if bound:
        return _latest(bound, frame) or bound[0][1]
    return scene.camera


def _latest(cuts: Sequence[tuple[int, bpy.types.Object]], frame: int) -> bpy.types.Object | None:
    """The camera of the last of some cuts up to a frame; None if there is none."""
    return next((camera for at, camera in reversed(cuts) if at <= frame), None)


def cut_in(scene: bpy.types.Scene, camera: bpy.types.Object, span: tuple[int, int, int]) -> None:
    """Cuts to a camera from the first to the last frame of its span; the rest stays as before."""
    if span_of(camera)[1] >= span_of(camera)[0]:
        cut_out(scene, camera)
    base = _base(scene)
    camera[SPAN] = span
    _cut(scene, span, base)
    _tidy(scene)


def cut_out(scene: bpy.types.Scene, camera: bpy.types.Object) -> None:
    """Removes a camera's cuts and restores what was there before it."""
    base, span = _base(scene), span_of(camera)
    camera[SPAN] = ()
    for marker in [each for each in scene.timeline_markers if each.camera == camera]:
        scene.timeline_markers.remove(marker)
    if scene.camera == camera:
        scene.camera = base
    _cut(scene, span, base)
    _tidy(scene)


def take_out(scene: bpy.types.Scene, cameras: Sequence[bpy.types.Object]) -> None:
    """Removes shots with their cameras, keys, lights and markers."""
    if not cameras:
        return
    for camera in cameras:
        cut_out(scene, camera)
    blocks: list[bpy.types.ID] = []
    for camera in cameras:  # only now: keys of lights come and go with each cut
        blocks += [camera, *goes_with(camera)]
    bpy.data.batch_remove(blocks)
    _tidy(scene)


def goes_with(camera: bpy.types.Object) -> list[bpy.types.ID]:
    """Data needed only by a shot's camera, removed or replaced with it: lights, lens and keys."""
    hung, data = [obj for obj in camera.children if obj.get(OWN)], camera.data
    moved = [each.animation_data.action for each in (camera, data, *hung) if each.animation_data is not None]
    keys = [action for action in moved if action is not None and action.users == 1]
    return [*hung, *keys, *([data] if data.users == 1 else [])]


def _cut(scene: bpy.types.Scene, span: tuple[int, int, int], base: bpy.types.Object | None) -> None:
    """Rebuilds the markers within a span from the shots there, later ones over earlier ones and over others' cuts."""
    first, last, _ = span
    markers = scene.timeline_markers
    theirs: dict[int, bpy.types.Object] = {}
    for marker in _bound(scene):
        if not _is_ours(marker):
            theirs.setdefault(marker.frame, marker.camera)
    spans = [(span_of(obj), obj) for obj in shots_of(scene)]
    shots = sorted(((span[2], span[:2], obj) for span, obj in spans if span[1] >= span[0]), key=lambda shot: shot[0])

    def due(frame: int) -> bpy.types.Object | None:
        over = [obj for _, (begin, end), obj in shots if begin <= frame <= end]
        return over[-1] if over else _latest(list(theirs.items()), frame) or base

    after = camera_at(scene, last + 1) if _bound(scene) else base
    for marker in [each for each in markers if _is_ours(each) and first <= each.frame <= last]:
        markers.remove(marker)
    now = due(first - 1)
    if now is not None and first > scene.frame_start and not any(each.frame < first for each in _bound(scene)):
        _mark(scene, now, scene.frame_start)
    begins = {begin for _, ends, _ in shots for begin in (ends[0], ends[1] + 1) if first <= begin <= last}
    for frame in sorted({first, *begins, *(at for at in theirs if first <= at <= last)}):
        camera = due(frame)
        if camera is not None and theirs.get(frame, now) != camera:
            _mark(scene, camera, frame)
        now = camera or now
    if after not in (None, now) and last < scene.frame_end and all(each.frame != last + 1 for each in _bound(scene)):
        _mark(scene, after, last + 1)


def _tidy(scene: bpy.types.Scene) -> None:
    """Drops our redundant markers and an empty collection, and sets the camera by the markers."""
    markers, now, at = scene.timeline_markers, None, None
    for marker in sorted(markers, key=lambda each: each.frame):
        beside = [each.camera for each in _others_at(scene, marker.frame)]
        if _is_ours(marker) and marker.camera in (None, beside[0] if beside else now):
            markers.remove(marker)
        elif marker.camera and marker.frame != at:
            now, at = marker.camera, marker.frame
    bound = _bound(scene)
    if len(bound) == 1 and _is_ours(bound[0]) and not is_shot(bound[0].camera):
        scene.camera = bound[0].camera  # there are no cuts any more
        markers.remove(bound[0])
    scene.camera = camera_at(scene, scene.frame_current)
    home = _home(scene)
    if home is not None and not home.all_objects and not home.children:
        bpy.data.collections.remove(home)
    light(scene)


def _base(scene: bpy.types.Scene) -> bpy.types.Object | None:
    """The camera of a scene outside its shots."""
    ours = [each.camera for each in _bound(scene) if _is_ours(each) and not is_shot(each.camera)]
    return ours[0] if ours else None if is_shot(scene.camera) else scene.camera


def _home(scene: bpy.types.Scene) -> bpy.types.Collection | None:
    return next((each for each in scene.collection.children if each.get(HOME)), None)


def _bound(scene: bpy.types.Scene) -> list[bpy.types.TimelineMarker]:
    """Markers with a camera, in order of time."""
    return sorted((each for each in scene.timeline_markers if each.camera), key=lambda each: each.frame)


def _mark(scene: bpy.types.Scene, camera: bpy.types.Object | None, frame: int) -> None:
    """Cuts to a camera at a frame, before others' markers there, which then count no longer."""
    assert camera is not None
    markers = scene.timeline_markers
    markers.new(f"{CUT}{camera.name}", frame=frame).camera = camera
    for marker in _others_at(scene, frame):
        after = markers.new(marker.name, frame=frame)
        after.camera, after.select = marker.camera, marker.select
        for prop in marker.bl_rna.properties:
            if prop.is_runtime and not prop.is_readonly:  # of an add-on, as ours for what is fed and feared
                setattr(after, prop.identifier, getattr(marker, prop.identifier))
        markers.remove(marker)


def _others_at(scene: bpy.types.Scene, frame: int) -> list[bpy.types.TimelineMarker]:
    """Markers of others with a camera at a frame."""
    return [each for each in scene.timeline_markers if each.camera and each.frame == frame and not _is_ours(each)]


def _is_ours(marker: bpy.types.TimelineMarker) -> bool:
    return marker.name.startswith(CUT)
