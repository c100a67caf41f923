"""Behavior routines, one file each (Tu 1999, §7.8)."""
