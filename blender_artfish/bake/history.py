"""Bakes made so far: their recordings, and their remains in a scene.

A bake's id is the key of its recording, a dot, and a number. The key says what was simulated, so a stored recording
serves every bake of the same scene; a few are stored, in memory and in the user's folder of extensions.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Generator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from ..blender.handlers import HandlerTurn, hears
from ..blender.package import EXTENSION
from ..blender.words import Message
from ..identity import provenance, references, writers
from . import cache_files, deleting, records, scene_settings

if TYPE_CHECKING:
    from ...core.recording import Recording
    from ...core.scene.scene import Scene
    from ...core.scene.species import Species

VERSION = 1
"""Raised when the same scene and seed give other bits than before, so that stored recordings are simulated anew."""
MOST, MOST_ON_DISK = 3, 12
"""Most recordings kept in memory and on disk."""
MOST_BYTES = 2 << 30
"""Most bytes kept on disk; the last recording alone may exceed it."""
FILMED_ONLY = ("name", "camera", "duration")
"""Keys of a scene that do not affect the fishes."""

_kept: OrderedDict[str, Recording] = OrderedDict()


# --- what was simulated -------------------------------------------------------------------------------------------


def key(scene: Scene, seed: int, frames: int, models: Mapping[str, Species]) -> str:
    """Key of a simulation, a short text: a digest of all it depends on."""
    data = {name: value for name, value in scene.to_dict().items() if name not in FILMED_ONLY}
    bodies = {name: {k: v for k, v in model.to_dict().items() if k != "looks"} for name, model in models.items()}
    return provenance.digest([VERSION, data, seed, frames, bodies])


def key_of(recording: Recording) -> str:
    """A key for a recording whose scene and seed are unknown, from its contents."""
    found = hashlib.sha256(recording.nodes.tobytes())
    found.update(recording.fins.tobytes())
    return found.hexdigest()[:16]


# --- recordings ---------------------------------------------------------------------------------------------------


def recording(bake: str) -> Recording | None:
    """The recording of a bake by its id or key; None if it is no longer kept."""
    name = bake.partition(".")[0]
    if name in _kept:
        _kept.move_to_end(name)
        return _kept[name]
    path = _path(name)
    if path is None or not path.is_file():
        return None
    from ...core.base.codec import SceneError
    from ...core.recording import Recording

    try:
        found = Recording.load(path)
    except SceneError:  # of another version, or damaged: treated as missing
        return None
    with suppress(OSError):
        path.touch()
    remember(name, found)
    return found


def keep(name: str, made: Recording) -> Generator[None, None, None]:
    """Keep a recording by its key, in memory and, where there is room, on disk; runs in steps."""
    remember(name, made)
    path = _path(name)
    if path is None or path.is_file():
        return
    from ...core.base.codec import SceneError
    from ..blender.background import in_thread

    def save() -> None:
        with suppress(SceneError):  # no room on the disk: it is simulated again when needed
            made.save(path)
            _make_room(path)

    yield from in_thread(save)


def forget(bake: str) -> None:
    """Delete a bake's recording from disk, unless another bake uses it; memory keeps it for an undo."""
    name = bake.partition(".")[0]
    path = _path(name)
    if path is not None and name not in used():
        with suppress(OSError):
            path.unlink(missing_ok=True)


def used() -> set[str]:
    """The names of the recordings of bakes in the open file."""
    return {provenance.of(obj, provenance.BAKE).partition(".")[0] for obj in bpy.data.objects} - {""}


def clear() -> None:
    """Drop the recordings in memory."""
    _kept.clear()


def remember(name: str, made: Recording) -> None:
    """Keep a recording in memory by its key."""
    _kept[name] = made
    _kept.move_to_end(name)
    while len(_kept) > MOST:
        _kept.popitem(last=False)


def folder() -> Path | None:
    """The folder of recordings; None where Artfish is no installed extension and so has no folder."""
    if not EXTENSION.startswith("bl_ext."):
        return None
    try:
        return Path(bpy.utils.extension_path_user(EXTENSION, path="bakes", create=True))
    except (ValueError, OSError):
        return None


def _path(name: str) -> Path | None:
    place = folder()
    return place / f"{name}.npz" if place is not None and name.isalnum() else None


def _make_room(last: Path) -> None:
    """Remove the least recently used recordings until the rest fits."""
    found = sorted(last.parent.glob("*.npz"), key=lambda path: path.stat().st_mtime, reverse=True)
    room = MOST_BYTES
    for place, path in enumerate(found):
        room -= path.stat().st_size
        if path != last and (place >= MOST_ON_DISK or room < 0):
            with suppress(OSError):
                path.unlink()


# --- remains of a bake in a scene ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bake:
    """A bake in a scene.

    Attributes:
        scene: The scene.
        id: The bake's id.
    """

    scene: bpy.types.Scene
    id: str

    @cached_property
    def objects(self) -> list[bpy.types.Object]:
        """All its objects left in the scene, in whatever collection."""
        return provenance.objects(self.scene, self.id)

    @property
    def fishes(self) -> dict[int, bpy.types.Object]:
        """The empties of its fishes left in the scene, by their rows in the recording."""
        return {row: obj for obj in self.objects if (row := provenance.row_of(obj)) != provenance.NO_ROW}

    @cached_property
    def root(self) -> bpy.types.Object | None:
        """The empty that carries it; None if it was deleted."""
        return next((obj for obj in self.objects if provenance.of(obj, provenance.ROLE) == provenance.ROOT), None)

    @cached_property
    def top(self) -> bpy.types.Collection | None:
        """The collection that holds it; None if it was deleted."""
        every = self.scene.collection.children_recursive
        tops = (each for each in every if provenance.of(each, provenance.ROLE) == provenance.TOP)
        return next((each for each in tops if provenance.of(each, provenance.BAKE) == self.id), None)

    @cached_property
    def record(self) -> dict[str, Any]:
        """Its record; empty if lost."""
        return records.read(provenance.of(self.top, provenance.RECORD)) if self.top else {}

    @property
    def whole(self) -> bool:
        """True if all of its objects are still there, be they deleted as fishes."""
        count = len(self.objects) + len(deleting.stored(self.id))
        return self.top is not None and count == self.record.get("objects")

    @property
    def former(self) -> bpy.types.Collection | None:
        """The collection of the bake it replaced, kept outside every scene."""
        return _former(self.record, self)

    def write(self, **record: Any) -> None:
        """Update its record."""
        self.__dict__.pop("record", None)
        assert self.top is not None
        self.top[provenance.RECORD] = json.dumps(self.record | record)
        self.__dict__.pop("record", None)


def _former(record: Mapping[str, Any], bake: Bake) -> bpy.types.Collection | None:
    name, shown = record.get("former"), {scene.collection for scene in bpy.data.scenes}
    shown |= {each for scene in bpy.data.scenes for each in scene.collection.children_recursive}
    absent = (each for each in bpy.data.collections if each not in shown and each.library is None)
    found = next((each for each in absent if name and provenance.of(each, provenance.FORMER) == name), None)
    before = provenance.of(found, provenance.BAKE) if found else ""
    return found if before not in ("", bake.id) else None  # somebody has changed its record


def last(scene: bpy.types.Scene) -> Bake | None:
    """The last bake of a scene of which anything is left."""
    ids = made_in(scene)
    return Bake(scene, max(ids, key=provenance.number_of)) if ids else None


def made_in(scene: bpy.types.Scene) -> set[str]:
    """Ids of the bakes made in a scene of which anything is left."""
    marked = {provenance.of(obj, provenance.BAKE) for obj in scene.objects}
    made = marked.intersection(provenance.of(scene, provenance.MADE).split())
    return {bake for bake in made if provenance.objects(scene, bake)}


def claim(bake: Bake) -> None:
    """Record that a bake was made in its scene, by which Artfish, and the present names of its objects."""
    provenance.sign(bake.objects)
    writers.sign(bake.scene)
    bake.scene[provenance.MADE] = " ".join(sorted(made_in(bake.scene) | {bake.id}))


def own_copied(scene: bpy.types.Scene) -> None:
    """Has the bakes of a scene that was copied with all in it be that scene's own, so that it is baked again."""
    for bake in provenance.of(scene, provenance.MADE).split():
        there = [*scene.objects, *scene.collection.children_recursive]
        blocks = [each for each in there if provenance.of(each, provenance.BAKE) == bake and each.is_editable]
        top = next((each for each in blocks if provenance.of(each, provenance.ROLE) == provenance.TOP), None)
        if top is None or any(map(provenance.is_original, blocks)):
            continue
        own = new_id(bake.partition(".")[0])
        skies = [scene.world] if scene.world and provenance.of(scene.world, provenance.BAKE) == bake else []
        for each in (*blocks, *skies):
            each[provenance.BAKE] = own
        provenance.sign(blocks)
        scene[provenance.MADE] = " ".join([*(set(provenance.of(scene, provenance.MADE).split()) - {bake}), own])
        Bake(scene, own).write(former=None)


def new_id(name: str) -> str:
    """An id for a bake of the recording with this key, unique in this file."""
    every = (provenance.of(obj, provenance.BAKE) for obj in (*bpy.data.objects, *bpy.data.collections))
    return f"{name}.{max(map(provenance.number_of, every), default=0) + 1}"


def changed(record: Mapping[str, Any], scene: bpy.types.Scene, bake: str) -> dict[str, list[Any]]:
    """The settings a bake has changed in a scene, with the data blocks their names refer to now."""
    found = dict(record.get("changed", {}))
    for path, data in (("camera", bpy.data.objects), ("world", bpy.data.worlds)):
        if path in found:
            now = getattr(scene, path)
            own = now is not None and provenance.of(now, provenance.BAKE) == bake
            found[path] = [data.get(found[path][0] or ""), now if own else None]
            if not own:
                del found[path]
    return found


def as_json(changes: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """Changed settings as JSON, data blocks by their names."""
    return {
        path: [value.name if isinstance(value, bpy.types.ID) else value for value in pair]
        for path, pair in changes.items()
        if path != "frame_current"
    }


def remove(top: bpy.types.Collection, bake: str) -> None:
    """Remove a bake with the data only it uses; what others have added stays."""
    own = [obj for obj in top.all_objects if provenance.of(obj, provenance.BAKE) == bake]
    remove_blocks([*own, *_empty(top, bake, own)])


def drop(old: Bake, record: Mapping[str, Any], kept: bool) -> None:
    """After a bake was replaced: drop the bake it had replaced, and the bake itself unless it is kept."""
    if not kept:
        remove_blocks(list(old.objects))
    former = _former(record, old)
    if former is not None:
        remove(former, provenance.of(former, provenance.BAKE))


def earlier(scene: bpy.types.Scene) -> list[bpy.types.Collection]:
    """The collections of replaced bakes that a scene keeps so that a revert can bring them back, one a bake."""
    found = (Bake(scene, bake).former for bake in sorted(made_in(scene)))
    return [each for each in found if each is not None]


def drop_earlier(scene: bpy.types.Scene) -> int:
    """Remove them, with the data only they use; returns their number. Objects that others put into them stay."""
    tops = earlier(scene)
    for number in [top.session_uid for top in tops]:
        top = next(each for each in bpy.data.collections if each.session_uid == number)
        bake = provenance.of(top, provenance.BAKE)
        del top[provenance.FORMER]
        remove(top, bake)
    return len(tops)


def tidy() -> None:
    """Drop replaced bakes whose replacements are gone."""
    left = {bake for scene in bpy.data.scenes for bake in made_in(scene)}
    own = [each for each in bpy.data.collections if each.library is None]
    marks = {each.session_uid: provenance.of(each, provenance.FORMER) for each in own}
    for number in [number for number, mark in marks.items() if mark and mark not in left]:
        found = next((each for each in bpy.data.collections if each.session_uid == number), None)
        if found is not None:  # it may have been removed with another
            remove(found, provenance.of(found, provenance.BAKE))


def revert(scene: bpy.types.Scene) -> Message:
    """Take the last bake of a scene back.

    Returns:
        A description of what is in its place now; "" if nothing is.

    Raises:
        SceneError: There is no bake.
    """
    from ...core.base.codec import SceneError
    from .exchange import exchange, hand_on, made_before

    bake = last(scene)
    if bake is None:
        raise SceneError("no bake in this scene", "one to revert")
    former, record = bake.former, bake.record
    deleting.bring_back(scene, bake.id)
    bake.__dict__.pop("objects", None)
    scene_settings.hand_back(scene, changed(record, scene, bake.id))
    if former is not None and bake.top is not None:
        top, back = bake.top, provenance.of(former, provenance.BAKE)
        stay = made_before(bake.objects, bake.id) if record.get("partly") else set()
        exchange(scene, top, former, stay)
        hand_on(scene, top, stay, back)
        former.use_fake_user = False
        remove(former, bake.id)
        restored = Bake(scene, back)
        claim(restored)
        deleting.put_marked_away(scene, back)
        scene_settings.redo(scene, _again(restored))
        return "the bake before it"
    tops = [bake.top] if bake.top else []
    remove_blocks([*bake.objects, *(each for top in tops for each in _empty(top, bake.id, bake.objects))])
    return ""


def _again(bake: Bake) -> dict[str, list[Any]]:
    """The changes that a restored bake had made to its scene."""
    found = dict(bake.record.get("changed", {}))
    for path in ("camera", "world"):
        if path in found:
            before, after = found[path]
            data = bpy.data.objects if path == "camera" else bpy.data.worlds
            found[path] = [data.get(before or ""), data.get(after or "")]
    return found


def _empty(top: bpy.types.Collection, bake: str, own: list[bpy.types.Object]) -> list[bpy.types.Collection]:
    """A bake's collections that hold nothing but its own objects."""
    gone = set(own)

    def foreign(collection: bpy.types.Collection) -> bool:
        return any(obj not in gone for obj in collection.all_objects) or any(
            not provenance.of(each, provenance.ROLE) for each in collection.children_recursive
        )

    made = [each for each in (top, *top.children_recursive) if provenance.of(each, provenance.BAKE) == bake]
    return [each for each in made if not foreign(each)]


def remove_blocks(blocks: list[bpy.types.ID]) -> None:
    """Remove data blocks, then unused data that bakes have made; objects parented to them stay in place."""
    references.set_down(blocks)
    bpy.data.batch_remove(blocks)
    while orphans := [each for each in data() if each.users == 0 and provenance.of(each, provenance.BAKE)]:
        cache_files.drop(each for each in orphans if isinstance(each, bpy.types.CacheFile))
        bpy.data.batch_remove(orphans)


@hears(HandlerTurn.RESULTS, "save_pre")
def _before_saving(*_: Any) -> None:
    """Sign what bakes have made before saving, and nothing else: which of two is the copy, no file says by itself."""
    for scene in bpy.data.scenes:
        for bake in made_in(scene):
            provenance.sign(provenance.objects(scene, bake))
    provenance.disown()


def data() -> list[bpy.types.ID]:
    """All data blocks of the file itself, without linked ones."""
    from ..blender.blocks import kinds

    skipped = ("screens", "window_managers", "workspaces", "scenes", "libraries")
    found = (getattr(bpy.data, kind) for kind in kinds() if kind not in skipped)
    return [obj for kind in found for obj in kind if obj.library is None]


@hears(HandlerTurn.RESULTS, "load_post")
def _after_loading(*_: Any) -> None:
    provenance.recognise()


CLASSES = ()


def unregister() -> None:
    """Drops the recordings in memory."""
    provenance.forget()
    clear()
