"""Lines over standard input that are no messages are answered by the protocol's errors and never passed on."""

from __future__ import annotations

import io
import json
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as some

pytest.importorskip("mcp")

from proctor.interop.mcp import lines
from proctor.interop.mcp.lines import INVALID_REQUEST, PARSE_ERROR, Answers, Lines

PING = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'


class Sink:
    def __init__(self) -> None:
        self.text = ""

    async def write(self, text: str) -> None:
        self.text += text

    async def flush(self) -> None:
        """Nothing is held back."""


def passed(text: str) -> tuple[list[str], list[Any]]:
    """Return what is passed on of a text, and what its sender is told."""
    sink = Sink()

    async def read() -> list[str]:
        return [line async for line in Lines(io.StringIO(text), Answers(sink))]

    found = anyio.run(read)
    return found, [json.loads(line) for line in sink.text.splitlines()]


@pytest.mark.parametrize(
    ("line", "number", "code"),
    [
        ("{nope", None, PARSE_ERROR),
        ("\ufffd\ufffd", None, PARSE_ERROR),
        ("[" * 20_000 + "]" * 20_000, None, PARSE_ERROR),
        ("[{}, {}]", None, INVALID_REQUEST),
        ("3", None, INVALID_REQUEST),
        ('{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": [1]}', 8, INVALID_REQUEST),
        ('{"jsonrpc": "2.0", "id": "a", "method": 3}', "a", INVALID_REQUEST),
    ],
)
def test_what_is_no_message_is_refused_and_the_next_one_is_heard(line: str, number: Any, code: int) -> None:
    found, told = passed(f"{line}\n\n{PING}")
    assert found == [PING]
    assert [(one["id"], one["error"]["code"]) for one in told] == [(number, code)]
    assert len(json.dumps(told)) < 1_000


def test_a_line_without_end_is_refused_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MOST_CHARS", 100)
    found, told = passed("x" * 1_000 + "\n" + PING)
    assert found == [PING]
    assert [one["error"]["code"] for one in told] == [INVALID_REQUEST]


@given(some.lists(some.text(max_size=50), max_size=5))
def test_whatever_comes_is_passed_on_or_refused(texts: list[str]) -> None:
    said = ["".join(text.split("\n")).replace("\r", "") for text in texts]
    found, told = passed("".join(f"{line}\n" for line in said))
    assert len(found) + len(told) == sum(bool(line.strip()) for line in said)
