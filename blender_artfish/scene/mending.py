"""Remedies for a mesh without a clear inside: select its open edges, or put a closed form in its place.

Convex Hull and Voxel Remesh put a copy into the water, with the same mesh and one modifier more, parented to the
original, so that it follows the original, which is no longer part of the water and stays unchanged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Matrix

from ..blender.declarations import declared
from ..blender.shader_graph import Graph, Outputs, Term, new_modifier_group
from ..blender.words import translated
from ..identity.roles import linked
from .operators import Tool
from .properties import SHELL_METRES
from .remarks import doubt

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

MENDED = ("OBSTACLE", "TANK")
HULL_NODES = "Artfish convex hull"
FEWEST_VOXELS, MOST_VOXELS = 8, 80
"""Voxels along the longest side; more make more triangles than count."""


class Mending(Tool):
    """Base of the operators on a mesh without a clear inside."""

    name: bpy.props.StringProperty(
        name="Object", description="Which obstacle or tank; the active object if left empty", options={"SKIP_SAVE"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs an object meant to be solid."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Make a mesh an obstacle or the tank first"))
        return any(obj.artfish.kind in MENDED and obj.type == "MESH" for obj in context.scene.objects)

    def mended(self, context: bpy.types.Context) -> bpy.types.Object | None:
        """The object to change; None, with a report, if there is none that can be."""
        obj = context.scene.objects.get(self.name) if self.name else context.object
        if obj is None:
            self.refuse(
                translated("There is no {name} any more", name=self.name)
                if self.name
                else "Select an obstacle or the tank"
            )
        elif obj.type != "MESH" or obj.artfish.kind not in MENDED:
            self.refuse(translated("{obj} is no mesh that is an obstacle or the tank: select one", obj=obj.name))
        elif word := linked([obj]):
            self.refuse(word)
        elif not obj.data.polygons and not obj.modifiers:
            self.refuse(translated("{obj} has no faces: nothing can be made of it", obj=obj.name))
        else:
            return obj
        return None


class ARTFISH_OT_select_open_edges(Mending):
    """Go to Edit Mode with the edges selected at which the mesh is open, to fill or bridge them"""

    bl_idname = "artfish.select_open_edges"
    bl_label = "Select Open Edges"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Selects the edges in the mesh itself, without its modifiers."""
        from .edges import select_open

        obj = self.mended(context)
        if obj is None:
            return {"CANCELLED"}
        if obj.name not in context.view_layer.objects or not obj.visible_get():
            return self.refuse(translated("{obj} is hidden: show it first", obj=obj.name))
        mesh = obj.data
        assert isinstance(mesh, bpy.types.Mesh)
        if mesh.library is not None:
            return self.refuse(
                translated("{obj} has a mesh that is linked from another file: make it local first", obj=obj.name)
            )
        count = select_open(mesh)
        if not count:
            why = translated("its modifiers open it") if obj.modifiers else translated("its faces close it")
            return self.refuse(translated("{obj} has no open edges of its own: {why}", obj=obj.name, why=why))
        for other in context.selected_objects:
            other.select_set(False)
        obj.select_set(True)
        context.view_layer.objects.active = obj
        context.tool_settings.mesh_select_mode = (False, True, False)
        bpy.ops.object.mode_set(mode="EDIT")
        self.report(
            {"INFO"},
            translated(
                "{count:,} open edges: fill them (Alt F) or bridge them, then go back to Object Mode", count=count
            ),
        )
        return {"FINISHED"}


class ARTFISH_OT_convex_hull(Mending):
    """Let fishes keep clear of the convex hull, as if cloth were drawn around it; the mesh itself stays as it is"""

    bl_idname = "artfish.convex_hull"
    bl_label = "Use Convex Hull"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Adds a copy with the hull as a modifier."""
        obj = self.mended(context)
        if obj is None:
            return {"CANCELLED"}
        return self.added(context, _stand_in(obj, "hull", _add_hull))


class ARTFISH_OT_voxel_remesh(Mending):
    """Let fishes keep clear of a closed mesh of voxels around it; the mesh itself stays as it is"""

    bl_idname = "artfish.voxel_remesh"
    bl_label = "Voxel Remesh"

    voxels: bpy.props.IntProperty(
        name="Voxels",
        description="Along the longest side: the more, the finer",
        default=48,
        min=FEWEST_VOXELS,
        max=MOST_VOXELS,
    )

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Adds a copy with the remesh as a modifier."""
        obj = self.mended(context)
        if obj is None:
            return {"CANCELLED"}
        ends = [[end(corner[axis] for corner in obj.bound_box) for end in (min, max)] for axis in range(3)]
        longest = max(high - low for low, high in ends)
        if not longest > 0.0:
            return self.refuse(translated("{obj} is all in one place: nothing can be made of it", obj=obj.name))

        def remesh(copy: bpy.types.Object) -> None:
            modifier: Any = copy.modifiers.new("Voxel Remesh", "REMESH")
            modifier.mode, modifier.voxel_size = "VOXEL", longest / self.voxels

        return self.added(context, _stand_in(obj, "remesh", remesh))


class ARTFISH_OT_shell(Mending):
    """Let the obstacle be a shell so thick, with water on both sides, as a wall, a sheet or a hull is"""

    bl_idname = "artfish.shell"
    bl_label = "Shell"

    thickness: declared("MeshObstacle", "thickness", SHELL_METRES)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Sets the obstacle's thickness."""
        obj = self.mended(context)
        if obj is None:
            return {"CANCELLED"}
        if obj.artfish.kind != "OBSTACLE":
            return self.refuse(
                translated("{obj} is the tank, which must be closed: use its hull or a remesh instead", obj=obj.name)
            )
        solid = obj.artfish.solid
        solid.use_thickness, solid.thickness = True, self.thickness
        doubt(context.scene.session_uid, obj.name, "")
        return {"FINISHED"}


def _stand_in(obj: bpy.types.Object, name: str, add: Any) -> bpy.types.Object:
    """A copy in the water in place of an object, which it follows."""
    copy = obj.copy()
    copy.name = f"{obj.name} {name}"
    copy.animation_data_clear()
    copy.constraints.clear()
    for modifier in [each for each in copy.modifiers if each.type == "PARTICLE_SYSTEM"]:
        copy.modifiers.remove(modifier)
    copy.parent, copy.parent_type = obj, "OBJECT"
    copy.matrix_parent_inverse = copy.matrix_basis = Matrix()
    copy.delta_location = copy.delta_rotation_euler = (0.0, 0.0, 0.0)
    copy.delta_rotation_quaternion, copy.delta_scale = (1.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    add(copy)
    copy.display_type, copy.hide_render, copy.artfish.made = "WIRE", True, True
    for home in obj.users_collection:
        if home.library is None:
            home.objects.link(copy)
    obj.artfish.kind = "NONE"
    return copy


def _add_hull(copy: bpy.types.Object) -> None:
    """Add a modifier with the single node that makes the hull."""
    modifier: Any = copy.modifiers.new("Convex Hull", "NODES")
    tree = bpy.data.node_groups.get(HULL_NODES)
    if tree is None or tree.library is not None or tree.bl_idname != "GeometryNodeTree":
        tree = new_modifier_group(HULL_NODES, {}, _hull)
    modifier.node_group = tree


def _hull(graph: Graph, given: Outputs) -> Term:
    return graph.node("GeometryNodeConvexHull", {"Geometry": given["Geometry"]}).first


CLASSES = (
    ARTFISH_OT_select_open_edges,
    ARTFISH_OT_convex_hull,
    ARTFISH_OT_voxel_remesh,
    ARTFISH_OT_shell,
)
