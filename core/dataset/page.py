"""The page of a set, `index.html`: its pictures with labels over them, in any browser, from a disk.

A page that lies on a disk may not fetch JSON, so the labels that it shows are scripts: `page/FILM-CAMERA-N.js`, each of
some frames, which is loaded when one of them is looked at. Everything else is in the page itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from .growing import GrowingText
from .page_script import VIEWER_SCRIPT
from .reading import LabelledPicture, LabelledSet

PAGE_FILE, PAGE_FOLDER = "index.html", "page"
CHUNK_CHARACTERS = 4 << 20
"""Characters of labels in a script, after which another begins."""
VIEWER_DIGITS, SHARE_DIGITS = 1, 4
SHOWN_LABELS = ("length", "sex", "intention", "hunger", "fear", "libido", "speed")
"""Labels of a fish that the page shows as they are."""
VIEWER_STYLE = """
:root{color-scheme:dark;--ground:#0d1419;--panel:#121b22;--line:#22303a;--ink:#d5dee4;--dim:#84959f;--glow:#6fb7c9}
*{box-sizing:border-box}
body{margin:0;height:100vh;display:grid;grid-template:52px 1fr 56px/1fr 296px;background:var(--ground);color:var(--ink);
  font:14px/1.45 system-ui,-apple-system,"Segoe UI",sans-serif;font-variant-numeric:tabular-nums;overflow:hidden}
header,footer{grid-column:1/3;display:flex;align-items:center;gap:14px;padding:0 20px;background:var(--panel)}
header{border-bottom:1px solid var(--line)}footer{border-top:1px solid var(--line)}
h1{font-size:15px;font-weight:600;margin:0;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;letter-spacing:.01em}
header .room{flex:1}.dim,small{color:var(--dim)}
label.pick{display:flex;align-items:center;gap:7px;color:var(--dim);font-size:13px}
select,button{font:inherit;font-size:13px;color:var(--ink);background:#1a262f;border:1px solid var(--line);
  border-radius:5px;padding:4px 9px}
button{min-width:66px;cursor:pointer}button:hover,select:hover{border-color:#3b4f5c}
:focus-visible{outline:2px solid var(--glow);outline-offset:1px}
main{position:relative;min-width:0;min-height:0;display:flex;align-items:center;justify-content:center;overflow:hidden}
#stage{position:relative;flex:none}#stage>*{position:absolute;inset:0;width:100%;height:100%}#over{cursor:crosshair}
#picture:not([src]){visibility:hidden}
#missing{position:absolute;inset:auto 20px 20px;background:#3a1d1d;color:#f0c8c4;padding:8px 12px;border-radius:5px}
aside{border-left:1px solid var(--line);background:var(--panel);min-height:0;display:flex;flex-direction:column}
section{padding:14px 18px;border-bottom:1px solid var(--line)}
h2{margin:0 0 6px;font-size:12px;font-weight:600;color:var(--dim)}
#layers label{display:flex;align-items:center;gap:9px;padding:2.5px 0;cursor:pointer}#layers span{flex:1}
input{accent-color:var(--glow);margin:0}
kbd{font:11px/16px ui-monospace,Menlo,Consolas,monospace;color:var(--dim);border:1px solid var(--line);
  border-radius:3px;min-width:20px;text-align:center;padding:0 4px}
#layers+label.pick{margin-top:8px;justify-content:space-between}
#fish{position:absolute;top:16px;right:16px;width:260px;padding:12px 16px;background:#121b22ed;
  border:1px solid var(--line);border-radius:7px;pointer-events:none}#fish.left{right:auto;left:16px}
#fish h3{margin:0 0 6px;font-size:14px;font-weight:600;white-space:pre}
dl{margin:0;font-size:13px}dl div{display:flex;gap:10px;padding:1.5px 0}
dt{color:var(--dim);width:70px;flex:none}dd{margin:0}
.list{flex:1;min-height:0;display:flex;flex-direction:column;padding-bottom:0;border:0}
ul{list-style:none;margin:8px -18px 0;padding:0 0 12px;overflow-y:auto;flex:1;scrollbar-width:thin;
  scrollbar-color:#2c3c47 transparent}
li{display:flex;justify-content:space-between;gap:8px;padding:2.5px 18px 2.5px 14px;border-left:4px solid transparent;
  cursor:pointer;font-size:13px;white-space:pre}
li span{overflow:hidden;text-overflow:ellipsis}
li span::before{content:"";display:inline-block;width:8px;height:8px;margin-right:9px;border-radius:50%;
  background:var(--tint)}
li:hover,li.pinned{background:#1a262f}li.pinned{border-color:var(--tint)}li.more{color:var(--dim);cursor:default}
#slider{flex:1;min-width:80px}#frame{min-width:170px;white-space:pre}#events{color:#e2b979;font-size:13px;max-width:30%;
  overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.keys{font-size:12px;color:var(--dim);white-space:nowrap}
@media(max-width:1100px){.keys{display:none}}
@media(max-width:760px){body{grid-template:52px 1fr 40% 56px/1fr}header,footer{grid-column:1}
  aside{overflow-y:auto;border:0}#path,.wide{display:none}}
"""
VIEWER_BODY = """<header><h1>{title}</h1><small id="path"></small><span class="room"></span>
<small id="split" class="wide"></small><label class="pick">Film<select id="film"></select></label>
<label class="pick">Camera<select id="camera"></select></label></header>
<main id="room"><div id="stage"><img id="picture" alt=""><canvas id="over"></canvas></div>
<div id="fish" hidden></div><div id="missing" hidden></div></main>
<aside><section><h2>Labels</h2><div id="layers"></div>
<label class="pick">Colour by<select id="colour"></select></label></section>
<section class="list"><h2 id="count"></h2><small>Point at a fish for more; click to keep it.</small>
<ul id="fishes"></ul></section></aside>
<footer><button id="play">Play</button><span id="frame"></span><input id="slider" type="range" min="0" value="0"
aria-label="Frame"><span id="events"></span><span class="keys"><kbd>&larr;</kbd> <kbd>&rarr;</kbd> frame &ensp;
<kbd>&uarr;</kbd> <kbd>&darr;</kbd> film &ensp; <kbd>C</kbd> camera &ensp; <kbd>Space</kbd> play</span></footer>"""


class PageWriter:
    """The page and its scripts, which grow picture after picture.

    Args:
        folder: Folder that they are written into.
        of: The data set.
    """

    def __init__(self, folder: Path, of: LabelledSet) -> None:
        self._folder, self._of = folder, of
        self._species = {name: number for number, name in enumerate(of.species)}
        self._chunks: dict[str, list[int]] = {}
        self._chunk: GrowingText | None = None

    def add(self, picture: LabelledPicture) -> None:
        """Adds a picture with its fishes."""
        if self._chunk is None or picture.place == 0 or self._chunk.size > CHUNK_CHARACTERS:
            self._begin(picture)
        assert self._chunk is not None
        frame = {
            "path": picture.path,
            "fishes": [self._fish(fish) for fish in picture.fishes],
            "events": [
                [event.get(key) for key in ("kind", "fish", "other")] for event in picture.data.get("events") or ()
            ],
        }
        self._chunk.add(_tight(frame) + ",\n")

    def finish(self) -> None:
        """Writes the rest."""
        self._end()
        page = GrowingText(self._folder / PAGE_FILE)
        page.add(self._page())
        page.flush()

    def _begin(self, picture: LabelledPicture) -> None:
        """Begin a script."""
        self._end()
        name = f"{picture.film}/{picture.camera}"
        starts = self._chunks.setdefault(name, [])
        starts.append(picture.place)
        file = f"{picture.film}-{picture.camera}-{len(starts)}.js"
        self._chunk = GrowingText(self._folder / PAGE_FOLDER / file)
        self._chunk.add(f'artfish("{name}",{picture.place},[\n')

    def _end(self) -> None:
        if self._chunk is not None:
            self._chunk.add("]);\n")
            self._chunk.flush()
            self._chunk = None

    def _fish(self, fish: Mapping[str, Any]) -> dict[str, Any]:
        seen, own = fish["seen"], {}
        if seen:
            own = {key: seen[key] for key in ("box", "pixels")}
            own |= {"share": _round(seen["share"]), "rle": seen["rle"]["counts"]}
        return {
            "fish": fish.get("fish"),
            "track": fish["track"],
            "species": self._species[fish["species"]],
            **own,
            "whole": [round(number, VIEWER_DIGITS) for number in fish["whole"]["box"]],
            "cut": _round(fish["cut_off"]),
            "hidden": _round(fish["hidden"]),
            "by": [[other.get("fish"), _round(other.get("share", 0.0))] for other in fish.get("hidden_by") or ()],
            "points": [[round(x, VIEWER_DIGITS), round(y, VIEWER_DIGITS), v] for x, y, v, *_ in fish["keypoints"]],
            **{key: _round(fish.get(key)) for key in SHOWN_LABELS},
            **({"tiny": True} if fish.get("tiny") else {}),
        }

    def _page(self) -> str:
        of = self._of
        title = of.data.get("title") or of.data.get("scene") or "Labelled fishes"
        films = [
            {
                "name": film.name,
                "frames": film.frames,
                "val": [frame for frame in film.frames if (film.name, frame) in of.validation],
            }
            for film in of.films
        ]
        data = {
            "size": of.size,
            "species": of.species,
            "skeleton": of.skeleton,
            "cameras": of.cameras,
            "films": [{**film, "val": len(film["val"]) == len(film["frames"]) or film["val"]} for film in films],
            "chunks": self._chunks,
        }
        return (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{escape(str(title))}</title><style>{VIEWER_STYLE}</style></head>\n<body>"
            f"{VIEWER_BODY.format(title=escape(str(title)))}\n"
            f'<script id="set" type="application/json">{_tight(data)}</script>\n'
            f"<script>{VIEWER_SCRIPT}</script></body></html>\n"
        )


def _tight(data: Any) -> str:
    """JSON without spaces, in which nothing ends a script of HTML."""
    return json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _round(value: Any) -> Any:
    return round(value, SHARE_DIGITS) if isinstance(value, float) else value
