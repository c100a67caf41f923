"""Adopting a fish: any mesh, with or without an armature, becomes a species that swims as its own shape does.

    pose.guess(model)                      the axes of its nose and its back, and how certain they are

A model is a `model.Model`: vertices, faces, the object that each vertex came from, named groups and bones.
"""
