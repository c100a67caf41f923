"""Keys of a crowd: as few as a tolerance allows, and right at every frame."""

import numpy as np
import pytest

from artfish.blender_artfish.crowd.table import ABSENT, Ways, table


def going(frames: int, wave: float) -> Ways:
    """Two fishes that glide straight on, with a wave over their way."""
    time = np.arange(frames, dtype=np.float32)
    place = np.stack([0.01 * time, wave * np.sin(2.0 * time), np.zeros(frames)], axis=-1)
    place = np.stack([place, place + 1], axis=1).astype(np.float32)
    turn = np.zeros((frames, 2, 4), np.float32)
    turn[..., 0] = 1.0
    pose = np.tile(np.arange(frames, dtype=np.int8)[:, None], (1, 2))
    return Ways(place, turn, pose, np.zeros((frames, 2), np.float32))


def played(found, frame: int) -> np.ndarray:
    """Places at a frame as the node group interpolates them."""
    key = min(frame // found.stride, len(found.place) - 2)
    return found.place[key] + (found.place[key + 1] - found.place[key]) * (frame / found.stride - key)


@pytest.mark.parametrize(("frames", "wave", "stride"), [(41, 0.0, 8), (38, 0.0, 8), (38, 0.05, 1), (1, 0.0, 8)])
def test_keys_are_as_few_as_the_tolerance_allows(swimming, frames, wave, stride):
    recording, way = swimming("clownfish", "clownfish", frames=frames), going(frames, wave)
    found = table(recording, [0, 1], way, 0.002)
    assert found.stride == stride
    for frame in range(frames):
        assert np.abs(played(found, frame) - way.place[frame]).max() < 0.002 * recording.body_length.min()
        assert (found.pose[frame // stride, frame % stride] == frame).all()


def test_every_frame_has_a_key_at_a_tolerance_of_0(swimming):
    recording, way = swimming("clownfish", "clownfish", frames=20), going(20, 0.03)
    found = table(recording, [0, 1], way, 0.0)
    assert found.stride == 1 and np.array_equal(found.place, way.place)


def test_where_a_fish_is_not_costs_no_keys(swimming):
    recording, way = swimming("clownfish", "clownfish", frames=33), going(33, 0.0)
    way.place[10:20, 0] += 3.0
    way.pose[10:20, 0] = ABSENT
    assert table(recording, [0, 1], way, 0.002).stride == 1  # it jumps between two frames at which it is there
    way.pose[10:, 0] = ABSENT
    way.place[20:, 0] += 3.0
    assert table(recording, [0, 1], way, 0.002).stride == 3  # a key at the last frame before
