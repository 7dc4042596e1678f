"""Check the options of a VNC computer before anything is called, and find a password without recording it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import get_args

from proctor.computers.channels.rfb.address import FIRST_PORT, MOST_DISPLAY, Address, parse_address
from proctor.computers.channels.rfb.encodings import Preference, wanted
from proctor.computers.channels.rfb.keys import Guest
from proctor.computers.channels.rfb.link import Plan
from proctor.computers.channels.rfb.options import one_of
from proctor.computers.channels.rfb.security import Security, Trust
from proctor.errors import SpecError

LONGEST_SECRET = 4096
_DISPLAY = re.compile(r":\d{1,5}(\.\d{1,2})?", re.ASCII)


def make_plan(
    *,
    address: str,
    password: str,
    password_file: str,
    password_env: str,
    user: str,
    security: Security,
    ca: str,
    encoding: Preference,
    quality: int | None,
    timeout_sec: float,
) -> Plan:
    """Return whom to call and how; raises SpecError naming the option that is wrong."""
    for name, value, known in (("security", security, Security), ("encoding", encoding, Preference)):
        one_of(name, value, get_args(known))
    if quality is not None and (type(quality) is not int or not 0 <= quality <= 9):
        raise SpecError(f"option quality={quality!r} is none of JPEG's", remedy="give 0 to 9, or leave it out")
    if not isinstance(timeout_sec, int | float) or not 0 < timeout_sec <= 600:
        raise SpecError(f"option timeout_sec={timeout_sec!r} is no patience", remedy="give seconds up to 600")
    if ca and not Path(ca).expanduser().is_file():
        raise SpecError(
            f"ca={ca} is not a file", remedy="name a PEM file with the server's certificate, or its maker's"
        )
    where = parse_address(address)
    trust = Trust(
        security=security,
        password=_password(password, password_file, password_env),
        user=user,
        ca=str(Path(ca).expanduser()) if ca else "",
    )
    encodings = wanted(encoding, nearby=where.nearby and quality is None, quality=quality)
    return Plan(address=where, trust=trust, encodings=encodings, timeout_sec=float(timeout_sec))


def check_tree(tree: bool, display: str, *, ssh: str, guest: Guest) -> None:
    """Refuse a tree that cannot be had, and a display that is none."""
    if not isinstance(tree, bool):
        raise SpecError(f"option tree={tree!r} is neither yes nor no", remedy="give True or False")
    if tree and (not ssh or guest != "linux"):
        raise SpecError(
            "a tree is read over ssh, of Linux desktops", remedy="give ssh=user@host too, or leave tree out"
        )
    if display and (not tree or not _DISPLAY.fullmatch(display)):
        raise SpecError(f"option display={display!r} names no desktop", remedy="write display=:1, with tree=on")


def guessed_display(address: Address) -> str:
    """Return the X display that a server at this address usually shows; empty where nothing says so."""
    number = address.port - FIRST_PORT
    return f":{number}" if not address.path and 0 <= number <= MOST_DISPLAY else ""


def _password(password: str, file: str, variable: str) -> str:
    given = [
        name for name, value in (("password", password), ("password_file", file), ("password_env", variable)) if value
    ]
    if len(given) > 1:
        raise SpecError(f"options {' and '.join(given)} both say the password", remedy="give one of them")
    if variable:
        if variable not in os.environ:
            raise SpecError(f"password_env={variable} is not set", remedy=f"export {variable}=...")
        return os.environ[variable]
    if file:
        try:
            with Path(file).expanduser().open("rb") as opened:
                return opened.read(LONGEST_SECRET).decode().rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not text"
            raise SpecError(f"password_file={file} cannot be read: {reason}", remedy="name a text file") from error
    return password
