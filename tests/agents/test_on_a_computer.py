"""Agents at work on the fake computer: what they see is what is there, what they do happens."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor.agents import open_agent
from proctor.agents.agent import close, want_of
from proctor.agents.prompted.agent import Prompted
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.computer import Computer
from proctor.exam.candidate import Candidate
from proctor.exam.exam import Exam
from proctor.exam.rules import Rules
from proctor.exam.state import ExamState
from proctor.exam.watcher import Watcher
from proctor.models.script import ScriptedModel
from proctor.records import Step
from proctor.runner.loop import examine
from proctor.tasks.free import free_task


@pytest.fixture
def computer() -> Iterator[Computer]:
    with FakeComputer() as computer:
        computer.write_file("notes.txt", b"hello")
        computer.launch(["mousepad", "notes.txt"])
        yield computer


class Listener(Watcher):
    """Keeps what the agent is told."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def after(self, exam: ExamState, step: Step) -> Step:
        self.said += [told.text for told in exam.told]
        return step


def worked(agent: Any, computer: Computer) -> list[str]:
    """Let an agent work until it says something, as a runner does; return what it was told on the way."""
    listener = Listener()
    exam = Exam(
        free_task("Sign the notes and save them."),
        computer,
        Rules(steps=10),
        candidate=Candidate(want=want_of(agent)),
        watchers=[listener],
        prepare=lambda _computer: None,
    )
    examine(exam, agent)
    exam.end()
    close(agent)
    return listener.said


@pytest.mark.parametrize("observe", ["screenshot", "tree", "screenshot+tree", "marks"])
def test_a_model_signs_the_notes(computer: Computer, observe: Any) -> None:
    place = computer.locate(role="text", app="mousepad").box.center
    model = ScriptedModel(
        replies=[
            f"I click into the text.\n```json\n{json.dumps({'type': 'click', 'x': place[0], 'y': place[1]})}\n```",
            "Let me see. I could say DONE, but nothing is typed yet.",
            '[{"type": "press", "keys": "ctrl+End"}, {"type": "type", "text": " Ada"}]',
            '{"type": "press", "keys": "ctrl+s"}',
            '{"type": "done"}',
        ]
    )
    (problem,) = worked(Prompted(model, observe=observe), computer)
    assert computer.read_file("notes.txt") == b"hello Ada"
    shown = "\n".join(part for part in model.asked[2][-1].parts if isinstance(part, str))
    assert problem in shown


def test_a_program_saves_the_notes(computer: Computer, project: Path) -> None:
    script = shlex.quote(str(project / "examples" / "agents" / "json_lines.sh"))
    assert worked(open_agent(f"cmd,command=sh {script},observe=nothing"), computer) == []


def test_clicks_off_the_screen_are_refused_and_told(computer: Computer) -> None:
    model = ScriptedModel(replies=['{"type": "click", "x": 50000, "y": -7}', '{"type": "fail", "reason": "lost"}'])
    (refusal,) = worked(Prompted(model), computer)
    assert "50000" in refusal
    assert refusal in str(model.asked[1][-1].parts[0])
