"""Heredity: what a species declares as genes in linked groups, two copies of each, gametes, and children."""
