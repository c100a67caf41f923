"""The tuned numbers of geometry: each with its unit, its reason and its source."""

from __future__ import annotations

from ..base.tuning import tuned

DOUBTFUL = tuned(0.6, "", "Doubt of an open mesh from which on it should be asked whether it is a solid at all")
SHEETLIKE = tuned(
    0.5, "", "Doubt of a mesh from which on it is a shell, where its filled gaps do not say what is inside"
)
NEAR_WHOLE = tuned(0.4, "turns", "How far a winding number may be from a whole one to be as good as that")
AGREED = tuned(
    0.9, "", "Share of the inside that must be inside too with all gaps filled, for the fillings to count as surface"
)
PROBES = tuned(512, "places", "At which an open mesh is asked what is inside")
SHEET_METRES = tuned(0.02, "m", "Thickness of a mesh that has no inside, where none is given")
