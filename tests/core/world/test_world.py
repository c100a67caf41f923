"""The loop: the same seed gives the same bits, runs go on where they stopped, pilots are asked once a frame."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from artfish.core import Commands, Recording, Scene, SceneError, Species, World
from artfish.core.body.anatomy import body_frame
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox

SCENE = {
    "name": "a small reef",
    "tank": {"size": [6.0, 5.0, 3.0]},
    "obstacles": [{"kind": "cylinder", "at": [3.0, 2.5, 0.0], "radius": 0.4, "height": 2.0}],
    "current": [{"kind": "vortex", "at": [3.0, 2.5, 0.0], "strength": 0.05, "radius": 0.5}],
    "fishes": [
        {"species": "sardine", "count": 12, "at": [2.0, 2.0, 1.5], "spread": 0.8},
        {"species": "clownfish", "count": 2, "at": [4.5, 3.5, 1.0], "spread": 0.4},
        {"species": "grouper", "count": 1, "at": [4.5, 1.0, 1.5]},
    ],
}
OPEN_WATER = {"tank": {"size": [1000.0, 1000.0, 1000.0]}}


def open_water(*groups: dict, **more) -> Scene:
    """These groups in the middle of nowhere, unless they say where."""
    fishes = [{"at": [500.0, 500.0, 500.0], "heading": [1, 0, 0], **group} for group in groups]
    return Scene.from_dict({**OPEN_WATER, "fishes": fishes, **more})


def sums(seed: int, frames: int) -> str:
    nodes = World(Scene.from_dict(SCENE), seed=seed).simulate(frames).nodes
    return hashlib.sha256(nodes.tobytes()).hexdigest()


def steady(fishes: int, **values):
    """A pilot that always says the same."""
    commands = Commands.still(fishes)
    for name, value in values.items():
        getattr(commands, name)[:] = value
    return lambda t, world: commands


@pytest.fixture(scope="module")
def recording() -> Recording:
    return World(Scene.from_dict(SCENE), seed=7).simulate(36)


@pytest.mark.film
def test_same_seed_same_bits_and_another_seed_another_story(recording):
    again, other = (World(Scene.from_dict(SCENE), seed=seed).simulate(36) for seed in (7, 8))
    for name in ("nodes", "fins", "intention", "seeds"):
        assert np.array_equal(getattr(again, name), getattr(recording, name)), name
    assert not np.allclose(other.nodes[0], recording.nodes[0])
    assert not np.array_equal(other.seeds, recording.seeds)


@pytest.mark.parametrize("threads", ["1", "4"])
def test_another_process_gives_the_same_bits_on_any_number_of_threads(threads):
    program = (
        "import hashlib, json, sys; from artfish.core import Scene, World; "
        "nodes = World(Scene.from_dict(json.loads(sys.argv[1])), seed=3).simulate(24).nodes; "
        "print(hashlib.sha256(nodes.tobytes()).hexdigest())"
    )
    several = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), threads)
    done = subprocess.run(
        [sys.executable, "-c", program, json.dumps(SCENE)],
        env=os.environ | several,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == sums(3, 24)


def test_runs_go_on_without_a_repeat_or_a_gap(recording):
    world = World(Scene.from_dict(SCENE), seed=7)
    parts = [world.simulate(frames) for frames in (1, 10, 0, 25)]
    for name in ("nodes", "fins", "intention"):
        assert np.array_equal(np.concatenate([getattr(part, name) for part in parts]), getattr(recording, name)), name
    assert world.frame == 35


def test_the_first_frame_is_the_beginning(recording):
    world = World(Scene.from_dict(SCENE), seed=7)
    assert world.frame == 0
    assert world.t == 0.0
    assert np.array_equal(world.nodes.astype(np.float32), recording.nodes[0])
    world.step()
    assert world.frame == 1
    assert np.array_equal(world.nodes.astype(np.float32), recording.nodes[1])


def test_a_frame_is_its_substeps():
    world = World(Scene.from_dict({**SCENE, "fps": 30.0, "substeps": 5}))
    assert world.substeps == 5
    assert world.dt * world.substeps == pytest.approx(1.0 / 30.0)
    for _ in range(3):
        world.step()
    assert world.t == pytest.approx(0.1)


def test_run_tells_how_far_it_is():
    run = World(Scene.from_dict(SCENE)).run(4)
    assert [next(run) for _ in range(4)] == [1, 2, 3, 4]
    with pytest.raises(StopIteration) as end:
        next(run)
    assert end.value.value.frames == 4


def test_a_scene_lasts_as_long_as_it_says():
    recording = World(Scene.from_dict({**SCENE, "duration": 0.5, "fps": 20.0})).simulate()
    assert recording.frames == 10
    assert recording.fps == 20.0


def test_a_recording_holds_what_it_says(recording):
    fishes = 15
    shapes = {
        "nodes": ((36, fishes, 23, 3), np.float32),
        "fins": ((36, fishes, 2, 3), np.float32),
        "mouth": ((36, fishes), np.float32),
        "intention": ((36, fishes), np.int8),
        "hunger": ((36, fishes), np.float32),
        "libido": ((36, fishes), np.float32),
        "fear": ((36, fishes), np.float32),
        "alive": ((36, fishes), np.bool_),
        "body_length": ((fishes,), np.float64),
        "seeds": ((fishes,), np.uint32),
    }
    for name, (shape, dtype) in shapes.items():
        array = getattr(recording, name)
        assert array.shape == shape, name
        assert array.dtype == dtype, name
        assert np.isfinite(array).all(), name
    assert recording.species == ("sardine",) * 12 + ("clownfish",) * 2 + ("grouper",)
    assert len(recording.sex) == fishes
    assert set(recording.species_models) == {"sardine", "clownfish", "grouper"}
    sizes = recording.body_length / ([0.18] * 12 + [0.09, 0.1125] + [0.8])  # a male and a larger female
    variety = recording.species_models["sardine"].size_variety
    assert len(set(sizes)) == fishes and (np.abs(sizes - 1.0) <= variety).all()
    assert recording.alive.all()
    assert (recording.intention < len(Recording.INTENTIONS)).all()
    assert len(set(recording.seeds.tolist())) == fishes
    assert recording.scene == Scene.from_dict(SCENE)
    assert recording.fps == 24.0


def test_fishes_begin_clear_of_walls_pillars_and_each_other():
    scene = Scene.from_dict(SCENE)
    world = World(scene, seed=11)
    places, length = world.center_of_mass, world.shoal.length
    assert (WaterBox.from_scene(scene).distance(places)[0] > 0.5 * length).all()
    assert (Obstacles.from_scene(scene).distance(places)[0] > 0.5 * length).all()
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 99 * np.eye(15)
    assert (apart > 0.25 * (length[:, None] + length)).all()
    assert (np.linalg.norm(places[:12] - (2.0, 2.0, 1.5), axis=1) <= 0.8).all()


def test_a_fish_begins_where_and_as_its_group_says():
    scene = open_water(
        {"species": "sardine", "at": [10, 20, 30], "heading": [0, 2, 0]},
        {"species": "sardine", "at": [40, 50, 60], "heading": [1, -1, 1], "size": 2.0},
    )
    world = World(scene, pilot=steady(2), species={"sardine": Species.load("sardine").alike})
    assert world.center_of_mass == pytest.approx(np.array([[10, 20, 30], [40, 50, 60]]), abs=1e-9)
    ahead = body_frame(world.nodes)[1][..., 0]
    wanted = np.array([[0, 1, 0], [1, -1, 1] / np.sqrt(3)])
    assert np.einsum("fi,fi->f", ahead, wanted) == pytest.approx(1.0, abs=0.01)  # the rings rise a little
    assert world.shoal.length == pytest.approx([0.18, 0.36])
    assert np.abs(world.shoal.velocity).max() == 0.0  # a piloted fish begins at rest


@pytest.mark.parametrize(("spread", "more"), [(2.0, 1), (0.35, 30)], ids=["room", "crowd"])
def test_other_fishes_change_nobodys_start(spread, more):
    """They may come in the same group or in one of their own, even where there is hardly room for them."""
    group = {"species": "sardine", "at": [500, 500, 500], "spread": spread}

    def start(*groups: dict) -> np.ndarray:
        return World(Scene.from_dict({**OPEN_WATER, "fishes": list(groups)}), seed=5).nodes

    few = start({**group, "count": 20})
    assert np.array_equal(start({**group, "count": 20 + more})[:20], few)
    assert np.array_equal(start({**group, "count": 20}, {**group, "species": "clownfish", "count": more})[:20], few)


def test_another_fish_far_away_changes_no_others_story():
    near = {"species": "sardine", "count": 5, "at": [500, 500, 500], "spread": 2.0, "heading": [1, 0, 0]}
    far = {"species": "grouper", "at": [100, 100, 100]}
    alone, together = (World(open_water(*groups), seed=5).simulate(24) for groups in ((near,), (near, far)))
    assert np.array_equal(alone.nodes, together.nodes[:, :5])
    assert np.array_equal(alone.seeds, together.seeds[:5])


def test_a_pilot_is_asked_once_a_frame_with_the_time_and_the_world():
    asked = []

    def pilot(t: float, world: World) -> Commands:
        asked.append((t, world))
        return Commands.still(2)

    scene = open_water({"species": "sardine", "count": 2}, fps=25.0, substeps=4)
    world = World(scene, pilot=pilot)
    world.simulate(4)  # four frames, three steps between them
    world.simulate(3)
    world.step()
    assert [t for t, _ in asked] == pytest.approx([k / 25.0 for k in range(7)])
    assert all(seen is world for _, seen in asked)


def test_commands_have_one_entry_a_fish():
    commands = Commands.still(7)
    for name in ("swim", "turn", "climb", "brake", "back"):
        array = getattr(commands, name)
        assert array.shape == (7,)
        assert not array.any()
    assert commands.brake.dtype == bool


def test_each_fish_obeys_its_own_command():
    groups = [{"species": "sardine", "at": [500, 500 + i, 500]} for i in range(4)]
    pilot = steady(4, swim=[1, 0.5, 0, 0], back=[0, 0, 0, 1], turn=[0, 0, 0, 0])
    world = World(open_water(*groups), pilot=pilot, species={"sardine": Species.load("sardine").alike})
    start = world.center_of_mass
    world.simulate(2 * 24)
    begun = world.center_of_mass
    world.simulate(3 * 24)
    *_, idle, back = (world.center_of_mass - start)[:, 0] / 0.18
    fast, slow, *_ = (world.center_of_mass - begun)[:, 0] / 0.18
    # Both have kicked off. From then on each goes as fast as its tail beats, as far with every beat as the other.
    rhythm = Species.load("sardine").rhythm
    assert fast / slow == pytest.approx(1.0 / (rhythm.slow_beat + 0.5 * (1.0 - rhythm.slow_beat)), rel=0.05)
    assert slow > 0.5
    assert abs(idle) < 0.05
    assert back < -0.2


@pytest.mark.film
def test_a_still_fish_in_still_water_stays():
    world = World(open_water(*({"species": name} for name in Species.names())), pilot=steady(len(Species.names())))
    start = world.center_of_mass
    world.simulate(48)
    # Its fins bring its long axis level, which the rise of its rings may tilt a little; that is all.
    assert (np.linalg.norm(world.center_of_mass - start, axis=1) < 0.01 * world.shoal.length).all()
    assert body_frame(world.nodes)[1][..., 0, 0].min() > 0.995


def test_a_world_can_be_given_species_of_its_own():
    long = dataclasses.replace(Species.load("sardine").alike, length=0.5)
    world = World(open_water({"species": "sardine"}), species={"sardine": long})
    assert world.shoal.length == pytest.approx([0.5])
    assert world.simulate(1).species_models["sardine"] == long


@pytest.mark.parametrize(("frames", "found"), [(-1, "-1"), (1.5, "1.5"), ("ten", "'ten'"), (True, "true")])
def test_a_number_of_frames_that_is_none_is_told(frames, found):
    world = World(Scene.from_dict({"fishes": [{"species": "clownfish", "at": [1, 1, 1]}]}))
    with pytest.raises(SceneError, match=f"^frames: found {found}, allowed a whole number, 0 or more$"):
        world.simulate(frames)
    assert world.frame == 0 and world.simulate(0).frames == 0


def test_what_only_a_world_finds_wrong_names_the_file_too():
    mind = {"species": "clownfish", "at": [1, 1, 1], "mind": {"f0": 0.5, "f1": 0.2}}
    giant = {"species": "reef_shark", "size": 4.0, "at": [1, 1, 1]}
    for fish, key in (
        (mind, "mind.f1: found 0.2, allowed more than f0, 0.5"),
        (giant, "size: found 4.0, a reef_shark"),
    ):
        scene = Scene.from_dict({"tank": {"size": [5, 4, 3]}, "fishes": [fish]}, "stage.json")
        with pytest.raises(SceneError, match="^stage.json: fishes.0.." + key):
            World(scene)


@pytest.mark.film
def test_air_carries_nobody_off():
    # In "air" water has no force: whatever muscles and fins do, the middle of a fish stays, to float64.
    names = Species.names()
    commands = Commands.still(len(names))
    commands.swim[:] = 1.0
    commands.climb[:] = 0.5

    def pilot(t: float, world: World) -> Commands:
        commands.turn[:] = 1.0 if t > 0.5 else 0.0
        return commands

    fishes = [{"species": name, "at": [500, 500, 500], "heading": [1, 0, 0]} for name in names]
    scene = Scene.from_dict({**OPEN_WATER, "fishes": fishes, "fluid_viscosity": 0.0})
    world = World(scene, pilot=pilot)
    start, shape = world.center_of_mass, world.nodes
    world.simulate(3 * 24)
    assert (np.linalg.norm(world.center_of_mass - start, axis=1) < 1e-6 * world.shoal.length).all()
    assert (np.abs(world.nodes - shape).max(axis=(1, 2)) > 0.01 * world.shoal.length).all()


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (lambda: None, "pilot: found None, allowed Commands"),
        (
            lambda: dataclasses.replace(Commands.still(2), swim=np.zeros(3)),
            r"swim: found an array \(3,\), allowed \(2,\)",
        ),
        (lambda: dataclasses.replace(Commands.still(2), back=0.5), r"back: found 0.5, allowed \(2,\)"),
        (
            lambda: dataclasses.replace(Commands.still(2), turn=np.array([0.0, np.nan])),
            "turn: found nan for fish 1, allowed finite",
        ),
        (lambda: dataclasses.replace(Commands.still(2), climb=["up", "down"]), "climb: found .*allowed"),
    ],
)
def test_a_pilot_that_talks_nonsense_is_told_in_one_line(said, found):
    world = World(open_water({"species": "sardine", "count": 2}), pilot=lambda t, world: said())
    before = world.nodes
    with pytest.raises(ValueError, match=found):
        world.step()
    assert np.array_equal(world.nodes, before)


def test_a_pilot_may_speak_in_lists_and_whole_numbers():
    told = Commands([1, 0], [0, 0], [0, 0], [0, 1], [0, 0])
    world = World(open_water({"species": "sardine", "count": 2}), pilot=lambda t, world: told)
    world.simulate(12)
    assert world.shoal.velocity[0, 0] ** 2 + world.shoal.velocity[0, 1] ** 2 > 0.0


@pytest.mark.parametrize("seed", [1.5, "1", None, True])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(SceneError, match=r"seed: found .*, allowed a whole number"):
        World(open_water({"species": "sardine"}), seed=seed)


@pytest.mark.film
def test_a_current_carries_a_fish_along():
    flow = {"kind": "uniform", "direction": [0, 3, 4], "strength": 0.2}
    world = World(open_water({"species": "cardinalfish"}, current=[flow]), pilot=steady(1))
    world.simulate(20 * 24)
    assert world.shoal.velocity[0] == pytest.approx([0.0, 0.12, 0.16], abs=0.02)


@pytest.mark.film
@pytest.mark.parametrize("swim", [pytest.param(0.0, marks=pytest.mark.large), 1.0])
def test_in_a_stream_every_species_moves_as_in_water_at_rest(swim):
    """A fish that comes into a stream goes along with it and cannot tell (Galilei), wherever the stream comes from."""
    groups = [
        {"species": name, "heading": heading, "at": [10.0 * row + 5.0, 10.0 * column + 5.0, 50.0]}
        for row, name in enumerate(Species.names())
        for column, heading in enumerate(([1, 0, 0], [1, 1, 0], [0, 1, 0], [-1, 0, 0]))
    ]
    flow = {"kind": "uniform", "direction": [1, 0, 0], "strength": 0.4}
    pilot = steady(len(groups), swim=swim)
    river, pool = (World(open_water(*groups, **more), pilot=pilot) for more in ({"current": [flow]}, {}))
    for world in (river, pool):
        world.simulate(2 * 24)
    away = river.nodes - pool.nodes - [0.4 * river.frame / 24, 0.0, 0.0]
    # Rounding in single precision is all that differs, and grows.
    assert (np.abs(away).max(axis=(1, 2)) < 0.001 * river.shoal.length).all()


def test_who_enters_later_goes_along_with_the_stream():
    flow = {"kind": "uniform", "direction": [0, 1, 0], "strength": 0.3, "period": 8.0}
    late = {"species": "sardine", "heading": [1, 0, 0], "enters": 2.0}
    world = World(open_water(late, current=[flow]), pilot=steady(1))
    world.simulate(2 * 24 + 1)
    assert world.shoal.velocity[0] == pytest.approx([0.0, 0.3, 0.0], abs=0.005)  # the swing's turning point


@pytest.mark.film
def test_in_water_that_swings_a_fish_moves_as_in_water_at_rest():
    """A fish that goes along with water cannot tell that it speeds up (Galilei, and what the pressure adds to him)."""
    strength, period, seconds = 0.4, 6.0, 10
    swing = {"kind": "uniform", "direction": [1, 0, 0], "strength": strength, "period": period}
    river, pool = (
        World(
            open_water({"species": "cardinalfish", "heading": [0, 1, 0]}, **flow), pilot=steady(1, swim=0.5, turn=1.0)
        )
        for flow in ({"current": [swing]}, {})
    )
    begin = river.nodes
    # What the water does in a frame is what it does in the middle of it.
    middles = (np.arange(seconds * 24 - 1) + 0.5) / 24  # of the steps from the first frame to the last
    shift = (strength * np.sin(2 * np.pi * middles / period)).sum() / 24
    for world in (river, pool):
        world.simulate(seconds * 24)
    away = river.nodes - pool.nodes
    assert np.ptp(away, axis=1).max() < 0.02 * river.shoal.length[0]  # the body is in the same pose
    assert away[0].mean(axis=0) == pytest.approx([shift, 0.0, 0.0], abs=1e-3)
    assert np.linalg.norm(river.nodes - begin, axis=2).max() > river.shoal.length[0]


@pytest.mark.film
def test_minds_keep_fishes_in_the_tank_and_off_the_pillar():
    scene = Scene.from_dict({**SCENE, "duration": 10.0})
    nodes = World(scene, seed=2).simulate().nodes
    places = nodes.mean(axis=2).astype(float)
    assert (WaterBox.from_scene(scene).distance(places.reshape(-1, 3))[0] > 0).all()
    assert (Obstacles.from_scene(scene).distance(places.reshape(-1, 3))[0] > 0).all()
    assert np.isfinite(nodes).all()
    travelled = np.linalg.norm(np.diff(places, axis=0), axis=2).sum(axis=0)
    assert (travelled > 2.0 * np.array([0.18] * 12 + [0.09] * 2 + [0.8])).all()


KINDS = "clownfish", "thesis"


def test_where_sexes_are_mixed_a_clownfish_has_the_larger_mate():
    mixed = {"species": "clownfish", "count": 12, "at": [2, 2, 1], "spread": 1.0}
    scene = Scene.from_dict({"tank": {"size": [4, 4, 2]}, "fishes": [mixed, {**mixed, "sex": "female"}]})

    def lengths(model: Species) -> list[np.ndarray]:
        """In lengths of the kind: of males, of females among them, and of those alone."""
        recording = World(scene, species={"clownfish": model}).simulate(1)
        long, sex = recording.body_length / model.length, np.array(recording.sex[:12])
        return [long[:12][sex == "male"], long[:12][sex == "female"], long[12:]]

    males, females, alone = (set(found.round(4)) for found in lengths(Species.load("clownfish").alike))
    assert (males, females, alone) == ({1.0}, {1.25}, {1.0})  # what a scene says of females alone holds
    males, females, alone = lengths(Species.load("clownfish"))
    assert males.max() < females.min() and len({*males, *females, *alone}) == 24  # no two are as long


def test_libido_begins_anywhere_in_its_range_and_the_books_at_nothing():
    groups = [{"species": name, "count": 40, "at": [5, 5, 2], "spread": 4.0, "mind": {"hunger": 0.0}} for name in KINDS]
    felt = World(Scene.from_dict({"tank": {"size": [10, 10, 4]}, "fishes": groups})).simulate(1).libido[0]
    ours, books = felt[:40], felt[40:]
    assert len(set(ours)) == 40 and ours.min() < 0.1 and 0.2 < ours.max() < 0.36 and not books.any()


def test_fishes_of_a_kind_differ_in_size_as_their_species_says_and_the_longer_beat_more_slowly():
    sardine = Species.load("sardine").alike
    scene = Scene.from_dict(
        {
            "tank": {"size": [40, 40, 40]},
            "fishes": [{"species": "sardine", "count": 60, "at": [20, 20, 20], "spread": 5}],
        }
    )

    def lengths(variety: float) -> np.ndarray:
        return (
            World(scene, species={"sardine": dataclasses.replace(sardine, size_variety=variety)}).shoal.length
            / sardine.length
        )

    assert (lengths(0.0) == 1.0).all()
    various = lengths(0.2)
    assert 0.8 <= various.min() < 0.9 and 1.1 < various.max() <= 1.2 and abs(various.mean() - 1.0) < 0.05
    assert (various - 1) / 2 + 1 == pytest.approx(lengths(0.1))

    world = World(scene, species={"sardine": dataclasses.replace(sardine, size_variety=0.2)})
    beats = drive_at_full_speed(world)[np.argsort(world.shoal.length)]
    assert (np.diff(beats) <= 0).all() and 1.1 < beats.max() / beats.min() < 1.3


def test_fishes_of_a_kind_differ_in_gait_as_their_species_says():
    even = Species.load("sardine").alike
    group = {"species": "sardine", "count": 60, "at": [20, 20, 20], "spread": 5}
    scene = Scene.from_dict({"tank": {"size": [40, 40, 40]}, "fishes": [group]})
    beats = {
        variety: drive_at_full_speed(World(scene, species={"sardine": dataclasses.replace(even, gait_variety=variety)}))
        for variety in (0.0, 0.1)
    }
    assert len(set(beats[0.0])) == 1
    various = beats[0.1] / beats[0.0]
    assert 0.9 <= various.min() < 0.95 and 1.05 < various.max() <= 1.1 and len(set(various)) == 60


def test_those_of_a_kind_that_ship_differ_slightly_but_the_books_do_not():
    for name in Species.names():
        model = Species.load(name)
        variety = model.size_variety, model.gait_variety
        assert variety == (0.0, 0.0) if name == "thesis" else all(0.05 <= one <= 0.15 for one in variety)
        # A triangle from one end to the other: no female of a kind that chooses larger ones is below a male.
        small, large = model.female_size * (1 - model.size_variety), 1 + model.size_variety
        assert model.female_size == 1.0 or small > large


def drive_at_full_speed(world: World) -> np.ndarray:
    """Beats a second of all fishes that are at full speed, and so do not kick to come to it."""
    parts = world.parts
    commands = Commands.still(60)
    commands.swim[:] = 1.0
    _, frames = parts.bodies.shoal.frames()
    velocity = 3.0 * parts.bodies.shoal.length[:, None] * frames[:, :, 0]
    return parts.bodies.motor.drive(commands, frames, velocity, parts.bodies.shoal.length, parts.period).frequency
