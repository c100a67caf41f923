"""Pages of a species' numbers, one a panel, with labels that do not repeat the panel's title."""

from __future__ import annotations

from dataclasses import dataclass

from ..blender.declarations import DECLARATIONS, title
from ..blender.words import Message


@dataclass(frozen=True)
class Page:
    """A panel of numbers.

    Attributes:
        name: Suffix of the panel's class name.
        label: Its title.
        fields: Its fields, from top to bottom: "part.field", part being a group of a species; "" leaves a gap.
        parent: The page that contains it; "" for the panel Species itself.
    """

    name: str
    label: Message
    fields: tuple[str, ...]
    parent: str = "numbers"


def _of(part: str, names: str) -> tuple[str, ...]:
    return tuple("" if name == "-" else f"{part}.{name}" for name in names.split())


PAGES = (
    Page("numbers", "All Numbers", (), ""),
    Page("form", "Form", _of("form", "body_height body_width - bluntness widest back_section belly_section")),
    Page("outlines", "Outlines", (), "form"),
    Page("back", "Back", _of("form", "back"), "outlines"),
    Page("belly", "Belly", _of("form", "belly"), "outlines"),
    Page("half_width", "Seen From Above", _of("form", "half_width"), "outlines"),
    Page("dorsal", "Dorsal Fin", _of("form", "dorsal"), "outlines"),
    Page("ventral", "Ventral Fin", _of("form", "ventral"), "outlines"),
    Page("caudal", "Tail", _of("form", "caudal"), "outlines"),
    Page(
        "fins",
        "Fins",
        _of(
            "form",
            "dorsal_size ventral_size caudal_span - pectoral_length pectoral_breadth pectoral_point - pectoral_station"
            " pectoral_height - pectoral_spread pectoral_droop pectoral_twist",
        ),
        "form",
    ),
    Page(
        "relief",
        "Relief",
        _of(
            "relief",
            "gill_edge gill_height gill_bow gill_slits - cheek cheek_edge brow - lips lip_width jaw_bone mouth_slant"
            " mouth_under mouth_depth - nostril eye_rim - back_ridge belly_ridge tail_keel",
        ),
        "form",
    ),
    Page(
        "fin_relief",
        "Spines and Rays",
        _of("relief", "fin_ray fin_fork - dorsal_spines dorsal_spiny ventral_spines spine spine_notch"),
        "relief",
    ),
    Page("eyes", "Eyes", _of("form", "eye_radius eye_station eye_height"), "form"),
    Page(
        "body",
        "Body",
        _of(
            "body",
            "unit_mass stiffness tail_stiffness viscosity peduncle_muscles - fluid_viscosity streamlining reaction",
        ),
    ),
    Page(
        "rhythm",
        "Swimming",
        _of(
            "rhythm",
            "tail_beat slow_beat - contraction shoulder anterior posterior peduncle slow_amplitude"
            " - shoulder_lead lag peduncle_lag - burst_beat burst_width burst_seconds rest_seconds start",
        ),
        "body",
    ),
    Page("steering", "Turning", _of("steering", "contraction release lead front middle rate lean"), "body"),
    Page(
        "push",
        "Pectoral Push",
        _of(
            "pectoral",
            "area reach flap row turn turn_angles brake - spread oaring wing lever - stroke stroke_rate gait_speed",
        ),
        "body",
    ),
    Page(
        "rings",
        "Rings of Nodes",
        _of("body", "tail_half_height stations half_heights half_widths rise book_length") + _of("about", "time_scale"),
        "body",
    ),
    Page(
        "looks",
        "Colours",
        _of("looks", "back side belly - back_reach belly_reach shading_softness - face face_reach rear rear_reach"),
    ),
    Page(
        "pattern",
        "Pattern",
        _of(
            "looks",
            "pattern pattern_colour pattern_strength - pattern_count pattern_width pattern_slant pattern_bend"
            " pattern_softness pattern_wobble - pattern_along pattern_up",
        ),
        "looks",
    ),
    Page("bands", "Bands", _of("looks", "band_colour band_edge_colour band_edge bands"), "looks"),
    Page("patches", "Patches", _of("looks", "patch_colour patch_edge_colour patch_edge patches"), "looks"),
    Page(
        "skin",
        "Skin",
        _of(
            "looks",
            "marking_softness marking_wobble variety freckles freckle_colour scars - gloss silver iridescence film"
            " - flesh flesh_colour grain - gill mouth mouth_up",
        ),
        "looks",
    ),
    Page(
        "scales",
        "Scales",
        _of(
            "looks",
            "scale_size scale_taper scale_start - scale_relief scale_variety scale_edge scale_edge_colour"
            " - lateral_line lateral_up lateral_drop",
        ),
        "looks",
    ),
    Page(
        "fin_looks",
        "Fins",
        _of(
            "looks",
            "dorsal ventral caudal pectoral - fin_edge_colour fin_edge fin_pattern fin_flesh - fin_clarity"
            " pectoral_clarity fin_clear - fin_rays fin_ray_shade fin_fray",
        ),
        "looks",
    ),
    Page(
        "eye_looks",
        "Eyes",
        _of("looks", "iris iris_rim - pupil pupil_ring pupil_ring_colour - eye_ring eye_ring_colour"),
        "looks",
    ),
    Page("bearing", "Signs of Life", _of("bearing", "gaze - breath panting gill sip - fold tuck give")),
    Page(
        "temperament",
        "Temperament",
        _of(
            "temperament",
            "cruise variation whim turn sharp meander climb roam hug wall_following wall_distance host den",
        )
        + _of("temperament", "schooling alignment accord attention")
        + _of("temperament", "rest rest_time coast coast_time coast_school kick ram_breathing"),
    ),
    Page(
        "senses",
        "Sensitivity",
        _of("temperament", "comfort comfort_ahead comfort_behind comfort_height")
        + _of("temperament", "comfort_school comfort_flight comfort_eating comfort_mating - caution foresight")
        + _of("mind", "sight smell"),
    ),
    Page(
        "wants",
        "Mind",
        _of("mind", "p0 p1 D0 - r f0 f1 - appetite persistence fatigue gain memory - hunger libido libido_spread"),
    ),
    Page(
        "hunt",
        "Hunters and Schools",
        _of(
            "mind",
            "strike handling confusion opportunism - looming menace mobbing vigilance recall composure rear_view"
            " - scent",
        ),
        "wants",
    ),
    Page("temptation", "Temptation", _of("mind", "alpha_h q1_h q2_h - alpha_l q1_l q2_l"), "wants"),
    Page("courtship", "Courtship", _of("mind", "loops turns ascent nudges refractory - foreigners"), "wants"),
    Page("haunts", "Haunts", _of("mind", "shelter forage territory browse"), "wants"),
    Page("comfort", "Light and Warmth", _of("mind", "nocturnal - bright dark - warm cold"), "wants"),
    Page("units", "The Book's Units", _of("mind", "book_metres book_seconds"), "wants"),
)

ABOUT_FIELDS = _of(
    "about", "common_name latin_name fitted length female_size size_variety gait_variety kind type vision"
)
"""Fields of the panel Species itself."""

FIELD_LABELS: dict[str, Message] = {
    "body.peduncle_muscles": "Rear muscles",
    "pectoral.turn_angles": "Turn from",
    "pectoral.brake": "Brake in turns",
    "temperament.sharp": "Sharp turns",
    "form.body_height": "Height",
    "form.body_width": "Width",
    "form.bluntness": "Blunt snout",
    "form.widest": "Widest at",
    "form.back_section": "Section above",
    "form.belly_section": "Section below",
    "form.dorsal_size": "Dorsal height",
    "form.ventral_size": "Ventral depth",
    "form.caudal_span": "Tail span",
    "form.pectoral_length": "Pectoral length",
    "form.pectoral_breadth": "Breadth",
    "form.pectoral_point": "Point",
    "form.pectoral_station": "Root from nose",
    "form.pectoral_height": "Root height",
    "form.pectoral_spread": "Spread",
    "form.pectoral_droop": "Droop",
    "form.pectoral_twist": "Twist",
    "form.eye_radius": "Radius",
    "form.eye_station": "From nose",
    "form.eye_height": "Height",
    "body.tail_half_height": "Half the tail",
    "relief.fin_ray": "Rays stand out",
    "relief.fin_fork": "Rays fork at",
    "relief.dorsal_spiny": "Of the dorsal fin",
    "relief.spine": "Thickness",
    "relief.spine_notch": "Skin cut in",
    "looks.shading_softness": "Softness",
    "looks.pattern": "Kind",
    "looks.pattern_along": "Along",
    "looks.pattern_up": "Up",
    "looks.band_colour": "Colour",
    "looks.band_edge_colour": "Edge colour",
    "looks.band_edge": "Edge",
    "looks.patch_colour": "Colour",
    "looks.patch_edge_colour": "Edge colour",
    "looks.patch_edge": "Edge",
    "looks.marking_softness": "Soft edges",
    "looks.marking_wobble": "Wobbly edges",
    "looks.scale_size": "Size",
    "looks.scale_taper": "Size at the head",
    "looks.scale_start": "Bare head",
    "looks.scale_relief": "Relief",
    "looks.scale_variety": "Variety",
    "looks.scale_edge_colour": "Edge colour",
    "looks.scale_edge": "Edge strength",
    "looks.lateral_up": "Height",
    "looks.lateral_drop": "Comes down",
    "looks.film": "Crystals",
    "looks.fin_edge_colour": "Edge colour",
    "looks.fin_edge": "Edge",
    "looks.fin_pattern": "Body's pattern",
    "looks.fin_clarity": "Clarity",
    "looks.pectoral_clarity": "Pectoral clarity",
    "looks.fin_clear": "Clearer outside",
    "looks.fin_rays": "Rays",
    "looks.fin_ray_shade": "Ray shade",
    "looks.fin_fray": "Ragged edge",
    "looks.fin_flesh": "Body's skin",
    "looks.iris_rim": "Outer iris",
    "looks.pupil_ring": "Pupil's ring",
    "looks.pupil_ring_colour": "Ring colour",
    "looks.eye_ring": "Ring of skin",
    "looks.eye_ring_colour": "Skin colour",
    "mind.foreigners": "Other species",
    "bearing.gaze": "Eyes turn",
    "bearing.breath": "Breaths at rest",
    "bearing.panting": "Out of breath",
    "bearing.gill": "Gill covers lift",
    "bearing.sip": "Mouth opens",
    "bearing.fold": "Fins fold",
    "bearing.tuck": "Pectorals fold",
    "bearing.give": "Tail gives",
    "mind.p0": "p0 hunger",
    "mind.p1": "p1 libido",
    "mind.D0": "D0 fear",
    "mind.r": "r want",
    "mind.f0": "f0 fear",
    "mind.f1": "f1 flight",
    "mind.hunger": "Hunger at first",
    "mind.libido": "Libido at first",
    "mind.libido_spread": "More by chance",
    "mind.alpha_h": "Food",
    "mind.q1_h": "q1 food",
    "mind.q2_h": "q2 food",
    "mind.alpha_l": "Mate",
    "mind.q1_l": "q1 mate",
    "mind.q2_l": "q2 mate",
    "mind.book_metres": "Distance",
    "mind.book_seconds": "Time",
    "about.female_size": "Females",
    "about.time_scale": "Time scale",
}
"""Short labels, where the name of a field is too long or repeats the title."""

ROW_COLUMNS: dict[str, tuple[Message, ...]] = {
    "form.back": ("Station", "Height"),
    "form.belly": ("Station", "Height"),
    "form.half_width": ("Station", "Half width"),
    "form.dorsal": ("Root", "Height", "Lean"),
    "form.ventral": ("Root", "Depth", "Lean"),
    "form.caudal": ("Station", "Height"),
    "looks.bands": ("Along", "Width", "Slant", "Bend"),
    "looks.patches": ("Along", "Up", "Half length", "Half height", "Slant", "Paint"),
}
"""Labels of the numbers of a row."""

AT_RING: Message = "At {station:.2f}"

TURN_LABELS = ("30°", "45°", "60°", "90°")

BEGINS: tuple[Message, Message] = "Begins", "Whole"
FROM_TO: tuple[Message, Message] = "From", "To"
RING_LABELS: tuple[Message, ...] = "Ring 1", "Ring 2", "Ring 3", "Ring 4", "Ring 5"
ENTRY_LABELS: dict[str, tuple[str, ...]] = {
    "body.stations": RING_LABELS,
    **dict.fromkeys(("body.half_heights", "body.half_widths", "body.rise"), 5 * (AT_RING,)),
    **dict.fromkeys(("steering.front", "steering.middle", "steering.rate"), TURN_LABELS),
    "pectoral.lever": 3 * (AT_RING,),
    "pectoral.turn_angles": BEGINS,
    **dict.fromkeys(("looks.pattern_along", "looks.pattern_up"), FROM_TO),
}
"""Labels of the numbers of a value with several: a ring, by its station to be filled in; or the angle of a turn."""

MARKING_NAMES: dict[str, Message] = {"bands": "Band {number}", "patches": "Patch {number}"}
MARKING_COUNTS: dict[str, tuple[Message, Message]] = {
    "bands": ("{count} band", "{count} bands"),
    "patches": ("{count} patch", "{count} patches"),
}

PART_DECLARATIONS = {
    "about": "Species",
    "body": "Body",
    "rhythm": "Rhythm",
    "steering": "Steering",
    "pectoral": "Pectoral",
    "form": "Form",
    "relief": "Relief",
    "looks": "Looks",
    "bearing": "Bearing",
    "temperament": "Temperament",
    "mind": "Drives",
}
"""The declared dataclass of each part of a species."""

ROW_FIELDS = {
    f"{part}.{field['name']}"
    for part, name in PART_DECLARATIONS.items()
    for field in DECLARATIONS[name]
    if field["kind"] == "vector" and field["shape"][0] is None
}
"""Fields that are lists of rows."""

BODY_OUTLINES = ("form.back", "form.belly", "form.half_width")


def label(key: str) -> str:
    """Label of a field's value."""
    name = key.partition(".")[2]
    return FIELD_LABELS.get(key, title(name.removeprefix("pattern_")))
