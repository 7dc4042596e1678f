"""What a worker is asked to do: one episode, with everything it needs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from proctor.agents.load import look_here, look_in
from proctor.agents.spec import AgentSpec
from proctor.errors import SpecError
from proctor.exam.candidate import Candidate
from proctor.exam.result import Account
from proctor.exam.rules import Rules
from proctor.records import EpisodeKey
from proctor.store.paths import RunPaths
from proctor.tasks.load import task_from_json
from proctor.tasks.task import Task


@dataclass(frozen=True, kw_only=True)
class Job:
    """One try at one episode; plain data that may travel to another machine."""

    key: EpisodeKey
    retry: int = 0
    agent: AgentSpec
    rules: Rules
    digest: str
    task_json: str = field(repr=False)
    """The task as text: cheap to send, and read once per worker."""
    run: Path
    """Folder of the run, as the worker sees it."""
    assets: Path | None = None
    """Folder of the task's files, where it has some."""
    code: tuple[Path, ...] = ()
    """Where modules that the user named are looked for; nothing for the folder the worker is in."""

    @property
    def task(self) -> Task:
        """The task, read from its text."""
        return _task(self.digest, self.task_json)

    @property
    def candidate(self) -> Candidate:
        """Who is examined."""
        return Candidate(name=self.agent.name, options=dict(self.agent.options), label=self.agent.label)

    @property
    def account(self) -> Account:
        """What is known of the episode before it is run."""
        return Account(self.task, self.key, self.candidate, self.retry)

    @property
    def folder(self) -> Path:
        """Where its record goes."""
        return RunPaths(self.run).episode(self.key, self.retry)

    def again(self) -> Job:
        """Return the next try at the same episode."""
        return replace(self, retry=self.retry + 1)


def look_for_code(job: Job) -> None:
    """Let the modules that a job names be found where its user keeps them."""
    if job.code:
        look_in(*job.code)
    if ":" in job.rules.backend.partition(",")[0]:
        look_here()


@lru_cache(maxsize=256)
def _task(digest: str, text: str) -> Task:
    task = task_from_json(json.loads(text))
    if task.digest != digest:
        raise SpecError(f"the task {task.id!r} is not the one that was planned: its content differs from its digest")
    return task
