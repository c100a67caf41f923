"""Adopting a fish: any mesh, with or without an armature, becomes a species that swims as its own shape does.

    pose.guess(model)                      which way its nose and its back point, and how sure that is
    pose.standing(model, pose)             the same model in body lengths in a fish's own frame
    nature.species(model, name, pose)      a species measured from it
    binding.bind(net, standing_model)      its vertices, moved by the control points of that species
    faults.faults(model)                   what is wrong with it, in plain words

A model is a `model.Model`: vertices, faces, the object that each vertex came from, named groups and bones.
"""
