import numpy as np
import pytest

from artfish.core.base.matrices import inverse, product


def test_products_are_those_of_the_matrices():
    rng = np.random.default_rng(1)
    a, b, c = rng.normal(size=(4, 7)), rng.normal(size=(7, 5)), rng.normal(size=(5, 3))
    assert product(a, b, c) == pytest.approx(a @ b @ c)


def test_an_inverse_undoes_its_matrix():
    root = np.random.default_rng(2).normal(size=(69, 69))
    matrix = root @ root.T + 69.0 * np.eye(69)
    assert inverse(matrix) @ matrix == pytest.approx(np.eye(69), abs=1e-12)


@pytest.mark.parametrize("size", [1, 2, 5, 23])
def test_bits_do_not_depend_on_where_numbers_are_in_memory(size):
    root = np.random.default_rng(size).normal(size=(size, size))
    matrix = root @ root.T + np.eye(size)
    assert np.array_equal(inverse(np.asfortranarray(matrix)), inverse(matrix))
    wide = np.repeat(matrix, 2, axis=1)[:, ::2]
    assert np.array_equal(product(wide, np.asfortranarray(root)), product(matrix, root))


@pytest.mark.parametrize("sizes", [(1, 1, 1), (3, 0, 2), (69, 69, 69), (42, 69, 7)])
def test_a_product_has_the_bits_of_the_oracle(sizes, alike):
    rng, (m, k, n) = np.random.default_rng(3), sizes
    first, second = rng.normal(size=(m, k)), rng.normal(size=(k, n))
    found = alike(lambda: product(first, second), "product")
    assert found.shape == (m, n)


@pytest.mark.parametrize("size", [1, 2, 23, 69])
def test_an_inverse_has_the_bits_of_the_oracle(size, alike):
    root = np.random.default_rng(size).normal(size=(size, size))
    alike(lambda: inverse(root @ root.T + np.eye(size)), "inverse")
