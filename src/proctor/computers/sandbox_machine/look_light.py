"""The lean look: Openbox, LXPanel and a plain desktop with icons."""

from __future__ import annotations

from pathlib import Path
from string import Template

from proctor.computers.sandbox_machine import xfconf
from proctor.computers.sandbox_machine.style import TEMPLATES, DesktopStyle, dock_entries
from proctor.home import HOME

# A trash can would bring its daemon along: a tenth of a second and ten megabytes.
ICONS = {"show-home": True, "show-trash": False, "show-filesystem": False, "show-removable": False}


def files(rootfs: Path, style: DesktopStyle) -> dict[str, bytes]:
    """Return the configuration of window manager, panel and desktop."""
    launchers = "".join(f"Button {{\n id={name}\n }}\n" for name in dock_entries(rootfs))
    config = f"{HOME}/.config"
    backdrop = {"color-style": 0, "image-style": 0, "last-image": "", "rgba1": [*_shares(style.desktop), 1.0]}
    return {
        f"{config}/lxpanel/default/panels/panel": _fill("lxpanel.conf", launchers=launchers),
        f"{config}/lxpanel/default/config": b"[Command]\nLogout=true\n",
        f"{config}/openbox/rc.xml": _fill("openbox.xml", theme=style.openbox),
        **xfconf.files(
            {
                "xfce4-desktop": xfconf.desktop(backdrop, ICONS),
                "thunar": xfconf.FILE_MANAGER,
                "ristretto": xfconf.PICTURE_VIEWER,
            }
        ),
    }


def _shares(colour: str) -> list[float]:
    return [channel / 255 for channel in bytes.fromhex(colour.lstrip("#"))]


def _fill(name: str, **values: str) -> bytes:
    return Template((TEMPLATES / name).read_text()).substitute(values).encode()
