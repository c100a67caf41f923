"""What `make bench` measures: the speed of bodies, baking and playback, the stability limits and the gait.

Each module has `rows(quick=False)`, a list of `table.Row`; `table.main` runs them, each in a process of its own with
one thread, and prints them as one table. Where there is something to race, both run in turns in the same process and
the ratio is what counts, for the machine's own speed drops out of it.
"""
