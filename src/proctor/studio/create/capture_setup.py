"""A desktop prepared by hand, as setup steps: its files, settings and applications."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from proctor.studio.create.sight import ChangedFile, Sight, as_text
from proctor.tasks.call import Call
from proctor.tasks.shelves import make

Plain = dict[str, object]

PROGRAMS = {"soffice.bin": "soffice", "thunar": "thunar", "firefox-bin": "firefox", "firefox-esr": "firefox"}
"""Programs whose running name is not the one that starts them."""
INTERPRETERS = re.compile(r"^(python[\d.]*|perl|bash|sh|dash|gjs(-console)?)$")
DESKTOP = frozenset({"xfdesktop", "xfce4-panel", "lxpanel", "desktop_window", "wrapper-2.0"})


def setup_of(before: Sight, after: Sight, files: Sequence[ChangedFile]) -> tuple[list[Plain], dict[str, bytes]]:
    """Return the steps, and their files, that bring a fresh desktop to where a person brought it.

    Files come first, then settings, then applications, each opened on the file that its window is about.
    """
    steps: list[Call] = []
    assets: dict[str, bytes] = {}
    for folder in (file for file in files if file.file == "folder" and file.kind == "created"):
        if not any(other.path.startswith(f"{folder.path}/") for other in files):
            steps.append(make.folder(folder.path))
    for file in (file for file in files if file.file == "file"):
        steps += _file(file, assets)
    steps += [_setting(name, value) for name, value in after.settings.items() if before.settings.get(name) != value]
    known = [(window["app"], window["title"]) for window in before.windows]
    for window in after.windows:
        if (window["app"], window["title"]) not in known and (argv := _argv(window, files)):
            steps.append(make.launch(argv, window=title_of(str(window["title"]))))
    return [step.to_json() for step in steps], assets


def title_of(title: str) -> str:
    """Return by what of its title a window is known again: without the mark of an unsaved change."""
    return title.lstrip("*").strip()


def _file(file: ChangedFile, assets: dict[str, bytes]) -> list[Call]:
    if file.kind == "deleted":
        return [make.remove_file(file.path)]
    text = as_text(file.after)
    if text is not None:
        return [make.text_file(file.path, text)]
    if file.after is None:
        return []
    suffix = PurePosixPath(file.path).suffix
    name = (
        f"{hashlib.sha256(file.after).hexdigest()[:12]}{suffix if re.fullmatch(r'[.][A-Za-z0-9]{1,8}', suffix) else ''}"
    )
    assets[name] = file.after
    return [make.asset_file(file.path, name)]


def _setting(name: str, value: str) -> Call:
    if name.startswith("dconf "):
        return make.dconf(name.removeprefix("dconf "), value)
    _, channel, place = name.split(" ", 2)
    if value in ("true", "false"):
        return make.xfconf(channel, place, value, type="bool")
    if re.fullmatch(r"-?\d+", value):
        return make.xfconf(channel, place, value, type="int")
    if re.fullmatch(r"-?\d+[.]\d+", value):
        return make.xfconf(channel, place, value, type="double")
    return make.xfconf(channel, place, value)


def _argv(window: Mapping[str, object], files: Sequence[ChangedFile]) -> list[str]:
    """Return how an application that shows a window is started; nothing for a part of the desktop."""
    argv = window.get("argv")
    given = [str(part) for part in argv] if isinstance(argv, list | tuple) else []
    if given and INTERPRETERS.match(PurePosixPath(given[0]).name) and len(given) > 1:
        given = given[1:]
    if str(window["app"]).lower() in DESKTOP:
        return []
    program = PurePosixPath(given[0]).name if given else str(window["app"]).lower()
    program = PROGRAMS.get(program, program)
    if not program:
        return []
    title = str(window["title"])
    named = [file.path for file in files if file.kind != "deleted" and PurePosixPath(file.path).name in title]
    # What it was started with may be another file than the one it shows now.
    return [program, named[0]] if named else [program, *(part for part in given[1:] if not part.startswith("-"))]
