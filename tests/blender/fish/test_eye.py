"""An eye is seen as far as it stands out of the head."""

import numpy as np
import pytest

from artfish.blender_artfish.fish import materials
from artfish.core.form.surfaces import eyes, on_body, on_flank, rest_surfaces
from artfish.core.form.tuning import EYE_SKIN_RADII
from artfish.core.scene.species import Species

pytestmark = pytest.mark.versions


def test_the_pupil_is_measured_by_what_is_seen_of_the_eye():
    species = Species.load("grouper")
    centres, radius, outward = eyes(species)
    left, form = rest_surfaces(species)["body_left"].points, species.form
    skin = on_body(left, on_flank(species, left, form.eye_station, form.eye_height)[None])[0]
    sunk = float((skin - centres[0]) @ outward[0]) / radius
    assert pytest.approx(np.sqrt(1.0 - sunk**2), abs=0.02) == EYE_SKIN_RADII


def test_an_eye_in_a_mesh_has_the_colours_of_one_that_is_an_object():
    species = Species.load("parrotfish")
    made = materials.species_materials(species)["eye"], materials.eye_in_mesh(species)
    inputs = []
    for material in made:
        ball = next(node for node in material.node_tree.nodes if "Iris" in node.inputs)
        inputs.append({each.name: np.array(each.default_value).tolist() for each in ball.inputs})
    assert inputs[0] == inputs[1]
    assert inputs[0]["Rim"][:3] == pytest.approx(species.looks.iris_rim)
