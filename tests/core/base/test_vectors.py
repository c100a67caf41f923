import numpy as np
import pytest

from artfish.core.base.vectors import cross, dot, local, norm, unit, vector, wrap


def test_products_and_lengths_are_those_of_each_vector():
    a, b = np.random.default_rng(1).normal(size=(2, 4, 5, 3))
    assert dot(a, b) == pytest.approx((a * b).sum(axis=-1))
    assert norm(a) == pytest.approx(np.linalg.norm(a, axis=-1))
    assert norm(unit(a)) == pytest.approx(np.ones((4, 5)))
    assert dot(unit(a), a) == pytest.approx(norm(a))
    assert not unit(np.zeros((2, 3))).any()


def test_a_product_of_vectors_is_at_a_right_angle_to_both():
    a, b = np.random.default_rng(2).normal(size=(2, 4, 3))
    assert cross(a, b) == pytest.approx(np.cross(a, b))
    assert cross(np.array([0.0, 0.0, 1.0]), a) == pytest.approx(np.cross((0.0, 0.0, 1.0), a))


def test_components_along_a_frame_are_those_along_each_of_its_columns():
    rng = np.random.default_rng(3)
    frames, vectors = rng.normal(size=(5, 3, 3)), rng.normal(size=(5, 4, 3))
    assert local(frames[:, None], vectors) == pytest.approx(np.einsum("nij,nki->nkj", frames, vectors))
    assert local(frames[0], vectors[0]) == pytest.approx(vectors[0] @ frames[0])


def test_a_vector_has_the_azimuth_and_slope_that_it_is_made_of():
    azimuth, slope = np.meshgrid(np.linspace(-3.0, 3.0, 7), np.linspace(-1.5, 1.5, 5))
    way = vector(azimuth, slope)
    assert norm(way) == pytest.approx(np.ones((5, 7)))
    assert np.arctan2(way[..., 1], way[..., 0]) == pytest.approx(azimuth)
    assert np.arcsin(way[..., 2]) == pytest.approx(slope)


def test_angles_are_wrapped_by_whole_turns_into_one():
    angle = np.linspace(-20.0, 20.0, 101)
    wrapped = wrap(angle)
    assert (wrapped >= -np.pi).all() and (wrapped < np.pi).all()
    turns = (angle - wrapped) / (2.0 * np.pi)
    assert turns == pytest.approx(np.rint(turns), abs=1e-12)
    assert wrap(np.pi) == -np.pi
