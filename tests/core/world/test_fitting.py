"""Scenes that do not fit into a tank are refused in one line, and those that cannot go well are warned of in one."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from artfish.core import Commands, Scene, SceneError, Species, World
from artfish.core.world.fitting import misgivings, refuse_misfits, swiftest_stream
from artfish.core.world.tuning import DRIFTING_LENGTHS

CLOWNFISH = Species.load("clownfish").alike
ALIKE = {"clownfish": CLOWNFISH}


def scene(**keys: Any) -> Scene:
    fishes = [{"species": "clownfish", "at": [0.05, 0.05, 0.05]}]
    return Scene.from_dict({"tank": {"size": [3, 2, 1]}, "fishes": fishes, **keys})


def sized(size: float, tank: list[float]) -> Scene:
    middle = [0.5 * side for side in tank]
    return scene(tank={"size": tank}, fishes=[{"species": "clownfish", "sex": "male", "at": middle, "size": size}])


def stream(strength: float, **keys: Any) -> dict[str, Any]:
    return {"kind": "uniform", "direction": [1, 0, 0], "strength": strength, **keys}


def refused(of: Scene) -> SceneError:
    with pytest.raises(SceneError) as caught:
        World(of, species=ALIKE)
    return caught.value


def warned(of: Scene) -> list[str]:
    return [one.key for one in World(of, species=ALIKE).warnings]


@pytest.mark.parametrize(
    ("tank", "side"), [([1.0, 0.5, 1.0], "long"), ([3.0, 0.1, 1.0], "wide"), ([3.0, 2.0, 0.1], "deep")]
)
def test_a_fish_longer_broader_or_taller_than_its_tank_is_refused(tank, side):
    error = refused(sized(20.0, tank))
    assert error.key == "fishes[0].size" and error.found == "20.0, a clownfish of 1.8 m"
    assert error.allowed.endswith(f"m {side}")
    most = float(error.allowed.split()[2])
    assert World(sized(0.99 * most, tank), species=ALIKE).warnings


def test_of_fishes_that_differ_in_size_the_largest_and_the_smallest_must_fit():
    various = {"clownfish": dataclasses.replace(CLOWNFISH, size_variety=0.2)}
    for size, fits in ((9.0, True), (10.5, False)):  # of 0.81 and 0.945 m, and with a fifth more of 0.97 and 1.13 m
        refuse_misfits(sized(size, [1.0, 0.5, 1.0]), ALIKE)
        if fits:
            refuse_misfits(sized(size, [1.0, 0.5, 1.0]), various)
        else:
            with pytest.raises(SceneError, match=r"a clownfish of 1\.13 m"):
                refuse_misfits(sized(size, [1.0, 0.5, 1.0]), various)
    swift = scene(current=[stream(0.9 * DRIFTING_LENGTHS * CLOWNFISH.length)])
    refuse_misfits(swift, ALIKE)
    with pytest.raises(SceneError, match="lengths a second of a clownfish"):
        refuse_misfits(swift, various)


def test_a_stream_that_carries_fishes_faster_than_any_swims_is_refused():
    most = DRIFTING_LENGTHS * CLOWNFISH.length
    error = refused(scene(current=[stream(0.1), stream(1.01 * most)]))
    assert error.key == "current[1].strength" and "lengths a second of a clownfish" in error.found
    refuse_misfits(scene(current=[stream(0.99 * most)]), ALIKE)


def test_a_pilot_may_have_any_stream():
    world = World(scene(current=[stream(5.0)]), pilot=lambda t, world: Commands.still(1))
    assert np.isfinite(world.simulate(frames=1).nodes).all()


def test_streams_count_by_what_they_come_to_where_they_meet():
    assert swiftest_stream(scene()) == 0.0
    assert swiftest_stream(scene(current=[stream(0.2), stream(0.3)])) == pytest.approx(0.5)
    assert swiftest_stream(scene(current=[stream(0.2), stream(0.3, period=4.0)])) == pytest.approx(0.5)
    opposed = stream(0.2) | {"direction": [-1, 0, 0]}
    assert swiftest_stream(scene(current=[stream(0.3), opposed])) == pytest.approx(0.1)
    vortices = [{"kind": "vortex", "at": [x, 1, 0.5], "strength": 0.2, "radius": 0.01} for x in (0.5, 2.5)]
    assert swiftest_stream(scene(current=vortices)) == pytest.approx(0.2, rel=0.02)


def test_the_stream_past_a_pillar_is_twice_as_swift():
    pillar = {"kind": "cylinder", "at": [1.5, 1, 0], "radius": 0.1, "height": 1}
    assert swiftest_stream(scene(current=[stream(0.2)], obstacles=[pillar])) == pytest.approx(0.4)
    assert swiftest_stream(scene(obstacles=[{**pillar, "outflow": 0.3}])) == pytest.approx(0.3)


def test_what_cannot_go_well_is_warned_of_one_line_each():
    assert warned(scene()) == []
    assert warned(sized(1.0, [0.1, 0.1, 0.1])) == ["fishes[0].size"]
    assert warned(scene(current=[stream(0.3)])) == ["current[0].strength"]
    assert warned(scene(fluid_viscosity=0.1)) == warned(scene(fluid_viscosity=10.0)) == ["fluid_viscosity"]
    assert warned(scene(fluid_viscosity=0.0)) == []
    (line,) = map(str, World(scene(current=[stream(0.3)]), species=ALIKE).warnings)
    assert line.startswith("scene: current[0].strength: found water at 0.3 m/s") and ", better up to 0.13 m/s" in line


@pytest.mark.parametrize("name", Scene.names())
def test_no_preset_is_warned_of(name):
    preset = Scene.load(name)
    assert not misgivings(preset, {group.species: Species.load(group.species) for group in preset.fishes})


def test_of_species_that_are_not_known_nothing_is_said():
    refuse_misfits(sized(20.0, [1.0, 0.5, 1.0]), {})
    assert misgivings(sized(20.0, [1.0, 0.5, 1.0]), {}) == ()
