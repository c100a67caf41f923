"""Tables of tracks that are dropped into the 3D View: fishes swim where real ones were seen, and are baked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy

from ..blender import parts
from ..blender.background import GivenUp, in_thread
from ..blender.jobs import Job, JobOutcome, OneAtATime, Steps, Work
from ..blender.layout import draw_lines, split
from ..blender.words import Message, counted, translated
from ..identity.film_time import set_rate
from ..identity.roles import LINKED, is_linked
from ..languages.sentences import understood
from ..scene.dropping import Dropped, OverView
from ..scene.operators import species_items
from ..scene.presets import usual_timing
from ..species import library
from . import plan

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

    from ...core.recording import Recording
    from ...core.scene.species import Species

USUAL_SPECIES = "sardine"
BODIES_ACROSS = 30.0
"""Bodies of fishes across all places in pixels, by which the size of a body is guessed until an animator says it."""
DONE_WITH_TRACKS: Message = "Fishes swim along them and are baked into this scene"
FOLLOWED = 0.9
"""Share of the work that is done once the fishes have followed their tracks; the rest writes the recording."""


class TrackOrder(NamedTuple):
    """An order to have fishes follow tracks.

    Attributes:
        table: The table of the tracks.
        target: The recording that is written.
        species: The species of the fishes.
        body: Length of one in the unit of the table.
        fps: Frames of the tracks in a second.
        y_down: Whether y counts down.
    """

    table: Path
    target: Path
    species: Species
    body: float
    fps: float
    y_down: bool


class TrackSettings(OneAtATime):
    """The settings by which fishes follow tracks; base of the operators that have them."""

    filepath: bpy.props.StringProperty(
        name="File", description="The table of tracks", subtype="FILE_PATH", options={"SKIP_SAVE"}
    )
    species: bpy.props.EnumProperty(
        name="Species", description="Which fishes swim along the tracks", items=species_items, options={"SKIP_SAVE"}
    )
    fps: bpy.props.FloatProperty(
        name="Frames a Second",
        description="Of the video that they were tracked in",
        default=24.0,
        min=0.01,
        max=10_000.0,
        soft_min=1.0,
        soft_max=240.0,
        options={"SKIP_SAVE"},
    )
    body: bpy.props.FloatProperty(
        name="Body Length",
        description="Of one fish, in the unit of the table, such as pixels: the smaller, the farther the fishes swim",
        default=1.0,
        min=1e-6,
        max=1e6,
        options={"SKIP_SAVE"},
    )
    y_down: bpy.props.BoolProperty(
        name="Y Counts Down",
        description="As in pictures; without it every turn of such tracks is mirrored",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def missing(cls, context: bpy.types.Context) -> Message:
        """Surfaces can be made in Object Mode only."""
        if is_linked(context.scene):
            return LINKED
        return "Go to Object Mode to bake" if context.mode != "OBJECT" else ""

    @property
    def path(self) -> Path:
        """The table."""
        return Path(bpy.path.abspath(self.filepath)).absolute()

    @property
    def recorded(self) -> Path:
        """The file that is recorded into, beside the table."""
        return self.path.with_name(f"{self.path.stem}_{self.species}.npz")


class ARTFISH_OT_drop_tracks(TrackSettings, Dropped):
    """Have fishes swim where a table of tracks, which was dropped into the view, says that real ones were seen"""

    bl_idname = "artfish.drop_tracks"
    bl_label = "Follow and Bake"
    bl_options = {"REGISTER", "INTERNAL"}

    said: tuple[str, ...] = ()
    frames = 0

    def draw(self, context: bpy.types.Context) -> None:
        """The lines, and the settings."""
        column = self.layout.column(align=True)
        length = translated("{seconds:.3g} s", seconds=self.frames / self.fps)
        column.label(text=f"{self.said[0]}, {length}", icon="FILE")
        column.label(text=translated(DONE_WITH_TRACKS), translate=False)
        there: Message = "The recording takes the place of {file}, beside the table"
        anew: Message = "The recording is {file}, beside the table"
        pattern = there if self.recorded.exists() else anew
        column.label(text=translated(pattern, file=self.recorded.name), translate=False)
        for note in self.said[1:]:
            draw_lines(column, note, icon="ERROR")
        column = split(self.layout).column(align=True)
        for name in ("species", "fps", "body", "y_down"):
            column.prop(self, name)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Follows and bakes by the settings; by guesses where there are none."""
        if not self.said and not self._recognise(context):
            return {"CANCELLED"}
        parts.show(context, parts.DELIVER)
        given = {name: getattr(self, name) for name in ("filepath", "species", "fps", "body", "y_down")}
        way = "EXEC_DEFAULT" if bpy.app.background else "INVOKE_DEFAULT"
        result = bpy.ops.artfish.follow_tracks(way, **given)
        return {"CANCELLED"} if result == {"CANCELLED"} else {"FINISHED"}

    def _recognise(self, context: bpy.types.Context) -> bool:
        """Reads the table, and sets what has not been set; reports an error if it is none."""
        import numpy as np

        from ...core.base.codec import SceneError
        from ...core.studio.recognising import tracks_line
        from ...core.studio.tracks import Tracks

        try:
            tracks = Tracks.read(self.path)
            if tracks.pictured:
                tracks = Tracks.read(self.path, y_down=True)
        except SceneError as error:
            self.refuse(error)
            return False
        words = understood(tracks_line(tracks))
        self.said = words[:1].upper() + words[1:], *map(understood, tracks.notes)
        self.frames = len(tracks.places)
        scene, chosen = context.scene, context.object
        kinds = library.names(scene)
        of = chosen.artfish.shoal.species if chosen is not None and chosen.artfish.kind == "SHOAL" else USUAL_SPECIES
        across = float((np.nanmax(tracks.places, axis=(0, 1)) - np.nanmin(tracks.places, axis=(0, 1))).max())
        guesses: dict[str, Any] = {
            "species": of if of in kinds else next(iter(kinds)),
            "fps": tracks.rate or scene.render.fps / scene.render.fps_base,
            "y_down": tracks.pictured,
        }
        for name, guess in guesses.items():
            if not self.properties.is_property_set(name):
                setattr(self, name, guess)
        if not self.properties.is_property_set("body"):
            self.body = across / BODIES_ACROSS if tracks.pictured else library.models(scene)[self.species].length
        return True


class ARTFISH_OT_follow_tracks(TrackSettings, Work, bpy.types.Operator):
    """Have fishes swim along tracks of real ones, record them beside the table, and bake them into this scene"""

    bl_idname = "artfish.follow_tracks"
    bl_label = "Follow Tracks"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    def new_job(self, context: bpy.types.Context) -> Job[JobOutcome]:
        """The swim along the tracks, as a job."""
        species = library.models(context.scene)[self.species]
        order = TrackOrder(self.path, self.recorded, species, self.body, self.fps, self.y_down)
        return follow_job(context.scene, order)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Follows and bakes, all in one go."""
        result = super().execute(context)
        return self._bake(context, "EXEC_DEFAULT") if result == {"FINISHED"} else result

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """As any work; the bake begins at its end."""
        result = super().modal(context, event)
        if result == {"FINISHED"}:
            self._bake(context, "INVOKE_DEFAULT")
        return result

    def _bake(self, context: bpy.types.Context, way: Any) -> set[Result]:
        """Bakes the recording, or says why that has to wait."""
        missing = plan.obstacle(context.scene)
        if not missing:
            return bpy.ops.artfish.bake(way)
        self.report({"WARNING"}, translated(missing))
        return {"FINISHED"}


def follow_job(scene: bpy.types.Scene, order: TrackOrder) -> Job[JobOutcome]:
    """Has fishes follow tracks; the commit writes the recording, and has the panel bake it."""
    return Job(partial(_prepare, scene, order))


def _prepare(scene: bpy.types.Scene, order: TrackOrder, job: Job[JobOutcome]) -> Steps[Callable[[], JobOutcome]]:
    """Have fishes follow the tracks of a table.

    Raises:
        SceneError: The table is none, or of another rate, or its folder cannot be written to.
    """
    yield from plan.load(job)
    from ...core.base.files import ensure_writable
    from ...core.studio.following import follow
    from ...core.studio.tracks import Tracks

    ensure_writable(order.target, ".npz")
    job.text = translated("Reading the tracks")
    yield

    def swim(share: float) -> None:
        if job.cancelled:
            raise GivenUp
        job.advance(FOLLOWED * share, translated("Following the tracks"))

    def work() -> Recording:
        tracks = Tracks.read(order.table, order.species.length / order.body, order.fps, order.y_down)
        return follow(tracks, order.species, order.fps, progress=swim).recording

    recording = yield from in_thread(work)

    def record() -> JobOutcome:
        recording.save(order.target)
        bake = scene.artfish.bake
        bake.source, bake.file = "FILE", str(order.target)
        if usual_timing(scene) == "TAKE":
            set_rate(scene, recording.fps)
            scene.frame_end = scene.frame_start + recording.frames - 1
        return JobOutcome(
            counted(
                len(recording.species),
                "{count} fish has followed its track, recorded in {file}",
                "{count} fishes have followed their tracks, recorded in {file}",
                file=order.target.name,
            )
        )

    return record


class ARTFISH_FH_tracks(OverView, bpy.types.FileHandler):
    """Tables of tracks that are dropped into a 3D View"""

    bl_idname = "ARTFISH_FH_tracks"
    bl_label = "Artfish, tracks"
    bl_import_operator = "artfish.drop_tracks"
    bl_file_extensions = ".csv"


CLASSES = (ARTFISH_OT_drop_tracks, ARTFISH_OT_follow_tracks, ARTFISH_FH_tracks)
