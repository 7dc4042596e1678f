"""Check the options of a browser before anything starts."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.computers.backends.browser.chromium import Window
from proctor.errors import SpecError

SCREEN = (1280, 720)
PHONE = (412, 915)
SCALES = (0.5, 4.0)
PORTS = (443, 80)
"""Where a host without a port is reached."""


def make_window(*, size: tuple[int, int] | None, scale: float, phone: bool, toolbar: bool) -> Window:
    """Return how the browser is to show itself; raises SpecError for what cannot be."""
    least, most = SCALES
    if isinstance(scale, bool) or not isinstance(scale, int | float) or not least <= scale <= most:
        raise SpecError(f"option scale={scale!r} is not a scale", remedy=f"give a number from {least:g} to {most:g}")
    for name, value in {"phone": phone, "toolbar": toolbar}.items():
        if not isinstance(value, bool):
            raise SpecError(f"option {name}={value!r} is neither yes nor no", remedy="give True or False")
    if phone and toolbar:
        raise SpecError("a phone has no toolbar of a desktop's browser", remedy="give phone or toolbar, not both")
    return Window(size=size or (PHONE if phone else SCREEN), scale=float(scale), phone=phone, toolbar=toolbar)


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
