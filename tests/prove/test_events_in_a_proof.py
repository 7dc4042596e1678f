"""Proofs of tasks in which something happens: what an event changed is how it was before."""

from __future__ import annotations

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Computer
from proctor.prove.attempt import attempt
from proctor.prove.trial import Trial
from proctor.tasks.events import Event, When
from proctor.tasks.shelves import make
from proctor.tasks.task import Task
from tests.prove.machines import shopping

STORE = '{"probe": "windows"}'


def test_mutants_are_compared_with_stores_as_events_left_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def look(_task: Task, computer: Computer) -> dict[str, object]:
        letters = sorted(entry.path.rpartition("/")[2] for entry in computer.list_files("letters"))
        return {STORE: {"letters": [{"name": name} for name in letters]}}

    seen: dict[str, object] = {}
    monkeypatch.setattr("proctor.exam.side_effects.look_before", look)
    monkeypatch.setattr(
        "proctor.prove.attempt.mutate", lambda task, computer, ending, before: seen.update(before) or None
    )
    arrives = Event(name="a letter", do=(make.text_file("letters/two", "hello\n"),), when=When(actions=1))
    task = shopping(events=(arrives,), setup=(make.text_file("letters/one", "\n"), *shopping().setup))
    (outcome,) = attempt(task, [Trial("solution", wanted=1.0, mutated=True)], FakeComputer().start())
    assert outcome.proven, outcome.error
    assert seen[STORE] == {"letters": [{"name": "one"}, {"name": "two"}]}
