"""Crowds as USD: a PointInstancer a shoal, whose prototypes are the poses of its species.

Blender's exporter writes no prototypes, and neither it nor bpy exposes USD's own library, so a layer is written here
as text.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import bpy
import numpy as np

from ...core.base.codec import SceneError
from ..crowd.nodes import ABSENT
from ..crowd.playing import Played, play, poses_of
from ..identity import provenance
from ..identity.units import metres
from .doubles import Meshes
from .motion import watch
from .pictures import coloured, wear_of, written

PLACE_DIGITS, TURN_DIGITS, NORMAL_DIGITS, POINT_DIGITS = 5, 4, 3, 5
"""Decimals of positions in metres, of quaternions (halves), of normals, of points in body lengths and UVs."""
TEXTURES = "textures"
"""Folder of pictures beside a layer, named as by Blender's exporter."""
LAYER = "Artfish"
"""The prim that holds everything."""
PAINTED, POSED = 0.2, 0.4
"""Share of an export done when pictures are painted, and when poses are written."""
FRAMES_AT_A_TIME = 10
TURNED = {"Z": np.eye(4), "Y": np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], float)}
"""Rotation from Blender's axes to a file's, by its up axis."""


def worn(crowd: bpy.types.Object) -> bpy.types.Mesh:
    """A mesh with the materials of a crowd."""
    return poses_of(crowd)[0]


def write(
    part: Path,
    path: Path,
    scene: bpy.types.Scene,
    crowds: Sequence[bpy.types.Object],
    frames: tuple[int, int],
    scale: float,
    up: str,
    dress: Meshes,
) -> Generator[tuple[float, str], None, int]:
    """Write crowds in steps.

    Args:
        part: The temporary file to write.
        path: Its final path, beside which pictures go.
        scene: The crowds' scene.
        crowds: Their objects.
        frames: First and last frame.
        scale: Factor on all lengths.
        up: The axis that points up, "Y" or "Z".
        dress: A replacement for each mesh of a crowd, for its materials.

    Yields:
        The share of the whole export that is done, and a text.

    Returns:
        Number of fishes in them.

    Raises:
        SceneError: Some fishes are heroes, or data of a crowd is gone.
    """
    times = np.arange(frames[0], frames[1] + 1)
    fps = scene.render.fps / scene.render.fps_base
    heroes = {row for obj in scene.objects if (row := provenance.row_of(obj)) >= 0}
    fishes, kinds = 0, list(dict.fromkeys(map(worn, crowds)))
    materials = {material: mesh for kind in kinds for mesh in [dress[kind]] for material in _slots(mesh) if material}
    names = _Names()
    motion = watch(scene, crowds, times)
    with part.open("w", encoding="utf-8") as file:
        file.writelines(_head(frames, fps, scale, up, metres(scene)))
        file.writelines(_materials(materials, path, names))
        shoals = [(crowd, play(crowd, times)) for crowd in crowds]
        for number, kind in enumerate(kinds):
            own = [(poses_of(crowd), played.pose) for crowd, played in shoals if worn(crowd) == kind]
            used = np.unique(np.concatenate([pose.ravel() for _, pose in own]))
            file.writelines(_kind(own[0][0], used[used != ABSENT].tolist(), _slots(dress[kind]), names))
            yield PAINTED + (POSED - PAINTED) * (number + 1) / len(kinds), f"Writing {kind.name}"
        for number, (crowd, played) in enumerate(shoals):
            if heroes & set(played.row.tolist()):
                raise SceneError("heroes in the crowd", "a crowd that was baked with Heroes 0", file=crowd.name)
            for share in _shoal(file, crowd, motion.world[crowd], played, times, fps, names):
                yield POSED + (1.0 - POSED) * (number + share) / len(shoals), f"Writing {crowd.name}"
            fishes += len(played.row)
        file.write("}\n")
    return fishes


def _head(frames: tuple[int, int], fps: float, scale: float, up: str, unit: float) -> Iterator[str]:
    yield f'#usda 1.0\n(\n    defaultPrim = "{LAYER}"\n    metersPerUnit = {1.0 / scale:.9g}\n    upAxis = "{up}"\n'
    yield f"    startTimeCode = {frames[0]}\n    endTimeCode = {frames[1]}\n"
    yield f"    timeCodesPerSecond = {fps:.9g}\n    framesPerSecond = {fps:.9g}\n)\n\n"
    yield f'def Xform "{LAYER}" (\n    kind = "group"\n)\n{{\n'
    yield from _placed(TURNED[up] @ np.diag([scale * unit] * 3 + [1.0]))


def _placed(matrix: Any) -> Iterator[str]:
    """The transform of a prim."""
    yield f"    matrix4d xformOp:transform = {_rows(matrix)}\n"
    yield '    uniform token[] xformOpOrder = ["xformOp:transform"]\n'


def _moved(matrices: np.ndarray, times: np.ndarray) -> Iterator[str]:
    """The transforms of a prim over time, (times, 4, 4)."""
    if not np.any(np.abs(matrices - matrices[:1]) > 0.0):
        yield from _placed(matrices[0])
        return
    yield "    matrix4d xformOp:transform.timeSamples = {\n"
    yield from (f"        {time}: {_rows(matrix)},\n" for time, matrix in zip(times, matrices, strict=True))
    yield '    }\n    uniform token[] xformOpOrder = ["xformOp:transform"]\n'


def _rows(matrix: Any) -> str:
    """A matrix; USD has rows where Blender has columns."""
    rows = ", ".join(str(tuple(float(f"{value:.9g}") for value in row)) for row in np.array(matrix).T)
    return f"( {rows} )"


class _Names:
    """Unique names of prims."""

    def __init__(self) -> None:
        """Start with no names."""
        self._known: dict[Any, str] = {}

    def of(self, block: bpy.types.ID, name: str = "") -> str:
        """The name of a data block's prim, derived from its own or a given name."""
        if block not in self._known:
            plain = stem = _name(name or block.name)
            number, taken = 1, set(self._known.values())
            while plain in taken:
                number += 1
                plain = f"{stem}_{number}"
            self._known[block] = plain
        return self._known[block]


def _slots(mesh: bpy.types.Mesh) -> list[bpy.types.Material | None]:
    """Materials of a mesh by slot number, at least one slot."""
    return list(mesh.materials) or [None]


def _materials(materials: Mapping[bpy.types.Material, bpy.types.Mesh], path: Path, names: _Names) -> Iterator[str]:
    """All materials, each of a mesh, and their pictures beside the file."""
    yield '    def Scope "Materials"\n    {\n'
    for material, mesh in materials.items():
        wear = wear_of(material)
        node = coloured(material) if len(mesh.uv_layers) else None
        picture = None if node is None else written(node.image, path.resolve().parent / TEXTURES, names.of(node.image))
        name = names.of(material)
        own = f"/{LAYER}/Materials/{name}"
        yield f'        def Material "{name}"\n        {{\n'
        yield f"            token outputs:surface.connect = <{own}/Surface.outputs:surface>\n"
        yield '            def Shader "Surface"\n            {\n'
        yield '                uniform token info:id = "UsdPreviewSurface"\n'
        yield f"                float inputs:roughness = {wear.roughness:.4g}\n"
        if picture is None:
            yield f"                color3f inputs:diffuseColor = {wear.colour}\n"
        else:
            yield f"                color3f inputs:diffuseColor.connect = <{own}/Picture.outputs:rgb>\n"
            if wear.clear:
                yield f"                float inputs:opacity.connect = <{own}/Picture.outputs:a>\n"
        yield "                token outputs:surface\n            }\n"
        if picture is not None:
            yield from _picture(own, picture, "repeat" if node.extension == "REPEAT" else "clamp")
        yield "        }\n"
    yield "    }\n"


def _picture(own: str, file: str, wrap: str) -> Iterator[str]:
    """The shaders of a picture; `own` is the path of its material."""
    yield '            def Shader "Picture"\n            {\n'
    yield '                uniform token info:id = "UsdUVTexture"\n'
    yield f"                asset inputs:file = @./{TEXTURES}/{file}@\n"
    yield '                token inputs:sourceColorSpace = "sRGB"\n'
    yield f'                token inputs:wrapS = "{wrap}"\n                token inputs:wrapT = "{wrap}"\n'
    yield f"                float2 inputs:st.connect = <{own}/Places.outputs:result>\n"
    yield "                float3 outputs:rgb\n                float outputs:a\n            }\n"
    yield '            def Shader "Places"\n            {\n'
    yield '                uniform token info:id = "UsdPrimvarReader_float2"\n'
    yield '                string inputs:varname = "st"\n                float2 outputs:result\n            }\n'


def _kind(
    poses: Sequence[bpy.types.Mesh], used: Sequence[int], wear: Sequence[bpy.types.Material | None], names: _Names
) -> Iterator[str]:
    """Data shared by the shoals of a species: faces, UVs, materials, and the poses in use."""
    mesh: Any = poses[0]
    corners = np.empty(len(mesh.loops), np.int32)
    sizes, slots = (np.empty(len(mesh.polygons), np.int32) for _ in range(2))
    mesh.loops.foreach_get("vertex_index", corners)
    mesh.polygons.foreach_get("loop_total", sizes)
    mesh.polygons.foreach_get("material_index", slots)
    slots = np.minimum(slots, len(wear) - 1)  # as Blender shows it
    own = _kind_name(mesh, names)
    yield f'    class "{own}"\n    {{\n        def Mesh "Form"\n        {{\n'
    yield '            uniform token subdivisionScheme = "none"\n            uniform bool doubleSided = 1\n'
    yield f"            int[] faceVertexCounts = {sizes.tolist()}\n"
    yield f"            int[] faceVertexIndices = {corners.tolist()}\n"
    layer = next((each for each in mesh.uv_layers if each.active_render), None)
    if layer is not None:
        uv = np.empty(2 * len(mesh.loops), np.float32)
        layer.uv.foreach_get("vector", uv)
        yield f"            texCoord2f[] primvars:st = {_tuples(uv.reshape(-1, 2), POINT_DIGITS)} (\n"
        yield '                interpolation = "faceVarying"\n            )\n'
    faces: dict[bpy.types.Material | None, list[int]] = {}
    for slot in np.unique(slots):
        faces.setdefault(wear[slot], []).extend(np.flatnonzero(slots == slot).tolist())
    family = "nonOverlapping" if None in faces else "partition"
    if any(faces):
        yield f'            uniform token subsetFamily:materialBind:familyType = "{family}"\n'
    for material, some in faces.items():
        if material is None:
            continue
        name = names.of(material)
        yield f'            def GeomSubset "{name}" (\n'
        yield '                prepend apiSchemas = ["MaterialBindingAPI"]\n            )\n            {\n'
        yield '                uniform token elementType = "face"\n'
        yield '                uniform token familyName = "materialBind"\n'
        yield f"                int[] indices = {sorted(some)}\n"
        yield f"                rel material:binding = </{LAYER}/Materials/{name}>\n            }}\n"
    yield "        }\n"
    for pose in used:
        yield from _pose(poses[pose], own, pose)
    yield "    }\n"


def _pose(mesh: bpy.types.Mesh, kind: str, number: int) -> Iterator[str]:
    points, normals = (np.empty(3 * len(mesh.vertices), np.float32) for _ in range(2))
    mesh.vertices.foreach_get("co", points)
    mesh.vertex_normals.foreach_get("vector", normals)
    points = points.reshape(-1, 3)
    box = np.array([points.min(axis=0), points.max(axis=0)])
    yield from _inheriting(number, f"{kind}/Form")
    yield f"            float3[] extent = {_tuples(box, POINT_DIGITS)}\n"
    yield f"            point3f[] points = {_tuples(points, POINT_DIGITS)}\n"
    yield f"            normal3f[] normals = {_tuples(normals.reshape(-1, 3), NORMAL_DIGITS)} (\n"
    yield '                interpolation = "vertex"\n            )\n        }\n'


def _inheriting(number: int, path: str) -> Iterator[str]:
    """The beginning of a pose that inherits from another prim."""
    yield f'        def Mesh "{_pose_name(number)}" (\n'
    yield f"            inherits = </{LAYER}/{path}>\n        )\n        {{\n"


def _shoal(
    file: IO[str],
    crowd: bpy.types.Object,
    matrices: np.ndarray,
    played: Played,
    times: np.ndarray,
    fps: float,
    names: _Names,
) -> Iterator[float]:
    """Write a shoal, yielding the share written."""
    kind, own = _kind_name(played.poses[0], names), names.of(crowd)
    there = played.pose != ABSENT
    used = np.unique(played.pose[there])
    prototypes = [f"</{LAYER}/{own}/Prototypes/{_pose_name(pose)}>" for pose in used]
    reach = played.length.max(initial=0.0)
    box = np.array([played.place.min(axis=(0, 1)) - reach, played.place.max(axis=(0, 1)) + reach])
    velocity = np.gradient(played.place, axis=0) * fps if len(times) > 1 else np.zeros_like(played.place)
    sizes = np.repeat(played.length[..., None], 3, axis=2)
    grows = bool((sizes != sizes[0]).any())
    file.write(f'    def PointInstancer "{own}" (\n        kind = "group"\n    )\n    {{\n')
    file.writelines(_moved(matrices, times))
    file.write(f"    rel prototypes = [ {', '.join(prototypes)} ]\n")
    file.write(f"    int64[] ids = {played.row.tolist()}\n")
    if not grows:
        file.write(f"    float3[] scales = {_tuples(sizes[0], PLACE_DIGITS)}\n")
    file.write(f"    float3[] extent = {_tuples(box, PLACE_DIGITS)}\n")
    values = {
        "point3f[] positions": (played.place, PLACE_DIGITS),
        "vector3f[] velocities": (velocity, PLACE_DIGITS),
        "quath[] orientations": (played.turn, TURN_DIGITS),
        **({"float3[] scales": (sizes, PLACE_DIGITS)} if grows else {}),
    }
    for number, (name, (of, digits)) in enumerate(values.items()):
        file.write(f"    {name}.timeSamples = {{\n")
        for begin in range(0, len(times), FRAMES_AT_A_TIME):
            some = slice(begin, begin + FRAMES_AT_A_TIME)
            pairs = zip(times[some], of[some], strict=True)
            file.writelines(f"        {time}: {_tuples(row, digits)},\n" for time, row in pairs)
            yield (number + begin / len(times)) / len(values)
        file.write("    }\n")
    numbers = np.where(there, np.searchsorted(used, played.pose), 0)
    file.write("    int[] protoIndices.timeSamples = {\n")
    file.writelines(f"        {time}: {row.tolist()},\n" for time, row in zip(times, numbers, strict=True))
    file.write("    }\n")
    if not there.all():
        changes = np.insert(np.any(there[1:] != there[:-1], axis=1), 0, True)
        file.write("    int64[] invisibleIds.timeSamples = {\n")
        for frame in np.flatnonzero(changes):
            file.write(f"        {times[frame]}: {played.row[~there[frame]].tolist()},\n")
        file.write("    }\n")
    file.write('    def Scope "Prototypes"\n    {\n')
    for pose in used:
        file.writelines([*_inheriting(pose, f"{kind}/{_pose_name(pose)}"), "        }\n"])
    file.write("    }\n    }\n")


def _tuples(values: np.ndarray, digits: int) -> str:
    """Vectors (n, ...) in USD's syntax."""
    return str([tuple(row) for row in np.round(values.astype(float), digits).tolist()])


def _name(name: str) -> str:
    """A valid name of a prim."""
    found = re.sub(r"\W", "_", name, flags=re.ASCII)
    return found if found[:1].isalpha() else f"_{found}"


def _kind_name(mesh: bpy.types.Mesh, names: _Names) -> str:
    """Name of the prim that holds a species' poses, from the first of them."""
    return names.of(mesh, f"_{mesh.name.rpartition(' level ')[0] or mesh.name}")


def _pose_name(number: int) -> str:
    return f"pose_{number:03d}"
