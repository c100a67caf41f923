"""Keys that steer a fish."""

from artfish.blender_artfish.live.viewport import helm_by_keys


def test_keys_that_are_down():
    assert helm_by_keys(set()) == {"swim": 0.5, "turn": 0.0, "climb": 0.0, "brake": False, "back": 0.0}
    assert helm_by_keys({"A", "LEFT_SHIFT"})["turn"] > 0 and helm_by_keys({"A", "LEFT_SHIFT"})["swim"] == 1.0
    assert helm_by_keys({"RIGHT_ARROW"})["turn"] < 0
    assert helm_by_keys({"A", "D"})["turn"] == 0
    assert helm_by_keys({"W"})["climb"] > 0 > helm_by_keys({"DOWN_ARROW"})["climb"]
    assert helm_by_keys({"SPACE"})["brake"] and helm_by_keys({"B"})["back"] == 1.0
