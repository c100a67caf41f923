"""The Mind panel and the overlays: what a fish feels, sees and is about."""
