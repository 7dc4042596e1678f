"""Options of a browser, checked before anything starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proctor.computers.backends.browser.chromium import BrowserWindow
from proctor.computers.sandbox_machine.options import MachineOptions
from proctor.errors import SpecError

SCREEN = (1280, 720)
PHONE = (412, 915)
SCALES = (0.5, 4.0)
PORTS = (443, 80)
"""Where a host without a port is reached."""


@dataclass(frozen=True, kw_only=True)
class BrowserOptions(MachineOptions):
    """Options of a browser in a sandbox."""

    url: str = "about:blank"
    """The page to start with."""
    image: str = "full"
    """Name of a built image that has Chromium."""
    size: tuple[int, int] | None = None
    """Width and height of the screen; without it 1280x720, and 412x915 for a phone."""
    scale: float = 1.0
    """Screen pixels per page pixel, from 0.5 to 4."""
    toolbar: bool = False
    """Whether tabs and the address bar are shown above the page; otherwise there is nothing but the page."""
    phone: bool = False
    """Whether pages see a phone with a touch screen; input is then by touch, without a pointer."""
    allow: str | Sequence[str] = ""
    """Hosts that may be reached, separated by `+`: `host:port`, or `host`, which is reached on 443 and 80."""
    reuse: bool = False
    """Whether a browser left clean is reset and reused for the next computer of this process."""


def make_window(options: BrowserOptions) -> BrowserWindow:
    """Return how the browser is to show itself; raises SpecError for what cannot be."""
    size, scale, phone, toolbar = options.size, options.scale, options.phone, options.toolbar
    least, most = SCALES
    if isinstance(scale, bool) or not isinstance(scale, int | float) or not least <= scale <= most:
        raise SpecError(f"option scale={scale!r} is not a scale", remedy=f"give a number from {least:g} to {most:g}")
    if phone and toolbar:
        raise SpecError(
            "a phone does not have the toolbar of a desktop browser", remedy="give phone or toolbar, not both"
        )
    return BrowserWindow(size=size or (PHONE if phone else SCREEN), scale=float(scale), phone=phone, toolbar=toolbar)


def allowed_hosts(allow: str | Sequence[str]) -> list[str]:
    """Return each `host:port` that is let through; a host without a port is reached as pages are."""
    entries = allow.replace("+", " ").split() if isinstance(allow, str) else allow
    if not isinstance(entries, list | tuple) or not all(isinstance(entry, str) for entry in entries):
        raise SpecError(
            f"option allow={allow!r} is not a list of hosts", remedy="write allow=example.org+www.example.org"
        )
    found: list[str] = []
    for entry in entries:
        host = entry.strip().lower().removeprefix("https://").removeprefix("http://").rstrip("/")
        found += [host] if ":" in host else [f"{host}:{port}" for port in PORTS]
    return list(dict.fromkeys(found))
