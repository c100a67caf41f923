"""Insight shows minds as they were: the same vision, the same targets, and words that name the numbers."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Recording, Scene, World
from artfish.core.behavior.intention import RULE_NAMES
from artfish.core.studio.insight import Insight

SCENE = {
    "name": "told",
    "fps": 24,
    "duration": 2.0,
    "tank": {"size": [6.0, 6.0, 3.0]},
    "obstacles": [{"kind": "cylinder", "at": [3.0, 3.0, 0.0], "radius": 0.4, "height": 3.0}],
    "current": [{"kind": "uniform", "direction": [1.0, 0.0, 0.0], "strength": 0.1}],
    "plankton": {"count": 200},
    "fishes": [
        {"species": "sardine", "count": 8, "at": [2.0, 3.0, 1.5], "spread": 1.0},
        {"species": "reef_shark", "count": 1, "at": [4.5, 3.0, 1.5]},
    ],
}


@pytest.fixture(scope="module")
def world() -> World:
    return World(Scene.from_dict(SCENE), seed=3)


@pytest.fixture(scope="module")
def recording(world) -> Recording:
    return world.simulate(frames=48)


@pytest.fixture(scope="module")
def insight(recording) -> Insight:
    return Insight(recording)


def with_(recording: Recording, frame: int, fish: int, **values) -> Recording:
    """The recording with some numbers of one fish changed."""
    arrays = {}
    for name, value in values.items():
        arrays[name] = getattr(recording, name).copy()
        arrays[name][frame, fish] = value
    return replace(recording, **arrays)


def test_sees_what_the_mind_sees_from_the_same_nodes(world, recording, insight):
    """World and recording agree but for rounding to single precision; who is on the edge by less is left out."""
    everyone = np.arange(len(recording.species))
    nodes = world.nodes
    _, frames = world.shoal.frames(nodes)
    candidates = np.broadcast_to(everyone, (len(everyone), len(everyone)))
    seen, _ = world.parts.minds.decision.sightings.vision.look(
        everyone, candidates, nodes[:, 0], frames[:, :, 0], nodes, world.alive
    )
    assert 0 < seen.sum() < len(everyone) * (len(everyone) - 1)  # some are seen, some hidden
    for fish in everyone:
        assert set(insight.seen(recording, 47, fish)) == set(np.flatnonzero(seen[fish]))


def test_the_nearest_seen_comes_first(recording, insight):
    for fish in range(8):
        seen = insight.seen(recording, 20, fish)
        middle = recording.nodes[20, seen].mean(axis=1)
        gap = np.linalg.norm(middle - recording.nodes[20, fish, 0], axis=1)
        assert (np.diff(gap) >= -1e-6).all()


def test_field_is_as_declared(recording, insight):
    field = insight.field(recording, 0, 0)
    model = recording.species_models["sardine"]
    assert field.radius == pytest.approx(model.mind.sight * recording.body_length[0])
    assert field.smell == pytest.approx(model.mind.smell * recording.body_length[0])
    assert 2 * field.half == pytest.approx(np.radians(300))
    assert np.allclose(field.axes.T @ field.axes, np.eye(3), atol=1e-12)
    assert np.allclose(field.eye, recording.nodes[0, 0, 0])


def test_focus_is_the_middle_of_the_fish_or_the_particle(recording, insight):
    after_fish = with_(recording, 5, 0, target=8, food=-1)
    assert np.allclose(insight.focus(after_fish, 5, 0), recording.nodes[5, 8].astype(float).mean(axis=0))
    after_food = with_(recording, 5, 0, target=-1, food=17)
    assert np.allclose(insight.focus(after_food, 5, 0), recording.plankton[5, 17])
    assert insight.focus(with_(recording, 5, 0, target=-1, food=-1), 5, 0) is None


def test_flow_is_the_current_at_the_time(recording, insight):
    places, velocity = insight.flow(12)
    assert (places > 0).all() and (places < SCENE["tank"]["size"]).all()
    far = np.linalg.norm(places[:, :2] - 3.0, axis=1) > 2.5
    assert far.any() and np.allclose(velocity[far], [0.1, 0, 0], atol=0.1 * 0.4**2 / 2.5**2 + 1e-12)


def test_flow_that_swings_is_another_at_each_time(recording):
    swinging = {**SCENE, "current": [{**SCENE["current"][0], "period": 2.0}]}
    insight = Insight(replace(recording, scene=Scene.from_dict(swinging)))
    for frame in (0, 6, 12, 6):
        _, velocity = insight.flow(frame)
        assert velocity[0, 0] == pytest.approx(0.1 * np.sin(np.pi * frame / 24), abs=0.01)


@pytest.mark.parametrize("way, axis", [("left", 1), ("forward", 0), ("ascend", 2)])
def test_preferences_lead_along_the_fish_s_own_axes(recording, insight, way, axis):
    row = Recording.PREFERENCES.index(way)
    changed = with_(recording, 3, 2, preference=row, preference_strength=-0.5)
    start, ahead, strength = insight.preferences(changed, 3)
    assert np.allclose(start[2], recording.nodes[3, 2, 0]) and strength[2] == -0.5
    assert np.allclose(ahead[2], insight.field(recording, 3, 2).axes[:, axis])


@pytest.mark.parametrize(
    "intention, numbers, told",
    [
        ("eat", {"hunger": 0.81, "food": -1, "target": -1}, ["Hunger 0.81, eats above 0.30", "No food in sight"]),
        ("escape", {"fear": 0.92}, ["Fear 0.92, flees above 0.60"]),
        ("mate", {"libido": 0.55}, ["Libido 0.55, courts above 0.30"]),
        ("wander", {"hunger": 0.1, "libido": 0.2}, ["Nothing presses: all below 0.30"]),
        ("avoid", {}, ["Something is too close ahead or beside"]),
    ],
)
def test_reasons_name_the_numbers(recording, insight, intention, numbers, told):
    drives = recording.species_models["sardine"].mind
    assert (drives.f0, drives.f1, drives.r) == (0.3, 0.6, 0.3)  # else other numbers would be told
    row = Recording.INTENTIONS.index(intention)
    quiet = {"target": -1, "food": -1, "preference_strength": 0.0}
    changed = with_(recording, 9, 0, **(quiet | {"intention": row} | numbers))
    assert insight.reason(changed, 9, 0) == told


@pytest.mark.parametrize(
    "intention, cause, told",
    [
        ("avoid", "clearance", "It keeps clear of what it nearly ran into"),
        ("escape", "alarm", "It flees on, having lost sight of the danger: fear 0.20"),
        ("school", "regrouping", "It gathers after its flight"),
        ("school", "company", "Keeps with its kind by habit"),
        ("escape", None, "Fear 0.20, flees above 0.60"),
    ],
)
def test_the_rule_that_decided_is_told(recording, insight, intention, cause, told):
    rule = -1 if cause is None else RULE_NAMES.index(cause)
    numbers = {"intention": Recording.INTENTIONS.index(intention), "cause": rule, "target": -1, "fear": 0.2}
    assert insight.reason(with_(recording, 9, 0, **numbers), 9, 0)[0] == told


def test_who_seeks_says_what_and_who_avoids_says_whom(recording, insight):
    def why(changed: Recording, intention: str, fish: int = 0, **numbers) -> list[str]:
        row = Recording.INTENTIONS.index(intention)
        quiet = {"target": -1, "food": -1, "hunger": 0.0, "libido": 0.0, "fear": 0.0, "preference_strength": 0.0}
        return insight.reason(with_(changed, 9, fish, **(quiet | {"intention": row} | numbers)), 9, fish)

    none = replace(recording, plankton_alive=np.zeros_like(recording.plankton_alive))
    assert why(none, "wander", hunger=0.8) == ["Seeks food: hunger 0.80, none in sight"]
    assert why(none, "school", hunger=0.8) == [
        "Keeps with its kind by habit",
        "Seeks food: hunger 0.80, none in sight",
    ]
    assert why(recording, "wander", hunger=0.8) == ["Nothing within reach, or tired of it"]  # there is some
    assert why(none, "wander", hunger=0.2) == ["Nothing presses: all below 0.30"]
    prey = insight.seen(recording, 9, 8)
    assert len(prey)
    assert why(none, "wander", fish=8, hunger=0.8) == ["Nothing within reach, or tired of it"]
    gone = recording.alive.copy()
    gone[9, :8] = False
    assert why(replace(none, alive=gone), "wander", fish=8, hunger=0.8) == ["Seeks food: hunger 0.80, none in sight"]
    assert why(recording, "avoid", target=3)[0] == "Another fish is too close"
    # It swallowed one six frames ago, a quarter of a second, and grinds it for `handling` seconds.
    fed = replace(none, events=[{"frame": 3, "kind": "eaten", "fish": 8, "other": 2}])
    assert insight.drives["handling"][8] == 15.0
    assert why(fed, "wander", fish=8, hunger=0.8) == ["Grinds its prey, 15 s more"]
    assert why(fed, "wander", hunger=0.8) == ["Seeks food: hunger 0.80, none in sight"]  # another fish
    later = replace(fed, events=[{**fed.events[0], "frame": 10}])
    assert why(later, "wander", fish=8, hunger=0.8) == ["Nothing within reach, or tired of it"]
    quick = Insight(recording)
    quick.drives["handling"][8] = 0.2
    assert quick._grinds(fed, 9, 8) == 0.0 < quick._grinds(fed, 7, 8)


def test_who_seeks_a_mate_says_so():
    pair = [
        {"species": "clownfish", "type": "pacifist", "sex": sex, "at": at}
        for sex, at in (("male", [1.0, 1.0, 1.0]), ("female", [7.0, 3.0, 1.0]))
    ]
    pillar = {"kind": "cylinder", "at": [4.0, 2.0, 0.0], "radius": 1.0, "height": 2.0}
    for obstacles, seen in (([pillar], False), ([], True)):
        for group in pair:
            group["mind"] = {"sight": 200.0}
        facing = [{**pair[0], "heading": [1, 0.3, 0]}, {**pair[1], "heading": [-1, 0, 0]}]
        scene = Scene.from_dict({"tank": {"size": [8, 4, 2]}, "obstacles": obstacles, "fishes": facing})
        recording = World(scene, seed=1).simulate(frames=1)
        eager = with_(recording, 0, 0, libido=0.7, hunger=0.0, intention=Recording.INTENTIONS.index("wander"))
        told = Insight(recording).reason(eager, 0, 0)[0]
        assert told == ("Nothing within reach, or tired of it" if seen else "Seeks a mate: libido 0.70, none in sight")


def test_reason_says_who_and_where(recording, insight):
    nodes = recording.nodes.copy()
    field = insight.field(recording, 4, 0)
    length = recording.body_length[0]
    nodes[4, 8] += field.eye + 3.2 * length * field.axes[:, 1] - nodes[4, 8].mean(axis=0)
    changed = with_(replace(recording, nodes=nodes), 4, 0, intention=1, fear=0.7, target=8, food=-1)
    changed = with_(changed, 4, 0, preference=1, preference_strength=0.62)
    lines = insight.reason(changed, 4, 0, lambda row: f"Shark {row}")
    assert lines[1:] == ["Shark 8: 3.2 lengths to the left", "Inclined to turn right, 0.62"]
    assert insight.reason(with_(changed, 4, 0, alive=False), 4, 0) == ["Dead"]


def test_reason_says_what_of_it_is_direction():
    """A curve that leads from one second to two, after a target of the same fishes that fades; fear keyed for one."""
    leads = [
        {"fishes": 0, "kind": "target", "at": [1, 1, 1], "strength": [[0, 1], [1, 0]]},
        {"fishes": 0, "member": 2, "kind": "curve", "points": [[1, 1, 1], [5, 5, 1]], "start": 1.0, "duration": 1.0},
        {"fishes": 0, "kind": "region", "at": [3, 3, 1], "radius": 2, "inside": False, "strength": 0.25},
        {"fishes": 1, "kind": "leader", "leader": 0},
    ]
    wants = [{"fishes": 0, "member": 1, "want": "fear", "keys": [[0.5, 0.2], [1, 0.4]], "until": 1.5}]
    recording = World(Scene.from_dict({**SCENE, "direction": leads, "wants": wants}), seed=3).simulate(frames=60)
    insight = Insight(recording)

    def told(seconds: float, fish: int) -> list[str]:
        starts = ("Led", "Kept", "Keyed")
        return [line for line in insight.reason(recording, round(24 * seconds), fish) if line.startswith(starts)]

    kept = "Kept out of a region, strength 0.25"
    assert told(0.5, 0) == ["Led to a target, strength 0.50", kept]
    assert told(0.5, 1) == ["Led to a target, strength 0.50", kept, "Keyed: fear"]
    assert told(1.5, 0) == told(1.5, 1) == told(2.25, 2) == [kept]
    assert told(1.5, 2) == ["Led along a curve, strength 1.00", kept]
    assert told(0.5, 8) == ["Led after a leader, strength 1.00"]


def test_what_moves_hides_others_where_it_is_in_the_frame(recording):
    pillar = {"kind": "cylinder", "at": [5, 5, 0], "radius": 0.35, "height": 3.0}
    nose, shark = recording.nodes[0, 0, 0], recording.nodes[0, 8].mean(axis=0)
    way = (shark - nose) * (1, 1, 0)
    before = nose * (1, 1, 0) + 0.4 * way / np.linalg.norm(way)
    pillar["motion"] = [{"time": 0.5, "at": [5.7, 5.7, 0]}, {"time": 1.0, "at": before.tolist()}]
    scene = Scene.from_dict({**SCENE, "obstacles": [pillar], "current": []})
    still = replace(recording, scene=scene, nodes=np.repeat(recording.nodes[:1], 48, axis=0))
    told = Insight(still)
    assert 8 in told.seen(still, 0, 0) and 8 not in told.seen(still, 30, 0) and 8 in told.seen(still, 0, 0)
