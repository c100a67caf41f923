"""Wishes and numbers that vary come and go, takes are used, and what cannot be done is said."""

from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import history
from artfish.blender_artfish.scene.reader import read
from artfish.blender_artfish.takes import operators, varying
from artfish.core import World
from artfish.core.farm.takes import scene_with


def test_wishes_come_and_go(scene):
    settings = scene.artfish_takes
    bpy.ops.artfish.wish_add()
    assert len(settings.wishes) == 2 and settings.active == 1 and settings.wishes[1].event.event == "ate"
    bpy.ops.artfish.wish_remove()
    assert [wish.kind for wish in settings.wishes] == ["untouched"] and settings.active == 0
    bpy.ops.artfish.wish_remove()
    assert not bpy.ops.artfish.run_takes.poll() and not bpy.ops.artfish.wish_remove.poll()


def test_a_take_of_another_scene_is_warned_of(scene, capfd):
    scene.artfish_takes.count = 2
    bpy.ops.artfish.run_takes()
    for row in (1, 0):
        bpy.ops.artfish.use_take(row=row)
    assert operators.STALE not in capfd.readouterr().out  # its own seed makes no scene another
    bpy.context.object.artfish.shoal.count = 4
    bpy.ops.artfish.use_take(row=0)
    assert operators.STALE in capfd.readouterr().out


def test_numbers_that_vary_come_and_go(scene):
    settings = scene.artfish_takes
    assert not bpy.ops.artfish.vary_remove.poll()
    bpy.ops.artfish.vary_add(number="Clownfish|shoal.pace")
    bpy.ops.artfish.vary_add(number="|light.brightness")
    bpy.ops.artfish.vary_add(number="Clownfish|shoal.sex")
    bpy.ops.artfish.vary_add(number="Clownfish|shoal.pace")  # it is there: it is shown
    assert [row.path for row in settings.varied] == ["shoal.pace", "light.brightness", "shoal.sex"]
    assert settings.active_varied == 0 and (settings.varied[0].low, settings.varied[0].high) == (0.5, 2.0)
    assert [choice.name for choice in settings.varied[2].choices] == ["male", "female", "mixed"]
    with pytest.raises(TypeError):  # no number of this scene
        bpy.ops.artfish.vary_add(number="Clownfish|shoal.colour")
    bpy.ops.artfish.vary_remove()
    assert [row.path for row in settings.varied] == ["light.brightness", "shoal.sex"]


def test_a_range_stays_where_the_number_may_be(scene):
    bpy.ops.artfish.vary_add(number="Clownfish|shoal.pace")
    row = scene.artfish_takes.varied[0]
    row.low, row.high = -3.0, 80.0
    assert (row.low, row.high) == (0.0, 5.0)


@pytest.mark.film
def test_a_take_with_numbers_is_this_scene_by_one_click_and_one_undo(scene, capfd):
    """It sets the numbers of the take, to the bit, and says each."""
    shoal = bpy.context.object
    shoal.scale = (1.3, 1.3, 1.3)
    scene.artfish_takes.count = 3
    for number in ("shoal.spread", "shoal.leader", "mind.hunger", "shoal.count"):
        bpy.ops.artfish.vary_add(number=f"Clownfish|{number}")
    whole = scene.artfish_takes.varied[3]
    whole.first, whole.last = 3, 4
    bpy.ops.artfish.vary_add(number="|water.fluid_viscosity")
    before = read(scene)
    bpy.ops.artfish.run_takes()
    take = scene.artfish_takes.found[1]
    values = {row.path: value for row, (_, value) in zip(take.numbers, varying.taken(scene, take), strict=True)}
    assert set(values) == {"shoal.spread", "shoal.leader", "mind.hunger", "shoal.count", "water.fluid_viscosity"}
    keys = {"fishes[0]." + path.removeprefix("shoal."): values[path] for path in values if not path.startswith("water")}
    keys["fluid_viscosity"] = values["water.fluid_viscosity"]
    seed = take.seed
    capfd.readouterr()
    assert bpy.ops.artfish.use_take(row=1) == {"FINISHED"}
    said = capfd.readouterr().out
    assert operators.STALE not in said and f"The seed is {seed}" in said
    assert f"Physics, Fluid viscosity: {values['water.fluid_viscosity']:.3g}" in said
    assert shoal.artfish.shoal.spread == pytest.approx(values["shoal.spread"] / 1.3)
    assert shoal.artfish.mind.use_hunger and scene.artfish.seed == seed
    expected = World(scene_with(before.scene, keys), seed=seed, species=before.models).simulate(24)
    assert bpy.ops.artfish.bake() == {"FINISHED"}
    assert np.array_equal(history.recording(history.last(scene).id).nodes, expected.nodes)
    shoal.artfish.mind.hunger = 0.123
    bpy.ops.artfish.use_take(row=0)
    assert operators.STALE not in capfd.readouterr().out  # it sets all that varied


@pytest.mark.film
def test_a_number_that_is_gone_is_refused_in_words(scene):
    bpy.ops.artfish.add_shoal(species="grouper", count=1)
    bpy.ops.artfish.vary_add(number="Grouper|shoal.pace")
    bpy.data.objects.remove(bpy.data.objects["Grouper"])
    with pytest.raises(RuntimeError, match=r"number 1: found a number that is not in this scene"):
        bpy.ops.artfish.run_takes()


@pytest.mark.parametrize(
    ("number", "spoil", "line"),
    [
        (
            "shoal.pace",
            lambda row: row.__setattr__("low", 3.0),
            "number 1: found Pace .*3 to 2, allowed the lesser first",
        ),
        (
            "shoal.count",
            lambda row: row.__setattr__("first", 9),
            "number 1: found Count: 9 to 6, allowed the lesser first",
        ),
        ("shoal.leader", lambda row: [each.__setattr__("use", False) for each in row.choices], "no choice of Leader"),
    ],
)
def test_ranges_and_choices_that_are_none_are_refused(scene, number, spoil, line):
    bpy.ops.artfish.vary_add(number=f"Clownfish|{number}")
    spoil(scene.artfish_takes.varied[0])
    with pytest.raises(RuntimeError, match=line):
        bpy.ops.artfish.run_takes()


def test_no_button_ends_what_is_not_at_work(scene):
    assert not bpy.ops.artfish.end_takes.poll()


def test_a_wish_for_an_arrival_needs_one(scene):
    scene.artfish_takes.wishes[0].kind = "arrival"
    with pytest.raises(RuntimeError, match="arrival"):
        bpy.ops.artfish.run_takes()
    assert len(scene.artfish_takes.found) == 0


def test_no_takes_without_takes(scene):
    assert not bpy.ops.artfish.use_take.poll()


def test_letting_go_of_esc_is_no_second_press():
    """Blender tells of a key when it is pressed and when it is let go; a second press would give the takes up."""
    work = SimpleNamespace(job=SimpleNamespace(made=2, enough=False))
    for value, enough in (("RELEASE", False), ("PRESS", True), ("RELEASE", True)):
        event = SimpleNamespace(type="ESC", value=value)
        assert operators.ARTFISH_OT_run_takes.modal(work, None, event) == {"RUNNING_MODAL"}
        assert work.job.enough == enough


def test_the_mouse_goes_on_while_takes_are_made():
    event = SimpleNamespace(type="LEFTMOUSE", value="PRESS")
    assert operators.ARTFISH_OT_run_takes.modal(None, None, event) == {"PASS_THROUGH"}
