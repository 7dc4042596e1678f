"""Probes that look at the list of tasks of GTG."""

from __future__ import annotations

from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.apps.gtg.parse import GTG_FILE, gtg_besides, gtg_tasks


@PROBES.register_with(gtg_tasks, gtg_besides, whole="store")
def todo(context: ProbeContext) -> dict[str, object]:
    """GTG's tasks: title, text, status (Active, Done or Dismiss), dates, recurrence, tags."""
    data = context.read(GTG_FILE)
    tasks = parsed(GTG_FILE, gtg_tasks, data, GTG_FILE)
    return {"path": "the list of tasks", "tasks": tasks, **parsed(GTG_FILE, gtg_besides, data, GTG_FILE)}
