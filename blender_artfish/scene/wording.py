"""Errors in a scene in an animator's terms: names of objects, and places in Blender's coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mathutils import Vector

from ...core.base.codec import Height, ListItem, SceneError, SceneWarning, Spot, Wording, Words, shown
from ..blender.words import Message
from ..identity.precision import rounded

ELSEWHERE: Message = "; one edited in another file must be saved as your own there, or exported there and imported here"
"""Remedy for an unknown species."""
CLOSING: Message = "; Select Open Edges, Convex Hull and Voxel Remesh in the tab Artfish help"
"""Remedy for a mesh that is not closed."""
ALONE = ("tank", "terrain", "plankton", "hook", "camera")
"""Parts of a scene that exist once, though several objects may form them."""


def is_of_mesh(key: str) -> bool:
    """True if the key is of an object's mesh."""
    return key.rpartition(".")[2].partition("[")[0] in ("faces", "vertices")


class ObjectError(SceneError):
    """An error in an object; its text has the key, which `messages.plain` puts into words.

    Attributes:
        subject: The object's name, or the names of several; "" if unknown.
        rest: The key of the error within it.
    """

    def __init__(self, found: Words, allowed: Words, subject: str, rest: str = "", file: str = "") -> None:
        super().__init__(found, allowed, ".".join(filter(None, (subject, rest))), file)
        self.subject, self.rest = subject, rest


class ObjectWarning(ObjectError, SceneWarning):
    """A warning about an object."""


class InBlender(Wording):
    """Wording of a scene's errors for an animator: with names of objects, and places in Blender's coordinates.

    Attributes:
        names: Names of the objects of the items of each list of the scene, in order.
        origin: The scene's own origin in Blender, metres.
    """

    def __init__(self, names: dict[str, list[str]], origin: Vector) -> None:
        self.names, self.origin = names, origin

    def key(self, key: str) -> str:
        """The object in place of an item of a list; tank and bed exist once, though several objects may form them."""
        subject, rest = self._subject(key)
        return ".".join(filter(None, (subject, rest)))

    def _subject(self, key: str) -> tuple[str, str]:
        """The object, or objects, and the rest of the key; "" and the whole key without one."""
        section, _, rest = key.partition(".")
        if section in ALONE and self.names.get(section):
            return ", ".join(self.names[section]), rest
        section, _, rest = key.partition("[")
        number, _, rest = rest.partition("]")
        names = self.names.get(section, [])
        return (names[int(number)], rest.lstrip(".")) if number and int(number) < len(names) else ("", key)

    def spot(self, spot: Spot) -> str:
        """A place relative to Blender's origin."""
        return shown(rounded(self.origin + Vector(spot.at)))

    def height(self, height: Height) -> str:
        """A height relative to Blender's origin."""
        return f"{self.origin.z + height.z:.3g}"

    def item(self, item: ListItem) -> str:
        """The name of the object."""
        names = self.names.get(item.section, [])
        return names[item.index] if item.index < len(names) else super().item(item)

    def error(self, error: SceneError, file: str) -> SceneError:
        """The same error in this wording; the file's name is left out if it stands for the whole scene."""
        if isinstance(error, ObjectError):
            return error
        allowed = self.words(error.allowed) + (ELSEWHERE if error.key.endswith(".species") else "")
        if is_of_mesh(error.key):
            allowed += CLOSING
        there = "" if error.file == file else error.file
        kind = ObjectWarning if isinstance(error, SceneWarning) else ObjectError
        return kind(self.words(error.found), allowed, *self._subject(error.key), there)

    @contextmanager
    def saying(self, file: str) -> Iterator[None]:
        """A context in which errors in a scene, called so in messages, are put into this wording."""
        try:
            yield
        except SceneError as error:
            raise self.error(error, file) from None
