"""Settings of a visual memory reach the shoal or species, and come back from a scene's or a species' file."""

import bpy
import pytest

from artfish.blender_artfish.blender import declarations
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.scene import writer as scene_writer
from artfish.blender_artfish.species import library, memory
from artfish.core import Scene, Species
from artfish.core.scene.memory import Forgetting, MemoryRules


def group():
    return scene_reader.read(bpy.context.scene).scene.fishes[0]


def test_a_shoal_remembers_only_where_that_is_ticked():
    bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    settings = bpy.context.object.artfish.memory
    assert group().visual_memory is None
    settings.remembers = True
    assert group().visual_memory == MemoryRules()
    settings.model, settings.forget.use_fish, settings.forget.food = "temporal", False, 30.0
    settings.forget.use_obstacle = True
    expected = Forgetting(obstacle=memory.LONGEST_ROCKS, fish=None, food=30.0)
    assert group().visual_memory == MemoryRules("temporal", expected)


@pytest.mark.parametrize(
    "rules",
    [None, {}, {"model": "basic"}, {"model": "logical", "forget": {"fish": None, "food": 7.0, "obstacle": 9.0}}],
)
def test_a_scene_comes_back_with_the_memories_of_its_fishes(rules):
    fishes = {"species": "clownfish", "at": [1, 1, 1]} | ({} if rules is None else {"visual_memory": rules})
    written = Scene.from_dict({"fishes": [fishes]})
    scene_writer.write(bpy.context.scene, written)
    assert group().visual_memory == written.fishes[0].visual_memory


def test_an_edited_species_keeps_its_memory():
    entry = bpy.context.scene.artfish.species.add()
    species = Species.from_dict({"name": "fish", "visual_memory": {"forget": {"predator": None}}})
    library.fill(entry, species)
    entry.name = "fish"
    assert library.species_of(entry).visual_memory == species.visual_memory
    library.fill(entry, Species.from_dict({"name": "fish"}))
    assert library.species_of(entry).visual_memory is None


def test_every_time_of_forgetting_is_in_the_panel():
    assert list(memory.SPANS) == [field["name"] for field in declarations.DECLARATIONS["Forgetting"]]
