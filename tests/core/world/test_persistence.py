"""A running world is saved and goes on elsewhere as if it had never stopped, to the bit."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from artfish.core import Commands, Recording, Scene, SceneError, World
from artfish.core.recording import ARRAYS
from artfish.tests.core.kinds import each_scene

CHANGING = [name for name, one in ARRAYS.items() if one.shape[0] == "frames"]


def same(first: Recording, second: Recording) -> bool:
    return first.events == second.events and all(
        np.array_equal(getattr(first, name), getattr(second, name)) for name in CHANGING
    )


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("name", each_scene())
def test_a_world_goes_on_from_its_file_as_from_itself(name, tmp_path):
    world = World(Scene.load(name), seed=3)
    world.simulate(16)
    world.save(tmp_path / "world.npz")
    ahead = world.simulate(10)
    loaded = World.load(tmp_path / "world.npz")
    assert loaded.frame == 15 and loaded.t == pytest.approx(15 / 24)
    assert same(loaded.simulate(10), ahead)


@pytest.mark.film
def test_it_goes_on_alike_in_another_process(tmp_path):
    world = World(Scene.load("preying"), seed=1)
    world.simulate(20)
    world.save(tmp_path / "world.npz")
    told = "import sys; from artfish.core import World; World.load(sys.argv[1]).simulate(24).save(sys.argv[2])"
    paths = [str(tmp_path / name) for name in ("world.npz", "rec.npz")]
    subprocess.run([sys.executable, "-c", told, *paths], check=True, timeout=120)
    assert same(Recording.load(tmp_path / "rec.npz"), world.simulate(24))


def test_a_world_that_has_not_begun_can_be_saved(tmp_path):
    world = World(Scene.load("feeding"), seed=2)
    world.save(tmp_path / "world.npz")
    assert same(World.load(tmp_path / "world.npz").simulate(10), world.simulate(10))


def test_a_pilot_takes_over_again(tmp_path):
    def pilot(t: float, world: World) -> Commands:
        commands = Commands.still(3)
        commands.swim[:], commands.turn[:] = (0.3, 0.6, 1.0), 0.8 * (t > 0.5)
        return commands

    scene = Scene.from_dict({"fishes": [{"species": "sardine", "count": 3, "at": [5, 4, 2], "spread": 1}]})
    world = World(scene, pilot=pilot)
    world.simulate(24)
    world.save(tmp_path / "world.npz")
    assert same(World.load(tmp_path / "world.npz", pilot=pilot).simulate(24), world.simulate(24))


def test_the_file_holds_no_pickle(tmp_path):
    world = World(Scene.load("preying"))
    world.save(tmp_path / "world.npz")
    with np.load(tmp_path / "world.npz", allow_pickle=False) as archive:
        assert all(archive[name].dtype != object for name in archive.files)


def test_a_damaged_or_foreign_file_is_one_line(tmp_path):
    world, path = World(Scene.load("preying")), tmp_path / "world.npz"
    world.save(path)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for size in rng.integers(0, len(whole), 8):
        path.write_bytes(whole[:size])
        with pytest.raises(SceneError, match=r"world\.npz: found .*allowed"):
            World.load(path)
    world.simulate(2).save(path)
    with pytest.raises(SceneError, match=r"world\.npz: found .*allowed"):
        World.load(path)
    with pytest.raises(SceneError, match="allowed a world"):
        World.load(tmp_path / "absent.npz")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("wants/target", 99), ("wants/food", -2), ("courtship/partner", 99), ("intentions/intention", 9)),
        *(("motor/_heading", np.nan), ("mouth", np.inf), ("plankton/place", np.nan), ("block 0/x", 1e300)),
        *(("frame", -1_000_000), ("frame", "x"), ("frame", 10**30), ("events", [{"kind": "eaten"}]), ("seed", "x")),
    ],
)
def test_numbers_that_no_world_has_are_one_line(tmp_path, name, value):
    path = tmp_path / "world.npz"
    World(Scene.load("preying")).save(path)
    with np.load(path) as archive:
        arrays = {key: archive[key] for key in archive.files}
    if name in arrays or "/" in name:
        name = next(key for key in arrays if key.startswith(name.partition(" ")[0]) and key.endswith(name[-2:]))
        arrays[name].flat[0] = value
    else:
        arrays["told"] = np.array(json.dumps(json.loads(arrays["told"].item()) | {name: value}))
    np.savez(path, **arrays)
    with pytest.raises(SceneError, match=r"world\.npz: .*found .*allowed") as refused:
        World.load(path)
    assert name in refused.value.key


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("motor/_last", np.zeros((3, 1))),
        ("wants/target", np.zeros((2, 2), dtype=np.int64)),
        ("plankton/alive", np.zeros(2_000_000, dtype=bool)),
        ("plankton/_grown", np.zeros(2)),
    ],
)
def test_arrays_of_another_shape_are_one_line(tmp_path, name, value):
    path = tmp_path / "world.npz"
    World(Scene.load("preying")).save(path)
    with np.load(path) as archive:
        arrays = {key: archive[key] for key in archive.files}
    assert name in arrays
    np.savez(path, **arrays | {name: value})
    with pytest.raises(SceneError, match=rf"world\.npz: {name}: found .*allowed"):
        World.load(path)


def test_an_unwritable_output_leaves_nothing(tmp_path):
    with pytest.raises(SceneError, match="found no folder"):
        World(Scene.load("preying")).save(tmp_path / "absent" / "world.npz")
    assert not list(tmp_path.iterdir())


def test_the_names_in_a_file_are_those_of_format_9(tmp_path):
    """Parts that are renamed or moved within a world keep their names there, or go by another format."""
    World(Scene.load("go_fish")).save(tmp_path / "world.npz")
    with np.load(tmp_path / "world.npz", allow_pickle=False) as archive:
        names = set(archive.files)
    wants = ("target", "food", "alive", "preferences", "_food", "_fear", "_worst", "_mate", "_sighted", "_grinding")
    assert {"told", "gamma", "mouth", *(f"wants/{name}" for name in wants)} <= names
    parts = {name.rpartition("/")[0] for name in names} - {""}
    assert {part for part in parts if not part.startswith(("block ", "muscles "))} == {
        *("motor", "fins", "choices", "chances", "wants", "feelings", "intentions", "mood", "helms", "schedule"),
        *("courtship", "dangers", "plankton", "growth", "comfort", "leaving", "turns", "mind", "wander", "direction"),
        *("hook", "struggle", "wrenches", "signs", "wariness", "seaweed", "spawn", "nests"),
    }


def test_a_ride_goes_on_from_its_file(tmp_path):
    orders = [{"time": 0, "order": "accelerate"}, {"time": 0.5, "order": "left", "seconds": 0.3}]
    ride = {"at": [5, 4, 2], "orders": orders}
    fishes = [{"species": "sardine", "count": 2, "at": [6, 4, 2], "spread": 1}]
    world = World(Scene.from_dict({"fishes": fishes, "ride": ride}), seed=2)
    world.simulate(14)
    world.save(tmp_path / "world.npz")
    ahead = world.simulate(12)
    assert ahead.submarine.shape == (12, 5) and ahead.submarine[-1, 3] > 0.02
    assert same(World.load(tmp_path / "world.npz").simulate(12), ahead)
    ahead.save(tmp_path / "rec.npz")
    assert same(Recording.load(tmp_path / "rec.npz"), ahead)
