"""Reads objects out of retinal images: the place, size, distance, motion and approach of each.

Images are read as they are, by identity and range maps or by colours; nothing here consults the world (Tu 1999, §6.7;
Kuffner & Latombe 1999, §3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.elementary import arctan2, hypot
from ...base.sums import mean
from ...base.vectors import cross, dot, norm, unit
from ...compiled import changes, compiled, laid, takes
from .lens import Lens, lens_of

IMAGES_A_THREAD = 1
"""Images that are worth a thread of their own."""
LUMINANCE = 0.2126, 0.7152, 0.0722
"""Shares of linear red, green and blue in brightness (ITU-R BT.709)."""

OBJECTS = compiled(
    "objects",
    over="images",
    least=IMAGES_A_THREAD,
    identities=takes("i4", "images", "pixels"),
    ranges=takes("f4", "images", "pixels"),
    rays=takes("f4", 3, "pixels"),
    angles=takes("f8", "pixels"),
    counts=changes("i8", "images", "many"),
    all_sums=changes("f8", "images", "many", 5),
    nearests=changes("f8", "images", "many"),
    places=changes("i8", "images", "many"),
)


@dataclass(frozen=True, eq=False)
class Objects:
    """Every identity as n images show it, (n, identities + 1); nothing for those that they do not show, and for 0.

    Attributes:
        pixels: Number of pixels of it, int64.
        angle: The solid angle that they cover, in steradians.
        way: Unit vector to its middle, ahead, left and up, (n, identities + 1, 3).
        range: Metres to what is seen of it, on average; infinite where nothing is.
        nearest: Metres to the nearest of it; infinite where nothing is.
        nearest_pixel: The pixel that shows that, row by row, int64; -1 where none does.
    """

    pixels: np.ndarray
    angle: np.ndarray
    way: np.ndarray
    range: np.ndarray
    nearest: np.ndarray
    nearest_pixel: np.ndarray

    @property
    def seen(self) -> np.ndarray:
        """Mask of the identities that are seen, bool."""
        return self.pixels > 0

    @property
    def bearing(self) -> np.ndarray:
        """Angles of each to the left and up in radians, (n, identities + 1, 2)."""
        ahead, left, up = np.moveaxis(self.way, -1, 0)
        return np.stack([arctan2(left, ahead), arctan2(up, hypot(ahead, left))], axis=-1)

    @property
    def size(self) -> np.ndarray:
        """Width that each would have if it were round, in radians."""
        return 2.0 * np.sqrt(self.angle / np.pi)


def objects(identity: np.ndarray, range_: np.ndarray, lens: Lens, identities: int) -> Objects:
    """Reads each object out of images.

    Args:
        identity: As `Images.identity`, (n, size, size).
        range_: As `Images.range`, (n, size, size).
        lens: The lens through which they were seen.
        identities: The highest identity that counts.
    """
    images, many = len(identity), identities + 1
    (maps,), (far,) = laid(identity, kind=np.int32), laid(range_, kind=np.float32)
    pixels, sums = np.zeros((images, many), dtype=np.int64), np.zeros((images, many, 5))
    nearest, at = np.full((images, many), np.inf), np.full((images, many), -1, dtype=np.int64)
    OBJECTS(
        identities=maps.reshape(images, -1),
        ranges=far.reshape(images, -1),
        rays=lens.rays,
        angles=lens.angles,
        counts=pixels,
        all_sums=sums,
        nearests=nearest,
        places=at,
    )
    seen, angle = pixels > 0, sums[..., 0]
    average = np.where(seen, sums[..., 4] / np.where(seen, angle, 1.0), np.inf)
    return Objects(pixels, angle, unit(sums[..., 1:4]), average, nearest, at)


def brightness(colour: np.ndarray) -> np.ndarray:
    """Brightness of images: the mean intensity over all that they see (Tu 1999, §6.3.3).

    Args:
        colour: As `Images.colour`, (..., size, size, 3).

    Returns:
        From 0 on, (...).
    """
    size = colour.shape[-2]
    return mean(dot(colour.astype(float), np.array(LUMINANCE))[..., lens_of(size).sees], axis=-1)


def colours(colour: np.ndarray, identity: np.ndarray, identities: int) -> np.ndarray:
    """The mean colour that each object has in images, (n, identities + 1, 3), black where it is not seen.

    Args:
        colour: As `Images.colour`, (n, size, size, 3).
        identity: As `Images.identity`, (n, size, size).
        identities: The highest identity that there is.
    """
    found = np.zeros((len(identity), identities + 1, 3))
    for image, (own, shades) in enumerate(zip(identity.reshape(len(identity), -1), colour, strict=True)):
        many = np.maximum(np.bincount(own, minlength=identities + 1), 1)
        for channel in range(3):
            found[image, :, channel] = np.bincount(own, shades[..., channel].ravel(), minlength=identities + 1) / many
    found[:, 0] = 0.0
    return found


def disparity(left: np.ndarray, right: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """Metres to objects by the angle between the directions in which two eyes see them.

    Args:
        left: Unit vectors to them from the left eye, (..., 3).
        right: The same from the right eye, which looks the same way, (..., 3).
        arm: Vector from the left eye to the right one, ahead, left and up, in metres, (3,).

    Returns:
        Metres from the middle between the eyes, infinite for what is seen in parallel or apart, (...).
    """
    across, along, other = dot(left, right), dot(left, arm), dot(right, arm)
    parted = np.maximum(1.0 - across * across, 1e-300)
    # Where the two lines come nearest to each other; halfway between is the object.
    one, two = (along - across * other) / parted, (across * along - other) / parted
    meets = 0.5 * (one[..., None] * left + two[..., None] * right)
    return np.where((one > 0.0) & (two > 0.0), norm(meets), np.inf)


def motion(before: Objects, after: Objects, seconds: float, turned: np.ndarray | None = None) -> np.ndarray:
    """Speed of objects across images.

    Args:
        before: Objects that were seen.
        after: Objects that are seen some `seconds` later.
        seconds: Time between.
        turned: Axes of the later eyes by those of the earlier ones, as columns, (n, 3, 3), to take off their turning.

    Returns:
        Speed to the left and up in rad/s, (n, identities + 1, 2), NaN for what was not seen both times.
    """
    way = after.way
    if turned is not None:
        way = dot(turned[:, None], way[..., None, :])
    middle = unit(before.way + way)
    level = unit(np.stack([-middle[..., 1], middle[..., 0], np.zeros(middle.shape[:-1])], axis=-1))
    step = (way - before.way) / seconds
    found = np.stack([dot(step, level), dot(step, cross(middle, level))], axis=-1)
    return np.where((before.seen & after.seen)[..., None], found, np.nan)


def contact(before: Objects, after: Objects, seconds: float) -> np.ndarray:
    """Time to contact, by looming alone: the time until what grows in the image would fill it.

    What comes near evenly at d metres and v m/s covers an angle that goes with 1 / d²; d / v follows from the rate at
    which it grows, however large it is and however far.

    Returns:
        Seconds from the later image on, (n, identities + 1), infinite for what does not grow or is not seen.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        then, now = 1.0 / np.sqrt(before.angle), 1.0 / np.sqrt(after.angle)
        left = seconds * now / (then - now)
    return np.where(before.seen & after.seen & (then > now), left, np.inf)


def collides(before: Objects, after: Objects, seconds: float, within: float) -> np.ndarray:
    """Mask of objects that loom so as to be met, not passed: they grow, and hardly move across the image meanwhile.

    Args:
        before: Objects that were seen.
        after: Objects that are seen some `seconds` later, by eyes that did not turn meanwhile.
        seconds: Time between.
        within: Seconds from now, within which contact counts.

    Returns:
        (n, identities + 1) bool.
    """
    left = contact(before, after, seconds)
    drift = norm(np.nan_to_num(motion(before, after, seconds)))
    return (left < within) & (drift * np.where(np.isfinite(left), left, 0.0) <= after.size)
