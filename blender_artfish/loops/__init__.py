"""Looping motions: a species' loops as assets of the file, and as files for games."""
