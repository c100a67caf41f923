"""Relations of shoals and fishes in Blender: rows of the scene's settings, read from and written as a scene file's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import bpy

from ..blender.declarations import fill, json_of
from ..blender.handlers import together
from ..blender.words import Message, translated
from ..identity.roles import objects_of

if TYPE_CHECKING:
    from ...core.scene.scene import Scene


def write_relations(scene: bpy.types.Scene, written: Scene, shoals: Sequence[bpy.types.Object]) -> None:
    """Adds the relations of a scene file, whose groups are these shoals, in order, to those that are there."""
    for entry in written.to_dict().get("relations", ()):
        row = scene.artfish.relations.add()
        fill(row, entry)
        row.who, row.whom = shoals[entry["fishes"]], shoals[entry["toward"]]
        row.one_fish, row.member = entry.get("member") is not None, entry.get("member") or 0
        row.one_toward, row.toward_member = entry.get("toward_member") is not None, entry.get("toward_member") or 0


SENTENCES: dict[str, Message] = {
    "fear": "{who} fears {whom}",
    "trust": "{who} trusts {whom}",
    "like": "{who} likes {whom}",
    "dislike": "{who} dislikes {whom}",
}
"""A relation as a sentence."""
NO_SUBJECT: Message = "Choose whose relation it is"
FOREIGN_SUBJECT: Message = "{shoal} is no shoal of this scene: choose whose relation it is"
NO_OTHER: Message = "Choose whom it is to"
FOREIGN_OTHER: Message = "{shoal} is no shoal of this scene: choose whom it is to"
"""Demands of incomplete relations."""


def read_relations(scene: bpy.types.Scene, data: dict[str, Any], objects: dict[str, list[bpy.types.Object]]) -> None:
    """Adds relations to the data of a scene, and the shoals whose they are to its objects; incomplete ones are not."""
    settings, shoals = scene.artfish, objects.get("fishes", [])
    rows = [row for row in settings.relations if not lack(row, shoals)]
    if rows:
        data["relations"] = [_entry(row, shoals) for row in rows]
        objects["relations"] = [row.who for row in rows]
    if settings.grudges:
        data["grudges"] = True


def lack(row: Any, shoals: Sequence[bpy.types.Object]) -> str:
    """The demand of a relation that is incomplete, in a sentence; "" of one that is complete."""
    for lacking, foreign, shoal in ((NO_SUBJECT, FOREIGN_SUBJECT, row.who), (NO_OTHER, FOREIGN_OTHER, row.whom)):
        if shoal is None:
            return translated(lacking)
        if shoal not in shoals:
            return translated(foreign, shoal=shoal.name)
    if row.one_fish and row.member >= row.who.artfish.shoal.count:
        return translated("{name} has no fish {member}", name=row.who.name, member=row.member)
    if row.one_toward and row.toward_member >= row.whom.artfish.shoal.count:
        return translated("{name} has no fish {toward_member}", name=row.whom.name, toward_member=row.toward_member)
    return ""


def add_relation(context: bpy.types.Context) -> None:
    """Adds a relation of the active shoal, or the first, to another one, and chooses it in the list."""
    settings, shoals = context.scene.artfish, objects_of(context.scene, "SHOAL")
    mine = context.object if context.object in shoals else shoals[0]
    others = [shoal for shoal in shoals if shoal != mine]
    with together(settings, context):
        row = settings.relations.add()
        row.who, row.whom = mine, others[0] if others else None
    settings.active_relation = len(settings.relations) - 1


def remove_relation(context: bpy.types.Context) -> None:
    """Removes the relation that is chosen in the list."""
    settings = context.scene.artfish
    with together(settings, context):
        settings.relations.remove(settings.active_relation)
    settings.active_relation = min(settings.active_relation, len(settings.relations) - 1)


def words(row: Any) -> str:
    """A relation as a sentence: "Sardine 2 fears Shark"."""
    mine, theirs = _called(row.who, row.one_fish, row.member), _called(row.whom, row.one_toward, row.toward_member)
    return translated(SENTENCES[row.kind], who=mine, whom=theirs)


def _called(shoal: bpy.types.Object | None, one: bool, member: int) -> str:
    return translated("nobody") if shoal is None else f"{shoal.name} {member}" if one else shoal.name


def _entry(row: Any, shoals: Sequence[bpy.types.Object]) -> dict[str, Any]:
    entry = {"fishes": list(shoals).index(row.who), "toward": list(shoals).index(row.whom), **json_of(row)}
    entry |= {"member": row.member} if row.one_fish else {}
    return entry | ({"toward_member": row.toward_member} if row.one_toward else {})
