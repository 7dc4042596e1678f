"""What other suites call applications, and what stands for them on our desktops."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Literal

from proctor import taxonomy
from proctor.suites.foreign.code_editor import APPS
from proctor.suites.foreign.names import words
from proctor.tasks.machine import Machine

APPLICATIONS: Mapping[str, str] = {
    "chrome": "chromium",
    "google chrome": "chromium",
    "google-chrome": "chromium",
    "browser": "chromium",
    "web": "chromium",
    "libreoffice": "libreoffice-writer",
    "libreoffice writer": "libreoffice-writer",
    "libreoffice calc": "libreoffice-calc",
    "libreoffice impress": "libreoffice-impress",
    "libreoffice math": "libreoffice-writer",
    "writer": "libreoffice-writer",
    "calc": "libreoffice-calc",
    "impress": "libreoffice-impress",
    "os": "thunar",
    "files": "thunar",
    "nautilus": "thunar",
    "file manager": "thunar",
    "terminal": "lxterminal",
    "gnome-terminal": "lxterminal",
    "pdf": "evince",
    "image": "eog",
    "thunderbird": "thunderbird",
    "gimp": "gimp",
    "vlc": "vlc",
    "foliate": "foliate",
    "calendar": "gnome-calendar",
    "calculator": "gnome-calculator",
    **dict.fromkeys(APPS, "mousepad"),
}
"""Applications of others by what they are called there, in small letters, and which of ours stands for each."""

EDITOR = "gedit"
"""Ubuntu's text editor, which any task may open; where it is, so are the programs that commands of tasks call."""

MISSING: Mapping[str, str] = {
    "xmind": "Xmind",
    "notion": "Notion",
    "notion desktop": "Notion",
    "zotero": "Zotero",
    "rocket.chat": "Rocket.Chat",
    "rocketchat": "Rocket.Chat",
    "firefly": "Firefly III",
    "xournalpp": "Xournal++",
}
"""Applications that no image of ours has."""

LAUNCHED: Mapping[str, str] = {
    "xmind": "Xmind",
    "Xmind": "Xmind",
    "notion-desktop": "Notion",
    "notion-app": "Notion",
    "zotero": "Zotero",
    "rocketchat-desktop": "Rocket.Chat",
}
"""Programs whose start shows that a task needs an application that we do not have."""

INSTALLED = words(
    "unzip zip tar git sqlite3 xclip xsel gimp vlc thunderbird libreoffice python3 jq bc wmctrl xdotool sysstat pygame "
    "cssselect zsh"
)
"""Packages that a setup may ask for and that are there already."""

ABSENT = words(
    "flatpak pip pip3 docker mail snap sudo curl wget ffmpeg ffprobe convert identify conda gnome-extensions "
    "powerprofilesctl nmcli notify-send pdftk exiftool mediainfo node npm java gcc g++ cmake make pactl amixer xinput "
    "bluetoothctl rfkill ssh ssh-keygen crontab dig ping sox identify scrot gnome-screenshot rsync xmllint jupyter"
)
"""Programs that commands of tasks use and that our images do not have: what they tell without them would be wrong."""
_USED = re.compile(r"(?:^|[|;&(`\n]|\$\()\s*(?:[A-Z_]+=\S+\s+)*(?:timeout\s+\S+\s+)?([a-z][\w.-]*)")

_INSTALL = re.compile(
    r"\b(?:apt|apt-get)\s+(?:-\S+\s+)*install\s+([^&|;\n]*)|\b(?:pip3?|python3? -m pip)\s+install\s+([^&|;\n]*)"
    r"|\bsnap\s+install\s+([^&|;\n]*)"
)
_NEEDLESS = re.compile(
    r"\b(?:apt|apt-get)\s+(?:-\S+\s+)*(?:install|update)\b|\b(?:pip3?|python3? -m pip)\s+install\b|\bsnap\s+install\b"
    r"|^xsel\s+(?:(?:-b|--clipboard)\s+)?-(?:b?cb?|-clear)(?:\s+-\S+)*\s*$"
)
_FETCH = re.compile(
    r"\b(?:curl|wget)\b[^&|;\n]*https?://(?!localhost|127\.)|\bgit\s+clone\s+(?:-\S+\s+)*(?:https?:|git@)"
)


def application(name: str) -> str:
    """Return which application of ours is meant; empty where none is."""
    plain = name.strip().lower()
    return APPLICATIONS.get(plain) or APPLICATIONS.get(plain.replace("_", " "), "")


def missing_application(name: str) -> str:
    """Return what an application is called that we do not have; empty for all others."""
    plain = name.strip().lower()
    return MISSING.get(plain) or ("" if application(name) else MISSING.get(plain.replace("_", " "), ""))


def missing_program(command: object) -> str:
    """Return which application a command starts that we do not have; empty where it starts none."""
    listed = command.split() if isinstance(command, str) else list(command) if isinstance(command, list) else []
    first = next((word for word in listed if "=" not in word), "") if isinstance(command, str) else (listed or [""])[0]
    return LAUNCHED.get(posixpath.basename(str(first)), "")


def absent_programs(line: str) -> list[str]:
    """Return the programs in a command that our images do not have."""
    return list(dict.fromkeys(name for name in _USED.findall(line) if name in ABSENT))


def wanted_packages(line: str) -> list[str]:
    """Return the packages that a command fetches and installs, those left out that are there already."""
    found = [word for match in _INSTALL.finditer(line) for word in " ".join(filter(None, match.groups())).split()]
    return [word for word in found if not word.startswith("-") and word not in INSTALLED]


def fetches(line: str) -> bool:
    """Tell whether a command asks a server somewhere else."""
    return bool(_FETCH.search(line))


def without_installing(line: str) -> str:
    """Return a command without the parts that only install packages, or empty an empty clipboard."""
    parts = re.split(r"\s*(&&|;)\s*", line.strip())
    kept: list[str] = []
    for place in range(0, len(parts), 2):
        if parts[place] and not _NEEDLESS.search(parts[place]):
            kept += ([parts[place - 1]] if kept and place else []) + [parts[place]]
    return " ".join(kept)


def applications(names: Iterable[str]) -> tuple[str, ...]:
    """Return the applications of ours that a task is about, each once; the file manager if none."""
    found = [application(name) or re.sub(r"[^a-z0-9]+", "-", name.strip().lower()).strip("-") for name in names]
    return tuple(dict.fromkeys(name for name in found if name)) or ("thunar",)


def machine_for(apps: Iterable[str], network: Literal["", "loopback"] = "") -> Machine:
    """Return the computer for a task about some applications, with all that is taken for granted."""
    known = [app for app in apps if app in taxonomy.APPLICATIONS]
    return Machine(applications=tuple(dict.fromkeys((*known, EDITOR))), network=network)
