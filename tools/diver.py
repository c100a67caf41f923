"""The diver of the preset scene of that name: python tools/diver.py.

Makes presets/scenes/diver_*.obj and puts the obstacles, with their keys, into presets/scenes/diver.json. The body,
what it carries, and each leg is a rigid mesh; the legs kick from the hips.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).resolve().parent.parent / "presets" / "scenes"
SIDES = 14
SUIT, GEAR = (0.016, 0.022, 0.034), (0.75, 0.42, 0.02)
HIPS = np.array([[-0.28, 0.085, -0.02], [-0.28, -0.085, -0.02]])
"""Metres from the diver's middle, left and right."""
KICK_RADIANS, KICK_LOW, KICKS_A_SECOND = 0.26, -0.04, 0.75
SECONDS, STEP, LEG_STEP = 14.0, 0.25, 1.0 / 12.0
WAY = ((0.9, 4.9, 1.75), (2.6, 3.7, 1.55), (4.5, 3.25, 1.45), (6.4, 3.75, 1.7), (8.2, 4.7, 2.0))
"""Places in metres along the diver's way."""

Mesh = tuple[np.ndarray, list[list[int]]]


def loft(path: Any, wide: Any, high: Any) -> Mesh:
    """A closed tube along a path (k, 3), its rings ellipses with half axes to the side and upwards in metres, (k,)."""
    path, turn = np.array(path, dtype=float), np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    side = np.cross((0.0, 0.0, 1.0), along)
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    up = np.cross(along, side)
    rings = np.array(wide)[:, None, None] * np.cos(turn)[:, None] * side[:, None]
    rings = path[:, None] + rings + np.array(high)[:, None, None] * np.sin(turn)[:, None] * up[:, None]
    last = (len(path) - 1) * SIDES
    faces = []
    for here in range(0, last, SIDES):
        for k in range(SIDES):
            one, other = here + k, here + (k + 1) % SIDES
            faces += [[one, other, other + SIDES], [one, other + SIDES, one + SIDES]]
    faces += [[0, k + 1, k] for k in range(1, SIDES - 1)]
    return rings.reshape(-1, 3), faces + [[last, last + k, last + k + 1] for k in range(1, SIDES - 1)]


def together(*meshes: Mesh) -> Mesh:
    """Meshes joined into one."""
    begin = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    faces = [
        [corner + int(first) for corner in face] for first, (_, of) in zip(begin, meshes, strict=False) for face in of
    ]
    return np.concatenate([vertices for vertices, _ in meshes]), faces


def line(*xs: float, y: float = 0.0, z: float = 0.0) -> list[tuple[float, float, float]]:
    """Places along x."""
    return [(x, y, z) for x in xs]


def body() -> Mesh:
    """Torso, neck and head, and arms folded ahead."""
    spine = line(-0.36, -0.34, -0.28, -0.16, 0.0, 0.14, 0.24, 0.29, 0.32, 0.35, 0.4, 0.47, 0.53, 0.57, 0.585)
    lift = np.interp([x for x, _, _ in spine], (0.28, 0.45, 0.585), (0.0, 0.035, 0.045))
    spine = [(x, y, z + float(rise)) for (x, y, z), rise in zip(spine, lift, strict=True)]
    wide = (0.05, 0.12, 0.165, 0.155, 0.16, 0.185, 0.17, 0.12, 0.075, 0.07, 0.085, 0.095, 0.085, 0.055, 0.02)
    high = (0.04, 0.085, 0.115, 0.105, 0.115, 0.12, 0.11, 0.085, 0.065, 0.065, 0.09, 0.115, 0.105, 0.065, 0.025)
    arms = []
    for sign in (1.0, -1.0):
        bend = [(0.24, 0.13, 0.0), (0.2, 0.185, -0.03), (0.13, 0.22, -0.12), (0.1, 0.225, -0.2), (0.14, 0.2, -0.25)]
        bend += [(0.26, 0.13, -0.26), (0.38, 0.06, -0.25), (0.46, 0.03, -0.235), (0.52, 0.02, -0.225)]
        radii = np.array((0.05, 0.062, 0.058, 0.05, 0.05, 0.044, 0.036, 0.042, 0.018))
        arms.append(loft([(x, sign * y, z) for x, y, z in bend], radii, radii))
    return together(loft(spine, wide, high), *arms)


def gear() -> Mesh:
    """Tank, its valve, a mask and the belt."""
    radii = (0.02, 0.07, 0.088, 0.09, 0.09, 0.085, 0.06, 0.03, 0.022, 0.02)
    tank = loft(line(-0.22, -0.21, -0.18, -0.1, 0.14, 0.2, 0.24, 0.26, 0.3, 0.31, z=0.195), radii, radii)
    glass = loft(line(0.5, 0.525, 0.575, 0.59, z=0.078), (0.07, 0.088, 0.078, 0.06), (0.035, 0.048, 0.042, 0.028))
    mouth = loft(line(0.53, 0.55, 0.585, 0.595, z=-0.005), (0.02, 0.032, 0.034, 0.022), (0.018, 0.028, 0.03, 0.02))
    belt = loft(line(-0.2, -0.19, -0.14, -0.13), (0.12, 0.168, 0.166, 0.12), (0.07, 0.118, 0.117, 0.07))
    return together(tank, glass, mouth, belt)


def leg() -> Mesh:
    """A leg from the hip to the tip of its fin."""
    xs = (0.06, 0.02, -0.1, -0.25, -0.4, -0.48, -0.62, -0.76, -0.84, -0.9, -0.96, -1.02, -1.12, -1.28, -1.44, -1.46)
    wide = (0.03, 0.075, 0.088, 0.078, 0.06, 0.055, 0.056, 0.042, 0.042, 0.052, 0.062, 0.08, 0.1, 0.118, 0.128, 0.1)
    high = (0.03, 0.078, 0.092, 0.08, 0.062, 0.056, 0.058, 0.044, 0.05, 0.045, 0.034, 0.022, 0.015, 0.01, 0.007, 0.005)
    bend = [(x, 0.0, -0.02 * np.sin(np.pi * min(-x, 0.9) / 0.9)) for x in xs]
    return loft(bend, wide, high)


def product(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Product of two quaternions w, x, y, z."""
    a, b, c, d = one[0], one[1:], other[0], other[1:]
    return np.append(a * c - b @ d, a * d + c * b + np.cross(b, d))


def about(axis: Any, radians: float) -> np.ndarray:
    """The quaternion of a turn about an axis."""
    return np.append(np.cos(0.5 * radians), np.sin(0.5 * radians) * np.array(axis, dtype=float))


def turned(turn: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """A vector (3,) rotated by a quaternion."""
    return product(product(turn, np.append(0.0, arm)), turn * (1, -1, -1, -1))[1:]


def pose(t: float) -> tuple[np.ndarray, np.ndarray]:
    """Place and turn of the body at a time: along the way, head first, leaning into its turns."""

    def place(share: float) -> np.ndarray:
        way, x = np.array(WAY), np.clip(share, 0.0, 1.0) * (len(WAY) - 1)
        row = min(int(x), len(WAY) - 2)
        padded = np.concatenate(([2 * way[0] - way[1]], way, [2 * way[-1] - way[-2]]))
        p, q, r, s = padded[row : row + 4]
        u = x - row  # Catmull and Rom's curve
        return 0.5 * (2 * q + (r - p) * u + (2 * p - 5 * q + 4 * r - s) * u**2 + (3 * q - p - 3 * r + s) * u**3)

    share, near = t / SECONDS, 0.02
    ahead = place(min(share + near, 1.0)) - place(max(share - near, 0.0))
    azimuth, pitch = np.arctan2(ahead[1], ahead[0]), np.arctan2(ahead[2], np.hypot(ahead[0], ahead[1]))
    sway = np.sin(2.0 * np.pi * KICKS_A_SECOND * t)
    turn = product(about((0, 0, 1), azimuth), about((0, 1, 0), -pitch - 0.05))
    turn = product(turn, about((1, 0, 0), 0.07 * sway))
    return place(share) + (0.0, 0.0, 0.012 * np.cos(4.0 * np.pi * KICKS_A_SECOND * t)), turn


def keys(step: float, at: Any) -> list[dict[str, Any]]:
    """Keys at times so many seconds apart, from a function of place and turn."""
    found = []
    for row in range(round(SECONDS / step) + 1):
        place, turn = at(row * step)
        found.append(
            {
                "time": round(row * step, 4),
                "at": [round(float(x), 4) for x in place],
                "turn": [round(float(x), 5) for x in turn],
            }
        )
    return found


def kick(side: int) -> Any:
    """A function that gives place and turn of a leg at a time."""

    def at(t: float) -> tuple[np.ndarray, np.ndarray]:
        place, turn = pose(t)
        phase = 2.0 * np.pi * KICKS_A_SECOND * t + side * np.pi
        return place + turned(turn, HIPS[side]), product(
            turn, about((0, 1, 0), KICK_LOW + KICK_RADIANS * np.sin(phase))
        )

    return at


def parts() -> list[tuple[str, str, tuple[float, float, float], list[dict[str, Any]]]]:
    """Name, file, colour and keys of each part."""
    whole = keys(STEP, pose)
    return [
        ("diver", "diver_body.obj", SUIT, whole),
        ("diver's gear", "diver_gear.obj", GEAR, whole),
        ("diver's left leg", "diver_leg.obj", SUIT, keys(LEG_STEP, kick(0))),
        ("diver's right leg", "diver_leg.obj", SUIT, keys(LEG_STEP, kick(1))),
    ]


def obstacles() -> list[dict[str, Any]]:
    """The diver as obstacles of a scene."""
    return [
        {"kind": "mesh", "name": name, "file": file, "colour": colour, "at": motion[0]["at"], "motion": motion}
        | ({"presence": "pacifist"} if name == "diver" else {})
        for name, file, colour, motion in parts()
    ]


def write(path: Path, mesh: Mesh) -> None:
    """Writes an .obj file."""
    vertices, faces = mesh
    lines = ["v " + " ".join(f"{x:.4f}" for x in place) for place in vertices]
    lines += ["f " + " ".join(str(corner + 1) for corner in face) for face in faces]
    path.write_text("\n".join(lines) + "\n")


def main() -> None:
    """Writes the meshes, and the scene with the diver in it, a line for each key."""
    for name, mesh in (("body", body()), ("gear", gear()), ("leg", leg())):
        write(FOLDER / f"diver_{name}.obj", mesh)
    path = FOLDER / "diver.json"
    scene = json.loads(path.read_text())
    others = [one for one in scene["obstacles"] if not one.get("name", "").startswith("diver")]
    scene["obstacles"] = others + obstacles()
    path.write_text(laid_out(scene))


def laid_out(scene: dict[str, Any]) -> str:
    """The JSON of a scene, a line for each item of a list of objects."""

    def text(value: Any, deep: int) -> str:
        within = isinstance(value, list) and value and isinstance(value[0], dict)
        if not within and not (isinstance(value, dict) and ("motion" in value or deep == 0)):
            return json.dumps(value)
        items = value if within else [f"{json.dumps(key)}: {text(item, deep + 1)}" for key, item in value.items()]
        pad = "\n" + "  " * (deep + 1)
        inner = ("," + pad).join(text(item, deep + 1) if within else item for item in items)
        opened, closed = "[]" if within else "{}"
        return f"{opened}{pad}{inner}\n{'  ' * deep}{closed}"

    return text(scene, 0) + "\n"


if __name__ == "__main__":
    main()
