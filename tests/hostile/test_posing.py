"""Agents that look right only while a judge looks: judged on frozen ground, none of them wins and none is void."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from proctor.actions.action import Done, RunCode
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.exam.exam import Exam
from proctor.exam.rules import Rules
from proctor.tasks.call import Call
from proctor.tasks.ground import ENDED
from proctor.tasks.machine import Machine
from proctor.tasks.shelves import expect, make, see
from proctor.tasks.task import Task
from tests.hostile.attacks.posing import SEEN
from tests.hostile.shelf import find
from tests.tasks.build import task

pytestmark = [pytest.mark.sandbox, pytest.mark.turns(by="test")]
LETTER = "Dear Kim,\n\nWarm regards,\n"
HOURS = {"hours.txt": "old\n"}
UPLOAD = "import signal\nwhile True:\n    signal.pause()\n"


class Judged:
    """One exam of an agent that makes one attack and says that it is done."""

    def __init__(self, attack: str, asked: Task, computer: SandboxComputer) -> None:
        self.computer = computer
        with Exam(asked, computer, Rules(actions=("run_code", "done"))) as exam:
            exam.begin()
            exam.step(RunCode(code=find(attack).program(), timeout_sec=30))
            self.result = exam.end(Done())
            self.verdict = exam.verdict
        assert not self.result.void, self.result.error
        assert self.verdict is not None

    @property
    def evidence(self) -> dict[str, Any]:
        assert self.verdict is not None
        return dict(self.verdict.evidence)


@pytest.fixture
def computer() -> Iterator[SandboxComputer]:
    with SandboxComputer(size=(1280, 720), image="full", network="loopback") as opened:
        yield opened


def asked(check: Call, *setup: Call) -> Task:
    return task(check=check, setup=setup, machine=Machine(image="full"))
