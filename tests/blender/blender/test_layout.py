"""A job at work stands in panels where its button was."""

from __future__ import annotations

from artfish.blender_artfish.blender.layout import draw_work, percent
from artfish.tests.blender.drawing import Recorder


def test_a_job_at_work_takes_the_place_of_its_button():
    layout = Recorder()
    assert draw_work(layout, (0.4, "Simulating")) is None
    assert layout.words == ["Simulating"]


def test_without_one_there_is_room_for_the_button():
    layout = Recorder()
    column = draw_work(layout, None)
    column.operator("artfish.bake")
    assert layout.buttons == ["artfish.bake"] and layout.words == []


def test_shares_are_written_with_a_space():
    assert [percent(share) for share in (0.0, 0.404, 1.0)] == ["0 %", "40 %", "100 %"]
