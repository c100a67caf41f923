"""Settings, drivers and keys that an artist gives to the objects of a baked fish are listed, and hold through bakes."""

import json
from collections import Counter

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake import hand, history, object_settings
from artfish.blender_artfish.bake.rows import rows_of
from artfish.tests.blender.bake.test_carrying import HERO, again, fish
from artfish.tests.blender.bake.test_some import bake, select
from artfish.tests.blender.files import new_file

pytestmark = [pytest.mark.versions, pytest.mark.film]

FORMS = ["mesh", "compact", "points"]


@pytest.fixture(autouse=True)
def water():
    """Three clownfishes in twelve frames, not baked yet."""
    new_file()
    blender_artfish.register()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 12
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    yield scene
    blender_artfish.unregister()
    history.clear()
    new_file()


def words() -> list[str]:
    return [row.words for row in rows_of(fish())]


def press(operator: str) -> None:
    """Presses the button of the first row."""
    select(fish().root)
    getattr(bpy.ops.artfish, operator)(row=0)


def part() -> bpy.types.Object:
    """A part of the fish that bakes give no place of its own."""
    return next(obj for obj in fish().parts if obj.type in ("MESH", "SURFACE") and "eye" not in obj.name)


@pytest.mark.parametrize("form", FORMS)
def test_a_bake_that_nobody_touched_has_an_empty_list(form):
    bake(form)
    assert not words()
    noted = {path for obj in fish().objects for path in hand.left_of(obj)["settings"]}
    placed = {"scale", "location", "rotation_quaternion", "rotation_mode", "empty_display_size"}
    shaded = {"cycles.shadow_terminator_geometry_offset"}
    assert noted <= placed | shaded | {f"data.{name}" for name in object_settings.RESOLUTIONS}
    again(form)
    assert not words()


PLAIN = {
    "is_holdout": True,
    "pass_index": 7,
    "color": (0.25, 0.5, 0.75, 1.0),
    "visible_camera": False,
    "display_type": "WIRE",
    "hide_render": True,
    "delta_location": (0.0, 0.0, 0.5),
    "display.show_shadows": False,
    "lineart.usage": "EXCLUDE",
}


def value(obj, path):
    found = obj.path_resolve(path)
    return found if isinstance(found, (bool, int, float, str)) else tuple(found)


def give(obj, path, new):
    group, _, name = path.rpartition(".")
    setattr(obj.path_resolve(group) if group else obj, name, new)


@pytest.mark.parametrize("given", [{}, {"scope": "SELECTED"}], ids=["all", "selected"])
@pytest.mark.parametrize("form", FORMS)
def test_settings_of_an_object_hold_through_bakes_and_a_revert(form, given):
    bake(form)
    before = {path: value(part(), path) for path in PLAIN}
    assert all(before[path] != new for path, new in PLAIN.items())
    for path, new in PLAIN.items():
        give(part(), path, new)
    assert len(words()) == len(PLAIN)
    assert f"Holdout of {part().name.removeprefix(HERO).strip()}" in words()
    for _ in range(2):
        again(form, **given)
        assert {path: value(part(), path) for path in PLAIN} == PLAIN and len(words()) == len(PLAIN)
    bpy.ops.artfish.revert_bake()
    assert {path: value(part(), path) for path in PLAIN} == PLAIN
    for _ in PLAIN:
        press("remove_edit")
    assert {path: value(part(), path) for path in PLAIN} == before and not words()


@pytest.mark.parametrize("form", FORMS)
def test_a_setting_on_all_parts_is_one_row_that_is_switched(form, capfd):
    bake(form)
    for obj in fish().body:
        obj.is_holdout = True
    assert len(words()) == 1 and words()[0].startswith("Holdout of ")
    press("switch_edit")
    assert not any(obj.is_holdout for obj in fish().body) and [row.on for row in rows_of(fish())] == [False]
    again(form)
    assert not any(obj.is_holdout for obj in fish().body) and [row.on for row in rows_of(fish())] == [False]
    assert "switched off 'Holdout of " in capfd.readouterr().out
    press("switch_edit")
    assert all(obj.is_holdout for obj in fish().body)
    assert "switched on 'Holdout of " in capfd.readouterr().out
    press("switch_edit")
    press("remove_edit")
    assert not any(obj.is_holdout for obj in fish().body) and not words()


@pytest.mark.parametrize("form", FORMS)
def test_a_fish_that_was_scaled_is_as_many_times_as_large(form):
    bake(form)
    bones = form == "mesh"
    root = fish().root
    size = tuple(root.scale)
    root.scale = [2.0 * each for each in size]
    if bones:
        root.pose.bones["root"].scale = (1.0, 1.5, 1.0)
    assert sorted(words()) == ["Scale of the fish", *(["root: Scale of the fish"] * bones)]
    again(form)
    left = hand.left_of(fish().root)["settings"].get("scale", [1.0, 1.0, 1.0])
    assert tuple(fish().root.scale) == pytest.approx([2.0 * each for each in left])
    if bones:
        assert tuple(fish().root.pose.bones["root"].scale) == (1.0, 1.5, 1.0)
    for _ in range(1 + bones):
        press("remove_edit")
    assert tuple(fish().root.scale) == pytest.approx(left) and not words()


def test_a_part_that_was_hidden_stays_so_when_the_fish_is_hidden_and_shown():
    bake("points")
    part().hide_render = True
    select(fish().root)
    bpy.ops.artfish.hide_fish()
    again("points")
    assert all(obj.hide_render for obj in fish().body)
    bpy.ops.artfish.show_fishes(name=HERO)
    assert [obj for obj in fish().body if obj.hide_render] == [part()]
    select(fish().root)
    bpy.ops.artfish.hide_fish()
    (edit,) = (row.by_hand for row in rows_of(fish()) if row.by_hand is not None)
    hand.remove(edit)
    assert all(obj.hide_render for obj in fish().body)
    bpy.ops.artfish.show_fishes(name=HERO)
    assert not any(obj.hide_render for obj in fish().body)


def test_a_surface_has_its_resolution():
    bake("points")
    new = part().data.render_resolution_u + 2
    part().data.render_resolution_u = new
    assert words() == [f"Render Resolution U of {part().name.removeprefix(HERO).strip()}"]
    again("points")
    assert part().data.render_resolution_u == new


def test_an_empty_of_a_fish_has_its_settings_beside_its_place():
    bake("mesh")
    fish().offset.location.x += 1.0
    fish().offset.show_name = True
    assert len(words()) == 2
    again("mesh")
    assert fish().offset.show_name and len(words()) == 2


# --- drivers and keys ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_drivers_hold_and_look_at_the_new_fish(form):
    bake(form)
    driver = part().driver_add("color", 0).driver
    driver.type = "SUM"
    target = driver.variables.new().targets[0]
    target.id, target.data_path = fish().root, "pass_index"
    fish().root.pass_index = 3
    assert sum(each.startswith("Driver of color on ") for each in words()) == 1
    for _ in range(2):
        again(form)
        (driver,) = part().animation_data.drivers
        assert driver.driver.variables[0].targets[0].id == fish().root
        bpy.context.view_layer.update()
        assert part().color[0] == 3.0
    (row,) = (place for place, each in enumerate(words()) if each.startswith("Driver"))
    select(fish().root)
    bpy.ops.artfish.switch_edit(row=row)
    assert part().animation_data.drivers[0].mute
    again(form)
    assert part().animation_data.drivers[0].mute
    select(fish().root)
    (row,) = (place for place, each in enumerate(words()) if each.startswith("Driver"))
    bpy.ops.artfish.remove_edit(row=row)
    assert not len(part().animation_data.drivers) and not any(each.startswith("Driver") for each in words())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("where", ["root", "part"])
def test_keys_of_what_bakes_do_not_key_hold(form, where):
    bake(form)
    obj = fish().root if where == "root" else part()
    keys = {1: 0.25, 12: 0.75}
    for frame, blue in keys.items():
        obj.color[2] = blue
        obj.keyframe_insert("color", index=2, frame=frame)
    assert [each for each in words() if each.startswith("Keys")] == words() and len(words()) == 1
    for _ in range(2):
        again(form)
        obj = fish().root if where == "root" else part()
        for frame, blue in keys.items():
            bpy.context.scene.frame_set(frame)
            assert obj.color[2] == blue
        assert len(words()) == 1
    press("switch_edit")
    assert not rows_of(fish())[0].on
    press("remove_edit")
    assert not words()


# --- what others' files hold --------------------------------------------------------------------------------------


def test_a_note_of_an_earlier_version_makes_no_row_and_no_trouble():
    bake("mesh")
    for obj in fish().objects:
        note = json.loads(obj[hand.LEFT])
        del note["settings"], note["keyed"]
        obj[hand.LEFT] = json.dumps(note)
    fish().root.pass_index = 3
    assert not words()
    again("mesh")
    assert fish().root.pass_index == 0 and not words()


@pytest.mark.parametrize("damage", ['{"pass_index": "x", "nothing": 1, "color": [1]}', "[]", "{", '{"scale": null}'])
def test_damaged_notes_of_what_was_switched_off_do_no_harm(damage):
    bake("mesh")
    root = fish().root
    root[object_settings.OFF_SETTINGS] = damage
    while words():
        press("switch_edit")
        if words():
            press("remove_edit")
    again("mesh")
    assert fish().root.pass_index == 0


def test_a_redraw_reads_each_note_and_each_setting_once(monkeypatch):
    """Panels are drawn anew at every move of the mouse over them."""
    bake("points")
    one, notes, settings = fish(), Counter(), Counter()
    left_of, read = hand.left_of, object_settings.ObjectSetting.read
    monkeypatch.setattr(hand, "left_of", lambda obj: notes.update([obj.name]) or left_of(obj))
    monkeypatch.setattr(
        object_settings.ObjectSetting,
        "read",
        lambda setting, owner: (
            settings.update([(owner.as_pointer(), type(owner), setting.name)]) or read(setting, owner)
        ),
    )
    rows_of(one)
    for obj in one.objects:
        assert notes[obj.name] <= 1 + (obj == one.root), "the name is read from that of the root, too"
    assert set(settings.values()) == {1} and len(settings) < 150 * len(one.objects)
