"""A tool server in the standard library alone, quick to start, whose tools misbehave as they are named."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}}
TOOLS = [
    {"name": "add", "description": "Note a text.", "inputSchema": {**TEXT, "required": ["text"]}},
    {"name": "dir/list all", "description": "A name that providers refuse.", "inputSchema": TEXT},
    *(
        {"name": name, "inputSchema": TEXT}
        for name in ("large", "endless", "silent", "dies", "wrong", "shown", "drawn", "odd")
    ),
]


RED = "iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAAEElEQVR4nGP8z4AATAy4OAAmdgEF5PO41QAAAABJRU5ErkJggg=="
"""A picture of four by three red pixels."""


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def answer(request: Any, result: dict[str, Any]) -> None:
    say(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}))


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], **more}


def call(request: Any) -> None:
    name, arguments = request["params"]["name"], request["params"].get("arguments") or {}
    match name:
        case "large":
            answer(request, said("x" * 10_000_000))
        case "endless":
            say("x" * 20_000_000)
        case "silent":
            pass
        case "dies":
            os._exit(3)
        case "wrong":
            answer(request, said("no such note", isError=True))
        case "shown":
            picture = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
            answer(request, {"content": [picture], "structuredContent": {"a": 1}})
        case "drawn":
            drawn = [{"type": "image", "data": RED, "mimeType": "image/png"}] * int(arguments.get("text") or 1)
            answer(request, {"content": [{"type": "text", "text": "Here it is:"}, *drawn]})
        case "odd":
            say("a line that is no message")
            answer(request, {"content": 3})
        case _:
            answer(request, said(f"noted {arguments.get('text')} for {os.environ.get('WHO', 'nobody')}"))


def main() -> None:
    sys.stderr.write("starting\n")
    if "--sleeps" in sys.argv:
        time.sleep(600)
    for line in sys.stdin:
        request = json.loads(line)
        match request.get("method"):
            case "initialize":
                answer(
                    request,
                    {
                        "protocolVersion": request["params"]["protocolVersion"],
                        "capabilities": {"tools": {}},
                        "serverInfo": {"name": "notes", "version": "1.2"},
                    },
                )
            case "tools/list":
                first = not (request.get("params") or {}).get("cursor")
                answer(request, {"tools": TOOLS[:1], "nextCursor": "2"} if first else {"tools": TOOLS[1:]})
            case "tools/call":
                call(request)


if __name__ == "__main__":
    main()
