"""Panels of the tab "Artfish" in the 3D View's sidebar."""
