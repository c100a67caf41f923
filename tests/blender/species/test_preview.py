"""A preview is the species that is edited, and follows it; so do the materials of its fishes."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender import declarations, handlers
from artfish.blender_artfish.fish import materials
from artfish.blender_artfish.identity import provenance, roles
from artfish.blender_artfish.live import timer
from artfish.blender_artfish.species import library, preview
from artfish.core.form.surfaces import rest_surfaces
from artfish.core.scene.species import Species

SINGLE_METRES = 1e-6
"""Metres that a point of a fish a metre long may be off in single precision."""


@pytest.mark.sampled
@pytest.mark.parametrize(
    "change",
    [
        {"bluntness": 0.2},
        {"back_section": 4.0, "widest": 0.8},
        {"pectoral_length": 0.3, "pectoral_spread": 0.2},
        {"eye_station": 0.2, "eye_radius": 0.05},
    ],
)
def test_the_preview_is_the_surface_of_the_edited_species(scene, clownfish, change, assert_shows):
    bpy.ops.artfish.preview()
    assert_shows(scene, Species.load("clownfish"))
    for name, value in change.items():
        setattr(clownfish.form, name, value)
    species = Species.load("clownfish")
    assert_shows(scene, replace(species, form=replace(species.form, **change)))


def test_the_preview_follows_single_points_length_and_rings(scene, clownfish, assert_shows):
    bpy.ops.artfish.preview()
    clownfish.form.dorsal[2].values[1] = 0.2
    clownfish.about.length = 0.5
    clownfish.body.stations[2] = 0.48
    species = library.species_of(clownfish)
    assert (species.form.dorsal[2][1], species.length, species.body.stations[2]) == (0.2, 0.5, 0.48)
    assert_shows(scene, species)


def test_the_preview_shows_the_species_that_is_chosen(scene, clownfish, assert_shows):
    bpy.ops.artfish.preview()
    bpy.ops.artfish.species_pick(name="grouper")
    assert_shows(scene, Species.load("grouper"))
    assert preview.find(scene).name == "Artfish preview: Grouper"
    scene.artfish.active_species = 0
    assert_shows(scene, Species.load("clownfish"))


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (lambda entry: setattr(entry.mind, "f1", 0.2), "clownfish: mind.f1: found 0.2, allowed more than f0, 0.3"),
        (
            lambda entry: setattr(entry.form.back[4], "values", (0.05, 0.1)),
            "clownfish: form.back: found stations",
        ),
        (lambda entry: entry.form.caudal.clear(), "clownfish: form.caudal: found 0 points, allowed 3 or more"),
    ],
)
def test_what_does_not_go_together_is_one_line_and_the_last_form_stays(
    scene, clownfish, spoil, line, assert_shows, points
):
    bpy.ops.artfish.preview()
    good = points(preview.find(scene))
    spoil(clownfish)
    clownfish.form.bluntness = 0.1  # whatever else is dragged meanwhile
    assert library.trouble(clownfish).startswith(line) and "\n" not in library.trouble(clownfish)
    assert all((points(preview.find(scene))[part] == before).all() for part, before in good.items())
    bpy.ops.artfish.species_restore(to="PRESET")
    assert library.trouble(clownfish) == ""
    assert_shows(scene, Species.load("clownfish"))


def test_any_form_that_is_allowed_can_be_shown(scene):
    """Outlines at the ends of their range: ugly, but surfaces all the same."""
    dice = np.random.default_rng(5)
    species = Species.load("clownfish")
    fields = [field for field in declarations.DECLARATIONS["Form"] if field["kind"] == "number"]
    for _ in range(20):
        ends = {field["name"]: field[("low", "high")[dice.integers(2)]] for field in fields}
        heights = dice.uniform(-1.0, 1.5, 4)
        outline = tuple(zip((0.0, *sorted(dice.uniform(0.01, 1.5, 3))), heights, strict=True))
        form = replace(species.form, back=outline, belly=outline, half_width=outline, **ends)
        for patch in rest_surfaces(replace(species, form=form)).values():
            assert np.isfinite(patch.points).all()


def test_a_preview_that_was_meddled_with_still_follows(scene, clownfish):
    bpy.ops.artfish.preview()
    root = preview.find(scene)
    root.name = "My fish"
    root.location = (1.0, 2.0, 3.0)
    parts = {obj[preview.PREVIEW_PART]: obj for obj in root.children}
    bpy.data.objects.remove(parts["dorsal"])
    spline = parts["caudal"].data.splines[0]
    parts["caudal"].data.splines.remove(spline)
    parts["eye_left"].data.materials.clear()
    clownfish.form.body_width = 0.3
    species = library.species_of(clownfish)
    expected = species.length * np.swapaxes(rest_surfaces(species)["body_left"].points, 0, 1).reshape(-1, 3)
    np.testing.assert_allclose(points_of(parts["body_left"]), expected, atol=SINGLE_METRES)
    assert root.name == "My fish" and tuple(root.location) == (1.0, 2.0, 3.0)
    bpy.ops.artfish.preview()
    assert preview.find(scene) is None and "My fish" not in bpy.data.objects


def points_of(obj):
    flat = np.empty(4 * len(obj.data.splines[0].points), dtype=np.float32)
    obj.data.splines[0].points.foreach_get("co", flat)
    return flat.reshape(-1, 4)[:, :3]


def test_a_preview_goes_without_a_trace(scene, clownfish):
    kinds = (bpy.data.objects, bpy.data.curves, bpy.data.meshes, bpy.data.collections)
    before = [set(kind.keys()) for kind in kinds]
    bpy.ops.artfish.preview()
    assert len(preview.find(scene).children) == 9
    assert all(obj.hide_render for obj in (preview.find(scene), *preview.find(scene).children))
    bpy.ops.artfish.preview()
    assert [set(kind.keys()) for kind in kinds] == before


def test_colours_set_numbers_of_the_materials_that_are_there(scene, clownfish):
    bpy.ops.artfish.preview()
    skin = bpy.data.materials["clownfish skin"]
    nodes = {node.name: node.as_pointer() for node in skin.node_tree.nodes}
    clownfish.looks.side = (0.1, 0.2, 0.3)
    assert {node.name: node.as_pointer() for node in skin.node_tree.nodes} == nodes
    groups = [node for node in skin.node_tree.nodes if node.bl_idname == "ShaderNodeGroup"]
    sides = [node.inputs["Side"].default_value[:3] for node in groups if "Side" in node.inputs]
    assert sides == [pytest.approx((0.1, 0.2, 0.3))]
    assert skin.diffuse_color[:3] == pytest.approx((0.1, 0.2, 0.3))


OTHERS = [pytest.param(name, marks=pytest.mark.large) for name in ("sardine", "parrotfish", "emperor_angelfish")]


@pytest.mark.parametrize("name", ["blue_tang", *OTHERS])
def test_materials_brought_up_to_date_are_as_if_made_for_it(scene, clownfish, name):
    """A clownfish becomes any other, with the same nodes, wires and numbers as that species' own materials."""
    bpy.ops.artfish.preview()
    with handlers.together(clownfish, bpy.context):  # as all that fill a species do
        library.fill(clownfish, Species.load(name))
        clownfish.about.common_name = "Another"
    made = materials.species_materials(Species.load(name))
    for part, expected in made.items():
        assert graph_of(bpy.data.materials[f"clownfish {part}"]) == graph_of(expected)


def graph_of(material):
    """Nodes with their numbers, and wires, to be compared."""
    tree = material.node_tree
    numbers = {
        (node.name, socket.identifier): np.round(np.atleast_1d(np.array(socket.default_value)), 5).tolist()
        for node in tree.nodes
        for socket in node.inputs
        if hasattr(socket, "default_value") and not socket.is_linked and not isinstance(socket.default_value, str)
    }
    wires = {(w.from_node.name, w.from_socket.identifier, w.to_node.name, w.to_socket.identifier) for w in tree.links}
    return {node.name: node.bl_idname for node in tree.nodes}, numbers, wires


def test_a_wire_of_the_animators_own_stays(scene, clownfish):
    bpy.ops.artfish.preview()
    tree = bpy.data.materials["clownfish skin"].node_tree
    image = tree.nodes.new("ShaderNodeTexImage")
    skin = next(node for node in tree.nodes if "Gloss" in node.inputs)
    tree.links.new(image.outputs["Color"], skin.inputs["Colour"])
    clownfish.looks.gloss = 0.11
    assert skin.inputs["Colour"].links[0].from_node == image
    assert skin.inputs["Gloss"].default_value == pytest.approx(0.11)


def test_a_photograph_stays_on_a_species_whose_pattern_is_another(scene, clownfish):
    bpy.ops.artfish.preview()
    tree = bpy.data.materials["clownfish skin"].node_tree
    tint = next(node for node in tree.nodes if getattr(node, "node_tree", None) == bpy.data.node_groups["Artfish tint"])
    painted = tint.inputs["Colour"].links[0].from_socket
    share = tree.nodes.new("ShaderNodeMix")
    share.data_type, share.name = "RGBA", "Photograph"
    tree.links.new(painted, share.inputs[6])
    tree.links.new(share.outputs[2], tint.inputs["Colour"])
    clownfish.looks.pattern = "bars"
    share = tree.nodes["Photograph"]
    tint = next(node for node in tree.nodes if getattr(node, "node_tree", None) == bpy.data.node_groups["Artfish tint"])
    assert tint.inputs["Colour"].links[0].from_node == share
    (wire,) = share.inputs[6].links
    assert wire.from_node.bl_idname == "ShaderNodeMix" and wire.from_node.blend_type == "MULTIPLY"
    assert tree.get_output_node("CYCLES").inputs["Surface"].is_linked
    assert sum(node.bl_idname == "ShaderNodeOutputMaterial" for node in tree.nodes) == 1


def test_the_head_of_the_belly_follows_that_of_the_back(scene, clownfish):
    clownfish.form.back[0].values[1] = 0.02
    assert clownfish.form.belly[0].values[1] == pytest.approx(0.02)
    assert library.trouble(clownfish) == ""


def test_unregistering_leaves_nobody_listening():
    blender_artfish.unregister()
    assert handlers.listeners == []
    blender_artfish.register()


def skins(scene):
    """Skins that fishes of a scene wear, and their colours in a viewport that draws no shaders."""
    worn = {slot.material for obj in scene.objects for slot in obj.material_slots}
    painted = [each for each in worn if each is not None and provenance.plain(each.name).endswith(" skin")]
    return {each.name: tuple(round(share, 3) for share in each.diffuse_color[:3]) for each in painted}


def test_two_scenes_may_colour_a_species_of_one_name_differently(scene):
    red, green, blue = (0.8, 0.1, 0.1), (0.1, 0.8, 0.1), (0.1, 0.1, 0.8)
    other = bpy.data.scenes.new("Other")
    for each in (scene, other):
        with bpy.context.temp_override(scene=each, view_layer=each.view_layers[0]):
            bpy.ops.artfish.species_pick(name="clownfish")
            each.artfish.species[0].looks.side = red
            bpy.ops.artfish.add_shoal(species="clownfish", count=1)
            timer.begin(each)
    assert skins(scene) == skins(other) == {"clownfish skin": red}
    other.artfish.species[0].looks.side = blue
    assert skins(scene) == {"clownfish skin": red} and skins(other) == {"clownfish skin.001": blue}
    scene.artfish.species[0].looks.side = green
    for _ in range(2):
        assert skins(scene) == {"clownfish skin": green} and skins(other) == {"clownfish skin.001": blue}
        for each in (scene, other):
            timer.end(each)
            timer.begin(each)
    with bpy.context.temp_override(scene=other, view_layer=other.view_layers[0]):
        bpy.ops.artfish.preview()
        assert skins(other) == {"clownfish skin.001": blue}
        bpy.ops.artfish.species_save_as(name="nemo")
    assert skins(scene) == {"clownfish skin": green} and skins(other) == {"nemo skin": blue}
    assert [obj.artfish.shoal.species for obj in roles.objects_of(scene, "SHOAL")] == ["clownfish"]
    for each in (scene, other):
        timer.end(each)
