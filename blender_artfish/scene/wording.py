"""What is wrong with a scene, in an animator's terms: names of objects, and places in Blender's coordinates."""

from __future__ import annotations

from mathutils import Vector

from ...core.base.codec import Height, Item, SceneError, Spot, Wording, shown
from ..identity.precision import rounded

ELSEWHERE = "; one edited in another file must be saved as your own there, or exported there and imported here"
"""What to do about a species that is not known."""


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
        section, dot, rest = key.partition(".")
        if section in ("tank", "terrain") and self.names.get(section):
            return ", ".join(self.names[section]) + dot + rest
        section, _, rest = key.partition("[")
        number, _, rest = rest.partition("]")
        return self.item(Item(section, int(number))) + rest if number else key

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
        allowed = self.words(error.allowed) + (ELSEWHERE if error.key.endswith(".species") else "")
        there = "" if error.file == file else error.file
        return SceneError(self.words(error.found), allowed, self.key(error.key), there)
