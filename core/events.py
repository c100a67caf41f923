"""Events: what befell whom in a world, as recordings and saved worlds keep them; see `Recording.events`."""

from __future__ import annotations

from typing import Any

from .base.codec import Place, shown
from .scene.instruction import ACT_WORDS, NO_ACT
from .scene.relation import DISLIKE, FEAR

EVENT_KINDS = (
    *("courtship", "spawned", "eaten", "fed", "browsed", "hooked", "entered", "food", "fright", "arrived"),
    *("instructed", "grudge", "hatched", "died"),
)
COURTSHIP_STAGES = ("looping", "circling", "ascending", "nuzzling")
GRUDGES = (FEAR, DISLIKE)  # relations that come by themselves
DEATHS = ("age", "hunger", "teeth")
"""Causes of death in a world with breeding."""
LONE_KINDS = ("arrived", "instructed", "died")  # events that befall a fish alone
FISHLESS_KINDS = ("food", "fright")  # events that befall no fish
LONGEST_LATE = 1e6  # seconds, or lengths off
COUNTING_KINDS = ("fed", "browsed", "hooked", "food", "fright")  # events whose other is no fish


def check_events(events: Any, frames: tuple[int, int], fishes: int, place: Place) -> None:
    """Refuses anything but events of a recording or a world.

    Args:
        events: Events as read from a file.
        frames: First and last frame at which one may have happened.
        fishes: Number of fishes.
        place: Their place in the file.

    Raises:
        SceneError: At the first that is none.
    """

    def number(event: dict[str, Any], name: str, low: int, high: int, where: Place) -> None:
        value = event.get(name)
        if type(value) is not int or not low <= value <= high:
            found = shown(value) if name in event else "nothing"
            where.under(name).refuse(found, f"a whole number from {low} to {high}")

    if not isinstance(events, list):
        place.refuse(shown(events), "a list of events")
    for row, event in enumerate(events):
        where = place.item(row)
        if not isinstance(event, dict):
            where.refuse(shown(event), "an object of keys and values")
        kind = event.get("kind")
        if not isinstance(kind, str) or kind not in EVENT_KINDS:
            where.under("kind").refuse(shown(kind), f"one of {', '.join(EVENT_KINDS)}")
        number(event, "frame", *frames, where)
        number(event, "fish", -1 if kind in FISHLESS_KINDS else 0, fishes - 1, where)
        most = -1 if kind in LONE_KINDS else 2**31 - 1 if kind in COUNTING_KINDS else fishes - 1
        number(event, "other", min(most, 0), most, where)
        if kind == "arrived":
            number(event, "run", 1, 2**31 - 1, where)
        if kind == "arrived" and not isinstance(event.get("goal"), str):
            where.under("goal").refuse(shown(event.get("goal")), "the name of a goal")
        if kind == "instructed" and event.get("act") not in (*ACT_WORDS, NO_ACT):
            where.under("act").refuse(shown(event.get("act")), f"one of {', '.join((*ACT_WORDS, NO_ACT))}")
        if kind == "hatched":
            number(event, "father", 0, fishes - 1, where)
        if kind == "died" and event.get("cause") not in DEATHS:
            where.under("cause").refuse(shown(event.get("cause")), f"one of {', '.join(DEATHS)}")
        if kind == "grudge":
            if event.get("relation") not in GRUDGES:
                where.under("relation").refuse(shown(event.get("relation")), f"one of {', '.join(GRUDGES)}")
            strength: Any = event.get("strength")
            if type(strength) not in (int, float) or not 0.0 <= strength <= 1.0:
                where.under("strength").refuse(shown(strength), "a number from 0 to 1")
        for name in ("late", "off"):
            value = event.get(name, 0.0)
            if type(value) not in (int, float) or not -LONGEST_LATE <= value <= LONGEST_LATE:
                where.under(name).refuse(shown(value), "a number")
        if kind == "courtship" and event.get("stage") not in COURTSHIP_STAGES:
            where.under("stage").refuse(shown(event.get("stage")), f"one of {', '.join(COURTSHIP_STAGES)}")
