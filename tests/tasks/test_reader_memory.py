"""What was read before is not read again, and is the same whoever has changed what they got."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.tasks.findings import CannotSee
from proctor.tasks.reader import client
from proctor.tasks.reader.client import parsed
from proctor.tasks.reader.memory import ReaderMemory, key_of
from proctor.vocabulary.formats.data.parse import json_data
from proctor.vocabulary.formats.text.parse import decode


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Return what the reader is asked from now on."""
    heard: list[tuple[object, ...]] = []
    ask = client.READER.ask

    def listen(call: str, label: str, given: tuple[object, ...], *rest: Any) -> Any:
        heard.append(given)
        return ask(call, label, given, *rest)

    monkeypatch.setattr(client.READER, "ask", listen)
    monkeypatch.setattr(client, "MEMORY", ReaderMemory())
    return heard


def test_the_same_bytes_are_read_once_under_any_name(asked: list[object]) -> None:
    assert parsed("a.txt", decode, b"tea", "a.txt") == "tea"
    assert parsed("a.txt", decode, b"tea", "a.txt") == "tea"
    assert parsed("a.txt", decode, b"milk", "a.txt") == "milk"
    assert asked == [(b"tea", "a.txt"), (b"milk", "a.txt")]


def test_who_changes_what_they_got_changes_it_for_nobody_else(asked: list[object]) -> None:
    first = parsed("a.json", json_data, b'{"a": [1]}', "a.json")
    first.clear()
    second = parsed("a.json", json_data, b'{"a": [1]}', "a.json")
    second.clear()
    assert parsed("a.json", json_data, b'{"a": [1]}', "a.json") != {}
    assert len(asked) == 1


def test_a_fault_is_found_again(asked: list[object]) -> None:
    for _ in range(2):
        with pytest.raises(CannotSee, match="not a text"):
            parsed("a.txt", decode, b"\xff", "a.txt")
    assert len(asked) == 2


def test_arguments_are_told_apart_however_they_are_cut() -> None:
    keys = [
        key_of("m:f", given)
        for given in ((b"ab", b"c"), (b"a", b"bc"), (b"abc",), ("abc",), ('"abc"',), (b'"abc"',), ("abc", None), ())
    ]
    assert len({*keys, key_of("m:g", ())}) == len(keys) + 1


def test_the_least_recent_is_forgotten_and_what_is_too_long_never_kept() -> None:
    memory = ReaderMemory(most=20)
    for name in (b"a", b"b"):
        memory.keep(name, "12345678")
    assert memory.recall(b"a") == "12345678"
    memory.keep(b"c", "12345678")
    assert [name in memory for name in (b"a", b"b", b"c")] == [True, False, True]
    memory.keep(b"d", "x" * 20)
    assert b"d" not in memory
