"""Fishes are led as strongly as they are told; wants can be keyed; the mind stays in charge of the rest."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Recording, Scene, SceneError, World
from artfish.core.recording import ARRAYS

CHANGING = [name for name, one in ARRAYS.items() if one.shape[0] == "frames"]
SHOAL = {"species": "sardine", "count": 4, "at": [2, 2, 1.5], "spread": 0.6, "mind": {"hunger": 0}}
SEA = {"tank": {"size": [8, 6, 3]}, "fishes": [SHOAL]}
PLACE = np.array([4.4, 3.5, 1.2])
ROUND = [[2, 2, 1.5], [6, 2, 1.5], [6, 4, 1.2], [2, 4, 1.2]]
LENGTH = 0.18  # of a sardine, in metres


def film(seconds: float, direction: list[dict], **more) -> Recording:
    told = [{"fishes": 0, **entry} for entry in direction]
    return World(Scene.from_dict({**SEA, "direction": told, **more}), seed=1).simulate(round(24 * seconds))


def middles(recording: Recording) -> np.ndarray:
    """Metres, (frames, fish, 3)."""
    return recording.nodes.mean(axis=2)


def same(first: Recording, second: Recording) -> bool:
    return first.events == second.events and all(
        np.array_equal(getattr(first, name), getattr(second, name)) for name in CHANGING
    )


def off(places: np.ndarray, points: list, closed: bool) -> np.ndarray:
    """Distance of places (..., 3) from the line through points, (...)."""
    ends = np.array([*points, points[0]] if closed else points)
    found = []
    for begin, end in zip(ends, ends[1:], strict=False):
        share = np.clip((places - begin) @ (end - begin) / ((end - begin) @ (end - begin)), 0.0, 1.0)
        found.append(np.linalg.norm(places - begin - share[..., None] * (end - begin), axis=-1))
    return np.min(found, axis=0)


@pytest.mark.film
def test_a_target_is_reached_and_held_and_half_as_strongly_about_half():
    away = []
    for strength in (0.0, 0.4, 1.0):
        places = middles(film(17, [{"kind": "target", "at": PLACE.tolist(), "strength": strength}]))
        away.append(np.linalg.norm(places[10 * 24 :] - PLACE, axis=2))
    free, half, held = (of.mean() for of in away)
    assert free > half > held
    # It looks plausible: about the radius and the circle of a turn, never more than six lengths beyond the radius.
    assert held < 0.3 + 2 * LENGTH and away[2].max() < 0.3 + 6 * LENGTH


@pytest.mark.film
def test_a_target_moves():
    path = [[0, 2, 2, 1.5], [5, 2, 2, 1.5], [13, 3.4, 2.9, 1.2]]
    places = middles(film(17, [{"kind": "target", "path": path}]))
    for second in (5, 16):
        where = np.array([2, 2, 1.5] if second == 5 else [3.4, 2.9, 1.2])
        assert np.linalg.norm(places[24 * second] - where, axis=1).mean() < 0.3 + 3 * LENGTH


@pytest.mark.film
def test_strength_zero_changes_no_bit():
    entries = [
        {"kind": "target", "at": PLACE.tolist()},
        {"kind": "curve", "points": ROUND},
        {"kind": "region", "at": PLACE.tolist(), "radius": 0.5},
        {"kind": "leader", "leader": 0, "leader_member": 1},
        {"kind": "ball", "at": PLACE.tolist(), "density": 0.5},
    ]
    none = film(3, [{**entry, "strength": 0} for entry in entries])
    later = film(3, [{**entry, "strength": [[2.0, 0.0], [4.0, 1.0]]} for entry in entries])
    plain = World(Scene.from_dict(SEA), seed=1).simulate(72)
    assert same(none, plain)
    assert same(later.until(48), plain.until(48)) and not same(later, plain)


@pytest.mark.film
def test_a_curve_is_followed_within_two_lengths_nine_times_of_ten():
    """Two lengths are about the circle of a sardine's turn, by which corners are cut."""
    places = middles(film(20, [{"kind": "curve", "points": ROUND, "closed": True}]))
    away = off(places[8 * 24 :], ROUND, True)
    assert np.quantile(away, 0.9) < 2 * LENGTH
    round_it = np.unwrap(np.arctan2(places[..., 1] - 3.0, places[..., 0] - 4.0), axis=0)
    assert (round_it[-1] - round_it[8 * 24] > 1.0).all()  # from point to point, not back


@pytest.mark.film
def test_a_curve_can_be_timed_and_lets_go_at_its_end():
    """At 0.12 m/s over ground: a place that moves slower than a sardine can swim."""
    line = [[2, 2, 1.5], [4, 2.7, 1.3]]
    length = np.linalg.norm(np.subtract(*line))
    entry = {"kind": "curve", "points": line, "start": 2.0, "duration": length / 0.12}
    scene = {**SEA, "fishes": [{**SHOAL, "count": 1, "spread": 0}]}
    end = 2.0 + length / 0.12
    told = Scene.from_dict({**scene, "duration": end, "direction": [{"fishes": 0, **entry}]})
    takes = [middles(World(told, seed=seed).simulate())[:, 0] for seed in range(1, 6)]
    for share in (0.55, 0.7, 0.85, 0.95):  # its last half
        there = np.array(line[0]) + share * np.subtract(line[1], line[0])
        frame = round(24 * (2.0 + share * length / 0.12))
        assert np.median([np.linalg.norm(places[frame] - there) for places in takes]) < 1.5 * LENGTH
    places = takes[0][:, None]
    plain = World(Scene.from_dict(scene), seed=1).simulate(48)
    assert np.array_equal(places[:48], middles(plain))  # before it begins it leads nobody


@pytest.mark.film
@pytest.mark.parametrize(
    "shape",
    [pytest.param({"radius": 1.0}, marks=pytest.mark.large), {"size": [2.2, 1.6, 1.6], "turn": 0.5}],
    ids=["sphere", "box"],
)
def test_a_region_is_kept(shape):
    """The share of time is what it comes to, a plausible one; the half of it is what no direction comes to."""
    at = np.array([4.0, 3.0, 1.5])

    def inside(places: np.ndarray) -> np.ndarray:
        arm = places - at
        if "radius" in shape:
            return np.linalg.norm(arm, axis=-1) < shape["radius"]
        cos, sin = np.cos(shape["turn"]), np.sin(shape["turn"])
        own = np.stack([cos * arm[..., 0] + sin * arm[..., 1], cos * arm[..., 1] - sin * arm[..., 0], arm[..., 2]], -1)
        return (np.abs(own) < 0.5 * np.array(shape["size"])).all(axis=-1)

    fishes = [{**SHOAL, "at": [2.5, 2.4, 1.5]}]
    stay = middles(film(14, [{"kind": "region", "at": at.tolist(), **shape}], fishes=fishes))[6 * 24 :]
    assert inside(stay).mean() > 0.8
    through = [{"kind": "curve", "points": [[1, 3, 1.5], [7, 3, 1.5]]}]
    keep = [{"kind": "region", "at": at.tolist(), "inside": False, **shape}]
    crossed = inside(middles(film(10, through, fishes=fishes)))
    assert crossed.mean() > 0.2
    assert inside(middles(film(10, [*through, *keep], fishes=fishes))).mean() < 0.1 * crossed.mean()


@pytest.mark.film
def test_a_leader_is_followed():
    groups = [SHOAL, {"species": "clownfish", "at": [4.2, 3.3, 1.2], "size": 2, "mind": {"hunger": 0}}]
    entry = {"kind": "leader", "leader": 1, "radius": 0.5}
    places = middles(film(19, [entry], fishes=groups))
    apart = np.linalg.norm(places[:, :4] - places[:, 4:], axis=2)
    assert apart[10 * 24 :].mean() < 0.5 + 4 * LENGTH < apart[0].min()


@pytest.mark.film
def test_one_fish_of_a_group_can_be_led():
    recording = film(
        15, [{"kind": "target", "at": PLACE.tolist(), "member": 2}], fishes=[{**SHOAL, "habits": {"schooling": False}}]
    )
    away = np.linalg.norm(middles(recording)[-1] - PLACE, axis=1)
    assert away[2] < 0.3 + 5 * LENGTH < np.delete(away, 2).min()


@pytest.mark.film
def test_nobody_is_led_into_a_wall_or_a_pillar_or_another():
    pillar = [{"kind": "cylinder", "at": [4, 3, 0], "radius": 0.4, "height": 3}]
    entries = [{"kind": "target", "at": [20, 3, 1.5]}, {"kind": "target", "at": [4, 3, 1.5], "member": 0}]
    places = film(18, entries, obstacles=pillar).nodes
    assert places[..., 0].max() < 8.02
    assert np.hypot(places[..., 0] - 4, places[..., 1] - 3).min() > 0.4 - 0.02


@pytest.mark.film
@pytest.mark.parametrize(("strength", "flees"), [(0.8, True), (1.0, False)])
def test_fear_of_death_wins_but_over_the_strongest_direction(strength, flees):
    world = World(
        Scene.from_dict(
            {**SEA, "direction": [{"fishes": 0, "kind": "target", "at": [4.2, 3.3, 1.5], "strength": strength}]}
        ),
        seed=1,
    )
    world.simulate(12 * 24)
    middle = world.nodes.mean(axis=(0, 1))
    world.frighten(middle + (0.0, 0.0, 0.2), 4.0)
    world.simulate(3 * 24)
    away = np.linalg.norm(world.nodes.mean(axis=1) - (4.2, 3.3, 1.5), axis=1).mean()
    # Those that obey are 0.54 to 0.78 m away on average, seeds 1 to 6, and those that flee 0.94 to 1.09 m.
    assert (away > 0.3 + 3.0 * LENGTH) == flees


@pytest.mark.film
def test_keyed_libido_starts_a_courtship_after_its_key():
    fishes = [
        {"species": "clownfish", "type": "pacifist", "sex": sex, "size": size, "at": [3, y, 1.2], "mind": {"hunger": 0}}
        for sex, size, y in (("male", 1.8, 2.0), ("female", 2.2, 3.0))
    ]
    wants = [{"fishes": row, "want": "libido", "keys": [[3.0, 0.0], [3.0, 1.0]]} for row in (0, 1)]
    scene = {"tank": {"size": [4, 4, 2]}, "fishes": fishes}  # small: until then they go where they like
    told = World(Scene.from_dict({**scene, "wants": wants}), seed=1).simulate(12 * 24)
    assert (told.libido[3 * 24 :] == 1.0).all() and (told.libido[: 3 * 24] < 0.3).all()
    begun = [event["frame"] / 24 for event in told.events if event["kind"] == "courtship"]
    assert begun and min(begun) > 3.0
    free = World(Scene.from_dict(scene), seed=1).simulate(12 * 24)
    assert not free.events
    assert np.array_equal(free.nodes[:72], told.nodes[:72])


def test_keys_say_what_is_felt_until_they_end():
    wants = [
        {"fishes": 0, "member": 1, "want": "hunger", "keys": [[1.0, 0.2], [3.0, 0.8]], "until": 4.0},
        {"fishes": 0, "want": "fear", "keys": 0.25},
    ]
    told = World(Scene.from_dict({**SEA, "wants": wants}), seed=1).simulate(24 * 5)
    assert told.hunger[[24, 48, 72, 90], 1] == pytest.approx([0.2, 0.5, 0.8, 0.8], abs=1e-6)
    assert told.hunger[23, 1] < 0.1 and told.hunger[110, 1] < 0.1
    assert (told.hunger[:, 0] < 0.1).all()
    assert told.fear == pytest.approx(0.25)


def test_keyed_fear_makes_them_flee():
    wants = [{"fishes": 0, "want": "fear", "keys": [[2.0, 1.0]], "until": 5.0}]
    told = World(Scene.from_dict({**SEA, "wants": wants}), seed=1).simulate(24 * 6)
    flees = told.intention == Recording.INTENTIONS.index("escape")
    assert not flees[:48].any()
    assert flees[60:110].mean() > 0.5


@pytest.mark.film
def test_a_led_world_goes_on_from_its_file(tmp_path):
    entries = [
        {"kind": "curve", "points": ROUND, "closed": True, "strength": [[0, 0.2], [3, 1]]},
        {"kind": "curve", "points": ROUND, "duration": 20, "member": 1},
        {"kind": "leader", "leader": 0, "leader_member": 0, "member": 3},
    ]
    wants = [{"fishes": 0, "want": "fear", "keys": [[1, 0], [3, 1]], "until": 3.5}]
    scene = Scene.from_dict({**SEA, "direction": [{"fishes": 0, **entry} for entry in entries], "wants": wants})
    world = World(scene, seed=3)
    world.simulate(60)
    world.save(tmp_path / "world.npz")
    ahead = world.simulate(48)
    assert same(World.load(tmp_path / "world.npz").simulate(48), ahead)


@pytest.mark.film
def test_direction_can_be_changed_while_it_runs():
    world = World(Scene.from_dict(SEA), seed=1)
    world.simulate(24)
    target = Scene.from_dict({**SEA, "direction": [{"fishes": 0, "kind": "target", "at": PLACE.tolist()}]}).direction
    world.retune(direction=target)
    world.simulate(24 * 14)
    assert np.linalg.norm(world.nodes.mean(axis=1) - PLACE, axis=1).mean() < 0.3 + 3 * LENGTH
    wants = Scene.from_dict({**SEA, "wants": [{"fishes": 0, "want": "hunger", "keys": 0.9}]}).wants
    world.retune(wants=wants)
    assert world.parts.minds.decision.feelings.hunger == pytest.approx(0.9)
    world.retune(wants=())
    world.simulate(24)
    assert (world.parts.minds.decision.feelings.hunger < 0.2).all()


TARGET = {"fishes": 0, "kind": "target", "at": [1, 1, 1]}
CURVE = {"fishes": 0, "kind": "curve"}
WANT = {"fishes": 0, "want": "fear", "keys": 1}


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ({**TARGET, "fishes": 1}, "fishes: found 1, allowed 0 to 0, a group of the scene"),
        ({**TARGET, "member": 4}, "member: found 4, allowed 0 to 3, a fish of the group"),
        ({"fishes": 0, "kind": "leader", "leader": 2}, "leader: found 2, allowed 0 to 0, a group of the scene"),
        ({"fishes": 0, "kind": "target"}, "at: found neither at and path, allowed one of them"),
        ({**TARGET, "path": [[0, 1, 1, 1]]}, "at: found both at and path, allowed one of them"),
        (
            {"fishes": 0, "kind": "target", "path": [[1, 0, 0, 0], [0, 1, 1, 1]]},
            "path[1]: found 0.0 s after 1.0 s, allowed times in order",
        ),
        ({**CURVE, "points": [[1, 1, 1]]}, "points: found 1, allowed 2 or more"),
        ({**CURVE, "points": [[1, 1, 1], [1, 1, 1]]}, "points[0]: found the same place as the next, allowed another"),
        ({"fishes": 0, "kind": "region", "at": [1, 1, 1]}, "radius: found neither radius and size, allowed one"),
        ({**TARGET, "strength": 1.5}, "strength: found 1.5, allowed a number from 0 to 1, or a list of pairs"),
        ({**TARGET, "strength": []}, "strength: found an empty list, allowed a number"),
        ({**TARGET, "strength": [[0, 1], [1, 2]]}, "strength[1][1]: found 2, allowed a number from 0 to 1"),
        ({**TARGET, "strength": [[0, 1], 1]}, "strength[1]: found 1, allowed a pair of seconds and a number"),
        ({**TARGET, "strength": [[2, 1], [1, 1]]}, "strength[1]: found 1.0 s after 2.0 s, allowed times in order"),
        ({**TARGET, "kind": "targets"}, "kind: found 'targets', allowed one of target, arrival, curve, region, leader"),
        ({**WANT, "want": "thirst"}, "want: found 'thirst', allowed one of hunger, libido, fear"),
        ({**WANT, "fishes": 3}, "fishes: found 3, allowed 0 to 0, a group of the scene"),
        ({"fishes": 0, "want": "fear"}, "keys: found nothing, allowed a number from 0 to 1, or a list"),
    ],
)
def test_bad_direction_is_one_line(entry, line):
    section = "wants" if "want" in entry else "direction"
    with pytest.raises(SceneError) as error:
        Scene.from_dict({**SEA, section: [entry]})
    assert str(error.value).startswith(f"scene: {section}[0].{line}")
    assert "\n" not in str(error.value)


def test_direction_stays_in_the_file(tmp_path):
    more = {
        "direction": [
            {"fishes": 0, "member": 1, "strength": [[0, 0.5], [2.5, 1]], "kind": "curve", "points": ROUND},
            {"fishes": 0, "kind": "region", "at": [1, 1, 1], "size": [1, 2, 3], "inside": False},
        ],
        "wants": [{"fishes": 0, "want": "fear", "keys": [[1, 0], [2, 1]], "until": 3}],
    }
    scene = Scene.from_dict({**SEA, **more})
    scene.save(tmp_path / "scene.json")
    assert Scene.load(tmp_path / "scene.json") == scene
    assert scene.direction[0].strength == ((0.0, 0.5), (2.5, 1.0))
