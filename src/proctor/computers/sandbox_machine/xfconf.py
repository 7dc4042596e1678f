"""Settings of XFCE programs, written as the files they read when they start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import quoteattr

from proctor.home import HOME

FOLDER = f"{HOME}/.config/xfce4/xfconf/xfce-perchannel-xml"
# XFCE keeps a backdrop for each monitor by its name, which differs between display servers.
MONITORS = ("monitorVNC-0", "monitor0", "monitorscreen")
# As a list, because icons are not in the accessibility tree; wide enough for its columns.
FILE_MANAGER = {
    "last-view": "ThunarDetailsView",
    "last-window-width": 800,
    "last-window-height": 520,
    "last-show-hidden": False,
    "misc-single-click": False,
}

# Images have no service that makes thumbnails: the viewer would say so in front of every picture, and show none.
PICTURE_VIEWER = {"errors": {"missing-thumbnailer": False}, "window": {"thumbnails": {"show": False}}}


def files(channels: Mapping[str, Mapping[str, Any]]) -> dict[str, bytes]:
    """Return the files of several channels, by absolute path."""
    return {f"{FOLDER}/{name}.xml": channel(name, settings) for name, settings in channels.items()}


def desktop(backdrop: Mapping[str, Any], icons: Mapping[str, bool]) -> dict[str, Any]:
    """Return the settings of a desktop with its icons in front of a backdrop."""
    return {
        "backdrop": {"screen0": {name: {"workspace0": backdrop} for name in MONITORS}},
        "desktop-icons": {"style": 2, "file-icons": icons},
    }


def channel(title: str, settings: Mapping[str, Any]) -> bytes:
    """Return a channel of settings.

    Nested mappings are nested properties, `""` holds a property's own value.
    """

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
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<channel name="{title}" version="1.0">{body}</channel>\n'.encode()
