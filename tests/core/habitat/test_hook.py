"""The fishing hook: it sinks, swings, lures and is bitten, and draws its catch up (Tu 1999, §10.1)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Recording, Scene, SceneError, World
from artfish.core.base.dice import Dice
from artfish.core.behavior.intention import EAT, ESCAPE
from artfish.core.behavior.routines.struggle import Struggle
from artfish.core.behavior.routines.tuning import WRENCH_SECONDS
from artfish.core.body.anatomy import NOSE_NODE, RING_NODES, UNITS, rest_nodes
from artfish.core.habitat.hook import HOOK_WEIGHT, LINE_POINTS, NO_CATCH, PULL_SHARES, BaitedHook
from artfish.core.habitat.tuning import HOOK_DRAG, HOOK_HOME_METRES, ROD_METRES
from artfish.core.motor.commands import Commands
from artfish.core.scene.inventory import Hook as Asked
from artfish.studies.feeding import bites

SURFACE = 2.5
STILL = np.zeros(3)


def hung(**asked) -> BaitedHook:
    """A hook at the end of its line, 1.2 m under the water."""
    hook = BaitedHook(Asked(at=(2.0, 1.5, 1.3), start=0.0, **asked), SURFACE, 1)
    for frame in range(24 * 20):
        hook.advance(frame / 24, 1 / 24, STILL)
    return hook


def test_it_sinks_at_its_speed_once_it_is_time():
    hook = BaitedHook(Asked(at=(2.0, 1.5, 1.3), start=2.0, speed=0.4), SURFACE, 1)
    heights, offered = [], []
    for frame in range(24 * 8):
        heights.append(hook.place[2])
        offered.append(hook.offered)
        hook.advance(frame / 24, 1 / 24, STILL)
    heights = np.array(heights)
    assert heights[:49] == pytest.approx(SURFACE + HOOK_HOME_METRES)
    sinking = (heights < SURFACE + HOOK_HOME_METRES - 1e-9) & (heights > 1.3 + 1e-9)
    assert np.diff(heights[sinking]) == pytest.approx(-0.4 / 24)
    assert sinking.sum() == pytest.approx((HOOK_HOME_METRES + 1.2) / 0.4 * 24, abs=1.5)
    assert heights[-1] == pytest.approx(1.3)
    assert offered == (heights < SURFACE).tolist()


@pytest.mark.parametrize("fps", [24, 60])
def test_it_swings_as_a_pendulum_that_water_slows_down(fps):
    hook, start = hung(), 0.05
    hook._sway[0] = start
    k = HOOK_WEIGHT / (ROD_METRES + 1.2)
    omega = np.sqrt(k - HOOK_DRAG**2 / 4)
    worst = 0.0
    for frame in range(6 * fps):
        hook.advance(0.0, 1 / fps, STILL)
        t = (frame + 1) / fps
        true = start * np.exp(-HOOK_DRAG * t / 2) * (np.cos(omega * t) + HOOK_DRAG / (2 * omega) * np.sin(omega * t))
        worst = max(worst, abs(hook.place[0] - 2.0 - true))
    # The midpoint rule errs by a twelfth of dt² times the third derivative, here below k^1.5 + HOOK_DRAG k, over a time
    # of some 1 / HOOK_DRAG.
    assert worst < start * (1 / fps) ** 2 / 12 * (k**1.5 + HOOK_DRAG * k + HOOK_DRAG**3) * 2 / HOOK_DRAG


def test_without_drag_it_would_swing_for_ever(monkeypatch):
    monkeypatch.setattr("artfish.core.habitat.hook.HOOK_DRAG", 0.0)
    hook = hung()
    hook._sway[1] = 0.05
    offsets = []
    for _ in range(24 * 60):
        hook.advance(0.0, 1 / 24, STILL)
        offsets.append(hook.place[1] - 1.5)
    crossings = np.flatnonzero(np.diff(np.sign(offsets)) > 0)
    period = np.diff(crossings).mean() / 24
    k = HOOK_WEIGHT / (ROD_METRES + 1.2)
    # The rule slows the swing by a share k dt² / 12; crossings are told apart to a frame in a minute.
    assert period == pytest.approx(2 * np.pi / np.sqrt(k), rel=k / 24**2 / 12 + 1 / (24 * 50))
    assert np.max(offsets[-120:]) == pytest.approx(0.05, rel=1e-2)


def test_a_current_holds_it_aside():
    hook, flow = hung(), np.array([0.08, -0.04, 0.3])
    for _ in range(24 * 20):
        hook.advance(0.0, 1 / 24, flow)
    assert hook.place[:2] - [2.0, 1.5] == pytest.approx(
        HOOK_DRAG * flow[:2] * (ROD_METRES + 1.2) / HOOK_WEIGHT, rel=1e-3
    )
    assert np.linalg.norm(hook.tip - hook.place) == pytest.approx(hook.length)
    above = BaitedHook(Asked(at=(2.0, 1.5, 1.3), start=100.0), SURFACE, 1)
    for _ in range(24):
        above.advance(0.0, 1 / 24, flow)
    assert above.place[:2] == pytest.approx([2.0, 1.5])  # no water up there


def test_the_line_is_as_long_as_what_is_paid_out():
    hook = hung(size=0.08)
    points = hook.points
    assert points.shape == (LINE_POINTS + 1, 3)
    assert np.array_equal(points[0], hook.tip) and points[0, 2] > SURFACE
    assert points[-1] == pytest.approx(hook.place)
    assert np.linalg.norm(points[-2] - points[-1]) == pytest.approx(0.08)
    straight = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
    assert straight == pytest.approx(hook.length)
    nodes = np.zeros((23, 3)) + hook.tip - [0.0, 0.0, 0.97 * hook.length]
    hook.take(0, nodes)
    slack = np.linalg.norm(np.diff(hook.points[:-1], axis=0), axis=1).sum() + 0.08
    assert slack == pytest.approx(hook.length, rel=0.003)  # 8 pieces of an arc that is flat but not very


def test_a_taut_line_pulls_the_head_and_never_more_than_it_may():
    hook = hung(pull=12.0, speed=0.4)
    nodes = np.tile(hook.place, (23, 1))
    hook.take(0, nodes)
    away = nodes - [0.0, 0.0, 0.02]
    change = hook.pull(1 / 24, away, np.zeros((23, 3)))
    assert change[NOSE_NODE] == pytest.approx([0.0, 0.0, min(0.4 + 8.0 * 0.02, 12.0 / 24)])
    assert np.allclose(change, PULL_SHARES[:, None] * change[NOSE_NODE])
    far = hook.pull(1 / 24, nodes - [0.0, 0.0, 1.0], np.zeros((23, 3)))
    assert far[NOSE_NODE] == pytest.approx([0.0, 0.0, 12.0 / 24])
    assert not hook.pull(1 / 24, nodes + [0.0, 0.0, 0.02], np.zeros((23, 3))).any()  # slack
    assert not hook.pull(1 / 24, away, np.full((23, 3), 5.0)).any()  # it comes faster than it is drawn


def test_who_struggles_wrenches_this_way_and_that_with_all_its_might():
    struggle, caught, ahead = Struggle(Dice(3, np.arange(4))), np.array([2]), np.tile([0.6, 0.0, 0.8], (4, 1))
    turns = []
    for _ in range(24 * 30):
        commands = Commands.still(4)
        commands.brake[:] = True
        struggle.command(commands, caught, ahead, 1 / 24)
        assert commands.swim.tolist() == [0, 0, 1, 0] and commands.brake.tolist() == [True, True, False, True]
        assert not commands.turn[[0, 1, 3]].any()
        turns.append(commands.turn[2])
    wrenches = np.flatnonzero(turns)
    signs = np.sign(np.array(turns)[wrenches])
    assert (signs[1:] == -signs[:-1]).all()
    pauses = np.diff(wrenches) / 24
    assert pauses.min() >= WRENCH_SECONDS[0] and pauses.max() <= WRENCH_SECONDS[1] + 1 / 24
    assert struggle.dice.throws[[0, 1, 3]].tolist() == [0, 0, 0]


# A fish that takes it


def pond(seconds: float = 14.0, seed: int = 0, hook=(), **group) -> tuple[World, Recording]:
    fishes = {"species": "clownfish", "count": 2, "size": 1.3, "at": [1.2, 1.5, 1.1], "spread": 0.4}
    fishes |= {"type": "pacifist", "mind": {"hunger": 1.0}}
    world = World(
        Scene.from_dict(
            {
                "tank": {"size": [4, 3, 2]},
                "fishes": [{**fishes, **group}],
                "hook": {"at": [2.0, 1.5, 1.1], "start": 0.0, **dict(hook)},
            }
        ),
        seed=seed,
    )
    return world, world.simulate(round(24 * seconds))


@pytest.fixture(scope="module")
def caught() -> Recording:
    return pond()[1]


def hooked(recording: Recording) -> list[dict]:
    return [event for event in recording.events if event["kind"] == "hooked"]


@pytest.mark.film
def test_a_hungry_fish_bites_struggles_and_is_landed(caught):
    (event,) = hooked(caught)
    frame, fish = event["frame"], event["fish"]
    assert event["other"] == 0
    assert caught.intention[frame - 1, fish] in (EAT, 0) and caught.mouth[frame, fish] > 0.5
    landed = np.flatnonzero(~caught.alive[:, fish])
    assert len(landed) and (np.diff(landed) == 1).all() and landed[-1] == caught.frames - 1
    on = slice(frame + 1, landed[0])
    assert (caught.intention[on, fish] == ESCAPE).all()
    assert caught.hook[on, -1] == pytest.approx(caught.nodes[on, fish, NOSE_NODE], abs=1e-6)
    # Up at the pace of the reel, whatever the fish does, and out of the water.
    rise = caught.nodes[landed[0] - 1, fish, NOSE_NODE, 2] - caught.nodes[frame, fish, NOSE_NODE, 2]
    assert rise / ((landed[0] - frame) / 24) == pytest.approx(0.5, rel=0.25)
    assert caught.nodes[landed[0], fish, :, 2].min() > 2.0
    assert caught.alive[:, 1 - fish].all()
    assert f"{caught.species[fish]} {fish} took the bait" in " ".join(caught.log())


def test_its_body_stays_sound_and_it_stays_where_it_was_landed(caught):
    (event,) = hooked(caught)
    fish = event["fish"]
    nodes = caught.nodes[:, fish].astype(float)
    assert np.isfinite(nodes).all()
    model = caught.species_models[caught.species[fish]]
    rest = rest_nodes(model.body) * caught.body_length[fish]
    lengths, resting = (
        np.linalg.norm(of[..., UNITS[:, 0], :] - of[..., UNITS[:, 1], :], axis=-1) for of in (nodes, rest)
    )
    assert 0.3 < (lengths / resting).min() and (lengths / resting).max() < 3.0
    landed = np.flatnonzero(~caught.alive[:, fish])
    middle = nodes[landed].mean(axis=1)
    assert np.linalg.norm(middle - middle[0], axis=1).max() < 0.5 * caught.body_length[fish]


def bend(recording: Recording) -> float:
    """Mean angle in radians between head and tail of the catch, from a quarter of a second after the bite."""
    (event,) = hooked(recording)
    on = recording.alive[:, event["fish"]].copy()
    on[: event["frame"] + 6] = False
    nodes = recording.nodes[on, event["fish"]].astype(float)
    head = nodes[:, NOSE_NODE] - nodes[:, RING_NODES[1]].mean(axis=1)
    tail = nodes[:, RING_NODES[2]].mean(axis=1) - nodes[:, -2:].mean(axis=1)
    cosine = np.sum(head * tail, axis=1) / np.linalg.norm(head, axis=1) / np.linalg.norm(tail, axis=1)
    return float(np.arccos(np.clip(cosine, -1, 1)).mean())


@pytest.mark.film
def test_it_struggles_all_the_way_up(caught, monkeypatch):
    def hang(self: Struggle, commands: Commands, fishes: np.ndarray, ahead: np.ndarray, dt: float) -> None:
        commands.swim[fishes] = commands.turn[fishes] = commands.climb[fishes] = 0.0

    struggling = bend(caught)
    monkeypatch.setattr(Struggle, "command", hang)
    assert struggling > 2.0 * bend(pond()[1])


@pytest.mark.film
def test_who_comes_past_the_bait_turns_to_it_and_does_not_go_round_and_round():
    """This sardine circled once in 7.3 s, three quarters of a length from the bait, and never took it."""
    assert bites("sardine", seed=0)


@pytest.mark.film
def test_nobody_bites_who_is_not_hungry():
    _, recording = pond(seconds=8.0, mind={"hunger": 0.0})
    assert not recording.events and recording.alive.all()
    assert (recording.hook[-1, -1, 2] > 1.0) and recording.hook.shape == (192, LINE_POINTS + 1, 3)


@pytest.mark.film
def test_a_bait_too_large_for_any_mouth_is_left():
    _, recording = pond(seconds=10.0, hook={"size": 0.4})
    assert not recording.events and recording.alive.all()


@pytest.mark.long
@pytest.mark.film
def test_it_goes_down_again_if_it_is_to():
    world, recording = pond(seconds=30.0, hook={"again": True})
    assert len(hooked(recording)) == 2 and not recording.alive[-1].any()
    assert {event["fish"] for event in hooked(recording)} == {0, 1}


@pytest.mark.film
def test_a_predator_takes_bait_that_is_nearer_than_prey():
    grouper = {"species": "grouper", "count": 1, "size": 0.25, "type": "predator"}
    _, recording = pond(seconds=14.0, seed=2, **grouper)
    assert hooked(recording) and not recording.alive[-1, 0]


def test_a_catch_that_is_eaten_leaves_an_empty_hook():
    world, _ = pond(seconds=1.0, hook={"again": True})
    world.parts.water.hook.take(0, world.nodes[0])
    world.parts.minds.decision.bite(0)
    world.step()
    assert world.parts.water.hook.fish == 0 and world.parts.minds.decision.hooked[0]
    world.parts.die(np.array([0]))
    world.step()
    assert world.parts.water.hook.fish == NO_CATCH and not world.parts.minds.decision.hooked.any()


@pytest.mark.film
def test_a_world_goes_on_from_the_middle_of_a_catch_to_the_bit(tmp_path, caught):
    frame = hooked(caught)[0]["frame"]
    world, first = pond(seconds=(frame + 20) / 24)
    assert world.parts.water.hook.fish == hooked(caught)[0]["fish"]
    world.save(tmp_path / "world.npz")
    loaded = World.load(tmp_path / "world.npz")
    one, other = world.simulate(72), loaded.simulate(72)
    for name in ("nodes", "hook", "alive", "mouth", "intention"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    whole = np.concatenate([first.nodes, one.nodes])
    assert np.array_equal(whole, caught.nodes[: len(whole)])
    assert not one.alive.all()


def test_a_recording_keeps_the_line(tmp_path, caught):
    caught.save(tmp_path / "rec.npz")
    assert np.array_equal(Recording.load(tmp_path / "rec.npz").hook, caught.hook)
    none = World(Scene.from_dict({"fishes": [{"species": "clownfish", "at": [1, 1, 1]}]})).simulate(2)
    assert none.hook.shape == (2, 0, 3)


@pytest.mark.parametrize(
    ("hook", "told"),
    [
        ({}, "hook.at: found nothing, allowed "),
        ({"at": [2, 1.5, 2.1]}, "hook.at: found .* allowed in the tank"),
        ({"at": [2, 1.5, 1], "speed": 0}, "hook.speed: found 0, allowed a number from 0.01 to 10 m/s"),
        ({"at": [2, 1.5, 1], "again": 1}, "hook.again: found 1, allowed "),
        ({"at": [2, 1.5, 1], "bait": 1}, "hook.bait: found an unknown key"),
    ],
)
def test_what_is_not_as_declared_is_one_line(hook, told):
    with pytest.raises(SceneError, match=told):
        Scene.from_dict({"tank": {"size": [4, 3, 2]}, "hook": hook})
