"""The Mind panel and the overlays: a fish's feelings, senses and intentions."""
