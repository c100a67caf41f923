"""Synthetic vision: the images on the retinas of a fish (Tu 1999, §6.7; Kuffner & Latombe 1999, §3)."""

from .images import Images, render, table

__all__ = ["Images", "render", "table"]
