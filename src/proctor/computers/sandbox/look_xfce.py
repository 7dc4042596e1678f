"""The full look: XFCE with panel, application menu, dock, icons and wallpaper."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from proctor.computers.sandbox.style import FONT, HOME, WALLPAPER_INSIDE, Style, dock_entries


def xfconf(channel: str, settings: Mapping[str, Any]) -> bytes:
    """Return an XFCE settings channel; nested mappings are nested properties, `""` holds a property's own value."""

    def value(item: Any) -> str:
        if isinstance(item, bool):
            return f'type="bool" value="{str(item).lower()}"'
        if isinstance(item, int):
            return f'type="int" value="{item}"'
        if isinstance(item, float):
            return f'type="double" value="{item}"'
        return f'type="string" value={quoteattr(item)}'

    def write(name: str, item: Any) -> str:
        head = f"<property name={quoteattr(name)} "
        if isinstance(item, Mapping):
            inner = dict(item)
            own = inner.pop("", None)
            items = "".join(f"<value {value(each)}/>" for each in own) if isinstance(own, list) else ""
            kind = 'type="array"' if isinstance(own, list) else 'type="empty"' if own is None else value(own)
            return f"{head}{kind}>{items}{''.join(write(*pair) for pair in inner.items())}</property>"
        if isinstance(item, list):
            return f'{head}type="array">{"".join(f"<value {value(each)}/>" for each in item)}</property>'
        return f"{head}{value(item)}/>"

    body = "".join(write(*pair) for pair in settings.items())
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<channel name="{channel}" version="1.0">{body}</channel>\n'.encode()
    )


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
# XFCE keeps a backdrop for each monitor by its name, which differs between display servers.
MONITORS = ("monitorVNC-0", "monitor0", "monitorscreen")
SETTLED: Mapping[str, Mapping[str, Any]] = {
    "xfce4-desktop": {
        "backdrop": {"screen0": {name: {"workspace0": BACKDROP} for name in MONITORS}},
        "desktop-icons": {"style": 2, "file-icons": ICONS},
    },
    "thunar": {"last-view": "ThunarIconView", "misc-single-click": False, "last-show-hidden": False},
    "keyboards": {"Default": {"KeyRepeat": False, "Numlock": False, "RestoreNumlock": False}},
    "xfce4-session": {"compat": {"LaunchGNOME": False}},
}


def files(rootfs: Path, style: Style) -> dict[str, bytes]:
    """Return the settings of panel, windows, desktop and toolkit."""
    channels: dict[str, Mapping[str, Any]] = {
        **SETTLED,
        "xfce4-panel": _panels(dock_entries(rootfs)),
        "xfwm4": {"general": {"theme": style.gtk, **WINDOWS}},
        "xsettings": {
            "Net": {"ThemeName": style.gtk, "IconThemeName": style.icons, "CursorBlink": False, "DoubleClickTime": 400},
            "Gtk": {"FontName": FONT, "MonospaceFontName": "DejaVu Sans Mono 10", "CursorThemeName": "Adwaita"},
            "Xft": {"Antialias": 1, "HintStyle": "hintslight", "RGBA": "none", "DPI": 96},
        },
    }
    base = f"{HOME}/.config/xfce4/xfconf/xfce-perchannel-xml"
    return {f"{base}/{name}.xml": xfconf(name, settings) for name, settings in channels.items()}


def _panels(launchers: list[str]) -> dict[str, Any]:
    """Return a bar at the top with menu, windows and clock, and a dock at the bottom."""
    dock = list(range(11, 11 + len(launchers)))
    bar = {"position": "p=6;x=0;y=0", "length": 100.0, "position-locked": True, "size": 28, "icon-size": 16}
    bottom = {"position": "p=10;x=0;y=0", "length": 1.0, "position-locked": True, "size": 48, "icon-size": 0}
    plugins: dict[str, Any] = {
        "plugin-1": {"": "applicationsmenu", "show-button-title": True, "button-title": "Applications"},
        "plugin-2": {"": "tasklist", "grouping": 0, "show-handle": False, "flat-buttons": True},
        "plugin-3": {"": "separator", "expand": True, "style": 0},
        "plugin-4": {"": "clock", "mode": 2, "digital-layout": 3, "digital-time-format": "%a %d %b, %H:%M"},
    }
    plugins |= {f"plugin-{n}": {"": "launcher", "items": [name]} for n, name in zip(dock, launchers, strict=True)}
    return {
        "configver": 2,
        "panels": {
            "": [1, 2],
            "dark-mode": True,
            "panel-1": {**bar, "plugin-ids": [1, 2, 3, 4]},
            "panel-2": {**bottom, "plugin-ids": dock},
        },
        "plugins": plugins,
    }
