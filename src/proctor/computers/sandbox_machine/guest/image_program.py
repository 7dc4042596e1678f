"""Which program of the image a process runs, told by the file it was made of."""

import os
import re

import open_file
import rootfs

INTERPRETER = re.compile(r"/usr/bin/(python3[.0-9]*|gjs-console|perl[.0-9]*|bash|dash)")
FOLDERS = ("/usr/bin", "/usr/games", "/usr/local/bin")
"""Where programs are that are asked for by their bare name."""


def program_of(pid: int, asked_for: str, layers: rootfs.Layers) -> str:
    """Return the path of the image's file that a process is made of; empty where it is none.

    A process of an interpreter is made of a script as well, but only the harness's own order says which: `asked_for` is
    what it started as this process. What anybody else starts in an interpreter may be anything.
    """
    try:
        path = os.readlink(f"/proc/{pid}/exe")
        made_of, now = os.stat(f"/proc/{pid}/exe"), os.stat(path, follow_symlinks=False)
    except OSError:
        return ""  # it has ended, or its file has gone, or it lets nobody look
    if (made_of.st_dev, made_of.st_ino) != (now.st_dev, now.st_ino) or not is_of_image(path, layers):
        return ""
    if not INTERPRETER.fullmatch(path) or not asked_for:
        return path
    names = [asked_for] if "/" in asked_for else [f"{folder}/{asked_for}" for folder in FOLDERS]
    return next((name for name in names if is_of_image(name, layers)), path)


def is_of_image(path: str, layers: rootfs.Layers) -> bool:
    """Tell whether a file is there as the image has it."""
    return _is_there(layers.lower, path) and not _is_there(layers.upper, path)


def _is_there(layer: int, path: str) -> bool:
    try:
        os.close(open_file.open_below(layer, path, os.O_PATH | os.O_NOFOLLOW))
    except OSError:
        return False
    return True
