"""An episode as Inspect tells it: its messages, and the events of its transcript."""

from __future__ import annotations

import base64
import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from proctor.records import ModelCall, Saw, Step
from proctor.store.collection import Recorded
from proctor.store.export_parts import whole_text
from proctor.store.exports.atif.calls import call_of
from proctor.store.read import RecordedTurn

Inspected: TypeAlias = Any
"""What Inspect makes; its package is not there wherever ours is."""


@dataclass(frozen=True)
class Exchanged:
    """One turn of an agent: what it said, and what it was answered."""

    turn: RecordedTurn
    said: Inspected
    answers: list[Inspected]


class Talk:
    """What was said and done in an episode, in Inspect's words."""

    def __init__(self, item: Recorded) -> None:
        self._item = item
        self._model, self._tool, self._event = (importlib.import_module(f"inspect_ai.{name}") for name in _PARTS)
        turns = list(item.episode.turns())
        first_at = next((turn.steps[0].at for turn in turns), None)
        self._start = item.episode.header.started or item.result.started or first_at or 0.0
        end = next((step.saw for step in item.episode.steps() if step.end), None)
        seen = [turn.saw for turn in turns] + [end]
        first = [self._text(item.episode.instruction), *self._picture(seen[0])]
        self._opening = self._model.ChatMessageUser(content=first)
        self._turns = [self._exchange(turn, after) for turn, after in zip(turns, seen[1:], strict=False)]

    @property
    def messages(self) -> list[Inspected]:
        """All messages in order."""
        return [self._opening, *(each for turn in self._turns for each in (turn.said, *turn.answers))]

    @property
    def last_words(self) -> str:
        """What the agent said last."""
        return str(self._turns[-1].said.text) if self._turns else ""

    def events(self, label: str) -> Iterator[Inspected]:
        """Yield what happened in order: requests to models, and the actions that followed.

        What a request is shown to have sent is all that was said before; which part of it the agent sent is in the
        record's own `model.jsonl`.
        """
        before = [self._opening]
        for exchanged in self._turns:
            if exchanged.turn.calls or exchanged.turn.reply:
                yield self._model_event(exchanged, list(before), label)
            yield from self._tool_events(exchanged)
            before += [exchanged.said, *exchanged.answers]

    def stamp(self, at: float | None, seconds: float | None = None) -> dict[str, Inspected]:
        """Return the fields of an event that say when it was."""
        at = self._start if at is None else at
        began = datetime.fromtimestamp(at, UTC)
        stamped = {"timestamp": began, "working_start": max(at - self._start, 0.0)}
        if seconds is None:
            return stamped
        return {**stamped, "completed": began + timedelta(seconds=seconds), "working_time": seconds}

    def _exchange(self, turn: RecordedTurn, after: Saw | None) -> Exchanged:
        made = [
            (self._tool.ToolCall(id=f"call_{step.turn}_{place}", function=name, arguments=whole_text(arguments)), step)
            for place, step in enumerate(turn.steps)
            if step.action is not None
            for name, arguments in [call_of(step.action)]
        ]
        thought = [self._model.ContentReasoning(reasoning=whole_text(turn.thought))] if turn.thought else []
        content = [*thought, self._text(turn.reply)]
        said = self._model.ChatMessageAssistant(content=content, tool_calls=[call for call, _ in made] or None)
        told = [each.text for each in (after.told if after else ())]
        if not made:
            words = [*told, *(word for step in turn.steps for word in _faults(step))]
            return Exchanged(turn, said, [self._model.ChatMessageUser(content=self._content(words, after))])
        answers = []
        for call, step in made:
            last = call is made[-1][0]
            parts = self._content([*(told if last else ()), *_faults(step)], after if last else None)
            answers.append(self._model.ChatMessageTool(content=parts, tool_call_id=call.id, function=call.function))
        return Exchanged(turn, said, answers)

    def _model_event(self, exchanged: Exchanged, before: list[Inspected], label: str) -> Inspected:
        calls, first = exchanged.turn.calls, exchanged.turn.steps[0]
        spent = sum(call.seconds for call in calls) or (first.seconds.agent if first.seconds else None)
        name = calls[-1].model if calls else label
        choice = self._model.ChatCompletionChoice(message=exchanged.said)
        output = self._model.ModelOutput(model=name, choices=[choice], usage=self.usage(calls), time=spent)
        return self._event.ModelEvent(
            model=name, input=before, tools=[], tool_choice="auto", config=self._model.GenerateConfig(), output=output,
            retries=sum(call.retries for call in calls) or None,
            error=next((call.error for call in calls if call.error), None),
            **self.stamp(exchanged.turn.saw.at, spent),
        )  # fmt: skip

    def _tool_events(self, exchanged: Exchanged) -> Iterator[Inspected]:
        done = [step for step in exchanged.turn.steps if step.action is not None]
        for call, step, answer in zip(exchanged.said.tool_calls or (), done, exchanged.answers, strict=False):
            faults = _faults(step)
            error = self._tool.ToolCallError(type="unknown", message="\n".join(faults)) if faults else None
            about = {"element": whole_text(_hit(step)), "by": step.by} if step.element or step.by else None
            yield self._event.ToolEvent(
                id=call.id, function=call.function, arguments=call.arguments, result=answer.content, error=error,
                message_id=answer.id, metadata=about,
                **self.stamp(step.at, (step.seconds and step.seconds.act) or 0.0),
            )  # fmt: skip

    def usage(self, calls: Sequence[ModelCall]) -> Inspected:
        """Return what requests cost together; None without any."""
        if not calls:
            return None
        given, written = sum(call.input_tokens for call in calls), sum(call.output_tokens for call in calls)
        return self._model.ModelUsage(
            input_tokens=given,
            output_tokens=written,
            total_tokens=given + written,
            input_tokens_cache_read=sum(call.cached_tokens for call in calls),
            input_tokens_cache_write=sum(call.cache_write_tokens for call in calls),
            reasoning_tokens=sum(call.reasoning_tokens for call in calls),
        )

    def _content(self, words: Sequence[str], saw: Saw | None) -> list[Inspected]:
        return [self._text("\n".join(words)), *self._picture(saw)]

    def _picture(self, saw: Saw | None) -> list[Inspected]:
        if saw is None or not saw.screenshot:
            return []
        data = base64.b64encode(self._item.episode.picture(saw.screenshot)).decode("ascii")
        return [self._model.ContentImage(image=f"data:image/png;base64,{data}")]

    def _text(self, words: str) -> Inspected:
        return self._model.ContentText(text=whole_text(words))


_PARTS = ("model", "tool", "event")


def _faults(step: Step) -> list[str]:
    return [text for text in (step.problem, step.refused, step.trouble) if text]


def _hit(step: Step) -> dict[str, str]:
    hit = step.element
    return {"role": hit.role, "name": hit.name, "app": hit.app} if hit else {}
