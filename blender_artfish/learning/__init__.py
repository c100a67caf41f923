"""The Learning panel: a shoal's controllers, hand-made or learned."""
