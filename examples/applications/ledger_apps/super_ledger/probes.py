"""Looks at account books."""

from ledger_apps.super_ledger.parse import ledger_entries
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES


@PROBES.register_with(ledger_entries)
def ledger(context: ProbeContext, path: str) -> dict[str, object]:
    """The entries of a book."""
    return {"path": path, "entries": parsed(path, ledger_entries, context.read(path), path)}
