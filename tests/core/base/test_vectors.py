import numpy as np

from artfish.core.base.vectors import arctan2


def test_an_angle_is_the_same_wherever_in_memory_its_result_is():
    rng = np.random.default_rng(0)
    for number in range(8, 40):
        vectors, level = rng.normal(size=(number, 3)), rng.normal(size=number)
        first, kept = arctan2(vectors[:, 2], level), []
        for _ in range(50):  # what is made after each other lies behind each other in memory
            copied = vectors.copy()
            kept.append((copied, arctan2(copied[:, 2], level)))
        assert all(np.array_equal(angles, first) for _, angles in kept)
