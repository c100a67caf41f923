"""Reads exported fishes by programs that are neither ours nor Blender's: python readers.py FILE FRAME OUT.npz.

Runs without bpy, since that brings libraries of its own. Writes, for a frame of the file, the places of all vertices of
each fish that is seen, in metres with z up, one array a fish, and, where the format has velocities, those as well.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""Rotation from axes of which y points up to those of which z does."""
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
KINDS = {5121: np.uint8, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}


def usd(path: str, frame: float) -> dict[str, np.ndarray]:
    """Skinned fishes by UsdSkel, or instances of a PointInstancer; any finding of a validator is an error."""
    from pxr import Usd, UsdGeom, UsdSkel, UsdValidation

    stage = Usd.Stage.Open(path)
    rules = UsdValidation.ValidationContext(UsdValidation.ValidationRegistry().GetOrLoadAllValidators())
    found = [f"{error.GetName()}: {error.GetMessage()}" for error in rules.Validate(stage)]
    assert not found, found
    turn = np.eye(3) if UsdGeom.GetStageUpAxis(stage) == "Z" else Y_UP
    unit, out = UsdGeom.GetStageMetersPerUnit(stage), {}
    for prim in stage.Traverse():
        if prim.IsA(UsdSkel.Root):
            for places in skinned(UsdSkel.Root(prim), frame):
                out[f"places {len(out)}"] = unit * places @ turn.T
        elif prim.IsA(UsdGeom.PointInstancer):
            instancer = UsdGeom.PointInstancer(prim)
            place = np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(frame))
            plain = UsdGeom.PointInstancer.ExcludeProtoXform, UsdGeom.PointInstancer.IgnoreMask
            shown = np.array(instancer.ComputeMaskAtTime(frame) or [True] * instancer.GetInstanceCount(frame))
            matrices = np.array(instancer.ComputeInstanceTransformsAtTime(frame, frame, *plain))[shown] @ place
            which = np.array(instancer.GetProtoIndicesAttr().Get(frame))[shown]
            targets = instancer.GetPrototypesRel().GetTargets()
            for matrix, number in zip(matrices, which, strict=True):
                points = np.array(UsdGeom.Mesh(stage.GetPrimAtPath(targets[number])).GetPointsAttr().Get())
                out[f"places {len(out)}"] = unit * (points @ matrix[:3, :3] + matrix[3, :3]) @ turn.T
            velocities = np.array(instancer.GetVelocitiesAttr().Get(frame))[shown]
            out[f"velocities of {prim.GetName()}"] = unit * velocities @ place[:3, :3] @ turn.T
    return out


def skinned(root: object, frame: float) -> list[np.ndarray]:
    """World places of all meshes that skeletons move."""
    from pxr import Usd, UsdGeom, UsdSkel

    cache, out = UsdSkel.Cache(), []
    cache.Populate(root, Usd.PrimDefaultPredicate)
    for binding in cache.ComputeSkelBindings(root, Usd.PrimDefaultPredicate):
        bones = cache.GetSkelQuery(binding.GetSkeleton()).ComputeSkinningTransforms(frame)
        for target in binding.GetSkinningTargets():
            if UsdGeom.Imageable(target.GetPrim()).ComputeVisibility(frame) == UsdGeom.Tokens.invisible:
                continue
            points = UsdGeom.Mesh(target.GetPrim()).GetPointsAttr().Get()
            target.ComputeSkinnedPoints(bones, points, frame)
            matrix = np.array(UsdGeom.Xformable(binding.GetSkeleton()).ComputeLocalToWorldTransform(frame))
            out.append(np.array(points) @ matrix[:3, :3] + matrix[3, :3])
    return out


def alembic(path: str, frame: float) -> dict[str, np.ndarray]:
    """Deforming meshes with velocities, at the sample of a frame of 24 a second."""
    from alembic3d import Abc, AbcGeom

    archive, out = Abc.IArchive(path), {}

    def walk(parent: object, matrix: np.ndarray) -> None:
        for number in range(parent.getNumChildren()):
            child, own = parent.getChild(number), matrix
            at = Abc.ISampleSelector(frame / 24.0 + 1e-3)
            shown = AbcGeom.GetVisibilityProperty(child)
            if shown and shown.getValue(at) == 0:
                continue
            if AbcGeom.IXform.matches(child.getMetaData()):
                value = AbcGeom.IXform(parent, child.getName()).getSchema().getValue(at).getMatrix()
                own = np.array([[value[row][column] for column in range(4)] for row in range(4)]) @ matrix
            elif AbcGeom.IPolyMesh.matches(child.getMetaData()):
                schema = AbcGeom.IPolyMesh(parent, child.getName()).getSchema()
                sample, name = schema.getValue(at), child.getFullName().strip("/").replace("/", " ")
                places, ways = (
                    np.array([tuple(each) for each in of]) for of in (sample.getPositions(), sample.getVelocities())
                )
                out[f"places {name}"] = (places @ matrix[:3, :3] + matrix[3, :3]) @ Y_UP.T
                out[f"velocities of {name}"] = ways @ matrix[:3, :3] @ Y_UP.T
            walk(child, own)

    walk(archive.getTop(), np.eye(4))
    return out


def gltf(path: str, frame: float) -> dict[str, np.ndarray]:
    """Skinned meshes, at a frame of 24 a second; the first is at 0 s."""
    import pygltflib

    file = pygltflib.GLTF2().load(path)
    data = file.binary_blob()

    def values(number: int) -> np.ndarray:
        accessor = file.accessors[number]
        view, width = file.bufferViews[accessor.bufferView], WIDTHS[accessor.type]
        begin = (view.byteOffset or 0) + (accessor.byteOffset or 0)
        return np.frombuffer(data, KINDS[accessor.componentType], accessor.count * width, begin).reshape(-1, width)

    for channel in file.animations[0].channels:
        sampler = file.animations[0].samplers[channel.sampler]
        times, sampled = values(sampler.input)[:, 0], values(sampler.output)
        now = (frame - 1.0) / 24.0
        row = int(np.clip(np.searchsorted(times, now + 1e-4) - 1, 0, len(times) - 1))
        after = min(row + 1, len(times) - 1)
        share = np.clip((now - times[row]) / max(times[after] - times[row], 1e-9), 0.0, 1.0)
        value = sampled[row] + share * (sampled[after] - sampled[row])
        setattr(file.nodes[channel.target.node], channel.target.path, value)
    matrices: dict[int, np.ndarray] = {}

    def walk(number: int, matrix: np.ndarray) -> None:
        matrices[number] = matrix @ local(file.nodes[number])
        for child in file.nodes[number].children or ():
            walk(child, matrices[number])

    for number in file.scenes[0].nodes:
        walk(number, np.eye(4))
    out = {}
    for node in file.nodes:
        if node.mesh is None or node.skin is None:
            continue
        skin, places = file.skins[node.skin], []
        inverse = values(skin.inverseBindMatrices).reshape(-1, 4, 4).transpose(0, 2, 1)
        bones = np.array([matrices[joint] for joint in skin.joints]) @ inverse
        for part in file.meshes[node.mesh].primitives:
            points = np.insert(values(part.attributes.POSITION), 3, 1.0, axis=1)
            shares, joints = values(part.attributes.WEIGHTS_0), values(part.attributes.JOINTS_0)
            places.append(np.einsum("vj,vjxy,vy->vx", shares, bones[joints], points)[:, :3])
        if np.ptp(np.concatenate(places)) > 0.0:  # what has no size is not seen
            out[f"places {len(out)}"] = np.concatenate(places) @ Y_UP.T
    return out


def local(node: object) -> np.ndarray:
    """The matrix of a node of glTF."""
    x, y, z, w = np.asarray(
        node.rotation or (0, 0, 0, 1) if not isinstance(node.rotation, np.ndarray) else node.rotation
    )
    x, y, z, w = np.array([x, y, z, w]) / np.linalg.norm([x, y, z, w])
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = turn * np.asarray((1, 1, 1) if node.scale is None else node.scale)
    matrix[:3, 3] = (0, 0, 0) if node.translation is None else node.translation
    return matrix


READERS = {".usdc": usd, ".usdz": usd, ".usda": usd, ".abc": alembic, ".glb": gltf}

if __name__ == "__main__":
    np.savez(sys.argv[3], **READERS[Path(sys.argv[1]).suffix](sys.argv[1], float(sys.argv[2])))
