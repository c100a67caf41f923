"""Relations show in what fishes do, each beside the same scene without it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.behavior.intention import ESCAPE
from artfish.core.behavior.relations import Relations
from artfish.core.behavior.tuning import LIKED_LENGTHS
from artfish.core.perception.swimmers import NO_FISH
from artfish.core.world.persistence import states_of

SEEDS = range(4)
FISH = {"species": "butterflyfish", "at": [4, 4, 1.5], "spread": 0.4, "mind": {"hunger": 0.0}}
OTHER = {"species": "blue_tang", "at": [5.5, 4, 1.5], "spread": 0.4, "mind": {"hunger": 0.0}}


def world(*relations: dict, seed: int = 0, fish: dict | None = None, other: dict | None = None, **more) -> World:
    """A butterflyfish and a surgeonfish in a pool, the first of which has relations to the second."""
    fishes = [{**FISH, **(fish or {})}, {**OTHER, **(other or {})}]
    entries = [{"fishes": 0, "toward": 1, **entry} for entry in relations]
    data = {"tank": {"size": [10, 8, 3]}, "fishes": fishes, "relations": entries, **more}
    return World(Scene.from_dict(data), seed)


def lived(of: World, frames: int = 288) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gap between the two in metres, (frame,), whether the first flees, (frame,), and whom it drives off, (frame,)."""
    gap, flees, charges = [], [], []
    for _ in range(frames):
        of.step()
        middle, decision = of.nodes.mean(axis=1), of.parts.minds.decision
        gap.append(np.linalg.norm(middle[0] - middle[1]))
        flees.append(decision.generator.intention[0] == ESCAPE)
        charges.append(NO_FISH if decision.relations is None else decision.relations.charges[0])
    return np.array(gap), np.array(flees), np.array(charges)


@cache
def calm_gap() -> float:
    """The mean gap without a relation."""
    return mean_gap()


def mean_gap(*relations: dict, **more) -> float:
    return float(np.mean([lived(world(*relations, seed=seed, **more))[0].mean() for seed in SEEDS]))


@pytest.mark.film
def test_who_is_feared_is_kept_away_from_and_fled_whatever_its_size():
    small = {"size": 0.4}  # shorter than who fears it
    calm = mean_gap(other=small)
    feared = [lived(world({"kind": "fear", "strength": 1.0}, seed=seed, other=small)) for seed in SEEDS]
    assert np.mean([gap.mean() for gap, _, _ in feared]) > 1.3 * calm
    assert all(flees.any() for _, flees, _ in feared)


@pytest.mark.film
def test_the_more_it_fears_the_farther_it_stays():
    gaps = [calm_gap(), *(mean_gap({"kind": "fear", "strength": strength}) for strength in (0.4, 1.0))]
    assert gaps[0] < gaps[1] < gaps[2]


@pytest.mark.film
def test_a_predator_that_is_trusted_frightens_less():
    shark = {"type": "predator"}
    flights = {}
    for strength in (0.0, 1.0):
        of = [lived(world({"kind": "trust", "strength": strength}, seed=seed, other=shark)) for seed in SEEDS]
        flights[strength] = sum(int(flees.sum()) for _, flees, _ in of), np.mean([gap.mean() for gap, _, _ in of])
    assert flights[0.0][0] > 0 and flights[1.0][0] == 0
    assert flights[1.0][1] < 0.8 * flights[0.0][1]


@pytest.mark.film
@pytest.mark.parametrize("strength", [0.6, 1.0])
def test_who_is_liked_is_kept_near_as_the_strength_says(strength):
    size = 0.5 * (0.15 + 0.25)
    late = [lived(world({"kind": "like", "strength": strength}, seed=seed), 432)[0][288:] for seed in SEEDS]
    assert np.mean(late) < 1.3 * LIKED_LENGTHS * size / strength
    assert np.mean(late) < 0.6 * calm_gap()


@pytest.mark.film
def test_who_is_disliked_is_charged_and_gives_way():
    travelled = {}
    for kind in ("none", "dislike"):
        relation = [] if kind == "none" else [{"kind": kind, "strength": 1.0}]
        ways = []
        for seed in SEEDS:
            of = world(*relation, seed=seed)
            start = of.nodes.mean(axis=1)[1]
            charges = lived(of)[2]
            ways.append(np.linalg.norm(of.nodes.mean(axis=1)[1] - start))
            assert (charges == 1).any() == (kind == "dislike")
        travelled[kind] = np.mean(ways)
    assert travelled["dislike"] > 1.5 * travelled["none"]


@pytest.mark.film
def test_one_that_dislikes_the_other_as_well_and_is_longer_stands_its_ground():
    back = {"fishes": 1, "toward": 0, "kind": "dislike", "strength": 1.0}
    of = world({"kind": "dislike", "strength": 1.0}, back, seed=1)
    turned = 0
    for _ in range(288):
        of.step()
        turned += of.parts.minds.decision.relations.charges[1] == 0
    assert turned > 24


@pytest.mark.film
def test_a_hungry_fish_leaves_food_for_whom_it_dislikes_more_than_it_hungers():
    shares = {}
    for strength in (0.3, 1.0):
        found = []
        for seed in SEEDS:
            of = world(
                {"kind": "dislike", "strength": strength},
                seed=seed,
                fish={"mind": {"hunger": 0.6}},
                other={"at": [4.8, 4, 1.5]},
                plankton={"count": 200, "at": [4, 4, 1.5], "spread": 1.0},
            )
            found.append((lived(of, 120)[2] == 1).mean())
        shares[strength] = np.mean(found)
    assert shares[1.0] > 0.1 and shares[0.3] < 0.5 * shares[1.0]


@pytest.mark.film
def test_who_is_not_seen_is_not_minded():
    wall = {"kind": "cylinder", "at": [5, 4, 0], "radius": 0.6, "height": 3.0}
    of = world({"kind": "fear", "strength": 1.0}, obstacles=[wall], other={"at": [7, 4, 1.5], "spread": 0.0},
               fish={"at": [3, 4, 1.5], "spread": 0.0})  # fmt: skip
    for _ in range(8):
        of.step()
    assert of.parts.minds.decision.focus.most_fear[0] == 0.0


@pytest.mark.film
@pytest.mark.parametrize("kind", ["predator", "pacifist"])
def test_what_is_written_has_also_those_flee_that_flee_nobody_else(kind):
    fish = {"type": kind}
    flees = [lived(world({"kind": "fear", "strength": 1.0}, seed=seed, fish=fish))[1].any() for seed in SEEDS]
    assert all(flees)
    shark = {"species": "reef_shark", "at": [5.5, 4, 1.5], "heading": [-1, 0, 0], "mind": {"hunger": 0.0}}
    fishes = [{**FISH, **fish}, {**OTHER, "at": [9, 7, 1], "spread": 0.1}, shark]
    entry = {"fishes": 0, "kind": "fear", "toward": 1, "strength": 0.01}
    of = World(Scene.from_dict({"tank": {"size": [10, 8, 3]}, "fishes": fishes, "relations": [entry]}), 1)
    assert not any(of.step() or of.parts.minds.decision.generator.intention[0] == ESCAPE for _ in range(96))


def test_a_relation_of_no_strength_changes_nothing_to_the_bit():
    shark = {"type": "predator", "mind": {"hunger": 1.0}}
    plain, zero = (
        world(*({"kind": kind, "strength": 0.0} for kind in kinds), other=shark) for kinds in ((), ("fear", "like"))
    )
    for _ in range(72):
        plain.step()
        zero.step()
    theirs = states_of(zero.parts)
    for key, state in states_of(plain.parts).items():
        for name, array in state.items():
            assert np.array_equal(array, theirs[key][name], equal_nan=array.dtype.kind == "f"), (key, name)


def test_a_scene_without_has_nothing_of_it():
    of = world()
    assert of.parts.minds.decision.relations is None and "relations" not in states_of(of.parts)


def everything(seed: int = 5) -> World:
    """Fishes with all relations, and grudges, and a shark."""
    fishes = [
        {**FISH, "count": 4, "type": "prey", "mind": {"hunger": 0.6}},
        {**OTHER, "count": 3},
        {"species": "reef_shark", "size": 0.6, "at": [8, 5, 1.5], "mind": {"hunger": 1.0}},
    ]
    relations = [
        {"fishes": 0, "kind": "dislike", "toward": 1, "strength": 0.9},
        {"fishes": 0, "member": 1, "kind": "like", "toward": 1, "strength": 0.7},
        {"fishes": 1, "kind": "fear", "toward": 2, "strength": 0.5},
        {"fishes": 1, "member": 0, "kind": "trust", "toward": 2, "strength": 1.0},
    ]
    plankton = {"count": 100}
    data = {"tank": {"size": [10, 8, 3]}, "fishes": fishes, "relations": relations, "grudges": True}
    return World(Scene.from_dict({**data, "plankton": plankton}), seed)


@pytest.mark.film
def test_a_saved_world_goes_on_to_the_bit(tmp_path):
    whole = everything()
    for _ in range(96):
        whole.step()
    whole.save(tmp_path / "world.npz")
    moment = whole.moment()
    for _ in range(96):
        whole.step()
    again = World.load(tmp_path / "world.npz")
    for _ in range(96):
        again.step()
    expected, found = states_of(whole.parts), states_of(again.parts)
    assert expected["relations"]["charges"].shape == (8,)
    for key, state in expected.items():
        for name, array in state.items():
            assert array.tobytes() == found[key][name].tobytes(), (key, name)
    assert whole.events == again.events
    whole.go_back(moment)
    for _ in range(96):
        whole.step()
    assert whole.nodes.tobytes() == again.nodes.tobytes()


@pytest.mark.film
def test_a_running_world_takes_up_other_relations():
    of = everything()
    for _ in range(48):
        of.step()
    of.retune(relations=(), grudges=False)
    assert of.parts.minds.decision.relations is None
    of.retune(grudges=True)
    of.step()
    assert of.parts.minds.decision.relations is not None


@pytest.mark.film
def test_who_escapes_a_hunt_holds_a_grudge_and_only_where_the_scene_says_so():
    scene = Scene.load("hunt")
    held = 0
    for seed in SEEDS:
        of = World(replace(scene, grudges=True), seed)
        hunted: dict[int, set[int]] = {}
        for _ in range(480):
            of.step()
            decision = of.parts.minds.decision
            for fish in np.flatnonzero(decision.generator.intention == ESCAPE).tolist():
                hunted.setdefault(fish, set()).add(int(decision.focus.target[fish]))
        for event in of.events:
            if event["kind"] == "grudge":
                held += 1
                assert event["relation"] == "fear" and event["other"] in hunted[event["fish"]]
                assert of.parts.model.characters.types[event["other"]] == 0
    assert held > 0
    of = World(scene, 0)
    of.simulate(480)
    assert not any(event["kind"] == "grudge" for event in of.events)


@pytest.mark.film
def test_who_is_driven_off_at_food_comes_to_dislike_that_one():
    grudges = []
    for seed in SEEDS:
        of = world(
            {"kind": "dislike", "strength": 1.0},
            seed=seed,
            fish={"mind": {"hunger": 0.0}},
            other={"at": [4.8, 4, 1.5], "mind": {"hunger": 0.9}},
            plankton={"count": 300, "at": [4.8, 4, 1.5], "spread": 1.0},
            grudges=True,
        )
        lived(of, 480)
        grudges += [event for event in of.events if event["kind"] == "grudge" and event["fish"] == 1]
    assert any(event["relation"] == "dislike" and event["other"] == 0 for event in grudges)


@pytest.mark.film
def test_a_large_crowd_with_a_relation_stays_small_in_memory():
    fishes = [{**FISH, "count": 1500, "spread": 3.0}, {**OTHER, "count": 1500, "spread": 3.0}]
    data = {"tank": {"size": [40, 30, 10]}, "fishes": [{**one, "at": [20, 15, 5]} for one in fishes]}
    data |= {"relations": [{"fishes": 0, "kind": "dislike", "toward": 1}], "grudges": True}
    of = World(Scene.from_dict(data), 0)
    of.step()
    saved = of.parts.minds.decision.relations.saved.state()
    assert sum(array.nbytes for array in saved.values()) < 200 * 3000


def test_relations_are_asked_for_by_no_more_fishes_than_have_any():
    of = world({"kind": "fear"}, grudges=False)
    found: Relations = of.parts.minds.decision.relations
    assert found.grudges is None and found.flees.tolist() == [True, False]
