"""The Dive panel: a submarine that is piloted through the water where the fishes play live."""
