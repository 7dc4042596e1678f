"""Probes that listen to recordings."""

from __future__ import annotations

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.sound.parse import listen


@PROBES.register_with(listen, whole="file")
def sound(context: ProbeContext, path: str) -> dict[str, object]:
    """Details of a recording: length, rate, channels, tags, loudness and pitch per tenth of a second."""
    return parsed(path, listen, path, context.read(path))


@PROBES.register_with(listen)
def sound_before(context: ProbeContext, path: str) -> dict[str, object]:
    """A recording as it was when the task began."""
    return parsed(path, listen, path, context.before(path))
