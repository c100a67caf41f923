"""The traits of a species edited in the open file, as properties.

The annotations of a property group are calls that Blender evaluates, so they are not postponed here.
"""

from typing import Any

import bpy

from ..blender import declarations
from ..blender.declarations import DECLARATIONS, group

made_by: Any = bpy.props  # by the stubs its functions return nothing
TRAITS = tuple(field["name"] for field in DECLARATIONS["Traits"])
"""Names of the traits, in their order."""
ENDS = {field["name"]: tuple(field["ends"]) for field in DECLARATIONS["Traits"]}
"""The words at both ends of each."""
ArtfishTraits = group(
    "ArtfishTraits",
    "Traits",
    "What kind of fish it is, and which traits its numbers followed last.",
    more={
        "given": made_by.BoolProperty(name="Character", description="Its numbers follow its traits"),
        "followed": made_by.FloatVectorProperty(
            name="Followed",
            description="The traits that its numbers followed last",
            size=len(TRAITS),
            options={"HIDDEN"},
        ),
    },
)


def json_of(traits: Any) -> dict[str, Any]:
    """The key `traits` of a species; empty without a character."""
    return {"traits": declarations.json_of(traits)} if traits.given else {}


def fill(traits: Any, data: dict[str, Any]) -> None:
    """Sets the traits from the JSON of a species."""
    said = data.get("traits")
    declarations.fill(traits, said or {})
    traits.followed = [getattr(traits, name) for name in TRAITS]
    traits.given = said is not None


CLASSES = (ArtfishTraits,)
