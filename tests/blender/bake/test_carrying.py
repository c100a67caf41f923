"""What an artist did to baked fishes with Blender's own tools plays, stands and shows in the next bake as before."""

import bpy
import pytest
from mathutils import Vector

from artfish import blender_artfish
from artfish.blender_artfish.bake import history
from artfish.blender_artfish.bake.whole_fish import WholeFish, fishes_of
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
