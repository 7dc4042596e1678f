"""Moves that the tasks on documents and slides share."""

from __future__ import annotations

from proctor.home import HOME
from proctor.tasks.call import Call
from proctor.tasks.shelves import hand

Moves = tuple[Call, ...]

MIDDLE = (0.5, 0.5)


def menu(*names: str, role: str = "menu item", window: str = "") -> Moves:
    """Choose from LibreOffice's menus by the names along the way.

    Args:
        names: Of the menus, and of what is chosen at last.
        role: Of the last one.
        window: A part of its window's title, where LibreOffice shows several.
    """
    first, *between, last = names
    bar = {"role": "menu bar", "app": "soffice", **({"window": window} if window else {})}
    return (
        hand.click(first, role="menu", within=bar),
        *(hand.click(name, role="menu") for name in between),
        hand.click(last, role=role),
    )


def open_file(path: str) -> Moves:
    """Open another document from a LibreOffice window."""
    name = path.rpartition("/")[2]
    return (
        hand.press("ctrl+o"),
        hand.await_window("/^Open$/"),
        hand.type(f"{HOME}/{path}\n"),
        hand.await_window(name),
        hand.await_element(role="document text", window=name, timeout_sec=30),
    )


def select(text: str) -> Moves:
    """Find a text and leave it selected in the document."""
    return (hand.press("ctrl+f"), hand.type(f"{text}\n"), hand.press("Escape"))


def replace(old: str, new: str) -> Moves:
    """Find a text and type another in its place."""
    return (*select(old), hand.type(new))


def replace_everywhere(old: str, new: str, *, whole_words: bool = False, button: str = "Replace All") -> Moves:
    """Use the dialog for finding and replacing."""
    dialog = "Find and Replace"
    return (
        hand.press("ctrl+h"),
        hand.type_into(old, role="text", window=dialog, nth=0),
        hand.type_into(new, role="text", window=dialog, nth=1),
        *((hand.click("Whole words only", role="check box"),) if whole_words else ()),
        hand.click(button, role="push button", window=dialog),
        hand.click("Close", role="push button", window=dialog),
    )


def save(path: str) -> Moves:
    """Save under the same name and see that it is done."""
    return (hand.press("ctrl+s"), hand.await_saved(path))


def save_keeping_format(path: str) -> Moves:
    """Save a file of a foreign format as it is."""
    return (
        hand.press("ctrl+s"),
        hand.click("/^Use (?!ODF).* Format/", role="push button", at=MIDDLE),
        hand.await_saved(path),
    )


def save_as(path: str) -> Moves:
    """Save under another name."""
    return (
        hand.press("ctrl+shift+s"),
        hand.await_window("/^Save( As)?$/"),
        hand.press("ctrl+a"),
        hand.type(f"{HOME}/{path}\n"),
        hand.await_saved(path),
    )


def export_pdf(path: str, pages: str = "") -> Moves:
    """Export as PDF, all of it or some pages."""
    name = named_for_export(path)
    if not pages:
        return (*menu("File", "Export As", "Export Directly as PDF"), *name)
    return (
        *menu("File", "Export As", "Export as PDF..."),
        hand.click("Pages:", role="radio button", window="PDF Options"),
        hand.type_into(pages, role="text", window="PDF Options", nth=0),
        hand.click("Export", role="push button", window="PDF Options"),
        *name,
    )


def named_for_export(path: str) -> Moves:
    """Give the name in the dialog that asks where to export to."""
    return (
        hand.await_window("/^Export$/"),
        hand.press("ctrl+a"),
        hand.type(f"{HOME}/{path}\n"),
        hand.await_saved(path),
    )


def convert_document(source: str, target: str) -> Moves:
    """Convert a document by the command line, into what the target's name ends in; it takes a while."""
    folder, _, name = target.rpartition("/")
    made = f"/tmp/converted/{source.rpartition('/')[2].rpartition('.')[0]}.{name.rpartition('.')[2]}"
    convert = f"soffice --headless -env:UserInstallation=file:///tmp/office --convert-to {name.rpartition('.')[2]}"
    steps = f"{convert} --outdir /tmp/converted {source} && mv {made} {folder}/{name}"
    # In the background: starting LibreOffice may take longer than code may run.
    return (hand.run_code(f"({steps}) > /dev/null 2>&1 &"), hand.await_file(target, timeout_sec=90))


def pick_slide(number: int) -> Call:
    """Click a slide in the pane at the left."""
    return hand.click(f"/^Slide {number}$/", role="panel", within={"role": "document frame"})
