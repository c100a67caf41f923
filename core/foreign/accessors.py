"""The arrays of a glTF: how many numbers each says that it has, and whether they are there."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.codec import SceneError, shown
from .gltf_items import Items

COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
MOST_BLANK = 4_000_000
"""Numbers of an array of which a file says only how long it is."""


class Accessors:
    """The arrays of a model.

    Attributes:
        buffers: Bytes of its buffers.
        documents: The copy's description of each array.
        view_documents: The copy's description of each part of the buffers.
    """

    def __init__(self, items: Items, buffers: list[bytes]) -> None:
        """Checks all of them.

        Raises:
            SceneError: If one says that it has more than there is, or something that makes no sense.
        """
        self.buffers, self._items = buffers, items
        self.view_documents = [self._view(number) for number in range(items.count("bufferViews"))]
        self.documents = [self._accessor(number) for number in range(items.count("accessors"))]

    def view(self, number: int) -> bytes:
        """The bytes of a part of the buffers."""
        view = self.view_documents[number]
        return self.buffers[view["buffer"]][view["byteOffset"] : view["byteOffset"] + view["byteLength"]]

    def values(self, number: int) -> np.ndarray:
        """The numbers of an array, as they are stored, (count, width)."""
        document = self.documents[number]
        width, kind, count = (
            WIDTHS[document["type"]],
            np.dtype(COMPONENTS[document["componentType"]]),
            document["count"],
        )
        if "bufferView" not in document:
            values = np.zeros((count, width), kind)
        else:
            view = self.view_documents[document["bufferView"]]
            step, content = view.get("byteStride", width * kind.itemsize), self.view(document["bufferView"])
            values = np.ndarray((count, width), kind, content, document["byteOffset"], (step, kind.itemsize))
        if "sparse" in document:
            sparse = document["sparse"]
            values = values.copy()
            values[self._sparse_rows(sparse)] = self._plain(sparse["values"], kind, sparse["count"] * width).reshape(
                -1, width
            )
        return values

    def kind(self, number: int) -> tuple[str, int, int]:
        """Type, component and count of an array."""
        document = self.documents[number]
        return document["type"], document["componentType"], document["count"]

    def _view(self, number: int) -> dict[str, Any]:
        items, key = self._items, f"bufferViews[{number}]"
        view = items.at("bufferViews", number)
        made = {
            "buffer": items.row(view, "buffer", "buffers", key, needed=True),
            "byteOffset": items.whole(view, "byteOffset", key, 0, 0),
            "byteLength": items.whole(view, "byteLength", key, 1),
        }
        there = len(self.buffers[made["buffer"]]) - made["byteOffset"]
        if made["byteLength"] > there:
            raise SceneError(
                f"{made['byteLength']} bytes", f"up to {max(there, 0)}, as many as the buffer has", f"{key}.byteLength"
            )
        if view.get("byteStride") is not None:
            made["byteStride"] = items.whole(view, "byteStride", key, 4)
        return made

    def _accessor(self, number: int) -> dict[str, Any]:
        items, key = self._items, f"accessors[{number}]"
        accessor = items.at("accessors", number)
        kind, component = accessor.get("type"), accessor.get("componentType")
        if not isinstance(kind, str) or kind not in WIDTHS:
            raise SceneError(shown(kind), f"one of {', '.join(WIDTHS)}", f"{key}.type")
        if isinstance(component, bool) or not isinstance(component, int) or component not in COMPONENTS:
            raise SceneError(shown(component), f"one of {', '.join(map(str, COMPONENTS))}", f"{key}.componentType")
        made: dict[str, Any] = {
            "type": kind,
            "componentType": component,
            "count": items.whole(accessor, "count", key, 1),
        }
        if accessor.get("normalized") is True:
            made["normalized"] = True
        width, size = WIDTHS[kind], np.dtype(COMPONENTS[component]).itemsize
        view = items.row(accessor, "bufferView", "bufferViews", key)
        if view is not None:
            made["bufferView"], made["byteOffset"] = view, items.whole(accessor, "byteOffset", key, 0, 0)
            step = self.view_documents[view].get("byteStride", width * size)
            if step % size or step < width * size:
                raise SceneError(
                    shown(step), f"{width * size} or more, in steps of {size}", f"bufferViews[{view}].byteStride"
                )
            there = self.view_documents[view]["byteLength"] - made["byteOffset"]
            most = (there - width * size) // step + 1 if there >= width * size else 0
            if made["count"] > most:
                raise SceneError(f"{made['count']}", f"up to {most}, as many as there are bytes for", f"{key}.count")
        elif made["count"] * width > MOST_BLANK:
            raise SceneError(
                f"{made['count']}", f"up to {MOST_BLANK // width} of which there are no bytes", f"{key}.count"
            )
        if accessor.get("sparse") is not None:
            made["sparse"] = self._sparse(accessor["sparse"], made, f"{key}.sparse")
        return made

    def _sparse(self, sparse: Any, accessor: dict[str, Any], key: str) -> dict[str, Any]:
        """Some rows of an array that have other values."""
        items = self._items
        if not isinstance(sparse, dict) or not all(isinstance(sparse.get(of), dict) for of in ("indices", "values")):
            raise SceneError(shown(sparse), "a count, indices and values", key)
        made: dict[str, Any] = {"count": items.whole(sparse, "count", key, 1)}
        for name, item in (("indices", sparse["indices"]), ("values", sparse["values"])):
            made[name] = {
                "bufferView": items.row(item, "bufferView", "bufferViews", f"{key}.{name}", needed=True),
                "byteOffset": items.whole(item, "byteOffset", f"{key}.{name}", 0, 0),
            }
        component = sparse["indices"].get("componentType")
        if component not in (5121, 5123, 5125):
            raise SceneError(shown(component), "5121, 5123 or 5125", f"{key}.indices.componentType")
        made["indices"]["componentType"] = component
        rows = self._sparse_rows(made)
        if len(rows) and rows.max() >= accessor["count"]:
            raise SceneError(f"the row {rows.max()}", f"less than {accessor['count']}", f"{key}.indices")
        many = made["count"] * WIDTHS[accessor["type"]]
        self._plain(made["values"], np.dtype(COMPONENTS[accessor["componentType"]]), many)
        return made

    def _sparse_rows(self, sparse: dict[str, Any]) -> np.ndarray:
        kind = np.dtype(COMPONENTS[sparse["indices"]["componentType"]])
        return self._plain(sparse["indices"], kind, sparse["count"]).astype(np.int64)

    def _plain(self, item: dict[str, Any], kind: np.dtype, many: int) -> np.ndarray:
        """So many numbers, one behind the other."""
        content = self.view(item["bufferView"])[item["byteOffset"] :]
        if many * kind.itemsize > len(content):
            raise SceneError(
                f"{many} numbers", f"up to {len(content) // kind.itemsize}, as many as there are bytes for", "sparse"
            )
        return np.frombuffer(content, kind, many)
