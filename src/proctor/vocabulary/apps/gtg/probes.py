"""Probes that look at the list of tasks of GTG."""

from __future__ import annotations

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.gtg.parse import GTG_FILE, gtg_tasks


@PROBES.register_with(gtg_tasks, whole="store")
def todo(context: ProbeContext) -> dict[str, object]:
    """The tasks of GTG: title, text, status (Active, Done or Dismiss), dates, how it recurs, tags."""
    return {"path": "the list of tasks", "tasks": parsed(GTG_FILE, gtg_tasks, context.read(GTG_FILE), GTG_FILE)}
