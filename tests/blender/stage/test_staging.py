"""Every film has a stage, however short and empty."""

from dataclasses import replace

import pytest

from artfish.core.recording import ARRAYS


@pytest.mark.parametrize("frames", [1, 2])
def test_a_film_of_a_frame_or_two_has_a_stage(swimming, frames, build_stage):
    scene = build_stage(swimming("sardine", frames=frames))
    assert scene.camera and scene.world


def test_a_scene_without_fishes_has_a_stage(reef, build_stage):
    empty = replace(
        reef,
        **{name: getattr(reef, name)[:, :0] for name, one in ARRAYS.items() if one.shape[:2] == ("frames", "fish")},
        **{name: getattr(reef, name)[:0] for name in ("body_length", "seeds", "species", "sex")},
    )
    assert build_stage(empty).camera
