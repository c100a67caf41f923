"""The available species: presets, the animator's own, and those edited in the open file.

An animator's own species are JSON files of the same kind as the presets, in a folder that Blender keeps for the
extension. Reading one never runs code; one that is damaged is skipped, and `damaged` says why. Names are unique
among presets and own species; within a file, a species edited there takes precedence over both.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from ..blender import declarations
from ..blender.package import EXTENSION, PRESETS
from ..blender.words import translated
from . import memory, traits

if TYPE_CHECKING:
    from ...core.scene.species import Species

SPECIES_GROUPS = ("body", "rhythm", "steering", "pectoral", "form", "relief", "looks", "bearing", "temperament", "mind")
"""Groups of a species in a panel, by the keys of its JSON; the species' own numbers are in the group `about`."""

_read: dict[Path, tuple[int, Any]] = {}  # modification time and species, or error, by file


def folder() -> Path:
    """The folder of the animator's own species, which may not exist yet."""
    try:
        return Path(bpy.utils.extension_path_user(EXTENSION, path="species"))
    except ValueError:  # not installed as an extension, as in tests and in scripts
        return Path(bpy.utils.user_resource("DATAFILES", path="artfish/species"))


def model_folders() -> tuple[str, ...]:
    """Folders of adopted fishes' models: with the animator's own species, or beside the open file."""
    saved = bpy.data.filepath
    return (str(folder()), *([str(Path(saved).parent)] if saved else []))


def presets() -> list[str]:
    """The names of the presets, sorted, without reading their files."""
    return sorted(path.stem for path in (PRESETS / "species").glob("*.json"))


def own() -> list[str]:
    """The names of the animator's own species, sorted, without reading their files, so some may be damaged."""
    taken = set(presets())
    return sorted(path.stem for path in folder().glob("*.json") if path.stem not in taken)


def edited(scene: bpy.types.Scene | None) -> list[str]:
    """The names of the species that are edited in the open file."""
    return [entry.name for entry in scene.artfish.species] if scene else []


def names(scene: bpy.types.Scene | None = None) -> list[str]:
    """All names of species a shoal can use, sorted, each once."""
    return sorted({*presets(), *own(), *edited(scene)})


def label(name: str) -> str:
    """The name of a species as it is shown: "reef_shark" as "Reef shark"."""
    return name.replace("_", " ").capitalize()


def load(name: str) -> Species:
    """A preset or an own species.

    Raises:
        SceneError: There is none of this name, or its file is damaged.
    """
    from ...core.scene.species import Species

    path = folder() / f"{name}.json"
    if name in presets() or not path.is_file():
        return Species.load(name)
    found = _load(path)
    if isinstance(found, Exception):
        raise found
    return found


def damaged(look: bool = True) -> dict[str, str]:
    """Errors of own files that cannot be read, by their stems.

    Args:
        look: Whether to read new or changed files; otherwise earlier errors are returned, at no cost.
    """
    taken = set(presets())
    wrong = {}
    for path in sorted(folder().glob("*.json")):
        if path.stem in taken:
            wrong[path.stem] = translated("{path}: found the name of a preset, allowed another name", path=path.name)
        elif isinstance(found := _load(path) if look else _read.get(path, (0, None))[1], Exception):
            wrong[path.stem] = str(found)
    return wrong


def save(species: Species) -> Path:
    """Saves a species among the animator's own, replacing an earlier one of its name.

    Raises:
        SceneError: Its name is a preset's, or the file cannot be written.
    """
    from ...core.base.codec import SceneError
    from ...core.base.files import ensure_folder

    if species.name in presets():
        raise SceneError(translated("{species}, which is a preset", species=species.name), "another name", key="name")
    ensure_folder(folder())
    path = folder() / f"{species.name}.json"
    species.save(path)
    return path


def keep_model(species: Species) -> None:
    """Copies the model of a species, if it has one, to the animator's own, unless it is there.

    Raises:
        SceneError: It is not to be found, or its file cannot be written.
    """
    if species.model and not (folder() / f"{species.model}.blend").is_file():
        from ..fish.adopted import hand_over

        hand_over(species.model, model_folders(), folder())


def bring_model(species: Species, place: Path) -> None:
    """Copies the model of a species in another folder, if it has one, into the open file.

    Raises:
        SceneError: It is not to be found.
    """
    if species.model:
        from ..fish.adopted import bring

        bring(species.model, (place, *model_folders()))


def keep_in_file(species: Species) -> None:
    """Copies the model of a species into the open file, if it is among the animator's own."""
    if species.model and (folder() / f"{species.model}.blend").is_file():
        bring_model(species, folder())


def delete(name: str) -> dict[str, bytes]:
    """Removes one of the animator's own species, with its model unless another species wears that, too.

    Returns:
        The contents of the removed files, by their names.

    Raises:
        SceneError: There is none of this name, or its file cannot be read or removed.
    """
    from ...core.base.codec import SceneError

    path, model = folder() / f"{name}.json", _own_model(name)
    try:
        contents = {path.name: path.read_bytes()}
        if model is not None:
            contents[model.name] = model.read_bytes()
        for each in contents:
            (folder() / each).unlink()
    except OSError as error:
        raise SceneError(
            translated("an obstacle ({strerror})", strerror=error.strerror), "one of your species", key=name
        ) from None
    return contents


def _own_model(name: str) -> Path | None:
    """The file of a model that only this one of the animator's own species wears."""
    found = {each: _load(folder() / f"{each}.json") for each in own()}
    models = {each: getattr(species, "model", "") for each, species in found.items()}
    model = models.pop(name, "")
    path = folder() / f"{model}.blend"
    return path if model and model not in models.values() and path.is_file() else None


def content(name: str) -> bytes | None:
    """The content of the file of one of the animator's own species; None if there is none."""
    try:
        return (folder() / f"{name}.json").read_bytes()
    except OSError:
        return None


def put_back(contents: Mapping[str, bytes]) -> None:
    """Restores the files of one of the animator's own species removed by `delete`, each whole or not at all.

    Raises:
        SceneError: One cannot be written.
    """
    from ...core.base.files import ensure_folder, writing

    ensure_folder(folder())
    for name, content in contents.items():
        with writing(folder() / name) as stream:
            stream.write(content)


def stem(words: str) -> str:
    """A typed name as a file's stem: small letters, digits and underscores; "" if none are left."""
    return "_".join("".join(c if c.isalnum() else " " for c in words.lower()).split())


def free_name(wish: str, scene: bpy.types.Scene | None) -> str:
    """This name, with the lowest number that makes it unique if it is taken."""
    taken, number, name = set(names(scene)), 2, wish
    while name in taken:
        name, number = f"{wish}_{number}", number + 1
    return name


def json_of(entry: bpy.types.PropertyGroup) -> dict[str, Any]:
    """The values of an edited species as JSON."""
    parts = {part: declarations.json_of(getattr(entry, part)) for part in SPECIES_GROUPS}
    parts |= memory.json_of(entry.memory) | traits.json_of(entry.traits)
    if entry.ancestry:
        with suppress(ValueError):  # a file's text, of which nothing is certain
            parts["ancestry"] = json.loads(entry.ancestry)
    return {**declarations.json_of(entry.about), "name": entry.name, **parts}  # every group has a name, `about` too


def fill(entry: bpy.types.PropertyGroup, species: Species) -> None:
    """Sets all numbers of an edited species, but not its name."""
    data = species.to_dict()
    declarations.fill(entry.about, data)
    for part in SPECIES_GROUPS:
        declarations.fill(getattr(entry, part), data.get(part, {}))
    memory.fill(entry.memory, data)
    traits.fill(entry.traits, data)
    entry.ancestry = json.dumps(data["ancestry"]) if data.get("ancestry") else ""


def species_of(entry: bpy.types.PropertyGroup) -> Species:
    """An edited species, checked.

    Raises:
        SceneError: Its numbers are inconsistent.
    """
    return _checked(json_of(entry))


def trouble(entry: bpy.types.PropertyGroup, line: Callable[[Exception], str] = str) -> str:
    """Why an edited species cannot be used, in one line made from the error by a function; "" if it can."""
    from ...core.base.codec import SceneError

    try:
        species_of(entry)
    except SceneError as error:
        return line(error)
    return ""


def models(scene: bpy.types.Scene) -> Mapping[str, Species]:
    """Species by name: those edited in this file before own ones and presets.

    Each is read and checked only on access, which raises SceneError if it is damaged.
    """
    return _Models(scene)


class _Models(Mapping):
    """Species by name, made on access; edited species are as they were when this was made."""

    def __init__(self, scene: bpy.types.Scene) -> None:
        self._edited = {entry.name: json_of(entry) for entry in scene.artfish.species}
        self._names = names(scene)

    def __getitem__(self, name: str) -> Species:
        if name in self._edited:
            return _checked(self._edited[name])
        if name in self._names:
            return load(name)
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


_last: tuple[dict[str, Any], Any] = ({}, None)


def _checked(data: dict[str, Any]) -> Species:
    """The species of this JSON; the last result is cached, as a panel asks at every redraw."""
    global _last
    from ...core.base.codec import SceneError
    from ...core.scene.species import Species

    if data != _last[0]:
        try:
            _last = data, Species.from_dict(data, data["name"])
        except SceneError as error:
            _last = data, error
    if isinstance(_last[1], Exception):
        raise _last[1]
    return _last[1]


def _load(path: Path) -> Any:
    """The species in a file, or the SceneError of reading it."""
    from ...core.base.codec import Place, SceneError
    from ...core.scene.species import Species

    try:
        changed = path.stat().st_mtime_ns
        if path not in _read or _read[path][0] != changed:
            _read[path] = changed, Species.load(path)
    except OSError as error:
        return SceneError(
            translated("an obstacle ({strerror})", strerror=error.strerror), "a file that can be read", file=path.name
        )
    except SceneError as error:
        _read[path] = changed, error.within(Place(path.name))
    return _read[path][1]
