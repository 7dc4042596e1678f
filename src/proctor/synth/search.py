"""Tasks without a model: first something is done, then it is named by what it has changed.

What is done are moves of keys that exist, put together anew, and items of menus that set something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from proctor.synth.answer import AnswerRefused
from proctor.synth.ask import ProposalCost
from proctor.synth.edit_task import SAVE, text_task
from proctor.synth.outline import AppOutline
from proctor.synth.parts import ProposedTask, TaskParts
from proctor.synth.recombine import draw_moves, material, perform_on
from proctor.synth.repair import SynthFault
from proctor.synth.setting_task import setting_task, single_changes
from proctor.synth.source import RefuseSame

TRIES = 6
"""Combinations that are tried for one proposal."""


@dataclass
class SearchSource:
    """Finds one task by doing something; the same number finds the same."""

    outline: AppOutline
    number: int
    backend: str
    cost: ProposalCost = field(default_factory=ProposalCost)
    proposal: ProposedTask | None = None

    def begin(self, refuse_same: RefuseSame) -> TaskParts:
        """Return a task that was found; raises AnswerRefused where none was."""
        found = self._search()
        self.proposal = found.proposal
        refuse_same(found.proposal, found.verdict)
        return found

    def mend(self, parts: TaskParts, faults: Sequence[SynthFault], refuse_same: RefuseSame) -> None:
        """Return nothing: what was found is not written again."""

    def _search(self) -> TaskParts:
        app = self.outline.app
        single = single_changes(self.outline.changes)
        if self.number <= len(single):
            return setting_task(app, single[self.number - 1], single)
        scenes, typed, presses = material(app)
        if not scenes or not typed:
            raise AnswerRefused(f"no key of {app} types into a text file, so there is nothing to put together anew")
        draw = Random(f"{app}/{self.number}")
        for _ in range(TRIES):
            scene = draw.choice(scenes)
            moves = (*draw_moves(draw, typed, presses), SAVE)
            after = perform_on(app, self.backend, scene, moves)
            if after is not None and (parts := text_task(app, scene, moves, after, self.backend)) is not None:
                return parts
        raise AnswerRefused(f"none of {TRIES} combinations of moves made a change that can be named")
