"""A sample of the fuzzed answers, another one each day; `python -m tests.hostile.fuzz_replies` makes them all."""

from __future__ import annotations

import time

import pytest

from tests.hostile.fuzz_replies import FUZZERS, fuzz


@pytest.mark.parametrize(("kind", "count"), [("x11", 200), ("dbus", 400), ("atspi", 60)])
def test_every_fuzzed_answer_ends_in_a_value_or_a_clean_error(kind: str, count: int) -> None:
    start = 1_000_000 + int(time.time() // 86_400) * 1_000
    ends, found = fuzz(kind, count, start=start)
    assert not found, found[0]
    assert sum(ends.values()) == count
    assert ends["value"] > 0
    assert kind in FUZZERS
