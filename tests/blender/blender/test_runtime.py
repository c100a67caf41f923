"""Rooms keep their state while the add-on is on."""

from artfish.blender_artfish.blender import runtime


class Kept:
    """A state that a room keeps."""


class Other:
    """Another state."""


def test_there_is_one_of_a_kind_until_it_is_dropped():
    first, other = runtime.of(Kept), runtime.of(Other)
    assert runtime.of(Kept) is first
    runtime.drop(Kept)
    assert runtime.of(Kept) is not first and runtime.of(Other) is other
    runtime.drop()
    assert runtime.of(Other) is not other
    runtime.drop()
