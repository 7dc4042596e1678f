"""Probes that look at everything that is set in an application, or on the desktop, at once."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator
from typing import Any

from proctor.applications import SettingsStore, settings_stores
from proctor.errors import SpecError
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.preferences.parse import read_store, set_otherwise
from proctor.vocabulary.desktop.probes.state import CHANNELS, DEFAULT_CHANNELS, MOST_DATABASE, SCHEMAS

MOST_BYTES = 8 * 2**20
MOST_FILES = 60

Settings = dict[str, Any]


@PROBES.register_with(read_store, set_otherwise, whole="settings")
def application_settings(context: ProbeContext, app: str) -> dict[str, object]:
    """All settings of an application (`vlc`), or of the `desktop`, by file and name.

    What counts where nothing was set is told too, where that is known, so that a file which is only written down makes
    no difference. `noise` holds what the application changes by merely running. A file that cannot be read is told
    under `unread`, with the reason.
    """
    stores = settings_stores(app)
    if not stores:
        raise SpecError(f"nothing says where {app!r} keeps its settings", remedy=f"write a settings.toml for {app}")
    told: list[dict[str, object]] = []
    noise: list[dict[str, object]] = []
    unread: list[dict[str, str]] = []
    for store in stores:
        loud = re.compile("|".join(fnmatch.translate(each) for each in store.noise) or r"(?!)")
        for path in _paths(context, store):
            try:
                held = sorted(_read(context, store, path).items())
            except CannotSee as error:
                unread.append({"path": path, "kind": error.fault.kind, "why": error.fault.why})
                continue
            for name, value in held:
                (noise if loud.match(name) else told).append(_item(path, name, value))
    found: dict[str, object] = {"path": f"the settings of {app}", "settings": told, "noise": noise}
    return {**found, "unread": unread} if unread else found


def _item(file: str, name: str, value: object) -> Settings:
    return {"id": f"{file} {name}", "file": file, "name": name, "value": value}


def _paths(context: ProbeContext, store: SettingsStore) -> Iterator[str]:
    """Yield where the files of a store are, or would be."""
    folder, _, name = store.path.rpartition("/")
    if "*" not in name:
        yield store.path
        return
    names = {path.rpartition("/")[2] for path in store.first if fnmatch.fnmatchcase(path, store.path)}
    for place in (folder, DEFAULT_CHANNELS) if store.form == "xfconf" else (folder,):
        if context.info(place) is not None:
            listed = (entry.path.rpartition("/")[2] for entry in context.entries(place) if entry.kind == "file")
            names.update(each for each in listed if fnmatch.fnmatchcase(each, name))
    yield from (f"{folder}/{each}" for each in sorted(names)[:MOST_FILES])


def _read(context: ProbeContext, store: SettingsStore, path: str) -> Settings:
    """Return the settings in a file, on top of what counts where it says nothing."""
    held: Settings = dict(store.first.get(path, {}))
    if store.form == "xfconf":
        usual = f"{DEFAULT_CHANNELS}/{path.removeprefix(CHANNELS).lstrip('/')}"
        if _is_there(context, usual):
            held |= parsed(usual, read_store, store.form, context.read(usual, most=MOST_BYTES), usual)
    if _is_there(context, path):
        held |= parsed(path, read_store, store.form, context.read(path, most=MOST_BYTES), path)
    if store.form != "dconf":
        return held
    inside = {name: value for name, value in held.items() if name.startswith(store.below or "/")}
    schemas = context.read(SCHEMAS, most=MOST_DATABASE) if _is_there(context, SCHEMAS) else b""
    return parsed(path, set_otherwise, schemas, inside) if schemas and inside else inside


def _is_there(context: ProbeContext, path: str) -> bool:
    return context.info(path) is not None
