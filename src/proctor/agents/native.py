"""Models with a computer tool of their own, each in its provider's wire format."""

from __future__ import annotations

import json

from proctor.actions.action import Action, Drag, Fail
from proctor.actions.dialects import open_native_dialect
from proctor.actions.dialects.dialect import Reading
from proctor.agents.agent import Turn
from proctor.agents.native_talk import TALKS, Call, Heard, Result
from proctor.agents.native_view import View
from proctor.agents.native_words import last_words, system_prompt, task_message, told_text
from proctor.errors import SpecError, UnknownName
from proctor.models import open_model
from proctor.models.model import RawModel
from proctor.models.usage import Budget, Metered
from proctor.observations.observation import Observation, Want
from proctor.records import Brief

MAX_LOOKS = 5
"""How often in one turn a model may look without doing anything."""
MAX_REPLY = 100_000
"""Characters of a reply that are kept."""


class Native:
    """An agent whose model calls its provider's own computer tool."""

    def __init__(
        self,
        model: str | RawModel,
        *,
        version: str = "",
        history: int = 3,
        max_tokens: int = 4096,
        base_url: str = "",
        timeout: float = 120.0,
        budget: Budget | None = None,
    ) -> None:
        """Open the model.

        Args:
            model: `openai/...`, `anthropic/...` or `google/...`, or an opened one.
            version: Of the provider's tool; the one that the model was made for when empty.
            history: How many pictures the model sees at a time, the newest.
            max_tokens: Most tokens of one reply.
            base_url: Another server that speaks the provider's format.
            timeout: Seconds for one request.
            budget: What may be spent.

        Raises:
            SpecError: The provider has no computer tool or not this version of it, or the model cannot be opened.
        """
        if history < 1:
            raise SpecError(f"native: history={history}", remedy="give 1 or more; the model has to see the screen")
        name = model if isinstance(model, str) else model.name
        talk = TALKS.get(name.partition("/")[0])
        self._dialect = open_native_dialect(talk.dialect)
        self._version = version or talk.default_version(name) or self._dialect.versions[-1]
        if self._version not in self._dialect.versions:
            raise UnknownName(f"version of the {talk.dialect} tool", self._version, self._dialect.versions)
        opened = open_model(model, base_url=base_url or None, timeout=timeout) if isinstance(model, str) else model
        self._model = Metered(opened, budget)
        self._talk = talk(self._model, version=self._version, history=history, max_tokens=max_tokens)
        self.want = Want(fit=None if self._talk.zooms else talk.fit)
        self._pending: list[tuple[Call, Reading]] = []
        self._pointer: tuple[float, float] | None = None
        self._task = ""

    def start(self, brief: Brief) -> None:
        """Begin an episode."""
        self._task = task_message(brief)
        self._pending, self._pointer = [], None
        self._model.take_calls()
        self._talk.begin(system_prompt(brief))

    def act(self, observation: Observation) -> Turn:
        """Show the screen, ask the model, and translate its calls."""
        view = View.of(observation, self._talk.fit, self._pointer)
        self._talk.tool = self._dialect.tool(self._version, view.frame.image)
        self._report(view, told_text(observation))
        heard: list[Heard] = []
        for _ in range(MAX_LOOKS):
            heard.append(self._talk.hear())
            readings = [self._dialect.read_call(call.data, view.frame) for call in heard[-1].calls]
            self._pending = list(zip(heard[-1].calls, readings, strict=True))
            if not readings:
                return self._ended(heard)
            if any(reading.actions or reading.problem for reading in readings):
                return self._acted(heard, readings)
            self._report(view, "")
        return self._turn(heard, problem=f"you looked {MAX_LOOKS} times without doing anything; take an action")

    def close(self) -> None:
        """Let go of the model's connections."""
        self._model.close()

    def _report(self, view: View, told: str) -> None:
        """Tell the model what came of its calls, or what there is to do when it made none."""
        told = "\n".join(filter(None, [told, "" if view.seen else "The screen could not be seen this time."]))
        if self._pending:
            last = len(self._pending) - 1
            results = [
                self._result(call, reading, view, shown=place == last or self._talk.pictures_always)
                for place, (call, reading) in enumerate(self._pending)
            ]
            self._talk.give(results, told)
            self._pending = []
        else:
            self._talk.say("\n\n".join(filter(None, [self._task, told])) or "This is the screen now.", view.picture)
            self._task = ""

    def _result(self, call: Call, reading: Reading, view: View, *, shown: bool) -> Result:
        picture = view.picture if shown else None
        text = []
        for look in reading.looks:
            if look.kind == "pointer":
                text.append(view.pointer())
            else:
                picture = view.zoom(look) if look.kind == "zoom" else view.picture
        return Result(
            call=call, picture=picture, text="\n".join(text), wrong=bool(reading.problem), checks=reading.checks
        )

    def _acted(self, heard: list[Heard], readings: list[Reading]) -> Turn:
        actions = tuple(action for reading in readings for action in reading.actions)
        for action in actions:
            self._pointer = _place(action) or self._pointer
        checks = [
            f"(acknowledged a safety check: {check.code} {check.message})"
            for reading in readings
            for check in reading.checks
        ]
        problem = "; ".join(reading.problem for reading in readings if reading.problem)
        return self._turn(heard, actions=actions, problem=problem, notes=checks)

    def _ended(self, heard: list[Heard]) -> Turn:
        last = heard[-1]
        if last.finish == "refusal":
            return self._turn(heard, actions=(Fail(reason=last.text[:MAX_REPLY] or "the model refused"),))
        if last.finish == "length":
            return self._turn(heard, problem="your reply was cut off because it was too long; be brief")
        if not last.text.strip():
            return self._turn(heard, problem="you neither called the tool nor said anything")
        return self._turn(heard, actions=(last_words(last.text),))

    def _turn(
        self, heard: list[Heard], *, actions: tuple[Action, ...] = (), problem: str = "", notes: list[str] | None = None
    ) -> Turn:
        said = [answer.text for answer in heard if answer.text]
        calls = [json.dumps(call.data, ensure_ascii=False) for answer in heard for call in answer.calls]
        thoughts = [answer.thought for answer in heard if answer.thought]
        return Turn(
            actions=actions,
            reply="\n".join([*said, *calls])[:MAX_REPLY],
            thought="\n".join([*thoughts, *said, *(notes or [])])[:MAX_REPLY],
            problem=problem,
            calls=self._model.take_calls(),
        )


def _place(action: Action) -> tuple[float, float] | None:
    """Return where an action leaves the pointer; None when it does not say."""
    if isinstance(action, Drag):
        return action.path[-1]
    x, y = getattr(action, "x", None), getattr(action, "y", None)
    return None if x is None or y is None else (x, y)
