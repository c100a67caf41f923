"""The nature of a fish: its manner, and its wants and fears (Tu 1999, ch. 7)."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.codec import SceneError, shown
from ..base.declaration import integer, number


@dataclass(frozen=True)
class Temperament:
    """The manner of a fish with nothing else on its mind (Tu 1999, §7.8): its pace, its whims and its distances."""

    cruise: float = number(0.4, 0.0, 1.0, "", "Pace of wandering, over full speed")
    variation: float = number(0.35, 0.0, 1.0, "", "How far the pace changes either way, over the pace of wandering")
    whim: float = number(3.0, 0.3, 60.0, "s", "Time from one change of course to the next, on average")
    turn: float = number(0.8, 0.0, 3.1, "rad", "Widest change of course when wandering")
    sharp: float = number(0.0, 0.0, 1.0, "", "How often it turns sharply rather than gently at a change of course")
    ram_breathing: float = number(0.0, 0.0, 3.0, "lengths/s", "Slowest speed at which it can breathe; 0 may rest")
    meander: float = number(0.0, 0.0, 2.0, "rad/s", "How fast its course drifts to and fro; 0 in the book")
    climb: float = number(0.2, 0.0, 0.7, "rad", "Steepest rise or dive when wandering")
    rest: float = number(0.0, 0.0, 1.0, "", "How often it hovers for a while rather than go on at a change of course")
    rest_time: float = number(2.5, 0.3, 60.0, "s", "How long it hovers then, on average")
    coast: float = number(0.0, 0.0, 0.9, "", "Share of its wandering that it coasts between bursts; 0 beats steadily")
    coast_time: float = number(2.0, 0.3, 20.0, "s", "From one such burst to the next, on average")
    coast_school: float = number(
        0.0, 0.0, 1.0, "", "How much of that coasting it keeps in company, each at its own time; 0 beats steadily there"
    )
    kick: float = number(
        0.0, 0.0, 1.0, "", "How much of a burst it gives between coasting at ease: 0 beats as at full speed at the most"
    )
    roam: float = number(30.0, 0.0, 1000.0, "lengths", "How far it strays from where it began; 0 is everywhere")
    hug: float = number(
        0.0, 0.0, 20.0, "lengths", "How near it keeps to the bottom, rock and coral at ease; 0 is open water"
    )
    wall_following: float = number(
        0.0,
        0.0,
        1.0,
        "",
        "How much it likes to swim along walls (thigmotaxis): 0 no more than elsewhere",
    )
    wall_distance: float = number(1.0, 0.5, 3.0, "lengths", "How far from the wall that it follows it likes to swim")
    host: float = number(0.0, 0.0, 50.0, "lengths", "How far it strays from the anemone it lives in; 0 lives in none")
    den: int = integer(0, 0, 1, "", "Whether it lives in a hole: there it rests, head out, until it hungers")
    comfort: float = number(0.8, 0.0, 5.0, "lengths", "Distance that it likes to keep from other fishes beside it")
    comfort_ahead: float = number(1.2, 0.1, 10.0, "", "Distance that it keeps from those ahead, over that beside it")
    comfort_behind: float = number(0.8, 0.1, 10.0, "", "Distance that it keeps from those behind, over that beside it")
    comfort_height: float = number(
        1.0, 0.1, 10.0, "", "Distance that it keeps from those above and below, over that beside it"
    )
    comfort_school: float = number(0.75, 0.0, 5.0, "", "Factor on its comfort when in formation")
    comfort_flight: float = number(4.0, 0.0, 5.0, "", "Factor on its comfort when it flees: a school scatters")
    comfort_eating: float = number(0.7, 0.0, 5.0, "", "Factor on its comfort when it hunts or feeds")
    comfort_mating: float = number(0.1, 0.0, 5.0, "", "Factor on its comfort when it courts")
    caution: float = number(2.0, 0.5, 10.0, "lengths", "How far ahead it minds walls and pillars even at rest")
    foresight: float = number(1.5, 0.2, 5.0, "s", "How far ahead it minds walls and pillars, as time at its speed")
    schooling: float = number(0.0, 0.0, 1.0, "", "Pull towards its own kind: 0 is a loner, 1 swims in a school")
    alignment: float = number(
        1.0, 0.0, 2.0, "", "How much it heads as its schoolmates do, beside being drawn to them: 0 is drawn alone"
    )
    accord: float = number(0.0, 0.0, 1.0, "", "How it heads in a school: 0 as one mate that it watches, 1 as all do")
    attention: float = number(0.8, 0.0, 1.0, "", "Share of its time in which it minds where its schoolmates head")


@dataclass(frozen=True)
class Drives:
    """The wants and fears of a fish, with the book's names and numbers (Tu 1999, §7.4-7.7).

    The book leaves its units of distance and time undefined; `book_metres` and `book_seconds` say how long they are.
    """

    p0: float = number(0.00067, 0.0, 1.0, "per book time", "Digestion: how fast hunger comes back after a meal")
    p1: float = number(0.00005, 0.0, 1.0, "per book time", "Libido: how fast it grows after mating; 0.0025 in the book")
    D0: float = number(200.0, 0.0, 1e5, "book lengths", "Distance at which a predator is fully feared")
    alpha_h: float = number(0.8, 0.0, 1.0, "", "How much the sight of food adds to hunger")
    alpha_l: float = number(0.05, 0.0, 1.0, "", "How much the sight of a mate adds to libido; 0.5 in the book")
    q1_h: float = number(0.05, 0.0, 10.0, "per book length", "One over the distance at which food begins to tempt")
    q2_h: float = number(0.2, 0.0, 10.0, "per book length", "One over the distance at which food tempts fully")
    q1_l: float = number(0.025, 0.0, 10.0, "per book length", "One over the distance at which a mate begins to tempt")
    q2_l: float = number(0.1, 0.0, 10.0, "per book length", "One over the distance at which a mate tempts fully")
    f0: float = number(0.3, 0.1, 0.5, "", "Fear above which it acts")
    f1: float = number(0.6, 0.1, 1.0, "", "Fear of one predator above which it flees rather than schools")
    r: float = number(0.3, 0.0, 0.5, "", "Hunger or libido above which it acts")
    appetite: float = number(3.0, 0.1, 1e4, "meals", "Meals that sate it (n_a): prey of a predator, plankton of others")
    memory: int = integer(1, 0, 1, "", "Interrupted behaviors that it remembers")
    gain: float = number(0.2, 0.0, 1.0, "", "How far a resumed behavior holds its rivals down")
    fatigue: float = number(60.0, 1.0, 1e5, "s", "Time after which a fruitless behavior has lost most of its strength")
    persistence: float = number(1.0, 0.0, 100.0, "lengths", "How much nearer another must be to be taken instead")
    handling: float = number(15.0, 0.0, 600.0, "s", "Time in which a predator grinds a prey and takes no other")
    confusion: float = number(0.8, 0.0, 1.0, "", "How readily a predator loses its aim among many alike; 0 never does")
    strike: float = number(
        0.0, 0.0, 10.0, "lengths", "From how near a predator strikes, having stalked its prey; 0 runs it down"
    )
    opportunism: float = number(
        0.4, 0.0, 0.9, "", "How much nearer prey seems to it that is spent, or apart from its mates; 0 in the book"
    )
    composure: float = number(
        2.5, 0.0, 10.0, "s", "Time for which it still avoids or flees once it no longer must; 0 in the book"
    )
    vigilance: float = number(12.0, 0.0, 50.0, "lengths", "How near schoolmates are whose alarm it heeds; 0 heeds none")
    menace: float = number(
        1.0, 0.05, 1.0, "", "From how far others fear it, over the distance at which they fear a predator"
    )
    mobbing: float = number(
        0.0, 0.0, 120.0, "s", "How long it follows and faces a predator of little menace that it sees; 0 never does"
    )
    looming: float = number(0.6, 0.0, 1.0, "", "How much less it fears a predator that hardly moves; 0 in the book")
    rear_view: float = number(
        150.0,
        90.0,
        180.0,
        "degrees",
        "Where it keeps a predator that passes it, to see it as it flees; 180 in the book",
    )
    recall: float = number(4.0, 0.0, 60.0, "s", "Time for which it keeps away from where it last saw danger; 0 forgets")
    shelter: int = integer(0, 0, 1, "", "Whether who remembers what it sees flees to shelters that it knows")
    forage: int = integer(0, 0, 1, "", "Whether it goes back, hungry, to where it remembers food")
    browse: float = number(
        0.0, 0.0, 1.0, "", "How often it bites at what grows on rock and coral rather than at plankton; 0 in the book"
    )
    territory: float = number(
        0.0,
        0.0,
        200.0,
        "lengths",
        "How far about its first place it drives off its own kind, if it remembers what it sees",
    )
    loops: int = integer(6, 1, 100, "", "Times that a male reaches the point before a female until she follows")
    turns: float = number(2.0, 0.1, 50.0, "turns", "How often a couple circles")
    ascent: float = number(3.0, 0.0, 10.0, "lengths", "How far a female rises to spawn; 0 lays on the ground")
    nudges: int = integer(3, 1, 100, "", "Times that a male nudges a female until she spawns")
    refractory: float = number(60.0, 0.0, 1e5, "s", "Time after spawning in which it courts nobody")
    sight: float = number(25.0, 1.0, 200.0, "lengths", "How far it sees a fish of its own size (V_r)")
    smell: float = number(40.0, 1.0, 400.0, "lengths", "How far it smells food (O_r)")
    scent: float = number(
        0.0,
        0.0,
        1000.0,
        "m³",
        "In how much water it smells and follows what bait gives off in a second; 0 none",
    )
    hunger: float = number(0.5, 0.0, 1.0, "", "Hunger at the beginning")
    libido: float = number(0.0, 0.0, 1.0, "", "Libido at the beginning")
    libido_spread: float = number(
        0.3, 0.0, 1.0, "", "Libido that a sated fish may have at the beginning beyond that, by chance; 0 in the book"
    )
    foreigners: int = integer(
        0, 0, 1, "", "Whether it courts other species too, if less gladly; 1 in the book, where 0 is ours"
    )
    nocturnal: float = number(
        0.5, 0.0, 1.0, "", "When it is about, where there is day and night: 0 by day, 1 by night, 0.5 at all hours"
    )
    bright: float = number(0.6, 0.0, 1.0, "", "Brightness from which on who likes it bright is content")
    dark: float = number(0.3, 0.0, 1.0, "", "Brightness up to which who likes it dark is content")
    warm: float = number(23.0, -2.0, 60.0, "°C", "Temperature from which on who likes warmth is content")
    cold: float = number(18.0, -2.0, 60.0, "°C", "Temperature up to which who likes cold is content")
    book_metres: float = number(0.004, 1e-4, 1.0, "m", "The book's unit of distance in the formulas of the mind")
    book_seconds: float = number(0.2, 1e-3, 100.0, "s", "The book's unit of time in the formulas of the mind")

    def __post_init__(self) -> None:
        if self.f1 <= self.f0:
            raise SceneError(shown(self.f1), f"more than f0, {shown(self.f0)}", key="f1")
        for low, high in (("q1_h", "q2_h"), ("q1_l", "q2_l")):
            if getattr(self, high) <= getattr(self, low):
                raise SceneError(shown(getattr(self, high)), f"more than {low}", key=high)
