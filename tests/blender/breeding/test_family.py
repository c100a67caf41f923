"""A family tree goes up three generations, as far as ancestors are known."""

import json

from artfish.blender_artfish.breeding.family import Relative, parents, tree
from artfish.core.genetics.genome import bred
from artfish.core.scene.species import Species


def descend(scene, name: str, mother: str, father: str) -> None:
    entry = scene.artfish.species.add()
    entry.name, entry.ancestry = name, json.dumps({"mother": mother, "father": father})


def test_a_tree_goes_up_three_generations_and_no_farther(scene):
    descend(scene, "d", "c", "sardine")
    descend(scene, "c", "b", "gone")
    descend(scene, "b", "a", "a")
    descend(scene, "a", "sardine", "clownfish")
    assert tree(scene, "d") == [
        Relative("d"),
        Relative("c", "mother", 1),
        Relative("b", "mother", 2),
        Relative("a", "mother", 3),
        Relative("a", "father", 3),
        Relative("gone", "father", 2),
        Relative("sardine", "father", 1),
    ]


def test_a_tree_ends_though_a_species_is_its_own_parent(scene):
    descend(scene, "ouroboros", "ouroboros", "sardine")
    assert [each.name for each in tree(scene, "ouroboros")] == ["ouroboros"] * 4 + ["sardine"] * 3


def test_parents_of_ones_own_species_are_read_from_its_file(scene, tmp_path):
    bred(Species.load("sardine"), Species.load("clownfish"), "mine", 0).save(tmp_path / "mine.json")
    (tmp_path / "torn.json").write_text("{")
    assert parents(scene, "mine") == ("sardine", "clownfish")
    assert parents(scene, "sardine") == parents(scene, "torn") == parents(scene, "gone") == ()


def test_an_ancestry_that_is_damaged_is_none(scene):
    for text in ("", "{", "[]", '{"mother": "sardine"}', '{"mother": 1, "father": "sardine"}'):
        entry = scene.artfish.species.add()
        entry.name, entry.ancestry = f"one {text}", text
        assert parents(scene, entry.name) == ()
