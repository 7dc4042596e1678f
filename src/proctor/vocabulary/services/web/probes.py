"""Probes of what web sites inside received; agents can reach neither store nor server."""

from __future__ import annotations

from collections.abc import Mapping

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelf import MadeBy
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.services.web.parse import site_forms, site_requests
from proctor.vocabulary.services.web.setup import SITES

MOST_BYTES = 16 * 2**20
"""Sites write no more than this; it bounds what is read nevertheless."""


def _of_site(given: Mapping[str, object]) -> dict[str, object]:
    return {"site": given["name"]}


@PROBES.register_with(site_forms, whole="sent", made_by=MadeBy("web_site", _of_site))
def site_records(context: ProbeContext, site: str, kind: str = "") -> dict[str, object]:
    """What the forms of a site received, in order, or only one kind of them, such as orders."""
    records = parsed(f"the site {site}", site_forms, _read_notes(context, site, "records"), kind)
    return {"site": site, "kind": kind or "record", "records": records}


@PROBES.register_with(site_requests)
def site_log(context: ProbeContext, site: str) -> dict[str, object]:
    """The requests that a site answered, in order: method, path and who was signed in."""
    return {"site": site, "requests": parsed(f"the site {site}", site_requests, _read_notes(context, site, "log"))}


def _read_notes(context: ProbeContext, site: str, name: str) -> str:
    result = context.run(["head", "-c", str(MOST_BYTES), f"{SITES}/{site}/{name}"], root=True)
    if result.code != 0:
        raise CannotSee("unreadable", f"the site {site!r} left no {name}: {result.stderr.strip()[-300:]}")
    return result.stdout
