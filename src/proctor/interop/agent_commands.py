"""Commands that an agent runs by somebody else's runner, noted as steps of the exam."""

from __future__ import annotations

import json
import posixpath
import shlex
import time
from base64 import b64encode
from collections.abc import Callable

from proctor.actions.action import RunCode
from proctor.computers.computer import CodeResult, Performed
from proctor.errors import ComputerError, HostError
from proctor.exam.exam import Exam
from proctor.interop.guest_commands import Ran, TooMuchOutput

LONGEST_CODE = 1_000_000
"""Characters of a command that the history keeps: as many as an action may hold."""
TASK = "<the task>"
"""Stands for the words of the task in a command."""
NOT_RUN = 1
"""How a command ends that is not run, because the exam is over."""


def do_and_note(exam: Exam, code: str, work: Callable[[], Ran]) -> Ran:
    """Do what a command of the agent does, and take down the command and what came of it."""
    began = time.time()
    try:
        ran = work()
    except HostError as error:
        exam.fail(error)
        raise
    except (ComputerError, OSError, TooMuchOutput) as error:
        # However it ended, the agent has begun it; where the computer is gone, that shows now.
        timed_out = isinstance(error, TimeoutError)
        _note(exam, code, began, CodeResult(output="", error=type(error).__name__, timed_out=timed_out))
        raise
    said = f"exit status {ran.code}" if ran.code else ""
    _note(exam, code, began, CodeResult(output=ran.stdout + ran.stderr, error=said))
    return ran


def why_over(exam: Exam) -> str:
    """Say that no more steps are taken, and why."""
    return f"The task has ended ({(exam.state.stop or 'void').replace('_', ' ')})."


def _note(exam: Exam, code: str, began: float, result: CodeResult) -> None:
    # No action may hold a NUL, and whoever repeats the words of the task saw nothing.
    plain = _without_task(code.replace("\0", "\N{REPLACEMENT CHARACTER}"), exam.state.brief.instruction)
    action = RunCode(code=plain[:LONGEST_CODE], language="shell")
    exam.note(Performed(action=action, started=began, ended=time.time(), result=result))


def _without_task(code: str, task: str) -> str:
    for words in (shlex.quote(task)[1:-1], json.dumps(task)[1:-1], json.dumps(task, ensure_ascii=False)[1:-1], task):
        code = code.replace(words, TASK)
    return code


def code_that_writes(path: str, data: bytes) -> str:
    """Return a command that writes a file, as an agent would have run it."""
    folder = posixpath.dirname(path)
    make = f"mkdir -p {shlex.quote(folder)} && " if folder else ""
    try:
        words = f"printf %s {shlex.quote(data.decode())}"
    except UnicodeDecodeError:
        words = f"echo {b64encode(data).decode()} | base64 -d"
    return f"{make}{words} > {shlex.quote(path)}"
