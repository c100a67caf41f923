"""The cut: pictures of all shots, one after another, with titles and fades, as one movie by Blender's sequencer."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy

from ...core.studio.film import FilmShot
from ..blender import versions
from ..stage import render

TITLE_SECONDS = 0.4
"""Duration of a title's fade in and out."""


def cut(
    shots: Sequence[FilmShot], pictures: Sequence[Sequence[Path]], movie: str | os.PathLike[str], fps: float
) -> bool:
    """Joins the pictures of shots into an .mp4.

    Args:
        shots: The shots, with their titles and fades.
        pictures: Pictures of each shot, in the order of their frames.
        movie: The file, which is written whole or not at all.
        fps: Frames a second of the pictures.

    Returns:
        True if there is a movie: some builds of Blender have no FFmpeg.
    """
    if not versions.has_ffmpeg():
        return False
    scene = bpy.data.scenes.new("Film")
    try:
        strips = scene.sequence_editor_create().strips
        begin, end, last = 1, 1, None
        for number, (shot, own) in enumerate(zip(shots, pictures, strict=True), 1):
            over = 0 if last is None else min(round(shot.dissolve * fps), end - begin, len(own) - 1)
            before, begin = end, end - over
            end = begin + len(own)
            black = versions.effect_strip(strips, f"Black {number}", "COLOR", 1, before, end)
            black.color = (0.0, 0.0, 0.0)
            channel = 2 if number % 2 else 3  # the upper one of two that overlap comes, or goes
            strip = strips.new_image(f"Shot {number}", str(own[0].resolve()), channel, begin)
            for picture in own[1:]:
                strip.elements.append(picture.name)
            strip.blend_type = "ALPHA_OVER"
            _ramp(strip, begin, end, shot.fade_in * fps, shot.fade_out * fps)
            if over and channel == 3:
                _key(strip, [(begin - 1, 0.0), (begin + over, 1.0)])
            elif over:
                _key(last, [(begin - 1, 1.0), (begin + over, 0.0)])
            if shot.title:
                _title(strips, shot, number, begin, end, fps)
            last = strip
        image = scene.sequence_editor.strips["Shot 1"].elements[0]
        render.film_movie(scene, (image.orig_width, image.orig_height), end - 1, fps, movie)
    finally:
        bpy.data.scenes.remove(scene)
    return True


def _title(strips: Any, shot: FilmShot, number: int, begin: int, end: int, fps: float) -> None:
    """A text in the lower third that fades in and out."""
    text = versions.effect_strip(strips, f"Title {number}", "TEXT", 4 + number % 2, begin, end)
    text.text, text.font_size = shot.title, 36.0
    text.location = (0.5, 0.16)
    text.use_shadow = True
    text.blend_type = "ALPHA_OVER"
    ease = min(TITLE_SECONDS * fps, 0.5 * (end - begin))
    _ramp(text, begin, end, max(ease, shot.fade_in * fps), max(ease, shot.fade_out * fps))


def _ramp(strip: Any, begin: int, end: int, rise: float, fall: float) -> None:
    """Fades a strip in over some frames, and out over some."""
    keys = [(begin, 0.0), (begin + rise, 1.0)] if rise else []
    keys += [(end - 1 - fall, 1.0), (end - 1, 0.0)] if fall else []
    _key(strip, keys)


def _key(strip: Any, keys: Sequence[tuple[float, float]]) -> None:
    """Keys the opacity of a strip at frames."""
    for frame, alpha in keys:
        strip.blend_alpha = alpha
        strip.keyframe_insert("blend_alpha", frame=frame)
