"""Files that somebody spoilt: whatever stands in them, each is told its fault, or is judged; nothing is thrown."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor.suites.foreign.faults import MOST_WORDS, STATUSES
from proctor.suites.foreign.suite import read_tasks
from tests.foreign.case import PLACES
from tests.foreign.files import agentstudio, judged, osworld, write

ROUNDS = 250
WEIRD: list[Any] = [
    None, True, False, 0, -1, 10**30, 1e308, "", " ", "x" * 5000, "\0", "a\nb", "\u202e", "true", "[", "(a+)+$",
    [], {}, [[]], [None], ["a", "b"], {"type": "rule"}, "../../../etc/passwd", "/etc/shadow", "~root/x", "C:\\x",
    "$(reboot)", "echo 'open", "{CLIENT_PASSWORD}", "${NOBODY}", "http://", "https://[::1", "https://a.b:99999/x",
    "file:///etc/passwd",
]  # fmt: skip
"""What nobody expects, wherever it stands."""
PYTHON = ("NoneType", "Traceback", "object has no", "object is not", "unhashable", "dictionary update", "base 10")


def places(data: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield from places(value, (*at, key))


def spoil(data: Any, chance: random.Random) -> Any:
    """Return a copy in which one to three parts are missing, of another kind, doubled or of somebody else."""
    data = copy.deepcopy(data)
    for _ in range(chance.choice([1, 1, 2, 3])):
        *above, key = chance.choice(list(places(data)) or [("none",)])
        part = data
        for step in above:
            part = part[step]
        match chance.randrange(5) if above or key in data else 0:
            case 0 if isinstance(part, dict):
                part.pop(key, None)
            case 1 | 2:
                part[key] = copy.deepcopy(chance.choice(WEIRD))
            case 3:
                part[key] = [part[key]]
            case 4 if isinstance(part[key], list):
                part[key] *= 2
            case _:
                part[key] = str(part[key])
    return data


def files_of(place: str) -> list[Any]:
    """Return what stands in all task files of a place: ours, and the shared ones where they are."""
    own = [osworld(), judged(["exact_match", "is_in_list"], [{}, {}], [{}, {}])] if place != "agentstudio" else []
    found = sorted(PLACES[place][1].rglob("*.json"))
    return [*own, *([agentstudio()] if not own else []), *(json.loads(file.read_text()) for file in found)]


@pytest.mark.parametrize("place", ["osworld", "osmap", "agentstudio", "own"])
def test_a_spoilt_file_is_told_its_fault(tmp_path: Path, place: str) -> None:
    chance, every, format = random.Random(place), files_of(place), PLACES[place][0]
    for number in range(ROUNDS):
        write(tmp_path, f"os/{number}.json", spoil(chance.choice(every), chance))
    seen = 0
    for task in read_tasks(format, tmp_path, None):
        seen += 1
        assert task.status in STATUSES and json.dumps(task.to_json())
        for reason in task.reasons:
            assert 3 < len(reason.why) <= MOST_WORDS + 3, reason
            assert not any(word in reason.why for word in PYTHON), f"Python's own words: {reason}"
        assert bool(task.make) == (task.status == "ready")
        if task.make is not None:
            assert task.make().instruction
    assert seen > ROUNDS / 2, "hardly any of them was taken for a task"
