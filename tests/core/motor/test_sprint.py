"""Bursts and C-starts: fast, tiring, and none for the book's own fish (Domenici & Blake 1997; Webb 1978)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Commands, Species, World
from artfish.core.body.anatomy import MASSES, body_frame
from artfish.core.motor.sprint import Sprints
from artfish.core.motor.tuning import PROLONGED_SECONDS, TIRED_RESERVE
from artfish.studies.swimming import SHIPPED, tank

FPS, BEGIN = 120, 60
SMALL = 0.3  # metres: peaks are asked of fishes below it
FEW = ("sardine", "butterflyfish", "reef_shark")
SPECIES = [pytest.param(name, marks=[] if name in FEW else pytest.mark.large) for name in SHIPPED]


class Flights:
    """One fish that bursts and one that starts to its left and then bursts, half a second after they set out."""

    def __init__(self, name: str):
        self.species = Species.load(name)

        def pilot(t: float, world: World) -> Commands:
            commands, begun = Commands.still(2), t >= (BEGIN - 0.5) / FPS
            commands.swim[:], commands.burst[:], commands.cstart[1] = 0.4, begun, 1.5 * begun
            return commands

        world = tank(name, 2, pilot, fps=FPS)
        recording = world.simulate(BEGIN + 2 * FPS)
        nodes = recording.nodes.astype(float)
        middle = np.einsum("n,tfnc->tfc", MASSES / MASSES.sum(), nodes) / recording.body_length[:, None]
        self.speed = np.linalg.norm(np.diff(middle, axis=0), axis=2) * FPS
        self.up = body_frame(nodes)[1][..., 2, 2]
        self.head = self._azimuth(body_frame(nodes)[1][..., 0])[BEGIN:, 1]
        tail = nodes[:, :, 9:13].mean(axis=2) - nodes[:, :, 21:].mean(axis=2)
        self.bend = np.abs(self.head - self._azimuth(tail)[BEGIN:, 1])
        self.head -= self.head[0]

    @staticmethod
    def _azimuth(way: np.ndarray) -> np.ndarray:
        return np.degrees(np.unwrap(np.arctan2(way[..., 1], way[..., 0]), axis=0))


@pytest.fixture(scope="module", params=SPECIES)
def flights(request) -> Flights:
    return Flights(request.param)


@pytest.mark.film
def test_a_burst_is_at_its_speed_within_a_second(flights):
    """Bursts of some ten lengths a second (Videler & Wardle 1991); large fishes are slower."""
    small = flights.species.length < SMALL
    after = flights.speed[BEGIN:, 0]
    assert after[: FPS + 1].max() > (4.0 if small else 1.5)
    assert after.max() > (6.0 if small else 2.5)
    assert (flights.up[BEGIN:, 0] > 0.8).all()


@pytest.mark.film
def test_a_c_start_bends_the_body_and_turns_the_head_at_once(flights):
    tenth = round(0.1 * FPS) + 1
    assert flights.bend[: 2 * tenth].max() > 60.0
    assert flights.head[: round(0.05 * FPS) + 1].max() > 5.0
    if flights.species.length <= SMALL:
        assert flights.bend[:tenth].max() > 60.0
        assert flights.head[:tenth].max() > 60.0
        assert np.diff(flights.head[: 2 * tenth]).max() * FPS > 1000.0
    assert flights.head[-FPS // 2 :].mean() > 0.65 * np.degrees(1.5)


def sprints(name: str) -> Sprints:
    return Sprints([Species.load(name)], np.zeros(1, dtype=int))


def test_who_bursts_tires_and_who_rests_is_fresh_again():
    own, rhythm, one = sprints("sardine"), Species.load("sardine").rhythm, np.ones(1)
    assert own.burst(one, 0.1) == 1.0
    for _ in range(round(20 * rhythm.burst_seconds)):
        given = own.burst(one, 0.1)
    assert own.reserve[0] < 0.05 and given[0] < 0.2
    assert own.pace(one) < 0.8
    for _ in range(round(10 * rhythm.rest_seconds) + 10):
        own.burst(0.0 * one, 0.1)
    assert own.reserve[0] == 1.0 and own.pace(one) == 1.0


def lasting(share: float) -> float:
    """Seconds for which a rested sardine gives this share of its burst in prolonged swimming, undiminished."""
    own, wish, seconds = sprints("sardine"), np.full(1, share), 0.0
    while own.prolonged(wish, 0.05)[0] == share:
        seconds += 0.05
    return seconds


def test_the_log_of_the_time_that_a_pace_is_kept_falls_with_it_in_a_straight_line():
    """Brett 1964: minutes at the slow end, and at the fast one the seconds of a burst."""
    shares = np.array([0.05, 0.35, 0.65, 0.95])
    logs = np.log([lasting(share) for share in shares])
    assert np.diff(logs) == pytest.approx(logs[1] - logs[0], abs=0.02)
    rested = 1.0 - TIRED_RESERVE
    assert np.polyval(np.polyfit(shares, logs, 1), 0.0) == pytest.approx(np.log(rested * PROLONGED_SECONDS), abs=0.02)
    seconds = Species.load("sardine").rhythm.burst_seconds
    assert np.polyval(np.polyfit(shares, logs, 1), 1.0) == pytest.approx(np.log(rested * seconds), abs=0.02)


def test_who_keeps_a_pace_in_full_tires_as_in_a_burst():
    burst, kept, one = sprints("sardine"), sprints("sardine"), np.ones(1)
    assert burst.burst(one, 0.1) == kept.prolonged(one, 0.1)
    assert burst.reserve[0] == pytest.approx(kept.reserve[0], rel=1e-12)


def test_the_books_own_fish_has_neither_burst_nor_c_start():
    own, one = sprints("thesis"), np.ones(1)
    assert own.burst(one, 0.1) == 0.0 and own.reserve[0] == 1.0
    bend, begun = own.cstart(one, one, 0.1)
    assert bend == 0.0 and not begun[0]


def test_only_a_change_of_the_command_begins_a_c_start_which_ends_by_itself():
    own, one = sprints("sardine"), np.ones(1)
    bend, begun = own.cstart(-one, -0.5 * one, 0.01)
    assert bend == -1.0 and begun[0]
    bends = [own.cstart(-one, -0.5 * one, 0.01) for _ in range(40)]
    assert not any(begun[0] for _, begun in bends)
    assert min(bend[0] for bend, _ in bends) == -1.0 and max(bend[0] for bend, _ in bends) > 0.0
    assert bends[-1][0] == 0.0


def test_who_still_faces_the_threat_bends_again_and_more_shortly_but_not_for_ever():
    own, one = sprints("sardine"), np.ones(1)
    bends = np.array([0.0, *(own.cstart(one, 2.0 * one, 0.002)[0][0] for _ in range(500))])
    begins, ends = (np.flatnonzero(np.diff((bends > 0.5).astype(int)) == change) for change in (1, -1))
    assert len(begins) == len(ends) == 3
    lasts = ends - begins
    assert lasts[1] == pytest.approx(lasts[2], abs=1) and lasts[1] < 0.8 * lasts[0]
    assert bends[-1] == 0.0


def test_who_has_turned_away_bends_no_second_time():
    own, one = sprints("sardine"), np.ones(1)
    bends = np.array([0.0, *(own.cstart(one, 0.5 * one, 0.002)[0][0] for _ in range(500))])
    assert (np.diff((bends > 0.5).astype(int)) == 1).sum() == 1


@pytest.mark.film
def test_small_fishes_come_to_speed_within_a_second():
    """A fish that starts beats faster than it will, or rows harder; measured from rest to 90 % of full speed."""

    def pilot(t: float, world: World) -> Commands:
        commands = Commands.still(1)
        commands.swim[:] = 1.0
        return commands

    for name in ("sardine", "butterflyfish"):
        recording = tank(name, 1, pilot).simulate(8 * 24)
        middle = np.einsum("n,tfnc->tfc", MASSES / MASSES.sum(), recording.nodes.astype(float))[:, 0]
        speed = np.linalg.norm(np.diff(middle, axis=0), axis=1)
        assert speed[22:28].mean() > 0.9 * speed[-48:].mean()
