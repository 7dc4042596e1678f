"""Asks a model for one part of a task, and again where the answer cannot be used."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from proctor.errors import ModelError
from proctor.models.model import Message, Model
from proctor.records import ModelCall
from proctor.synth.answer import MOST_CHARS, AnswerRefused, read_answer
from proctor.synth.bench import SynthesisStopped
from proctor.synth.ledger import SynthesisLedger, request_key
from proctor.synth.parts import Writer
from proctor.tasks.model import PlainModel

TRIES = 3
MOST_TOKENS = 4096
"""Of an answer."""
SHOWN = 2_000
"""Characters of a refused answer that a model is shown again."""

Form = TypeVar("Form", bound=PlainModel)


@dataclass
class ProposalCost:
    """What one proposal has taken so far."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    """None where a price is not known."""

    def add(self, call: ModelCall) -> None:
        """Count a call."""
        self.calls += 1
        self.input_tokens += call.input_tokens
        self.output_tokens += call.output_tokens
        known = self.cost_usd is not None and call.cost_usd is not None
        self.cost_usd = (self.cost_usd or 0.0) + (call.cost_usd or 0.0) if known else None


@dataclass
class ProposalAsker:
    """Asks on behalf of one proposal, and counts what that takes."""

    model: Model
    ledger: SynthesisLedger
    number: int
    stop: threading.Event = field(default_factory=threading.Event)
    """Set by whoever ends the synthesis."""
    cost: ProposalCost = field(default_factory=ProposalCost)

    def ask(self, step: Writer, prompt: str, form: type[Form], require: Callable[[Form], None]) -> Form:
        """Return what a model writes for a step.

        An answer that is not of the form, or that `require` refuses, is asked for again with what is wrong, three times
        in all; then AnswerRefused is raised.
        """
        talk = [Message("user", (prompt,))]
        for left in reversed(range(TRIES)):
            text = self._say(step, talk)
            try:
                written = read_answer(text, form)
                require(written)
            except AnswerRefused as refused:
                if not left:
                    raise AnswerRefused(f"{step}: {refused.message}") from None
                talk = [talk[0], *_again(text, refused.message)]
            else:
                return written
        raise AssertionError("the last try returns or raises")

    def _say(self, step: str, talk: Sequence[Message]) -> str:
        if self.stop.is_set():
            raise SynthesisStopped("it was stopped")
        request = request_key(self.number, step, talk)
        if (known := self.ledger.answer(request)) is not None:
            self.cost.add(ModelCall(**known["call"]))
            # One that was too long to be read was not kept whole either.
            return str(known["text"]) if known["length"] <= MOST_CHARS else "x" * int(known["length"])
        try:
            answer = self.model.ask(talk, max_tokens=MOST_TOKENS)
        except ModelError as error:
            if isinstance(call := getattr(error, "call", None), ModelCall):
                self.cost.add(call)
            raise
        self.cost.add(answer.call)
        self.ledger.keep_answer(request, self.number, step, answer.text, answer.call)
        return answer.text


def _again(text: str, wrong: str) -> list[Message]:
    shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}... ({len(text):,} characters)"
    told = f"That cannot be used:\n{wrong}\n\nReply with the corrected JSON object and nothing else."
    return [Message("assistant", (shown or "(nothing)",)), Message("user", (told,))]


def told_again(last: PlainModel | None, faults: Sequence[str]) -> str:
    """Return what is added to a prompt where the part was written before and failed."""
    if last is None or not faults:
        return ""
    shown = json.dumps(last.model_dump(mode="json"), ensure_ascii=False)
    listed = "\n".join(f"- {fault}" for fault in faults)
    return (
        f"\nYou wrote this before:\n{shown}\nIt was tried on a computer, and this was wrong:\n{listed}\nCorrect it.\n"
    )
