"""A crowd with a real mouse: set in the panel, baked, seen, rendered by EEVEE, and undone in one step."""

import bpy
from driver import (
    OUT,
    capture,
    capture_panel,
    centre,
    click_operator,
    enter,
    inside,
    move,
    open_only,
    open_tab,
    press,
    region,
    result,
    running,
    wait_redraw,
    wait_until,
)
from mathutils import Vector

FISHES = 60
FRAMES = 24
STILL = 640, 360
WATER = 0.02, 0.09, 0.13, 1.0
"""Colour of the water behind the fishes."""


def crowds():
    """The objects that each show a whole shoal."""
    return [obj for obj in bpy.context.scene.objects if "Crowd" in obj.modifiers]


def surfaces():
    """Rows of the fishes that are objects, True for those that are shown."""
    return {obj["artfish_row"]: not obj.hide_viewport for obj in bpy.context.scene.objects if "artfish_row" in obj}


def shown():
    """The number of instances of crowds in the view layer at this frame."""
    graph = bpy.context.evaluated_depsgraph_get()
    return sum(1 for each in graph.object_instances if each.is_instance and each.parent.original in crowds())


def look(camera, at, target, lens):
    """Points a camera at a place."""
    camera.location, camera.data.lens = at, lens
    camera.rotation_euler = (Vector(target) - Vector(at)).to_track_quat("-Z", "Y").to_euler()


def main():
    """Bakes a shoal as a crowd, counts its fishes frame by frame, renders one frame, and undoes the bake."""
    scene = bpy.context.scene
    scene.frame_end = FRAMES
    with inside():
        bpy.ops.object.select_all(action="DESELECT")
        bpy.data.objects.remove(bpy.data.objects["Cube"])
        bpy.ops.artfish.add_shoal(species="sardine", count=FISHES)
    shoal = next(obj for obj in scene.objects if obj.artfish.kind == "SHOAL")
    look(scene.camera, shoal.location + Vector((0.1, -1.0, 0.0)), shoal.location, 32.0)
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = WATER
    scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 3.0
    light = bpy.data.objects["Light"]
    light.data.type, light.data.energy, light.rotation_euler = "SUN", 5.0, (0.4, 0.2, 0.0)
    open_only("ARTFISH_PT_bake")
    yield from open_tab("Artfish")
    before = sorted(bpy.data.objects.keys())
    scene.artfish.bake.form = "crowd"
    yield from wait_redraw()
    yield from enter("artfish.bake.heroes", "3")
    yield from enter("artfish.bake.near", "15")
    yield from enter("artfish.bake.far", "60")
    yield from click_operator("artfish.bake")
    yield from wait_until(lambda: bool(crowds()) and not running("ARTFISH_OT_bake"), 170, "the bake to end")
    yield from wait_redraw(1.0)
    (crowd,) = crowds()
    result("surfaces", sorted(surfaces()))
    settings = {item.name: item.identifier for item in crowd.modifiers["Crowd"].node_group.interface.items_tree}
    inputs = crowd.modifiers["Crowd"]
    values = {}
    for name in ("Near", "Far", "Fishes", "Frames"):
        kept = getattr(getattr(inputs, "properties", None), "inputs", None)
        values[name] = inputs[settings[name]] if kept is None else getattr(kept, settings[name]).value
    result("inputs", values)
    whole = []
    for frame in range(1, FRAMES + 1):
        scene.frame_set(frame)
        whole.append(shown() + sum(surfaces().values()))
    result("whole", whole)
    scene.frame_set(FRAMES // 2)
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    bpy.context.view_layer.objects.active = crowd
    crowd.select_set(True)
    result("panels", (yield from capture_panel("panel", "ARTFISH_PT_bake")))
    with inside():
        bpy.ops.view3d.view_camera()
    yield from capture("view")
    with inside():
        bpy.ops.wm.save_as_mainfile(filepath=str(OUT / "crowd.blend"), copy=True)

    engines = [item.identifier for item in scene.render.bl_rna.properties["engine"].enum_items]
    scene.render.engine = next(engine for engine in engines if engine.startswith("BLENDER_EEVEE"))
    scene.eevee.taa_render_samples = 16
    scene.render.use_motion_blur = True
    scene.render.resolution_x, scene.render.resolution_y = STILL
    scene.render.filepath = str(OUT / "eevee.png")
    if hasattr(scene.render.image_settings, "media_type"):
        scene.render.image_settings.media_type = "IMAGE"
    scene.render.image_settings.file_format = "PNG"
    bpy.ops.render.render(write_still=True)
    picture = bpy.data.images.load(str(OUT / "eevee.png"))
    result("still", len({tuple(picture.pixels[at : at + 3]) for at in range(0, len(picture.pixels), 4 * 97)}))
    bpy.data.images.remove(picture)

    yield from move(*centre(region("WINDOW")))
    yield from press("ctrl+z")
    yield from wait_redraw(1.0)
    undone = sorted(bpy.data.objects.keys())
    result("left_after_undo", sorted(set(undone) ^ set(before)))
