"""Fishes of a recording as one mesh each, whose vertices Blender reads from a file beside the .blend.

The file is USD, written by USD's own library: a reader goes by frames there, whatever the scene's rate, and each fish
has moments of its own between frames. It holds the vertices as simulated, and beside them the way that each fish goes
and when it is seen, for other programs. In Blender a fish goes its way by keys, and shares the mesh of its species.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...core.base.codec import SceneError
from ...core.base.files import ensure_writable, new_folder, replacing
from ...core.body.anatomy import body_frame
from ...core.recording import Recording
from ...core.studio.growing import shown_growth
from ..blender.fcurves import write
from ..blender.jobs import Job, Steps
from ..blender.usd import key_visibility, usd_library
from ..blender.versions import channelbag
from . import cache_files
from .compact import LEAST_BOUND_LENGTHS
from .fishes import MARGIN, RIDE_CHANNELS, KeyedRide, ride_of
from .meshes import FishLabel, Mould, each_fish, finish
from .moments import Moments
from .order import Order

READS = "Cache"
"""Name of the modifier that reads the vertices of a fish."""
MOMENTS_AT_A_TIME = 256
"""Moments whose vertices are computed at a time."""


def refuse_uncached(blend: str) -> None:
    """Find out before long work whether a .blend can have caches.

    Raises:
        SceneError: It was never saved, nothing can be written beside it, or this Blender has no USD.
    """
    if not blend:
        raise SceneError("a file that was never saved", "one that was: a folder beside it takes the fishes", key="form")
    folder = cache_files.folder_of(blend)
    ensure_writable((folder if folder.exists() else folder.parent) / "probe")
    if usd_library() is None:
        raise SceneError(
            "a Blender that was built without USD", "another form, or the Blender of blender.org", key="form"
        )


class CacheWriter:
    """A file of fishes that is being written.

    Attributes:
        fishes: Their objects, each with its path in the file.
    """

    ROOT = "/Fishes"

    def __init__(self, path: Path, recording: Recording, first: int) -> None:
        self._usd, self._first = usd_library() or {}, first
        self.fishes: list[tuple[bpy.types.Object, str]] = []
        self._stage = self._usd["Usd"].Stage.CreateNew(str(path))
        self._stage.SetStartTimeCode(first)
        self._stage.SetEndTimeCode(first + recording.frames - 1)
        self._stage.SetTimeCodesPerSecond(recording.fps)
        self._stage.SetFramesPerSecond(recording.fps)
        shape = self._usd["UsdGeom"]
        shape.SetStageUpAxis(self._stage, shape.Tokens.z)
        shape.SetStageMetersPerUnit(self._stage, 1.0)
        self._stage.SetDefaultPrim(shape.Xform.Define(self._stage, self.ROOT).GetPrim())

    def add(
        self,
        body: bpy.types.Object,
        ride: KeyedRide,
        times: np.ndarray,
        sizes: np.ndarray,
        blocks: Iterator[np.ndarray],
        alive: np.ndarray,
    ) -> Iterator[None]:
        """Write a fish in steps.

        Args:
            body: Its object, with its mesh.
            ride: The way it goes.
            times: The moments at which it is written, in frames from the first, (moments,).
            sizes: Its length at these moments, metres, (moments,).
            blocks: Its vertices at these moments in its own frame, successive parts of (moments, vertices, 3).
            alive: True for each frame at which it is there, (frames,) bool.
        """
        at = (times + self._first).tolist()
        path = f"{self.ROOT}/{self._usd['Tf'].MakeValidIdentifier(body.name)}"
        if self._stage.GetPrimAtPath(path):
            path = f"{path}_{len(self.fishes)}"
        fish = self._usd["UsdGeom"].Mesh.Define(self._stage, path)
        self._shape(fish, body)
        key_visibility(self._usd, fish.GetPrim(), ~alive, self._first)
        self._go(fish, ride, sizes, at)
        points, begin = fish.CreatePointsAttr(), 0
        for block in blocks:
            for places in np.ascontiguousarray(block, np.float32):
                points.Set(self._usd["Vt"].Vec3fArray.FromNumpy(places), at[begin])
                begin += 1
            yield
        try:
            self._stage.Save()
        except RuntimeError as error:
            raise SceneError("an obstacle when the cache was written", "a disk with room for it", key="form") from error
        self.fishes.append((body, path))

    def _shape(self, fish: Any, body: bpy.types.Object) -> None:
        """The faces of a fish."""
        mesh: Any = body.data
        corners, sides = np.empty(len(mesh.loops), np.int32), np.empty(len(mesh.polygons), np.int32)
        mesh.loops.foreach_get("vertex_index", corners)
        mesh.polygons.foreach_get("loop_total", sides)
        numbers = self._usd["Vt"].IntArray.FromNumpy
        fish.CreateFaceVertexIndicesAttr(numbers(corners))
        fish.CreateFaceVertexCountsAttr(numbers(sides))
        fish.CreateSubdivisionSchemeAttr(self._usd["UsdGeom"].Tokens.none)

    def _go(self, fish: Any, ride: KeyedRide, sizes: np.ndarray, at: Sequence[float]) -> None:
        """The way of a fish, in rows as USD has them."""
        matrices = np.zeros((len(at), 4, 4))
        matrices[:, :3, :3] = sizes[:, None, None] * np.swapaxes(ride.rotation, -1, -2)
        matrices[:, 3, :3], matrices[:, 3, 3] = ride.location, 1.0
        way = fish.AddTransformOp()
        for time, matrix in zip(at, matrices.tolist(), strict=True):
            way.Set(self._usd["Gf"].Matrix4d(matrix), time)

    def close(self) -> None:
        """Let go of the file."""
        self._stage = None


def make_cached(
    job: Job,
    recording: Recording,
    top: bpy.types.Collection,
    order: Order,
    scene: bpy.types.Scene,
    rows: Sequence[int] | None = None,
) -> Steps[None]:
    """Make all fishes, or those of these rows, species by species, and the file that they read.

    Raises:
        SceneError: The .blend was never saved, nothing can be written beside it, or this Blender has no USD.
    """
    refuse_uncached(order.file)
    path = cache_files.new_path(order.file)
    with new_folder(path.parent):
        with replacing(path) as part:
            writer = CacheWriter(part, recording, order.first)
            try:
                yield from each_fish(job, recording, top, order, scene, rows, partial(_fish, writer))
            finally:
                writer.close()
        try:
            cache = cache_files.opened(path)
            for body, inside in writer.fishes:
                _read(body, cache, inside)
        except BaseException:
            cache_files.discard(path)
            raise


def _fish(
    writer: CacheWriter,
    recording: Recording,
    row: int,
    mould: Mould,
    label: FishLabel,
    collection: bpy.types.Collection,
    order: Order,
) -> Iterator[None]:
    """Make, key and write one fish."""
    moments, length = Moments.of(recording, row), float(recording.body_length[row])
    nodes, fins, mouth, look = moments.all(recording, row)
    points, _, _ = mould.net.poses(nodes, fins, np.array([length]), mouth, look)
    yield
    ride = ride_of(moments, max(MARGIN * order.tolerance, LEAST_BOUND_LENGTHS) * length)
    action, body = bpy.data.actions.new(label.name), bpy.data.objects.new(label.name, mould.skin)
    collection.objects.link(body)
    body.scale, body.rotation_mode = (length,) * 3, "QUATERNION"
    write(channelbag(action, body), RIDE_CHANNELS, ride.keys, order.first)
    body.location, body.rotation_quaternion = ride.location[0], ride.quaternion[0]
    yield
    times = np.arange(float(recording.frames)) if moments.times is None else moments.times
    sizes = length * shown_growth(recording, row, times)  # in Blender the scale of the object is keyed
    blocks = _places(mould, points[:, 0], moments, ride, sizes)
    yield from writer.add(body, ride, times, sizes, blocks, recording.alive[:, row])
    finish(action, body, body, recording, row, mould, label.role, order)


def _places(
    mould: Mould, points: np.ndarray, moments: Moments, ride: KeyedRide, sizes: np.ndarray
) -> Iterator[np.ndarray]:
    """Vertices of a fish in body lengths in its own frame as it plays, some moments after another.

    Args:
        mould: Its species' data.
        points: Control points (moments, points, 3), in body lengths in the fish's own frame.
        moments: Its moments.
        ride: The way it goes, as it plays.
        sizes: Its length at these moments, metres, (moments,).
    """
    origin, turn = body_frame(np.asarray(moments.nodes, dtype=float))
    off = (origin - ride.location) / sizes[:, None]
    turn, origin = np.swapaxes(turn, -1, -2) @ ride.rotation, off[:, None] @ ride.rotation
    for begin in range(0, len(points), MOMENTS_AT_A_TIME):
        some = slice(begin, begin + MOMENTS_AT_A_TIME)
        yield mould.mesh.vertices(points[some] @ turn[some] + origin[some])


def _read(body: bpy.types.Object, cache: bpy.types.CacheFile, inside: str) -> None:
    """Have a fish read its vertices, and nothing else, from a cache."""
    modifier: Any = body.modifiers.new(READS, "MESH_SEQUENCE_CACHE")
    modifier.cache_file, modifier.object_path = cache, inside
    modifier.read_data = {"VERT"}
    modifier.use_vertex_interpolation = True
