"""Settings of a bake.

The annotations of a property group are calls that Blender evaluates, so they are not postponed here.
"""

import bpy


class ArtfishBake(bpy.types.PropertyGroup):
    """Contents and form of a bake."""

    source: bpy.props.EnumProperty(
        name="Source",
        description="What is baked",
        items=[
            ("AUTO", "Automatic", "This scene's own fishes where there are any, else a preset"),
            ("SCENE", "This Scene", "The fishes and whatever else stands in this scene's water"),
            ("PRESET", "Preset", "A preset scene"),
            ("FILE", "File", "A scene file (.json) or a recording (.npz)"),
        ],
    )
    file: bpy.props.StringProperty(
        name="File", description="A scene file (.json) or a recording (.npz)", subtype="FILE_PATH"
    )
    own_range: bpy.props.BoolProperty(
        name="Own Range", description="The film has other frames than the scene's frame range"
    )
    first: bpy.props.IntProperty(
        name="From", description="Frame at which the film begins", default=1, min=-100_000, max=1_000_000
    )
    last: bpy.props.IntProperty(name="To", description="Its last frame", default=120, min=-100_000, max=1_000_000)
    form: bpy.props.EnumProperty(
        name="Form",
        description="What is keyed",
        items=[
            ("mesh", "Mesh", "One mesh a fish, moved by bones or shape keys: for modifiers, exports and games"),
            ("points", "Points", "Every control point: exact, and plain to edit"),
            ("compact", "Compact", "A few shape keys a surface: plays two to three times faster"),
            (
                "cache",
                "Cache",
                "One mesh a fish, its motion in a file beside this one: exact, and plays fastest",
            ),
            ("crowd", "Crowd", "One object a shoal, whose fishes take poses of a table: plays thousands"),
        ],
        default="compact",
    )
    drive: bpy.props.EnumProperty(
        name="Drive",
        description="What moves the mesh of a fish",
        items=[
            ("armature", "Armature", "Bones: what games and other programs read"),
            ("shapes", "Shape Keys", "A few shape keys: nearer to the simulated body, in larger files"),
        ],
    )
    stretch_free: bpy.props.BoolProperty(
        name="Stretch-Free",
        description="Bones keep their places on one another, as some game engines need it; bodies are then off by a "
        "few hundredths of a length",
    )
    heroes: bpy.props.IntProperty(
        name="Heroes",
        description="How many fishes of a crowd may be objects with surfaces of their own while they are near: those "
        "that come nearest to the camera, for their size",
        default=0,
        min=0,
        max=1000,
        soft_max=50,
    )
    near: bpy.props.FloatProperty(
        name="Fine Within",
        description="How near to the camera, in its own lengths, a fish of a crowd has all its vertices, and a hero "
        "has surfaces",
        default=12.0,
        min=0.0,
        max=1e6,
        soft_max=100.0,
        step=100,
        precision=1,
    )
    far: bpy.props.FloatProperty(
        name="Coarse Beyond",
        description="From how far on, in its own lengths, a fish of a crowd has only a few vertices left",
        default=45.0,
        min=0.0,
        max=1e6,
        soft_max=500.0,
        step=100,
        precision=1,
    )
    tolerance: bpy.props.FloatProperty(
        name="Tolerance",
        description="How far any point may be off at any frame, in body lengths; 0 keys every frame",
        default=0.002,
        min=0.0,
        max=0.5,
        soft_max=0.02,
        step=0.1,
        precision=4,
    )
    fishes: bpy.props.BoolProperty(name="Fishes", description="Bake the fishes", default=True)
    plankton: bpy.props.BoolProperty(name="Plankton", description="Bake drifting food", default=True)
    bubbles: bpy.props.BoolProperty(name="Bubbles", description="Bake rising bubbles", default=True)
    spawn: bpy.props.BoolProperty(name="Spawn", description="Bake eggs and milt", default=True)
    seaweed: bpy.props.BoolProperty(name="Seaweed", description="Bake leaves that sway", default=True)
    hook: bpy.props.BoolProperty(name="Hook", description="Bake the hook, its bait and its line", default=True)
    stage: bpy.props.BoolProperty(
        name="Stage", description="Also make sand, pillars, corals, water, light and a camera", default=False
    )
    film: bpy.props.BoolProperty(
        name="Film with It",
        description="Have this scene filmed with the stage's camera, under its sky, by Cycles with settings of its "
        "own; else camera, world and render settings stay as they are",
    )
    beside: bpy.props.BoolProperty(name="Keep the Last Bake", description="Bake beside the last bake, not in its place")


CLASSES = (ArtfishBake,)
