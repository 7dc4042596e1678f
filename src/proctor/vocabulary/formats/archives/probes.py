"""Probes that look into archives."""

from __future__ import annotations

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.archives.parse import look_into, member_digest


@PROBES.register_with(look_into, whole="file")
def archive(context: ProbeContext, path: str) -> dict[str, object]:
    """What a zip or tar archive holds: format, and per member name, kind, size and short text."""
    return parsed(path, look_into, path, context.read(path))


@PROBES.register_with(member_digest)
def archived(context: ProbeContext, path: str, member: str) -> dict[str, object]:
    """The SHA-256 of one file in a zip or tar archive, to compare it with a file outside."""
    return parsed(path, member_digest, path, context.read(path), member)
