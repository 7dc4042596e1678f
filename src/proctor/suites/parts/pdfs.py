"""PDF files that are made without any program that prints, as a script would."""

from __future__ import annotations

from collections.abc import Sequence


def written_pdf(path: str, *pages: Sequence[str], grey: float = 0.0) -> str:
    """Return Python code that writes lines of text onto the pages of a PDF, one below the other.

    White is grey 1.
    """
    return (
        "import cairo\n"
        f"page = cairo.Context(cairo.PDFSurface({path!r}, 595, 842))\n"
        "page.select_font_face('DejaVu Sans')\n"
        f"page.set_font_size(12)\npage.set_source_rgb({grey}, {grey}, {grey})\n"
        f"for lines in {[[*lines] for lines in pages]!r}:\n"
        "    for row, line in enumerate(lines):\n"
        "        page.move_to(60, 60 + 18 * row)\n"
        "        page.show_text(line)\n"
        "    page.show_page()\n"
        "page.get_target().finish()\n"
    )
