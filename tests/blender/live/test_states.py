"""The states of live play, and the transitions between them."""

import bpy
import pytest

from artfish.blender_artfish.live import pace, timer
from artfish.blender_artfish.live.runtime import session_of
from artfish.blender_artfish.live.states import (
    FILM_TRANSITIONS,
    OBJECTS_TRANSITIONS,
    SCENE_TRANSITIONS,
    FilmState,
    ObjectsState,
    SceneState,
    StateTrack,
    TransitionError,
)
from artfish.tests.blender.live.tank import go, shoal, tick_on

TABLES = [
    (FilmState, FilmState.EMPTY, FILM_TRANSITIONS),
    (SceneState, SceneState.CURRENT, SCENE_TRANSITIONS),
    (ObjectsState, ObjectsState.THERE, OBJECTS_TRANSITIONS),
]


@pytest.mark.parametrize("states, first, transitions", TABLES)
def test_every_state_can_be_reached(states, first, transitions):
    reached = {first}
    while more := {end for table in transitions.values() for start, end in table.items() if start in reached} - reached:
        reached |= more
    assert reached == set(states)


def test_what_has_ended_does_nothing_any_more():
    allowed = {name for name, table in FILM_TRANSITIONS.items() if FilmState.ENDED in table}
    assert allowed == {"end"}
    track = StateTrack(FilmState.ENDED, FILM_TRANSITIONS)
    with pytest.raises(TransitionError) as refused:
        track.take("start")
    assert (refused.value.name, refused.value.state) == ("start", FilmState.ENDED)
    assert track.state is FilmState.ENDED


def test_a_change_during_reading_is_read_afterwards():
    track = StateTrack(SceneState.CURRENT, SCENE_TRANSITIONS)
    passed = []
    for name in ("change", "read", "change", "finish", "read", "finish"):
        track.take(name)
        passed.append(track.state)
    states = SceneState.CHANGED, SceneState.READING, SceneState.STALE, SceneState.CHANGED
    assert passed == [*states, SceneState.READING, SceneState.CURRENT]


def test_a_session_goes_through_its_states(scene, at_window, monkeypatch):
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    tick_on()
    assert session.film_track.state is FilmState.PLAYING and session.scene_track.state is SceneState.CURRENT
    monkeypatch.setattr(pace, "FRAME_SECONDS", 0.0)
    go(5)
    assert session.film_track.state is FilmState.LAGGING and session.goal == 4
    tick_on()
    assert session.film_track.state is FilmState.PLAYING and session.goal is None
    shoal().artfish.mind.use_p1 = True
    assert session.scene_track.state is SceneState.CHANGED
    tick_on()
    assert session.scene_track.state is SceneState.CURRENT
    monkeypatch.setattr("artfish.core.studio.rehearsal.FRAMES_BYTES", 0)
    go(9)
    assert session.film_track.state is FilmState.FULL and session.shown == 4
    go(3)
    assert session.film_track.state is FilmState.PLAYING
    timer.end(scene)
    assert session.film_track.state is FilmState.ENDED
