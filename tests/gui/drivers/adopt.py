"""Follows docs/manual/adopt.md with the real mouse: a rough model is looked at, corrected, adopted, and baked."""

import math

import bpy
from driver import (
    capture,
    capture_panel,
    click_operator,
    enter,
    leave_only,
    open_panels,
    open_tab,
    press,
    result,
    wait_redraw,
    wait_until,
)

RINGS, AROUND = 24, 12


def model():
    """A plump fish that faces along -Y, with a hole in its back, and an eye that is an object of its own."""
    places, faces = [], []
    for ring in range(RINGS):
        v = ring / (RINGS - 1)
        wide, high = 0.09 * math.sin(math.pi * v**0.7) + 0.004, 0.13 * math.sin(math.pi * v**0.75) + 0.02 + 0.1 * v**6
        for spoke in range(AROUND):
            angle = 2 * math.pi * spoke / AROUND
            ridge = 1.6 if spoke == AROUND // 4 else 1.0  # a keel along the back
            places.append((wide * math.cos(angle), v, ridge * high * math.sin(angle)))
    for ring in range(RINGS - 1):
        for spoke in range(AROUND):
            if (ring, spoke) != (10, 3):
                after = (spoke + 1) % AROUND
                corners = (ring, spoke), (ring, after), (ring + 1, after), (ring + 1, spoke)
                faces.append([AROUND * row + column for row, column in corners])
    mesh = bpy.data.meshes.new("Perch")
    mesh.from_pydata(places, [], faces)
    skin = bpy.data.materials.new("Perch skin")
    skin.diffuse_color = (0.7, 0.45, 0.1, 1.0)
    mesh.materials.append(skin)
    obj = bpy.data.objects.new("Perch", mesh)
    bpy.context.scene.collection.objects.link(obj)
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj
    return obj


def main():
    """Looks at a model, corrects its name and length, adopts it, undoes that, and shows its open edges."""
    for name in ("Cube", "Light", "Camera"):
        bpy.data.objects.remove(bpy.data.objects[name])
    fish = model()
    settings = bpy.context.scene.artfish_adoption
    open_panels()
    others = leave_only("ARTFISH_PT_adopt")
    yield from open_tab("Artfish")
    yield from click_operator("artfish.adopt_look")
    yield from wait_until(lambda: settings.called != "", what="a look at the model")
    result("guessed", [settings.ahead, settings.up, settings.called])
    yield from wait_redraw()
    yield from capture("adopt_view")
    yield from capture_panel("adopt", "ARTFISH_PT_adopt")
    yield from enter("artfish_adoption.called", "river perch")
    yield from enter("artfish_adoption.length", "0.4")
    yield from click_operator("artfish.adopt")
    yield from wait_until(lambda: len(bpy.context.scene.artfish.species) == 1, what="a species")
    result("adopted", bpy.context.scene.artfish.species[0].name)
    result("length", bpy.context.scene.artfish.species[0].about.length)
    yield from press("ctrl+z")
    yield from wait_until(lambda: len(bpy.context.scene.artfish.species) == 0, what="undo")
    result("kept", [obj.name for obj in bpy.context.scene.objects])
    yield from click_operator("artfish.adopt_open_edges")
    yield from wait_until(lambda: bpy.context.mode == "EDIT_MESH", what="Edit Mode")
    yield from capture("adopt_open_edges")
    bpy.ops.object.mode_set(mode="OBJECT")
    fish = bpy.data.objects["Perch"]
    result("open", sum(edge.select for edge in fish.data.edges))
    for each in others:
        bpy.utils.register_class(each)
