"""The Learning panel is there for shoals."""

import bpy

from artfish.blender_artfish.learning.panel import ARTFISH_PT_learning


def test_it_is_there_where_a_shoal_is_selected():
    bpy.context.window_manager.artfish_part = "MORE"
    assert not ARTFISH_PT_learning.poll(bpy.context)
    bpy.ops.artfish.add_shoal(species="sardine", count=2)
    assert ARTFISH_PT_learning.poll(bpy.context)
    bpy.context.window_manager.artfish_part = "MAKE"
    assert not ARTFISH_PT_learning.poll(bpy.context)
