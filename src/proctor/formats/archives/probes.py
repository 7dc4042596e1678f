"""Probes that look into archives."""

from __future__ import annotations

from typing import Any

from proctor.formats.archives.reading import look_into, member_digest
from proctor.tasks.reader.client import parsed
from proctor.tasks.scene import Scene
from proctor.tasks.shelves import PROBES


@PROBES.register
def archive(scene: Scene, path: str) -> dict[str, Any]:
    """What a zip or tar archive holds: format, and per member its name, kind, size and, if it is a small text, text."""
    return parsed(path, look_into, path, scene.read(path))


@PROBES.register
def archived(scene: Scene, path: str, member: str) -> dict[str, Any]:
    """The SHA-256 of one file in a zip or tar archive, to compare it with a file outside."""
    return parsed(path, member_digest, path, scene.read(path), member)
