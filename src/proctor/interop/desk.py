"""A computer with a task on it, lent to somebody else's runner: prepared and judged here, operated from there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from proctor.actions.action import Action
from proctor.computers import open_computer, open_for
from proctor.computers.blame import TROUBLE, blame
from proctor.computers.computer import Computer
from proctor.computers.settle import read_settling
from proctor.computers.values import Performed
from proctor.errors import EpisodeVoid, SpecError
from proctor.tasks.collateral import collateral
from proctor.tasks.judge import judge
from proctor.tasks.prepare import conclude, prepare
from proctor.tasks.probe_context import Ending
from proctor.tasks.task import Task
from proctor.tasks.watch import Watch

Given = TypeVar("Given")


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What the checks say of a task."""

    score: float
    feedback: tuple[str, ...] = ()
    """What is wrong, one sentence each."""
    metrics: Mapping[str, float] = field(default_factory=dict)
    side_effects: int = 0
    """Changes that the task did not ask for."""
    broke_the_computer: bool = False

    @property
    def passed(self) -> bool:
        """Whether the task was done, all of it."""
        return self.score >= 1.0

    @property
    def clean(self) -> bool:
        """Whether it was done and nothing else was changed."""
        return self.passed and not self.side_effects

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "score": self.score,
            "passed": self.passed,
            "clean": self.clean,
            "feedback": list(self.feedback),
            "side_effects": self.side_effects,
            "broke_the_computer": self.broke_the_computer,
            **({"metrics": dict(self.metrics)} if self.metrics else {}),
        }


class Desk:
    """One computer in a thread of its own, with a task or without.

    `submit` may be called from any thread; everything else belongs into what is submitted.
    """

    def __init__(
        self,
        task: Task | None = None,
        *,
        computer: str | Callable[[], Computer] = "sandbox",
        options: Mapping[str, Any] | None = None,
        assets: Path | None = None,
        settle: str = "quick",
    ) -> None:
        self.task = task
        self._backend, self._options, self._assets, self._settle = computer, dict(options or {}), assets, settle
        self._computer: Computer | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="proctor-desk")
        self._watch: Watch | None = None
        self._prepared = False
        self.others: set[str] = set()
        """Paths that the runner itself writes to; what changes there is nobody's side effect."""
        self.acted = False
        """Whether anything was done on the computer since the task was prepared."""

    def submit(self, work: Callable[[], Given]) -> Future[Given]:
        """Have something done in the computer's own thread."""
        return self._thread.submit(work)

    @property
    def computer(self) -> Computer:
        """The computer; raises SpecError before `open` and after `close`."""
        if self._computer is None:
            raise SpecError("the computer is not open", remedy="open the desk first")
        return self._computer

    def open(self) -> None:
        """Start the computer; raises ComputerError or SpecError, and leaves none behind then."""
        given = self._backend
        if not isinstance(given, str):
            computer = given()
        elif self.task is None:
            computer = open_computer(given, **self._options)
        else:
            computer = open_for(given, self.task.needs, self._options)
        computer.settling = read_settling(self._settle)
        self._computer = computer
        try:
            computer.start()
        except BaseException:
            self.close()
            raise

    def prepare(self) -> None:
        """Make the computer ready for the task; raises EpisodeVoid where that fails. A second time has no effect."""
        if self._prepared:
            return
        task = self._needs_task()
        try:
            prepare(task, self.computer, assets=self._assets)
        except SpecError:
            raise
        except Exception as error:
            raise _void(f"the computer could not be made ready for task {task.id!r}", error) from error
        self._watch = Watch(task.graph) if task.graph else None
        self._prepared, self.acted = True, False

    def perform(self, action: Action) -> Performed:
        """Carry out an action; raises AgentError for an impossible one."""
        self.acted = True
        done = self.computer.perform(action)
        if self._watch is not None:
            self._watch.look(self.computer)
        return done

    def judge(self, ending: Ending) -> Judgement:
        """Let the checks judge; raises EpisodeVoid where nothing can be said, and never scores that."""
        task = self._needs_task()
        if not self._prepared:
            raise EpisodeVoid(
                f"void: task {task.id!r} was never prepared", remedy="keep the setup of the task in place"
            )
        try:
            conclude(task, self.computer)
            verdict = judge(task, self.computer, ending, self._watch)
            harm = self._side_effects(task)
        except Exception as error:
            if self.acted and isinstance(error, TROUBLE) and blame(error, self.computer).whose == "agent":
                said = (f"the computer was broken by what was done on it: {error}",)
                return Judgement(score=0.0, feedback=said, broke_the_computer=True)
            raise _void(f"task {task.id!r} could not be judged", error) from error
        return Judgement(
            score=verdict.score, feedback=verdict.feedback, metrics=dict(verdict.metrics), side_effects=harm
        )

    def close(self) -> None:
        """Close the computer; a second time has no effect."""
        computer, self._computer = self._computer, None
        if computer is not None:
            computer.close()

    def leave(self) -> Future[None]:
        """Close the computer once nothing is under way, and let its thread go."""
        closing = self._thread.submit(self.close)
        self._thread.shutdown(wait=False)
        return closing

    def _side_effects(self, task: Task) -> int:
        if "changes" not in self.computer.capabilities:
            return 0
        ours = tuple(f"{path.rstrip('/')}/" for path in self.others)
        return sum(not f"{each.path}/".startswith(ours) for each in collateral(task, self.computer))

    def _needs_task(self) -> Task:
        if self.task is None:
            raise SpecError("no task is set on this computer", remedy="name its suite and its task")
        return self.task


def _void(what: str, error: Exception) -> EpisodeVoid:
    said = f"{type(error).__name__}: {error}"
    return EpisodeVoid(f"void: {what}: {said}", remedy="leave it out of what is counted, and run it again")
