"""Texts of live play in panel and status bar, for every status, notice and cause."""

import pytest

from artfish.blender_artfish.live import texts
from artfish.blender_artfish.live.statuses import (
    FIXED_PARTS,
    Cause,
    CauseKind,
    Notice,
    NoticeKind,
    Status,
    StatusKind,
)
from artfish.core import Scene


@pytest.mark.parametrize("kind", StatusKind)
def test_every_status_has_words(kind):
    assert ("7" in texts.status_text(Status(kind, 7))) == (kind not in (StatusKind.FILLING, StatusKind.EMPTY))


@pytest.mark.parametrize("kind", NoticeKind)
def test_every_notice_has_words(kind):
    said = texts.notice_text(Notice(kind, 7, Cause(CauseKind.SEED), ValueError("as it is")))
    fields = {
        NoticeKind.RESTARTED: "another seed",
        NoticeKind.SCENE_REFUSED: "as it is",
        NoticeKind.ACT_REFUSED: "as it is",
    }
    assert fields.get(kind, "7") in said


@pytest.mark.parametrize("kind", CauseKind)
def test_every_cause_has_words(kind):
    assert texts.cause_text(Cause(kind, "tank"))


def test_nothing_to_be_known_is_no_text():
    assert texts.notice_text(None) == "" and texts.moved_text(3, 3) == ""


def test_what_a_running_world_cannot_take_up_are_fields_of_a_scene():
    assert set(FIXED_PARTS) <= set(Scene.__dataclass_fields__)


def test_one_fish_and_several_are_spoken_of_as_such():
    assert texts.notice_text(Notice(NoticeKind.UNSEEN, 1)).startswith("A fish was deleted and swims on unseen")
    assert texts.notice_text(Notice(NoticeKind.UNSEEN, 2)).startswith("2 fishes were deleted and swim on unseen")
