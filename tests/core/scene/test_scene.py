"""Scenes: what they take, what they give back, and what every single fault in one leads to."""

import contextlib
import copy
import io
import json
import math
import re
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from artfish.cli import main
from artfish.core import Scene, SceneError, Species, World

KNOWN = ("clownfish", "grouper")
VALID = {
    "name": "two pillars",
    "fps": 24,
    "duration": 2.5,
    "preroll": 2.0,
    "substeps": 5,
    "fluid_viscosity": 1.0,
    "tank": {"size": [6, 4.5, 3]},
    "fishes": [
        {
            "species": "clownfish",
            "count": 12,
            "at": [1, 1, 1.5],
            "spread": 9.0,
            "heading": [1, 0, 0],
            "pace": 0.0,
            "size": 0.9,
            "variety": 0.5,
            "steadiness": 0.2,
            "type": "prey",
            "sex": "female",
            "females": 0.5,
            "seed": 3,
            "leader": True,
            "enters": 1.5,
            "habits": {"schooling": True},
            "mind": {"p0": 0.005, "D0": 500},
            "members": [{"index": 3, "sex": "male", "leader": False, "habits": {"cold": True}, "mind": {"p1": 0.01}}],
        },
        {
            "species": "grouper",
            "count": 1,
            "at": [5, 4, 1],
            "spread": 0.5,
            "pace": 1.0,
            "size": 1.25,
            "variety": 1.0,
            "steadiness": 1.0,
            "sex": "mixed",
            "females": 0.25,
            "seed": 0,
            "leader": False,
            "enters": 0,
            "members": [],
        },
    ],
    "obstacles": [
        {
            "kind": "cylinder",
            "at": [3, 2, 0],
            "radius": 0.4,
            "height": 2.0,
            "deflection": 0.5,
            "outflow": 0.01,
            "growth": 9,
        },
        {
            "kind": "cylinder",
            "at": [4.5, 1, 0],
            "radius": 0.2,
            "height": 3.0,
            "deflection": 1,
            "outflow": 0,
            "growth": 0,
        },
    ],
    "current": [
        {"kind": "uniform", "direction": [1, 0.5, 0], "strength": 0.1, "period": 12.0},
        {"kind": "source", "at": [3, 2, 0], "strength": 0.05, "radius": 0.5},
        {"kind": "sink", "at": [0, 0, 0], "strength": 0.05, "radius": 0.5},
        {"kind": "vortex", "at": [2, 2, 1], "strength": 0.05, "radius": 0.5, "direction": [0, 0, 1]},
    ],
    "plankton": {"count": 40, "at": [2, 1, 1], "spread": 0.6, "growth": 0.5, "size": 0.004},
    "stage": {"scenery": "kelp", "seed": 3, "growth": 0.5, "ripples": 0.5, "snow": 10.0},
    "water": {"type": "1", "turbidity": 0.3},
    "light": {
        "brightness": 0.7,
        "daytime": 6.0,
        "day_length": 400,
        "attenuation": 0.2,
        "diffuse": 0.3,
        "direction": [1.0, 0.0, -1.0],
    },
    "temperature": {
        "surface": 26.0,
        "bottom": 14.0,
        "depth": 1.0,
        "thickness": 0.5,
        "sources": [{"at": [1.0, 1.0, 0.0], "strength": 9.0, "radius": 0.4}],
    },
    "seaweed": [
        {
            "at": [1, 1.5, 0],
            "form": "tentacles",
            "leaves": 12,
            "spread": 0.2,
            "height": 0.7,
            "height_variation": 0.3,
            "width": 0.02,
            "stiffness": 0.2,
            "splay": 0.1,
            "flutter": 0.2,
            "colour": [0.1, 0.2, 0.05],
        }
    ],
    "bubbles": [{"at": [2, 3, 0], "rate": 4.0, "size": 0.004, "spread": 0.05}],
    "camera": {"at": [-2, -3, 1.5], "look_at": [3, 2, 1], "lens": 28},
    "direction": [
        {
            "fishes": 0,
            "member": 3,
            "strength": 0.5,
            "kind": "target",
            "at": [2, 1, 1],
            "radius": 0.4,
            "way": "sought",
            "name": "door",
        },
        {
            "fishes": 1,
            "strength": [[0, 0.2], [2, 1]],
            "kind": "target",
            "path": [[0, 1, 1, 1], [2, 3, 1, 1]],
            "radius": 1,
            "way": "straight",
            "name": "",
        },
        {
            "fishes": 0,
            "strength": 1,
            "kind": "curve",
            "points": [[1, 1, 1], [2, 1, 1]],
            "closed": False,
            "start": 1.0,
            "duration": 5.0,
            "name": "way",
        },
        {
            "fishes": 0,
            "strength": 1,
            "kind": "arrival",
            "at": [2, 1, 1],
            "time": 8.0,
            "radius": 0.5,
            "heading": [0, 1, 0],
            "start": 6.0,
            "stay": 1.0,
            "name": "mark",
        },
        {"fishes": 0, "strength": 1, "kind": "region", "at": [3, 2, 1], "radius": 1.0, "turn": 0.0, "inside": True},
        {
            "fishes": 0,
            "strength": 1,
            "kind": "region",
            "at": [3, 2, 1],
            "size": [1, 2, 1],
            "turn": 0.5,
            "inside": False,
        },
        {
            "fishes": 0,
            "strength": 1,
            "kind": "leader",
            "leader": 1,
            "leader_member": 0,
            "radius": 0.5,
            "speed": 0.3,
            "way": "planned",
        },
    ],
    "wants": [{"fishes": 0, "member": 2, "want": "libido", "keys": [[1, 0], [2, 1]], "until": 5.0}],
    "marks": [{"name": "home", "at": [1.0, 1.0, 0.5], "radius": 0.4}],
    "instructions": [
        {
            "fishes": 0,
            "member": 2,
            "when": {"kind": "threatened", "fear": 0.2, "seconds": 3.0},
            "pace": 0.5,
            "do": "go_to",
            "place": "home",
        }
    ],
    "relations": [{"fishes": 0, "member": 1, "kind": "fear", "toward": 0, "toward_member": 2, "strength": 0.5}],
    "grudges": True,
    "events": [
        {"kind": "food", "time": 1.0, "at": [1, 1, 1], "count": 8, "spread": 0.2},
        {"kind": "fright", "time": 2.0, "at": [1, 1, 1], "radius": 1.0},
    ],
}


def walk(data, path=()):
    """Every (path, value) in nested JSON, the outermost included."""
    yield path, data
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, item in items:
        yield from walk(item, (*path, name))


def key(path) -> str:
    """A path as messages write it."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def changed(path, value) -> dict:
    """The valid scene with one value put in; `...` takes it out."""
    data = copy.deepcopy(VALID)
    *parents, last = path
    holder = data
    for step in parents:
        holder = holder[step]
    if value is ...:
        del holder[last]
    else:
        holder[last] = value
    return data


PLACES = list(walk(VALID))
OBJECTS = [path for path, value in PLACES if isinstance(value, dict)]
NUMBERS = [path for path, value in PLACES if isinstance(value, int | float)]
SIGNED = {"direction", "heading", "camera", "temperature", "keys", "until"}
KEYED = ("keys", "strength")  # which may be a number as well as a list
NEVER_NEGATIVE = [path for path in NUMBERS if not SIGNED & set(path) or path[-1] in ("lens", "depth", "thickness")]
IN_THE_TANK = [path for path in NUMBERS if "at" in path and not {"camera", "direction"} & set(path)]
REPEATED = "again:"


@st.composite
def faults(draw) -> tuple[str, str]:
    """One fault in the valid scene: the JSON text with it, and the key that a message must name."""
    fault = draw(st.sampled_from(FAULTS))
    data, where = fault(draw)
    return json.dumps(data).replace(REPEATED, ""), where


def unknown_key(draw):
    path = (*draw(st.sampled_from(OBJECTS)), draw(st.sampled_from(["colour", "Name", "atx", "sizes"])))
    return changed(path, draw(st.sampled_from([None, 1, "x", []]))), key(path)


def wrong_type(draw):
    path, value = draw(st.sampled_from(PLACES[1:]))
    others = [None, True, "word", 7, 0.5, {}, [], [[]], {"kind": 3}]
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    same = (int, float) if plain else type(value)
    others.remove(0.5 if path[-1] in KEYED else "word")
    other = draw(st.sampled_from([o for o in others if not isinstance(o, same) or plain and isinstance(o, bool)]))
    return changed(path, other), key(path)


def whole_number_with_a_fraction(draw):
    path = draw(st.sampled_from([("substeps",), ("fishes", 0, "count"), ("fishes", 1, "count")]))
    return changed(path, draw(st.sampled_from([1.5, 2.0]))), key(path)


def not_finite(draw):
    path = draw(st.sampled_from(NUMBERS))
    return changed(path, draw(st.sampled_from([math.nan, math.inf, -math.inf]))), key(path)


def negative(draw):
    path = draw(st.sampled_from(NEVER_NEGATIVE))
    whole = path[-1] in ("count", "substeps", "leaves")
    value = draw(st.integers(-(10**30), -1) if whole else st.floats(-1e12, -1e-9))
    return changed(path, value), key(path)


def missing_species(draw):
    path = ("fishes", draw(st.integers(0, 1)), "species")
    return changed(path, draw(st.sampled_from([..., "clwonfish", "", "../species/clownfish", "CLOWNFISH"]))), key(path)


def missing_place(draw):
    path = (draw(st.sampled_from([("fishes", 0), ("obstacles", 1), ("current", 1), ("camera",)]))) + ("at",)
    return changed(path, ...), key(path)


def outside_the_tank(draw):
    path = draw(st.sampled_from(IN_THE_TANK))
    size = VALID["tank"]["size"][path[-1]]
    return changed(path, size + draw(st.floats(1e-6, 1e3))), key(path[:-1])


def inside_a_pillar(draw):
    pillar = draw(st.sampled_from(VALID["obstacles"]))
    around, out = draw(st.floats(0, math.tau)), draw(st.floats(0, 0.99)) * pillar["radius"]
    x, y, foot = pillar["at"]
    place = [x + out * math.cos(around), y + out * math.sin(around), foot + draw(st.floats(0, 0.99)) * pillar["height"]]
    path = ("fishes", draw(st.integers(0, 1)), "at")
    return changed(path, place), key(path)


def no_direction(draw):
    currents = [("current", 0, "direction"), ("current", 3, "direction")]
    path = draw(st.sampled_from([("fishes", 0, "heading"), *currents, ("light", "direction")]))
    return changed(path, [0, 0, 0]), key(path)


def too_many(draw):
    path = ("fishes", 0, "count")
    count = draw(st.just(100_000) | st.integers(100_001, 10**40))
    return changed(path, count), "fishes" if count == 100_000 else key(path)


def key_twice(draw):
    path = draw(st.sampled_from([path for path, _ in PLACES[1:] if isinstance(path[-1], str)]))
    return changed((*path[:-1], REPEATED + path[-1]), draw(st.sampled_from([1, "x", None]))), key(path)


FAULTS = [
    unknown_key,
    wrong_type,
    whole_number_with_a_fraction,
    not_finite,
    negative,
    missing_species,
    missing_place,
    outside_the_tank,
    inside_a_pillar,
    no_direction,
    too_many,
    key_twice,
]


@pytest.mark.film
@given(faults())
def test_every_single_fault_is_one_line_that_names_file_key_found_and_allowed(fault):
    text, where = fault
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "reef.json"
        path.write_text(text)
        with pytest.raises(SceneError) as refused:
            Scene.load(path, KNOWN)
        line = str(refused.value)
        assert len(line.splitlines()) == 1
        assert line.startswith(f"{path}: {where}"), line
        assert line[len(f"{path}: {where}")] in ":.[", line
        assert ": found " in line and ", allowed " in line


@given(faults())
def test_the_command_exits_2_with_that_line_and_leaves_nothing(fault):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "reef.json"
        path.write_text(fault[0])
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            code = main(["simulate", str(path), "-o", f"{folder}/reef.npz", "--frames", "1"])
        assert code == 2
        assert re.fullmatch(re.escape(f"artfish: {path}: {fault[1]}") + "[^\n]*\n", errors.getvalue())
        assert [child.name for child in Path(folder).iterdir()] == ["reef.json"]


def test_the_valid_scene_is_valid():
    scene = Scene.from_dict(VALID, species=KNOWN)
    assert scene.count == 13 and scene.frames == 60
    assert scene.fishes[1].heading is None
    assert [flow.kind for flow in scene.current] == ["uniform", "source", "sink", "vortex"]


def test_the_message_of_the_manual():
    with pytest.raises(SceneError) as refused:
        Scene.from_dict(changed(("fishes", 0, "count"), -3), "reef.json", KNOWN)
    assert str(refused.value) == "reef.json: fishes[0].count: found -3, allowed a whole number from 1 to 100000"


lengths = st.floats(0.1, 100.0)
shares = st.floats(0.0, 1.0)


@st.composite
def scenes(draw) -> Scene:
    """Any valid scene without pillars in the way."""
    size = draw(st.tuples(lengths, lengths, lengths))

    def place():
        return [length * share for length, share in zip(size, draw(st.tuples(shares, shares, shares)), strict=True)]

    fishes = [
        {"species": draw(st.sampled_from(KNOWN)), "at": place()}
        | draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "count": st.integers(1, 20_000),
                    "spread": st.floats(0, 1e3),
                    "heading": st.tuples(*[st.floats(0.1, 1)] * 3).map(list),
                    "size": st.floats(0.05, 20),
                },
            )
        )
        for _ in range(draw(st.integers(0, 4)))
    ]
    current = [{"kind": kind, "at": place()} for kind in draw(st.lists(st.sampled_from(["source", "sink", "vortex"])))]
    given = {"tank": {"size": size}, "fishes": fishes, "current": current, "name": draw(st.text())}
    return Scene.from_dict(given | {"fps": draw(st.floats(1, 240))}, species=KNOWN)


@pytest.mark.film
@given(scenes())
def test_scenes_round_trip_exactly(scene):
    assert Scene.from_dict(scene.to_dict(), species=KNOWN) == scene
    with tempfile.TemporaryDirectory() as folder:
        scene.save(f"{folder}/scene.json")
        assert Scene.load(f"{folder}/scene.json", KNOWN) == scene
        assert [path.name for path in Path(folder).iterdir()] == ["scene.json"]


def test_a_dict_survives_the_round_trip():
    assert Scene.from_dict(VALID, species=KNOWN).to_dict() == VALID


def test_a_place_may_touch_the_walls_and_a_pillar():
    for place in ((0.0, 4.5, 3.0), (3.0, 2.0, 2.0)):
        scene = Scene.from_dict(changed(("fishes", 0, "at"), list(place)), species=KNOWN)
        assert scene.fishes[0].at == place


def test_a_scene_set_wrong_in_python_is_not_saved(tmp_path):
    with pytest.raises(SceneError, match="fps: found NaN"):
        replace(Scene.from_dict(VALID, species=KNOWN), fps=math.nan).save(tmp_path / "scene.json")
    assert not list(tmp_path.iterdir())


def test_a_species_file_beside_a_scene_is_a_species_by_its_stem(tmp_path):
    Species.load("sardine").alike.save(tmp_path / "sardine.json")  # a preset's name stays the preset's
    own = replace(Species.load("tuna"), name="bonito", length=0.5)
    own.save(tmp_path / "bonito.json")
    groups = [{"species": name, "at": [5, 5, 5]} for name in ("bonito", "sardine")]
    (tmp_path / "sea.json").write_text(json.dumps({"fishes": groups, "tank": {"size": [10, 10, 10]}}))
    scene = Scene.load(tmp_path / "sea.json")
    assert dict(scene.models) == {"bonito": own}
    longer = replace(scene, duration=20.0)
    assert World(longer, seed=1).models["bonito"] == own
    assert World(longer, seed=1).models["sardine"] == Species.load("sardine")
    assert "models" not in scene.to_dict()


@pytest.mark.parametrize("name", ["herring", "../herring", "sub/herring", ""])
def test_an_unknown_species_names_what_may_stand_there(name, tmp_path):
    (tmp_path / "below").mkdir()
    replace(Species.load("tuna"), name="herring").save(tmp_path / "herring.json")
    scene = tmp_path / "below" / "sea.json"
    scene.write_text(json.dumps({"fishes": [{"species": name, "at": [1, 1, 1]}]}))
    with pytest.raises(SceneError, match=r"fishes\[0\]\.species: found .*or the stem of a species' file beside"):
        Scene.load(scene)


def test_an_unknown_preset_is_told_the_known_ones():
    with pytest.raises(SceneError, match="^reeef: found no such file, allowed a JSON file or a preset: "):
        Scene.load("reeef")


@pytest.mark.film
@pytest.mark.parametrize("name", Scene.names())
def test_every_preset_loads_and_is_written_as_it_would_be_saved(name, tmp_path):
    scene = Scene.load(name)
    scene.save(tmp_path / f"{name}.json")
    assert Scene.load(tmp_path / f"{name}.json") == scene
