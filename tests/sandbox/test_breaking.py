"""Agents that break their own desktop are judged, on real sandboxes: no episode of theirs is void."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proctor.exam.rules import Rules
from proctor.runner.run_episode import run_episode
from proctor.tasks.shelves import expect, make, see
from proctor.tasks.task import Task
from tests.prove.machines import shopping
from tests.runner.breaking import ATTACKS
from tests.runner.jobs import job

pytestmark = [pytest.mark.sandbox, pytest.mark.alone, pytest.mark.turns]

RULES = Rules(actions=("run_code", "click", "type", "done"))
SHORT = ("chmod_home", "all_pids", "kill_the_bus", "trace_me", "grab_the_server")
"""The others take long; `tests/hostile` makes them all."""


def letter() -> Task:
    path = "Documents/letter.txt"
    return shopping(
        setup=(make.text_file(path, "Dear Hassan\n"), make.launch(["mousepad", path], window="letter.txt")),
        check=expect.all_of([
            expect.text_is(see.text(path), "Dear Hassan\nLucia Ferrari\n"),
            expect.window_open(see.windows(), "letter.txt"),
        ]),
    )  # fmt: skip


@pytest.mark.parametrize("attack", SHORT)
def test_nothing_is_void(tmp_path: Path, attack: str) -> None:
    assert attack in ATTACKS
    one = job(tmp_path / "run", f"tests.runner.breaking:Breaker,attack={attack},observe=tree", letter(), RULES)
    result = run_episode(one)
    header = json.loads((one.folder / "episode.json").read_text())
    assert (result.cause, result.score) == (None, 0.0), (result.error, result.defect, header.get("trouble"))
    assert result.acted
    if result.stop == "broke_the_computer":
        assert "broke_the_computer" in result.modes
        assert header["trouble"][-1]["whose"] == "agent"
