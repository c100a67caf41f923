"""Recordings into F-curves: the fishes' motion becomes an ordinary animation that needs no add-on."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import bpy
from mathutils import Vector

from ...core.base.codec import SceneError
from ...core.base.files import ensure_writable
from ...core.recording import Recording
from ...core.studio.growing import born_only, grown_up
from ..blender import shader_graph
from ..blender.background import in_thread
from ..blender.jobs import Job, Steps
from ..blender.layout import clear_views
from ..crowd.shoals import make_crowds
from ..fish import surfaces
from ..identity import provenance
from ..species import library
from ..stage.hook import make_hook
from ..stage.particles import make_bubbles, make_plankton, make_spawn
from ..stage.seaweed import make_seaweed
from ..stage.staging import StageOptions
from ..stage.staging import build_steps as build_stage
from . import cache_files, history, placement
from .caches import make_cached
from .commit import MadeBake, mark, put_in, save
from .fishes import make_fishes
from .footprint import Footprint
from .growth import key_growth
from .meshes import make_meshes
from .offsets import hang
from .order import ARMATURE, CACHE, CROWD, MESH, Order

PARTICLE_ERROR = 0.5
"""Largest error of plankton and bubbles, over their size."""
LEAF_ERROR = 0.1
"""Largest error of seaweed leaves, over their width."""
FISHES_DONE, STAGE_DONE = 0.75, 0.95
"""Share of the work done when all fishes are made, and when the stage is."""


def bake(
    recording: Recording,
    out: str | os.PathLike[str] | None = None,
    form: str = "points",
    tolerance: float = 0.002,
    stage: bool = True,
    progress: Callable[[float, str], None] | None = None,
    heroes: int = 0,
    drive: str = ARMATURE,
    stretch: bool = True,
    folders: Sequence[str | os.PathLike[str]] = (),
) -> bpy.types.Collection:
    """Bake a recording into an animation.

    Args:
        recording: The recording.
        out: A .blend to write, whole or not at all; it replaces what is open in this Blender. None bakes into the
            open scene, beside what is there.
        form: "points" keys every control point; "compact" a few shape keys a surface, which play faster; "crowd"
            makes one object a shoal, whose fishes take poses of a table, for more of them than one looks at; "mesh"
            makes one mesh a fish; "cache" makes one, too, and writes its motion into a file beside the .blend.
        tolerance: Largest error of a control point at any frame, in body lengths; 0 keys
            every frame.
        stage: Whether to make sand, pillars, light, water and a camera, and film with them.
        progress: Called with the share that is done, 0 to 1, and a text.
        heroes: With a crowd, number of fishes nearest to the camera that are objects of their own.
        drive: Drive of a mesh: bones of an "armature", or shape keys, "shapes".
        stretch: Whether bones may leave their places on one another.
        folders: Folders to look for models of adopted fishes, beside that of one's own species.

    Returns:
        The collection that holds everything.

    Raises:
        SceneError: `out` cannot be written, or there is no frame.
        ValueError: An argument is not allowed.
    """
    places = tuple(os.fspath(folder) for folder in folders)
    order = Order(form, tolerance, heroes, drive=drive, stretch=stretch, stage=stage, folders=places)
    job = bake_job(recording, out, order)
    while not job.step():
        if progress:
            progress(job.share, job.text)
    if progress:
        progress(1.0, "Done")
    return job.outcome


def bake_steps(
    recording: Recording,
    out: str | os.PathLike[str] | None = None,
    order: Order | None = None,
    scene: bpy.types.Scene | None = None,
) -> Generator[tuple[float, str], None, bpy.types.Collection]:
    """Do what `bake` does in steps, into this scene or the open one; closing it early restores everything.

    Yields:
        The share that is done, 0 to 1, and a text.
    """
    job = bake_job(recording, out, order, scene)
    try:
        while not job.step():
            yield job.share, job.text
    finally:
        job.cancel()
    return job.outcome


def bake_job(
    recording: Recording,
    out: str | os.PathLike[str] | None = None,
    order: Order | None = None,
    scene: bpy.types.Scene | None = None,
) -> Job[bpy.types.Collection]:
    """`bake` as a job; arguments as for `bake_steps`."""

    def prepare(job: Job[bpy.types.Collection]) -> Steps[Callable[[], bpy.types.Collection]]:
        if not recording.frames:
            raise SceneError("no frame", "a recording of one or more")
        if out is not None:
            ensure_writable(out, ".blend")
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True, load_ui=False)
            clear_views()
        return (yield from prepare_bake(job, recording, order or Order(), scene or bpy.context.scene, out))

    return Job(prepare)


def prepare_bake(
    job: Job,
    recording: Recording,
    order: Order,
    scene: bpy.types.Scene,
    out: str | os.PathLike[str] | None = None,
) -> Steps[Callable[[], bpy.types.Collection]]:
    """Make the results of a bake, in no scene yet.

    If anything fails or the job is given up, they are removed.

    Returns:
        A function that puts them into the scene, saves the file if there is one, and returns their collection.
    """
    order = replace(
        order,
        id=order.id or history.new_id(history.key_of(recording)),
        folders=(*order.folders, *library.model_folders()),
        file=bpy.data.filepath if out is None else os.fspath(out),
    )
    footprint = Footprint(scene)
    try:
        made = yield from footprint.follow(_make(job, scene, recording, order))
        job.text = "Putting everything in its place"
        yield
    except BaseException:
        footprint.erase()
        raise
    return partial(_commit, scene, made, order, footprint, out)


def _commit(
    scene: bpy.types.Scene, made: MadeBake, order: Order, footprint: Footprint, out: str | os.PathLike[str] | None
) -> bpy.types.Collection:
    """Put the results into the scene and save it; if that fails, restore everything."""
    try:
        with footprint.noting():
            mark(made.top, order.id, footprint.numbers, partly=order.rows is not None)
            top = put_in(scene, made, order)
        if out is not None:
            save(Path(out))
            cache_files.discard_others(Path(out), map(cache_files.path_of, bpy.data.cache_files))
    except BaseException:
        footprint.erase()
        raise
    return top


def _make(job: Job, scene: bpy.types.Scene, recording: Recording, order: Order) -> Steps[MadeBake]:
    top = bpy.data.collections.new("Artfish")
    root = bpy.data.objects.new(f"Artfish bake {surfaces.first_number('Artfish bake'):02d}", None)
    root.empty_display_size, root.location = 0.1, Vector(order.origin) / order.unit
    root.scale = (1.0 / order.unit,) * 3
    root[provenance.ROLE] = provenance.ROOT
    placement.note_place(root)
    top.objects.link(root)
    if order.fishes:
        with job.phase("Baking fishes", FISHES_DONE):
            shown = yield from in_thread(lambda: grown_up(born_only(recording)))
            if order.form == CROWD:
                yield from make_crowds(job, shown, top, order, scene)
            else:
                make = {MESH: make_meshes, CACHE: make_cached}.get(order.form, make_fishes)
                yield from make(job, shown, top, order, scene, order.rows)
            yield from key_growth(top, recording, order.first)
        if order.form != CROWD:
            hang(top, recording, order.shoals)
    job.advance(FISHES_DONE)
    yield from _make_small(job, recording, top, order)
    film = None
    if order.stage:
        options = StageOptions(order.first, order.own, order.own_bed, order.film, order.unit, order.begins, order.whole)
        with job.phase("Setting the stage", STAGE_DONE, counted=False):
            stage, film = yield from build_stage(job, scene, recording, options)
        top.children.link(stage)
    for obj in top.all_objects:
        if obj.parent is None and obj != root:
            obj.parent = root
    shader_graph.drop_unused()
    return MadeBake(top, recording, film)


def _make_small(job: Job, recording: Recording, top: bpy.types.Collection, order: Order) -> Steps[None]:
    """Make the small moving things other than fishes: plankton, bubbles, eggs, milt, seaweed and hook."""
    if order.plankton:
        job.text = "Baking plankton"
        yield
        yield from make_plankton(recording, top, PARTICLE_ERROR, order.first)
    if order.bubbles:
        job.text = "Baking bubbles"
        yield
        yield from make_bubbles(recording, top, PARTICLE_ERROR, order.first)
    if order.spawn:
        job.text = "Baking eggs and milt"
        yield
        yield from make_spawn(recording, top, PARTICLE_ERROR, order.first)
    if order.seaweed:
        job.text = "Baking seaweed"
        yield
        yield from make_seaweed(recording, top, LEAF_ERROR, order.first)
    if order.hook:
        job.text = "Baking the hook"
        make_hook(recording, top, order.first)
        yield
