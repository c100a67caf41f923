"""The panel's family tree has a line for each relative, indented by generation."""

from artfish.blender_artfish.breeding.panel import family_lines


def test_ancestors_are_indented(scene, brood):
    assert family_lines(scene, "blue_tang_clownfish_3") == [
        "blue_tang_clownfish_3",
        "    Mother: blue_tang",
        "    Father: clownfish",
    ]
    assert family_lines(scene, "sardine") == ["sardine"]
