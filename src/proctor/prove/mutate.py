"""Tries a verdict: changes the end state of a solution piece by piece, judges, puts back."""

from __future__ import annotations

import time
from collections.abc import Mapping
from random import Random

from proctor.computers.computer import Computer
from proctor.errors import ProctorError
from proctor.prove.mutant_log import Trying
from proctor.prove.mutate_evidence import try_evidence, try_words
from proctor.prove.mutate_files import try_files
from proctor.prove.mutate_surroundings import try_surroundings
from proctor.prove.mutation import Mutation
from proctor.tasks.judge import judge
from proctor.tasks.probe_context import Ending
from proctor.tasks.task import Task


def mutate(task: Task, computer: Computer, ending: Ending, before: Mapping[str, object]) -> Mutation:
    """Change the end state of a solution that was judged 1, and return what came to light.

    Each piece is put back; what cannot be ends the trying. `before` is what probes saw before the solution.
    """
    trying = Trying(task, computer, ending, before, Random(f"{task.id} {task.seed}"))
    started = time.monotonic()
    try:
        verdict = judge(task, computer, ending)
        if verdict.score < 1.0:
            trying.untried.append("everything: what is there at the end does not score 1 by itself")
        else:
            try_words(trying)
            try_evidence(trying, verdict.evidence)
            try_files(trying)
            try_surroundings(trying)
    except (ProctorError, OSError) as error:
        trying.untried.append(f"what was left: {type(error).__name__}: {error}")
    return trying.mutation(time.monotonic() - started)
