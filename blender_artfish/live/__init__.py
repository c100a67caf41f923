"""The Live panel: fishes swim along with the timeline, and are acted on."""
