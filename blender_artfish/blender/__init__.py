"""What knows no fish: Blender's versions, handlers, jobs, threads, F-curves, shaders."""
