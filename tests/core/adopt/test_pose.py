"""Which way a model faces is seen from its shape, and a guess that is none says so."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import SceneError, Species
from artfish.core.adopt.model import Model
from artfish.core.adopt.pose import MODEL_AXES, ModelPose, guess, standing
from artfish.tests.core.adopt.models import AWKWARD, own, quads


def facing(model: Model, ahead: str, up: str, unit: float) -> Model:
    """A model turned another way, in another unit, somewhere else."""
    return Model(
        unit * model.vertices @ ModelPose(ahead, up, 1.0).axes.T + 7.0, model.corners, model.starts, model.parts
    )


@pytest.mark.parametrize("ahead", MODEL_AXES)
def test_a_sardine_in_centimetres_is_known_whichever_way_it_faces(ahead):
    model, up = own("sardine", 1), MODEL_AXES[(MODEL_AXES.index(ahead) + 2) % 6]
    pose = guess(facing(model, ahead, up, 18.0))
    assert (pose.ahead, pose.up) == (ahead, up)
    assert pose.length == pytest.approx(18.0 * np.ptp(model.vertices[:, 0]))


@pytest.mark.sampled
@pytest.mark.parametrize("name", Species.names())
def test_every_species_is_known_face_down(name):
    pose = guess(facing(own(name, 2), "-Z", "+X", 100.0))
    assert (pose.ahead, pose.up) == ("-Z", "+X") and min(pose.sure_ahead, pose.sure_up) > 0.5


@pytest.mark.parametrize("name", AWKWARD)
def test_an_awkward_one_is_known_by_its_nose(name):
    assert guess(AWKWARD[name]()).ahead == "+X"


def test_where_little_tells_the_back_points_up_in_the_programs_that_models_are_made_in():
    """Z points up in Blender, Y in most others: rigged fishes of a game lay on their backs before."""
    around = AWKWARD["few"]()
    assert guess(around).up == "+Z"
    turned = quads(around.vertices @ np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]]), around.corners.reshape(-1, 4))
    assert (guess(turned).ahead, guess(turned).up) == ("+Z", "+Y")


def test_of_an_eel_nobody_is_sure_which_side_is_up():
    assert guess(AWKWARD["eel"]()).sure_up < 0.5


def test_a_model_that_stands_is_a_length_long_and_faces_along_x():
    near = standing(facing(own("tuna"), "+Y", "+Z", 250.0), ModelPose("+Y", "+Z", 250.0))
    assert np.ptp(near.vertices[:, 0]) == pytest.approx(1.0, abs=0.01)
    assert near.vertices[near.group("eye.L")][:, 1].min() > 0.0 > near.vertices[near.group("eye.R")][:, 1].max()
    assert near.vertices[near.group("caudal")][:, 0].max() < -0.4


@pytest.mark.parametrize(
    ("wrong", "found"),
    [(("X", "+Z", 1.0), "ahead: found 'X'"), (("+X", "-X", 1.0), "up: found -X"), (("+X", "+Z", 0.0), "length: found")],
)
def test_a_pose_that_is_none_is_refused(wrong, found):
    with pytest.raises(SceneError, match=found.replace("+", r"\+")):
        ModelPose(*wrong)


def test_a_model_of_points_is_refused():
    with pytest.raises(SceneError, match="model: found a model without faces"):
        guess(quads(np.zeros((4, 3)), np.arange(4)[None]))
