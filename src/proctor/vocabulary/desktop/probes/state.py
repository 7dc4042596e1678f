"""Probes that look at settings of the desktop, the clipboard and what is running."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from proctor.computers.channels.x11.selection import TooMuch
from proctor.computers.values import RunningProgram
from proctor.errors import ComputerError, ComputerLost, HostError
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelf import Follows
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.desktop.parse import gvariant
from proctor.vocabulary.desktop.parse_settings import (
    dconf_value,
    follow_dconf,
    follow_gsetting,
    follow_xfconf,
    gsettings_place,
    gsettings_value,
    xfconf_value,
)

MOST_TEXT = 1_000_000
"""Bytes of the clipboard that are looked at."""
# The owner of the clipboard has five seconds to hand it over, and may hand over as much as it likes.
PASTE = f'set -o pipefail; timeout 5 xclip -selection "$1" -out -target UTF8_STRING | head -c {MOST_TEXT + 1}'
DATABASE = ".config/dconf/user"
SCHEMAS = "/usr/share/glib-2.0/schemas/gschemas.compiled"
"""Where settings that were made are kept, and what they are by default; the second is nothing an agent can write to."""
MOST_DATABASE = 16 * 2**20
DESKTOP = "XFCE"
CHANNELS = ".config/xfce4/xfconf/xfce-perchannel-xml"
DEFAULT_CHANNELS = "/etc/xdg/xfce4/xfconf/xfce-perchannel-xml"
"""Where XFCE keeps its settings, and what they are by default."""
MOST_CHANNEL = 2 * 2**20
SERVICE = "--gapplication-service"
SERVICES = ("/usr/libexec/", "/usr/lib/")
"""What stands in the command of a program that runs for others, and where such programs of the image lie."""

Told = dict[str, object]
"""What is told of one program, or of all of them."""


def _on_the_desktop(_given: Mapping[str, object]) -> dict[str, object]:
    return {"app": "desktop"}


@PROBES.register_with(dconf_value, gvariant, follows=Follows("application_settings", follow_dconf, _on_the_desktop))
def dconf(context: ProbeContext, key: str) -> dict[str, object]:
    """The value of a dconf key that was set.

    Absent where it has its default (see `gsetting` for those).
    """
    value = parsed(key, dconf_value, _database(context), key)
    if not value:
        raise CannotSee("absent", f"the setting {key} was never set")
    return {"path": f"The setting {key}", "value": parsed(key, gvariant, value)}


@PROBES.register_with(
    gsettings_value,
    gsettings_place,
    gvariant,
    follows=Follows("application_settings", follow_gsetting, _on_the_desktop),
)
def gsetting(context: ProbeContext, schema: str, key: str) -> dict[str, object]:
    """The value of a GSettings key, or its default if it was never set."""
    value = parsed(key, gvariant, read_setting(context, schema, key))
    place = parsed(schema, gsettings_place, context.read(SCHEMAS, most=MOST_DATABASE), schema)
    return {"path": f"The setting {schema} {key}", "value": value, "at": f"{place}{key}"}


def read_setting(context: ProbeContext, schema: str, key: str) -> str:
    """Return the value of a key of a GSettings schema in GVariant's text form."""
    schemas = context.read(SCHEMAS, most=MOST_DATABASE)
    return parsed(f"{schema} {key}", gsettings_value, schemas, _database(context), schema, key, DESKTOP)


def _database(context: ProbeContext) -> bytes:
    try:
        return context.read(DATABASE, most=MOST_DATABASE)
    except CannotSee as error:
        if error.fault.kind == "absent":
            return b""  # nothing was ever set
        raise


@PROBES.register_with(xfconf_value, follows=Follows("application_settings", follow_xfconf, _on_the_desktop))
def xfconf(context: ProbeContext, channel: str, property: str) -> dict[str, object]:
    """The value of a property of an xfconf channel, as text or a list of texts.

    Absent where it has none.
    """
    for folder in (CHANNELS, DEFAULT_CHANNELS):
        path = f"{folder}/{channel}.xml"
        if context.info(path) is not None:
            value = parsed(path, xfconf_value, context.read(path, most=MOST_CHANNEL), path, property)
            if value is not None:
                return {"path": f"The setting {channel} {property}", "value": value}
    raise CannotSee("absent", f"the setting {channel} {property} has no value")


@PROBES.register_live()
def clipboard(context: ProbeContext, selection: Literal["clipboard", "primary"] = "clipboard") -> dict[str, object]:
    """The text on the clipboard; absent if it is empty or holds something else."""
    if context.computer.parts.programs is None:
        return {"path": "The clipboard", "text": _paste(context, selection)}
    try:
        data, owner = context.computer.parts.programs.selection(selection, MOST_TEXT)
    except TooMuch as error:
        raise CannotSee(
            "refused", f"the clipboard holds more than the {MOST_TEXT:,} bytes that are looked at"
        ) from error
    except (ComputerLost, HostError):
        raise
    except ComputerError as error:
        raise CannotSee("unreadable", "the program that holds the clipboard does not hand it over") from error
    if data is None:
        raise CannotSee("absent", "the clipboard holds no text")
    return {"path": "The clipboard", "text": data.decode(errors="replace"), "live": teller_path(owner)}


def _paste(context: ProbeContext, selection: str) -> str:
    """Return the text in the clipboard of a computer that has no better way."""
    read = context.run(["bash", "-c", PASTE, "paste", selection])
    if len(read.stdout) > MOST_TEXT:
        raise CannotSee("refused", f"the clipboard holds more than the {MOST_TEXT:,} bytes that are looked at")
    if read.code == 124:
        raise CannotSee("unreadable", "the program that holds the clipboard does not hand it over")
    if read.code != 0:
        raise CannotSee("absent", "the clipboard holds no text")
    return read.stdout


def teller_path(program: RunningProgram | None) -> str:
    """Return which program told something, by its executable; empty where it has gone since."""
    return program.path if program else ""


@PROBES.register
def processes(context: ProbeContext) -> Told:
    """The programs that are running: short name and command line, and whether they are stopped.

    Where the computer can tell, also the executable, whether it is `early`: running since before the task began, and
    whether it is `slowed`, so that it gives way to others.
    """
    if context.computer.parts.programs is None:
        running = _list_by_tool(context)
    else:
        listed = context.computer.programs()
        usual = min((each.nice for each in listed), default=0)
        running = [_describe_program(each) | ({"slowed": True} if each.nice > usual else {}) for each in listed]
    return {"path": "the running programs", "processes": sorted(running, key=lambda each: str(each["command"]))}


@PROBES.register
def started_programs(context: ProbeContext) -> Told:
    """Programs started since the task began that are still running, each command line once.

    Services that the desktop starts and ends as it needs them are left out, and so are programs that only others start.
    Where the computer cannot tell since when something runs, all that is running is told.
    """
    found: dict[str, Told] = {}
    listed: Any = processes(context)["processes"]
    for each in listed:
        serves = SERVICE in each["command"] or (
            not each.get("own") and str(each.get("program", "")).startswith(SERVICES)
        )
        if not each.get("early") and not serves:
            told = {key: each[key] for key in ("halted", "own") if key in each}
            found[each["command"] or each["name"]] = {"program": each.get("program", each["name"]), **told}
    programs = [{"name": name, **told} for name, told in sorted(found.items())]
    return {"path": "the programs that were started", "programs": programs}


def _describe_program(program: RunningProgram) -> Told:
    told: Told = {"name": program.name, "command": program.command, "program": program.path}
    for mark in ("halted", "early"):
        if getattr(program, mark):
            told[mark] = True
    if not program.of_image:
        told["own"] = True
    return told


def _list_by_tool(context: ProbeContext) -> list[Told]:
    """Return what is running on a computer that has no better way."""
    read = context.run(["ps", "-ww", "-eo", "stat=,comm=,args="])
    if read.code != 0:
        raise CannotSee("unreadable", f"ps failed: {read.stderr.strip()}")
    running: list[Told] = []
    for line in read.stdout.splitlines():
        state, _, rest = line.strip().partition(" ")
        name, _, command = rest.strip().partition(" ")
        if name != "ps" and not state.startswith("Z"):
            halted = {"halted": True} if state[:1] in ("T", "t") else {}
            running.append({"name": name, "command": command.strip(), **halted})
    return running
