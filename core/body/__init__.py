"""The biomechanical body: anatomy, dynamics, hydrodynamics and integrators (Tu 1999, ch. 4)."""
