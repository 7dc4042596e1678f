"""The lean look: Openbox, LXPanel and a plain desktop with icons."""

from __future__ import annotations

from pathlib import Path
from string import Template

from proctor.computers.sandbox.style import HOME, Style, dock_entries

TEMPLATES = Path(__file__).with_name("templates")


def files(rootfs: Path, style: Style) -> dict[str, bytes]:
    """Return the configuration of window manager, panel and desktop."""
    launchers = "".join(f"Button {{\n id={name}\n }}\n" for name in dock_entries(rootfs))
    config = f"{HOME}/.config"
    return {
        f"{config}/lxpanel/default/panels/panel": _fill("lxpanel.conf", launchers=launchers),
        f"{config}/lxpanel/default/config": b"[Command]\nLogout=true\n",
        f"{config}/pcmanfm/default/desktop-items-0.conf": _fill("pcmanfm-desktop.conf", colour=style.desktop),
        f"{config}/pcmanfm/default/pcmanfm.conf": b"[volume]\nmount_on_startup=0\nmount_removable=0\nautorun=0\n",
        f"{config}/libfm/libfm.conf": b"[config]\nsingle_click=0\nconfirm_trash=0\nterminal=lxterminal\n",
        f"{config}/openbox/rc.xml": _fill("openbox.xml", theme=style.openbox),
    }


def _fill(name: str, **values: str) -> bytes:
    return Template((TEMPLATES / name).read_text()).substitute(values).encode()
