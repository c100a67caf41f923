"""The drive of muscles and fins by the motor center, and what the compiled center takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..base.elementary import exp
from ..compiled import changes, compiled, integer, reads, reals, record, rows, takes, values, writes
from .tuning import (
    BEAT_FADE_SPEED,
    BENT_HEAD,
    BRAKING_ROW,
    BURSTING_ANGLE,
    CSTART_AGAIN_ANGLE,
    CSTART_AGAIN_BEATS,
    CSTART_BEATS,
    CSTART_BENDS,
    CSTART_RATE,
    CSTART_RECOIL,
    CSTART_RECOIL_BEATS,
    FIN_BRAKING_ANGLE,
    FIN_HIGHEST_ANGLE,
    FIN_LEVEL_ANGLE,
    FIN_LOWEST_ANGLE,
    FIN_TURN_LEAST,
    HEADING_BEATS,
    KICK_RESERVE,
    KICK_SHARE,
    KICK_SPEEDS,
    LEAN,
    LEANING_ANGLE,
    LEANING_SPEED,
    MEANT_STRIDE,
    MOST_DAMPING,
    MOST_SLOPE_TRIM,
    MOST_TRIM,
    MOVING_SPEED,
    ON_COURSE_ANGLE,
    PADDLE_CHANGE,
    PADDLE_EASE_SECONDS,
    PADDLE_HASTE,
    PADDLE_HURRY,
    PADDLE_LEAST,
    PADDLE_PUSH,
    PADDLE_PUSH_GAIN,
    PADDLE_REST_RATE,
    PADDLE_TURNING,
    PATH_SHARE,
    PITCH_DAMPING,
    PITCH_GAIN,
    PROLONGED_FRAMES,
    REST_YAWING,
    RETREAT_YAW_ANGLE,
    RETREAT_YAW_GAIN,
    ROLL_DAMPING,
    ROLL_GAIN,
    SLOPE_TRIM_ERROR,
    SLOPE_TRIM_GAIN,
    SPENT_PACE,
    STANDING_SPEED,
    STEADYING_SECONDS,
    STEERING_MAP_ANGLES,
    STROKE_SAMPLES,
    SWAY_BENDING,
    SWAY_FRAMES,
    SWAY_NOTCH,
    SWIFT_FINS,
    TIRED_RESERVE,
    TRIM_GAIN,
    TRIMMED_ANGLE,
    TURN_BRAKING_ANGLES,
    UNTRIM_GAIN,
)

FISHES_A_THREAD = 300
"""Fewest fishes that are worth a thread of their own."""
MOTOR = record(
    "Motor",
    **reals("dt calm steady_share ease_share level_angle lowest_angle highest_angle braking_angle map_angles:4"),
    **reals("fade_speed moving heading_beats sway_notch sway_bending sway_first sway_last meant_stride kick_share"),
    **reals("kick_full kick_none kick_reserve on_course untrim trim trimmed most_trim rest_yawing retreat_gain"),
    **reals("retreat_angle turn_least braking_row standing braking_begin braking_full bent_head path_share slope_gain"),
    **reals("slope_error most_slope lean pitch_gain roll_gain pitch_damping roll_damping most_damping swift_fins"),
    **reals("leaning_angle leaning_speed tired spent start_beats again_beats start_bends again recoil_beats recoil"),
    **reals("start_rate bursting prolonged_frames least change rest_rate hurry haste push push_gain turning samples"),
)
DRIVE = compiled(
    "drive",
    over="fishes",
    least=FISHES_A_THREAD,
    motor=reads(MOTOR),
    fish=rows(
        "beat slow_beat slow_amplitude lead row turn flap turn_begin turn_full turn_braking leans contraction release "
        "spread width burst_beat bursts flings loss lasting gain rows most rate gait full sharp steadiness",
        "fishes",
    ),
    hastes=takes("f8", 2, "fishes"),
    learned=takes("f8", 5, "fishes"),
    fronts=takes("f8", "fishes", 4),
    middles=takes("f8", "fishes", 4),
    bend_rates=takes("f8", "fishes", 4),
    frames=takes("f8", "fishes", 3, 3),
    velocities=takes("f8", "fishes", 3),
    lengths=takes("f8", "fishes"),
    swim=takes("f8", "fishes"),
    turn=takes("f8", "fishes"),
    climb=takes("f8", "fishes"),
    back=takes("f8", "fishes"),
    burst=takes("f8", "fishes"),
    cstart=takes("f8", "fishes"),
    prolonged=takes("f8", "fishes"),
    brake=takes("?", "fishes"),
    slope_trim=changes("f8", "fishes"),
    course=changes("f8", "fishes"),
    turn_command=changes("f8", "fishes"),
    heading=changes("f8", "fishes"),
    left=changes("f8", "fishes"),
    off=changes("f8", "fishes"),
    trim=changes("f8", "fishes"),
    yaw_rate=changes("f8", "fishes"),
    pitch_rate=changes("f8", "fishes"),
    roll_rate=changes("f8", "fishes"),
    beating=changes("f8", 2, "fishes"),
    phase=changes("f8", "fishes"),
    sway=changes("f8", 2, "fishes"),
    last=changes("f8", 3, "fishes"),
    bent=changes("f8", "fishes"),
    reserve=changes("f8", "fishes"),
    since=changes("f8", "fishes"),
    side=changes("f8", "fishes"),
    bends=changes("f8", "fishes"),
    command=changes("f8", "fishes"),
    stroke=changes("f8", "fishes"),
    reach=changes("f8", "fishes"),
    tail=changes("f8", "fishes"),
    push=changes("f8", "fishes"),
    wish=changes("f8", "fishes"),
    frequency=writes("f8", "fishes"),
    amplitude=writes("f8", "fishes"),
    bend=writes("f8", 2, "fishes"),
    rate=writes("f8", "fishes"),
    curl=writes("f8", "fishes"),
    fling=writes("f8", "fishes"),
    gamma=writes("f8", 2, "fishes"),
    row=writes("f8", 2, "fishes"),
    strokes=writes("f8", 2, "fishes"),
    begins=integer(),
)


@dataclass
class Drive:
    """The drive of the muscles and fins of all fishes until the next frame.

    Attributes:
        frequency: Tail beats a second, (fish,).
        amplitude: Share of the best contractions, (fish,).
        bend: Contraction of the two turning segments, left positive, (2, fish).
        rate: Full contractions of the turning segments a second, (fish,).
        curl: Bend of the whole body in a C-start, left positive, (fish,).
        fling: Full such bends a second, (fish,).
        gamma: Angles of the pectoral fins in radians, (2, fish).
        row: Rowing speed of each fin in body lengths a second, backwards positive, (2, fish).
        stroke: Phase in radians of the strokes of fins that row the fish on, and how far they swing over the most,
            (2, fish).
    """

    frequency: np.ndarray
    amplitude: np.ndarray
    bend: np.ndarray
    rate: np.ndarray
    curl: np.ndarray
    fling: np.ndarray
    gamma: np.ndarray
    row: np.ndarray
    stroke: np.ndarray

    @property
    def seen(self) -> tuple[np.ndarray, ...]:
        """Its visible part: frequency, amplitude, curl, gamma, row and stroke."""
        return self.frequency, self.amplitude, self.curl, self.gamma, self.row, self.stroke

    def slacken(self, fishes: np.ndarray) -> None:
        """Lets the muscles and fins of these fishes, (n,), hang."""
        self.amplitude[fishes], self.bend[:, fishes], self.curl[fishes] = 0.0, 0.0, 0.0
        self.gamma[:, fishes], self.row[:, fishes] = FIN_LEVEL_ANGLE, 0.0


@lru_cache(maxsize=16)
def motor(dt: float, calm: float) -> np.ndarray:
    """The numbers of `MOTOR` for frames of so many seconds, with so much of the feedback."""
    steady, ease = (float(1.0 - exp(-dt / seconds)) for seconds in (STEADYING_SECONDS, PADDLE_EASE_SECONDS))
    return values(
        MOTOR,
        dt=dt,
        calm=calm,
        steady_share=steady,
        ease_share=ease,
        level_angle=FIN_LEVEL_ANGLE,
        lowest_angle=FIN_LOWEST_ANGLE,
        highest_angle=FIN_HIGHEST_ANGLE,
        braking_angle=FIN_BRAKING_ANGLE,
        map_angles=STEERING_MAP_ANGLES,
        fade_speed=BEAT_FADE_SPEED,
        moving=MOVING_SPEED,
        heading_beats=HEADING_BEATS,
        sway_notch=SWAY_NOTCH,
        sway_bending=SWAY_BENDING,
        sway_first=SWAY_FRAMES[0],
        sway_last=SWAY_FRAMES[1],
        meant_stride=MEANT_STRIDE,
        kick_share=KICK_SHARE,
        kick_full=KICK_SPEEDS[0],
        kick_none=KICK_SPEEDS[1],
        kick_reserve=KICK_RESERVE,
        on_course=ON_COURSE_ANGLE,
        untrim=UNTRIM_GAIN,
        trim=TRIM_GAIN,
        trimmed=TRIMMED_ANGLE,
        most_trim=MOST_TRIM,
        rest_yawing=REST_YAWING,
        retreat_gain=RETREAT_YAW_GAIN,
        retreat_angle=RETREAT_YAW_ANGLE,
        turn_least=FIN_TURN_LEAST,
        braking_row=BRAKING_ROW,
        standing=STANDING_SPEED,
        braking_begin=TURN_BRAKING_ANGLES[0],
        braking_full=TURN_BRAKING_ANGLES[1],
        bent_head=BENT_HEAD,
        path_share=PATH_SHARE,
        slope_gain=SLOPE_TRIM_GAIN,
        slope_error=SLOPE_TRIM_ERROR,
        most_slope=MOST_SLOPE_TRIM,
        lean=LEAN,
        pitch_gain=PITCH_GAIN,
        roll_gain=ROLL_GAIN,
        pitch_damping=PITCH_DAMPING,
        roll_damping=ROLL_DAMPING,
        most_damping=MOST_DAMPING,
        swift_fins=SWIFT_FINS,
        leaning_angle=LEANING_ANGLE,
        leaning_speed=LEANING_SPEED,
        tired=TIRED_RESERVE,
        spent=SPENT_PACE,
        start_beats=CSTART_BEATS,
        again_beats=CSTART_AGAIN_BEATS,
        start_bends=CSTART_BENDS,
        again=CSTART_AGAIN_ANGLE,
        recoil_beats=CSTART_RECOIL_BEATS,
        recoil=CSTART_RECOIL,
        start_rate=CSTART_RATE,
        bursting=BURSTING_ANGLE,
        prolonged_frames=PROLONGED_FRAMES,
        least=PADDLE_LEAST,
        change=PADDLE_CHANGE,
        rest_rate=PADDLE_REST_RATE,
        hurry=PADDLE_HURRY,
        haste=PADDLE_HASTE,
        push=PADDLE_PUSH,
        push_gain=PADDLE_PUSH_GAIN,
        turning=PADDLE_TURNING,
        samples=STROKE_SAMPLES,
    )
