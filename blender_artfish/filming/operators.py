"""Operators of the cinematographer: cameras for fishes, events and the best moments of a bake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..bake import history, whole_fish
from ..blender.declarations import declared
from ..blender.jobs import BUSY, at_work
from ..blender.words import Message, counted, translated
from ..identity import provenance
from ..scene.operators import Tool
from . import shots
from .properties import COUNT, FILL, MOST_IN_EDIT, NUMBERS, PAIR, PULL
from .words import kind_items, move_items

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

    from .shooting import Location

UNBAKED: Message = "Bake first: cameras find their way by what the fishes of a bake do"
UNSHOT: Message = "There is no shot in this scene"
MOVED: Message = "; fishes that were moved or retimed since the bake are filmed where they were"


def bake_of(context: bpy.types.Context, made: set[str] | None = None) -> history.Bake | None:
    """The bake of the active object, or else the last one; None if nothing is baked.

    Args:
        context: The context.
        made: The ids of the scene's bakes, if they are known.
    """
    made = history.made_in(context.scene) if made is None else made
    active = "" if context.object is None else provenance.of(context.object, provenance.BAKE)
    chosen = active if active in made else max(made, key=provenance.number_of, default="")
    return history.Bake(context.scene, chosen) if chosen else None


class Filming(Tool):
    """Base of the operators that make shots."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Something must be baked, and no job be at work."""
        if not super().poll(context):
            return False
        missing = BUSY if at_work() else cls.missing(context)
        cls.poll_message_set(translated(missing) if missing else cls.bl_label)
        return not missing

    @classmethod
    def missing(cls, context: bpy.types.Context) -> Message:
        """A sentence on what is missing; "" if all is there."""
        return "" if history.last(context.scene) is not None else UNBAKED

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Makes the shots, or none."""
        from ...core.base.codec import SceneError
        from .shooting import Location

        settings, bake = context.scene.artfish_film, bake_of(context)
        if bake is None:
            return self.refuse(UNBAKED)
        for name in self.from_panel():  # so that the last operation can be adjusted from its own values
            if not self.properties.is_property_set(name):
                setattr(self, name, getattr(settings, name))
        try:
            said = self.do(context, Location.of(context, bake, settings.only))
        except SceneError as error:
            return self.refuse(error)
        self.report({"INFO"}, said + (translated(MOVED) if whole_fish.is_nudged(context.scene) else ""))
        return {"FINISHED"}

    def from_panel(self) -> list[str]:
        """Names of properties taken from the panel where they are not given."""
        own = self.properties.bl_rna.properties.keys()
        return [name for name in (*NUMBERS, "pair", "pull", "number", "count", "fill") if name in own]

    def numbers(self) -> dict[str, Any]:
        """The numbers of the shot."""
        own = self.properties.bl_rna.properties.keys()
        return {name: getattr(self, name) for name in NUMBERS if name in own}

    def do(self, context: bpy.types.Context, location: Location) -> str:
        """Makes the shots; returns a report."""
        raise NotImplementedError


class OneShot(Filming):
    """Base of the operators that make one shot."""

    move: bpy.props.EnumProperty(name="Move", description="How the camera goes", items=move_items())
    size: declared("FilmShot", "size")
    lens: declared("FilmShot", "lens")
    seconds: declared("FilmShot", "seconds")
    blur: declared("FilmShot", "blur")
    pair: bpy.props.BoolProperty(name="With the Other", description=PAIR)
    pull: bpy.props.BoolProperty(name="Pull Focus", description=PULL)


def _described(camera: bpy.types.Object) -> str:
    """A shot in words: its camera and its frames, which are not those at the playhead if the film is elsewhere."""
    first, last, _ = shots.span_of(camera)
    return translated("{camera}, frames {first} to {last}", camera=camera.name, first=first, last=last)


class ARTFISH_OT_film_fish(OneShot):
    """Make a keyed camera that films the active fish from this frame on, and cut to it"""

    bl_idname = "artfish.film_fish"
    bl_label = "Film This Fish"

    number: bpy.props.IntProperty(name="Fish", description="Of a crowd, which of its fishes", default=1, min=1)

    @classmethod
    def missing(cls, context: bpy.types.Context) -> Message:
        """A baked fish or a crowd must be active."""
        if missing := super().missing(context):
            return missing
        active = context.object
        role = "" if active is None else provenance.of(active, provenance.ROLE)
        fish = role.startswith(whole_fish.CROWD_ROLE) or whole_fish.root_of(active) is not None
        return "" if fish else "Select a baked fish first, by any of its parts"

    def do(self, context: bpy.types.Context, location: Location) -> str:
        """Films the fish."""
        from .shooting import of_fish, shoot

        shot = of_fish(location, location.row(self.number), self.numbers(), self.pair, self.pull)
        (camera,) = shoot(location, (shot,))
        return _described(camera)


class ARTFISH_OT_film_event(OneShot):
    """Make a keyed camera that films an event and who takes part in it, and cut to it before it happens"""

    bl_idname = "artfish.film_event"
    bl_label = "Film This Event"

    kind: bpy.props.EnumProperty(name="What", description="What happens", items=kind_items()[1:])
    nth: bpy.props.IntProperty(
        name="Which", description="Which event of the kind, counted from 0; from -1 back from the last"
    )

    def do(self, context: bpy.types.Context, location: Location) -> str:
        """Films the event."""
        from .shooting import happened, of_event, shoot

        there = sum(event["kind"] == self.kind for event in happened(location.recording))
        if not -there <= self.nth < there:
            from ...core.base.codec import SceneError

            word = dict(item[:2] for item in kind_items())[self.kind].lower()
            raise SceneError(
                f"{word} {self.nth}",
                translated("one of the {there} in this bake", there=there) if there else "one that happens",
            )
        shot = of_event(location, self.kind, self.nth, self.numbers(), self.pair, self.pull)
        (camera,) = shoot(location, (shot,))
        return _described(camera)


class ARTFISH_OT_film_edit(Filming):
    """Make keyed cameras for the best moments of what was baked, and cut from one to the next; shots of yours stay"""

    bl_idname = "artfish.film_edit"
    bl_label = "Make an Edit of the Best Moments"

    count: bpy.props.IntProperty(name="Moments", description=COUNT, default=10, min=1, max=MOST_IN_EDIT)
    fill: bpy.props.BoolProperty(name="Fill Gaps", description=FILL)
    lens: declared("FilmShot", "lens")
    seconds: declared("FilmShot", "seconds")
    blur: declared("FilmShot", "blur")

    def do(self, context: bpy.types.Context, location: Location) -> str:
        """Films the moments; the shots of the edit before go, unless somebody has worked on them."""
        from .shooting import best, shoot

        scene = context.scene
        former = shots.of_edit(scene)
        kept = [camera for camera in shots.shots_of(scene) if camera not in former]
        planned = best(location, self.count, self.numbers(), self.fill, location.unfilmed(kept))
        ways = [location.way(shot) for shot in planned]  # before anything is changed
        shots.take_out(scene, former)
        made = shoot(location, planned, ways)
        for camera in made:
            camera[shots.OF_EDIT] = True
        said = counted(len(made), "{count} shot of the best moments", "{count} shots of the best moments")
        return said + (translated(", around {count} that you have", count=len(kept)) if kept else "")


class ARTFISH_OT_film_again(OneShot):
    """Film a shot anew: by the numbers of the panel, or, after another bake, by what the fishes do now"""

    bl_idname = "artfish.film_again"
    bl_label = "Film Again"

    camera: bpy.props.StringProperty(name="Shot", description="Name of its camera; all shots if left empty")
    renew: bpy.props.BoolProperty(
        name="Only Renew", description="It keeps its own numbers, and goes by what the fishes do now"
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> Message:
        """There must be a shot."""
        return super().missing(context) or ("" if shots.shots_of(context.scene) else UNSHOT)

    def from_panel(self) -> list[str]:
        """The numbers of a shot; its subject stays."""
        return [] if self.renew else list(NUMBERS)

    def do(self, context: bpy.types.Context, location: Location) -> str:
        """Films the shot anew, or all."""
        from .shooting import shoot_again

        found = shots.called(context.scene, self.camera)
        if not found:
            from ...core.base.codec import SceneError

            raise SceneError(self.camera, "the camera of a shot")
        numbers = {} if self.renew else self.numbers()
        for camera in found:
            shoot_again(location, camera, dict(numbers))
        shots.take_out(context.scene, [each for each in shots.covered(context.scene) if each not in found])
        return counted(len(found), "Filmed {name} again", "Filmed {count} shots again", name=found[0].name)


class ARTFISH_OT_remove_shot(Tool):
    """Remove a shot with its camera, keys and markers; what was filmed with before is filmed with again"""

    bl_idname = "artfish.remove_shot"
    bl_label = "Remove Shot"

    camera: bpy.props.StringProperty(name="Shot", description="Name of its camera; all shots if left empty")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a shot."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated(UNSHOT))
        return bool(shots.shots_of(context.scene))

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Removes the shot, or all."""
        found = shots.called(context.scene, self.camera)
        if not found:
            return self.refuse(translated("No shot has a camera called {camera}", camera=self.camera))
        name = found[0].name
        shots.take_out(context.scene, found)
        self.report(
            {"INFO"},
            counted(len(found), "Removed {name}", "Removed {count} shots", name=name),
        )
        return {"FINISHED"}


class ARTFISH_OT_show_shot(bpy.types.Operator):
    """Go to the first frame of a shot, and look through its camera"""

    bl_idname = "artfish.show_shot"
    bl_label = "Show Shot"
    bl_options = {"REGISTER"}

    camera: bpy.props.StringProperty(name="Shot", description="Name of its camera")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a shot."""
        cls.poll_message_set(translated(UNSHOT))
        return bool(context.scene and shots.shots_of(context.scene))

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Shows the shot."""
        found = shots.called(context.scene, self.camera)
        if not found:
            self.report({"ERROR"}, translated("No shot has a camera called {camera}", camera=self.camera))
            return {"CANCELLED"}
        context.scene.frame_set(shots.span_of(found[0])[0])
        view = getattr(context.space_data, "region_3d", None)
        if view is not None:
            view.view_perspective = "CAMERA"
        return {"FINISHED"}


CLASSES = (
    ARTFISH_OT_film_fish,
    ARTFISH_OT_film_event,
    ARTFISH_OT_film_edit,
    ARTFISH_OT_film_again,
    ARTFISH_OT_remove_shot,
    ARTFISH_OT_show_shot,
)
