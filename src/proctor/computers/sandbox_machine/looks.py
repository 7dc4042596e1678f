"""The looks of a desktop: the programs that make each, and where its configuration comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from proctor.computers.sandbox_machine import look_light, look_xfce
from proctor.computers.sandbox_machine.style import DesktopStyle
from proctor.errors import UnknownName


@dataclass(frozen=True, kw_only=True, slots=True)
class DesktopLook:
    """One way to set up a desktop."""

    name: str
    desktop: str
    """What XDG_CURRENT_DESKTOP says."""
    programs: tuple[tuple[str, ...], ...]
    """Started at once, as the agent's user, when display and buses are up."""
    docks: int
    """How many panels must be on screen before the desktop is complete."""
    files: Callable[[Path, DesktopStyle], dict[str, bytes]]
    """Configuration files for an image, by absolute path."""
    icons: bool = True
    """Whether a desktop with icons must be on screen as well."""


def find(name: str) -> DesktopLook:
    """Return a look by name."""
    if name not in LOOKS:
        raise UnknownName("look", name, LOOKS)
    return LOOKS[name]


LOOKS: Mapping[str, DesktopLook] = {
    "xfce": DesktopLook(
        name="xfce",
        desktop="XFCE",
        programs=(
            ("xfsettingsd", "--disable-wm-check", "--no-daemon"),
            ("xfwm4", "--compositor=off"),
            ("xfce4-panel", "--disable-wm-check"),
            ("xfdesktop", "--disable-wm-check"),
        ),
        docks=2,
        files=look_xfce.files,
    ),
    "light": DesktopLook(
        name="light",
        desktop="LXDE",
        programs=(("openbox",), ("lxpanel", "--profile", "default"), ("xfdesktop", "--disable-wm-check")),
        docks=1,
        files=look_light.files,
    ),
}
