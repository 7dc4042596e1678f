"""The header of a record: what is known of an exam before it begins."""

from __future__ import annotations

import time

from proctor.exam.candidate import Candidate
from proctor.exam.rules import Rules
from proctor.records import EpisodeKey, Header, SetTask
from proctor.tasks.task import Task


def write_header(task: Task, key: EpisodeKey, candidate: Candidate, rules: Rules, *, retry: int = 0) -> Header:
    """Return the header of an exam's record; what is found out later is filled in."""
    return Header(
        key=key,
        retry=retry,
        task=SetTask(
            id=task.id, seed=task.seed, digest=task.digest, instruction=task.instruction, unproven=task.unproven
        ),
        agent=candidate.named,
        rules=rules.to_json(),
        started=time.time(),
    )
