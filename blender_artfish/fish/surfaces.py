"""A fish as Blender objects: an empty with one NURBS surface for each part of the body, and two eyes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.form.nurbs import unclamped
from ...core.form.relief import eyeball
from ...core.form.surfaces import Patch

SURFACE_FACETS, RENDERED_SURFACE_FACETS = 2, (9, 6)
"""Facets between two control points while animating, where sixty fishes should play, and across and along a surface
when rendering: lips lie across few of the nine rows of a body, and along many of its columns."""
FACETS_BY_SHARE = ((0.45, (18, 24)), (0.22, (12, 12)))
"""Rendered facets by the share of the picture's width that a fish takes: a facet is then some two pixels long."""
SHADOW_OFFSET = 1.0
"""Offset of shadow rays from a facet at grazing light, 0 to 1: with less, shadows are jagged."""
AXES_LENGTHS = 0.05
"""Size of the axes of a fish's empty, in body lengths: hidden within the body."""
EYE_RINGS, EYE_SIDES = 16, 24
"""Facets of an eyeball from its pole to the other one, and about them."""
EYE_PARTS = ("eye_left", "eye_right")


@dataclass(frozen=True)
class FishObjects:
    """The objects of one fish.

    Attributes:
        root: The empty that carries position and heading.
        surfaces: NURBS surfaces by their names in the form.
        eyes: Eyes by the names in `EYE_PARTS`.
    """

    root: bpy.types.Object
    surfaces: dict[str, bpy.types.Object]
    eyes: dict[str, bpy.types.Object]

    @property
    def parts(self) -> dict[str, bpy.types.Object]:
        """Surfaces and eyes by name."""
        return self.surfaces | self.eyes


class Workshop:
    """Makes fishes of one species; shared data is made once.

    Blender makes NURBS surfaces only by operators, so each surface is joined once, in a scene of the workshop's
    own, and every fish gets a copy. Use it as a context, which removes temporary data.
    """

    def __init__(self, name: str, patches: Mapping[str, Patch]) -> None:
        """Set the workshop up.

        Args:
            name: Common name of the species.
            patches: Surfaces by name; only the shape (u, v, 3) of their points matters.
        """
        self.name, self.patches = name, patches
        self.eye = _eye(f"{name} eye")
        self.surfaces: dict[str, bpy.types.Curve] = {}

    def prepare(self) -> Iterator[None]:
        """Join the surfaces not joined yet, one at a time."""
        for part in [part for part in self.patches if part not in self.surfaces]:
            self.surfaces[part] = _surface(self.patches[part])
            yield

    def __enter__(self) -> Workshop:
        """Return the workshop."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the original surfaces."""
        bpy.data.batch_remove(list(self.surfaces.values()))

    def fish(self, name: str, collection: bpy.types.Collection, length: float, eye_radius: float) -> FishObjects:
        """Make the objects of a fish; the control points of its surfaces are still to be placed.

        Args:
            name: Name of the empty; those of its children begin with it.
            collection: The objects' collection.
            length: Length of the body in metres.
            eye_radius: Radius of the eyes in metres.
        """
        for _ in self.prepare():
            pass
        root = bpy.data.objects.new(name, None)
        root.empty_display_size = AXES_LENGTHS * length
        root.rotation_mode = "QUATERNION"
        surfaces = {part: child(root, part, curve.copy()) for part, curve in self.surfaces.items()}
        for surface in surfaces.values():
            surface.data.name = surface.name
            soften(surface)
        eyes = {part: child(root, part, self.eye) for part in EYE_PARTS}
        for eye in eyes.values():
            eye.rotation_mode = "QUATERNION"
            eye.scale = (eye_radius,) * 3
        fish = FishObjects(root, surfaces, eyes)
        for obj in (root, *fish.parts.values()):
            collection.objects.link(obj)
        return fish


def child(root: bpy.types.Object, part: str, data: bpy.types.ID) -> bpy.types.Object:
    """A part of the fish, such as "body_left", named after it."""
    obj = bpy.data.objects.new(f"{root.name} {part.replace('_', ' ')}", data)
    obj.parent = root
    return obj


def refine(root: bpy.types.Object, share: float) -> None:
    """Set the rendered resolution of a fish's NURBS surfaces for its share of the picture's width."""
    facets = next((facets for least, facets in FACETS_BY_SHARE if share > least), (0, 0))
    for surface in root.children:
        if surface.type == "SURFACE":
            curve = surface.data
            curve.render_resolution_u = max(curve.render_resolution_u, facets[0])
            curve.render_resolution_v = max(curve.render_resolution_v, facets[1])


def soften(surface: bpy.types.Object) -> None:
    """Hide facets in the shadows of a fish's surface or mesh in Cycles, if Cycles is enabled."""
    if hasattr(surface, "cycles"):
        surface.cycles.shadow_terminator_geometry_offset = SHADOW_OFFSET


def place_points(surface: bpy.types.Object, places: np.ndarray) -> None:
    """Place a surface's control points.

    Args:
        surface: The object.
        places: Positions (3 points,), in metres in the fish's own frame, in Blender's order.
    """
    weighted = np.insert(places.reshape(-1, 3), 3, 1.0, axis=1)
    surface.data.splines[0].points.foreach_set("co", weighted.astype(np.float32).ravel())


def unclamp(surface: bpy.types.Object, *places: np.ndarray) -> list[np.ndarray]:
    """Unclamp a surface's ends, and find the control points that preserve its form.

    Blender's Alembic exporter crashes at a clamped surface with shape keys.

    Args:
        surface: The object.
        places: Former control points, or offsets of them, each (..., 3 points), in Blender's order.

    Returns:
        The new ones, each of the same shape.
    """
    spline = surface.data.splines[0]
    counts = spline.point_count_u, spline.point_count_v
    u, v = (unclamped(count, order - 1) for count, order in zip(counts, (spline.order_u, spline.order_v), strict=True))
    spline.use_endpoint_u = spline.use_endpoint_v = False
    grids = [of.reshape(*of.shape[:-1], *counts[::-1], 3) for of in places]
    return [
        np.einsum("ij,kl,...jlx->...ikx", v, u, grid, optimize=True).reshape(of.shape)
        for of, grid in zip(places, grids, strict=True)
    ]


def in_order(points: np.ndarray) -> np.ndarray:
    """Points (..., u, v, 3) in the order in which Blender keeps them, (..., v * u, 3): u runs fastest."""
    swapped = np.swapaxes(points, -3, -2)
    return swapped.reshape(*swapped.shape[:-3], -1, 3)


def first_number(name: str, names: Iterable[str] | None = None) -> int:
    """The lowest number from which on "<name> <number>" is free.

    Args:
        name: The name before the number.
        names: Names that are taken; those of all objects in the file if left out.
    """
    taken = bpy.data.objects.keys() if names is None else names
    tails = (each.removeprefix(f"{name} ") for each in taken if each.startswith(f"{name} "))
    return max((int(tail) for tail in tails if tail.isdecimal()), default=0) + 1


def _surface(patch: Patch) -> bpy.types.Curve:
    """A clamped NURBS surface with as many control points as the patch."""
    rows, columns = patch.points.shape[:2]
    curve = bpy.data.curves.new("surface", "SURFACE")
    for row in range(rows):
        spline = curve.splines.new("NURBS")
        spline.points.add(columns - 1)
        places = [(column, row, 0.0, 1.0) for column in range(columns)]
        spline.points.foreach_set("co", np.array(places, dtype=np.float32).ravel())
        spline.points.foreach_set("select", np.ones(columns, dtype=bool))
    _join_rows(curve)
    spline = curve.splines[0]
    if len(curve.splines) != 1 or (spline.point_count_u, spline.point_count_v) != (rows, columns):
        raise RuntimeError(f"Blender did not join {rows} rows of {columns} points to a surface")
    spline.use_endpoint_u = spline.use_endpoint_v = True
    spline.order_u, spline.order_v = patch.degree_u + 1, patch.degree_v + 1
    spline.resolution_u = spline.resolution_v = SURFACE_FACETS
    curve.render_resolution_u, curve.render_resolution_v = RENDERED_SURFACE_FACETS
    return curve


def _join_rows(curve: bpy.types.Curve) -> None:
    """Join the rows of a curve into a surface, away from the animator's scene, selection and mode."""
    scene = bpy.data.scenes.new("workshop")
    bench = bpy.data.objects.new("workshop", curve)
    scene.collection.objects.link(bench)
    layer = scene.view_layers[0]
    layer.objects.active = bench
    bench.select_set(True, view_layer=layer)
    try:
        with bpy.context.temp_override(
            scene=scene, view_layer=layer, object=bench, active_object=bench, edit_object=bench
        ):
            bpy.ops.object.mode_set(mode="EDIT")
            bpy.ops.curve.make_segment()
            bpy.ops.object.mode_set(mode="OBJECT")
    finally:
        bpy.data.objects.remove(bench)
        bpy.data.scenes.remove(scene)


def _eye(name: str) -> bpy.types.Mesh:
    """An eyeball of radius 1 whose pole, local z, looks out, with a bulging cornea.

    Made of rings about that pole here: Blender's own sphere has its faces in another order in each process.
    """
    mesh = bpy.data.meshes.new(name)
    away, around = np.linspace(0.0, np.pi, EYE_RINGS + 1), np.linspace(0.0, 2.0 * np.pi, EYE_SIDES, endpoint=False)
    flat = np.sin(away)[:, None] * np.cos(around), np.sin(away)[:, None] * np.sin(around)
    rings = (
        np.stack([*flat, np.repeat(np.cos(away)[:, None], EYE_SIDES, axis=1)], axis=-1) * eyeball(away)[:, None, None]
    )
    places = np.concatenate([rings[0, :1], rings[1:-1].reshape(-1, 3), rings[-1, :1]])
    numbers = 1 + np.arange((EYE_RINGS - 1) * EYE_SIDES).reshape(-1, EYE_SIDES)
    following, last = np.roll(numbers, -1, axis=1), len(places) - 1
    faces = [(0, *pair) for pair in zip(numbers[0].tolist(), following[0].tolist(), strict=True)]
    corners = numbers[:-1], numbers[1:], following[1:], following[:-1]
    faces += np.stack(corners, axis=-1).reshape(-1, 4).tolist()
    faces += [(last, *pair) for pair in zip(following[-1].tolist(), numbers[-1].tolist(), strict=True)]
    mesh.from_pydata(places, [], faces, shade_flat=False)
    return mesh
