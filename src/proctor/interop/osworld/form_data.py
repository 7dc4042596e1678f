"""Bodies of requests as OSWorld's clients send them: JSON, forms, and forms with files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qs

from proctor.errors import AgentError

Fields = dict[str, object]
_BOUNDARY = re.compile(r'boundary="?([^";,]{1,200})"?', re.IGNORECASE)
_NAME = re.compile(r'\bname="([^"]{0,200})"', re.IGNORECASE)
MOST_PARTS = 64


def read_fields(kind: str, body: bytes) -> Fields:
    """Return what a body holds, by name; raises AgentError for what cannot be read.

    Files are bytes; forms hold texts; JSON holds what it says. A body of no known kind is tried as JSON, as there.
    """
    plain = kind.partition(";")[0].strip().lower()
    if plain == "multipart/form-data":
        return dict(_parts(kind, body))
    if plain == "application/x-www-form-urlencoded":
        return {name: values[-1] for name, values in _form(body).items()}
    return _json(body) if body.strip() else {}


def _json(body: bytes) -> Fields:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise AgentError(f"the body is not JSON: {why}"[:300]) from error
    if not isinstance(data, dict):
        raise AgentError("the body is not a JSON object", remedy='send one, such as {"command": ["ls"]}')
    return data


def _form(body: bytes) -> Mapping[str, list[str]]:
    try:
        return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=MOST_PARTS)
    except ValueError as error:
        raise AgentError(f"the form cannot be read: {error}"[:300]) from error


def _parts(kind: str, body: bytes) -> Iterator[tuple[str, object]]:
    found = _BOUNDARY.search(kind)
    if found is None:
        raise AgentError("a form with files names no boundary", remedy="send it as multipart/form-data; boundary=...")
    mark = b"\r\n--" + found[1].encode()
    pieces = (b"\r\n" + body).split(mark, MOST_PARTS + 1)
    if len(pieces) > MOST_PARTS + 1 or not pieces[-1].startswith(b"--"):
        raise AgentError(f"a form with files is cut off, or has more than {MOST_PARTS} parts", remedy="send it again")
    for piece in pieces[1:-1]:
        head, gap, data = piece.partition(b"\r\n\r\n")
        text = head.decode("utf-8", "replace")
        name = _NAME.search(text)
        if not gap or name is None:
            raise AgentError(
                "a part of the form has no name", remedy='begin it with Content-Disposition: ... name="..."'
            )
        yield name[1], data if "filename" in text else data.decode("utf-8", "replace")
