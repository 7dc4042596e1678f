"""What all looks share: themes, user folders, the dock's applications, and toolkits told not to blink or animate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from xml.sax.saxutils import quoteattr

from proctor.computers.images.inside import exists_inside
from proctor.home import HOME

WALLPAPER = Path(__file__).with_name("wallpaper.jpg")
TEMPLATES = Path(__file__).with_name("templates")
ACCESSIBILITY_BUS = "/usr/share/defaults/at-spi2/accessibility.conf"
WALLPAPER_INSIDE = "/usr/share/backgrounds/proctor.jpg"
FONT = "Noto Sans 10"
# X resources, there before any program: XFCE's settings daemon says the same later, and nothing changes its looks then.
FONT_RENDERING = "Xft.antialias:1\nXft.hinting:1\nXft.hintstyle:hintslight\nXft.rgba:none\nXft.dpi:96\n"
FOLDERS = ("Desktop", "Documents", "Downloads", "Music", "Pictures", "Public", "Templates", "Videos")
# In the order of the dock; those the image does not have are left out.
DOCK = (
    "lxterminal.desktop", "thunar.desktop", "org.xfce.mousepad.desktop", "chromium.desktop", "firefox-esr.desktop",
    "thunderbird.desktop", "libreoffice-writer.desktop", "libreoffice-calc.desktop", "galculator.desktop",
)  # fmt: skip

Theme = Literal["light", "dark"]


@dataclass(frozen=True, kw_only=True, slots=True)
class DesktopStyle:
    """The toolkit settings of a theme."""

    gtk: str
    icons: str
    openbox: str
    desktop: str
    """Colour of a plain desktop."""


STYLES: Mapping[str, DesktopStyle] = {
    "light": DesktopStyle(gtk="Greybird", icons="elementary-xfce", openbox="Clearlooks", desktop="#3b5a78"),
    "dark": DesktopStyle(gtk="Greybird-dark", icons="elementary-xfce-dark", openbox="Onyx", desktop="#232a33"),
}


def common_files(style: DesktopStyle) -> dict[str, bytes]:
    """Return what every look needs.

    User folders, and toolkits told not to blink, animate or remember.
    """
    gtk2 = {
        "gtk-theme-name": style.gtk,
        "gtk-icon-theme-name": style.icons,
        "gtk-font-name": FONT,
        "gtk-cursor-blink": "0",
    }
    gtk3 = {
        **gtk2,
        "gtk-enable-animations": "0",
        "gtk-recent-files-max-age": "0",
        "gtk-overlay-scrolling": "0",
        "gtk-menu-images": "1",
    }
    gtk2_lines = [f"{key}={value if value.isdigit() else quoteattr(value)}\n" for key, value in gtk2.items()]
    gtk3_lines = ["[Settings]\n", *(f"{key}={value}\n" for key, value in gtk3.items())]
    keys = {"DESKTOP": "Desktop", "DOCUMENTS": "Documents", "DOWNLOAD": "Downloads", "MUSIC": "Music"}
    keys |= {"PICTURES": "Pictures", "PUBLICSHARE": "Public", "TEMPLATES": "Templates", "VIDEOS": "Videos"}
    folders = "".join(f'XDG_{key}_DIR="$HOME/{name}"\n' for key, name in keys.items())
    return {
        f"{HOME}/.config/gtk-3.0/settings.ini": "".join(gtk3_lines).encode(),
        f"{HOME}/.gtkrc-2.0": "".join(gtk2_lines).encode(),
        f"{HOME}/.config/user-dirs.dirs": folders.encode(),
        f"{HOME}/.config/user-dirs.locale": b"C",
        ACCESSIBILITY_BUS: (TEMPLATES / "accessibility-bus.conf").read_bytes(),
        WALLPAPER_INSIDE: WALLPAPER.read_bytes(),
    }


def dock_entries(rootfs: Path) -> list[str]:
    """Return the dock's applications that an image has."""
    return [name for name in DOCK if exists_inside(rootfs, f"usr/share/applications/{name}")]
