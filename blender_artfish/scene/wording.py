"""What is wrong with a scene, in an animator's terms: names of objects, and places in Blender's coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mathutils import Vector

from ...core.base.codec import Height, Item, SceneError, SceneWarning, Spot, Wording, Words, shown
from ..identity.precision import rounded

ELSEWHERE = "; one edited in another file must be saved as your own there, or exported there and imported here"
"""What to do about a species that is not known."""
CLOSING = "; Select Open Edges, Convex Hull and Voxel Remesh in the tab Artfish help"
"""What to do about a mesh that is not closed."""
ALONE = ("tank", "terrain", "plankton", "hook", "camera")
"""Parts of a scene of which there is one, be it made of several objects."""


def is_of_mesh(key: str) -> bool:
    """Whether it is an object's mesh that is wrong."""
    return key.rpartition(".")[2].partition("[")[0] in ("faces", "vertices")


class ObjectError(SceneError):
    """What is wrong with an object; as text it has the key, which `messages.plain` makes words of.

    Attributes:
        subject: The object's name, or the names of several; "" if none is known.
        rest: The key of what is wrong with it.
    """

    def __init__(self, found: Words, allowed: Words, subject: str, rest: str = "", file: str = "") -> None:
        super().__init__(found, allowed, ".".join(filter(None, (subject, rest))), file)
        self.subject, self.rest = subject, rest


class ObjectWarning(ObjectError, SceneWarning):
    """What cannot go well with an object."""


class InBlender(Wording):
    """How what is wrong with a scene is written for an animator: with names of objects, and places as Blender has them.

    Attributes:
        names: Of the objects that made the items of each list of the scene, in order.
        origin: Where the scene's own origin is in Blender, in metres.
    """

    def __init__(self, names: dict[str, list[str]], origin: Vector) -> None:
        self.names, self.origin = names, origin

    def key(self, key: str) -> str:
        """The object in place of an item of a list; of a tank or a bed there is one, be it of several objects."""
        subject, rest = self._subject(key)
        return ".".join(filter(None, (subject, rest)))

    def _subject(self, key: str) -> tuple[str, str]:
        """The object, or objects, and the rest of the key; "" and all of the key where there is none."""
        section, _, rest = key.partition(".")
        if section in ALONE and self.names.get(section):
            return ", ".join(self.names[section]), rest
        section, _, rest = key.partition("[")
        number, _, rest = rest.partition("]")
        names = self.names.get(section, [])
        return (names[int(number)], rest.lstrip(".")) if number and int(number) < len(names) else ("", key)

    def spot(self, spot: Spot) -> str:
        """A place counts from Blender's origin."""
        return shown(rounded(self.origin + Vector(spot.at)))

    def height(self, height: Height) -> str:
        """A height counts from Blender's origin."""
        return f"{self.origin.z + height.z:.3g}"

    def item(self, item: Item) -> str:
        """The name of the object."""
        names = self.names.get(item.section, [])
        return names[item.index] if item.index < len(names) else super().item(item)

    def error(self, error: SceneError, file: str) -> SceneError:
        """The same error in these words; what it calls the file is left out where that is all of the scene."""
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
        """A context in which what is wrong with a scene, which messages call so, is said in these words."""
        try:
            yield
        except SceneError as error:
            raise self.error(error, file) from None
