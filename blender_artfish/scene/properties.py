"""An animator's settings of the scene, kept with scenes and objects, so that a saved file has them.

Anything in the water is an object whose `artfish.kind` is its role: it may be renamed, moved, scaled, linked
or deleted like any other. The numbers come from the declarations in core/ (see `declared`). The annotations of a
property group are calls that Blender evaluates, so they are not postponed here.
"""

from typing import Any

import bpy

from ..bake.properties import ArtfishBake
from ..blender.declarations import DECLARATIONS, group
from ..blender.handlers import notify
from ..blender.package import PRESETS
from ..breeding.generations import ArtfishGenerations
from ..direction.instruction_properties import ArtfishInstruction, ArtfishSpot
from ..direction.properties import (
    EVENT_ITEMS,
    ArtfishArrival,
    ArtfishCurve,
    ArtfishDirection,
    ArtfishFollow,
    ArtfishFood,
    ArtfishFright,
    ArtfishMark,
    ArtfishRelation,
    ArtfishSchool,
    ArtfishSync,
    ArtfishTarget,
    ArtfishWants,
    flag,
)
from ..export.properties import ArtfishExport
from ..habits.properties import ArtfishHabits, ArtfishMember, ArtfishMind
from ..identity.film_frames import shown_in_frames
from ..identity.roles import choose
from ..identity.units import display_size, extent_of, metres_of, set_extent
from ..physics.properties import ArtfishDetail, ArtfishWater
from ..species import library
from ..species.memory import ArtfishMemory
from ..species.properties import ArtfishSpecies
from .naming import renamed

SHELL_METRES = 0.02
"""Default thickness of a shell."""
SEA_TYPES = tuple(next(field for field in DECLARATIONS["Water"] if field["name"] == "type")["choices"])
WHOLE = 1e-4
"""Share of the way to the next type that single precision may lack."""
made_by: Any = bpy.props  # by the stubs its functions return nothing
KINDS = (
    ("NONE", "Nothing", "No part of the scene that fishes live in"),
    ("SHOAL", "Shoal", "Where fishes begin"),
    ("TANK", "Tank", "The water: a box, or the inside of a closed mesh"),
    ("OBSTACLE", "Obstacle", "A mesh, and its instances, that fishes steer clear of"),
    ("BED", "Sea bed", "A mesh whose upper side is the bed of the sea"),
    ("CURRENT", "Current", "Where the water moves"),
    ("PLANKTON", "Plankton", "Food that drifts"),
    ("SEAWEED", "Seaweed", "A cluster of leaves"),
    ("BUBBLES", "Bubbles", "A place on the bed where bubbles rise"),
    ("HOOK", "Hook", "A fishing hook with bait, on a line"),
    ("HEAT", "Heat source", "A hot vent, or a cold seep"),
    ("SPOT", "Place", "A place with a name, for instructions"),
    ("CAMERA", "Camera", "Where the film is shot from"),
    ("DIRECTION", "Direction", "Leads fishes: a target, a curve, a region, or whom to follow"),
    ("EVENT", "Event", "Something that happens at its time"),
)


def names_of(kind: str) -> list[str]:
    """Names of the presets of a kind, "scenes" or "species", by their files: nothing is read."""
    return sorted(path.stem for path in (PRESETS / kind).glob("*.json"))


def preset_items() -> list[tuple[str, str, str]]:
    """The preset scenes, listed without reading their files."""
    return [(name, library.label(name).title(), "A preset scene") for name in names_of("scenes")]


def _found(settings: bpy.types.PropertyGroup, context: bpy.types.Context, typed: str) -> list[str]:
    return [name for name in library.names(context.scene) if typed.lower() in name]


def _sized(settings: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Updates an empty's display size to its spread or radius, then notifies listeners."""
    owner = settings.id_data
    if isinstance(owner, bpy.types.Object) and owner.type == "EMPTY":
        across = getattr(settings, "spread", getattr(settings, "radius", 0.3))
        owner.empty_display_size = display_size(owner, across, metres_of(owner))
    notify(settings, context)


CURRENT_SHAPES = {"uniform": "SINGLE_ARROW", "vortex": "SINGLE_ARROW", "source": "SPHERE", "sink": "SPHERE"}
"""Display type of the empty of each kind of current."""


def _turned(settings: Any, context: bpy.types.Context) -> None:
    """Updates the display type of a current's empty."""
    if settings.id_data.type == "EMPTY":
        owner = settings.id_data
        owner.empty_display_type = CURRENT_SHAPES[settings.kind]
        owner.artfish.dot = owner.artfish.made and owner.empty_display_type == "SPHERE"
    _sized(settings, context)


ArtfishShoal = group(
    "ArtfishShoal",
    "FishGroup",
    "Fishes of one species that begin near each other.",
    without=("at", "heading"),
    more={
        "species": made_by.StringProperty(
            name="Species", description="Which fishes they are", default="clownfish", search=_found, update=renamed
        ),
        "controller": made_by.StringProperty(
            name="Controller", description="What it has learned to swim by, as its file has it", update=notify
        ),
        "use_heading": made_by.BoolProperty(
            name="Heading", description="They begin headed along the empty's own X; any way if off", update=notify
        ),
        **shown_in_frames("FishGroup"),
    },
    update=_sized,
)
ArtfishCurrent = group(
    "ArtfishCurrent",
    "UniformCurrent",
    "Water that moves.",
    only=("strength", "period"),
    more={
        "kind": made_by.EnumProperty(
            name="Kind",
            description="How the water moves",
            items=[
                ("uniform", "Uniform", "Alike everywhere, along the arrow"),
                ("source", "Source", "Out of this place"),
                ("sink", "Sink", "Into this place"),
                ("vortex", "Vortex", "Around the arrow"),
            ],
            update=_turned,
        ),
        "radius": made_by.FloatProperty(
            name="Radius (m)",
            description="Distance at which the water has that speed; it fades farther out",
            default=0.5,
            min=0.001,
            max=10_000.0,
            soft_max=5.0,
            update=_sized,
        ),
    },
)
ArtfishPlankton = group("ArtfishPlankton", "Plankton", "Food that drifts.", without=("at",), update=_sized)
ArtfishSeaweed = group("ArtfishSeaweed", "Seaweed", "A cluster of leaves.", without=("at",), update=_sized)
ArtfishBubbles = group("ArtfishBubbles", "Vent", "Where bubbles rise.", without=("at",), update=_sized)
ArtfishHook = group("ArtfishHook", "Hook", "A hook with bait.", without=("at",), more=shown_in_frames("Hook"))
ArtfishHeat = group("ArtfishHeat", "HeatSource", "A hot vent or a cold seep.", without=("at",), update=_sized)
ArtfishPillar = group(
    "ArtfishPillar",
    "Cylinder",
    "How water goes around an upright pillar.",
    only=("deflection", "outflow", "growth"),
    more={
        "upright": made_by.BoolProperty(
            name="Pillar",
            description="An upright cylinder, as wide and high as the object: water goes around it",
            update=notify,
        )
    },
)

ArtfishSolid = group(
    "ArtfishSolid",
    "MeshObstacle",
    "What is inside a mesh.",
    only=("thickness", "weave", "growth"),
    defaults={"thickness": SHELL_METRES},
)


class ArtfishMovement(bpy.types.PropertyGroup):
    """Motion of an obstacle, and its presence to fishes."""

    moves: bpy.props.EnumProperty(
        name="Moves",
        description="How fishes have it move",
        items=(
            ("AUTO", "As animated", "As keys, parents, constraints, simulations and modifiers have it in the film"),
            ("HAND", "By hand", "Move it while fishes play live: it pushes them, and they go on"),
            ("STILL", "Stands still", "It stands where it is when the film begins, whatever moves it"),
        ),
        default="AUTO",
        update=notify,
    )
    spacing: bpy.props.IntProperty(
        name="Sample every (frames)",
        description="Where Blender must go through the film to see how it moves: at every so many frames",
        default=1,
        min=1,
        soft_max=12,
        update=notify,
    )
    presence: bpy.props.EnumProperty(
        name="Presence",
        description="What fishes take it for when they see it",
        items=(
            ("NONE", "An obstacle", "It is only in the way"),
            ("PREDATOR", "A predator", "Prey gathers before it and scatters when it is near; pacifists are curious"),
            ("PACIFIST", "Somebody harmless", "Nobody fears it, and pacifists come for a look"),
            ("LURE", "A lure", "Whoever is hungry comes, and finds nothing to eat"),
        ),
        default="NONE",
        update=notify,
    )


class ArtfishObject(bpy.types.PropertyGroup):
    """Role of an object in the scene that fishes live in."""

    kind: bpy.props.EnumProperty(name="Kind", description="What it is", items=KINDS, update=notify)
    order: bpy.props.IntProperty(name="Order", description="Among its kind, by age", options={"HIDDEN"})
    made: bpy.props.BoolProperty(name="Made", description="Whether Artfish made it", options={"HIDDEN"})
    dot: bpy.props.BoolProperty(
        name="Dot", description="Whether its extent is drawn only where it is selected", options={"HIDDEN"}
    )
    extent: bpy.props.FloatProperty(
        name="Radius",
        description="Half its width where it is not scaled",
        unit="LENGTH",
        min=1e-4,
        get=lambda role: extent_of(role.id_data),
        set=lambda role, value: set_extent(role.id_data, value),
    )
    distance: bpy.props.FloatProperty(
        name="Distance (m)", description="To what a camera looks at", default=1.0, min=1e-4
    )
    everywhere: bpy.props.BoolProperty(
        name="Everywhere", description="In all of the tank, not only around this place", default=True, update=notify
    )
    shoal: bpy.props.PointerProperty(type=ArtfishShoal)
    habits: bpy.props.PointerProperty(type=ArtfishHabits)
    mind: bpy.props.PointerProperty(type=ArtfishMind)
    members: bpy.props.CollectionProperty(type=ArtfishMember)
    memory: bpy.props.PointerProperty(type=ArtfishMemory)
    active_member: bpy.props.IntProperty(name="Fish", description="Which single fish the panel shows", default=-1)
    current: bpy.props.PointerProperty(type=ArtfishCurrent)
    plankton: bpy.props.PointerProperty(type=ArtfishPlankton)
    seaweed: bpy.props.PointerProperty(type=ArtfishSeaweed)
    bubbles: bpy.props.PointerProperty(type=ArtfishBubbles)
    hook: bpy.props.PointerProperty(type=ArtfishHook)
    heat: bpy.props.PointerProperty(type=ArtfishHeat)
    spot: bpy.props.PointerProperty(type=ArtfishSpot)
    pillar: bpy.props.PointerProperty(type=ArtfishPillar)
    solid: bpy.props.PointerProperty(type=ArtfishSolid)
    movement: bpy.props.PointerProperty(type=ArtfishMovement)
    direction: bpy.props.PointerProperty(type=ArtfishDirection)
    target: bpy.props.PointerProperty(type=ArtfishTarget)
    arrival: bpy.props.PointerProperty(type=ArtfishArrival)
    curve: bpy.props.PointerProperty(type=ArtfishCurve)
    follow: bpy.props.PointerProperty(type=ArtfishFollow)
    school: bpy.props.PointerProperty(type=ArtfishSchool)
    wants: bpy.props.PointerProperty(type=ArtfishWants)
    event: bpy.props.EnumProperty(name="Event", description="What happens", items=EVENT_ITEMS, update=notify)
    food: bpy.props.PointerProperty(type=ArtfishFood)
    fright: bpy.props.PointerProperty(type=ArtfishFright)
    on_timeline: flag(
        "On the Timeline",
        "Whether it has a marker where events are shown on the timeline; without one it happens all the same",
        True,
    )
    number: bpy.props.IntProperty(name="Number", description="Of its marker", options={"HIDDEN"})
    locked: bpy.props.BoolProperty(
        name="Locked", description="Whether this baked fish stays as it is when others are baked again"
    )


ArtfishLight = group("ArtfishLight", "Light", "Daylight in the water.")


def _murk(settings: Any) -> float:
    """Position of its water among the types, from the clearest, 0."""
    return SEA_TYPES.index(settings.type) + settings.turbidity


def _set_murk(settings: Any, place: float) -> None:
    """Sets water between the types by its position."""
    row = min(int(place + WHOLE), len(SEA_TYPES) - 1)
    settings.type, settings.turbidity = SEA_TYPES[row], max(place - row, 0.0)


ArtfishSea = group(
    "ArtfishSea",
    "Water",
    "How clear the water is.",
    more={
        "on": made_by.BoolProperty(
            name="Type of Water",
            description="Light fades and the water is coloured as in water of this type; else by the attenuation alone",
            update=notify,
        ),
        "murk": made_by.FloatProperty(
            name="Murk",
            description="From the clearest ocean, 0, to the murkiest coast, 9: the type, and how far on to the next",
            min=0.0,
            max=len(SEA_TYPES) - 1.0,
            get=_murk,
            set=_set_murk,
        ),
    },
)
ArtfishStage = group(
    "ArtfishStage",
    "Stage",
    "What stands around the fishes in a film.",
    without=("painted",),
    more={
        "painted": made_by.StringProperty(
            name="Painted", description="Where it grows, as a scene file has it", options={"HIDDEN"}
        )
    },
)
ArtfishTemperature = group("ArtfishTemperature", "Temperature", "Warmth of the water.")
ArtfishTerrain = group("ArtfishTerrain", "Terrain", "Random hills on the bed.", without=("heights",))


def _active_shoal(settings: Any) -> int:
    """Index of the active shoal among all objects, -1 without one."""
    obj = getattr(bpy.context, "object", None)  # not there while files are opened
    return -1 if obj is None or obj.artfish.kind != "SHOAL" else bpy.data.objects.find(obj.name)


def _activate(settings: Any, row: int) -> None:
    """Selects the shoal at an index, as a click in the Outliner would."""
    if bpy.context.mode == "OBJECT" and 0 <= row < len(bpy.data.objects):
        choose(bpy.context, bpy.data.objects[row])


class ArtfishSettings(bpy.types.PropertyGroup):
    """Settings of a whole scene."""

    preset: bpy.props.EnumProperty(name="Preset", description="A preset scene", items=preset_items(), default="reef")
    former_camera: bpy.props.PointerProperty(
        type=bpy.types.Object,
        name="Former Camera",
        description="The scene's camera before that of a preset",
        options={"HIDDEN"},
    )
    seed: bpy.props.IntProperty(
        name="Seed",
        description="Another seed gives other fishes in the same scene",
        default=0,
        min=0,
        update=notify,
    )
    flow: bpy.props.BoolProperty(
        name="Currents", description="Whether the water moves; off, currents stand still", default=True, update=notify
    )
    still_water: bpy.props.BoolProperty(
        name="No hydrodynamics", description="Whether water and fins push nothing, as in air", update=notify
    )
    instructions: bpy.props.StringProperty(
        name="Instructions",
        description='Of an earlier version, as in a scene file: {"marks": [...], "instructions": [...]}; they count',
        update=notify,
    )
    instruction_rows: bpy.props.CollectionProperty(type=ArtfishInstruction)
    active_instruction: bpy.props.IntProperty(
        name="Instruction", description="Which instruction the panel shows", default=0
    )
    relations: bpy.props.CollectionProperty(type=ArtfishRelation)
    active_relation: bpy.props.IntProperty(
        name="Relation", description="Which relation the panel shows", default=-1, options={"HIDDEN"}
    )
    grudges: flag(
        "Grudges", "Fishes come to fear whoever chased them in vain, and to dislike whoever drove them off; both fade"
    )
    hills: bpy.props.BoolProperty(
        name="Random hills", description="Hills on the bed, unless a mesh is the sea bed", update=notify
    )
    shown: bpy.props.IntProperty(
        name="Active Shoal",
        description="Which object the list of shoals shows: the active shoal",
        min=-1,
        get=_active_shoal,
        set=_activate,
    )
    water: bpy.props.PointerProperty(type=ArtfishWater)
    detail: bpy.props.PointerProperty(type=ArtfishDetail)
    generations: bpy.props.PointerProperty(type=ArtfishGenerations)
    stage: bpy.props.PointerProperty(type=ArtfishStage)
    sea: bpy.props.PointerProperty(type=ArtfishSea)
    light: bpy.props.PointerProperty(type=ArtfishLight)
    temperature: bpy.props.PointerProperty(type=ArtfishTemperature)
    terrain: bpy.props.PointerProperty(type=ArtfishTerrain)
    species: bpy.props.CollectionProperty(type=ArtfishSpecies)
    active_species: bpy.props.IntProperty(
        name="Species", description="Which species the panel shows", default=-1, update=notify
    )
    deletions: bpy.props.IntProperty(
        name="Deletions", description="Of species of your own, but for those undone", options={"HIDDEN"}
    )
    bake: bpy.props.PointerProperty(type=ArtfishBake)
    export: bpy.props.PointerProperty(type=ArtfishExport)
    sync: bpy.props.PointerProperty(type=ArtfishSync)
    timeline: flag(
        "On the Timeline", "Show when things happen as markers on the timeline: drag one to change its event's time"
    )
    show_seconds: bpy.props.BoolProperty(
        name="Seconds", description="Show times of the film in seconds; off, in frames, as the timeline does"
    )
    marks: bpy.props.CollectionProperty(type=ArtfishMark)


def settings_of(context: bpy.types.Context) -> ArtfishSettings:
    """The settings of the scene that is open."""
    return context.scene.artfish


CLASSES = (
    ArtfishShoal,
    ArtfishCurrent,
    ArtfishPlankton,
    ArtfishSeaweed,
    ArtfishBubbles,
    ArtfishHook,
    ArtfishHeat,
    ArtfishPillar,
    ArtfishSolid,
    ArtfishMovement,
    ArtfishObject,
    ArtfishLight,
    ArtfishSea,
    ArtfishTemperature,
    ArtfishStage,
    ArtfishTerrain,
    ArtfishSettings,
)


def register() -> None:
    """Adds the settings to each scene and object."""
    bpy.types.Scene.artfish = bpy.props.PointerProperty(type=ArtfishSettings)  # type: ignore
    bpy.types.Object.artfish = bpy.props.PointerProperty(type=ArtfishObject)  # type: ignore


def unregister() -> None:
    """Removes the settings; saved values stay in the file."""
    del bpy.types.Object.artfish
    del bpy.types.Scene.artfish
