"""Probes that look at settings of the desktop, the clipboard and what is running."""

from __future__ import annotations

from typing import Any, Literal

from proctor.computers.computer import CommandResult
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.desktop.parse import gvariant, xfconf_values

MOST_TEXT = 1_000_000
"""Bytes of the clipboard that are looked at."""
# The owner of the clipboard has five seconds to hand it over, and may hand over as much as it likes.
PASTE = f'set -o pipefail; timeout 5 xclip -selection "$1" -out -target UTF8_STRING | head -c {MOST_TEXT + 1}'


SETTINGS_SEC = 10
"""How long a setting may take to be told: an agent can stop the program that knows it."""
CHANNELS = ".config/xfce4/xfconf/xfce-perchannel-xml"
"""Where XFCE keeps its settings."""


@PROBES.register_with(gvariant)
def dconf(context: ProbeContext, key: str) -> dict[str, object]:
    """The value of a dconf key that was set.

    Absent where it has its default (see `gsetting` for those).
    """
    read = _ask_tool(context, ["dconf", "read", key])
    if read.code != 0:
        raise CannotSee("unreadable", f"dconf cannot read {key}: {read.stderr.strip()}")
    if not read.stdout.strip():
        raise CannotSee("absent", f"the setting {key} was never set")
    return {"path": f"The setting {key}", "value": parsed(key, gvariant, read.stdout)}


@PROBES.register_with(gvariant)
def gsetting(context: ProbeContext, schema: str, key: str) -> dict[str, object]:
    """The value of a key of a GSettings schema, its default where it was never set."""
    read = _ask_tool(context, ["gsettings", "get", schema, key])
    if read.code != 0:
        raise CannotSee("unreadable", f"there is no setting {schema} {key}: {read.stderr.strip()}")
    return {"path": f"The setting {schema} {key}", "value": parsed(key, gvariant, read.stdout)}


@PROBES.register
def xfconf(context: ProbeContext, channel: str, property: str) -> dict[str, object]:
    """The value of a property of an xfconf channel, as text or a list of texts.

    Absent where it has none.
    """
    read = _ask_tool(context, ["xfconf-query", "-c", channel, "-p", property])
    if read.code != 0:
        raise CannotSee("absent", f"the setting {channel} {property} has no value")
    lines = read.stdout.splitlines()
    is_list = bool(lines) and lines[0].startswith("Value is an array with")
    value: object = [line for line in lines[1:] if line] if is_list else read.stdout.rstrip("\n")
    return {"path": f"The setting {channel} {property}", "value": value}


@PROBES.register_with(xfconf_values)
def xfconf_moved(context: ProbeContext, channel: str, besides: list[str] | None = None) -> dict[str, object]:
    """The properties of an xfconf channel that had another value when the task began.

    Those in `besides`, and those below them, are left out.
    """
    path = f"{CHANNELS}/{channel}.xml"
    held = parsed(path, xfconf_values, context.before(path), path)
    read = _ask_tool(context, ["xfconf-query", "-c", channel, "-l", "-v"])
    if read.code != 0:
        raise CannotSee("unreadable", f"the settings of {channel} cannot be listed: {read.stderr.strip()}")
    lines = (line.split(None, 1) for line in read.stdout.splitlines() if line.strip())
    now = {name: "".join(value).strip() for name, *value in lines}
    free = tuple(f"{each.rstrip('/')}/" for each in besides or ())
    moved = sorted(name for name, value in held.items() if now.get(name) != value.strip())
    return {"path": f"The settings of {channel}", "moved": [each for each in moved if not f"{each}/".startswith(free)]}


@PROBES.register
def clipboard(context: ProbeContext, selection: Literal["clipboard", "primary"] = "clipboard") -> dict[str, object]:
    """The text in the clipboard; absent when it is empty or holds something else."""
    read = context.run(["bash", "-c", PASTE, "paste", selection])
    if len(read.stdout) > MOST_TEXT:
        raise CannotSee("refused", f"the clipboard holds more than the {MOST_TEXT:,} bytes that are looked at")
    if read.code == 124:
        raise CannotSee("unreadable", "the program that holds the clipboard does not hand it over")
    if read.code != 0:
        raise CannotSee("absent", "the clipboard holds no text")
    return {"path": "The clipboard", "text": read.stdout}


@PROBES.register
def processes(context: ProbeContext) -> dict[str, Any]:
    """The programs that are running: short name and command line, and whether they are halted."""
    read = context.run(["ps", "-ww", "-eo", "stat=,comm=,args="])
    if read.code != 0:
        raise CannotSee("unreadable", f"ps failed: {read.stderr.strip()}")
    running: list[dict[str, Any]] = []
    for line in read.stdout.splitlines():
        state, _, rest = line.strip().partition(" ")
        name, _, command = rest.strip().partition(" ")
        if name != "ps" and not state.startswith("Z"):
            halted = {"halted": True} if state[:1] in ("T", "t") else {}
            running.append({"name": name, "command": command.strip(), **halted})
    return {"path": "the running programs", "processes": sorted(running, key=lambda each: each["command"])}


def _ask_tool(context: ProbeContext, argv: list[str]) -> CommandResult:
    """Return what a tool says of a setting; raises CannotSee where whoever knows it does not answer."""
    result = context.run(["timeout", "--kill-after=1", str(SETTINGS_SEC), *argv])
    if result.code in (124, 137):
        raise CannotSee("unreadable", f"{argv[0]} gets no answer about the settings of the desktop")
    return result
