"""What an animator sets in the panels; kept with scenes and objects, so that a saved file remembers it.

Whatever stands in the water is an object whose `artfish.kind` says what it is: it may be renamed, moved, scaled, linked
or deleted like any other. The numbers come from the declarations in core/ (see `declared`). The annotations of a
property group are calls that Blender evaluates, so they are not postponed here.
"""

from typing import Any

import bpy

from ..blender.declarations import group
from ..blender.handlers import notify
from ..blender.package import PRESETS
from ..identity.roles import choose
from ..species import library, proportions

SMALLEST, LARGEST = 0.05, 1000.0
"""Metres, below which an empty would hardly be seen, and over which Blender shows none."""
made_by: Any = bpy.props  # whose functions return nothing, say the stubs

KINDS = (
    ("NONE", "Nothing", "No part of the scene that fishes live in"),
    ("SHOAL", "Shoal", "Where fishes begin"),
    ("TANK", "Tank", "The water: a box, or the inside of a closed mesh"),
    ("OBSTACLE", "Obstacle", "A closed mesh that fishes steer clear of"),
    ("BED", "Sea bed", "A mesh whose upper side is the bed of the sea"),
    ("CURRENT", "Current", "Where the water moves"),
    ("PLANKTON", "Plankton", "Food that drifts"),
    ("SEAWEED", "Seaweed", "A cluster of leaves"),
    ("BUBBLES", "Bubbles", "A place on the bed where bubbles rise"),
    ("HOOK", "Hook", "A fishing hook with bait, on a line"),
    ("HEAT", "Heat source", "A hot vent, or a cold seep"),
    ("CAMERA", "Camera", "Where the film is shot from"),
    ("DIRECTION", "Direction", "Leads fishes: a target, a curve, a region, or whom to follow"),
    ("EVENT", "Event", "Something that happens at its time"),
)


def names_of(kind: str) -> list[str]:
    """Names of the presets of a kind, "scenes" or "species", by their files: nothing is read."""
    return sorted(path.stem for path in (PRESETS / kind).glob("*.json"))


def preset_items() -> list[tuple[str, str, str]]:
    """The preset scenes: reading them waits until one is wanted."""
    return [(name, name.replace("_", " ").title(), f"The preset scene {name}") for name in names_of("scenes")]


def _found(settings: bpy.types.PropertyGroup, context: bpy.types.Context, typed: str) -> list[str]:
    return [name for name in library.names(context.scene) if typed.lower() in name]


def display_size(across: float) -> float:
    """How large an empty of this spread or radius is shown, in metres."""
    return min(max(across, SMALLEST), LARGEST)


def _sized(settings: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Shows an empty as large as its spread or radius, then tells who listens."""
    owner = settings.id_data
    if isinstance(owner, bpy.types.Object) and owner.type == "EMPTY":
        across = getattr(settings, "spread", getattr(settings, "radius", 0.3))
        owner.empty_display_size = display_size(across)
    notify(settings, context)


ARROWS = {"uniform": "SINGLE_ARROW", "vortex": "SINGLE_ARROW", "source": "SPHERE", "sink": "SPHERE"}
"""How the empty of each kind of current looks."""


def _turned(settings: Any, context: bpy.types.Context) -> None:
    """Shows the empty of a current as its kind is."""
    if settings.id_data.type == "EMPTY":
        settings.id_data.empty_display_type = ARROWS[settings.kind]
    _sized(settings, context)


ArtfishShoal = group(
    "ArtfishShoal",
    "FishGroup",
    "Fishes of one species that begin near each other.",
    without=("at", "heading"),
    more={
        "species": made_by.StringProperty(
            name="Species", description="Which fishes they are", default="clownfish", search=_found, update=notify
        ),
        "use_heading": made_by.BoolProperty(
            name="Heading", description="They begin headed along the empty's own X; any way if off", update=notify
        ),
    },
    update=_sized,
)
ArtfishHabits = group("ArtfishHabits", "Habits", "What fishes like.")
ArtfishMind = group("ArtfishMind", "DrivesChange", "Where minds differ from their species.", defaults="Drives")
ArtfishMember = group(
    "ArtfishMember",
    "Member",
    "A fish of a shoal that differs from the others.",
    more={
        "number": made_by.IntProperty(
            name="Fish",
            description="Which fish of the shoal, counted from 1",
            min=1,
            max=100_000,
            soft_max=60,
            get=lambda member: member.index + 1,
            set=lambda member, number: setattr(member, "index", number - 1),
        ),
        "habits": made_by.PointerProperty(type=ArtfishHabits),
        "mind": made_by.PointerProperty(type=ArtfishMind),
    },
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
            name="Radius",
            description="Distance at which the water has that speed; it fades farther out",
            default=0.5,
            min=0.001,
            max=10_000.0,
            soft_max=5.0,
            subtype="DISTANCE",
            unit="LENGTH",
            update=_sized,
        ),
    },
)
ArtfishPlankton = group("ArtfishPlankton", "Plankton", "Food that drifts.", without=("at",), update=_sized)
ArtfishSeaweed = group("ArtfishSeaweed", "Seaweed", "A cluster of leaves.", without=("at",), update=_sized)
ArtfishBubbles = group("ArtfishBubbles", "Vent", "Where bubbles rise.", without=("at",), update=_sized)
ArtfishHook = group("ArtfishHook", "Hook", "A hook with bait.", without=("at",))
ArtfishHeat = group("ArtfishHeat", "HeatSource", "A hot vent or a cold seep.", without=("at",), update=_sized)
ArtfishPillar = group(
    "ArtfishPillar",
    "Cylinder",
    "How water goes around an upright pillar.",
    only=("deflection", "outflow"),
    more={
        "upright": made_by.BoolProperty(
            name="Pillar",
            description="An upright cylinder, as wide and high as the object: water goes around it",
            update=notify,
        )
    },
)


DIRECTIONS = (
    ("target", "Target", "A place to go to and to stay at; it may move"),
    ("curve", "Curve", "A curve to swim along"),
    ("region", "Region", "A sphere or a box to stay in or out of"),
    ("leader", "Leader", "A shoal, or a fish of it, to follow"),
)
EVENTS = (
    ("food", "Food", "Food that is dropped into the water"),
    ("fright", "Fright", "A disturbance that frightens whoever is near, as a predator there would"),
)


def _is_shoal(held: Any, thing: bpy.types.Object) -> bool:
    return thing.artfish.kind == "SHOAL"


def _shoal_pointer(name: str, description: str) -> Any:
    return made_by.PointerProperty(
        type=bpy.types.Object, name=name, description=description, poll=_is_shoal, update=notify
    )


def _which_fish(name: str, description: str) -> Any:
    return made_by.IntProperty(name=name, description=description, min=0, max=99_999, update=notify)


def _flag(name: str, description: str, default: bool = False) -> Any:
    return made_by.BoolProperty(name=name, description=description, default=default, update=notify)


ArtfishDirection = group(
    "ArtfishDirection",
    "Target",
    "Who is led, how strongly, and by what.",
    only=("strength",),
    more={
        "kind": made_by.EnumProperty(name="Kind", description="What leads", items=DIRECTIONS, update=notify),
        "fishes": _shoal_pointer("Leads", "The shoal that is led; every shoal if left empty"),
        "one_fish": _flag("One Fish", "Lead one fish of the shoal, not all of it"),
        "member": _which_fish("Fish", "Which fish of the shoal, counted from 0"),
        "inside": _flag("Stay Inside", "Whether to stay in it; off, to stay out of it", True),
        "leader": _shoal_pointer("Follow", "The shoal that is followed"),
        "one_leader": _flag("One Leader", "Follow one fish of the shoal, not its middle"),
        "leader_member": _which_fish("Leader", "Which fish of the shoal is followed, counted from 0"),
    },
)
ArtfishTarget = group("ArtfishTarget", "Target", "A place to go to.", only=("radius",))
ArtfishCurve = group("ArtfishCurve", "Curve", "When a curve leads.", only=("start", "duration"))
ArtfishFollow = group("ArtfishFollow", "Leader", "How near a leader.", only=("radius",))
ArtfishFood = group("ArtfishFood", "Food", "Food that is dropped.", without=("kind", "at"))
ArtfishFright = group("ArtfishFright", "Fright", "A disturbance.", without=("kind", "at"))


def _want(name: str, description: str) -> dict[str, Any]:
    return {
        f"use_{name}": _flag(f"Direct {name.capitalize()}", f"Say what {name} is, in place of what is felt"),
        name: made_by.FloatProperty(
            name=name.capitalize(), description=description, min=0.0, max=1.0, subtype="FACTOR", update=notify
        ),
    }


class ArtfishWants(bpy.types.PropertyGroup):
    """What fishes of a shoal feel by direction; may be keyed."""

    __annotations__ = {
        **_want("hunger", "How hungry they are; may be keyed"),
        **_want("libido", "How amorous they are; may be keyed"),
        **_want("fear", "How much they fear, of what is right behind them; may be keyed"),
        "use_until": _flag("Ends", "Nature takes over again at some frame"),
        "until": made_by.IntProperty(
            name="Until",
            description="Frame from which on nature takes over again",
            default=100,
            options=set(),
            update=notify,
        ),
    }


class ArtfishObject(bpy.types.PropertyGroup):
    """What an object is in the scene that fishes live in."""

    kind: bpy.props.EnumProperty(name="Kind", description="What it is", items=KINDS, update=notify)
    order: bpy.props.IntProperty(name="Order", description="Among its kind, by age", options={"HIDDEN"})
    made: bpy.props.BoolProperty(name="Made", description="Whether Artfish made it", options={"HIDDEN"})
    distance: bpy.props.FloatProperty(name="Distance", description="To what a camera looks at", default=1.0, min=1e-4)
    everywhere: bpy.props.BoolProperty(
        name="Everywhere", description="In all of the tank, not only around this place", default=True, update=notify
    )
    shoal: bpy.props.PointerProperty(type=ArtfishShoal)
    habits: bpy.props.PointerProperty(type=ArtfishHabits)
    mind: bpy.props.PointerProperty(type=ArtfishMind)
    members: bpy.props.CollectionProperty(type=ArtfishMember)
    active_member: bpy.props.IntProperty(name="Fish", description="Which single fish the panel shows", default=-1)
    current: bpy.props.PointerProperty(type=ArtfishCurrent)
    plankton: bpy.props.PointerProperty(type=ArtfishPlankton)
    seaweed: bpy.props.PointerProperty(type=ArtfishSeaweed)
    bubbles: bpy.props.PointerProperty(type=ArtfishBubbles)
    hook: bpy.props.PointerProperty(type=ArtfishHook)
    heat: bpy.props.PointerProperty(type=ArtfishHeat)
    pillar: bpy.props.PointerProperty(type=ArtfishPillar)
    direction: bpy.props.PointerProperty(type=ArtfishDirection)
    target: bpy.props.PointerProperty(type=ArtfishTarget)
    curve: bpy.props.PointerProperty(type=ArtfishCurve)
    follow: bpy.props.PointerProperty(type=ArtfishFollow)
    wants: bpy.props.PointerProperty(type=ArtfishWants)
    event: bpy.props.EnumProperty(name="Event", description="What happens", items=EVENTS, update=notify)
    food: bpy.props.PointerProperty(type=ArtfishFood)
    fright: bpy.props.PointerProperty(type=ArtfishFright)
    on_timeline: _flag(
        "On the Timeline",
        "Whether it has a marker where events are shown on the timeline; without one it happens all the same",
        True,
    )
    number: bpy.props.IntProperty(name="Number", description="Of its marker", options={"HIDDEN"})


ArtfishBody = group("ArtfishBody", "Body", "Masses and springs.")
ArtfishRhythm = group("ArtfishRhythm", "Rhythm", "How it swims.")
ArtfishSteering = group("ArtfishSteering", "Steering", "How it turns.")
ArtfishPectoral = group("ArtfishPectoral", "Pectoral", "How its pectoral fins push.")
ArtfishForm = group("ArtfishForm", "Form", "Its surfaces.", more=proportions.properties())
ArtfishLooks = group("ArtfishLooks", "Looks", "Its colours and markings.")
ArtfishTemperament = group("ArtfishTemperament", "Temperament", "How it goes about.")
ArtfishDrives = group("ArtfishDrives", "Drives", "What it wants and fears.")
ArtfishAbout = group("ArtfishAbout", "Species", "What it is.", without=("name",))


class ArtfishSpecies(bpy.types.PropertyGroup):
    """A species as it is edited in this file; its `name` is the stem of its file."""

    origin: bpy.props.StringProperty(name="Origin", description="The preset that it was made from")
    about: bpy.props.PointerProperty(type=ArtfishAbout)
    body: bpy.props.PointerProperty(type=ArtfishBody)
    rhythm: bpy.props.PointerProperty(type=ArtfishRhythm)
    steering: bpy.props.PointerProperty(type=ArtfishSteering)
    pectoral: bpy.props.PointerProperty(type=ArtfishPectoral)
    form: bpy.props.PointerProperty(type=ArtfishForm)
    looks: bpy.props.PointerProperty(type=ArtfishLooks)
    temperament: bpy.props.PointerProperty(type=ArtfishTemperament)
    mind: bpy.props.PointerProperty(type=ArtfishDrives)


ArtfishWater = group(
    "ArtfishWater", "Scene", "How it is simulated.", only=("name", "preroll", "substeps", "fluid_viscosity")
)
ArtfishLight = group("ArtfishLight", "Light", "Daylight in the water.")
ArtfishTemperature = group("ArtfishTemperature", "Temperature", "Warmth of the water.")
ArtfishTerrain = group("ArtfishTerrain", "Terrain", "Random hills on the bed.", without=("heights",))


MOMENTS = (
    ("event", "Event", "Something befalls a fish for the first time"),
    ("passes", "Passes", "The middle of a shoal comes near a place for the first time"),
    ("crosses", "Crosses", "The middle of a shoal goes through a plane, along the place's own Z, for the first time"),
)
HAPPENINGS = (
    ("courtship", "Courtship", "A couple comes to a stage of its courtship"),
    ("spawned", "Spawned", "A couple has come to the end"),
    ("eaten", "Eaten", "A fish is eaten"),
    ("fed", "Fed", "A fish eats"),
    ("hooked", "Hooked", "A fish takes the bait"),
    ("entered", "Entered", "A shoal has entered"),
    ("food", "Food", "Food is dropped"),
    ("fright", "Fright", "A fright happens"),
)
STAGES = [("ANY", "Any", "Whichever comes first")] + [
    (word, word.capitalize(), f"The couple begins {word}") for word in ("looping", "circling", "ascending", "nuzzling")
]


def _may_start(held: Any, thing: bpy.types.Object) -> bool:
    return thing.artfish.kind in ("SHOAL", "HOOK", "DIRECTION", "EVENT")


class ArtfishCue(bpy.types.PropertyGroup):
    """One of two things that are to be at the same time."""

    kind: bpy.props.EnumProperty(name="When", description="What is waited for", items=MOMENTS)
    event: bpy.props.EnumProperty(name="Event", description="Which event", items=HAPPENINGS)
    stage: bpy.props.EnumProperty(name="Stage", description="Of the courtship", items=STAGES)
    fishes: bpy.props.PointerProperty(
        type=bpy.types.Object, name="Shoal", description="Whose; any if left empty and it is an event", poll=_is_shoal
    )
    place: bpy.props.PointerProperty(type=bpy.types.Object, name="Place", description="An object that stands there")
    radius: bpy.props.FloatProperty(
        name="Radius", description="How near", default=0.5, min=0.01, soft_max=5.0, unit="LENGTH", subtype="DISTANCE"
    )
    start: bpy.props.PointerProperty(
        type=bpy.types.Object,
        name="Shift",
        description="What may begin at another time for it: a shoal's entering, the hook, a direction or an event",
        poll=_may_start,
    )
    wants: bpy.props.BoolProperty(name="Its Wants", description="Shift the shoal's keyed wants, not its entering")


class ArtfishSync(bpy.types.PropertyGroup):
    """Two things that are to be at the same time."""

    first: bpy.props.PointerProperty(type=ArtfishCue)
    second: bpy.props.PointerProperty(type=ArtfishCue)
    later: bpy.props.FloatProperty(
        name="Later",
        description="How long after the first the second is to be",
        min=-3600.0,
        max=3600.0,
        soft_min=-10.0,
        soft_max=10.0,
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    tolerance: bpy.props.FloatProperty(
        name="Tolerance",
        description="How far off is near enough, but no less than a frame",
        default=0.25,
        min=0.001,
        max=3600.0,
        soft_max=5.0,
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )


class ArtfishMark(bpy.types.PropertyGroup):
    """An event with a marker on the timeline: its number, and the `name`, frame and time on which both agreed last."""

    number: bpy.props.IntProperty(name="Number", description="Of the event and its marker")
    frame: bpy.props.IntProperty(name="Frame", description="At which the marker stood")
    seconds: bpy.props.FloatProperty(name="Seconds", description="At which it happened")


class ArtfishBake(bpy.types.PropertyGroup):
    """What to bake, and how."""

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
            ("points", "Points", "Every control point: exact, and plain to edit"),
            ("compact", "Compact", "A few shape keys a surface: plays two to three times faster"),
        ],
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


def _active_shoal(settings: Any) -> int:
    """Its row among all objects, -1 where no shoal is active."""
    thing = getattr(bpy.context, "object", None)  # not there while files are opened
    return -1 if thing is None or thing.artfish.kind != "SHOAL" else bpy.data.objects.find(thing.name)


def _activate(settings: Any, row: int) -> None:
    """Selects the shoal of a row, as a click in the Outliner would."""
    if bpy.context.mode == "OBJECT" and 0 <= row < len(bpy.data.objects):
        choose(bpy.context, bpy.data.objects[row])


class ArtfishSettings(bpy.types.PropertyGroup):
    """What holds for a whole scene."""

    preset: bpy.props.EnumProperty(name="Preset", description="A preset scene", items=preset_items(), default="reef")
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
    sync: bpy.props.PointerProperty(type=ArtfishSync)
    timeline: _flag(
        "On the Timeline", "Show when things happen as markers on the timeline: drag one to change its event's time"
    )
    marks: bpy.props.CollectionProperty(type=ArtfishMark)


def settings_of(context: bpy.types.Context) -> ArtfishSettings:
    """The settings of the scene that is open."""
    return context.scene.artfish


CLASSES = (
    ArtfishShoal,
    ArtfishHabits,
    ArtfishMind,
    ArtfishMember,
    ArtfishCurrent,
    ArtfishPlankton,
    ArtfishSeaweed,
    ArtfishBubbles,
    ArtfishHook,
    ArtfishHeat,
    ArtfishPillar,
    ArtfishDirection,
    ArtfishTarget,
    ArtfishCurve,
    ArtfishFollow,
    ArtfishFood,
    ArtfishFright,
    ArtfishWants,
    ArtfishObject,
    ArtfishBody,
    ArtfishRhythm,
    ArtfishSteering,
    ArtfishPectoral,
    ArtfishForm,
    ArtfishLooks,
    ArtfishTemperament,
    ArtfishDrives,
    ArtfishAbout,
    ArtfishSpecies,
    ArtfishWater,
    ArtfishLight,
    ArtfishTemperature,
    ArtfishTerrain,
    ArtfishBake,
    ArtfishCue,
    ArtfishSync,
    ArtfishMark,
    ArtfishSettings,
)


def register() -> None:
    """The settings of each scene and of each object."""
    bpy.types.Scene.artfish = bpy.props.PointerProperty(type=ArtfishSettings)  # type: ignore
    bpy.types.Object.artfish = bpy.props.PointerProperty(type=ArtfishObject)  # type: ignore


def unregister() -> None:
    """Takes them away again; what was saved stays in the file."""
    del bpy.types.Object.artfish
    del bpy.types.Scene.artfish
