"""Generations: eggs hatch in a world, young grow and court when they are grown, and numbers stay within bounds."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Recording, Scene, SceneError, World
from artfish.core.base.vectors import cross, dot
from artfish.core.body.anatomy import FACES
from artfish.core.genetics.genome import genome_of, wild
from artfish.core.world.spawning import spawn

BREEDING = {"population": 9, "born": 8, "pace": 400.0, "brood": 3, "hatching": 100.0, "growing": 500.0, "mutation": 0.0}
GROUP = {"species": "sardine", "type": "prey", "at": [1.5, 1.5, 1.0], "spread": 0.6, "mind": {"ascent": 1.0}}
FISHES = [{**GROUP, "sex": "male", "count": 2}, {**GROUP, "sex": "female", "count": 2}]
WATER = {"tank": {"size": [4, 3, 2]}, "plankton": {"count": 200, "growth": 20}}


def made(seed: int = 0, fishes: list | None = None, **more) -> World:
    return World(Scene.from_dict({**WATER, "fishes": fishes or FISHES, "breeding": {**BREEDING, **more}}), seed)


def lays(world: World, male: int = 0, female: int = 2) -> None:
    """Has a couple spawn where it is."""
    spawn(world.parts, [{"kind": "spawned", "fish": male, "other": female}], world.nodes)


def going(world: World, frames: int) -> World:
    for _ in range(frames):
        world.step()
    return world


def kinds(world: World, kind: str) -> list[dict]:
    return [event for event in world.events if event["kind"] == kind]


def same(one: Recording, other: Recording) -> bool:
    arrays = ("nodes", "alive", "growth", "hunger", "intention", "spawn_kind")
    return one.events == other.events and all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays
    )


@pytest.fixture(scope="module")
def born() -> World:
    """A world in which a brood has hatched and grown for a while."""
    world = made()
    lays(world)
    return going(world, 30)


def test_eggs_hatch_where_they_are_when_their_time_has_come():
    world = made()
    lays(world)
    going(world, 5)  # of 6 frames of 16.7 s each
    assert not kinds(world, "hatched") and world.alive.sum() == 4
    eggs = world.parts.water.spawn.place[world.parts.water.spawn.kind == 0]
    going(world, 4)
    hatched = kinds(world, "hatched")
    assert [(event["fish"], event["other"], event["father"]) for event in hatched] == [(row, 2, 0) for row in (4, 5, 6)]
    young = world.parts.bodies.lives.place[4:7]
    assert (np.linalg.norm(young[:, None] - eggs, axis=2).min(axis=1) < 0.1).all()
    assert world.alive[4:7].all() and not world.alive[7:].any()
    assert not (world.parts.water.spawn.kind == 0).any()  # the others have perished


def test_a_fry_is_small_and_grows_truly(born):
    first, now = 0.3, born.parts.bodies.lives.share[4:7]
    assert ((now > first + 0.05) & (now < 1.0)).all()
    length = born.parts.model.full_length[4:7] * now
    assert born.shoal.length[4:7] == pytest.approx(length)
    span = np.linalg.norm(born.nodes[4:7, 0] - born.nodes[4:7, -2:].mean(axis=1), axis=1)
    assert span == pytest.approx(length, rel=0.15)  # a body bends


def test_mass_goes_with_the_cube_of_length():
    world = made()
    lays(world)
    going(world, 10)
    volumes, lengths = [], []
    for _ in range(3):
        rest = world.shoal.resting(int(world.shoal.kind[4])) * world.shoal.length[4]
        a, b, c = (rest[FACES[:, corner]] for corner in range(3))
        volumes.append(float(dot(a, cross(b, c)).sum()) / 6.0)
        lengths.append(float(world.shoal.length[4]))
        going(world, 9)
    assert lengths[2] > lengths[1] > lengths[0]
    ratios = np.array(volumes) / np.array(lengths) ** 3
    assert ratios == pytest.approx(ratios[0])


def test_children_have_the_genes_of_their_parents(born):
    lives, stock = born.parts.bodies.lives, born.models["sardine"]
    parents = [wild(stock, int(lives._wilds[row] >> np.uint64(32))) for row in (2, 0)]
    names = [born.species[row] for row in (4, 5, 6)]
    assert names == [f"sardine_born_{row}" for row in (1, 2, 3)]
    seen = []
    for name in names:
        child = born.models[name]
        assert (child.ancestry.mother, child.ancestry.father, child.ancestry.stock) == ("sardine", "sardine", "sardine")
        copies = genome_of(child)
        for mine, of in zip((copies.mother, copies.father), parents, strict=True):
            there = np.isclose(mine.numbers, of.mother.numbers) | np.isclose(mine.numbers, of.father.numbers)
            assert there.mean() > 0.99  # but for what had to be made whole
        seen.append(copies.mother.numbers)
    assert not np.array_equal(seen[0], seen[1])  # siblings differ


def test_others_take_a_child_for_one_of_its_stock(born):
    cast = born.parts.minds.decision._prospects._courtship._species
    assert len(set(cast[:7].tolist())) == 1


def test_the_population_stays_within_its_bounds():
    world = made(population=6, pace=2000.0, starvation=1e6, lifespan=1e6)
    most = 0
    for _ in range(6):
        lays(world)
        for _ in range(12):
            world.step()
            most = max(most, int(world.alive.sum()))
    assert most == 6 and len(kinds(world, "hatched")) == 2
    full = made(population=90, born=5, pace=2000.0)
    for _ in range(3):
        lays(full)
        going(full, 12)
    assert len(kinds(full, "hatched")) == 5


def test_who_was_there_and_who_was_born_less_who_died_are_alive():
    world = made(pace=1000.0, starvation=900.0, lifespan=1500.0, population=20)
    for _ in range(4):
        lays(world)
        going(world, 16)
        there = 4 + len(kinds(world, "hatched")) - len(kinds(world, "died"))
        assert world.alive.sum() == there
    assert len(kinds(world, "died")) > 2


def test_an_unfed_population_dies_of_hunger_in_the_declared_time():
    world = World(
        Scene.from_dict(
            {"fishes": FISHES, "breeding": {**BREEDING, "variety": 0.0, "starvation": 408.0, "lifespan": 1e6}}
        )
    )
    going(world, 24)  # 400 s
    assert world.alive.sum() == 4
    going(world, 1)
    assert not world.alive.any() and [event["cause"] for event in kinds(world, "died")] == ["hunger"] * 4


def test_a_world_is_the_same_to_the_bit_and_goes_on_from_its_file(tmp_path):
    one, other = made(seed=3), made(seed=3)
    for world in (one, other):
        lays(world)
        going(world, 20)
    one.save(tmp_path / "world.npz")
    ahead = one.simulate(30)
    assert same(other.simulate(30), ahead)
    loaded = World.load(tmp_path / "world.npz")
    assert loaded.species[:7] == one.species[:7] and loaded.scene.breeding is not None
    assert same(loaded.simulate(30), ahead)


def test_a_world_goes_back_to_a_moment_before_a_birth():
    world = made(seed=5)
    lays(world)
    moment = world.moment()
    ahead = world.simulate(30)
    assert [event["kind"] for event in ahead.events].count("hatched") == 3
    world.go_back(moment)
    assert world.alive.sum() == 4
    assert same(world.simulate(30), ahead)


def test_a_world_goes_on_as_another_scene_with_the_same_lives(born):
    moment = born.moment()
    ages, places, alive = born.parts.bodies.lives.age.copy(), born.nodes[born.alive], born.alive.copy()
    born.retune(fluid_viscosity=0.9)
    assert np.array_equal(born.parts.bodies.lives.age, ages) and np.array_equal(born.alive, alive)
    assert born.nodes[alive] == pytest.approx(places, abs=1e-12)
    with pytest.raises(SceneError, match="born"):
        born.retune(breeding=None)
    born.go_back(moment)


def test_a_recording_has_those_that_were_born_at_their_lengths(tmp_path):
    world = made(seed=2)
    lays(world)
    recording = world.simulate(30)
    assert recording.nodes.shape[1] == 7 and len(recording.scene.fishes) == 5 and recording.scene.breeding is None
    hatch = {event["fish"]: event["frame"] for event in recording.events if event["kind"] == "hatched"}
    for row, frame in hatch.items():
        assert not recording.alive[:frame, row].any() and recording.alive[frame:, row].all()
        assert recording.growth[frame, row] == pytest.approx(0.3)
        assert (np.diff(recording.growth[frame:, row]) >= 0.0).all()
    assert (recording.growth[:, :4] == 1.0).all()
    recording.save(tmp_path / "rec.npz")
    again = Recording.load(tmp_path / "rec.npz")
    assert same(again, recording) and again.species == recording.species
    assert "hatched, a child of" in again.described(next(e for e in again.events if e["kind"] == "hatched"))


def test_only_those_that_are_grown_court(born):
    pairs = born.parts.minds.decision._prospects._courtable
    assert sorted({int(row) for mine, _ in pairs for row in mine}) == [0, 1, 2, 3]


def test_predators_neither_age_nor_starve():
    world = made(fishes=[*FISHES, {"species": "grouper", "at": [3, 2, 1]}], starvation=100.0)
    assert world.parts.bodies.lives.mortal[:5].tolist() == [True, True, True, True, False]
    going(world, 12)
    assert world.alive[4] and "hunger" in {event["cause"] for event in kinds(world, "died")}


def test_a_world_without_breeding_has_no_lives():
    world = World(Scene.from_dict({**WATER, "fishes": FISHES}))
    assert world.parts.bodies.lives is None and (world.simulate(2).growth == 1.0).all()


@pytest.mark.parametrize(
    "told, words",
    [
        ({"breeding": {"fry": 0.8, "maturity": 0.7}}, "fry"),
        ({"breeding": {}, "fishes": []}, "fishes that begin"),
        ({"breeding": {}, "camera": {"at": [1, 1, 1], "look_at": [2, 2, 1]}, "detail": {}}, "one of both"),
        ({"breeding": {"born": 100_000}}, "in all"),
    ],
)
def test_what_cannot_breed_is_refused(told, words):
    with pytest.raises(SceneError, match=words):
        Scene.from_dict({**WATER, "fishes": FISHES, **told})
