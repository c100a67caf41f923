"""A repertoire that is captured once, and one that is made up, for what needs no real fish."""

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.base.attitude import rotations_about_up
from artfish.core.body.anatomy import rest_nodes
from artfish.core.replicas.capture import capture
from artfish.core.replicas.repertoire import GAITS, POSES, RESPONSES, Repertoire, digest_of
from artfish.core.scene.species import Body


@pytest.fixture(scope="session")
def sardine():
    """Its species and its repertoire."""
    species = Species.load("sardine")
    return species, capture(species)


@pytest.fixture
def made_up():
    """A repertoire of a fish that wags its straight body: hovering, swimming at 1 length/s, turning at 1 rad/s."""
    phase = 2.0 * np.pi * np.arange(POSES) / POSES
    moving = np.array([0.0, 1.0, 1.0])[:, None]
    sway = 0.1 * moving * np.sin(phase)
    place = np.stack([0.01 * moving * np.cos(2 * phase), 0.02 * sway, 0.0 * sway], axis=-1)
    return Repertoire(
        species="sardine",
        digest=digest_of(Species.load("sardine")),
        gait=np.full(3, GAITS.index("swim")),
        pace=np.array([0.0, 1.0, 1.0]),
        turn=np.array([0.0, 0.0, 1.0]),
        climb=np.zeros(3),
        seconds=np.array([1.0, 0.5, 0.4]),
        nodes=np.broadcast_to(rest_nodes(Body()), (3, POSES, 23, 3)),
        tension=np.stack([np.ones_like(sway) * moving, sway, 0.5 * sway], axis=-1),
        attitude=rotations_about_up(sway),
        place=place,
        velocity=np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.8, -0.1, 0.02]]),
        yaw=np.array([0.0, 0.0, 1.0]),
        closure=np.zeros(3),
        responses=np.ones(len(RESPONSES)),
    )
