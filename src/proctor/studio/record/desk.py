"""A desk: one person, one desktop, one task, and the run made of it, in a thread of its own."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from proctor.actions.action import SignalAction
from proctor.actions.in_words import action_words
from proctor.agents.spec import AgentSpec
from proctor.errors import ProctorError, SpecError, trouble_of
from proctor.exam.rules import Rules
from proctor.exam.state import ExamState
from proctor.exam.watcher import Watcher
from proctor.plain_text import printable
from proctor.records import Result, Step, Told
from proctor.runner.job import Job
from proctor.runner.plan import Plan, plan_tasks
from proctor.runner.plan_record import begin
from proctor.runner.preflight import images_of
from proctor.runner.run_episode import run_episode
from proctor.store.account import write_account
from proctor.store.own_runs import remember
from proctor.store.paths import folder_name
from proctor.studio.record.gestures import MadeAction
from proctor.studio.record.hand import FinalWord, Left, WatchedHand
from proctor.studio.record.journal import Journal
from proctor.studio.record.stopwatch import Stopwatch
from proctor.tasks.free import FREE
from proctor.tasks.task import Task
from proctor.web.files import read_object

if TYPE_CHECKING:
    from proctor.studio.record.glance import Glanced

State = Literal["preparing", "working", "paused", "judging", "over", "failed"]
Kind = Literal["record", "validate"]

MOST_STEPS = 100_000
LONGEST_SEC = 86_400.0
"""A person is not to be stopped by limits that are meant for agents."""
ENDED: tuple[State, ...] = ("over", "failed")


@dataclass(frozen=True, kw_only=True)
class Again:
    """A recording whose first actions are repeated before the person goes on."""

    episode: Path
    actions: int
    about: Mapping[str, Any]
    """What is kept of it beside the episode."""
    back: str
    over: Callable[[Desk], None]
    """Called when the episode is recorded, before the page hears that it is over."""
    says: SignalAction | None = None
    """The last word, where the person has nothing to add and it is only to be judged."""


class Desk:
    """What a page shows of a person at work, and what it may ask for, from any thread."""

    def __init__(
        self,
        *,
        person: str,
        visitor: str,
        task: Task,
        kind: Kind,
        suite: str,
        assets: Path | None,
        again: Again | None = None,
        besides: Sequence[Watcher] = (),
        making: str = "",
        stage: str = "",
    ) -> None:
        self._besides = besides
        self.making = making
        """The page of the task in the making that this serves; nothing is judged then."""
        self.stage = stage
        """What of that task is made here: `prepare` or `demonstrate`."""
        self.id = secrets.token_urlsafe(9)
        self.again = again
        self.person, self.visitor, self.task, self.kind = person, visitor, task, kind
        self.state: State = "preparing"
        self.trouble = ""
        self.size = (0, 0)
        self.run = Path()
        self.steps: list[dict[str, Any]] = []
        self.told: list[dict[str, str]] = []
        self.watch = Stopwatch()
        self.ratings: dict[str, Any] = {}
        self.result: Result | None = None
        self.job: Job | None = None
        self.hand = WatchedHand(self._ready, self._heard, self._keep)
        self._journal: Journal | None = None
        self._suite, self._assets = suite, assets
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._hold, name=f"desk-{self.id}", daemon=True)

    @property
    def title(self) -> str:
        """What people call it."""
        return "Empty desktop" if self.task.id == FREE else printable(self.task.id)

    @property
    def free(self) -> bool:
        """Whether nothing is judged."""
        return self.task.id == FREE or bool(self.making)

    @property
    def folder(self) -> Path | None:
        """Where its episode is recorded, once that has begun."""
        return self.job.folder if self.job else None

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen here."""
        return self.state in ENDED

    def sit_down(self, folder: Path, computer: str, *, video: bool = False) -> None:
        """Begin: the run goes into a new folder, on a computer as `proctor run` names one."""
        rules = Rules(
            backend=computer,
            steps=MOST_STEPS,
            seconds=LONGEST_SEC,
            repetition=MOST_STEPS,
            fruitless=MOST_STEPS,
            retries=0,
            video=video,
        )
        if self.again is not None:
            rules = replace(rules, origin=str(self.again.episode), origin_actions=self.again.actions)
        agent = AgentSpec("human")
        plan = Plan(suite=self._suite, tasks=plan_tasks([self.task]), agents=(agent,), rules=rules, assets=self._assets)
        self._plan, self.run = plan, folder / self._name()
        self._thread.start()

    def pause(self, paused: bool) -> None:
        """Let the clock stand, or go on; whoever passes input on looks at `state`."""
        with self._lock:
            if self.state == "working" and paused:
                self.state = "paused"
                self.watch.stop()
            elif self.state == "paused" and not paused:
                self.state = "working"
                self.watch.start()

    def end(self, word: FinalWord | Left, ratings: dict[str, Any]) -> bool:
        """Take the person's last word, and what they say of the task; False where it has ended already."""
        with self._lock:
            if self.state not in ("working", "paused"):
                return False
            self.state = "judging"
            self.watch.stop()
            self.ratings = ratings
        self.hand.hear(word)
        return True

    def glance(self) -> Glanced:
        """Return its screen as it is now; raises SpecError where nobody works on it."""
        if self.state not in ("working", "paused"):
            raise SpecError("this desktop is not open", remedy="open it, and wait until its screen is shown")
        return self.hand.glance()

    def leave(self, why: str, timeout_sec: float = 0.0) -> None:
        """End it without a verdict, whatever it is at, and wait for that a while."""
        self.hand.hear(Left(why))
        self._thread.join(timeout_sec)

    def verdict(self) -> dict[str, Any] | None:
        """Return what the judge found, once it has."""
        result = self.result
        if result is None or self.job is None:
            return None
        found = read_object(self.job.folder / "verdict.json") or {}
        return {
            **{name: getattr(result, name) for name in ("passed", "void", "stop", "steps", "score")},
            "error": printable(result.error),
            "feedback": [printable(str(line)) for line in found.get("feedback", []) if isinstance(line, str)],
            "collateral": sum(result.collateral.values()),
        }

    # -- in the thread of the episode ---------------------------------------------------------------------------------

    def _hold(self) -> None:
        try:
            with begin(self._plan, self.run, images=images_of(self._plan)) as record:
                remember(record.root, Path.cwd())
                self.job = job = next(self._plan.jobs({}, self.run))
                result = run_episode(job, {"hand": self.hand}, [self.hand, _Account(self), *self._besides])
                record.add(result)
                record.seal()
            self.trouble, self.result = printable(result.error) if result.void else "", result
            if self.again is not None:
                self.again.over(self)
            self.state = "over"
        except Exception as error:
            # The boundary of the thread: the page says what happened, and the studio goes on.
            self.trouble, self.state = printable(trouble_of(error)), "failed"
            if not isinstance(error, ProctorError):
                raise
        finally:
            self.watch.stop()

    def _ready(self, size: tuple[int, int]) -> None:
        """Let the person work, and their time count."""
        self.size = size
        with self._lock:
            self.state = "working"
            self.watch.start()
        if self.again is not None and self.again.says is not None:
            self.end(FinalWord(self.again.says), {"word": self.again.says.kind})

    def _keep(self, told: int, doing: Sequence[MadeAction]) -> None:
        assert self.job is not None
        self._journal = self._journal or Journal(self.job.folder)
        self._journal.keep(told, doing)

    def _heard(self, told: Sequence[Told]) -> None:
        self.told += [{"kind": each.kind, "text": printable(each.text)} for each in told]

    def account(self) -> dict[str, Any]:
        """Return what is kept of the person beside the episode."""
        return {
            "person": self.person,
            "kind": self.kind,
            "working_seconds": round(self.watch.seconds, 3),
            "pauses": self.watch.pauses,
            "unnamed_keys": [f"{keysym:#x}" for keysym in self.hand.nameless_keys],
            **({"again": dict(self.again.about)} if self.again else {}),
            **self.ratings,
        }

    def _name(self) -> str:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        short = self.task.id.partition("/")[2][:40]
        return f"{stamp}-{folder_name(short)}-{self.id[:4].lower().replace('_', '0').replace('-', '0')}"


class _Account(Watcher):
    """Keeps who worked and what they said of it in the episode's folder, and steps for the page."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def begin(self, exam: ExamState) -> None:
        self._write()

    def after(self, exam: ExamState, step: Step) -> Step:
        if step.action is not None and not step.refused:
            words = printable(action_words(step.action, step.element))
            self._desk.steps.append({"step": step.step, "words": words, "thought": printable(step.thought)})
        return step

    def end(self, exam: ExamState) -> None:
        desk = self._desk
        desk.watch.stop()
        exam.figures["working_seconds"] = round(desk.watch.seconds, 3)
        for name in ("clarity", "difficulty"):
            if name in desk.ratings:
                exam.figures[name] = float(desk.ratings[name])
        self._write()

    def _write(self) -> None:
        assert self._desk.job is not None
        write_account(self._desk.job.folder, self._desk.account())
