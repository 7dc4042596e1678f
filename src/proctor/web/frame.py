"""What the lists share: the head of a page, its style, and how a figure is written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nicegui import ui

LIVE_SEC = 1.0
"""How often a page looks whether a run has grown."""


@contextmanager
def frame(*path: tuple[str, str]) -> Iterator[None]:
    """Draw a page: the way to it as links of label and address, then what is put inside."""
    ui.page_title(" · ".join(["Proctor", *(label for label, _ in path)]))
    ui.add_head_html('<link rel="stylesheet" href="/replay-files/theme.css">')
    ui.add_head_html('<link rel="stylesheet" href="/replay-files/lists.css">')
    with ui.element("header").classes("p-head"):
        _step("Proctor", "/" if path else "", "p-brand")
        for label, address in path:
            ui.label("/").classes("p-quiet")
            _step(label, address, "p-here")
    with ui.element("main").classes("p-main"):
        yield


def _step(label: str, address: str, style: str) -> None:
    if address:
        ui.link(label, address).classes(style)
    else:
        ui.label(label).classes(style)
