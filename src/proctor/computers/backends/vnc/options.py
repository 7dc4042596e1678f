"""Check the options of a VNC computer before anything is called, and find a password without recording it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from proctor.computers.channels.rfb.address import FIRST_PORT, MOST_DISPLAY, Address, parse_address
from proctor.computers.channels.rfb.encodings import Preference, wanted_encodings
from proctor.computers.channels.rfb.link import LinkPlan
from proctor.computers.channels.rfb.options import GuestOptions
from proctor.computers.channels.rfb.security import Security, Trust
from proctor.computers.options import ClipOptions
from proctor.errors import SpecError

LONGEST_SECRET = 4096
_DISPLAY = re.compile(r":\d{1,5}(\.\d{1,2})?", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class VncOptions(GuestOptions, ClipOptions):
    """Options of a machine behind a VNC server."""

    address: str
    """`host:port`, `host:display` (numbers up to 99), `host::port`, `[::1]:5901`, or the path of a Unix socket."""
    password_env: str = ""
    """The environment variable that holds the password, which is never recorded."""
    password_file: str = ""
    """A file that holds the password."""
    password: str = ""
    """The password itself, only from Python: command lines are recorded."""
    user: str = ""
    """A user's name, for servers that ask for one (VeNCrypt's Plain)."""
    security: Security = "auto"
    """The security type to insist on: `vnc` is a password, `tls` encryption, `x509` encryption with a certificate."""
    ca: str = ""
    """A PEM file with the certificate that vouches for the host in `address`; by default, the system's certificates."""
    encoding: Preference = "auto"
    """How the screen is sent: `auto` is raw pixels on the same machine and Tight otherwise."""
    quality: int | None = None
    """0 to 9 lets the server send JPEG; without it, screenshots are exact to the pixel."""
    ssh: str = ""
    """`user@host` or `user@host:port` of the same machine, for commands and files."""
    known_hosts: str = ""
    """File with the host keys that ssh trusts; by default, your own."""
    identity: str = ""
    """File with the private key that ssh uses; by default, your own."""
    tree: bool = False
    """Whether the accessibility tree of a Linux desktop is read, over ssh."""
    display: str = ""
    """The X display of that desktop, such as `:1`, if the user has several."""
    timeout_sec: float = 10.0
    """How long to wait for each answer of the server, in seconds."""


def make_plan(options: VncOptions) -> LinkPlan:
    """Return whom to call and how; raises SpecError naming the option that is wrong."""
    quality, timeout_sec, ca = options.quality, options.timeout_sec, options.ca
    if quality is not None and (type(quality) is not int or not 0 <= quality <= 9):
        raise SpecError(f"option quality={quality!r} is not a JPEG quality", remedy="give 0 to 9, or leave it out")
    if not isinstance(timeout_sec, int | float) or not 0 < timeout_sec <= 600:
        raise SpecError(f"option timeout_sec={timeout_sec!r} is not a valid time", remedy="give seconds up to 600")
    if ca and not Path(ca).expanduser().is_file():
        raise SpecError(
            f"ca={ca} is not a file", remedy="name a PEM file with the server's certificate, or its maker's"
        )
    where = parse_address(options.address)
    trust = Trust(
        security=options.security,
        password=_password(options.password, options.password_file, options.password_env),
        user=options.user,
        ca=str(Path(ca).expanduser()) if ca else "",
    )
    encodings = wanted_encodings(options.encoding, nearby=where.nearby and quality is None, quality=quality)
    return LinkPlan(address=where, trust=trust, encodings=encodings, timeout_sec=float(timeout_sec))


def check_ssh(options: VncOptions) -> None:
    """Refuse commands and a tree that are not possible, and a display that is none."""
    tree, display, ssh, guest = options.tree, options.display, options.ssh, options.guest
    if tree and (not ssh or guest != "linux"):
        raise SpecError(
            "the tree is read over ssh, on Linux desktops only", remedy="give ssh=user@host too, or leave tree out"
        )
    if display and (not tree or not _DISPLAY.fullmatch(display)):
        raise SpecError(f"option display={display!r} is not a desktop", remedy="write display=:1, with tree=on")
    if ssh and guest == "windows":
        raise SpecError("ssh= needs a plain shell, which Windows does not have", remedy="leave ssh= out")


def guessed_display(address: Address) -> str:
    """Return the X display that a server at this address usually shows; empty where nothing says so."""
    number = address.port - FIRST_PORT
    return f":{number}" if not address.path and 0 <= number <= MOST_DISPLAY else ""


def _password(password: str, file: str, variable: str) -> str:
    given = [
        name for name, value in (("password", password), ("password_file", file), ("password_env", variable)) if value
    ]
    if len(given) > 1:
        raise SpecError(f"options {' and '.join(given)} both give the password", remedy="give one of them")
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
