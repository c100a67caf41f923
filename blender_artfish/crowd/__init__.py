"""The form of a bake in which a whole shoal is one object, and its panel."""
