"""Fixtures of tests of the cinematographer: the add-on, and fishes that were baked with their recording kept."""

from dataclasses import replace

import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake import bake, history

FRAMES = 60
EVENTS = [
    {"kind": "eaten", "fish": 1, "other": 2, "frame": 30},
    {"kind": "fed", "fish": 0, "other": 4, "frame": 10},
    {"kind": "eaten", "fish": 1, "other": 0, "frame": 45},
]


@pytest.fixture
def added():
    """The add-on."""
    blender_artfish.register()
    yield
    blender_artfish.unregister()


@pytest.fixture
def baked(added, swimming):
    """Bakes three fishes with events in a form, and keeps their recording."""

    def make(form="compact", stage=False, frames=FRAMES, events=EVENTS):
        recording = replace(swimming("clownfish", "grouper", "sardine", frames=frames), events=events)
        history.remember(history.key_of(recording), recording)
        bake(recording, form=form, stage=stage)
        return recording

    return make
