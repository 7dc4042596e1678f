"""What a web site noted of its visitors."""

from __future__ import annotations

from typing import Any

from proctor.vocabulary.services.parse import records


def site_forms(printed: str, kind: str) -> list[dict[str, Any]]:
    """Return the forms that a site received, or only one kind of them."""
    forms = records(printed, {"kind": str, "number": int, "fields": dict, "account": str})
    for record in forms:
        record["fields"] = {name: str(value) for name, value in record["fields"].items()}
    return [record for record in forms if not kind or record["kind"] == kind]


def site_requests(printed: str) -> list[dict[str, object]]:
    """Return the requests that a site noted."""
    return records(printed, {"method": str, "path": str})
