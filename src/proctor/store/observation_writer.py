"""What was seen in the course of an episode, each thing written once."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from PIL import Image

from proctor.observations.encode import png
from proctor.observations.observation import Observation
from proctor.records import Saw
from proctor.store.background import EpisodeFiles
from proctor.store.files import packed_json
from proctor.store.pictures import same_pixels
from proctor.store.plain import marks_data, tree_data, windows_data

_SMALL_PIXELS = 128 * 1024
_SMALL_TREE = 20
"""What is smaller is written at once: that is cheaper than a thread."""


@dataclass(frozen=True, slots=True)
class _Shown:
    original: Image.Image
    kept: Image.Image
    """A copy: whoever was shown the original may draw on it while it is being encoded."""
    name: str


class ObservationWriter:
    """Writes what was seen and remembers what it wrote last."""

    def __init__(self, files: EpisodeFiles) -> None:
        self._files = files
        self._shown: dict[str, _Shown] = {}
        self._written: dict[str, tuple[object, str]] = {}
        self._free = 0

    def keep(self, observation: Observation, number: int) -> Saw:
        """Write what is new, in files named by a number, and return how to find everything again."""
        self._files.check()
        number = max(number, self._free)
        stem = f"{number:04d}"
        files: dict[str, str] = {}
        if observation.screenshot is not None:
            files["screenshot"] = self._picture("screenshot", observation.screenshot, f"{stem}.png")
        if (tree := observation.tree) is not None:
            small = len(tree.nodes) <= _SMALL_TREE
            files["tree"] = self._once(
                "tree", tree, f"{stem}.tree.json.gz", lambda: packed_json(tree_data(tree)), small
            )
        if (marks := observation.marks) is not None:
            files["marks"] = self._picture("marks", marks.image, f"{stem}.marks.png")
            make = partial(packed_json, marks_data(marks))
            files["marked"] = self._once("marked", marks, f"{stem}.marks.json.gz", make, True)
        if (clip := observation.clip) is not None and clip.frames:
            files["clip"] = self._once("clip", clip, f"{stem}.clip.webp", clip.webp, False)
        if any(name.startswith(f"{stem}.") for name in files.values()):
            self._free = number + 1
        return Saw(
            at=observation.at,
            windows=None if observation.windows is None else windows_data(observation.windows),
            terminal=observation.terminal,
            degraded=observation.degraded,
            told=tuple(
                replace(told, pictures=tuple(map(self._write_handed, told.pictures))) if told.pictures else told
                for told in observation.told
            ),
            **files,
        )

    def _write_handed(self, url: str) -> str:
        """Write a picture that a tool answered with, unless it has a file already, and return that."""
        if not url.startswith("data:"):
            return url
        data = base64.b64decode(url.partition(",")[2])
        name = f"tool-{hashlib.sha256(data).hexdigest()[:20]}.png"
        if name not in self._files.sums:
            self._files.put(name, data)
        return name

    def _picture(self, kind: str, image: Image.Image, name: str) -> str:
        last = self._shown.get(kind)
        if last is not None:
            if image is last.original:
                return last.name
            if same_pixels(image, last.kept):
                self._shown[kind] = replace(last, original=image)
                return last.name
        kept = image.copy()
        self._shown[kind] = _Shown(image, kept, name)
        if image.width * image.height <= _SMALL_PIXELS:
            self._files.put(name, png(kept))
        else:
            self._files.put_later(name, partial(png, kept))
        return name

    def _once(self, kind: str, thing: object, name: str, make: Callable[[], bytes], small: bool) -> str:
        """Write something that does not change, unless it is the very thing that was written last."""
        last = self._written.get(kind)
        if last is not None and last[0] is thing:
            return last[1]
        self._written[kind] = (thing, name)
        if small:
            self._files.put(name, make())
        else:
            self._files.put_later(name, make)
        return name
