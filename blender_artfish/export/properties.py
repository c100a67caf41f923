"""Settings of an export.

The annotations of a property group are calls that Blender evaluates, so they are not postponed here.
"""

import bpy


class ArtfishExport(bpy.types.PropertyGroup):
    """Which fishes go into which file, and how."""

    format: bpy.props.EnumProperty(
        name="Format",
        description="What is written",
        items=[
            (".abc", "Alembic (.abc)", "Meshes that deform, without materials: for film and effects"),
            (".usdc", "USD (.usdc)", "Skinned fishes or blend shapes, pictures beside the file: for film and effects"),
            (".usdz", "USD in one file (.usdz)", "The same with its pictures within: for phones and web pages"),
            (".usda", "USD as text (.usda)", "The same as text; of a crowd, instances of a few poses"),
            (".glb", "glTF (.glb)", "Skinned fishes that share a mesh, pictures within: for games and web pages"),
            (".fbx", "FBX (.fbx)", "Skinned fishes, pictures within: for Unity, Unreal, Maya"),
        ],
        default=".glb",
    )
    who: bpy.props.EnumProperty(
        name="Fishes",
        description="Which fishes are written",
        items=[
            ("all", "All", "All baked fishes of this scene"),
            ("selected", "Selected", "Fishes of which anything is selected, or what they hang on"),
            ("shoal", "Shoal", "The fishes of a collection, such as that of a species"),
        ],
    )
    shoal: bpy.props.PointerProperty(
        name="Shoal", description="A collection with baked fishes", type=bpy.types.Collection
    )
    own_range: bpy.props.BoolProperty(
        name="Own Range", description="Other frames are written than those of the scene's frame range"
    )
    first: bpy.props.IntProperty(name="From", description="First frame that is written", default=1, min=-100_000)
    last: bpy.props.IntProperty(name="To", description="Last frame that is written", default=120, min=-100_000)
    up: bpy.props.EnumProperty(
        name="Up",
        description="Which axis points up in the file",
        items=[
            ("AUTO", "As Usual", "Y in Alembic, glTF and FBX, Z in USD"),
            ("Y", "Y", "Y points up, as in Maya and Unity"),
            ("Z", "Z", "Z points up, as in Blender and Unreal"),
        ],
    )
    scale: bpy.props.FloatProperty(
        name="Scale",
        description="Factor on all lengths: 100 makes centimetres of metres",
        default=1.0,
        min=1e-6,
        max=1e6,
        soft_min=0.01,
        soft_max=100.0,
    )
    textures: bpy.props.BoolProperty(
        name="Textures",
        description="Paint materials into pictures; else other programs see plain colours",
        default=True,
    )
    file: bpy.props.StringProperty(
        name="File",
        description="Where it is written; the ending is that of the format",
        default="//fishes",
        subtype="FILE_PATH",
        options={"ANIMATABLE", "PATH_SUPPORTS_BLEND_RELATIVE"},
    )


CLASSES = (ArtfishExport,)
