"""Every habit stands in the panel."""

from artfish.blender_artfish.blender import declarations
from artfish.blender_artfish.habits import panel


def test_every_like_and_every_number_of_a_mind_is_in_the_panel():
    assert set(panel.LIKE_LABELS) == {field["name"] for field in declarations.DECLARATIONS["Habits"]}
    shown = [
        key.removeprefix("mind.") for keys in panel.MIND_FIELDS.values() for key in keys if key.startswith("mind.")
    ]
    assert sorted(shown) == sorted(field["name"] for field in declarations.DECLARATIONS["DrivesChange"])
