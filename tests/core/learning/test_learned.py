"""Learned controls are data: read back as they were written, and a smooth course between their samples."""

import numpy as np
import pytest

from artfish.core.base.codec import SceneError
from artfish.core.learning.learned import CONTROL_SAMPLES, Learned, contractions, digest_of, ensure_for
from artfish.core.scene.species import Species


def one(**more):
    turns = 2.0 * np.pi * np.arange(CONTROL_SAMPLES) / CONTROL_SAMPLES
    rows = [tuple(0.2 + 0.1 * np.sin(turns + muscle)) for muscle in range(16)]
    return Learned(species="reef_shark", digest=digest_of(Species.load("reef_shark")), samples=tuple(rows), **more)


def test_it_is_read_back_as_it_was_written(tmp_path):
    learned = one(task="left", goal=(1.5,), scores=((0, 1.0), (90, -2.5)), steps=90, duration=1.25)
    learned.save(tmp_path / "learned.json")
    assert Learned.load(tmp_path / "learned.json").to_dict() == learned.to_dict()


@pytest.mark.parametrize("interpolation", ["linear", "cubic"])
def test_the_course_goes_through_its_samples_and_round(interpolation):
    learned = one(interpolation=interpolation, duration=3.0)
    at = np.arange(CONTROL_SAMPLES) * 3.0 / CONTROL_SAMPLES + 1e-9
    assert np.allclose(learned.contractions(at), np.array(learned.samples))
    assert np.allclose(learned.contractions(at + 3.0), np.array(learned.samples))


def test_a_cubic_course_follows_a_sine_and_a_linear_one_cuts_its_corners():
    times = np.linspace(0.0, 3.0, 500, endpoint=False)
    sine = 0.2 + 0.1 * np.sin(2.0 * np.pi * times / 3.0)
    off = {
        kind: np.abs(one(interpolation=kind, duration=3.0).contractions(times)[0] - sine).max()
        for kind in ("linear", "cubic")
    }
    assert off["cubic"] < 0.001 < off["linear"] < 0.003


def test_no_muscle_shortens_more_than_muscles_can():
    samples = np.zeros((1, 12, CONTROL_SAMPLES))
    samples[:, :, 4:6] = 0.45
    course = contractions(samples, np.ones(1), np.linspace(0.0, 1.0, 400), "cubic")
    assert course.min() == 0.0 and course.max() == 0.45


def test_what_another_body_has_learned_is_refused_in_a_line():
    ensure_for(one(), Species.load("reef_shark"))
    with pytest.raises(SceneError, match="the body of 'reef_shark' has learned"):
        ensure_for(one(), Species.load("tuna"))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("task", "fly"),
        ("samples", [[0.1] * 14] * 12),
        ("samples", [[0.1] * 15] * 7),
        ("duration", float("nan")),
        ("colour", 1),
    ],
)
def test_whatever_is_not_as_declared_is_refused_by_its_key(key, value):
    with pytest.raises(SceneError, match=key):
        Learned.from_dict(one().to_dict() | {key: value}, "found.json")
