"""Fishes and their water fit: room to turn, and no stream that presses them to the walls."""

import pytest

from artfish.core import Scene, SceneError, Species, World
from artfish.core.scene.fitting import refuse_misfits

FISH = {"species": "clownfish", "at": [0.15, 0.15, 0.15]}
STREAM = {"kind": "uniform", "direction": [1, 0, 0]}


def scene(size=(3, 3, 3), fish=FISH, **more):
    return Scene.from_dict({"tank": {"size": list(size)}, "fishes": [fish], **more})


def refuse(one):
    refuse_misfits(one, {group.species: Species.load(group.species) for group in one.fishes})


@pytest.mark.parametrize("name", Scene.names())
def test_every_preset_fits(name):
    refuse(Scene.load(name))


@pytest.mark.parametrize(
    ("odd", "found"),
    [
        (scene((3, 0.2, 3), {**FISH, "size": 2.0}), r"size: found 2.0, a clownfish of 0.18 m in a tank 0.2 m wide, "),
        (scene((0.2, 3, 3), {**FISH, "size": 2.0}), r"allowed up to 1.48, or a tank 0.27 m long, to turn in"),
        (scene((9, 9, 0.2), {**FISH, "size": 20.0}), r"in a tank 0.2 m deep, allowed up to 4.44, or a tank 0.9 m deep"),
        (
            scene(current=[{**STREAM, "strength": 1.0}]),
            r"current\[0\].strength: found 1 m/s in all, 11.1 lengths a sec",
        ),
        (
            scene(current=[{**STREAM, "strength": 0.14}, {**STREAM, "strength": 0.15}]),
            r"current\[1\].strength: found 0.29 m/s in all, .* allowed up to 0.27 m/s in all, or fishes of 0.0967 m",
        ),
        (
            scene(obstacles=[{"kind": "cylinder", "at": [2, 2, 0], "radius": 0.1, "height": 1, "outflow": 5.0}]),
            r"obstacles\[0\].outflow: found 5 m/s in all",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_what_to_change(odd, found):
    with pytest.raises(SceneError, match=found):
        refuse(odd)
    with pytest.raises(SceneError, match=found):
        World(odd, seed=1)


def test_what_just_fits_is_taken():
    refuse(scene((0.27, 0.27, 0.18), {**FISH, "size": 2.0}, current=[{**STREAM, "strength": 0.54}]))
    refuse(scene((3, 3, 3), FISH, current=[{**STREAM, "strength": 0.27}]))


def test_water_without_fishes_may_be_as_swift_as_it_likes():
    refuse(Scene.from_dict({"current": [{**STREAM, "strength": 10.0}]}))
