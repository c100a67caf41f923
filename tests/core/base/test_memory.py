"""Arrays in memory: where they begin, and that those of one scratch lie beside each other."""

import numpy as np
import pytest

from artfish.core.base.memory import CACHE_LINE_BYTES, Scratch, aligned, kept


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.uint8])
def test_arrays_begin_with_a_line_of_the_cache(dtype):
    for size in range(1, 40):
        array = aligned((size, 3), dtype)
        assert array.ctypes.data % CACHE_LINE_BYTES == 0 and array.flags.c_contiguous
        assert array.shape == (size, 3) and array.dtype == dtype and not array.any()


def test_a_kept_array_is_a_copy_in_c_order():
    values = np.arange(12.0).reshape(3, 4).T
    copy = kept(values)
    assert np.array_equal(copy, values) and copy.flags.c_contiguous
    copy[0, 0] = 7.0
    assert values[0, 0] == 0.0
    assert kept(values, np.float32).dtype == np.float32


def test_arrays_of_a_scratch_do_not_overlap_until_the_next_are_taken():
    scratch = Scratch(100, np.float64)
    one, two = scratch.arrays((3, 7), (5,))
    one[:], two[:] = 1.0, 2.0
    assert (one == 1.0).all() and one.ctypes.data % CACHE_LINE_BYTES == two.ctypes.data % CACHE_LINE_BYTES == 0
    (again,) = scratch.arrays((21,))
    assert np.shares_memory(again, one)


def test_more_than_a_scratch_has_is_refused():
    with pytest.raises(ValueError, match="scratch: found"):
        Scratch(8, np.float64).arrays((2000,))
