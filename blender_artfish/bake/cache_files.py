"""Files of the form Cache: where they lie, what reads them, and when those that nothing reads any more go.

They lie in a folder beside the .blend, which belongs to it. A bake never writes over one: an undo, and the .blend as it
was last saved, go on reading theirs. Those of bakes that were dropped go with the next save, unless another .blend
reads them: a later version of this one, or one that its fishes were appended to. Such a file notes in the folder what
it reads.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import bpy

from ..blender import runtime
from ..blender.handlers import HandlerTurn, hears
from ..blender.versions import channelbag
from ..blender.words import Message, counted
from ..identity import provenance
from ..identity.provenance import NO_ROW, row_of

READER = "MESH_SEQUENCE_CACHE"
"""Type of the modifier that reads a cache."""
FOLDER, STEM, SUFFIX = "_fishes", "bake_", ".usdc"
"""End of the folder's name, and beginning and end of a file's."""
READ_ELSEWHERE = "read_by.json"
"""File of a folder of caches: by cache, the other .blend files that read it, relative to the folder."""
UNSAVED: Message = "Save this file first: the form Cache writes the fishes into a folder beside it"
"""The reason why a file that was never saved has no caches."""
WITHOUT_USD: Message = "This Blender was built without USD, which the form Cache needs: choose another form"
"""The reason why some Blenders, as Debian's, have no caches."""


def obstacle() -> Message:
    """The reason why the open file can have no caches, in a sentence; "" if it can."""
    if not bpy.app.build_options.usd:
        return WITHOUT_USD
    return "" if bpy.data.filepath else UNSAVED


class _Dropped:
    """Files that something dropped in this session had read: those that are there, and those that are deleted."""

    def __init__(self) -> None:
        self.paths: set[Path] = set()
        self.gone: set[Path] = set()


def folder_of(blend: str | os.PathLike[str]) -> Path:
    """The folder of the caches of a .blend."""
    return Path(blend).absolute().parent / f"{Path(blend).stem}{FOLDER}"


def new_path(blend: str | os.PathLike[str]) -> Path:
    """The next free name for a cache of a .blend; one that an undo may have something read again is not free."""
    folder, dropped = folder_of(blend), runtime.of(_Dropped)
    used = {*folder.glob(f"{STEM}*{SUFFIX}"), *map(path_of, bpy.data.cache_files), *dropped.paths, *dropped.gone}
    stems = [path.stem.removeprefix(STEM) for path in used if path.parent == folder]
    number = 1 + max((int(stem) for stem in stems if stem.isdecimal()), default=0)
    return folder / f"{STEM}{number:02d}{SUFFIX}"


def path_of(cache: bpy.types.CacheFile) -> Path:
    """The file of a cache."""
    return Path(bpy.path.abspath(cache.filepath, library=cache.library))


def opened(path: Path) -> bpy.types.CacheFile:
    """A cache that reads a file, by a path relative to the .blend if that is saved."""
    there = set(bpy.data.cache_files)
    bpy.ops.cachefile.open(filepath=str(path))
    (cache,) = set(bpy.data.cache_files) - there
    cache.user_clear()  # the operator counts a user that there is not
    cache.name = f"{path.parent.name} {path.stem}"
    cache.filepath = bpy.path.relpath(str(path)) if bpy.data.filepath else str(path)
    return cache


def readers(obj: bpy.types.Object) -> list[Any]:
    """The modifiers by which an object reads a cache."""
    return [each for each in obj.modifiers if each.type == READER and each.cache_file is not None]


def caches_of(objects: Iterable[bpy.types.Object]) -> list[bpy.types.CacheFile]:
    """The caches that objects read, each once."""
    return list(dict.fromkeys(each.cache_file for obj in objects for each in readers(obj)))


def lost(objects: Iterable[bpy.types.Object]) -> bool:
    """True if a file that objects read is missing."""
    return not all(path_of(cache).is_file() for cache in caches_of(objects))


def missing(scene: bpy.types.Scene) -> str:
    """The baked fishes of a scene that do not move as their cache is missing, in a sentence; "" if there are none."""
    if not bpy.data.cache_files:
        return ""
    fishes = [obj for obj in scene.objects if row_of(obj) != NO_ROW and provenance.of(obj, provenance.BAKE)]
    still: dict[Path, list[str]] = {}
    for obj in fishes:
        for cache in caches_of([obj]):
            still.setdefault(path_of(cache), []).append(obj.name)
    gone = next((path for path in still if not path.is_file()), None)
    if gone is None:
        return ""
    first, *others = still[gone]
    return counted(
        len(others) + 1,
        "{first} stands still: {file} is missing. Put it back, or bake again",
        "{first} and others, {count} in all, stand still: {file} is missing. Put it back, or bake again",
        first=first,
        file=f"{gone.parent.name}/{gone.name}",
    )


def own_copies(objects: Iterable[bpy.types.Object], moving: Collection[bpy.types.ID]) -> None:
    """Give objects caches of their own in place of those among `moving` that others read, too."""
    for obj in objects:
        for reader in readers(obj):
            if reader.cache_file in moving and reader.cache_file.users > 1:
                reader.cache_file = reader.cache_file.copy()


def key_moment(obj: bpy.types.Object, action: bpy.types.Action, first: float, last: float) -> None:
    """Have an object read its cache by keys of the moment, linear ones that say what it reads anyway.

    Args:
        obj: The object.
        action: The action that takes the keys.
        first: Frame of the first key.
        last: Frame of the last.
    """
    for reader in readers(obj):
        if reader.cache_file.override_frame:
            continue
        reader.cache_file = cache = reader.cache_file.copy()
        cache.override_frame = True
        curve = channelbag(action, cache).fcurves.new("frame")
        for frame in (first, max(last, first + 1.0)):
            curve.keyframe_points.insert(frame, frame).interpolation = "LINEAR"
        curve.extrapolation = "LINEAR"


def delay(obj: bpy.types.Object, frames: float) -> None:
    """Have an object read its cache some frames later, from a copy of it; keys of the moment are left as they are."""
    for reader in readers(obj):
        reader.cache_file = cache = reader.cache_file.copy()
        if not cache.override_frame:
            cache.frame_offset += frames


def drop(caches: Iterable[bpy.types.CacheFile]) -> None:
    """Have the files of caches that are removed from this .blend go when it is saved, unless an undo comes first."""
    runtime.of(_Dropped).paths.update(path_of(cache) for cache in caches if cache.library is None)


def discard(path: Path) -> bool:
    """Delete a cache at once, and its folder if that is empty then; returns whether it is gone."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
    with suppress(OSError):  # there is something in it
        if [each.name for each in path.parent.iterdir()] == [READ_ELSEWHERE]:
            (path.parent / READ_ELSEWHERE).unlink()
        path.parent.rmdir()
    return not path.exists()


def discard_others(blend: Path, read: Iterable[Path]) -> None:
    """Delete the caches of a .blend that was written anew, but for those that it reads."""
    kept = set(read)
    for path in folder_of(blend).glob(f"{STEM}*{SUFFIX}"):
        if path not in kept and not read_elsewhere(path):
            discard(path)


def leaving() -> int:
    """The bytes of the files that go with the next save."""
    return sum(path.stat().st_size for path in _unread() if path.is_file())


def _unread() -> list[Path]:
    """Files that were dropped and lie in the folder of this .blend, but for those that something reads again."""
    own, read = bpy.data.filepath, set(map(path_of, bpy.data.cache_files))
    ours = [path for path in runtime.of(_Dropped).paths if path.match(f"{STEM}*{SUFFIX}")]
    there = [path for path in ours if own and path.parent == folder_of(own) and path not in read]
    return [path for path in there if not read_elsewhere(path)]


def read_elsewhere(cache: Path) -> list[Path]:
    """The .blend files, but that of its folder, that have noted that they read a cache, and are there."""
    named = _noted(cache.parent).get(cache.name, [])
    return [path for path in (cache.parent / name for name in named) if path.is_file()]


def _noted(folder: Path) -> dict[str, list[str]]:
    """What is noted in a folder of caches; nothing that is otherwise than it is written here."""
    try:
        found = json.loads((folder / READ_ELSEWHERE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    lists = found.items() if isinstance(found, dict) else ()
    return {name: [one for one in of if isinstance(one, str)] for name, of in lists if isinstance(of, list)}


def _note(own: Path) -> None:
    """Note in the folders of other .blend files which of their caches this one reads."""
    from ...core.base.files import write_json

    for path in {path_of(cache) for cache in bpy.data.cache_files if cache.library is None}:
        if path.parent == folder_of(own) or not path.match(f"*{FOLDER}/{STEM}*{SUFFIX}") or not path.is_file():
            continue
        noted = _noted(path.parent)
        with suppress(OSError, ValueError):  # a folder that cannot be written to, or a file on another disk
            name = Path(os.path.relpath(own, path.parent)).as_posix()
            if name not in noted.get(path.name, []):
                write_json(path.parent / READ_ELSEWHERE, noted | {path.name: [*noted.get(path.name, []), name]})


@hears(HandlerTurn.RESULTS, "save_post")
def _after_saving(saved: Any, *_: Any) -> None:
    """Note what is read of others' caches, and delete what nothing reads any more."""
    own, dropped = bpy.data.filepath, runtime.of(_Dropped)
    if bpy.data.cache_files and isinstance(saved, str):
        _note(Path(saved).absolute())
    if not own or not isinstance(saved, str) or os.path.abspath(saved) != os.path.abspath(own):
        return  # a copy was written
    for path in filter(discard, _unread()):
        dropped.paths.discard(path)
        dropped.gone.add(path)


@hears(HandlerTurn.RESULTS, "load_post")
def _after_loading(*_: Any) -> None:
    """Forget what another file had dropped and was not saved without."""
    runtime.drop(_Dropped)


CLASSES = ()
