"""The asset library: fishes, schools, scenery and materials to drag into a view, and its place in the preferences."""
