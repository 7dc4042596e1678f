"""Probes that look at what web sites inside the computer received; agents can reach neither store nor server."""

from __future__ import annotations

import json
from typing import Any

from proctor.errors import CheckError
from proctor.tasks.scene import Scene
from proctor.tasks.setup.web import SITES
from proctor.tasks.shelves import PROBES

MOST_BYTES = 16 * 2**20
"""Sites write no more than this; it bounds what is read nevertheless."""


@PROBES.register
def site_records(scene: Scene, site: str, kind: str = "") -> dict[str, Any]:
    """What the forms of a site received, in order, or only one kind of it, such as orders."""
    records = [record for record in _lines(scene, site, "records") if not kind or record["kind"] == kind]
    return {"site": site, "kind": kind or "record", "records": records}


@PROBES.register
def site_log(scene: Scene, site: str) -> dict[str, Any]:
    """The requests a site answered, in order: method, path and who was signed in."""
    return {"site": site, "requests": _lines(scene, site, "log")}


def _lines(scene: Scene, site: str, name: str) -> list[dict[str, Any]]:
    path = f"{SITES}/{site}/{name}"
    result = scene.computer.run(["head", "-c", str(MOST_BYTES), path], root=True)
    if result.code != 0:
        # Nobody but root gets there, so this is no doing of the agent's.
        raise CheckError(f"the site {site!r} left no {name}: {result.stderr.strip()}")
    return [json.loads(line) for line in result.stdout.splitlines()]
