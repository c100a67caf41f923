"""Bakes of some fishes only: the selected ones, or all but the locked; the others stay as they were baked.

The others are the very objects that they were, with all that was done to them; those that are baked see them where the
last bake has them.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import bpy

from ..blender.background import in_thread
from ..blender.jobs import Job, Steps
from ..blender.words import Message, translated
from ..identity import provenance
from ..identity.provenance import NO_ROW, row_of
from ..identity.roles import objects_of
from . import history
from .whole_fish import CROWD_ROLE, WholeFish, fishes_of

if TYPE_CHECKING:
    from ...core.recording import Recording
    from ...core.scene.scene import Scene
    from .order import Order
    from .source import BakeSource

SCOPE_ALL, SCOPE_SELECTED = "ALL", "SELECTED"
"""Scopes of a bake."""
SAME_PLACE = 1e-5
"""Metres by which the origin of the water may be off and still be the same."""


@dataclass(frozen=True)
class BakedPart:
    """The fishes of a bake that are baked, among others that stay.

    Attributes:
        there: The last bake.
        recording: Its recording, of the frames of the film.
        scene: The scene to simulate, whose groups that stay are as they were baked.
        rows: Rows of the fishes that are baked, which are the same in the recording and in the scene.
        known: For each fish of the scene its row in the recording; -1 for those that are baked.
        alone: Whether all that is no fish stays, too.
    """

    there: history.Bake
    recording: Recording
    scene: Scene
    rows: tuple[int, ...]
    known: tuple[int, ...]
    alone: bool


def locked_rows(bake: history.Bake | None) -> set[int]:
    """Rows of the locked fishes of a bake: of which any object is."""
    if bake is None or not any(obj.artfish.locked for obj in bake.objects):
        return set()
    return {row for row, fish in _fishes(bake).items() if any(obj.artfish.locked for obj in fish.objects)}


def _fishes(bake: history.Bake) -> dict[int, WholeFish]:
    """The whole fishes of a bake by their rows."""
    return {row_of(fish.root): fish for fish in fishes_of(bake.scene, bake.fishes.values())}


def part_of(
    scene: bpy.types.Scene,
    there: history.Bake | None,
    source: BakeSource,
    frames: int,
    first: int,
    scope: str,
    chosen: Collection[bpy.types.Object],
) -> BakedPart | None:
    """The part of the last bake that is baked again; None if all is.

    Args:
        scene: The scene.
        there: Its last bake.
        source: What is baked.
        frames: Frames of the film.
        first: Its first frame.
        scope: `SCOPE_ALL` or `SCOPE_SELECTED`.
        chosen: The selected objects.

    Raises:
        SceneError: Nothing of it can be baked, or the last bake is not one that the others could stay from.
    """
    from ...core.base.codec import SceneError

    locked = locked_rows(there)
    if scope == SCOPE_ALL and not locked:
        return None
    if there is None:
        raise SceneError("nothing baked", "a bake of all first: the others stay as it has them", key="scope")
    recording = _recording(there, source, frames, first)
    groups = source.scene.rows
    every = {row for group in groups for row in group}
    meant = every if scope == SCOPE_ALL else _selected_rows(scene, there, groups, chosen)
    rows = meant - locked
    if not rows:
        found: Message = "only locked fishes" if meant else "no fish and no shoal among the selected objects"
        raise SceneError(found, "one that is not locked" if meant else "some, by any of their parts", key="scope")
    _refuse_others(source.scene, recording.scene, groups, rows)
    return _part(there, recording, source.scene, groups, rows, scope == SCOPE_SELECTED)


def _recording(there: history.Bake, source: BakeSource, frames: int, first: int) -> Recording:
    """The recording of the last bake, if its fishes can stay.

    Raises:
        SceneError: They cannot.
    """
    from ...core.base.codec import SceneError

    recording = history.recording(there.id)
    if source.recording is not None:
        raise SceneError("a recording as the source", "a scene, whose fishes can be simulated anew", key="scope")
    if recording is None or there.top is None or there.root is None:
        raise SceneError("no recording of the last bake", "one, beside which others can swim: bake all", key="scope")
    if any(provenance.of(obj, provenance.ROLE).startswith(CROWD_ROLE) for obj in there.objects):
        raise SceneError("a crowd, which is one object", "another form: bake all", key="scope")
    if there.record.get("first") != first or recording.frames < frames:
        begin = there.record.get("first", first)
        found, allowed = (
            translated("frames {first} to {last}", first=first, last=first + frames - 1),
            translated("{first} to {last}, as baked", first=begin, last=begin + recording.frames - 1),
        )
        raise SceneError(found, allowed, key="scope")
    off = [
        abs(one - other) for one, other in zip(there.record.get("origin", source.origin), source.origin, strict=True)
    ]
    if max(off) > SAME_PLACE:
        raise SceneError("water of another place", "that of the last bake: bake all", key="scope")
    return recording.until(frames)


def _selected_rows(
    scene: bpy.types.Scene, there: history.Bake, groups: Sequence[range], chosen: Collection[bpy.types.Object]
) -> set[int]:
    """Rows of selected fishes, by any of their parts or offsets, and of all fishes of selected shoals."""
    own = set(there.objects)
    rows = {row_of(fish.root) for fish in fishes_of(scene, chosen) if fish.root in own}
    shoals = objects_of(scene, "SHOAL")
    for number, shoal in enumerate(shoals[: len(groups)]):
        if shoal in chosen:
            rows |= set(groups[number])
    return rows - {NO_ROW}


def _refuse_others(scene: Scene, before: Scene, groups: Sequence[range], rows: set[int]) -> None:
    """Refuses a scene in which fishes that stay have other rows than before.

    Raises:
        SceneError: They have.
    """
    from ...core.base.codec import SceneError

    then, same = before.rows, True
    for number in range(max(len(groups), len(then))):
        here = scene.fishes[number] if number < len(groups) else None
        past = before.fishes[number] if number < len(then) else None
        baked = here is not None and rows.issuperset(groups[number])
        if not baked and (here is None or past is None or not same or here.species != past.species):
            break
        if not baked and here is not None and past is not None and here.count != past.count:
            break
        same = same and here is not None and past is not None and here.count == past.count
    else:
        return
    found: Message = "shoals that came, went or have another number of fishes"
    raise SceneError(
        found, "those of the last bake, or new ones after them that are selected, too: bake all", key="scope"
    )


def _part(
    there: history.Bake, recording: Recording, scene: Scene, groups: Sequence[range], rows: set[int], alone: bool
) -> BakedPart:
    """The part of a bake, once it is known that it can be baked."""
    from ...core.studio.among import LIVES_ANEW, with_groups_of

    as_they_were = [LIVES_ANEW if rows.intersection(group) else number for number, group in enumerate(groups)]
    known = tuple(LIVES_ANEW if row in rows else row for group in groups for row in group)
    return BakedPart(
        there, recording, with_groups_of(scene, recording.scene, as_they_were), tuple(sorted(rows)), known, alone
    )


def key_of(part: BakedPart, seed: int, source: BakeSource) -> str:
    """The key of what comes of such a bake."""
    models = {name: model.to_dict() for name, model in source.models.items()}
    return provenance.digest([part.there.record.get("key"), part.scene.to_dict(), seed, part.known, models])


def simulated(job: Job, part: BakedPart, source: BakeSource, seed: int) -> Steps[Recording]:
    """The recording of all fishes, those that are baked simulated among the others, in steps."""
    from ...core.studio.among import among

    job.text = "Filling the tank"
    run = among(part.scene, part.recording, part.known, seed, source.models)
    whole = part.scene.preroll_frames + part.recording.frames
    passed = 0
    with source.saying():
        while True:
            done, recording = yield from in_thread(partial(_step, run))
            if recording is not None:
                return recording
            passed += 1
            job.advance(
                passed / whole,
                translated("Simulating frame {done} of {frames}", done=done, frames=part.recording.frames),
            )
            yield


def _step(run: Generator[int, None, Recording]) -> tuple[int, Recording | None]:
    """The next frame of a simulation, or what came of it."""
    try:
        return next(run), None
    except StopIteration as end:
        return 0, end.value


# --- what stays in the scene --------------------------------------------------------------------------------------


def staying(old: history.Bake, made: bpy.types.Collection, order: Order) -> set[bpy.types.Object]:
    """The objects of a bake that stay while fishes of some rows are replaced.

    Empties that carry fishes that stay, too, are among them; those that were made for the new fishes are removed, and
    the new fishes hang on the old empties.
    """
    if order.rows is None:
        return set()
    fishes, root = _fishes(old), old.root
    going = {obj for row, fish in fishes.items() if row in order.rows for obj in fish.objects}
    stay = {obj for row, fish in fishes.items() if row not in order.rows for obj in fish.objects}
    stay |= {above for obj in stay if provenance.is_offset(obj) and (above := obj.parent) is not None}
    if root is not None:
        stay.add(root)
    if order.alone:
        anew = {provenance.of(obj, provenance.ROLE) for obj in made.all_objects}
        stay |= {obj for obj in old.objects if obj not in going and provenance.of(obj, provenance.ROLE) not in anew}
    stay &= set(old.objects)
    _hang_on(stay, going, made)
    return stay


def _hang_on(stay: set[bpy.types.Object], going: set[bpy.types.Object], made: bpy.types.Collection) -> None:
    """Hangs what was made on the empties that stay, as what it replaces, and not on such as were made for it."""
    staying, replaced = ({provenance.of(obj, provenance.ROLE): obj for obj in some} for some in (stay, going))
    for obj in list(made.all_objects):
        role = provenance.of(obj, provenance.ROLE)
        twin, before = staying.get(role), replaced.get(role)
        if before is not None and before.parent in stay:
            obj.parent, obj.matrix_parent_inverse = before.parent, before.matrix_parent_inverse.copy()
        if twin is None:
            continue
        inverse = next((child.matrix_parent_inverse.copy() for child in twin.children if child in stay), None)
        for child in [each for each in obj.children if provenance.of(each, provenance.ROLE) not in replaced]:
            child.parent = twin
            if inverse is not None and provenance.is_offset(twin):
                child.matrix_parent_inverse = inverse
    for obj in [obj for obj in made.all_objects if provenance.of(obj, provenance.ROLE) in staying]:
        for child in obj.children:
            child.parent = staying[provenance.of(obj, provenance.ROLE)]
        bpy.data.objects.remove(obj)


def about_of(part: BakedPart, about: dict[str, Any], seed: int, source: BakeSource) -> dict[str, Any]:
    """The record of such a bake, from that of a bake of all."""
    key = key_of(part, seed, source)
    return about | {"key": key, "order": provenance.digest([about["order"], key])}


def order_of(part: BakedPart, order: Order) -> Order:
    """The order of such a bake, from that of a bake of all."""
    rest: dict[str, Any] = {}
    if part.alone:
        rest = dict.fromkeys(("stage", "bubbles", "seaweed", "hook", "spawn"), False) | {"fishes": True}
        rest["plankton"] = order.plankton and part.recording.plankton.shape[1] > 0
    return replace(order, rows=part.rows, alone=part.alone, **rest)
