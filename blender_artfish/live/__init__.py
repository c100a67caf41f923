"""The Live panel: fishes swim along with the timeline, and respond to acts."""
