"""Meshes, solids as distance fields, and beds.

    surface = triangles.surface(vertices, faces)    any mesh, closed or open: cut, turned alike, gaps found
    surface.closed, surface.open_edges              whether there is a gap, and the edges at it
    surface.doubt, surface.doubtful, surface.sheet  0 to 1: how far it is a matter of opinion what is inside; whether
                                                    that is worth asking; whether it is a shell, which has no inside
    triangles.closed(vertices, faces)               the same of what must be closed, as a tank must
    MeshField(surface, region, thickness)           a solid, or a shell so thick: depth, distance, free_path, blocks

`MeshObstacle.surface` of a scene is such a surface, `MeshObstacle.thickness` the thickness, and `.solid` of every
obstacle, of pillars too, a `Solid`.
"""
