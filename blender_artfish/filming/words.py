"""Panel words for camera moves and events; loads no simulation."""

from __future__ import annotations

from ..blender.declarations import DECLARATIONS, title
from ..blender.words import Message

MOVE_WORDS: dict[str, tuple[Message, Message]] = {
    "follow": ("Follow", "Goes along behind the fish, to its side"),
    "lead": ("Lead", "Goes along ahead of the fish and looks back at it"),
    "over_shoulder": ("Over the Shoulder", "Looks over its back at the other"),
    "fish_cam": ("Fish-Cam", "Sees what the fish sees ahead"),
    "dolly": ("Dolly", "Goes around it"),
    "crane": ("Crane", "Rises beside it"),
    "reveal": ("Reveal", "Begins close by and goes back"),
    "locked": ("Locked", "Stands in one place and does not turn"),
}
"""Name and description of each move."""
KIND_WORDS: dict[str, Message] = {
    "courtship": "A pair comes to the next stage of its courtship",
    "spawned": "A pair spawns",
    "eaten": "A predator swallows a fish",
    "fed": "A fish swallows food",
    "browsed": "A fish bites at what grows on rock or coral",
    "hooked": "A fish takes the bait",
    "entered": "A fish comes into the water",
    "food": "Food is thrown in",
    "fright": "Something frightens fishes",
    "arrived": "A fish comes to where it would go",
    "instructed": "A fish begins something that it is told to do",
    "hatched": "A fry hatches out of its egg",
    "died": "A fish dies of age, hunger or teeth",
    "grudge": "A fish comes to fear or dislike another that has chased it",
    "parted": "A school parts into smaller ones",
    "joined": "Parts of a school join",
}
"""Description of each kind of event."""
EVERYTHING = "ALL"
"""Choice of any kind of event."""


def move_items() -> list[tuple[str, str, str]]:
    """The moves of `core.studio.film.MOVES`, as enumeration items."""
    choices = next(field["choices"] for field in DECLARATIONS["FilmShot"] if field["name"] == "move")
    return [(move, *MOVE_WORDS.get(move, (title(move), ""))) for move in choices]


def kind_items() -> list[tuple[str, str, str]]:
    """Kinds of events, and any, as enumeration items."""
    kinds = next(field["choices"] for field in DECLARATIONS["Subject"] if field["name"] == "event")
    return [(EVERYTHING, "Everything", "All that happens"), *((kind, title(kind), KIND_WORDS[kind]) for kind in kinds)]
