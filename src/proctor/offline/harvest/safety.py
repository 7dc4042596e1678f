"""What a harvest presses, to look at menus, tabs and dialogs, and what it never does."""

from __future__ import annotations

import re

NEVER = (
    "accept", "apply", "burn", "buy", "clear", "close", "connect", "delete", "discard", "disconnect", "eject", "empty",
    "end", "erase", "exit", "format disk", "install", "kill", "leave", "lock", "log in", "log out", "log off", "login",
    "logout", "merge", "mount", "move", "new window", "ok", "order", "overwrite", "pay", "power", "print", "publish",
    "purge", "quit", "reboot", "record", "remove", "reset", "restart", "restore", "revert", "run", "save", "send",
    "share", "shut down", "shutdown", "sign", "start", "stop", "submit", "subscribe", "suspend", "terminate", "trash",
    "uninstall", "unmount", "update", "upgrade", "upload", "wipe", "yes",
)  # fmt: skip
"""Words that no pressed item may have in its name: what they do cannot be looked at without doing it."""

_NEVER = re.compile(rf"\b(?:{'|'.join(map(re.escape, NEVER))})\b", re.IGNORECASE)
_LEADS_ON = re.compile(r"(?:\.\.\.|\N{HORIZONTAL ELLIPSIS})\s*$")
MENUS = frozenset({"menu"})
TABS = frozenset({"page tab"})
ITEMS = frozenset({"menu item"})
AREAS = frozenset({"text", "table", "tree table", "tree", "list", "list box", "icon pane", "document web"})
"""Where the right button shows a menu and the wheel shows more, and neither changes anything."""
_BUTTON_OF_A_MENU = re.compile(r"(?:(?:open|main|application|primary|hamburger) )*menu", re.IGNORECASE)


def may_press(role: str, name: str) -> bool:
    """Tell whether an element only shows something when it is pressed.

    Menus and tabs do in every language. Of the items of a menu those do whose name ends with three dots, by which
    programs say that they will ask before they do anything; even so, none with a word of NEVER.
    """
    if role in MENUS or role in TABS:
        return True
    return role in ITEMS and bool(_LEADS_ON.search(name)) and not _NEVER.search(name)


def opens_a_list(role: str, name: str) -> bool:
    """Tell whether pressing an element shows a list to choose from, which Escape closes again."""
    return role == "combo box" or (role == "toggle button" and bool(_BUTTON_OF_A_MENU.fullmatch(name.strip())))
