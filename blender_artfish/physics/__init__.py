"""The numbers of the simulation: time step, water, currents."""
