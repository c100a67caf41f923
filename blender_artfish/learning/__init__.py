"""The Learning panel: what a shoal swims by, and what fishes learned."""
