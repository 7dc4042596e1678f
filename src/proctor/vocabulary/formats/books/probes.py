"""Probes that look at books and the marks that readers leave in them."""

from __future__ import annotations

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.books.parse import epub_content


@PROBES.register_with(epub_content, whole="file")
def epub(context: ProbeContext, path: str) -> dict[str, object]:
    """An e-book: title, author and language, and the plain text of its chapters in order."""
    return parsed(path, epub_content, context.read(path), path)
