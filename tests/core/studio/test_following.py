"""Fishes that swim along tracks: near them at every frame, with the gaits that these ask for."""

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.base.codec import SceneError
from artfish.core.body.anatomy import body_frame, tail_bend
from artfish.core.studio.following import follow
from artfish.core.studio.tracks import Tracks

NEAR = 0.2
"""Body lengths that a fish may be off its track."""
FPS = 30.0


def tracks(*paths: np.ndarray) -> Tracks:
    return Tracks(tuple(map(str, range(len(paths)))), np.stack(paths, axis=1), flat=True)


def winding(length: float, speed: float, seconds: float = 6.0) -> np.ndarray:
    """A path that swings to either side, at this many lengths a second along it."""
    t = np.arange(0.0, seconds, 1 / FPS)
    x = speed * length * t
    return np.stack([x, 0.6 * length * np.sin(2 * np.pi * x / (8 * length)), 0 * x], axis=1)


def beats(nodes: np.ndarray) -> float:
    """Tail beats a second, from how often the tail crosses over."""
    bend = tail_bend(nodes.astype(float))
    bend = bend - np.convolve(bend, np.ones(15) / 15, mode="same")
    return np.count_nonzero(np.diff(np.sign(bend[15:-15]))) / 2 / ((len(bend) - 31) / FPS)


@pytest.mark.film
@pytest.mark.parametrize("name", ["sardine", "clownfish", "reef_shark"])
def test_fishes_stay_near_their_tracks_and_head_where_they_go(name):
    species = Species.load(name)
    paths = tracks(winding(species.length, 0.6), winding(species.length, 2.0) + (0, 5 * species.length, 0))
    followed = follow(paths, species, FPS)
    assert followed.off.shape == (180, 2) and np.nanmax(followed.off) < NEAR
    origin, axes = body_frame(followed.recording.nodes.astype(float))
    way = np.diff(origin, axis=0)
    along = (way * axes[:-1, :, :, 0]).sum(axis=-1) / np.linalg.norm(way, axis=-1)
    assert np.degrees(np.arccos(np.clip(np.median(along), -1, 1))) < 15.0
    tank = np.array(followed.recording.scene.tank.size)
    assert (followed.recording.nodes > 0).all() and (followed.recording.nodes < tank).all()


@pytest.mark.film
def test_who_is_faster_beats_faster_and_who_rests_glides():
    sardine = Species.load("sardine")
    straight = [
        winding(sardine.length, speed) * (1, 0, 0) + (0, 3 * row * sardine.length, 0)
        for row, speed in enumerate((1.0, 3.0))
    ]
    still = np.tile((0.0, 20 * sardine.length, 0.0), (len(straight[0]), 1))
    nodes = follow(tracks(*straight, still), sardine, FPS).recording.nodes
    slow, fast = beats(nodes[:, 0]), beats(nodes[:, 1])
    assert fast > 1.5 * slow > 0.0
    assert np.ptp(tail_bend(nodes[60:, 2].astype(float))) < 0.2 * np.ptp(tail_bend(nodes[60:, 1].astype(float)))


def test_who_was_not_tracked_is_not_there():
    sardine = Species.load("sardine")
    late = winding(sardine.length, 1.0, 1.0)
    late[:10] = np.nan
    followed = follow(tracks(winding(sardine.length, 1.0, 1.0) + (0, 1, 0), late), sardine, FPS, length=0.1)
    assert (
        followed.recording.alive[:, 0].all() and followed.recording.alive[:, 1].tolist() == [False] * 10 + [True] * 20
    )
    assert followed.recording.body_length == pytest.approx([0.1, 0.1])
    assert np.isnan(followed.off[:10, 1]).all() and np.nanmax(followed.off) < NEAR
    assert followed.summary().startswith("2 fishes: ")


def test_a_length_out_of_range_is_one_line():
    with pytest.raises(SceneError, match="length: found 50 m, allowed 0.009 to 3.6 m"):
        follow(tracks(winding(0.1, 1.0, 1.0)), Species.load("sardine"), FPS, length=50.0)
