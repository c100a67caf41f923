import numpy as np
import pytest

from artfish.core.base.sums import mean, scaled, total, weighted


@pytest.mark.parametrize("number", range(40))
def test_a_sum_is_that_of_all_terms_along_any_axis(number):
    terms = np.random.default_rng(number).normal(size=(3, number, 2))
    assert total(terms, axis=1) == pytest.approx(terms.sum(axis=1))
    assert total(terms.transpose(0, 2, 1)) == pytest.approx(terms.sum(axis=1))
    assert total(terms[0, :, 0]) == pytest.approx(terms[0, :, 0].sum())
    if number:
        assert mean(terms, axis=1) == pytest.approx(terms.mean(axis=1))


@pytest.mark.parametrize("number", range(1, 68))
def test_a_sum_has_the_same_bits_wherever_its_terms_are_in_memory(number):
    terms = np.random.default_rng(number).normal(size=(number, 5))
    first = total(terms, axis=0)
    assert np.array_equal(total(np.asfortranarray(terms), axis=0), first)
    assert np.array_equal(total(terms.T), first)
    assert np.array_equal(total(np.repeat(terms, 3, axis=0)[::3], axis=0), first)
    assert [float(total(column)) for column in terms.T] == first.tolist()


def test_the_order_is_that_of_folding():
    a, b, c, d, e = 1e16, 1.0, -1e16, 1.0, 1.0
    assert total([a, b, c]) == (a + c) + b
    assert total([a, b, c, d]) == (a + c) + (b + d)
    assert total([a, b, c, d, e]) == ((a + d) + c) + (b + e)


@pytest.mark.parametrize("shape", [(1,), (2,), (3,), (7, 23, 3), (5, 1, 3), (1, 68, 1), (0, 3), (4, 3, 0), (1, 9001)])
def test_a_sum_has_the_bits_of_the_oracle(shape, alike):
    terms = np.random.default_rng(len(shape)).normal(size=shape) * 10.0 ** (np.arange(shape[-1]) % 20)
    terms[..., :1] = -0.0
    for axis in range(len(shape)):
        summed = alike(lambda axis=axis: np.array(total(terms, axis)), "total")
        assert summed.shape == np.sum(terms, axis).shape


def test_whole_numbers_keep_their_kind():
    assert total(np.array([[1, 2, 3], [4, 5, 6]]), axis=0).tolist() == [5, 7, 9]
    assert total(np.array([2**62, 2**61, 1])) == 2**62 + 2**61 + 1


def test_summing_one_term_gives_another_array():
    terms = np.ones((1, 3))
    total(terms, axis=0)[:] = 0.0
    assert (terms == 1.0).all()


def test_weighted_sums_are_those_of_vectors_times_shares():
    shares, vectors = np.random.default_rng(1).normal(size=(4, 23)), np.random.default_rng(2).normal(size=(4, 23, 3))
    assert weighted(shares, vectors) == pytest.approx(np.einsum("nk,nkc->nc", shares, vectors))
    assert weighted(shares[0], vectors) == pytest.approx(np.einsum("k,nkc->nc", shares[0], vectors))


def test_what_is_weighted_has_the_bits_of_the_other_form(alike):
    dice = np.random.default_rng(5)
    for count, width in ((1, 3), (2, 3), (23, 3), (7, 1), (68, 2), (0, 3), (3000, 3)):
        vectors, own = dice.normal(size=(40, count, width)), dice.uniform(size=(40, count))
        vectors[::3] = -0.0
        alike(lambda vectors=vectors, own=own: weighted(own, vectors), "weighted")
        alike(lambda vectors=vectors, own=own: weighted(own[0], vectors), "weighted")
        alike(lambda vectors=vectors, own=own: weighted(own[0], vectors[0]), "weighted")


def test_what_is_scaled_has_the_bits_of_the_oracle(alike):
    dice = np.random.default_rng(6)
    for shape in ((40,), (40, 3), (40, 23, 3), (0, 3), (5, 0)):
        vectors, factors = dice.normal(size=shape), dice.normal(size=shape[0])
        found = alike(lambda vectors=vectors, factors=factors: scaled(vectors, factors), "scaled")
        assert np.array_equal(found, (vectors.T * factors).T)
