"""Every operator that can be undone is done and undone in one step, each in a file opened anew."""

import bpy
from driver import OUT, choose, inside, log, module, result, wait_redraw, wait_until

FRAMES = 6
CARE = ("artfish_live",)  # groups whose numbers say where undo stands; what they hold is compared as acts


def operators():
    """All operators of the add-on, by the names that scripts call them by."""
    names = [name for name in dir(bpy.types) if name.startswith("ARTFISH_OT_")]
    return {getattr(bpy.types, name).bl_idname: getattr(bpy.types, name) for name in names}


# --- what is compared ---------------------------------------------------------------------------------------------


def dump(group):
    """The numbers of a property group, and of the groups in it."""
    values = {}
    for prop in group.bl_rna.properties:
        name = prop.identifier
        value = getattr(group, name)
        if name == "rna_type":
            continue
        if prop.type == "POINTER":
            values[name] = dump(value) if isinstance(value, bpy.types.PropertyGroup) else getattr(value, "name", None)
        elif prop.type == "COLLECTION":
            values[name] = [dump(each) for each in value]
        elif getattr(prop, "is_array", False):
            values[name] = [round(part, 5) for part in value]
        else:
            values[name] = round(value, 5) if isinstance(value, float) else str(value)
    return values


def state():
    """All that a person would miss after an undo."""
    scene, session = bpy.context.scene, module("blender_artfish.live.runtime").session_of(bpy.context.scene)
    active = bpy.context.view_layer.objects.active
    seen = {
        "names": {kind: sorted(obj.name for obj in getattr(bpy.data, kind))
                  for kind in ("objects", "collections", "materials", "meshes", "curves", "actions", "cameras")},
        "scene": dump(scene.artfish),
        "ride": scene.artfish_dive.ride,
        "breeding": dump(scene.artfish_breeding),
        "takes": dump(scene.artfish_takes),
        "camera": getattr(scene.camera, "name", None),
        "cuts": sorted((marker.frame, getattr(marker.camera, "name", None)) for marker in scene.timeline_markers),
        "range": [scene.frame_start, scene.frame_end, scene.frame_current],
        "active": getattr(active, "name", None),
        "mode": bpy.context.mode,
        "selected": sorted(obj.name for obj in bpy.context.selected_objects),
        "acts": None if session is None else len(session.rehearsal.acts),
        "pictures": {image.name: sorted(image.keys()) for image in bpy.data.images if image.name != "Render Result"},
    }  # fmt: skip
    seen["painted"] = {
        paint.name: sorted(node.label or node.name for node in paint.node_tree.nodes) if paint.node_tree else []
        for paint in bpy.data.materials
    }
    for obj in scene.objects:
        if not obj.get("artfish_live"):
            kept = dump(obj.artfish) if obj.artfish.kind != "NONE" else obj.artfish.kind
            seen[obj.name] = [[round(x, 4) for row in obj.matrix_world for x in row], kept]
    return seen


def differences(a, b, path=""):
    """The differences between two states, a line for each."""
    if isinstance(a, dict) and isinstance(b, dict):
        return [line for key in sorted({*a, *b}) for line in differences(a.get(key), b.get(key), f"{path}/{key}")]
    return [] if a == b else [f"{path}: {str(a)[:90]} -> {str(b)[:90]}"]


# --- what comes before each ---------------------------------------------------------------------------------------


def shoal():
    return next(obj for obj in bpy.context.scene.objects if obj.artfish.kind == "SHOAL")


def choose_shoal():
    choose(shoal())


def third_frame():
    choose_shoal()
    bpy.context.scene.frame_set(3)


def choose_cube():
    choose(bpy.data.objects["Cube"])


def open_cube():
    """An obstacle that lacks a face."""
    choose_cube()
    bpy.ops.artfish.mark(kind="OBSTACLE")
    mesh = bpy.data.objects["Cube"].data
    corners, faces = [corner.co[:] for corner in mesh.vertices], [list(face.vertices) for face in mesh.polygons]
    mesh.clear_geometry()
    mesh.from_pydata(corners, [], faces[1:])
    mesh.update()


def choose_fish():
    choose(next(obj for obj in bpy.context.scene.objects if "artfish_row" in obj))


def late():
    choose_fish()
    bpy.context.scene.frame_set(5)


def add_member():
    choose_shoal()
    bpy.ops.artfish.member_add()


def add_instructions():
    choose_shoal()
    bpy.ops.artfish.add_instruction()
    bpy.ops.artfish.add_instruction()


def add_relation():
    choose_shoal()
    bpy.ops.artfish.relation_add()


def set_physics():
    bpy.context.scene.artfish.water.substeps = 5


def other_species():
    settings = bpy.context.scene.artfish
    settings.species[0].about.length = 0.5
    settings.species[0].origin = "clownfish"


def save_mine():
    library = module("blender_artfish.species.library")
    if "mine" in library.own():  # undo has brought it back
        library.delete("mine")
    settings = bpy.context.scene.artfish
    bpy.ops.artfish.species_save_as(name="mine")
    settings.species[0].about.length = 0.5


def characterful():
    """A species that follows its traits, but for a number of its own."""
    bpy.ops.artfish.species_character()
    bpy.context.scene.artfish.species[0].body.viscosity = 1.5


def two_events():
    """Food that may come at another time, and a fright that stays."""
    sync, made = bpy.context.scene.artfish.sync, {}
    for kind, seconds in (("food", 0.5), ("fright", 2.0)):
        bpy.ops.artfish.add_direction(kind=kind)
        made[kind] = bpy.context.object
        getattr(made[kind].artfish, kind).time = seconds
    sync.first.event, sync.second.event = "food", "fright"
    sync.first.start = made["food"]
    bpy.context.scene.frame_end = 60


def hasty_curve():
    """A curve whose time is too short for those that it leads."""
    choose_shoal()
    bpy.ops.artfish.add_direction(kind="curve")
    timing = bpy.context.object.artfish.curve
    timing.use_duration, timing.duration = True, 0.2


def play_live():
    """Begins live play, and pauses."""
    bpy.ops.artfish.live_play()
    yield 0.3
    with inside():
        bpy.ops.screen.animation_cancel(restore_frame=False)
    session = module("blender_artfish.live.runtime").session_of(bpy.context.scene)
    yield from wait_until(lambda: session.shown >= 0 and session.goal is None, 120, "fishes")
    choose_fish()


def dived():
    """Dives, so that the scene has a ride."""
    yield from play_live()
    bpy.ops.artfish.dive(orders=ORDERS)
    yield 0.3


def look_through():
    choose_fish()
    bpy.ops.artfish.look_through()


def film():
    """Makes a shot."""
    choose_fish()
    bpy.ops.artfish.film_fish(seconds=0.2)


def fit():
    bpy.ops.artfish.fit_grid(image="Fish")


def wear():
    fit()
    bpy.ops.artfish.wear_picture(image="Fish")


def parents():
    settings = bpy.context.scene.artfish_breeding
    settings.mother, settings.father = "clownfish", "sardine"


def bred():
    """Breeds, and chooses one of the nine children."""
    parents()
    bpy.ops.artfish.breed()
    choose(bpy.context.scene.artfish_breeding.brood[4].shoal)


def wish():
    """Wishes for a take of a short film."""
    choose_shoal()
    scene = bpy.context.scene
    bpy.ops.artfish.wish_add()
    scene.frame_end = scene.frame_start + 3
    scene.artfish_takes.count, scene.artfish_takes.seed = 2, 5


def varied():
    """Has a number vary."""
    bpy.ops.artfish.vary_add(number="|light.diffuse")


def took():
    """Makes two takes of a number that varies."""
    wish()
    varied()
    bpy.ops.artfish.run_takes()


ORDERS = '[{"time": 0, "order": "accelerate"}]'
ROW = {"part": "form", "field": "back", "index": 1}
PICTURE = {"image": "Fish"}
KNOWN = {
    "artfish.mark": (choose_cube, {"kind": "OBSTACLE"}),
    "artfish.remove": (choose_shoal, {}),
    "artfish.select": (choose_cube, {"name": "Tank"}),
    "artfish.load_preset": (None, {"preset": "feeding"}),
    "artfish.load_scene": (None, {"filepath": str(OUT / "scene.json")}),
    "artfish.drop_file": (None, {"filepath": str(OUT / "scene.json")}),
    "artfish.drop_model": (None, {"filepath": str(OUT / "scene.json")}),
    "artfish.follow_tracks": (None, {"filepath": str(OUT / "tracks.csv"), "species": "sardine", "body": 0.2}),
    "artfish.fit_tank": (choose_cube, {"to": "SELECTION"}),
    "artfish.select_open_edges": (open_cube, {}),
    "artfish.mark_direction": (choose_cube, {"kind": "target"}),
    "artfish.synchronise": (two_events, {}),
    "artfish.time_here": (third_frame, {}),
    "artfish.fit_time": (hasty_curve, {}),
    "artfish.fit_length": (hasty_curve, {}),
    "artfish.add_instruction": (choose_shoal, {}),
    "artfish.remove_instruction": (add_instructions, {}),
    "artfish.move_instruction": (add_instructions, {"up": True}),
    "artfish.physics_defaults": (set_physics, {}),
    "artfish.relation_add": (choose_shoal, {}),
    "artfish.relation_remove": (add_relation, {}),
    "artfish.member_add": (choose_shoal, {}),
    "artfish.member_remove": (add_member, {}),
    "artfish.species_pick": (None, {"name": "sardine"}),
    "artfish.species_save_as": (None, {"name": "fine"}),
    "artfish.species_save": (save_mine, {}),
    "artfish.species_delete": (save_mine, {}),
    "artfish.species_restore": (other_species, {}),
    "artfish.species_character": (other_species, {}),
    "artfish.species_no_character": (characterful, {}),
    "artfish.species_as_traits": (characterful, {}),
    "artfish.species_import": (None, {"filepath": str(OUT / "species.json")}),
    "artfish.preview": (None, {}),
    "artfish.row_add": (None, ROW),
    "artfish.row_remove": (None, ROW),
    "artfish.wish_add": (None, {}),
    "artfish.wish_remove": (wish, {}),
    "artfish.vary_add": (choose_shoal, {"number": "|light.diffuse"}),
    "artfish.vary_remove": (varied, {}),
    "artfish.run_takes": (wish, {}),
    "artfish.use_take": (took, {"row": 0}),
    "artfish.breed": (parents, {}),
    "artfish.breed_parent": (bred, {"role": "FATHER"}),
    "artfish.breed_keep": (bred, {"name": "pearl"}),
    "artfish.live_end": (play_live, {}),
    "artfish.dive": (play_live, {"orders": ORDERS}),
    "artfish.dive_forget": (dived, {}),
    "artfish.feed": (play_live, {"location": (0.0, 0.0, 1.0)}),
    "artfish.frighten": (play_live, {"location": (0.0, 0.0, 1.0)}),
    "artfish.steer": (play_live, {"row": 0, "swim": 1.0}),
    "artfish.next_intention": (late, {"intention": "wander"}),
    "artfish.look_through": (choose_fish, {}),
    "artfish.look_back": (look_through, {}),
    "artfish.fit_grid": (None, PICTURE),
    "artfish.forget_grid": (fit, PICTURE),
    "artfish.wear_picture": (fit, PICTURE),
    "artfish.save_profile": (fit, PICTURE | {"filepath": str(OUT / "my_fish.json")}),
    "artfish.take_off_picture": (wear, PICTURE),
    "artfish.film_fish": (choose_fish, {"seconds": 0.2}),
    "artfish.film_again": (film, {"seconds": 0.1, "lens": 80.0}),
    "artfish.remove_shot": (film, {}),
}
"""Steps before an operator, and its settings; operators without an entry run with neither, in the plain file."""
BAKED = {
    *("artfish.next_intention", "artfish.look_through", "artfish.look_back", "artfish.revert_bake"),
    *("artfish.film_fish", "artfish.film_again", "artfish.remove_shot"),
}
"""Operators that need a baked fish."""
ALONE = {"artfish.snake_grid", "artfish.learn"}
"""Operators that have only a modal form, or take long: their own tests undo them."""


def picture():
    """A white fish before a black ground."""
    wide, high = 200, 100
    image = bpy.data.images.new("Fish", wide, high)
    inside_it = [((x - 100) / 80) ** 2 + ((y - 50) / 30) ** 2 < 1 for y in range(high) for x in range(wide)]
    image.pixels = [level for lit in inside_it for level in ((0.9, 0.9, 0.9, 1.0) if lit else (0.0, 0.0, 0.0, 1.0))]
    image.use_fake_user = True
    image.pack()


def main():
    """Runs every operator that can be undone in a file opened anew, undoes it, and notes the differences."""
    scene = bpy.context.scene
    scene.frame_end = FRAMES
    with inside():
        bpy.ops.artfish.add_shoal(species="clownfish", count=2)
        bpy.ops.artfish.add_pillar()
        bpy.ops.artfish.species_pick(name="clownfish")
        picture()
        bpy.ops.artfish.save_scene(filepath=str(OUT / "scene.json"))
        bpy.ops.artfish.species_export(filepath=str(OUT / "species.json"))
        (OUT / "tracks.csv").write_text("frame,id,x,y\n" + "".join(f"{n},a,{0.01 * n},0\n" for n in range(FRAMES)))
        bpy.ops.wm.save_as_mainfile(filepath=str(OUT / "plain.blend"))
        bpy.ops.artfish.bake()
        bpy.ops.wm.save_as_mainfile(filepath=str(OUT / "baked.blend"))
    found = operators()
    result("operators", sorted(found))
    result("without_undo", sorted(name for name, cls in found.items() if "UNDO" not in cls.bl_options))
    outcomes = {}
    for name, cls in sorted(found.items()):
        if "UNDO" not in cls.bl_options or name in ALONE:
            continue
        before, settings = KNOWN.get(name, (None, {}))
        with inside():
            bpy.ops.wm.open_mainfile(filepath=str(OUT / ("baked" if name in BAKED else "plain")) + ".blend")
        yield from wait_redraw(0.2)
        with inside():
            steps = before() if before else None
            if steps is None:
                bpy.ops.ed.undo_push(message="before")
        if steps is not None:
            yield from steps
            with inside():
                bpy.ops.ed.undo_push(message="before")
        first = state()
        with inside():
            group, called = name.split(".")
            try:
                answer = sorted(getattr(getattr(bpy.ops, group), called)("EXEC_DEFAULT", True, **settings))
            except RuntimeError as error:
                answer = [str(error)]
        yield 0.2
        done = state()
        with inside():
            if module("blender_artfish.live.pace").playing():
                bpy.ops.screen.animation_cancel(restore_frame=False)
            bpy.ops.ed.undo()
        undone = state()
        for _ in range(40):  # what plays live follows by and by
            if undone == first:
                break
            yield 0.2
            undone = state()
        outcomes[name] = [answer, differences(first, done)[:5], differences(first, undone)]
        log(name, outcomes[name])
    result("undone", outcomes)
