"""Operators: thin, each a door to a generator."""
