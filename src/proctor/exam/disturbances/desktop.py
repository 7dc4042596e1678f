"""What changes about the desktop itself: clipboard, theme, size of text, keyboard."""

from __future__ import annotations

from random import Random
from typing import Literal

from proctor.exam.disturbances.disturbance import Disturbance, Staged
from proctor.tasks.events import Undo, When
from proctor.tasks.shelves import make
from proctor.tasks.task import Task

CLIPS = ("https://intranet.example/canteen", "order 20418", "See you at 9!")
DARK = "Adwaita-dark"
LARGER_DPI, LARGER_FONT = 108, "Noto Sans 11"
"""Together a quarter more than usual."""
LAYOUTS: tuple[tuple[Literal["de", "fr", "es"], str], ...] = (("de", "German"), ("fr", "French"), ("es", "Spanish"))
SHOWN_SEC = 8
PANELS = ("xfce4-panel", "lxpanel")
LANGUAGES: tuple[Literal["de", "es", "fr"], ...] = ("de", "es", "fr")


def _clipboard(draw: Random, _task: Task) -> Staged:
    return Staged(do=(make.clipboard(draw.choice(CLIPS)),))


def _dark(_draw: Random, _task: Task) -> Staged:
    return Staged(do=(make.xfconf("xsettings", "/Net/ThemeName", DARK), make.settings_written()))


def _larger(_draw: Random, task: Task) -> Staged | None:
    if any(app.startswith("libreoffice") for app in task.tags.apps):
        return None
    dots = make.xfconf("xsettings", "/Xft/DPI", str(LARGER_DPI), type="int")
    return Staged(do=(dots, make.xfconf("xsettings", "/Gtk/FontName", LARGER_FONT), make.settings_written()))


def _language(draw: Random, task: Task) -> Staged | None:
    if any(step.arguments.get("app") in PANELS and step.arguments.get("role") == "push button"
           for step in task.solution):  # fmt: skip
        return None  # what is opened there speaks another language than the key
    return Staged(do=(make.desktop_language(draw.choice(LANGUAGES)),))


def _layout(draw: Random, _task: Task) -> Staged:
    layout, name = draw.choice(LAYOUTS)
    told = make.notification("Keyboard", f"The layout of the keyboard is now {name}.", seconds=SHOWN_SEC)
    back = Undo(do=(make.keyboard_layout("us"),), when=When(actions=draw.randint(6, 12)))
    return Staged(do=(make.keyboard_layout(layout), told), undo=back)


DESKTOP = (
    Disturbance("clipboard_replaced", "something else is copied to the clipboard", _clipboard, ("shell",),
                harmless=True),
    Disturbance("keyboard_layout", "the keyboard has another layout for a while, which is shown", _layout,
                ("windows", "shell", "keys", "tree"), harmless=True),
    Disturbance("dark_theme", "the desktop has a dark theme from the start", _dark, ("shell",), at_start=True,
                harmless=True),
    Disturbance("desktop_language", "panel, desktop and what is opened from them speak another language from the start",
                _language, ("windows", "shell"), at_start=True, harmless=True,
                wants="programs that are open already, as the key knows the others in English only"),
    Disturbance("larger_text", "all text is a quarter larger from the start", _larger, ("shell",), at_start=True,
                harmless=True, wants="no LibreOffice, whose dialogs become higher than the screen"),
)  # fmt: skip
