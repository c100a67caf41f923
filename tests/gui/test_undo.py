"""One step of undo takes back any operator."""

import pytest

WITHOUT = {
    "artfish.save_scene",  # files on the disk
    "artfish.species_export",
    "artfish.preview_look",  # turns the view, which undo leaves alone
    "artfish.quick_look",  # so does this, and what it makes goes with another click
    "artfish.drop_tracks",  # asks for what another operator does
    "artfish.presets",  # shows the gallery: what is chosen there is another operator's
    "artfish.show_part",  # of the sidebar
    "artfish.clear_cache",  # files on the disk
    "artfish.make_assets",  # likewise
    "artfish.show_assets",  # Blender's preferences
    "artfish.pick_fish",  # steps back by a step of its own, as a click on an object does; see test_live
    "artfish.live_restart",  # what was simulated is no part of the file
    "artfish.export",  # a file on the disk
    "artfish.make_dataset",  # files on the disk; the scene stays as it is
    "artfish.show_shot",  # goes to a frame and turns the view
    "artfish.controller_save",
    "artfish.copy_fish",  # the clipboard
    "artfish.end_takes",  # ends what is at work
}
ELSEWHERE = {f"artfish.{name}_fish" for name in ("delete", "duplicate", "hide", "retime", "select_whole")} | {
    *("artfish.hold_fish", "artfish.nudge_fish", "artfish.watch_fish", "artfish.move_fish"),
    *("artfish.grab_copy", "artfish.paste_fishes"),
    *("artfish.switch_edit", "artfish.remove_edit", "artfish.restore_fishes"),
    *("artfish.select_offset", "artfish.show_fishes", "artfish.swap_look", "artfish.swap_species"),
    *("artfish.adopt_open_edges", "artfish.controller_choose", "artfish.controller_drop"),
    *("artfish.film_event", "artfish.film_edit", "artfish.drop_earlier_bakes"),
}
"""Operators that need baked fishes, a controller that was learned, or a model that was looked at: `test_baked_fishes`,
`test_adopt`, the tests of fish operators, of filming and of learning take them back."""
KEEPS = {"artfish.species_save", "artfish.adopt_look"} | ELSEWHERE
"""Operators that change nothing but a file of one's own species, which stays, or the words of a panel."""
LEAVES = {"artfish.live_end": ["/acts: 0 -> None"]}
"""Differences that an undo may leave: fishes are back where they were, and go on only by Play."""


@pytest.fixture(scope="module")
def session(blender):
    """One session in a small window."""
    return blender("undo", size="900x700", seconds=1500)


def test_all_that_change_the_file_can_be_undone(session):
    assert set(session["without_undo"]) == WITHOUT


def test_one_step_takes_back_all(session):
    left = {name: undone for name, (_, _, undone) in session["undone"].items() if undone}
    assert left == LEAVES


def test_each_did_something(session):
    """An operator that did nothing in the prepared file wants a line in drivers/undo.py."""
    idle = {name: answer for name, (answer, did, _) in session["undone"].items() if answer != ["FINISHED"]}
    assert set(idle) == ELSEWHERE
    assert {name for name, (_, did, _) in session["undone"].items() if not did} <= KEEPS
