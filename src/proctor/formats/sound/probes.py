"""Probes that listen to recordings."""

from __future__ import annotations

from typing import Any

from proctor.formats.sound.reading import listen
from proctor.tasks.reader.client import parsed
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES


@PROBES.register
def sound(scene: Scene, path: str) -> dict[str, Any]:
    """What a recording is: length, rate, channels, tags, and its loudness and pitch for each tenth of a second."""
    return parsed(path, listen, path, scene.read(path))


@PROBES.register
def sound_before(scene: Scene, path: str) -> dict[str, Any]:
    """What a recording was when the task began."""
    return parsed(path, listen, path, scene.before(path))
