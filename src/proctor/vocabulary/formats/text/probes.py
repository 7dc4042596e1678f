"""Probes that look at web pages in files."""

from __future__ import annotations

from proctor.tasks.probe_context import MOST_TEXT, ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.text.parse_pages import page_text


@PROBES.register_with(page_text, whole="file")
def page(context: ProbeContext, path: str) -> dict[str, object]:
    """The text that can be read on a web page in a file, with line breaks as in a browser."""
    return {"path": path, "text": parsed(path, page_text, context.read(path, most=MOST_TEXT), path)}
