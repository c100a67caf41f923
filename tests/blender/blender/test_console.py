"""Blender's own prints are kept off standard output; ours after them are not."""

import os

from artfish.blender_artfish.blender.console import silenced


def test_what_is_written_within_is_dropped_and_errors_are_not(capfd):
    with silenced():
        os.write(1, b"a line of Blender's\n")
        os.write(2, b"an error\n")
    os.write(1, b"after\n")
    out, errors = capfd.readouterr()
    assert (out, errors) == ("after\n", "an error\n")
