"""Events from a file are refused at the first that is none, with its place and what is allowed."""

import pytest

from artfish.core.base.codec import Place, SceneError
from artfish.core.events import COUNTING_KINDS, EVENT_KINDS, FISHLESS_KINDS, LONE_KINDS, check_events

FRAMES, FISHES = (10, 90), 4
MORE = {
    "arrived": {"run": 1, "goal": "Arch", "late": -0.25, "off": 0.5},
    "instructed": {"act": "hide"},
    "hatched": {"father": 3},
    "died": {"cause": "age"},
    "grudge": {"relation": "fear", "strength": 0.5},
    "courtship": {"stage": "nuzzling"},
}
"""Keys that events of a kind have beside those of all."""


def event(kind: str, **values) -> dict:
    """An event of a kind that is sound but for these values."""
    other = -1 if kind in LONE_KINDS else 0
    sound = {"frame": FRAMES[0], "kind": kind, "fish": -1 if kind in FISHLESS_KINDS else 2, "other": other}
    return {**sound, **MORE.get(kind, {}), **values}


def refused(events) -> str:
    """The refusal of events."""
    with pytest.raises(SceneError) as caught:
        check_events(events, FRAMES, FISHES, Place("film.npz").under("events"))
    return str(caught.value)


@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_an_event_of_each_kind_passes_and_its_edges_too(kind):
    most = -1 if kind in LONE_KINDS else 2**31 - 1 if kind in COUNTING_KINDS else FISHES - 1
    check_events(
        [event(kind), event(kind, frame=FRAMES[1], fish=FISHES - 1, other=most)], FRAMES, FISHES, Place("film.npz")
    )


@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_numbers_beyond_the_film_and_its_fishes_are_refused(kind):
    beyond = 0 if kind in LONE_KINDS else 2**31 if kind in COUNTING_KINDS else FISHES
    faults = {"frame": (FRAMES[0] - 1, FRAMES[1] + 1, 12.0, True, None), "fish": (-2, FISHES), "other": (-2, beyond)}
    for name, values in faults.items():
        for value in values:
            assert name in refused([event(kind), event(kind, **{name: value})])
    if kind not in FISHLESS_KINDS:
        assert "fish" in refused([event(kind, fish=-1)])


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("arrived", {"run": 0}),
        ("arrived", {"goal": 3}),
        ("arrived", {"late": float("nan")}),
        ("arrived", {"late": 2e6}),
        ("arrived", {"off": "far"}),
        ("arrived", {"off": True}),
        ("instructed", {"act": "vanish"}),
        ("hatched", {"father": FISHES}),
        ("died", {"cause": "boredom"}),
        ("grudge", {"relation": "like"}),
        ("grudge", {"strength": 1.5}),
        ("grudge", {"strength": -0.1}),
        ("grudge", {"strength": True}),
        ("courtship", {"stage": "dancing"}),
    ],
)
def test_what_a_kind_has_of_its_own_is_checked(kind, values):
    (name,) = values
    assert name in refused([event(kind, **values)])
    missing = {key: value for key, value in event(kind).items() if key != name}
    if name not in ("late", "off"):
        assert name in refused([missing])


@pytest.mark.parametrize("events", [{}, "food", [3], [{"kind": "tea"}], [{"kind": ["food"]}], [{}]])
def test_what_is_no_event_is_refused(events):
    assert "events" in refused(events)


def test_the_refusal_names_the_place_in_the_list():
    assert "events[1].cause" in refused([event("food"), event("died", cause="")])
