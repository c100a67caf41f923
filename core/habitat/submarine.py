"""A submarine that is piloted through the water (Yu & Terzopoulos 1998, §8.2); ours in how it moves.

It has inertia, and drag that goes with the square of its speed through the water: along its axis

    v' = a - k v |v|,  k = a / V²

a the thrust over its mass and V the speed to which that brings it, and likewise sideways and upwards, where the hull
is in the way of the water. A step is v <- (v + a dt) / (1 + k |v| dt), which is exact for a vessel that coasts,
v0 / (1 + k v0 t), and at the end speed V; from rest v = V tanh(a t / V), to the first order of dt. The rudder turns it
as r' = (R - r) / T, and the planes as a weight on a spring that does not overshoot, level at rest.

It keeps off whatever stands, the bed, the walls and the surface, as a pilot would who never comes nearer than he can
brake: at a distance d it nears with sqrt(2 a d) at the most, and so glides along what it must not touch.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..base.constants import constant
from ..base.elementary import arctan2, sin_and_cos
from ..base.state import Stateful, state
from ..base.vectors import cross, dot, norm, vector
from ..scene.ride import HelmOrder, Ride
from .tank import WaterBox
from .tuning import (
    HULL_MARGIN_GIRTHS,
    HULL_SIDE_DRAG,
    LIFT_SHARE,
    PLANES_RADIANS,
    PLANES_RATE,
    RUDDER_SECONDS,
)

ENGINE, BRAKE, RUDDER, PLANES, LIFT = range(5)  # columns of the controls
CONTROLS_OF = {
    **dict.fromkeys(("accelerate", "decelerate", "reverse"), (ENGINE, BRAKE)),
    **dict.fromkeys(("left", "right"), (RUDDER,)),
    **dict.fromkeys(("pitch_up", "pitch_down"), (PLANES,)),
    **dict.fromkeys(("rise", "dive"), (LIFT,)),
    "full_stop": (ENGINE, BRAKE, RUDDER, PLANES, LIFT),
}
"""The controls that each order sets."""
SETTINGS = {
    "accelerate": (1.0, 0.0),
    "decelerate": (0.0, 1.0),
    "reverse": (-1.0, 0.0),
    "left": (1.0,),
    "right": (-1.0,),
    "pitch_up": (1.0,),
    "pitch_down": (-1.0,),
    "rise": (1.0,),
    "dive": (-1.0,),
    "full_stop": (0.0, 1.0, 0.0, 0.0, 0.0),
}
"""To what it sets them, in the same order."""
UPRIGHT = constant(np.array([0.0, 0.0, 1.0]))

Distance = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Distance of places (n, 3) from obstacles, and the unit direction in which it grows, as `Obstacles.distance`."""


class Submarine(Stateful):
    """One submarine.

    Attributes:
        ride: Its description and its orders.
        place: Place of its middle in metres, (3,).
        velocity: Over ground in m/s, (3,).
        azimuth: Azimuth of its heading in radians.
        pitch: Pitch of its axis above the horizontal, in radians.
        controls: Engine, brake, rudder, planes and lift, -1 to 1, (5,).
    """

    place: np.ndarray = state("f8", 3, unit="m")
    velocity: np.ndarray = state("f8", 3, unit="m/s")
    azimuth: float = state("f8", unit="rad")
    pitch: float = state("f8", unit="rad")
    controls: np.ndarray = state("f8", 5, low=-1, high=1)
    _turning: float = state("f8", unit="rad/s")
    _pitching: float = state("f8", unit="rad/s")
    _until: np.ndarray = state("f8", 5, unit="s", unset=np.inf)  # when each control goes back
    _given: int = state("i8", low=0, high="frame")  # orders of the ride that were given

    def __init__(self, ride: Ride):
        """Puts it where the ride begins, at rest."""
        self.ride = ride
        self._fill()
        self.place[:] = ride.at
        self.azimuth = float(arctan2(ride.heading[1], ride.heading[0]))

    def is_there(self, t: float) -> bool:
        """True if it is in the water at a time in seconds; one that comes at once is so in the pre-roll, too."""
        return self.ride.start <= max(t, 0.0) and (self.ride.end is None or t < self.ride.end)

    @property
    def ahead(self) -> np.ndarray:
        """Unit vector along its axis, (3,)."""
        return vector(np.array(self.azimuth), np.array(self.pitch))

    @property
    def frame(self) -> np.ndarray:
        """Columns ahead, left and up, (3, 3)."""
        sine, cosine = sin_and_cos(self.azimuth)
        left = np.stack((-sine, cosine, np.zeros_like(sine)))
        return np.stack((self.ahead, left, cross(self.ahead, left)), axis=-1)

    @property
    def turn(self) -> np.ndarray:
        """Its turn, a quaternion w, x, y, z: by its azimuth about the vertical, after its pitch, (4,)."""
        (z, y), (w, v) = sin_and_cos(0.5 * np.array([self.azimuth, -self.pitch]))
        return np.stack((w * v, -z * y, w * y, z * v))

    @property
    def speed(self) -> float:
        """Over ground in m/s, below 0 astern."""
        return float(norm(self.velocity)) * (-1.0 if dot(self.velocity, self.ahead) < 0 else 1.0)

    @property
    def pose(self) -> np.ndarray:
        """Its entry in a recording: place in metres, azimuth and pitch in radians, (5,)."""
        return np.concatenate((self.place, [self.azimuth, self.pitch]))

    def obey(self, order: HelmOrder) -> None:
        """Sets the controls as is ordered."""
        concerned = list(CONTROLS_OF[order.order])
        self.controls[concerned] = order.amount * np.array(SETTINGS[order.order])
        self._until[concerned] = np.inf if order.seconds is None else order.time + order.seconds

    def skip(self, t: float) -> None:
        """Has orders of before a time in seconds be given already."""
        self._given = len([order for order in self.ride.orders if order.time < t])

    def advance(self, t: float, dt: float, water: np.ndarray, tank: WaterBox, distance: Distance) -> None:
        """Moves on from `t` by `dt` seconds.

        Args:
            t: Time in seconds.
            dt: Seconds.
            water: Velocity of the water about the submarine in m/s, (3,).
            tank: Tank in which it sails.
            distance: Distance to the things in the tank.
        """
        self._take_orders(t)
        self._steer(dt)
        self._drive(dt, water)
        self._keep_off(dt, tank, distance)
        self.place += dt * self.velocity

    def _take_orders(self, t: float) -> None:
        """Obeys the orders that are due by a time, up to a rounding of it."""
        self.controls[self._until <= t + 1e-9] = 0.0
        orders = self.ride.orders
        while self._given < len(orders) and orders[self._given].time <= t + 1e-9:
            self.obey(orders[self._given])
            self._given += 1

    def _steer(self, dt: float) -> None:
        """Turns and pitches; both are implicit, so that no step is too long."""
        self._turning += (self.controls[RUDDER] * self.ride.turn_rate - self._turning) * dt / (RUDDER_SECONDS + dt)
        self.azimuth += dt * self._turning
        goal, gain = self.controls[PLANES] * PLANES_RADIANS, PLANES_RATE * dt
        self._pitching += gain * PLANES_RATE * (goal - self.pitch)
        self._pitching /= (1.0 + gain) * (1.0 + gain)
        self.pitch += dt * self._pitching

    def _drive(self, dt: float, water: np.ndarray) -> None:
        """Engine, lift and brake against the drag of the water."""
        ride, frame = self.ride, self.frame
        drag = ride.thrust / (ride.speed * ride.speed) * np.array([1.0, HULL_SIDE_DRAG, HULL_SIDE_DRAG])
        rising = LIFT_SHARE * ride.speed
        force = self.controls[ENGINE] * ride.thrust * self.ahead
        force += self.controls[LIFT] * drag[2] * rising * rising * UPRIGHT
        along = np.stack([dot(frame[:, axis], self.velocity - water) for axis in range(3)])
        pushed = np.stack([dot(frame[:, axis], force) for axis in range(3)])
        along = (along + pushed * dt) / (1.0 + drag * np.abs(along) * dt)
        self.velocity = water + dot(frame, along)
        speed = float(norm(self.velocity))
        braked = max(speed - self.controls[BRAKE] * ride.thrust * dt, 0.0)
        self.velocity *= braked / max(speed, 1e-300)

    def _keep_off(self, dt: float, tank: WaterBox, distance: Distance) -> None:
        """Goes no faster towards anything than it can brake before it, at bow, middle and stern."""
        ride = self.ride
        keep = (0.5 + HULL_MARGIN_GIRTHS) * ride.girth
        half = 0.5 * (ride.length - ride.girth) * self.ahead
        points = self.place + np.stack((half, np.zeros(3), -half))
        gaps, ways = distance(points)
        sides, inwards = tank.sides(points)
        gaps = np.concatenate((gaps[:, None], sides), axis=1).reshape(-1) - keep
        ways = np.concatenate((ways[:, None], inwards), axis=1).reshape(-1, 3)
        for row in np.argsort(gaps, kind="stable")[::-1]:  # the nearest has the last word
            gap = float(gaps[row])
            most = min(np.sqrt(2.0 * ride.thrust * gap), gap / dt) if gap > 0.0 else max(gap / dt, -ride.speed)
            excess = -float(dot(self.velocity, ways[row])) - most
            if excess > 0.0:
                self.velocity += excess * ways[row]
