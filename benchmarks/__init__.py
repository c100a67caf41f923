"""The measurements of `make bench`: speed of bodies, baking and playback, stability limits and gait.

Each module has `rows(quick=False)`, a list of `table.Row`; `table.main` runs them, each in a process of its own with
one thread, and prints them as one table. Contestants of a race run in turns in the same process, and
their ratio counts, since the machine's own speed drops out of it.
"""
