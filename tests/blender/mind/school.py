"""Five sardines and a shark, and observations of their minds."""

from dataclasses import replace

from mathutils import Matrix

from artfish.blender_artfish.mind import source

SCENE = {
    "name": "minds",
    "fps": 24,
    "duration": 2.0,
    "tank": {"size": [6.0, 6.0, 3.0]},
    "obstacles": [{"kind": "cylinder", "at": [3.0, 3.0, 0.0], "radius": 0.4, "height": 3.0}],
    "current": [{"kind": "vortex", "at": [3.0, 3.0, 0.0], "direction": [0, 0, 1], "strength": 0.2, "radius": 1.0}],
    "plankton": {"count": 50},
    "fishes": [
        {"species": "sardine", "count": 5, "at": [2.0, 3.0, 1.5], "spread": 0.8},
        {"species": "reef_shark", "count": 1, "at": [4.5, 3.0, 1.5]},
    ],
}
SHARK = 5


def observed_of(recording, row, frame, origin=(0.0, 0.0, 0.0)):
    return source.Observation(recording, row, frame, {}, Matrix.Translation(origin))


def offered(recording, roots, **more):
    """A source that offers this recording."""

    def known(context):
        return source.of_recording(context, recording, roots, **more)

    return known


def changed(recording, frame, fish, **values):
    """The recording with some numbers of one fish in one frame changed."""
    arrays = {name: getattr(recording, name).copy() for name in values}
    for name, value in values.items():
        arrays[name][frame, fish] = value
    return replace(recording, **arrays)
