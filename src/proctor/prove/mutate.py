"""Trying a verdict: the end state of a solution is changed one piece at a time, judged again and put back."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from proctor.actions.action import Answer
from proctor.computers.computer import Computer
from proctor.errors import ProctorError
from proctor.prove.evidence_changes import evidence_mutants, other_answers, same_answers
from proctor.prove.mutate_files import try_files
from proctor.prove.mutation import Mutation
from proctor.prove.transforms.shelf import ChangeKind
from proctor.prove.trying import Judged, Trying
from proctor.tasks.call import walk
from proctor.tasks.judge import judge, regrade
from proctor.tasks.probe_context import Ending
from proctor.tasks.task import Task


def mutate(task: Task, computer: Computer, ending: Ending, before: Mapping[str, Any]) -> Mutation:
    """Change the end state of a solution that was judged 1, piece by piece, and return what came to light.

    Args:
        task: What was to be done.
        computer: Where it was done; everything is put back, and what cannot be ends the trying.
        ending: How the solution ended.
        before: What the probes saw before the solution.
    """
    trying = Trying(task, computer, ending, Random(f"{task.id} {task.seed}"))
    started = time.monotonic()
    try:
        verdict = judge(task, computer, ending)
        if verdict.score < 1.0:
            trying.untried.append("everything: what is there at the end does not score 1 by itself")
        else:
            _try_words(trying)
            _try_evidence(trying, before, verdict.evidence)
            try_files(trying)
    except (ProctorError, OSError) as error:
        trying.untried.append(f"what was left: {type(error).__name__}: {error}")
    return trying.mutation(time.monotonic() - started)


def _try_words(trying: Trying) -> None:
    """Try other answers to the question that the task asks, where it asks one."""
    signal = trying.ending.signal
    if not isinstance(signal, Answer) or not any(call.name == "answer" for _, call in walk(trying.task.check)):
        return

    def judged(text: str) -> Judged:
        said = replace(trying.ending, signal=Answer(text=text))
        return judge(trying.task, trying.computer, said), False

    answers: list[tuple[str, ChangeKind, str]] = [
        *((label, "mutant", text) for label, text in other_answers(signal.text)),
        *((label, "variant", text) for label, text in same_answers(signal.text)),
    ]
    for label, kind, text in answers:
        trying.note(f"the answer: {label}", kind, lambda text=text: judged(text))  # type: ignore[misc]


def _try_evidence(trying: Trying, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Try changes to what probes saw that is no file; nothing on the computer is touched."""
    if trying.task.graph is not None:
        trying.untried.append("what is no file: a composed task is judged by what was seen on the way")
        return

    def is_file(path: str) -> bool:
        try:
            return trying.computer.file_info(path).kind == "file"
        except (OSError, ValueError):
            return False

    def judged(evidence: dict[str, Any]) -> Judged:
        return regrade(trying.task, evidence), False

    for label, evidence in evidence_mutants(before, after, trying.draw, is_file):
        trying.note(label, "mutant", lambda evidence=evidence: judged(evidence))  # type: ignore[misc]
