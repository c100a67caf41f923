"""All that was done to a fish is on its list, comes off to the bit, and is still there after the next bake."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake import deleting, edits, history
from artfish.blender_artfish.bake.rows import rows_of
from artfish.blender_artfish.bake.whole_fish import WholeFish, fishes_of
from artfish.tests.blender.bake.test_retiming import bits
from artfish.tests.blender.bake.test_some import bake, keys, shoal
from artfish.tests.blender.bake.test_some import select as select_only
from artfish.tests.blender.files import new_file

pytestmark = [pytest.mark.versions, pytest.mark.film]

FORMS = ["mesh", pytest.param("compact", marks=pytest.mark.sampled), pytest.param("points", marks=pytest.mark.sampled)]
FRAMES = 24
HERO = "Clownfish 02"


def water() -> None:
    """Three clownfishes and two sardines for a second, not baked yet."""
    new_file()
    bpy.context.scene.frame_end = FRAMES
    for species, count in (("clownfish", 3), ("sardine", 2)):
        bpy.ops.artfish.add_shoal(species=species, count=count)


@pytest.fixture(autouse=True)
def added():
    """The add-on, and fishes in the water."""
    blender_artfish.register()
    water()
    yield
    blender_artfish.unregister()
    history.clear()
    new_file()


def select(obj) -> None:
    """Makes an object the selected and the active one, which one that is hidden can be, too."""
    select_only(*([obj] if obj.visible_get() else []))
    bpy.context.view_layer.objects.active = obj


def fish(name: str = HERO) -> WholeFish:
    return fishes_of(bpy.context.scene, [bpy.data.objects[name]])[0]


def words(name: str = HERO) -> list[str]:
    return [row.words for row in rows_of(fish(name))]


def everyone() -> dict:
    """All keys of all baked fishes, by name, to the bit."""
    every = fishes_of(bpy.context.scene, history.last(bpy.context.scene).objects)
    return {one.root.name: bits(one) for one in every}


def edit() -> None:
    """Hold, nudge and retime the hero, hide it and let it look otherwise."""
    select(bpy.data.objects[HERO])
    bpy.ops.artfish.hold_fish(frame=8.0, frames=6)
    bpy.ops.artfish.nudge_fish(frame=20.0, move=(0.0, 0.0, 0.1), falloff=5.0)
    bpy.ops.artfish.retime_fish(frames=4.0, speed=1.0)
    bpy.ops.artfish.hide_fish()
    bpy.ops.artfish.swap_look(species="blue_tang", dice=3)


DONE = [
    "Held at frame 12 for 6 frames",
    "Path moved 0.1 m at frame 24, over 5 frames",
    "4 frames later",
    "Hidden",
    "Looks like a blue tang, pattern by dice 3",
]


def another(how: str) -> None:
    """Bakes again, such that the hero swims otherwise."""
    if how == "seed":
        bpy.context.scene.artfish.seed += 1
        bake(form_of())
    elif how == "selected":
        bpy.context.scene.artfish.seed += 1
        select(shoal("clownfish"))
        bake(form_of(), scope="SELECTED")
    else:
        shoal("sardine").artfish.shoal.count += 1
        bake(form_of())


def form_of() -> str:
    return bpy.context.scene.artfish.bake.form


def off(name: str = HERO) -> None:
    """Switches off all that can be."""
    select(bpy.data.objects[name])
    for place, row in enumerate(rows_of(fish(name))):
        if row.on and row.switched:
            bpy.ops.artfish.switch_edit(row=place)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("how", ["seed", pytest.param("selected", marks=pytest.mark.sampled), "more"])
def test_it_holds_through_the_next_bake_and_comes_off_to_the_bit(form, how):
    bake(form)
    another(how)
    plain = everyone()
    numbers = [obj.get("individual") for obj in fish().body]
    water()
    bake(form)
    before = everyone()
    edit()
    assert words() == DONE and everyone()[HERO] != before[HERO]
    another(how)
    after = everyone()
    assert words() == DONE
    assert {name: own for name, own in after.items() if name != HERO} == {
        name: own for name, own in plain.items() if name != HERO
    }
    assert after[HERO] != plain[HERO] and fish().is_hidden
    tang = {slot.material.name for obj in fish().body for slot in obj.material_slots}
    assert all(name.lower().startswith("blue") for name in tang), tang
    off()
    assert everyone() == plain and not fish().is_hidden
    assert [obj.get("individual") for obj in fish().body] == numbers
    own = {slot.material.name for obj in fish().body for slot in obj.material_slots}
    assert all(name.lower().startswith("clown") for name in own), own
    assert [row.on for row in rows_of(fish())] == [False] * 5


def test_what_is_off_stays_off_through_the_next_bake():
    bake()
    edit()
    off()
    another("seed")
    again = everyone()
    assert [row.on for row in rows_of(fish())] == [False] * 5
    water()
    bake()
    another("seed")
    assert everyone() == again


def test_it_is_known_when_the_file_was_saved_opened_and_the_fish_renamed(tmp_path):
    bake("mesh")
    edit()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "film.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "film.blend"))
    bpy.data.objects[HERO].name = "Nemo"
    bpy.data.objects["Clownfish 01"].name = HERO
    another("seed")
    assert words("Nemo") == [*DONE, f"Renamed Nemo, baked as {HERO}"]
    assert words(HERO) == [f"Renamed {HERO}, baked as Clownfish 01"]
    select(bpy.data.objects[HERO])
    bpy.ops.artfish.switch_edit(row=0)
    assert "Clownfish 01" in bpy.context.scene.objects
    another("seed")
    select(bpy.data.objects["Clownfish 01"])
    bpy.ops.artfish.switch_edit(row=0)
    assert HERO in bpy.context.scene.objects


def test_a_deleted_fish_stays_deleted_and_comes_back():
    bake()
    before = everyone()
    select(bpy.data.objects[HERO].children[0] if bpy.data.objects[HERO].children else bpy.data.objects[HERO])
    bpy.ops.artfish.delete_fish()
    assert sorted(everyone()) == sorted({*before} - {HERO})
    assert bake() == {"CANCELLED"}  # nothing has changed
    bpy.ops.artfish.restore_fishes(name=HERO)
    assert everyone() == before and history.last(bpy.context.scene).whole
    select(bpy.data.objects[HERO])
    bpy.ops.artfish.delete_fish()
    for how in ("seed", "more"):
        another(how)
        assert HERO not in everyone() and [root.name for root in deleting.deleted(bpy.context.scene)] == [HERO]
        assert history.last(bpy.context.scene).whole
    bpy.ops.artfish.revert_bake()
    assert HERO not in everyone()
    bpy.ops.artfish.restore_fishes()
    assert HERO in everyone() and not deleting.deleted(bpy.context.scene)
    shoal("sardine").artfish.shoal.count -= 1
    select(bpy.data.objects["Clownfish 01"])
    bpy.ops.artfish.delete_fish()
    select(bpy.data.objects[HERO])
    bpy.context.scene.artfish.seed += 1
    bake(scope="SELECTED")
    assert "Clownfish 01" not in everyone()
    bpy.ops.artfish.restore_fishes()
    assert sorted(everyone()) == sorted(before)


def test_a_deleted_fish_is_there_when_the_file_is_opened_again(tmp_path):
    bake()
    before = everyone()
    select(bpy.data.objects[HERO])
    bpy.ops.artfish.delete_fish()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "film.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "film.blend"))
    bpy.ops.artfish.restore_fishes()
    assert everyone() == before


def test_one_that_was_deleted_by_blenders_own_delete_stays_so():
    bake()
    for obj in fish().objects:
        bpy.data.objects.remove(obj)
    another("seed")
    (gone,) = deleting.deleted(bpy.context.scene)
    assert sorted(everyone()) == ["Clownfish 01", "Clownfish 03", "Sardine 01", "Sardine 02"]
    bpy.ops.artfish.restore_fishes()
    assert gone.name in everyone() and len(everyone()) == 5


def dressed() -> dict:
    """Puts on the hero what an artist might; returns the data blocks, by what they are."""
    whole = fish()
    body = whole.body[-1]
    gold = bpy.data.materials.new("Gold")
    body.material_slots[0].link = "OBJECT"
    body.material_slots[0].material = gold
    body.modifiers.new("Bends", "SIMPLE_DEFORM").angle = 0.25
    target = bpy.data.objects.new("Lure", None)
    bpy.context.scene.collection.objects.link(target)
    whole.root.constraints.new("DAMPED_TRACK").target = target
    whole.root["mine"] = 7
    whole.root.name = "Nemo"
    whole.offset.location.z += 0.1
    whole.offset.rotation_euler.z = 0.4
    boat = bpy.data.objects.new("Boat", None)
    bpy.context.scene.collection.objects.link(boat)
    whole.offset.parent.parent = boat
    track = whole.root.animation_data.nla_tracks.new()
    track.name = "Shake"
    action = bpy.data.actions.new("Shaking")
    track.strips.new("Shaking", 3, action).blend_type = "ADD"
    return {"gold": gold, "target": target, "boat": boat, "action": action}


@pytest.mark.parametrize("form", FORMS)
def test_what_an_artist_did_with_blenders_tools_is_listed_and_carried(form):
    bake(form)
    put = dressed()
    listed = words("Nemo")
    part = fish("Nemo").body[-1].name.removeprefix("Nemo").strip()
    assert f"Renamed Nemo, baked as {HERO}" in listed and "Its offset moved 0.1, turned" in listed
    assert f"Modifier Bends on {part}" in listed and f"Material Gold on {part}" in listed
    assert {"Constraint Damped Track on the fish", "Custom property mine on the fish"} <= {*listed}
    assert "Animation layer Shake on the fish" in listed
    before = fish("Nemo").body[-1]
    another("seed")
    whole = fish("Nemo")
    assert whole.body[-1] != before and words("Nemo") == listed
    body = whole.body[-1]
    assert body.material_slots[0].material == put["gold"] and body.modifiers["Bends"].angle == 0.25
    assert whole.root.constraints[0].target == put["target"] and whole.root["mine"] == 7
    strip = whole.root.animation_data.nla_tracks["Shake"].strips[0]
    assert (strip.action, strip.frame_start, strip.blend_type) == (put["action"], 3.0, "ADD")
    assert whole.offset.parent.parent == put["boat"]
    assert whole.offset.rotation_euler.z == pytest.approx(0.4)
    moved = whole.offset.location + whole.root.matrix_parent_inverse.translation
    assert tuple(moved) == pytest.approx((0, 0, 0.1), abs=1e-5)
    others = fishes_of(bpy.context.scene, [bpy.data.objects["Clownfish 01"]])[0]
    assert not any(obj.constraints or "Bends" in obj.modifiers for obj in others.objects)
    off("Nemo")
    again = fish()
    assert again.root.constraints[0].mute and not again.body[-1].modifiers["Bends"].show_render
    assert again.body[-1].material_slots[0].material != put["gold"]
    assert again.offset.rotation_euler.z == 0.0 and again.root.animation_data.nla_tracks["Shake"].mute
    select(again.root)
    for place, row in enumerate(rows_of(again)):
        if not row.on:
            bpy.ops.artfish.switch_edit(row=place)
    assert sorted(words("Nemo")) == sorted(listed)
    while rows_of(fish_by(again.root)):
        bpy.ops.artfish.remove_edit(row=0)
    assert not again.root.constraints and "mine" not in again.root.keys() and again.root.name == HERO  # noqa: SIM118
    assert [obj.name for obj in again.objects if "Bends" in obj.modifiers] == []


def fish_by(root) -> WholeFish:
    return fishes_of(bpy.context.scene, [root])[0]


def test_a_layer_on_top_of_what_was_baked_stays_on_top():
    bake("mesh")
    whole = fish()
    data = whole.root.animation_data
    baked, slot = data.action, data.action_slot
    strip = data.nla_tracks.new().strips.new("Baked", 1, baked)
    strip.action_slot = slot
    top = bpy.data.actions.new("Top")
    data.action = top
    select(whole.root)
    bpy.ops.artfish.hold_fish(frame=8.0, frames=6)
    assert strip.frame_end == pytest.approx(FRAMES + 6)
    another("seed")
    data = fish().root.animation_data
    assert data.action == top and data.nla_tracks[0].strips[0].action == fish().action != baked
    assert data.nla_tracks[0].strips[0].frame_end == pytest.approx(FRAMES + 6)
    assert words()[0] == "Held at frame 8 for 6 frames"


def test_the_selection_is_as_it_was_and_a_refused_row_is_named():
    bake()
    edit()
    with pytest.raises(RuntimeError, match="row 9 of Clownfish 02 with 5 edits"):
        bpy.ops.artfish.switch_edit(row=9)
    select(bpy.data.objects["Clownfish 01"])
    another("more")
    assert [obj.name for obj in bpy.context.selected_objects] == ["Clownfish 01"]


def test_a_damaged_list_is_read_as_far_as_it_is_sound():
    bake()
    root = bpy.data.objects[HERO]
    for text in ("", "[", "{}", '[{"kind": "held"}, {"kind": "held", "moment": "x", "frames": 1}, 7]'):
        root[edits.EDITS] = text
        assert edits.of(root) == []
    root[edits.EDITS] = '[{"kind": "held", "moment": 3, "frames": 1e99}, {"kind": "flown"}, {"kind": "hidden"}]'
    assert [edit.kind for edit in edits.of(root)] == ["held", "hidden"]
    assert edits.of(root)[0].values["frames"] == 100_000


def test_keys_of_the_others_are_left_alone():
    bake("compact")
    others = {obj: keys(obj) for name in ("Clownfish 01", "Sardine 01") for obj in fish(name).objects}
    edit()
    assert others == {obj: keys(obj) for obj in others}


def shown() -> tuple:
    """All that an undo of an edit brings back."""
    rows = {name: [(row.words, row.on) for row in rows_of(fish(name))] for name in everyone()}
    every = sorted(obj.name for obj in bpy.context.scene.objects)
    return everyone(), rows, every, [root.name for root in deleting.deleted(bpy.context.scene)]


STEPS = {
    "hold_fish": {"frame": 8.0, "frames": 6},
    "nudge_fish": {"frame": 8.0, "move": (0.0, 0.1, 0.0)},
    "switch_edit": {"row": 0},
    "remove_edit": {"row": 0},
    "delete_fish": {},
    "restore_fishes": {},
    "paste_fishes": {},
}


@pytest.mark.parametrize("step", STEPS)
def test_each_is_one_step_to_undo(step):
    bake("compact")
    select(bpy.data.objects["Clownfish 03"])
    bpy.ops.artfish.delete_fish()
    select(bpy.data.objects[HERO])
    bpy.ops.artfish.copy_fish()
    bpy.ops.artfish.hold_fish(frame=15.0, frames=3)
    bpy.ops.ed.undo_push(message="Before")
    before = shown()
    assert getattr(bpy.ops.artfish, step)("EXEC_DEFAULT", True, **STEPS[step]) == {"FINISHED"}
    after = shown()
    assert after != before
    bpy.ops.ed.undo()
    assert shown() == before
    bpy.ops.ed.redo()
    assert shown() == after
