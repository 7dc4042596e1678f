"""The beginning of an exam: a computer is opened, planted with canaries, set up, and looked at."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from proctor.computers.computer import Computer
from proctor.computers.settle import read_settling
from proctor.exam.brief import write_brief
from proctor.exam.canaries import plant
from proctor.exam.candidate import Candidate
from proctor.exam.lead_in import lead_in
from proctor.exam.recorder import Recorder
from proctor.exam.rules import Rules
from proctor.exam.state import ExamState
from proctor.exam.station import Station, check_brief
from proctor.exam.trouble import Troubles
from proctor.exam.watcher import Watchers
from proctor.records import EpisodeKey, Tool
from proctor.tasks.prepare import get_ready_to_judge, require_beginning, set_up, words_of
from proctor.tasks.task import Task

Opening = Callable[[], Computer | AbstractContextManager[Computer]]
"""Returns a computer, or the lease of one from a pool."""


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """What an exam needs to begin."""

    task: Task
    key: EpisodeKey
    rules: Rules
    candidate: Candidate
    recorder: Recorder
    opening: Computer | Opening
    assets: Path | None
    token: str
    """What canaries hold."""
    prepare: Callable[[Computer], None] | None
    """Makes the computer ready, in place of the task's setup."""

    def open(self, until: ExitStack) -> Computer:
        """Start the computer; one that is opened or leased here is let go with the exam."""
        get_ready_to_judge(self.task)
        if isinstance(self.opening, Computer):
            computer = self.opening
        elif isinstance(opened := self.opening(), Computer):
            computer = opened
            until.callback(computer.close)
        else:
            computer = until.enter_context(opened)
        computer.settling = read_settling(self.rules.settle)
        return computer.start()

    def station(self, computer: Computer, tools: tuple[Tool, ...]) -> Station:
        """Plant canaries, which are older than what the task is about, set the task up, and count from there."""
        candidate = self.candidate
        brief = write_brief(self.task, self.key, computer, self.rules, uses=candidate.uses, tools=tools)
        self.recorder.note(computer=computer.facts(), brief=brief, sees=candidate.want.parts)
        # A record without pictures could not be replayed, and repetition is told by them, whatever the agent is shown.
        want = replace(candidate.want, screenshot=True)
        check_brief(computer, brief, want)
        self.recorder.note(canaries=plant(computer, self.token))
        if self.prepare is None:
            set_up(self.task, computer, assets=self.assets)
        else:
            self.prepare(computer)
        require_beginning(self.task, computer)
        if words := words_of(self.task, computer):
            brief = replace(brief, instruction=words)
            self.recorder.note(brief=brief)
        return Station(computer, brief, want)

    def lead_in(self, station: Station, state: ExamState, watchers: Watchers, troubles: Troubles) -> None:
        """Carry out the first part of the solution, where the agent is to begin after it."""
        if self.task.begin_after:
            lead_in(self.task, station, state, watchers, troubles)
