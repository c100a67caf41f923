"""Baked fishes that an artist has worked on with Blender's own tools play, stand and show so in the next bake."""

from math import pi

import bpy
import pytest
from mathutils import Matrix, Vector

from artfish import blender_artfish
from artfish.blender_artfish.bake import history
from artfish.blender_artfish.bake.rows import rows_of
from artfish.blender_artfish.bake.whole_fish import WholeFish, fishes_of, is_nudged
from artfish.blender_artfish.identity import provenance
from artfish.tests.blender.bake.test_some import bake, select
from artfish.tests.blender.files import new_file

pytestmark = [pytest.mark.versions, pytest.mark.film]

HERO = "Clownfish 02"
FIRST, LAST = 101, 124


@pytest.fixture(autouse=True)
def water():
    """Three clownfishes in a film that begins at frame 101, not baked yet."""
    new_file()
    blender_artfish.register()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FIRST, LAST
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    yield scene
    blender_artfish.unregister()
    history.clear()
    new_file()


def fish(name: str = HERO) -> WholeFish:
    return fishes_of(bpy.context.scene, [bpy.data.objects[name]])[0]


def again(form: str = "mesh", **given) -> None:
    """Bakes again, such that the fishes swim otherwise."""
    bpy.context.scene.artfish.seed += 1
    if given:
        select(fish().body[0])
    bake(form, **given)


def place(name: str, frame: int) -> Vector:
    """Where a fish is at a frame, by its root bone or its object."""
    bpy.context.scene.frame_set(frame)
    root = bpy.data.objects[name]
    return (root.matrix_world @ root.pose.bones["root"].matrix if root.pose else root.matrix_world).translation.copy()


def push_down(root: bpy.types.Object) -> bpy.types.NlaStrip:
    """Pushes an object's action down into a layer, as Blender's own operator does."""
    data = root.animation_data
    action, slot, data.action = data.action, data.action_slot, None
    strip = data.nla_tracks.new().strips.new(action.name, int(action.curve_frame_range.x), action)
    strip.action_slot = slot
    return strip


def frames(strip: bpy.types.NlaStrip) -> tuple[float, ...]:
    return strip.frame_start, strip.frame_end, strip.action_frame_start, strip.action_frame_end


# --- layers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["mesh", "compact"])
@pytest.mark.parametrize("given", [{}, {"scope": "SELECTED"}], ids=["all", "selected"])
def test_a_bake_that_was_pushed_down_plays_from_any_first_frame(form, given):
    bake(form)
    plain = [place(HERO, frame) for frame in (FIRST, LAST)]
    strip = push_down(fish().root)
    top = fish().root.animation_data.nla_tracks.new().strips.new("Top", FIRST, bpy.data.actions.new("Top"))
    top.blend_type = "ADD"
    assert [place(HERO, frame) for frame in (FIRST, LAST)] == plain
    for _ in range(2):
        again(form, **given)
        strip = fish().root.animation_data.nla_tracks[0].strips[0]
        assert frames(strip) == (FIRST, LAST, FIRST, LAST)
        assert (place(HERO, LAST) - place(HERO, FIRST)).length > 0.1 * (plain[1] - plain[0]).length
    bpy.ops.artfish.revert_bake()
    strip = fish().root.animation_data.nla_tracks[0].strips[0]
    assert frames(strip) == (FIRST, LAST, FIRST, LAST) and strip.action_slot.name_display == HERO


def test_a_layer_that_plays_part_of_what_was_baked_or_plays_it_late_goes_on_doing_so():
    bake()
    strip = push_down(fish().root)
    strip.frame_end, strip.frame_start = LAST + 10, FIRST + 10
    again()
    strip = fish().root.animation_data.nla_tracks[0].strips[0]
    assert frames(strip) == (FIRST + 10, LAST + 10, FIRST, LAST)
    strip.action_frame_start, strip.action_frame_end = FIRST + 6, FIRST + 12
    strip.frame_start, strip.frame_end = FIRST + 6, FIRST + 12
    again()
    strip = fish().root.animation_data.nla_tracks[0].strips[0]
    assert frames(strip) == (FIRST + 6, FIRST + 12, FIRST + 6, FIRST + 12)


# --- the empties that carry fishes --------------------------------------------------------------------------------


def whole() -> bpy.types.Object:
    """The empty that carries the bake."""
    return next(obj for obj in bpy.context.scene.objects if provenance.of(obj, provenance.ROLE) == provenance.ROOT)


def tank() -> bpy.types.Object:
    """A tank of the artist's."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, 0.0, 1.0))
    made = bpy.context.object
    made.scale = (4.0, 3.0, 2.0)
    select(made)
    bpy.ops.artfish.mark(kind="TANK")
    return made


TURNS = {
    "XYZ": ("rotation_euler", (0.0, 0.0, pi / 2)),
    "ZXY": ("rotation_euler", (0.0, 0.0, 2.5 * pi)),
    "QUATERNION": ("rotation_quaternion", (0.5**0.5, 0.0, 0.0, 0.5**0.5)),
    "AXIS_ANGLE": ("rotation_axis_angle", (pi / 2, 0.0, 0.0, 1.0)),
}


@pytest.mark.parametrize("mode", TURNS)
@pytest.mark.parametrize("form", ["mesh", pytest.param("compact", marks=pytest.mark.sampled)])
def test_a_bake_that_was_moved_stays_so_and_goes_with_its_tank(form, mode):
    water = tank()
    bake(form)
    assert not is_nudged(bpy.context.scene) and not rows_of(fish())
    before, name = whole().location.copy(), TURNS[mode]
    whole().location += Vector((1.0, 2.0, 3.0))
    whole().rotation_mode = mode
    setattr(whole(), *name)
    whole().scale *= 2.0
    mine = bpy.data.objects.new("Mine", None)
    bpy.context.scene.collection.objects.link(mine)
    mine.parent = whole()
    scale, turn, stood = whole().scale.copy(), tuple(getattr(whole(), name[0])), place("Mine", FIRST)
    assert not is_nudged(bpy.context.scene), "films and data sets go with it"
    (row,) = rows_of(fish())
    assert row.words.startswith("All of its bake moved 3.74, turned, scaled")
    again(form)
    moved = before + Vector((1.0, 2.0, 3.0))
    assert tuple(whole().location) == pytest.approx(moved) and tuple(getattr(whole(), name[0])) == turn
    assert whole().scale == scale and place("Mine", FIRST) == stood
    water.location.x += 0.5
    again(form)
    assert tuple(whole().location) == pytest.approx(moved + Vector((0.5, 0.0, 0.0)))
    assert tuple(place("Mine", FIRST) - stood) == pytest.approx((0.5, 0.0, 0.0), abs=1e-5)
    again(form, scope="SELECTED")
    assert tuple(whole().location) == pytest.approx(moved + Vector((0.5, 0.0, 0.0)))
    assert tuple(getattr(whole(), name[0])) == turn and [row.words for row in rows_of(fish())] == [row.words]
    bpy.ops.artfish.revert_bake()
    assert tuple(whole().location) == pytest.approx(moved + Vector((0.5, 0.0, 0.0)))


def test_a_bake_that_was_moved_is_put_back_and_moved_again_in_the_list():
    bake("compact")
    before = whole().matrix_basis.copy()
    whole().location.x += 1.0
    whole().rotation_euler.z = 0.5
    after = whole().matrix_basis.copy()
    select(fish().root)
    bpy.ops.artfish.switch_edit(row=0)
    assert near(whole().matrix_basis, before) and not is_nudged(bpy.context.scene) and not rows_of(fish())[0].on
    again("compact")
    assert near(whole().matrix_basis, before) and not rows_of(fish())[0].on
    select(fish().root)
    bpy.ops.artfish.switch_edit(row=0)
    assert near(whole().matrix_basis, after)
    again("compact")
    bpy.ops.artfish.revert_bake()
    assert near(whole().matrix_basis, after)
    select(fish().root)
    bpy.ops.artfish.remove_edit(row=0)
    assert near(whole().matrix_basis, before) and not rows_of(fish())


def near(one: Matrix, other: Matrix) -> bool:
    return max(abs(number) for row in one - other for number in row) < 1e-5


def test_a_bake_that_moves_by_keys_goes_on_moving():
    bake("compact")
    for frame, x in ((FIRST, 0.0), (LAST, 3.0)):
        whole().location.x = x
        whole().keyframe_insert("location", frame=frame)
    action = whole().animation_data.action
    again("compact")
    assert whole().animation_data.action == action
    bpy.context.scene.frame_set(LAST)
    assert whole().location.x == 3.0


@pytest.mark.parametrize("mode", TURNS)
def test_an_offset_is_turned_by_whatever_way_of_turning(mode):
    bake("compact")
    offset, name = fish().offset, TURNS[mode]
    before = offset.matrix_basis.copy()
    offset.rotation_mode = mode
    setattr(offset, *name)
    assert is_nudged(bpy.context.scene) and [row.words for row in rows_of(fish())] == ["Its offset turned"]
    turn, after = tuple(getattr(offset, name[0])), offset.matrix_basis.to_3x3()
    for _ in range(2):
        again("compact")
    assert tuple(getattr(fish().offset, name[0])) == turn and fish().offset.rotation_mode == mode
    select(fish().root)
    bpy.ops.artfish.switch_edit(row=0)
    assert near(fish().offset.matrix_basis.to_3x3(), before.to_3x3()) and not is_nudged(bpy.context.scene)
    bpy.ops.artfish.switch_edit(row=0)
    assert near(fish().offset.matrix_basis.to_3x3(), after)
