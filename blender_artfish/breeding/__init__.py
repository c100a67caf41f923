"""Breeding: nine children of two species that swim side by side, and what becomes of them."""
