"""Ground floor of the add-on, without fishes: Blender's versions, handlers, jobs, threads, F-curves, shaders."""
