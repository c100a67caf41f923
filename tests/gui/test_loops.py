"""Loops that were made stand in the Asset Browser with their pictures."""


def test_loops_are_assets_of_the_file(blender):
    session = blender("loops", size="960x1100", seconds=900)
    assert session["loops"] == [f"Blue tang {gait}" for gait in ("Glide", "Idle", "Swim", "Turn Left", "Turn Right")]
    assert session.picture("assets")
