"""The exam on which an answer key is performed: every failure is an error, never a score."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from proctor.actions.action import Action, Done, SignalAction
from proctor.agents.agent import Over
from proctor.computers.computer import Computer
from proctor.errors import ComputerError, ComputerLost, EpisodeVoid, HostError, SpecError
from proctor.exam.candidate import Candidate
from proctor.exam.exam import Exam
from proctor.exam.preparation import Opening
from proctor.exam.rules import UNLIMITED
from proctor.observations.observation import Observation
from proctor.runner.answer_key import hand_on
from proctor.runner.reactions import Reactions
from proctor.tasks.collateral import Collateral
from proctor.tasks.move_context import MoveContext
from proctor.tasks.task import Task
from proctor.tasks.verdict import Verdict


class KeyExam(Exam):
    """An exam that keeps no record, and raises what happened where another would be void or score 0."""

    def __init__(
        self,
        task: Task,
        computer: Computer | Opening,
        *,
        assets: Path | None = None,
        prepare: Callable[[Computer], None] | None = None,
        disturb: str = "",
    ) -> None:
        """Take what `Exam` takes of the same names, and what is to come in between, as for a run."""
        # A key may do whatever some agent could.
        candidate = Candidate(name="key", uses=("run_code",))
        rules = replace(UNLIMITED, disturb=disturb)
        super().__init__(task, computer, rules, candidate=candidate, assets=assets, prepare=prepare)

    def hand(self, reactions: Reactions | None = None) -> MoveContext:
        """Begin it, and return the hand that makes moves on it, and answers what comes in between."""
        with self._plain_failures():
            self.begin()
        return hand_on(self.computer, self._perform, reactions)

    def end_with_verdict(self, last_word: SignalAction | None = None) -> Verdict:
        """End it, with Done where there is no last word; raises whatever stands in a verdict's way."""
        self.end(last_word or Done())
        self._require_no_trouble()
        assert self.verdict is not None
        return self.verdict

    def find_effects(self) -> tuple[Collateral, ...]:
        """Return what was changed besides; raises SpecError where nobody can tell."""
        found = self.account.side_effects
        if found.unknown:
            raise SpecError(f"side effects cannot be checked: {found.unknown}", remedy="prove it on another computer")
        return found.effects

    def words_of(self, error: Exception) -> str:
        """Say what ended it; where the computer was lost, also whether the moves did it or its host."""
        lines = [f"{type(error).__name__}: {error}"]
        troubles = self.account.troubles
        if isinstance(self.failure, HostError) and self.account.acted:
            lines.append("its host is to blame")
        elif troubles is not None and troubles.broke:
            lines += ["what was done on it broke it", troubles.defect]
        return "\n".join(filter(None, lines))

    def _perform(self, action: Action) -> Observation:
        if self.over:
            raise Over
        with self._plain_failures():
            seen = self.step(action).observation
        self._require_no_trouble()
        return seen

    def _require_no_trouble(self) -> None:
        """Raise what an exam makes a score or a void result of."""
        if self.failure is not None:
            raise self.failure
        troubles = self.account.troubles
        if troubles is None:
            return
        if troubles.broke:
            raise ComputerLost(troubles.broke)
        if troubles.kept:
            raise ComputerError(f"the computer could not be looked at: {troubles.kept[0]['error']}")

    @contextmanager
    def _plain_failures(self) -> Iterator[None]:
        try:
            yield
        except EpisodeVoid as void:
            raise self.failure or void from None
