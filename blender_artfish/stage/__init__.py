"""Light, water, scenery, camera and rendering."""
