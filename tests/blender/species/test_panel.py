"""Species in the panel: picked, shaped, shown, kept and restored, and never a traceback."""

import json
from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender import declarations, handlers
from artfish.blender_artfish.fish import materials
from artfish.blender_artfish.identity import roles
from artfish.blender_artfish.live import session as live_session
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.species import library, pages, preview
from artfish.blender_artfish.species.proportions import PROPORTIONS
from artfish.core import SceneError
from artfish.core.form.surfaces import eyes, rest_surfaces
from artfish.core.scene.species import Species

SINGLE = 1e-6
"""Metres that a point of a fish a metre long may be off in single precision."""


@pytest.fixture(autouse=True)
def scene(fresh_file, tmp_path, monkeypatch):
    """The open scene with the add-on, whose own species lie in a folder of the test's."""
    monkeypatch.setattr(library, "folder", lambda: tmp_path)
    blender_artfish.register()
    yield bpy.context.scene
    blender_artfish.unregister()


@pytest.fixture
def clownfish(scene):
    """The clownfish, picked."""
    assert bpy.ops.artfish.species_pick(name="clownfish") == {"FINISHED"}
    return scene.artfish.species[0]


def near(one, other) -> bool:
    """Whether two species say the same to the digits that single precision keeps."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(near(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(near(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, float):
        return abs(one - other) <= 10.0**-declarations.DIGITS * abs(one) * 5
    return one == other


def points(root) -> dict[str, np.ndarray]:
    """Control points of a preview as Blender holds them, (v * u, 3), by part."""
    found = {}
    for thing in root.children:
        if thing.type == "SURFACE":
            held = thing.data.splines[0].points
            flat = np.empty(4 * len(held), dtype=np.float32)
            held.foreach_get("co", flat)
            found[thing[preview.PREVIEW_PART]] = flat.reshape(-1, 4)[:, :3]
    return found


def assert_shows(scene, species) -> None:
    """The preview's points and eyes are those of the core's surfaces."""
    root = preview.find(scene)
    shown = points(root)
    patches = rest_surfaces(species)
    assert shown.keys() == patches.keys()
    for part, patch in patches.items():
        wanted = species.length * np.swapaxes(patch.points, 0, 1).reshape(-1, 3)
        np.testing.assert_allclose(shown[part], wanted, atol=SINGLE * species.length, rtol=0)
    centres, radius, _ = eyes(species)
    parts = {thing.get(preview.PREVIEW_PART): thing for thing in root.children}
    np.testing.assert_allclose(parts["eye_left"].location, species.length * centres[0], atol=SINGLE * species.length)
    assert parts["eye_right"].scale.x == pytest.approx(species.length * radius, rel=SINGLE)


@pytest.mark.parametrize("name", Species.names())
def test_a_panel_says_of_every_preset_what_its_file_says(scene, name):
    bpy.ops.artfish.species_pick(name=name)
    assert near(Species.load(name).to_dict(), library.species_of(scene.artfish.species[0]).to_dict())


def test_every_number_of_a_species_stands_in_one_panel():
    shown = [key for page in pages.PAGES for key in page.fields if key] + list(pages.ABOUT_FIELDS)
    numbers = [
        f"{part}.{field['name']}"
        for part, of in pages.PART_DECLARATIONS.items()
        for field in declarations.DECLARATIONS[of]
    ]
    numbers.remove("about.name")
    proportions = [f"form.{name}" for name in PROPORTIONS]
    assert sorted(shown) == sorted(numbers + proportions)


def test_labels_are_short_enough_for_a_sidebar():
    keys = [key for page in pages.PAGES for key in page.fields if key] + list(pages.ABOUT_FIELDS)
    assert not [pages.label(key) for key in keys if len(pages.label(key)) > 18]


@pytest.mark.parametrize(
    "change",
    [
        {"bluntness": 0.2},
        {"back_section": 4.0, "widest": 0.8},
        {"pectoral_length": 0.3, "pectoral_spread": 0.2},
        {"eye_station": 0.2, "eye_radius": 0.05},
    ],
)
def test_the_preview_is_the_surface_of_the_edited_species(scene, clownfish, change):
    bpy.ops.artfish.preview()
    assert_shows(scene, Species.load("clownfish"))
    for name, value in change.items():
        setattr(clownfish.form, name, value)
    species = Species.load("clownfish")
    assert_shows(scene, replace(species, form=replace(species.form, **change)))


def test_the_preview_follows_single_points_length_and_rings(scene, clownfish):
    bpy.ops.artfish.preview()
    clownfish.form.dorsal[2].values[1] = 0.2
    clownfish.about.length = 0.5
    clownfish.body.stations[2] = 0.48
    species = library.species_of(clownfish)
    assert (species.form.dorsal[2][1], species.length, species.body.stations[2]) == (0.2, 0.5, 0.48)
    assert_shows(scene, species)


def test_the_preview_shows_the_species_that_is_chosen(scene, clownfish):
    bpy.ops.artfish.preview()
    bpy.ops.artfish.species_pick(name="grouper")
    assert_shows(scene, Species.load("grouper"))
    assert preview.find(scene).name == "Artfish preview: Grouper"
    scene.artfish.active_species = 0
    assert_shows(scene, Species.load("clownfish"))


@pytest.mark.parametrize("name", PROPORTIONS)
def test_a_proportion_scales_its_outlines_and_nothing_else(scene, clownfish, name):
    before = library.species_of(clownfish)
    grown = getattr(clownfish.form, name) * 1.25
    setattr(clownfish.form, name, grown)
    assert getattr(clownfish.form, name) == pytest.approx(grown, rel=1e-5)
    after = library.species_of(clownfish)
    assert replace(after, form=before.form) == before
    changed = {key for key in before.form.__dict__ if getattr(before.form, key) != getattr(after.form, key)}
    assert changed == {*PROPORTIONS[name].scaled, *PROPORTIONS[name].carried}
    for key, columns in PROPORTIONS[name].scaled.items():
        for old, new in zip(getattr(before.form, key), getattr(after.form, key), strict=True):
            scaled = [1.25 * number if place in columns else number for place, number in enumerate(old)]
            assert new == pytest.approx(scaled, rel=1e-4, abs=1e-7)


def test_a_flat_outline_cannot_be_scaled_and_stays(clownfish):
    for row in clownfish.form.dorsal:
        row.values[1] = 0.0
    clownfish.form.dorsal_size = 0.2
    assert [row.values[1] for row in clownfish.form.dorsal] == [0.0] * len(clownfish.form.dorsal)


def test_one_change_is_told_once(clownfish, monkeypatch):
    told = []
    with monkeypatch.context() as patch:
        patch.setattr(handlers, "listeners", [lambda context, group: told.append(group)])
        clownfish.form.body_height = 0.5
        assert len(told) == 1
        bpy.ops.artfish.species_restore(to="PRESET")
        assert len(told) == 2


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (lambda entry: setattr(entry.mind, "f1", 0.2), "clownfish: mind.f1: found 0.2, allowed more than f0, 0.3"),
        (
            lambda entry: setattr(entry.form.back[3], "values", (0.05, 0.1)),
            "clownfish: form.back: found stations",
        ),
        (lambda entry: entry.form.caudal.clear(), "clownfish: form.caudal: found 0 points, allowed 3 or more"),
    ],
)
def test_what_does_not_go_together_is_one_line_and_the_last_form_stays(scene, clownfish, spoil, line):
    bpy.ops.artfish.preview()
    good = points(preview.find(scene))
    spoil(clownfish)
    clownfish.form.bluntness = 0.1  # whatever else is dragged meanwhile
    assert library.trouble(clownfish).startswith(line) and "\n" not in library.trouble(clownfish)
    assert all((points(preview.find(scene))[part] == held).all() for part, held in good.items())
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
    parts = {thing[preview.PREVIEW_PART]: thing for thing in root.children}
    bpy.data.objects.remove(parts["dorsal"])
    spline = parts["caudal"].data.splines[0]
    parts["caudal"].data.splines.remove(spline)
    parts["eye_left"].data.materials.clear()
    clownfish.form.body_width = 0.3
    species = library.species_of(clownfish)
    wanted = species.length * np.swapaxes(rest_surfaces(species)["body_left"].points, 0, 1).reshape(-1, 3)
    np.testing.assert_allclose(points_of(parts["body_left"]), wanted, atol=SINGLE)
    assert root.name == "My fish" and tuple(root.location) == (1.0, 2.0, 3.0)
    bpy.ops.artfish.preview()
    assert preview.find(scene) is None and "My fish" not in bpy.data.objects


def points_of(thing):
    flat = np.empty(4 * len(thing.data.splines[0].points), dtype=np.float32)
    thing.data.splines[0].points.foreach_get("co", flat)
    return flat.reshape(-1, 4)[:, :3]


def test_a_preview_goes_without_a_trace(scene, clownfish):
    kinds = (bpy.data.objects, bpy.data.curves, bpy.data.meshes, bpy.data.collections)
    before = [set(kind.keys()) for kind in kinds]
    bpy.ops.artfish.preview()
    assert len(preview.find(scene).children) == 9
    assert all(thing.hide_render for thing in (preview.find(scene), *preview.find(scene).children))
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


@pytest.mark.parametrize("name", ["blue_tang", "sardine", "parrotfish", "emperor_angelfish"])
def test_materials_brought_up_to_date_are_as_if_made_for_it(scene, clownfish, name):
    """From a clownfish to any other: the same nodes, wires and numbers as the species' own materials."""
    bpy.ops.artfish.preview()
    library.fill(clownfish, Species.load(name))
    clownfish.about.common_name = "Another"
    made = materials.species_materials(Species.load(name))
    for part, wanted in made.items():
        assert graph_of(bpy.data.materials[f"clownfish {part}"]) == graph_of(wanted)


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


def test_save_restore_and_delete_a_species_of_ones_own(scene, clownfish, tmp_path):
    clownfish.form.bluntness = 0.25
    assert bpy.ops.artfish.species_save_as(name="Nemo's kin") == {"FINISHED"}
    assert clownfish.name == "nemo_s_kin" and clownfish.about.common_name == "Nemo's kin"
    saved = Species.load(tmp_path / "nemo_s_kin.json")
    assert saved.form.bluntness == 0.25 and saved == library.load("nemo_s_kin") == library.species_of(clownfish)
    assert "nemo_s_kin" in library.own() and "nemo_s_kin" in library.names()
    clownfish.form.bluntness, clownfish.about.length = 0.5, 1.0
    bpy.ops.artfish.species_restore(to="SAVED")
    assert library.species_of(clownfish) == saved
    clownfish.form.bluntness = 0.5
    bpy.ops.artfish.species_save()
    assert library.load("nemo_s_kin").form.bluntness == 0.5
    bpy.ops.artfish.species_restore(to="PRESET")
    preset = Species.load("clownfish")
    wanted = replace(preset, name="nemo_s_kin", common_name="Nemo's kin")
    assert near(library.species_of(clownfish).to_dict(), wanted.to_dict())
    bpy.ops.artfish.species_delete()
    assert library.own() == [] and clownfish.name == "nemo_s_kin"
    assert not bpy.ops.artfish.species_delete.poll()


def test_names_are_unique_and_presets_are_never_overwritten(scene, clownfish, tmp_path):
    assert not bpy.ops.artfish.species_save.poll()
    for name in ("clownfish", "Sardine", "blue tang"):
        with pytest.raises(RuntimeError, match="already"):
            bpy.ops.artfish.species_save_as(name=name)
    with pytest.raises(RuntimeError, match="letters or digits"):
        bpy.ops.artfish.species_save_as(name="../*")
    assert list(tmp_path.iterdir()) == []
    bpy.ops.artfish.species_copy()
    assert library.edited(scene) == ["clownfish", "clownfish_2"]
    with pytest.raises(SceneError, match="preset"):
        library.save(Species.load("sardine"))


def test_shoals_follow_the_name_under_which_a_species_is_saved(scene, clownfish):
    bpy.ops.artfish.add_shoal(species="clownfish")
    clownfish.about.length = 0.2
    assert scene_reader.read(scene).models["clownfish"].length == 0.2
    bpy.ops.artfish.species_save_as(name="giant")
    assert bpy.context.object.artfish.shoal.species == "giant"
    assert scene_reader.read(scene).models["giant"].length == 0.2
    bpy.ops.artfish.species_delete()
    bpy.ops.artfish.species_drop()
    with pytest.raises(SceneError, match="giant"):
        scene_reader.read(scene)


def test_what_is_edited_goes_before_own_and_presets_and_is_checked_when_asked_for(scene, clownfish, tmp_path):
    clownfish.mind.f1 = 0.2
    models = library.models(scene)
    assert "clownfish" in models and len(models) == len(Species.names())
    assert models["sardine"] == Species.load("sardine")
    with pytest.raises(SceneError, match="f1"):
        models["clownfish"]
    with pytest.raises(KeyError):
        models["nobody"]


def test_one_undo_takes_a_step_back(scene, clownfish):
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.species_pick("EXEC_DEFAULT", True, name="sardine")
    assert library.edited(bpy.context.scene) == ["clownfish", "sardine"]
    bpy.ops.ed.undo()
    assert library.edited(bpy.context.scene) == ["clownfish"]
    bpy.ops.artfish.preview("EXEC_DEFAULT", True)
    assert preview.find(bpy.context.scene) is not None
    bpy.ops.ed.undo()
    assert preview.find(bpy.context.scene) is None
    bpy.ops.artfish.row_remove("EXEC_DEFAULT", True, part="form", field="back", index=2)
    assert len(bpy.context.scene.artfish.species[0].form.back) == 9
    bpy.ops.ed.undo()
    assert near(library.species_of(bpy.context.scene.artfish.species[0]).to_dict(), Species.load("clownfish").to_dict())


def test_undo_brings_a_deleted_species_back_and_redo_deletes_it_again(scene, clownfish, tmp_path):
    bpy.ops.artfish.species_save_as(name="mine")
    file = tmp_path / "mine.json"
    held = file.read_bytes()
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.species_delete("EXEC_DEFAULT", True)
    assert not file.exists()
    bpy.ops.artfish.species_copy("EXEC_DEFAULT", True)
    bpy.ops.ed.undo()
    assert not file.exists()  # only the copy is taken back
    bpy.ops.ed.undo()
    assert file.read_bytes() == held and "mine" in library.own()
    bpy.ops.ed.redo()
    assert not file.exists()
    bpy.ops.ed.undo()
    bpy.context.scene.artfish.species[0].about.length = 0.3
    bpy.ops.artfish.species_save("EXEC_DEFAULT", True)
    newer = file.read_bytes()
    assert newer != held
    bpy.ops.ed.undo()
    assert file.read_bytes() == newer  # what was saved stays saved


def test_undo_leaves_what_was_saved_under_a_deleted_name(scene, clownfish, tmp_path):
    bpy.ops.artfish.species_save_as(name="mine")
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.species_delete("EXEC_DEFAULT", True)
    bpy.ops.artfish.species_save("EXEC_DEFAULT", True)
    file = tmp_path / "mine.json"
    for step in (bpy.ops.ed.undo, bpy.ops.ed.undo, bpy.ops.ed.redo):
        step()
        assert file.exists()


def test_undo_brings_back_what_was_deleted_after_the_add_on_was_enabled_again(scene, clownfish, tmp_path):
    bpy.ops.artfish.species_save_as(name="mine")
    file = tmp_path / "mine.json"
    bpy.ops.artfish.species_delete()
    bpy.ops.artfish.species_save()
    blender_artfish.unregister()
    blender_artfish.register()
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.species_delete("EXEC_DEFAULT", True)
    assert not file.exists()
    bpy.ops.ed.undo()
    assert file.exists()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("import os", "found no JSON"),
        ('{"name": "spoilt", "length": -1}', "length: found -1"),
        ('{"name": "other"}', "found 'other', allowed the stem of the file, spoilt"),
        ('{"name": "spoilt", "mind": {"f0": 0.5, "f1": 0.2}}', "f1: found 0.2"),
        ("\0\xff", "spoilt.json"),
    ],
)
def test_a_damaged_file_is_passed_over_with_a_clear_word(scene, tmp_path, text, line):
    (tmp_path / "spoilt.json").write_text(text, encoding="latin-1")
    assert line in library.damaged()["spoilt"] and "\n" not in library.damaged()["spoilt"]
    assert str(tmp_path) not in library.damaged()["spoilt"]
    with pytest.raises(RuntimeError, match="spoilt"):
        bpy.ops.artfish.species_pick(name="spoilt")
    assert len(scene.artfish.species) == 0
    Species.from_dict({"name": "spoilt"}).save(tmp_path / "spoilt.json")
    assert library.damaged() == {}


def test_the_folder_of_ones_own_is_made_when_it_is_needed(scene, clownfish, tmp_path, monkeypatch):
    monkeypatch.setattr(library, "folder", lambda: tmp_path / "profile" / "species")
    assert library.own() == [] and library.damaged() == {} and not (tmp_path / "profile").exists()
    bpy.ops.artfish.species_save_as(name="nemo")
    assert library.own() == ["nemo"]
    (tmp_path / "a_file").write_text("")
    monkeypatch.setattr(library, "folder", lambda: tmp_path / "a_file")
    assert library.own() == [] and library.damaged(look=False) == {}
    with pytest.raises(RuntimeError, match="a_file: found an obstacle"):
        bpy.ops.artfish.species_save()


def test_a_file_with_the_name_of_a_preset_does_not_hide_it(scene, tmp_path):
    (tmp_path / "sardine.json").write_text(json.dumps({"name": "sardine", "length": 5.0}))
    assert "preset" in library.damaged()["sardine"]
    assert library.load("sardine") == Species.load("sardine")


def test_export_and_import_go_on_to_the_same_species(scene, clownfish, tmp_path):
    clownfish.form.body_height = 0.2
    path = tmp_path / "elsewhere" / "flat_fish.json"
    path.parent.mkdir()
    bpy.ops.artfish.species_export(filepath=str(path))
    wanted = replace(library.species_of(clownfish), name="flat_fish")
    assert Species.load(path) == wanted
    bpy.ops.artfish.species_import(filepath=str(path))
    assert near(library.species_of(scene.artfish.species[1]).to_dict(), wanted.to_dict())
    bpy.ops.artfish.species_import(filepath=str(path))
    assert library.edited(scene)[2] == "flat_fish_2"
    with pytest.raises(RuntimeError, match="nothing.json"):
        bpy.ops.artfish.species_import(filepath=str(tmp_path / "nothing.json"))


def test_rows_are_added_halfway_and_an_outline_keeps_the_points_it_needs(scene, clownfish):
    form = clownfish.form
    bpy.ops.artfish.row_add(part="form", field="back", index=3)
    assert form.back[4].values[:] == pytest.approx((0.22, 0.1535))
    bpy.ops.artfish.row_add(part="form", field="back", index=len(form.back) - 1)
    assert form.back[-1].values[0] > form.back[-2].values[0]
    bpy.ops.artfish.row_add(part="looks", field="patches", index=-1)
    assert len(clownfish.looks.patches) == 1 and library.trouble(clownfish) == ""
    while len(form.caudal) > 3:
        assert bpy.ops.artfish.row_remove(part="form", field="caudal", index=1) == {"FINISHED"}
    assert bpy.ops.artfish.row_remove(part="form", field="caudal", index=1) == {"CANCELLED"}
    assert library.trouble(clownfish) == ""
    assert set(pages.ROW_COLUMNS) == pages.ROW_FIELDS


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
    worn = {slot.material for thing in scene.objects for slot in thing.material_slots}
    painted = [each for each in worn if each is not None and " skin" in each.name]
    return {each.name: tuple(round(share, 3) for share in each.diffuse_color[:3]) for each in painted}


def test_two_scenes_may_colour_a_species_of_one_name_differently(scene):
    red, green, blue = (0.8, 0.1, 0.1), (0.1, 0.8, 0.1), (0.1, 0.1, 0.8)
    other = bpy.data.scenes.new("Other")
    for each in (scene, other):
        with bpy.context.temp_override(scene=each, view_layer=each.view_layers[0]):
            bpy.ops.artfish.species_pick(name="clownfish")
            each.artfish.species[0].looks.side = red
            bpy.ops.artfish.add_shoal(species="clownfish", count=1)
            live_session.begin(each)
    assert skins(scene) == skins(other) == {"clownfish skin": red}
    other.artfish.species[0].looks.side = blue
    assert skins(scene) == {"clownfish skin": red} and skins(other) == {"clownfish skin.001": blue}
    scene.artfish.species[0].looks.side = green
    for _ in range(2):
        assert skins(scene) == {"clownfish skin": green} and skins(other) == {"clownfish skin.001": blue}
        for each in (scene, other):
            live_session.end(each)
            live_session.begin(each)
    with bpy.context.temp_override(scene=other, view_layer=other.view_layers[0]):
        bpy.ops.artfish.preview()
        assert skins(other) == {"clownfish skin.001": blue}
        bpy.ops.artfish.species_save_as(name="nemo")
    assert skins(scene) == {"clownfish skin": green} and skins(other) == {"nemo skin": blue}
    assert [thing.artfish.shoal.species for thing in roles.objects_of(scene, "SHOAL")] == ["clownfish"]
    for each in (scene, other):
        live_session.end(each)


def test_every_number_of_a_value_of_several_says_what_it_is_of(scene, clownfish):
    several = {}
    for page in pages.PAGES:
        for key in (key for key in page.fields if key and key not in pages.ROW_FIELDS):
            part, _, name = key.partition(".")
            made = getattr(clownfish, part).bl_rna.properties[name]
            if getattr(made, "is_array", False) and made.subtype != "COLOR":
                several[key] = made.array_length
    assert {key: len(words) for key, words in pages.ENTRY_LABELS.items()} == several
    said = [words.format(*clownfish.body.stations) for words in pages.ENTRY_LABELS["body.half_heights"]]
    assert said == [f"At {station:.2f}" for station in clownfish.body.stations]
