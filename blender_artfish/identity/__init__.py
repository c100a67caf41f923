"""Identity of objects: their role, maker and references; and film time against scene time."""
