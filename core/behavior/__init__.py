"""The behavior of a fish: its decisions and their execution (Tu 1999, ch. 7).

`mind` is the loop; `decision` perceives, feels and chooses an intention, whose routine in `routines/` makes a plan;
`steering` carries it out by motor commands.
"""
