"""Fishes that teach themselves to swim (Terzopoulos, Tu & Grzeszczuk 1994, §4)."""
