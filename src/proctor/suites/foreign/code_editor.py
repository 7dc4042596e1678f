"""Visual Studio Code in foreign tasks: its settings, files and extensions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from proctor.suites.foreign.faults import Data, Reason, truth
from proctor.suites.foreign.translation import NotJudgedYet, check, probe, step
from proctor.tasks.call import Call

PROGRAM = "Visual Studio Code"
APPS = ("vscode", "vs code", "vs_code", "code")
"""What tasks call it, in small letters."""
SETTINGS = ".config/Code/"
_STARTS = re.compile(r"(?:^|[\s;&|(\"'/])code(?=$|[\s;&|)\"'])")
_INSTALLS = re.compile(r"(?:^|(?<=[\s;&|]))code\s+--install-extension[=\s]+([\w.@-]+)(?<!\.vsix)(?=$|[\s;&|])")
_LISTS = re.compile(r"\bcode\s+--list-extensions\b")


def mentions_code(command: object) -> bool:
    """Tell whether a command is about `code`."""
    line = command if isinstance(command, str) else " ".join(map(str, command)) if isinstance(command, list) else ""
    return bool(_STARTS.search(line))


def extensions_of(command: str | list[str]) -> list[Call]:
    """Return steps for the extensions that a command fetches from the marketplace."""
    line = command if isinstance(command, str) else " ".join(command)
    return [extension(named) for named in _INSTALLS.findall(line)]


def without_marketplace(command: str | list[str]) -> str | list[str]:
    """Return a command without what it fetches from the marketplace; empty where nothing is left."""
    if isinstance(command, list):
        whole = " ".join(command)
        if _INSTALLS.fullmatch(whole):
            return []
        return [_INSTALLS.sub("true", word) for word in command]
    return _INSTALLS.sub("true", command)


def extension(named: str) -> Call:
    """Return a step for one extension, `publisher.name` or `publisher.name@version`."""
    identifier, _, version = named.partition("@")
    return step("code_extension", id=identifier, **({"version": version} if version else {}))


def needs_of_code(commands: Sequence[object], judged: Sequence[Data]) -> Iterator[Reason]:
    """Yield what a task needs of the program itself: an extension at work, what is open in it."""
    fetched = [name for each in commands if isinstance(each, str | list) for name in _marketplace_names(each)]
    places = [str(getter.get("path") or getter.get("command") or "") for getter in judged]
    if fetched and places and not any(SETTINGS in place or _LISTS.search(place) for place in places):
        yield Reason("needs application", f"{PROGRAM} with the extension {fetched[0]} at work")
    if any(getter.get("type") == "vscode_config" for getter in judged):
        yield Reason("needs application", f"{PROGRAM} itself: an extension of it tells what is open")


def needs_marketplace(wanted: str, commands: Sequence[object]) -> Iterator[Reason]:
    """Yield that an extension is to be fetched, unless it lies in a file on the computer."""
    if not any(".vsix" in str(command) for command in commands):
        yield Reason("needs internet", f"the extension {wanted} comes from the marketplace of {PROGRAM}")


def extension_check(params: Data) -> Call:
    """Return the check of AgentStudio's `extension_installed`."""
    for key in ("published_before", "published_after"):
        if params.get(key):
            raise NotJudgedYet(f"{key!r} of an extension, which only the marketplace knows")
    version = str(params.get("version") or "")
    pattern = rf"(?i)^{re.escape(str(params['extension_id']))}@" + (f"{re.escape(version)}$" if version else "")
    there = truth(params.get("exists", True))
    listed = probe("output", argv=["code", "--list-extensions", "--show-versions"])
    return check("lines_match", of=listed, **{"every" if there else "none": [pattern]})


def _marketplace_names(command: str | list[str]) -> list[str]:
    return _INSTALLS.findall(command if isinstance(command, str) else " ".join(map(str, command)))
