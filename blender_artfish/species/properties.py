"""Settings of a species edited in a file.

The annotations of a property group are calls that Blender evaluates, so they are not postponed here.
"""

import bpy

from ..blender.declarations import group
from . import proportions
from .memory import ArtfishMemory
from .traits import ArtfishTraits

ArtfishBody = group("ArtfishBody", "Body", "Masses and springs.")
ArtfishRhythm = group("ArtfishRhythm", "Rhythm", "How it swims.")
ArtfishSteering = group("ArtfishSteering", "Steering", "How it turns.")
ArtfishPectoral = group("ArtfishPectoral", "Pectoral", "How its pectoral fins push.")
ArtfishForm = group("ArtfishForm", "Form", "Its surfaces.", more=proportions.properties())
ArtfishRelief = group("ArtfishRelief", "Relief", "What stands out of its surfaces, or is sunk into them.")
ArtfishLooks = group("ArtfishLooks", "Looks", "Its colours and markings.")
ArtfishBearing = group("ArtfishBearing", "Bearing", "How it is seen to look, to breathe and to carry its fins.")
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
    relief: bpy.props.PointerProperty(type=ArtfishRelief)
    looks: bpy.props.PointerProperty(type=ArtfishLooks)
    bearing: bpy.props.PointerProperty(type=ArtfishBearing)
    temperament: bpy.props.PointerProperty(type=ArtfishTemperament)
    mind: bpy.props.PointerProperty(type=ArtfishDrives)
    memory: bpy.props.PointerProperty(type=ArtfishMemory)
    traits: bpy.props.PointerProperty(type=ArtfishTraits)
    ancestry: bpy.props.StringProperty(
        name="Ancestry",
        description="Its parents, and what it hands down that is not seen of it, as its file says it",
        options={"HIDDEN"},
    )


CLASSES = (
    ArtfishBody,
    ArtfishRhythm,
    ArtfishSteering,
    ArtfishPectoral,
    ArtfishForm,
    ArtfishRelief,
    ArtfishLooks,
    ArtfishBearing,
    ArtfishTemperament,
    ArtfishDrives,
    ArtfishAbout,
    ArtfishSpecies,
)
