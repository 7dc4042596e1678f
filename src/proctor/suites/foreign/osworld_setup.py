"""OSWorld's setup steps in our words; nothing waits for a length of time."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator

from proctor.suites.foreign.code_editor import extensions_of, without_marketplace
from proctor.suites.foreign.gestures import gestures, program_of
from proctor.suites.foreign.names import ACCOUNTS, SERVERS
from proctor.suites.foreign.osworld_form import ForeignStep
from proctor.suites.foreign.programs import without_installing
from proctor.suites.foreign.translation import NotJudgedYet, Translation, fill_in, guest_path, step
from proctor.tasks.call import Call
from proctor.vocabulary.apps.desktop.probes import BACKDROP

_OFFICE = (".docx", ".doc", ".odt", ".xlsx", ".xls", ".ods", ".csv", ".pptx", ".ppt", ".odp", ".rtf")
_WINDOWS = {
    "google-chrome": "Chromium",
    "chromium": "Chromium",
    "thunderbird": "Thunderbird",
    "gimp": "GIMP",
    "vlc": "VLC",
    "libreoffice": "LibreOffice",
    "soffice": "LibreOffice",
    "nautilus": "",
    "code": "",
}
"""Programs that tasks start, and what stands in the titles of their windows."""
_PAUSE = re.compile(r"\s*(?:&&|;)\s*sleep\s+[\d.]+\s*(?=$|&&|;)|^sleep\s+[\d.]+\s*(?:&&|;)\s*")
_BUS = re.compile(r"export DBUS_SESSION_BUS_ADDRESS=\S+\s*(?:\n|;|&&)\s*")
_SUDO = re.compile(r"echo\s+['\"]?password['\"]?\s*\|\s*sudo\s+(?:-S|--stdin)\s+|\bsudo\s+(?:-\S+\s+)*")
_LINES = ("gsettings", "sudo", "apt", "apt-get", "pip", "pip3", "snap")
"""Programs whose commands are read as lines, of which parts may be left out."""
SHELL = "/bin/sh"
"""What their lines were written for: some say other things to Bash, such as `echo -e`."""
HALVES = tuple({"x": x, "y": 30, "width": 960, "height": 1000} for x in (0, 960))
"""The two halves of the screen between its panels."""
_ZOOMED = "5"
"""How the desktop shows a wallpaper."""
_TERMINAL = re.compile(r"^gnome-terminal\b")
_END_TERMINAL = (
    'shells=$(pgrep -P "$(pgrep -xd, lxterminal)"); killall -q lxterminal; '
    "for shell in $shells; do timeout 10 tail -f /dev/null --pid $shell; done; true"
)
"""Closes the terminal, and waits until its shells have written down what was typed."""
_ENDS = re.compile(r"^(?:pkill|killall|kill)\b")
_SCHEMA = re.compile(
    r"\bgsettings\s+set\s+(org\.gnome\."
    r"(?:shell\.(?!extensions\.dash-to-dock |keybindings )\S+|Terminal\S*|nautilus\S*))"
)


def setup_calls(steps: tuple[ForeignStep, ...], into: Translation, *, finish: bool = False) -> list[Call]:
    """Return the calls that do what some steps do."""
    return [call for each in steps for call in _TABLE.get(each.kind, _unknown)(each, into, finish)]


def _unknown(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    if each.kind not in ACCOUNTS and each.kind not in SERVERS:
        raise NotJudgedYet(f"the setup step {each.kind!r}")
    yield from ()


def _leave_out(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    yield from ()


def _download(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    for file in each.parameters["files"]:
        path = guest_path(fill_in(file["path"]))
        if finish:
            yield step("data_file", path=path, base64=into.content(file["url"], path))
        else:
            yield step("asset_file", path=path, asset=into.asset(file["url"], path))


def _upload(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    for file in each.parameters["files"]:
        path = guest_path(fill_in(file["path"]))
        yield step("asset_file", path=path, asset=into.asset(file["local_path"], path))


def _open(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    path = guest_path(fill_in(each.parameters["path"]))
    yield step("open_in_office" if path.lower().endswith(_OFFICE) else "open_path", path=path)


def _activate(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    yield step(
        "bring_forward",
        window=each.parameters["window_name"],
        whole=each.true("strict"),
        by_class=each.true("by_class"),
    )


def _split_screen(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    for place, key in enumerate(("window_name1", "window_name2")):
        yield step("arrange", window=str(each.parameters[key]), **HALVES[place])


def _close(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    yield step(
        "close_if_open",
        window=each.parameters["window_name"],
        whole=each.true("strict"),
        by_class=each.true("by_class"),
    )


def _tabs(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    yield step("open_tabs", urls=[fill_in(url) for url in each.parameters["urls_to_open"]], instead=True)


def _close_tabs(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    yield step("close_tabs", urls=[fill_in(url) for url in each.parameters["urls_to_close"]])


def _activate_tab(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    yield step("tab_in_front", url=fill_in(each.parameters["tab_url"]))


def _script(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    more = {"holds": True} if each.kind == "chrome_check_inited" else {"reload": True} if each.true("reload") else {}
    yield step("page_script", url=fill_in(each.parameters["tab_url"]), script=str(each.parameters["script"]), **more)


def _click_element(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    place = json.dumps(str(each.parameters["element_xpath"]))
    script = f"document.evaluate({place}, document, null, 9, null).singleNodeValue.click()"
    yield step("page_script", url="", script=script)


def _history(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    visits = [
        {"url": page["url"], "title": page.get("title", ""), "seconds_ago": page["visit_time_from_now_in_seconds"]}
        for page in each.parameters["history"]
    ]
    yield step("past_visits", pages=visits)


def _wallpaper(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    path = guest_path(fill_in(each.parameters["path"]))
    for name, value, kind in (("last-image", path, "string"), ("image-style", _ZOOMED, "int")):
        yield step("xfconf", channel="xfce4-desktop", property=f"{BACKDROP}/{name}", value=value, type=kind)


def _execute(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    command = each.parameters["command"]
    program = program_of(command)
    if program is not None:
        yield from gestures(program)
        return
    if each.parameters.get("stdout") and finish:
        return  # what it prints is looked at when the getter asks for it
    yield from extensions_of(command)
    command = without_marketplace(command)
    if not command:
        return
    shell = isinstance(command, str) or each.true("shell")
    line = line_of(command) if shell else ""
    yield from _run_line(line) if shell else _run_words([fill_in(word) for word in command])


def line_of(command: str | list[str]) -> str:
    """Return a command as a line for a shell, without pauses and without fetching packages."""
    line = fill_in(command if isinstance(command, str) else " ".join(command)).strip()
    return without_installing(_PAUSE.sub("", _BUS.sub("", line)))


def plain_line(command: str | list[str]) -> str:
    """Return a command as a line without `sudo`: setup has root's rights already."""
    whole = " ".join(map(str, command)) if isinstance(command, list) else command
    return _SUDO.sub("", line_of(whole))


def _run_words(words: list[str]) -> Iterator[Call]:
    if words[:1] in (["/bin/bash"], ["bash"], ["/bin/sh"], ["sh"]) and words[1:2] == ["-c"] and len(words) == 3:
        yield from _run_line(line_of(words[2]), words[0])
    elif words[0].endswith("gnome-terminal"):
        yield from _run_line(shlex.join(words))
    elif _ENDS.match(words[0]) or words[0] in _LINES:
        yield from _run_line(line_of(shlex.join(words)))
    elif words[0] not in ("sleep", "socat"):
        yield step("command", argv=["python3", *words[1:]] if words[0] == "python" else words)


def _run_line(line: str, shell: str = SHELL) -> Iterator[Call]:
    if not line or line.startswith("sleep "):
        return
    if found := _SCHEMA.search(line):
        raise NotJudgedYet(f"the settings {found[1]} of GNOME's own programs")
    if _TERMINAL.match(line):
        folder = re.search(r"--working-directory[= ](\S+)", line)
        yield step("terminal", folder=guest_path(shlex.split(folder[1])[0]) if folder else ".")
        return
    if _ENDS.match(line):
        line = _END_TERMINAL if "gnome-terminal-server" in line else f"{line} || true"
    plain = _SUDO.sub("", line)
    home = "export HOME=/home/user; cd; " if plain != line else ""
    yield step("command", argv=[shell, "-c", home + plain], **({"root": True} if plain != line else {}))


def _launch(each: ForeignStep, into: Translation, finish: bool) -> Iterator[Call]:
    command = each.parameters["command"]
    if isinstance(command, list) and command[0] == "socat":
        return  # Chromium listens on the port itself
    if isinstance(command, str) or each.true("shell"):
        line = fill_in(command if isinstance(command, str) else " ".join(command))
        words = [word for word in _split(line) if "=" not in word.partition("/")[0] or word.startswith("-")]
    else:
        line, words = "", [fill_in(word) for word in command]
    name = words[0].rpartition("/")[2] if words else ""
    if name in ("pkill", "killall") and words[-1] in ("chrome", "google-chrome", "chromium"):
        yield step("quit_browser", browser="chromium")
        return
    if finish and name.startswith("google-chrome"):
        return  # it is started again there so that its settings can be asked for; here they are read from its profile
    if _ENDS.match(name) or name == "gnome-terminal":
        yield from _run_line(line or shlex.join(words))
    elif name in ("libreoffice", "soffice") and words[-1].lower().endswith(_OFFICE) and not line:
        yield step("open_in_office", path=guest_path(words[-1]))
    elif name in _WINDOWS:
        argv = [SHELL, "-c", line] if line else [name, *words[1:]]
        title = _title_of(name, words)
        yield step("launch", argv=argv, window=title)
    else:
        yield step("command", argv=[SHELL, "-c", f"{line or shlex.join(words)} > /dev/null 2>&1 &"])


def _title_of(name: str, words: list[str]) -> str:
    """Return what stands in the title of a program's window."""
    if name == "gimp" and len(words) == 1:
        return "GNU Image Manipulation Program"  # until a picture is open
    if name == "code" and all(word.startswith("-") for word in words[1:]):
        return "Mousepad"  # an empty text
    return _WINDOWS[name] or (words[-1].rstrip("/").rpartition("/")[2] if len(words) > 1 else "user")


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise NotJudgedYet(f"the command {line[:60]!r}, whose quotes do not close") from error


_TABLE: dict[str, Callable[[ForeignStep, Translation, bool], Iterator[Call]]] = {
    "sleep": _leave_out,
    "proxy": _leave_out,
    "download": _download,
    "upload_file": _upload,
    "open": _open,
    "activate_window": _activate,
    "close_window": _close,
    "split_screen": _split_screen,
    "change_wallpaper": _wallpaper,
    "execute": _execute,
    "command": _execute,
    "execute_with_verification": _execute,
    "launch": _launch,
    "chrome_open_tabs": _tabs,
    "chrome_close_tabs": _close_tabs,
    "chrome_activate_tab": _activate_tab,
    "chrome_execute_script": _script,
    "chrome_check_inited": _script,
    "chrome_click_element": _click_element,
    "update_browse_history": _history,
}
