"""A pilot's mouse, keyboard and 3D mouse, translated into orders at the helm; needs no Blender.

Keys and the 3D mouse act while they are pressed, the mouse while it is dragged; its wheel sets the engine.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..blender.words import Message

AHEAD_KEYS, SLOW_KEYS, ASTERN_KEYS = {"W", "UP_ARROW"}, {"S", "DOWN_ARROW"}, {"X"}
LEFT_KEYS, RIGHT_KEYS = {"A", "LEFT_ARROW"}, {"D", "RIGHT_ARROW"}
PITCH_UP_KEYS, PITCH_DOWN_KEYS = {"R", "PAGE_UP"}, {"F", "PAGE_DOWN"}
RISE_KEYS, DIVE_KEYS = {"E"}, {"Q"}
HELM_KEYS = AHEAD_KEYS | SLOW_KEYS | ASTERN_KEYS | LEFT_KEYS | RIGHT_KEYS
HELM_KEYS |= PITCH_UP_KEYS | PITCH_DOWN_KEYS | RISE_KEYS | DIVE_KEYS
STOP_KEYS = {"SPACE", "MIDDLEMOUSE", "NDOF_BUTTON_FIT", "NDOF_BUTTON_1"}
WHEELS = {"WHEELUPMOUSE": 1.0, "WHEELDOWNMOUSE": -1.0}
HELP_LINES: tuple[Message, ...] = (
    "W S X  or  ↑ ↓   accelerate, decelerate, reverse; the wheel sets the engine",
    "A D  or  ← →   turn;  R F   pitch;  E Q   rise and dive",
    "Drag the mouse, or push and turn a 3D mouse, to steer",
    "Space   full stop",
    "Esc   end the dive and keep its camera",
)
"""Lines shown in the viewport during a dive."""
WHEEL_STEP = 0.2
"""Change of the engine by a notch of the wheel."""
AMOUNT_STEP = 0.05
"""Rounding of amounts, so that a trembling hand orders nothing."""
IDLE_SHARE = 0.08
"""Share of its range within which a 3D mouse is at rest."""

Order = tuple[str, float]
"""A maneuver and its amount."""


class Pilot:
    """The state of the pilot's controls.

    Attributes:
        down: Keys held down.
        engine: Engine order set by the wheel, -1 to 1.
        drag: Mouse drag to the right and up, -1 to 1 each.
        puck: 3D mouse pushed ahead and up, and turned to the left and up, -1 to 1 each.
        said: The current orders, in words.
    """

    def __init__(self) -> None:
        """Start with all controls at rest."""
        self.down: set[str] = set()
        self.engine = 0.0
        self.drag = 0.0, 0.0
        self.puck = 0.0, 0.0, 0.0, 0.0
        self._given = self._desired()

    @property
    def said(self) -> str:
        """The current orders, in words."""
        words = [maneuver.replace("_", " ") for maneuver, amount in self._given if amount]
        return ", ".join(words) or "steady"

    def let_go(self) -> None:
        """Releases all keys, and both mice."""
        self.down.clear()
        self.drag, self.puck = (0.0, 0.0), (0.0, 0.0, 0.0, 0.0)

    def turn_wheel(self, way: float) -> None:
        """Sets the engine by a notch of the wheel, up or down."""
        self.engine = _clipped(round(self.engine + way * WHEEL_STEP, 6))

    def push(self, translation: Sequence[float], rotation: Sequence[float]) -> None:
        """Sets the 3D mouse's push and turn, in the view's own axes: right, up and towards the viewer."""
        axes = -translation[2], translation[1], rotation[1], rotation[0]
        ahead, up, left, nose = (0.0 if abs(axis) < IDLE_SHARE else _clipped(axis) for axis in axes)
        self.puck = ahead, up, left, nose

    def full_stop(self) -> list[Order]:
        """Releases everything; returns the order to stop."""
        self.let_go()
        self.engine = 0.0
        self._given = (("full_stop", 1.0), *self._desired()[1:])
        return [("full_stop", 1.0)]

    def orders(self) -> list[Order]:
        """New orders: those that differ from before."""
        before, desired = self._given, self._desired()
        if before[0][0] == "full_stop" and desired[0] == ("accelerate", 0.0):
            desired = (before[0], *desired[1:])  # it stays stopped until the engine gets an order
        self._given = desired
        return [new for old, new in zip(before, desired, strict=True) if old != new]

    def _desired(self) -> tuple[Order, Order, Order, Order]:
        """Desired orders for engine, rudder, planes and lift."""
        ahead, up, left, nose = self.puck
        right, upwards = self.drag
        engine = _amount(self.engine + ahead + self._pressed(AHEAD_KEYS, ASTERN_KEYS))
        braking = bool(self.down & SLOW_KEYS)
        return (
            ("decelerate", 1.0) if braking else _order("accelerate", "reverse", engine),
            _order("left", "right", _amount(left - right + self._pressed(LEFT_KEYS, RIGHT_KEYS))),
            _order("pitch_up", "pitch_down", _amount(nose + upwards + self._pressed(PITCH_UP_KEYS, PITCH_DOWN_KEYS))),
            _order("rise", "dive", _amount(up + self._pressed(RISE_KEYS, DIVE_KEYS))),
        )

    def _pressed(self, one: set[str], other: set[str]) -> float:
        return float(bool(self.down & one)) - float(bool(self.down & other))


def _order(one: str, other: str, amount: float) -> Order:
    """An order from a signed amount."""
    return (other, -amount) if amount < 0.0 else (one, amount)


def _amount(value: float) -> float:
    return round(AMOUNT_STEP * round(_clipped(value) / AMOUNT_STEP), 6) + 0.0


def _clipped(value: float) -> float:
    return max(-1.0, min(1.0, value))
