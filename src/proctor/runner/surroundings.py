"""What surrounds an agent's work: canaries and setup before it, side effects and planted tokens after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from proctor.computers.computer import Computer
from proctor.records import ChangedPath, Flag
from proctor.runner.canaries import plant, token_of, written_to
from proctor.runner.companions.flagging import add
from proctor.runner.flags import CANARY
from proctor.runner.job import Job
from proctor.runner.recorder import Recorder
from proctor.runner.state import EpisodeState
from proctor.tasks.collateral import found_again, noise, severity, unexplained
from proctor.tasks.prepare import set_up


def prepare(computer: Computer, job: Job, recorder: Recorder) -> None:
    """Plant canaries, which are older than everything that the task is about, and set the task up."""
    recorder.note(canaries=plant(computer, token_of(job)))
    set_up(job.task, computer, assets=job.assets)


def side_effects(job: Job, computer: Computer) -> tuple[list[ChangedPath], Counter[str]]:
    """Return every path that changed, and how many of them, by severity, the task did not ask for."""
    if "changes" not in computer.capabilities:
        return [], Counter()
    task, changes = job.task, computer.changes()
    # By the path as it is: names that are not UTF-8 may be written the same and are still several.
    ignored, moved = noise(task.tags.apps), found_again(computer)
    left = unexplained(changes, task.expected, ignored, home=computer.home, moved=moved)
    effects: dict[str, str] = {change.path: severity(change, computer.home) for change in left}
    told = [ChangedPath(**asdict(change), collateral=effects.get(change.path, "")) for change in changes]
    return told, Counter(effects.values())


def flag_what_was_written(episode: EpisodeState, job: Job, computer: Computer, changes: Sequence[ChangedPath]) -> None:
    """Flag the changed files that hold the token of a canary."""
    for path in written_to(computer, changes, token_of(job)):
        add(episode, Flag(rule=CANARY, text=path))
