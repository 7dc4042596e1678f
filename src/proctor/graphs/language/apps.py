"""What people call applications, and how a text says in which one something is done."""

from __future__ import annotations

import re
from functools import cache

from proctor import taxonomy

_SPOKEN = {
    "eog": "Eye of GNOME", "gimp": "GIMP", "gnome-calculator": "the GNOME calculator", "gnucash": "GnuCash",
    "gtg": "GTG", "hexchat": "HexChat", "homebank": "HomeBank", "kolourpaint": "KolourPaint",
    "libreoffice-calc": "Calc", "libreoffice-impress": "Impress", "libreoffice-writer": "Writer",
    "lxterminal": "the terminal", "pcmanfm": "PCManFM", "sqlitebrowser": "DB Browser", "vlc": "VLC",
    "xfce4-screenshooter": "the screenshot tool",
}  # fmt: skip


@cache
def spoken(app: str) -> str:
    """Return what people call an application."""
    return _SPOKEN.get(app) or " ".join("GNOME" if word == "gnome" else word.capitalize() for word in app.split("-"))


def inside(app: str) -> str:
    """Return the words that stand before what is to be done in an application."""
    return f"in {spoken(app)}, "


@cache
def _apps_by_words() -> dict[str, str]:
    return {spoken(app): app for app in taxonomy.APPLICATIONS}


@cache
def _pattern() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(_apps_by_words(), key=len, reverse=True))
    return re.compile(f"[Ii]n ({names}), ")


def app_before(text: str, place: int) -> tuple[str, int]:
    """Return in which application a text says that something is done, and where that begins; or nothing."""
    found = _pattern().match(text, place)
    return (_apps_by_words()[found[1]], found.end()) if found else ("", place)
