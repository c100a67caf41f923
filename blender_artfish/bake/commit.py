"""The end of a bake: what it made is put into the scene, in place of the last bake, and saved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ...core.base.codec import SceneError
from ...core.base.files import replacing
from ...core.base.stopping import shielded
from ...core.recording import Recording
from ..blender.blocks import ids
from ..blender.console import silenced
from ..blender.words import translated
from ..fish import materials
from ..identity import provenance
from ..identity.film_time import set_rate
from . import deleting, history, identities, scene_settings, some
from .carrying import Carried
from .exchange import exchange, hand_on
from .order import Order


@dataclass(frozen=True)
class MadeBake:
    """The results of a bake before they are in a scene, and the changes it will make to the scene."""

    top: bpy.types.Collection
    recording: Recording
    film: Callable[[bool], None] | None = None


def put_in(scene: bpy.types.Scene, made: MadeBake, order: Order) -> bpy.types.Collection:
    """Put what a bake has made into a scene, beside its contents or in place of another bake.

    Returns:
        The collection that holds it.
    """
    if order.instead:
        deleting.bring_back(scene, order.instead)
    old = history.Bake(scene, order.instead)
    if order.instead:
        identities.bring_up_to_date(old)
    there, was = bool(order.instead and old.objects), old.record
    stay = some.staying(old, made.top, order)
    carried = Carried.of(old.objects if there else (), made.top.all_objects, stay, was.get("shoals", {}))
    filming = bool(was.get("film")) if order.alone else order.stage and order.film
    goes_on = there and filming and bool(was.get("film")) or order.alone  # settings changed since then stay
    if there and not goes_on:
        scene_settings.hand_back(scene, history.changed(was, scene, old.id))
    basis = scene_settings.values(scene)
    if order.time:
        _set_time_and_units(scene, made.recording, order.first)
    if made.film:
        made.film(not goes_on)
    top = old.top if there and old.top else made.top
    if top is made.top:
        scene.collection.children.link(top)
    else:
        exchange(scene, top, made.top, stay)
        hand_on(scene, top, stay, order.id)
        made.top.name, made.top[provenance.FORMER], made.top.use_fake_user = "Artfish before", order.id, True
    try:
        changes = history.as_json(scene_settings.changes(basis, scene_settings.values(scene)))
        bake = history.Bake(scene, order.id)
        bake.write(
            objects=len(bake.objects),
            former=order.id if top is not made.top else "",
            changed=_both(was.get("changed", {}), changes) if goes_on else changes,
            film=filming,
            first=order.first,
            partly=order.rows is not None,
            origin=[float(x) for x in order.origin],
            shoals=identities.counted(made.recording, order.shoals) if order.fishes else {},
            numbered=order.numbered,
            **order.about,
        )
        if filming and scene.world and provenance.of(scene.world, provenance.BAKE) == order.id:
            top[provenance.SKY] = scene.world
        history.claim(bake)
        carried.put(scene)
        deleting.put_marked_away(scene, order.id)
    except BaseException:
        deleting.bring_back(scene, order.id)
        if top is not made.top:
            exchange(scene, top, made.top, stay)
            hand_on(scene, top, stay, old.id)
            deleting.put_marked_away(scene, old.id)
        raise
    if there:
        history.drop(old, was, kept=top is not made.top)
    history.tidy()
    for species in made.recording.species_models.values():
        materials.retouch(species, scene)
    return top


def _both(earlier: dict[str, list[Any]], later: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Two changes of a scene merged into one."""
    return earlier | {path: [earlier.get(path, pair)[0], pair[1]] for path, pair in later.items()}


def mark(top: bpy.types.Collection, bake: str, numbers: set[int], partly: bool = False) -> None:
    """Label all that was made with its bake's id, and each object in the scene with its role."""
    for number, obj in ids().items():
        if number in numbers:
            obj[provenance.BAKE] = bake
            if partly:
                obj[provenance.OF_PART] = bake
    provenance.sign(top.all_objects)
    top[provenance.ROLE] = provenance.TOP
    for collection in (top, *top.children_recursive):
        if not provenance.of(collection, provenance.ROLE):
            collection[provenance.ROLE] = provenance.plain(collection.name)
        many: Counter[str] = Counter()
        for obj in collection.objects:
            if not provenance.of(obj, provenance.ROLE):
                name = provenance.plain(obj.name)
                many[name] += 1
                obj[provenance.ROLE] = f"{collection[provenance.ROLE]} {name} {many[name]}"


def _set_time_and_units(scene: bpy.types.Scene, recording: Recording, first: int) -> None:
    """Set the scene's units, frames and rate to the recording's."""
    scene.unit_settings.system = "METRIC"
    scene.unit_settings.scale_length = 1.0
    set_rate(scene, recording.fps)
    scene.frame_start, scene.frame_end = first, first + recording.frames - 1
    scene.frame_current = first


def save(out: Path) -> None:
    """Write the file, whole or not at all."""
    try:
        with replacing(out) as part, shielded(), silenced():
            bpy.ops.wm.save_as_mainfile(filepath=str(part), copy=True, compress=True, check_existing=False)
    except RuntimeError as error:
        why = " ".join(str(error).split())
        raise SceneError(translated("an obstacle ({why})", why=why), "a file that can be written", file=out) from error
