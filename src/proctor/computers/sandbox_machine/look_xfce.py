"""The full look: XFCE with panel, application menu, dock, icons and wallpaper."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from proctor.computers.sandbox_machine import xfconf
from proctor.computers.sandbox_machine.style import FONT, WALLPAPER_INSIDE, DesktopStyle, dock_entries

# What the look is, apart from theme and dock.
WINDOWS = {
    "use_compositing": False,
    "workspace_count": 1,
    "title_font": "Noto Sans Bold 10",
    "placement_mode": "center",
    "placement_ratio": 100,
    "focus_new": True,
    "mousewheel_rollup": False,
    "scroll_workspaces": False,
    "box_move": False,
    "snap_to_border": False,
    "tile_on_move": False,
}
BACKDROP = {"color-style": 0, "image-style": 5, "last-image": WALLPAPER_INSIDE}
ICONS = {"show-home": True, "show-trash": True, "show-filesystem": False, "show-removable": False}
SETTLED: Mapping[str, Mapping[str, Any]] = {
    "xfce4-desktop": xfconf.desktop(BACKDROP, ICONS),
    "thunar": xfconf.FILE_MANAGER,
    "ristretto": xfconf.PICTURE_VIEWER,
    "keyboards": {"Default": {"KeyRepeat": False, "Numlock": False, "RestoreNumlock": False}},
    "xfce4-session": {"compat": {"LaunchGNOME": False}},
}


def files(rootfs: Path, style: DesktopStyle) -> dict[str, bytes]:
    """Return the settings of panel, windows, desktop and toolkit."""
    channels: dict[str, Mapping[str, Any]] = {
        **SETTLED,
        "xfce4-panel": _panels(dock_entries(rootfs)),
        "xfwm4": {"general": {"theme": style.gtk, **WINDOWS}},
        "xsettings": {
            "Net": {"ThemeName": style.gtk, "IconThemeName": style.icons, "CursorBlink": False, "DoubleClickTime": 400},
            "Gtk": {"FontName": FONT, "MonospaceFontName": "DejaVu Sans Mono 10", "CursorThemeName": "Adwaita"},
            "Xft": {"Antialias": 1, "Hinting": 1, "HintStyle": "hintslight", "RGBA": "none", "DPI": 96},
        },
    }
    return xfconf.files(channels)


def _panels(launchers: list[str]) -> dict[str, Any]:
    """Return a bar at the top with menu, windows and clock, and a dock at the bottom."""
    dock = list(range(11, 11 + len(launchers)))
    bar = {"position": "p=6;x=0;y=0", "length": 100.0, "position-locked": True, "size": 28, "icon-size": 16}
    bottom = {"position": "p=10;x=0;y=0", "length": 1.0, "position-locked": True, "size": 48, "icon-size": 0}
    plugins: dict[str, Any] = {
        "plugin-1": {"": "applicationsmenu", "show-button-title": True, "show-menu-icons": True},
        "plugin-2": {"": "tasklist", "grouping": 0, "show-handle": False, "flat-buttons": True},
        "plugin-3": {"": "separator", "expand": True, "style": 0},
        "plugin-4": {"": "clock", "mode": 2, "digital-layout": 3, "digital-time-format": "%a %d %b, %H:%M"},
    }
    plugins |= {f"plugin-{n}": {"": "launcher", "items": [name]} for n, name in zip(dock, launchers, strict=True)}
    return {
        "configver": 2,
        "panels": {
            "": [1, 2],
            "dark-mode": False,
            "panel-1": {**bar, "plugin-ids": [1, 2, 3, 4]},
            "panel-2": {**bottom, "plugin-ids": dock},
        },
        "plugins": plugins,
    }
