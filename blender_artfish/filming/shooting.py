"""Shots of a baked scene: cameras are keyed along paths found from the recording of its fishes."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import bpy
import numpy as np
from mathutils import Matrix

from ...core.base.codec import Place, SceneError, decode, encode, parse
from ...core.recording import Recording
from ...core.studio.camera_work import CameraPath, filmed
from ...core.studio.closeness import picture_shares
from ...core.studio.editing import edit
from ...core.studio.film import FilmShot, Subject
from ...core.studio.moments import LEAD_IN_SHARE, fitted
from ...core.studio.parting import happenings
from ...core.studio.scenery import ScenePoints
from ...core.studio.subjects import find
from ..bake import history, whole_fish
from ..blender.words import Message, translated
from ..crowd.nodes import FISH_ROW
from ..fish.surfaces import refine
from ..identity import provenance
from ..identity.film_time import FIRST, film
from ..identity.units import in_metres, metres
from ..mind.source import Roots
from .lights import SHAFTS_AWAY, hang_light
from .scenery import digest_of, meshes
from .shot_camera import add_shot_camera
from .shots import OF_EDIT, SHOT, covered, cut_in, goes_with, home_of, next_number, sign, span_of, take_out
from .words import MOVE_WORDS

NOT_KEPT: tuple[Message, Message] = "no recording of this bake", "one: bake again, and film then"
"""The error where a recording is not kept any more: what was found, and the remedy."""
_scenery: dict[str, ScenePoints] = {}
"""The scenery that was last looked for: of millions of triangles that takes seconds, and few of them change."""
_happened: WeakKeyDictionary[Recording, list[dict[str, Any]]] = WeakKeyDictionary()


def happened(recording: Recording) -> list[dict[str, Any]]:
    """Events of a recording, as from `happenings`, cached for panels that are drawn again and again."""
    if recording not in _happened:
        _happened[recording] = happenings(recording)
    return _happened[recording]


@dataclass(frozen=True)
class Location:
    """A baked scene to film in.

    Attributes:
        context: The context, for its scene and view layer.
        recording: The recording of its fishes, to the end of the film.
        bake: Its id.
        matrix: Matrix from the recording's frame to metres in Blender's world.
        unit: Metres in a unit of the scene.
        first: Frame of the scene that shows frame 0 of the recording.
        only: The collection whose meshes cameras keep clear of; None for all scenery.
    """

    context: bpy.types.Context
    recording: Recording
    bake: str
    matrix: Matrix
    unit: float
    first: int
    only: bpy.types.Collection | None = None

    @classmethod
    def of(cls, context: bpy.types.Context, bake: history.Bake, only: bpy.types.Collection | None = None) -> Location:
        """The location of a bake.

        Raises:
            SceneError: Its recording is not kept any more, or the film is over before it begins.
        """
        scene = context.scene
        recording = history.recording(bake.id)
        if recording is None:
            raise SceneError(*NOT_KEPT)
        first, unit = bake.record.get("first", FIRST), metres(scene)
        frames = min(recording.frames, film(scene)[1] - first + 1)
        if frames < 2:
            found = translated("a film up to frame {film}", film=film(scene)[1])
            raise SceneError(found, translated("one beyond frame {first}, where the bake begins", first=first + 1))
        here = Matrix.Scale(1.0 / unit, 4) if bake.root is None else bake.root.matrix_world
        matrix = in_metres(here, unit)
        return cls(context, recording.until(frames), bake.id, matrix, unit, first, only)

    @cached_property
    def scenery(self) -> ScenePoints:
        """The scenery that cameras keep clear of, at the current frame."""
        to_water = in_metres(Matrix.Identity(4), self.unit)
        found = meshes(self.context, self.matrix.inverted_safe() @ to_water, self.only)
        key = f"{self.bake} {digest_of(found)}"
        if key not in _scenery:
            _scenery.clear()
            _scenery[key] = ScenePoints.of(found, self.recording)
        return _scenery[key]

    def unfilmed(self, kept: list[bpy.types.Object]) -> list[tuple[int, int]]:
        """Stretches of the film that none of these shots takes: frames of the recording, the last left out."""
        begin = max(film(self.context.scene)[0] - self.first, 0)
        free = np.zeros(self.recording.frames + 2, dtype=bool)
        free[1 + begin : -1] = True
        for first, last, _ in map(span_of, kept):
            free[max(1 + first - self.first, 0) : max(2 + last - self.first, 0)] = False
        edges = np.flatnonzero(free[1:] != free[:-1])
        return [(int(low), int(high)) for low, high in edges.reshape(-1, 2)]

    def name(self, row: int) -> str:
        """Name of a row's fish."""
        return name_of(self.context.scene, self.bake, self.recording, row)

    def row(self, number: int) -> int:
        """The row of the active fish; in a crowd, of the fish with this number, counted from 1.

        Raises:
            SceneError: No baked fish is active, or a crowd has fewer.
        """
        active = self.context.object
        role = "" if active is None else provenance.of(active, provenance.ROLE)
        if active is not None and role.startswith(whole_fish.CROWD_ROLE):
            return self._row_of_crowd(active, number)
        row = provenance.row_of(whole_fish.root_of(active))
        if not 0 <= row < len(self.recording.species):
            raise SceneError("no baked fish that is active", "one: select it by any of its parts")
        return row

    def _row_of_crowd(self, crowd: bpy.types.Object, number: int) -> int:
        own = crowd.data.attributes.get(FISH_ROW)
        rows = np.zeros(0 if own is None else len(own.data), dtype=np.int32)
        if own is not None:
            own.data.foreach_get("value", rows)
        if not 1 <= number <= len(rows):
            raise SceneError(
                translated("fish {number} of {crowd}", number=number, crowd=crowd.name),
                translated("1 to {count}", count=len(rows)),
            )
        return int(rows[number - 1])

    def way(self, shot: FilmShot) -> CameraPath:
        """The camera path of a shot, in metres in Blender's world.

        Raises:
            SceneError: It cannot be filmed.
        """
        path = filmed(self.recording, shot, self.scenery)
        turn, place = np.array(self.matrix.to_3x3()), np.array(self.matrix.translation)
        scale = float(np.cbrt(abs(np.linalg.det(turn))))
        at, look = path.at @ turn.T + place, path.look_at @ turn.T + place
        return replace(path, at=at, look_at=look, focus=scale * path.focus)

    def refine(self, way: CameraPath) -> None:
        """Has fishes near a camera, given its path in metres in Blender's world, rendered more finely."""
        roots = Roots(self.context.scene, self.bake)
        if not roots:  # a crowd, whose thousands need no search
            return
        back = np.array(self.matrix.inverted_safe())
        at, look = (places @ back[:3, :3].T + back[:3, 3] for places in (way.at, way.look_at))
        shares = picture_shares(self.recording, replace(way, at=at, look_at=look))
        for row in roots:
            root = roots.get(row)
            if root is not None:
                refine(root, shares[row])

    def title(self, shot: FilmShot) -> str:
        """Title of a shot, without its number."""
        rows, _ = find(self.recording, shot.subject)
        event = f" {shot.subject.event}" if shot.subject.event else ""
        return f"{MOVE_WORDS[shot.move][0]} {self.name(rows[0])}{event}"


def name_of(scene: bpy.types.Scene, bake: str, recording: Recording, row: int) -> str:
    """Name of the fish of a row of a bake: its object's, or, in a crowd, its species and number."""
    root = Roots(scene, bake).get(row)
    return f"{recording.species[row]} {row + 1}".replace("_", " ").capitalize() if root is None else root.name


def of_fish(location: Location, row: int, numbers: dict[str, Any], pair: bool, pull: bool) -> FilmShot:
    """A shot of a fish that begins at the current frame, shortened to the end of the film.

    Args:
        location: The location.
        row: Row of the fish.
        numbers: Move, size, lens, seconds and blur.
        pair: Whether the other is in the picture, too.
        pull: Whether the focus goes over to the other.
    """
    begin = (location.context.scene.frame_current - location.first) / location.recording.fps
    return _of(location, Subject(fish=row), begin, numbers, pair, pull)


def of_event(location: Location, kind: str, nth: int, numbers: dict[str, Any], pair: bool, pull: bool) -> FilmShot:
    """A shot of an event, which happens slightly past its middle; arguments as for `of_fish`."""
    start = -LEAD_IN_SHARE * numbers["seconds"]
    return _of(location, Subject(event=kind, nth=nth), start, numbers, pair, pull)


def _of(
    location: Location, subject: Subject, start: float, numbers: dict[str, Any], pair: bool, pull: bool
) -> FilmShot:
    """A shot of a subject; the second fish, to whom focus is pulled, need not be framed centrally."""
    two = replace(subject, pair=True)
    other = Subject(fish=find(location.recording, two)[0][-1]) if pull else None
    subject = two if pair or numbers["move"] == "over_shoulder" else subject
    shot = FilmShot(scene=location.bake, subject=subject, start=start, pull=other, **numbers)
    return fitted(location.recording, shot)


def best(
    location: Location, count: int, numbers: dict[str, Any], fill: bool, spans: list[tuple[int, int]]
) -> tuple[FilmShot, ...]:
    """Shots of the best moments, in order.

    Args:
        location: The location.
        count: Most shots to make; with `fill`, fewest.
        numbers: Their lens, seconds and blur.
        fill: Whether each goes on until the next begins.
        spans: Stretches of the recording to film: the first frame of each, and the frame after its last.

    Raises:
        SceneError: There are none.
    """
    recording, seconds = location.recording, numbers["seconds"]
    if not spans:
        raise SceneError("no frame that is not filmed already", "a film with a gap: remove a shot")
    shots = edit(recording, location.bake, 0, count, seconds, fill, spans)
    if not shots:
        longest = max(end - begin for begin, end in spans) / recording.fps
        raise SceneError(
            translated("{longest:.1f} s to film", longest=longest),
            translated("more than shots of {seconds:g} s take: shorten them", seconds=seconds),
        )
    return tuple(replace(shot, **{name: numbers[name] for name in ("lens", "blur")}) for shot in shots)


def shoot(
    location: Location, shots: tuple[FilmShot, ...], ways: list[CameraPath] | None = None
) -> list[bpy.types.Object]:
    """Makes the cameras of shots, and cuts to them; shots that are seen no more are removed.

    Args:
        location: The location.
        shots: The shots.
        ways: Their camera paths, as of `Location.way`; found if left out.

    Raises:
        SceneError: One of them cannot be filmed; then none is made.
    """
    ways = ways or [location.way(shot) for shot in shots]
    made = [_place(location, shot, way) for shot, way in zip(shots, ways, strict=True)]
    take_out(location.context.scene, covered(location.context.scene))
    return made


def shoot_again(location: Location, camera: bpy.types.Object, numbers: dict[str, Any]) -> bpy.types.Object:
    """Makes the camera of a shot anew, by other numbers or from another bake.

    Raises:
        SceneError: It cannot be filmed; the camera is then unchanged.
    """
    shot = shot_of(camera)
    if numbers.get("move") == "over_shoulder":
        numbers = numbers | {"subject": replace(shot.subject, pair=True)}
    if shot.subject.event and "seconds" in numbers and numbers["seconds"] != shot.seconds:
        numbers = numbers | {"start": shot.start * numbers["seconds"] / shot.seconds}  # the event stays inside
    shot = fitted(location.recording, replace(shot, **numbers))
    way = location.way(shot)
    if numbers and camera.get(OF_EDIT):
        del camera[OF_EDIT]  # from now on it is the animator's own
    return _place(location, shot, way, camera)


def shot_of(camera: bpy.types.Object) -> FilmShot:
    """The shot of a camera, as stored on it.

    Raises:
        SceneError: The property has been overwritten.
    """
    return decode(FilmShot, parse(str(camera.get(SHOT, "")), camera.name), Place(camera.name))


def _place(
    location: Location, shot: FilmShot, way: CameraPath, camera: bpy.types.Object | None = None
) -> bpy.types.Object:
    """Puts the camera of a shot into the scene, or reuses a given one, and cuts to it."""
    scene, first = location.context.scene, location.first + round(float(way.frames[0]))
    number = next_number() if camera is None else span_of(camera)[2]
    name = f"Shot {number:02d} {location.title(shot)}"
    made = add_shot_camera(home_of(scene), name, way, shot.blur, first, location.unit)
    if camera is None:
        camera = made
    else:
        _take_over(camera, made)
        camera.name = camera.data.name = name
    camera[SHOT] = json.dumps(encode(shot))
    location.refine(way)
    hang_light(scene, camera, SHAFTS_AWAY * float(np.median(way.focus)) / location.unit)
    cut_in(scene, camera, (first, first + len(way.frames) - 1, number))
    sign(camera)
    return camera


def _take_over(camera: bpy.types.Object, made: bpy.types.Object) -> None:
    """Gives a camera the lens, transform and keys of another, which is removed."""
    gone = [made, *goes_with(camera)]
    own = camera.animation_data_create()
    own.action, own.action_slot = made.animation_data.action, made.animation_data.action_slot
    camera.data, camera.rotation_mode = made.data, made.rotation_mode
    camera.location, camera.rotation_euler = made.location, made.rotation_euler
    bpy.data.batch_remove(gone)
