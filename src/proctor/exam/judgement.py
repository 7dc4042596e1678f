"""The end of an exam: the computer comes to rest, is judged, and is compared with how it was."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

from proctor.computers.computer import Computer
from proctor.errors import CheckError, ProctorError
from proctor.exam.canaries import written_to
from proctor.exam.flags import CANARY
from proctor.exam.result import Account
from proctor.exam.side_effects import SideEffectCounter
from proctor.exam.state import ExamState
from proctor.exam.trouble import Troubles
from proctor.exam.watchers.flag import add_flag
from proctor.records import Flag
from proctor.tasks.day_watch import watch_of
from proctor.tasks.deadline import Deadline
from proctor.tasks.findings import Finding
from proctor.tasks.ground import MOST_READINGS, Evidence, Ground, ask_live
from proctor.tasks.judge import judge
from proctor.tasks.prepare import conclude
from proctor.tasks.probe_context import Ending
from proctor.tasks.task import Task
from proctor.tasks.verdict import Verdict
from proctor.tasks.weigh import weigh_side_effects

Score = Callable[[Computer], float]
"""Looks at a computer and returns a score from 0 to 1."""


class Judgement:
    """Judges one exam, in the middle for feedback and at its end."""

    def __init__(
        self,
        task: Task,
        side_effects: SideEffectCounter,
        token: str,
        score: Score | None = None,
        *,
        faithful: bool = False,
    ) -> None:
        """Say how it is judged.

        Args:
            task: Whose checks are asked.
            side_effects: Compares the computer with how it was.
            token: What canaries hold.
            score: Asked in place of the task's checks.
            faithful: Whether the verdict of the task's own system counts, where that is another.
        """
        self._faithful = faithful
        self._task, self._side_effects, self._token, self._score = task, side_effects, token, score
        self.watch = watch_of(task)
        """Who looks on at a composed task or a day."""
        self._live: Evidence | None = None
        """What live programs told, once everything has come to rest."""
        self._ground: Ground | None = None

    def missing(self, state: ExamState, troubles: Troubles, ending: Ending) -> tuple[str, ...]:
        """Return what is missing, if the agent ended so now."""
        verdict = self._choose(judge(self._task, state.computer, ending, self.watch, troubles if state.acted else None))
        return () if verdict.passed else verdict.feedback

    def judge(self, account: Account) -> None:
        """Let the computer come to rest, hold it still, and judge it and what else was changed.

        One that was interrupted leaves it held still, and can be asked again for the same.
        """
        try:
            self._judge(account)
        except Exception:
            self._release()
            raise
        self._release()

    def _judge(self, account: Account) -> None:
        state, troubles = account.state, account.troubles
        assert state is not None and troubles is not None
        heard = troubles if state.acted else None
        deadline = self._hold(state, heard)
        written: list[str] = []
        for _ in range(MOST_READINGS):
            account.verdict = self._verdict(state, heard, deadline)
            with troubles.hear(broken=True) if heard else nullcontext():
                found = self._side_effects.compare(state.computer, deadline)
                account.side_effects = self._side_effects.compare_insides(
                    found, state.computer, state.ending, account.verdict, deadline
                )
                written = written_to(state.computer, account.side_effects.changes, self._token)
            if self._ground is None or not self._ground.has_moved():
                break
        for path in written:
            add_flag(state, Flag(rule=CANARY, text=path))
        assert account.verdict is not None
        account.verdict = weigh_side_effects(self._task, account.verdict, account.side_effects.effects)
        evidence = account.side_effects.add_to(account.verdict.evidence)
        if self._ground is not None:
            evidence = self._ground.add_to(evidence)
        account.verdict = replace(account.verdict, evidence=evidence)

    def _hold(self, state: ExamState, heard: Troubles | None) -> Deadline:
        """Let the computer rest, ask live programs and hold them still; once, however often asked.

        Returns by when it must be judged.
        """
        rested = self._live is not None
        if not rested and not (heard and heard.broke):  # a broken one does not come to rest
            with heard.hear() if heard else nullcontext():
                conclude(self._task, state.computer)
        deadline = Deadline()
        if not rested:
            ask = self._score is None
            self._live = ask_live(self._task, state.computer, state.ending, heard, deadline) if ask else {}
        if self._ground is None and self._score is None:  # whoever judges in our place may run what it likes
            self._ground = Ground(state.computer, heard).__enter__()
        return deadline

    def _release(self) -> None:
        ground, self._ground, self._live = self._ground, None, None
        if ground is not None:
            ground.release()

    def _verdict(self, state: ExamState, trouble: Troubles | None, deadline: Deadline) -> Verdict:
        if self._score is None:
            found = judge(self._task, state.computer, state.ending, self.watch, trouble, self._live, deadline)
            return self._choose(found)
        score, broke = 0.0, trouble is not None and trouble.broke
        with trouble.hear(broken=True) if trouble else nullcontext():
            try:
                score = 0.0 if broke else self._score(state.computer)
            except (ProctorError, OSError):
                raise
            except Exception as error:
                raise CheckError(f"the judge failed with {type(error).__name__}: {error}") from error
        return Verdict(score, (), Finding(score, check="judge"))

    def _choose(self, verdict: Verdict) -> Verdict:
        return verdict.as_original() if self._faithful else verdict
