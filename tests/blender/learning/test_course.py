"""Notes of a practice about itself."""

from artfish.blender_artfish.learning.course import PracticeProgress


def test_another_practice_begins_with_nothing():
    noted = PracticeProgress()
    noted.begin(7, 10)
    noted.add(1, 1, 3.0, 3.5)
    assert noted.drills == [[], [(1, 3.0, 3.5)]]
    noted.begin(8, 5)
    assert noted.drills == [] and noted.shoal == 8
