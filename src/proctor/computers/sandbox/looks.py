"""How a desktop looks: the configuration files and programs of each look, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from xml.sax.saxutils import quoteattr

from proctor.errors import UnknownName

HOME = "/home/user"
WALLPAPER = Path(__file__).with_name("wallpaper.jpg")
FOLDERS = ("Desktop", "Documents", "Downloads", "Music", "Pictures", "Public", "Templates", "Videos")
# In the order of the dock; those the image does not have are left out.
DOCK = (
    "lxterminal.desktop", "thunar.desktop", "org.xfce.mousepad.desktop", "chromium.desktop", "firefox-esr.desktop",
    "thunderbird.desktop", "libreoffice-writer.desktop", "libreoffice-calc.desktop", "galculator.desktop",
)  # fmt: skip

Theme = Literal["light", "dark"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Style:
    """The toolkit settings of a theme."""

    gtk: str
    icons: str
    openbox: str
    desktop: str
    """Colour of a plain desktop."""


STYLES: Mapping[str, Style] = {
    "light": Style(gtk="Greybird", icons="elementary-xfce", openbox="Clearlooks", desktop="#3b5a78"),
    "dark": Style(gtk="Greybird-dark", icons="elementary-xfce-dark", openbox="Onyx", desktop="#232a33"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """One way to set up a desktop."""

    name: str
    desktop: str
    """What XDG_CURRENT_DESKTOP says."""
    programs: tuple[tuple[str, ...], ...]
    """Started at once, as the agent's user, when display and buses are up."""
    docks: int
    """How many panels must be on screen before the desktop is complete."""
    files: Callable[[Path, Style], dict[str, bytes]]
    """Configuration files for an image, by absolute path."""


def find(name: str) -> Look:
    """Return a look by name."""
    if name not in LOOKS:
        raise UnknownName("look", name, LOOKS)
    return LOOKS[name]


def common_files(style: Style) -> dict[str, bytes]:
    """Return what every look needs: user folders, and toolkits told not to blink, animate or remember."""
    settings = {
        "gtk-theme-name": style.gtk,
        "gtk-icon-theme-name": style.icons,
        "gtk-font-name": "Noto Sans 10",
        "gtk-cursor-blink": "0",
        "gtk-enable-animations": "0",
        "gtk-recent-files-max-age": "0",
        "gtk-overlay-scrolling": "0",
    }
    gtk3 = "[Settings]\n" + "".join(f"{key}={value}\n" for key, value in settings.items())
    gtk2 = "".join(
        f"{key}={value if value.isdigit() else quoteattr(value)}\n" for key, value in list(settings.items())[:4]
    )
    keys = {"DESKTOP": "Desktop", "DOCUMENTS": "Documents", "DOWNLOAD": "Downloads", "MUSIC": "Music"}
    keys |= {"PICTURES": "Pictures", "PUBLICSHARE": "Public", "TEMPLATES": "Templates", "VIDEOS": "Videos"}
    folders = "".join(f'XDG_{key}_DIR="$HOME/{name}"\n' for key, name in keys.items())
    return {
        f"{HOME}/.config/gtk-3.0/settings.ini": gtk3.encode(),
        f"{HOME}/.gtkrc-2.0": gtk2.encode(),
        f"{HOME}/.config/user-dirs.dirs": folders.encode(),
        f"{HOME}/.config/user-dirs.locale": b"C",
        "/usr/share/backgrounds/proctor.jpg": WALLPAPER.read_bytes(),
    }


def dock_entries(rootfs: Path) -> list[str]:
    """Return the dock's applications that an image has."""
    return [name for name in DOCK if (rootfs / "usr/share/applications" / name).exists()]


# -- XFCE ---------------------------------------------------------------------------------------------------------


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


def _xfce_files(rootfs: Path, style: Style) -> dict[str, bytes]:
    launchers = dock_entries(rootfs)
    dock = list(range(11, 11 + len(launchers)))
    plugins: dict[str, Any] = {
        "plugin-1": {"": "applicationsmenu", "show-button-title": True, "button-title": "Applications"},
        "plugin-2": {"": "tasklist", "grouping": 0, "show-handle": False, "flat-buttons": True},
        "plugin-3": {"": "separator", "expand": True, "style": 0},
        "plugin-4": {"": "clock", "mode": 2, "digital-layout": 3, "digital-time-format": "%a %d %b, %H:%M"},
    }
    plugins |= {f"plugin-{n}": {"": "launcher", "items": [name]} for n, name in zip(dock, launchers, strict=True)}
    panel = {
        "configver": 2,
        "panels": {
            "": [1, 2],
            "dark-mode": True,
            "panel-1": {
                "position": "p=6;x=0;y=0",
                "length": 100.0,
                "position-locked": True,
                "size": 28,
                "icon-size": 16,
                "plugin-ids": [1, 2, 3, 4],
            },
            "panel-2": {
                "position": "p=10;x=0;y=0",
                "length": 1.0,
                "position-locked": True,
                "size": 48,
                "icon-size": 0,
                "plugin-ids": dock,
            },
        },
        "plugins": plugins,
    }
    backdrop = {"color-style": 0, "image-style": 5, "last-image": "/usr/share/backgrounds/proctor.jpg"}
    channels: dict[str, Mapping[str, Any]] = {
        "xfce4-panel": panel,
        "xsettings": {
            "Net": {"ThemeName": style.gtk, "IconThemeName": style.icons, "CursorBlink": False, "DoubleClickTime": 400},
            "Gtk": {
                "FontName": "Noto Sans 10",
                "MonospaceFontName": "DejaVu Sans Mono 10",
                "CursorThemeName": "Adwaita",
            },
            "Xft": {"Antialias": 1, "HintStyle": "hintslight", "RGBA": "none", "DPI": 96},
        },
        "xfwm4": {
            "general": {
                "theme": style.gtk,
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
            },
        },
        "xfce4-desktop": {
            "backdrop": {"screen0": {f"monitor{name}": {"workspace0": backdrop} for name in ("VNC-0", "0", "screen")}},
            "desktop-icons": {
                "style": 2,
                "file-icons": {
                    "show-home": True,
                    "show-trash": True,
                    "show-filesystem": False,
                    "show-removable": False,
                },
            },
        },
        "thunar": {"last-view": "ThunarIconView", "misc-single-click": False, "last-show-hidden": False},
        "keyboards": {"Default": {"KeyRepeat": False, "Numlock": False, "RestoreNumlock": False}},
        "xfce4-session": {"compat": {"LaunchGNOME": False}},
    }
    base = f"{HOME}/.config/xfce4/xfconf/xfce-perchannel-xml"
    return {f"{base}/{name}.xml": xfconf(name, settings) for name, settings in channels.items()}


# -- Openbox + LXPanel --------------------------------------------------------------------------------------------


def _light_files(rootfs: Path, style: Style) -> dict[str, bytes]:
    launchers = "".join(f"Button {{\n id={name}\n }}\n" for name in dock_entries(rootfs))
    panel = f"""Global {{
 edge=bottom
 align=left
 margin=0
 widthtype=percent
 width=100
 height=32
 transparent=0
 background=0
 autohide=0
 setdocktype=1
 setpartialstrut=1
 iconsize=24
}}
Plugin {{
 type=menu
 Config {{
  image=start-here
  system {{
  }}
 }}
}}
Plugin {{
 type=space
 Config {{
  Size=4
 }}
}}
Plugin {{
 type=launchbar
 Config {{
{launchers} }}
}}
Plugin {{
 type=space
 Config {{
  Size=4
 }}
}}
Plugin {{
 type=taskbar
 expand=1
 Config {{
  IconsOnly=0
  FlatButton=0
  MaxTaskWidth=220
 }}
}}
Plugin {{
 type=dclock
 Config {{
  ClockFmt=%a %d %b, %H:%M
 }}
}}
"""
    desktop = f"""[*]
wallpaper_mode=color
desktop_bg={style.desktop}
desktop_fg=#ffffff
desktop_shadow=#000000
show_documents=0
show_trash=1
show_mounts=0
"""
    openbox = f"""<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
 <focus><focusNew>yes</focusNew><raiseOnFocus>yes</raiseOnFocus></focus>
 <placement><policy>Smart</policy><center>yes</center></placement>
 <theme><name>{style.openbox}</name><animateIconify>no</animateIconify>
  <font place="ActiveWindow"><name>Noto Sans</name><size>10</size><weight>bold</weight></font>
  <font place="InactiveWindow"><name>Noto Sans</name><size>10</size></font></theme>
 <desktops><number>1</number><popupTime>0</popupTime></desktops>
 <keyboard>
  <keybind key="A-F4"><action name="Close"/></keybind>
  <keybind key="A-Tab"><action name="NextWindow"/></keybind>
  <keybind key="W-d"><action name="ToggleShowDesktop"/></keybind>
 </keyboard>
 <mouse><doubleClickTime>400</doubleClickTime>
  <context name="Titlebar">
   <mousebind button="Left" action="Drag"><action name="Move"/></mousebind>
   <mousebind button="Left" action="DoubleClick"><action name="ToggleMaximize"/></mousebind></context>
  <context name="Titlebar Top Right Bottom Left TLCorner TRCorner BRCorner BLCorner">
   <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind></context>
  <context name="Top Right Bottom Left TLCorner TRCorner BRCorner BLCorner">
   <mousebind button="Left" action="Drag"><action name="Resize"/></mousebind></context>
  <context name="Client"><mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
   <mousebind button="Right" action="Press"><action name="Focus"/><action name="Raise"/></mousebind></context>
  <context name="Close"><mousebind button="Left" action="Click"><action name="Close"/></mousebind></context>
  <context name="Maximize"><mousebind button="Left" action="Click"><action name="ToggleMaximize"/></mousebind></context>
  <context name="Iconify"><mousebind button="Left" action="Click"><action name="Iconify"/></mousebind></context>
 </mouse>
</openbox_config>
"""
    return {
        f"{HOME}/.config/lxpanel/default/panels/panel": panel.encode(),
        f"{HOME}/.config/lxpanel/default/config": b"[Command]\nLogout=true\n",
        f"{HOME}/.config/pcmanfm/default/desktop-items-0.conf": desktop.encode(),
        f"{HOME}/.config/pcmanfm/default/pcmanfm.conf": b"[volume]\nmount_on_startup=0\nmount_removable=0\nautorun=0\n",
        f"{HOME}/.config/libfm/libfm.conf": b"[config]\nsingle_click=0\nconfirm_trash=0\nterminal=lxterminal\n",
        f"{HOME}/.config/openbox/rc.xml": openbox.encode(),
    }


LOOKS: Mapping[str, Look] = {
    "xfce": Look(
        name="xfce",
        desktop="XFCE",
        programs=(
            ("xfsettingsd", "--disable-wm-check", "--no-daemon"),
            ("xfwm4", "--compositor=off"),
            ("xfce4-panel", "--disable-wm-check"),
            ("xfdesktop", "--disable-wm-check"),
        ),
        docks=2,
        files=_xfce_files,
    ),
    "light": Look(
        name="light",
        desktop="LXDE",
        programs=(("openbox",), ("lxpanel", "--profile", "default"), ("pcmanfm", "--desktop", "--profile", "default")),
        docks=1,
        files=_light_files,
    ),
}
