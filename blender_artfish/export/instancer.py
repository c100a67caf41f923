"""Crowds as USD: a PointInstancer a shoal, whose prototypes are the poses of its species.

Blender's exporter writes no prototypes, and neither it nor bpy hands out USD's own library, so a layer is written here
as text.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import bpy
import numpy as np

from ...core.base.codec import SceneError
from ..blender.versions import shader_tree
from ..crowd.nodes import ABSENT
from ..crowd.playing import Played, play, poses_of
from ..fish.pose_meshes import UV_NAME
from ..identity import provenance
from ..identity.units import metres

PLACE_DIGITS, TURN_DIGITS, NORMAL_DIGITS, POINT_DIGITS = 5, 4, 3, 5
"""Decimals of places in metres, of quaternions, which are halves, of normals, of points in body lengths and UVs."""
TEXTURES = "textures"
"""Folder of pictures beside a layer, as Blender's exporter calls it."""
LAYER = "Artfish"
"""The prim that holds everything."""
PAINTED, POSED = 0.2, 0.4
"""Share of an export that is done when pictures are painted, and when poses are written."""
FRAMES_AT_A_TIME = 10
TURNED = {"Z": np.eye(4), "Y": np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], float)}
"""From Blender's axes to those of a file, by the one that points up in it."""


def worn(crowd: bpy.types.Object) -> bpy.types.Mesh:
    """A mesh that wears what a crowd wears."""
    return poses_of(crowd)[0]


def write(
    part: Path,
    path: Path,
    scene: bpy.types.Scene,
    crowds: Sequence[bpy.types.Object],
    frames: tuple[int, int],
    scale: float,
    up: str,
) -> Generator[tuple[float, str], None, int]:
    """Write crowds, bit by bit.

    Args:
        part: The file that is written.
        path: The one that it becomes, beside which pictures go.
        scene: Of the crowds.
        crowds: Their objects.
        frames: First and last frame.
        scale: Factor on all lengths.
        up: The axis that points up, "Y" or "Z".

    Yields:
        The share of the whole export that is done, and what is being done.

    Returns:
        How many fishes they have.

    Raises:
        SceneError: Some fishes are heroes, or something of a crowd is gone.
    """
    times = np.arange(frames[0], frames[1] + 1)
    fps = scene.render.fps / scene.render.fps_base
    heroes = {row for obj in scene.objects if (row := provenance.row_of(obj)) >= 0}
    fishes, kinds = 0, dict.fromkeys(mesh.name for mesh in map(worn, crowds))
    with part.open("w", encoding="utf-8") as file:
        file.writelines(_head(frames, fps, scale, up, metres(scene)))
        file.writelines(_materials(map(worn, crowds), path))
        shoals = [(crowd, play(crowd, times)) for crowd in crowds]
        for number, kind in enumerate(kinds):
            own = [(poses_of(crowd), played.pose) for crowd, played in shoals if worn(crowd).name == kind]
            used = np.unique(np.concatenate([pose.ravel() for _, pose in own]))
            file.writelines(_kind(own[0][0], used[used != ABSENT].tolist()))
            yield PAINTED + (POSED - PAINTED) * (number + 1) / len(kinds), f"Writing {kind}"
        for number, (crowd, played) in enumerate(shoals):
            if heroes & set(played.row.tolist()):
                raise SceneError("heroes in the crowd", "a crowd that was baked with Heroes 0", file=crowd.name)
            for share in _shoal(file, crowd, played, times, fps):
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
    """The place of a prim; USD has rows where Blender has columns."""
    rows = ", ".join(str(tuple(float(f"{value:.9g}") for value in row)) for row in np.array(matrix).T)
    yield f"    matrix4d xformOp:transform = ( {rows} )\n"
    yield '    uniform token[] xformOpOrder = ["xformOp:transform"]\n'


def _materials(meshes: Iterable[bpy.types.Mesh], path: Path) -> Iterator[str]:
    """All materials, and their pictures beside the file."""
    yield '    def Scope "Materials"\n    {\n'
    for material in dict.fromkeys(material for mesh in meshes for material in mesh.materials):
        nodes = shader_tree(material).nodes
        picture = _coloured(nodes)
        own = f"/{LAYER}/Materials/{_name(material.name)}"
        shader: Any = {node.bl_idname: node for node in nodes}.get("ShaderNodeBsdfPrincipled")
        roughness = shader.inputs["Roughness"].default_value if shader else material.roughness
        yield f'        def Material "{_name(material.name)}"\n        {{\n'
        yield f"            token outputs:surface.connect = <{own}/Surface.outputs:surface>\n"
        yield '            def Shader "Surface"\n            {\n'
        yield '                uniform token info:id = "UsdPreviewSurface"\n'
        yield f"                float inputs:roughness = {roughness:.4g}\n"
        if picture is None:
            yield f"                color3f inputs:diffuseColor = {tuple(material.diffuse_color[:3])}\n"
        else:
            yield f"                color3f inputs:diffuseColor.connect = <{own}/Picture.outputs:rgb>\n"
            if shader.inputs["Alpha"].links:
                yield f"                float inputs:opacity.connect = <{own}/Picture.outputs:a>\n"
        yield "                token outputs:surface\n            }\n"
        if picture is not None:
            yield from _picture(own, _copied(picture.image, path))
        yield "        }\n"
    yield "    }\n"


def _coloured(nodes: Any) -> Any:
    """The node of a material's picture of colours; what else lies on a skin, its relief, is none."""
    images = (node for node in nodes if node.bl_idname == "ShaderNodeTexImage" and node.image)
    return next((node for node in images if not node.image.colorspace_settings.is_data), None)


def _picture(own: str, file: str) -> Iterator[str]:
    """The shaders of a picture; `own` is the path of its material."""
    yield '            def Shader "Picture"\n            {\n'
    yield '                uniform token info:id = "UsdUVTexture"\n'
    yield f"                asset inputs:file = @./{TEXTURES}/{file}@\n"
    yield '                token inputs:sourceColorSpace = "sRGB"\n'
    yield '                token inputs:wrapS = "clamp"\n                token inputs:wrapT = "clamp"\n'
    yield f"                float2 inputs:st.connect = <{own}/Places.outputs:result>\n"
    yield "                float3 outputs:rgb\n                float outputs:a\n            }\n"
    yield '            def Shader "Places"\n            {\n'
    yield '                uniform token info:id = "UsdPrimvarReader_float2"\n'
    yield '                string inputs:varname = "st"\n                float2 outputs:result\n            }\n'


def _copied(image: bpy.types.Image, path: Path) -> str:
    """The name of the file of an image, once it is beside the layer."""
    folder, name = path.resolve().parent / TEXTURES, f"{_name(image.name)}.png"
    folder.mkdir(exist_ok=True)
    shutil.copyfile(image.filepath_raw, folder / name)
    return name


def _kind(poses: Sequence[bpy.types.Mesh], used: Sequence[int]) -> Iterator[str]:
    """What the shoals of a species have in common: faces, places to paint by, materials, and the poses in use."""
    mesh: Any = poses[0]
    corners, uv = np.empty(len(mesh.loops), np.int32), np.empty(2 * len(mesh.loops), np.float32)
    sizes, slots = (np.empty(len(mesh.polygons), np.int32) for _ in range(2))
    mesh.loops.foreach_get("vertex_index", corners)
    mesh.uv_layers[UV_NAME].uv.foreach_get("vector", uv)
    mesh.polygons.foreach_get("loop_total", sizes)
    mesh.polygons.foreach_get("material_index", slots)
    own = _kind_name(mesh)
    yield f'    class "{own}"\n    {{\n        def Mesh "Form"\n        {{\n'
    yield '            uniform token subdivisionScheme = "none"\n            uniform bool doubleSided = 1\n'
    yield f"            int[] faceVertexCounts = {sizes.tolist()}\n"
    yield f"            int[] faceVertexIndices = {corners.tolist()}\n"
    yield f"            texCoord2f[] primvars:st = {_tuples(uv.reshape(-1, 2), POINT_DIGITS)} (\n"
    yield '                interpolation = "faceVarying"\n            )\n'
    yield '            uniform token subsetFamily:materialBind:familyType = "partition"\n'
    for slot in np.unique(slots):
        material = _name(mesh.materials[slot].name)
        yield f'            def GeomSubset "{material}" (\n'
        yield '                prepend apiSchemas = ["MaterialBindingAPI"]\n            )\n            {\n'
        yield '                uniform token elementType = "face"\n'
        yield '                uniform token familyName = "materialBind"\n'
        yield f"                int[] indices = {np.flatnonzero(slots == slot).tolist()}\n"
        yield f"                rel material:binding = </{LAYER}/Materials/{material}>\n            }}\n"
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
    """The beginning of a pose that is what another prim is."""
    yield f'        def Mesh "{_pose_name(number)}" (\n'
    yield f"            inherits = </{LAYER}/{path}>\n        )\n        {{\n"


def _shoal(file: IO[str], crowd: bpy.types.Object, played: Played, times: np.ndarray, fps: float) -> Iterator[float]:
    """Write a shoal, yielding how much of it is written."""
    kind, own = _kind_name(played.poses[0]), _name(crowd.name)
    there = played.pose != ABSENT
    used = np.unique(played.pose[there])
    prototypes = [f"</{LAYER}/{own}/Prototypes/{_pose_name(pose)}>" for pose in used]
    reach = played.length.max(initial=0.0)
    box = np.array([played.place.min(axis=(0, 1)) - reach, played.place.max(axis=(0, 1)) + reach])
    velocity = np.gradient(played.place, axis=0) * fps if len(times) > 1 else np.zeros_like(played.place)
    sizes = np.repeat(played.length[:, None], 3, axis=1)
    file.write(f'    def PointInstancer "{own}" (\n        kind = "group"\n    )\n    {{\n')
    file.writelines(_placed(crowd.matrix_world))
    file.write(f"    rel prototypes = [ {', '.join(prototypes)} ]\n")
    file.write(f"    int64[] ids = {played.row.tolist()}\n")
    file.write(f"    float3[] scales = {_tuples(sizes, PLACE_DIGITS)}\n")
    file.write(f"    float3[] extent = {_tuples(box, PLACE_DIGITS)}\n")
    values = {
        "point3f[] positions": (played.place, PLACE_DIGITS),
        "vector3f[] velocities": (velocity, PLACE_DIGITS),
        "quath[] orientations": (played.turn, TURN_DIGITS),
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
    """Vectors (n, ...) as USD writes them."""
    return str([tuple(row) for row in np.round(values.astype(float), digits).tolist()])


def _name(name: str) -> str:
    """A name that a prim may have."""
    found = re.sub(r"\W", "_", name, flags=re.ASCII)
    return found if found[:1].isalpha() else f"_{found}"


def _kind_name(mesh: bpy.types.Mesh) -> str:
    """What the poses of a species are gathered under, by any of them."""
    return "_" + _name(mesh.name.rpartition(" level ")[0] or mesh.name)


def _pose_name(number: int) -> str:
    return f"pose_{number:03d}"
