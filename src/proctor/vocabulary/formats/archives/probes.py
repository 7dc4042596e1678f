"""Probes that look into archives."""

from __future__ import annotations

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.archives.parse import look_into, member_digest
from proctor.vocabulary.formats.archives.parse_members import MemberLook, look_at_member, member_copy
from proctor.vocabulary.formats.documents.parse_pdf import legible, page_texts
from proctor.vocabulary.formats.documents.probes import given_pdf


@PROBES.register_with(look_into, whole="file")
def archive(context: ProbeContext, path: str) -> dict[str, object]:
    """The members of a zip or tar archive: kind, size, mode, digest and short text of each."""
    return parsed(path, look_into, path, context.read(path))


@PROBES.register_with(member_digest)
def archived(context: ProbeContext, path: str, member: str) -> dict[str, object]:
    """The SHA-256 of one file in a zip or tar archive, to compare it with a file outside."""
    return parsed(path, member_digest, path, context.read(path), member)


@PROBES.register_with(look_at_member)
def archived_file(context: ProbeContext, path: str, member: str, look: MemberLook) -> dict[str, object]:
    """One file in a zip or tar archive, read as what it is: a `document`, a `picture`."""
    return parsed(path, look_at_member, path, context.read(path), member, look)


@PROBES.register_with(member_copy, page_texts, legible)
def archived_pdf(context: ProbeContext, path: str, member: str) -> dict[str, object]:
    """The text on each page of a PDF file in a zip or tar archive."""
    return given_pdf(context, parsed(path, member_copy, path, context.read(path), member), f"{member} in {path}")
