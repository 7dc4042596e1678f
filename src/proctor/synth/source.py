"""Where the parts of proposals come from: a model that is asked for each of them by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from proctor.synth.ask import ProposalAsker, ProposalCost
from proctor.synth.foreign import write_misses
from proctor.synth.key import write_key
from proctor.synth.outline import AppOutline
from proctor.synth.parts import ProposedTask, TaskParts, Writer, WrittenVerdict
from proctor.synth.propose import propose
from proctor.synth.repair import SynthFault, texts_for
from proctor.synth.verdict import write_verdict

RefuseSame = Callable[[ProposedTask, WrittenVerdict], None]
"""Raises AlreadyThere for what is a task already."""


class PartsSource(Protocol):
    """Whoever writes the parts of one proposal."""

    @property
    def cost(self) -> ProposalCost:
        """What that took so far."""
        ...

    @property
    def proposal(self) -> ProposedTask | None:
        """What is proposed, once something is."""
        ...

    def begin(self, refuse_same: RefuseSame) -> TaskParts:
        """Return all parts; raises AnswerRefused, and what `refuse_same` raises."""
        ...

    def mend(self, parts: TaskParts, faults: Sequence[SynthFault], refuse_same: RefuseSame) -> TaskParts | None:
        """Return the parts, with those that have faults written again; None where nobody can."""
        ...


@dataclass
class ModelSource:
    """Asks a model. Each part is a conversation of its own, and none sees what it must not know."""

    asks: ProposalAsker
    app: str
    outline: AppOutline
    number: int
    known: Sequence[str]
    """The instructions of tasks that are there already."""
    proposal: ProposedTask | None = None

    @property
    def cost(self) -> ProposalCost:
        """What its asking took so far."""
        return self.asks.cost

    def begin(self, refuse_same: RefuseSame) -> TaskParts:
        """Ask for everything."""
        proposal = propose(self.asks, self.app, self.outline.text(), self.number, self.known)
        return self._write_rest(proposal, refuse_same)

    def mend(self, parts: TaskParts, faults: Sequence[SynthFault], refuse_same: RefuseSame) -> TaskParts:
        """Ask again for what failed; where the words or the start did, for everything."""
        told: dict[Writer, list[str]] = {fault.writer: texts_for(fault.writer, faults) for fault in faults}
        asks, app, proposal, text = self.asks, self.app, parts.proposal, self.outline.text()
        if wrong := told.get("propose"):
            again = propose(asks, app, text, self.number, self.known, proposal, wrong)
            return self._write_rest(again, refuse_same)
        if wrong := told.get("verdict"):
            parts = replace(parts, verdict=write_verdict(asks, app, proposal, parts.verdict, wrong))
            refuse_same(proposal, parts.verdict)
        if wrong := told.get("moves"):
            parts = replace(parts, moves=write_key(asks, "moves", app, text, proposal, parts.moves, wrong))
        if wrong := told.get("route"):
            parts = replace(parts, route=write_key(asks, "route", app, text, proposal, parts.route, wrong))
        if wrong := told.get("foreign"):
            parts = replace(parts, misses=write_misses(asks, app, proposal, parts.moves, parts.misses, wrong))
        return parts

    def _write_rest(self, proposal: ProposedTask, refuse_same: RefuseSame) -> TaskParts:
        asks, app, text = self.asks, self.app, self.outline.text()
        self.proposal = proposal
        # First of all, as most of what is proposed twice is told apart by it.
        verdict = write_verdict(asks, app, proposal)
        refuse_same(proposal, verdict)
        moves = write_key(asks, "moves", app, text, proposal)
        route = write_key(asks, "route", app, text, proposal)
        misses = write_misses(asks, app, proposal, moves)
        return TaskParts(app=app, proposal=proposal, moves=moves, route=route, verdict=verdict, misses=misses)
