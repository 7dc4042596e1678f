"""Moves that tasks about files share: how a person goes about in a file manager."""

from __future__ import annotations

from proctor.home import HOME
from proctor.tasks.call import Call
from proctor.tasks.shelves import hand


def go_to(folder: str) -> tuple[Call, ...]:
    """Go to a folder in Thunar by typing where it is."""
    title = folder.rpartition("/")[2]
    return hand.press("ctrl+l"), hand.type(f"{HOME}/{folder}\n"), hand.await_window(f"{title} - Thunar")


def select(*names: str) -> tuple[Call, ...]:
    """Select files in a list of files, the first with a click and the others with ctrl held."""
    first, *others = names
    more = (_click(name, modifiers=["ctrl"]) for name in others)
    return _click(first), *more


def move_to(folder: str, *names: str) -> tuple[Call, ...]:
    """Cut files in Thunar and paste them elsewhere; Thunar is at the other folder then."""
    return *select(*names), hand.press("ctrl+x"), *_paste(folder, *names)


def copy_to(folder: str, *names: str) -> tuple[Call, ...]:
    """Copy files in Thunar and paste them elsewhere; Thunar is at the other folder then."""
    return *select(*names), hand.press("ctrl+c"), *_paste(folder, *names)


def move_by_menus(folder: str, *names: str) -> tuple[Call, ...]:
    """Move files in Thunar to a folder beside theirs, by the menus that the right button opens.

    Thunar is at the home folder then.
    """
    return (
        *select(*names),
        hand.click(names[-1], role="table cell", button="right"),
        hand.click("Cut", role="menu item"),
        hand.press("alt+Up"),
        hand.click(f"/^{folder}$/", role="table cell", nth=-1, button="right"),
        hand.click("Paste Into Folder", role="menu item"),
        *(hand.await_file(f"{folder}/{name}") for name in names),
    )


def rename(name: str, new: str) -> tuple[Call, ...]:
    """Rename a file in Thunar; both names are given with their ending."""
    shown = hand.await_element(f"/^{new}$/", role="table cell")
    return _click(name), hand.press("F2"), hand.press("ctrl+a"), hand.type(f"{new}\n"), shown


def save_under(path: str) -> tuple[Call, ...]:
    """Give a name in a dialog that saves a file, and wait until the file is there."""
    # The button, not the Return key: that may only close the list of names the dialog suggests.
    return (
        hand.await_window("/^Save/"),
        # A name that is proposed is selected up to its ending only.
        hand.press("ctrl+a"),
        hand.type(f"{HOME}/{path}"),
        hand.click("/^Save$/", role="push button"),
        hand.await_file(path),
    )


def _paste(folder: str, *names: str) -> tuple[Call, ...]:
    return *go_to(folder), hand.press("ctrl+v"), *(hand.await_file(f"{folder}/{name}") for name in names)


def _click(name: str, modifiers: list[str] | None = None) -> Call:
    return hand.click(name, role="table cell", modifiers=modifiers)
