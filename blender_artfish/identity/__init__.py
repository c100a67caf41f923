"""Which object is what, who made it, what refers to it, and film time against scene time."""
