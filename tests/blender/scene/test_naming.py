"""Names of shoals."""

import bpy


def test_a_shoal_is_called_by_its_species_until_somebody_names_it(scene):
    bpy.ops.artfish.add_shoal(species="clownfish")
    shoal = bpy.context.object
    shoal.artfish.shoal.species = "reef_shark"
    assert shoal.name == "Reef shark"
    bpy.ops.artfish.add_shoal(species="reef_shark")
    other = bpy.context.object
    assert other.name == "Reef shark.001"
    other.artfish.shoal.species = "reef_shark"
    assert other.name == "Reef shark.001"
    other.artfish.shoal.species = "sar"  # half typed: there is no such fish
    assert other.name == "Reef shark.001"
    shoal.name = "The hunter"
    shoal.artfish.shoal.species = "sardine"
    assert shoal.name == "The hunter"
