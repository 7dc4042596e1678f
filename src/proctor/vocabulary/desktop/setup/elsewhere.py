"""Setup steps of tasks that were written for other desktops."""

from __future__ import annotations

import base64 as encoding
import re
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from proctor.actions.action import InputAction, from_json
from proctor.computers.computer import Computer, Window
from proctor.errors import AgentError, NotReady, SetupFailed
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.desktop.setup.windows import close_window, focus_window

NAMES = {
    "google-chrome": "chromium",
    "google-chrome-stable": "chromium",
    "chromium-browser": "chromium",
    "nautilus": "thunar",
    "gnome-terminal": "lxterminal",
    "python": "python3",
}
"""What programs are called on Ubuntu's desktop, and what stands for them here."""
DEBUGGING_PORT = 9222
DEBUGGING = f'export CHROMIUM_FLAGS="$CHROMIUM_FLAGS --remote-debugging-port={DEBUGGING_PORT}"\n'
_NEW_TABS = f"""
import sys, urllib.request
for url in sys.argv[1:]:
    new = urllib.request.Request("http://127.0.0.1:{DEBUGGING_PORT}/json/new?" + url, method="PUT")
    urllib.request.urlopen(new, timeout=10).read()
""".encode()
_CLOSE_EMPTY = f"""
import json, sys, time, urllib.request
def pause(seconds): time.sleep(seconds)
base = "http://127.0.0.1:{DEBUGGING_PORT}/json"
for _ in range(200):
    pages = [page for page in json.load(urllib.request.urlopen(base, timeout=10)) if page["type"] == "page"]
    empty = [page for page in pages if page["url"].startswith(("chrome://newtab", "chrome://new-tab-page"))]
    if len(pages) - len(empty) >= int(sys.argv[1]): break
    pause(0.05)
else: sys.exit("the pages were not opened")
for page in empty: urllib.request.urlopen(f"{{base}}/close/{{page['id']}}", timeout=10).read()
""".encode()
_PORT = """for word do
    shift
    case $word in --remote-debugging-port=*) ;; *) set -- "$@" "$word" ;; esac
done
"""
"""Leaves out of a command line which port a browser is to listen on: others are forwarded to the one it listens on."""
_LINKS = """
set -e
mkdir -p /usr/local/bin
while read -r name program; do
    path=$(command -v "$program") && ! command -v "$name" > /dev/null || continue
    case $program in chromium) first=$2 ;; *) first= ;; esac
    printf '#!/bin/sh\\n%sexec %s "$@"\\n' "$first" "$path" > "/usr/local/bin/$name"
    chmod 755 "/usr/local/bin/$name"
done
if [ -d /etc/chromium.d ]; then printf '%s' "$1" > /etc/chromium.d/debugging; fi
if ! command -v socat > /dev/null; then
    printf '#!/bin/sh\\n# The ports that it would join are one here.\\nexec sleep infinity\\n' > /usr/local/bin/socat
    chmod 755 /usr/local/bin/socat
fi
if ! command -v sudo > /dev/null; then
    printf '#!/bin/sh\\necho "sudo: %s" >&2\\nexit 1\\n' "$3" > /usr/local/bin/sudo
    chmod 755 /usr/local/bin/sudo
fi
"""
_NO_RIGHTS = "nobody has administrator rights on this computer"
_SCHEMAS = "/usr/local/share/glib-2.0/schemas"
_COMPILE = f"""
set -e
mkdir -p {_SCHEMAS}
cat > {_SCHEMAS}/elsewhere.gschema.xml
"$(ls /usr/lib/*/glib-2.0/glib-compile-schemas | head -n 1)" {_SCHEMAS}
"""
_GNOME = {
    "org.gnome.shell": {
        "favorite-apps": ("as", "['google-chrome.desktop', 'thunderbird.desktop', 'org.gnome.Nautilus.desktop']"),
    },
    "org.gnome.shell.extensions.dash-to-dock": {
        "dock-position": ("s", "'LEFT'"),
        "extend-height": ("b", "true"),
        "dock-fixed": ("b", "true"),
        "dash-max-icon-size": ("i", "48"),
    },
    "org.gnome.shell.keybindings": {
        "show-screenshot-ui": ("as", "['Print']"),
        "toggle-overview": ("as", "[]"),
    },
    "org.gnome.settings-daemon.plugins.power": {
        "idle-dim": ("b", "true"),
        "sleep-inactive-ac-type": ("s", "'suspend'"),
        "sleep-inactive-ac-timeout": ("i", "3600"),
        "sleep-inactive-battery-type": ("s", "'suspend'"),
        "sleep-inactive-battery-timeout": ("i", "1800"),
    },
    "org.gnome.settings-daemon.plugins.color": {"night-light-enabled": ("b", "false")},
}
"""Settings of GNOME's shell on Ubuntu, with their types and what they are at first."""
WINDOW_SEC = 60.0
_BLANKS = re.compile(r"\s+")
_EXAMPLE = [{"type": "press", "keys": "ctrl+s"}]
_DASHES = str.maketrans({"–": "-", "—": "-"})


def _actions(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for each in listed:
        try:
            action = from_json(each)
        except AgentError as error:
            raise ValueError(f"it is not an action: {error.message}") from error
        if not isinstance(action, InputAction):
            raise ValueError(f"{action.kind} is not an action of keyboard and pointer")
    return listed


def _whole(text: str) -> str:
    try:
        encoding.b64decode(text, validate=True)
    except ValueError as error:
        raise ValueError(f"it is not base64: {error}") from error
    return text


def _schemas() -> str:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<schemalist>"]
    for name, keys in _GNOME.items():
        lines.append(f'<schema id="{name}" path="/{name.replace(".", "/")}/">')
        lines += [
            f'<key name="{key}" type="{kind}"><default>{value}</default></key>' for key, (kind, value) in keys.items()
        ]
        lines.append("</schema>")
    return "\n".join([*lines, "</schemalist>\n"])


@SETUP.register_before_use
def other_names(context: SetupContext) -> None:
    """Make programs available under the names they have on Ubuntu, such as `google-chrome`.

    Chromium listens on port 9222, as tasks written for OSWorld expect, and `socat` has nothing to forward; its profile
    is also that of Google Chrome. `sudo` says that nobody has administrator rights.
    """
    listed = "".join(f"{name} {program}\n" for name, program in NAMES.items())
    context.command(["bash", "-c", _LINKS, "bash", DEBUGGING, _PORT, _NO_RIGHTS], root=True, input=listed.encode())
    link = "mkdir -p .config/chromium && { [ -e .config/google-chrome ] || ln -s chromium .config/google-chrome; }"
    context.command(["sh", "-c", f"cd && mkdir -p Desktop Documents Downloads && {link}"])


@SETUP.register_before_use
def gnome_settings(context: SetupContext) -> None:
    """Let `gsettings` know settings of GNOME's shell, such as its favourites; nothing shows them."""
    context.command(["sh", "-c", _COMPILE], root=True, input=_schemas().encode())


@SETUP.register
def data_file(context: SetupContext, path: str, base64: Annotated[str, AfterValidator(_whole)]) -> None:
    """Write a file of these bytes, creating missing folders."""
    context.computer.write_file(path, encoding.b64decode(base64))


@SETUP.register
def open_path(context: SetupContext, path: str) -> None:
    """Open a file or folder as a double click would, and wait until another window is open."""
    context.command(["test", "-e", path])
    before = {window.id for window in context.computer.windows()}
    context.computer.launch(["xdg-open", path], wait=False)
    context.computer.wait_for(
        lambda computer: any(window.id not in before for window in computer.windows()),
        what=f"a window for {path}",
        timeout_sec=WINDOW_SEC,
    )
    context.computer.settle()


@SETUP.register
def bring_forward(context: SetupContext, window: str, whole: bool = False, by_class: bool = False) -> None:
    """Bring a window with this title, or of this application, to the front, if there is one."""
    found = _fits(context.computer, window, whole, by_class)
    if found is not None and not found.active:
        focus_window(context, f"/^{re.escape(found.title)}$/")


@SETUP.register
def close_if_open(context: SetupContext, window: str, whole: bool = False, by_class: bool = False) -> None:
    """Close a window with this title, or of this application, if there is one, and wait for that."""
    found = _fits(context.computer, window, whole, by_class)
    if found is not None:
        close_window(context, f"/^{re.escape(found.title)}$/")


@SETUP.register_before_use
def actions(
    context: SetupContext,
    actions: Annotated[
        list[dict[str, Any]], Field(min_length=1, max_length=200, examples=[_EXAMPLE]), AfterValidator(_actions)
    ],
) -> None:
    """Perform these actions with keyboard and pointer in order, each once the screen is still."""
    for each in actions:
        context.computer.perform(from_json(each))
        context.computer.settle()


@SETUP.register
def open_tabs(context: SetupContext, urls: Annotated[list[str], Field(min_length=1)], instead: bool = False) -> None:
    """Open pages in Chromium, a tab each, and wait until their window is open.

    With `instead`, the empty tab that a browser begins with is closed.
    """
    # A command line opens none of the browser's own pages.
    own = [url for url in urls if url.startswith("chrome://")]
    others = [url for url in urls if url not in own]
    try:
        if others or not _fits(context.computer, "chromium", whole=True, by_class=True):
            context.computer.launch(["chromium", *others], window="Chromium", timeout_sec=WINDOW_SEC)
    except NotReady as error:
        raise SetupFailed(f"Chromium did not show {urls[0]}: {error.message}") from error
    if own:
        context.command(["python3", "-I", "-", *own], input=_NEW_TABS)
    if instead:
        context.command(["python3", "-I", "-", str(len(urls))], input=_CLOSE_EMPTY)
    context.computer.settle()


def _fits(computer: Computer, title: str, whole: bool, by_class: bool) -> Window | None:
    """Return the frontmost window of a title, whatever its dashes, or of a class by its last part."""
    sought = _plain(title.rpartition(".")[2] if by_class else title)
    for window in reversed(computer.windows()):
        held = _plain(window.app if by_class else window.title)
        # Others name it after the product, ours after the project.
        if held == sought or (not (whole and not by_class) and sought in held):
            return window
    return None


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", text.translate(_DASHES)).replace("Google Chrome", "Chromium").strip().casefold()
