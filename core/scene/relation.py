"""Relations of fishes to other, particular ones: fear, trust, like and dislike (Tu 1999, §11.6.1; ours).

The thesis wishes for emotion that is tied to one or more specific objects, unlike a habit. These four are ours, and
what each does to a fish is said in `behavior.relations`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..base.codec import OPTIONAL, REQUIRED, ListItem, SceneError
from ..base.declaration import choice, integer, number
from .direction import Led, refuse_stranger
from .limits import MOST_FISHES

FEAR, TRUST, LIKE, DISLIKE = RELATION_KINDS = "fear", "trust", "like", "dislike"
OPPOSITES = {FEAR: TRUST, TRUST: FEAR, LIKE: DISLIKE, DISLIKE: LIKE}


@dataclass(frozen=True, kw_only=True)
class Relation(Led):
    """A relation of a group, or of one fish of it, to another group, or to one fish of that.

    A group that is related to itself is so fish by fish, each to all others. Where two relations speak of the same
    fishes, the more particular one holds for those that it names.
    """

    kind: str = choice(
        REQUIRED,
        RELATION_KINDS,
        "What it feels for the other: who is feared is avoided at sight, who is trusted frightens it no more, "
        "who is liked is kept near, who is disliked is driven off",
    )
    toward: int = integer(REQUIRED, 0, MOST_FISHES - 1, "", "Group of the other, counted from 0")
    toward_member: int | None = integer(
        OPTIONAL, 0, MOST_FISHES - 1, "", "Which fish of that group, from 0; each of them if left out"
    )
    strength: float = number(0.6, 0.0, 1.0, "", "How strongly: 0 not at all, 1 before all but danger")


def refuse_relations(scene: Any) -> None:
    """Refuses relations of a Scene to fishes that it does not have, of one to itself, and such as contradict others.

    Raises:
        SceneError: The first of them.
    """
    known: dict[str, list[tuple[int, Relation, tuple[range, range]]]] = {}
    for row, entry in enumerate(scene.relations):
        place = f"relations[{row}]"
        refuse_stranger(scene, place, "fishes", entry.fishes, "member", entry.member)
        refuse_stranger(scene, place, "toward", entry.toward, "toward_member", entry.toward_member)
        pair = pairs_of(scene, entry)
        if pair[0] == pair[1] and len(pair[0]) == 1:
            raise SceneError("the fish itself", "another fish, or another group", key=f"{place}.toward")
        rivals = known.setdefault(min(entry.kind, OPPOSITES[entry.kind]), [])
        for before, other, others in rivals:
            if _collide(pair, others):
                found = f"{entry.kind} where ", ListItem("relations", before), f" says {other.kind}"
                raise SceneError(found, "one of the two for the same fishes, or one of fewer", key=f"{place}.kind")
        rivals.append((row, entry, pair))


def pairs_of(scene: Any, entry: Relation) -> tuple[range, range]:
    """Rows of the fishes of a Scene that a relation is of, and of those that it is to."""
    return scene.rows_of(entry.fishes, entry.member), scene.rows_of(entry.toward, entry.toward_member)


def particularity(entry: Relation) -> int:
    """The particularity of a relation: 0 of groups, 1 where one side is a single fish, 2 where both are."""
    return (entry.member is not None) + (entry.toward_member is not None)


def _collide(one: tuple[range, range], other: tuple[range, range]) -> bool:
    """True if two relations have a pair of fishes in common, and neither is more particular than the other."""
    meet = all(max(a.start, b.start) < min(a.stop, b.stop) for a, b in zip(one, other, strict=True))
    within = all(_within(a, b) for a, b in zip(one, other, strict=True))
    without = all(_within(b, a) for a, b in zip(one, other, strict=True))
    return meet and within == without


def _within(part: range, whole: range) -> bool:
    return whole.start <= part.start and part.stop <= whole.stop
