"""Lines of a client over standard input: what is no message is answered, and never passed on.

The SDK logs such lines and says nothing, so that a client would wait for its answer without end.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any, TextIO

import anyio
import anyio.to_thread
import mcp_types as types

from proctor.actions.fields import show

MOST_CHARS = 16 * 1024 * 1024
"""Of one message, as over HTTP."""
PARSE_ERROR, INVALID_REQUEST = -32700, -32600
_FORM = 'send one JSON object per line: {"jsonrpc": "2.0", "id": ..., "method": ..., "params": {...}}'


class Answers:
    """What is written to a client, one whole line at a time."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._lock = anyio.Lock()

    async def write(self, text: str) -> None:
        """Write a text."""
        async with self._lock:
            await self._file.write(text)

    async def flush(self) -> None:
        """Send what was written."""
        async with self._lock:
            await self._file.flush()


class Lines:
    """The messages of a client, as lines; it is told of every line that is none."""

    def __init__(self, file: TextIO, answers: Answers) -> None:
        self._file, self._answers = file, answers

    async def __aiter__(self) -> AsyncIterator[str]:
        skipping = False
        while line := await anyio.to_thread.run_sync(self._file.readline, MOST_CHARS, abandon_on_cancel=True):
            whole = line.endswith("\n")
            if skipping or (not whole and len(line) >= MOST_CHARS):
                if not skipping:
                    await self._refuse(None, INVALID_REQUEST, f"a message may have {MOST_CHARS} characters")
                skipping = not whole
            elif line.strip() and await self._is_message(line):
                yield line

    async def _is_message(self, line: str) -> bool:
        try:
            types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            return True
        except (ValueError, RecursionError):
            pass
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
            await self._refuse(None, PARSE_ERROR, f"a line is not JSON: {why}; {_FORM}")
            return False
        number = data.get("id") if isinstance(data, dict) else None
        known = number if isinstance(number, str | int) and not isinstance(number, bool) else None
        what = "batches are not part of the protocol" if isinstance(data, list) else f"{show(data)} is no message"
        await self._refuse(known, INVALID_REQUEST, f"{what}; {_FORM}")
        return False

    async def _refuse(self, number: str | int | None, code: int, why: str) -> None:
        await self._answers.write(
            json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": why}}) + "\n"
        )
        await self._answers.flush()
