#!/usr/bin/python3 -I
"""The command `code` as it lies in the computer: of Visual Studio Code, what is files.

It opens files in the desktop's text editor and folders in its file manager, and keeps extensions in their folders as
Visual Studio Code does. It runs where our package is not, so it imports the standard library only.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence

VERSION = "code (stands in for Visual Studio Code: files, settings and extensions, without the program itself)"
EDITORS = ("mousepad --disable-server", "gedit --standalone", "geany --new-instance", "xdg-open")
MANAGERS = ("thunar", "pcmanfm", "xdg-open")
TAKES = ("--user-data-dir", "--extensions-dir", "--profile", "--locale", "--log", "--category")
"""Options with a value, of which nothing comes here."""
MOST_BYTES = 512 * 2**20
MOST_FILES = 20_000
IDENTIFIER = re.compile(r"[\w-]+\.[\w.-]+")
INSTALL, UNINSTALL = "--install-extension", "--uninstall-extension"


def main(words: list[str]) -> int:
    """Do what a command line asks, and return its status."""
    paths: list[str] = []
    status, asked = 0, False
    flags = {word for word in words if word in ("--list-extensions", "--show-versions", "-w", "--wait")}
    while words:
        word = words.pop(0)
        name, given, value = word.partition("=")
        if name in ("-v", "--version", "-h", "--help"):
            print(VERSION)
            return 0
        if name in (INSTALL, UNINSTALL, *TAKES):
            value = value if given else words.pop(0) if words else ""
            if name not in TAKES:
                asked = True
                status = (install if name == INSTALL else uninstall)(value) or status
        elif not word.startswith("-"):
            paths.append(word)
    if "--list-extensions" in flags:
        for identifier, version in sorted(extensions()):
            print(f"{identifier}@{version}" if "--show-versions" in flags else identifier)
    elif not asked:
        show(paths, wait=bool(flags & {"-w", "--wait"}))
    return status


def extensions_folder() -> str:
    """Return the folder of extensions."""
    return os.path.expanduser("~/.vscode/extensions")


def extensions() -> Iterator[tuple[str, str]]:
    """Yield the identifier and the version of every extension that is there."""
    for name in _names():
        try:
            with open(f"{extensions_folder()}/{name}/package.json", "rb") as file:
                yield describe(file.read(MOST_BYTES))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue  # a folder that is no extension, of which there are some in the original as well


def describe(package: bytes) -> tuple[str, str]:
    """Return what an extension is called, and its version."""
    told = json.loads(package.decode("utf-8-sig"))
    identifier = f"{told.get('publisher') or 'undefined_publisher'}.{told['name']}"
    if not IDENTIFIER.fullmatch(identifier):
        raise ValueError(f"{identifier!r} is no identifier of an extension")
    return identifier, str(told.get("version", "0.0.0"))


def install(named: str) -> int:
    """Unpack an extension from its file; there is no marketplace."""
    if not named.endswith(".vsix"):
        return refuse(f"Extension '{named}' not found: there is no marketplace here. Give the path of a .vsix file.")
    try:
        with zipfile.ZipFile(named) as packed:
            identifier, version = describe(packed.read("extension/package.json"))
            parts = [each for each in packed.infolist() if each.filename.startswith("extension/")]
            if len(parts) > MOST_FILES or sum(each.file_size for each in parts) > MOST_BYTES:
                return refuse(f"{named} holds more than an extension may.")
            _remove(identifier)
            place = f"{extensions_folder()}/{identifier.lower()}-{re.sub('[^0-9A-Za-z.+-]', '-', version)}"
            for each in parts:
                _unpack(packed, each, place)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError, zipfile.BadZipFile) as error:
        return refuse(f"{named} cannot be installed: {error}")
    print(f"Extension '{os.path.basename(named)}' was successfully installed.")
    return 0


def uninstall(named: str) -> int:
    """Remove an extension by its identifier."""
    if not _remove(named):
        return refuse(f"Extension '{named}' is not installed.")
    print(f"Extension '{named}' was successfully uninstalled!")
    return 0


def show(paths: Sequence[str], *, wait: bool) -> None:
    """Open files in the text editor and folders in the file manager; `code` runs as long as they do."""
    os.makedirs(os.path.expanduser("~/.config/Code/User"), exist_ok=True)
    places = [os.path.abspath(re.sub(r"(:\d+){1,2}$", "", path)) for path in paths]
    folders = [path for path in places if os.path.isdir(path)]
    files = [path for path in places if path not in folders]
    commands = [[*_first(MANAGERS), path] for path in folders]
    if files or not folders:
        commands.append([*_first(EDITORS), *files])
    if not wait:
        if os.fork():
            return
        os.setsid()
    for started in [subprocess.Popen(command, stdin=subprocess.DEVNULL) for command in commands]:
        started.wait()


def refuse(why: str) -> int:
    """Say why something cannot be done."""
    print(why, file=sys.stderr)
    return 1


def _names() -> list[str]:
    return sorted(os.listdir(extensions_folder())) if os.path.isdir(extensions_folder()) else []


def _remove(identifier: str) -> int:
    versions = re.compile(re.escape(identifier.lower()) + r"-\d[^/]*")
    gone = [name for name in _names() if versions.fullmatch(name.lower())]
    for name in gone:
        shutil.rmtree(f"{extensions_folder()}/{name}")
    return len(gone)


def _unpack(packed: zipfile.ZipFile, part: zipfile.ZipInfo, place: str) -> None:
    target = os.path.abspath(os.path.join(place, os.path.relpath(part.filename, "extension")))
    if part.is_dir() or not target.startswith(f"{place}/"):
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with packed.open(part) as source, open(target, "wb") as copy:
        shutil.copyfileobj(source, copy)


def _first(commands: Sequence[str]) -> list[str]:
    """Return the first of some programs that is there."""
    return next((each.split() for each in commands if shutil.which(each.split()[0])), commands[-1].split())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
