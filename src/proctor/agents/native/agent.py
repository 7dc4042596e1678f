"""Models with a computer tool of their own, each in its provider's wire format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from proctor.actions.action import Action, CallTool, Drag, Fail
from proctor.actions.dialects.dialect import Reading
from proctor.agents.agent import Turn
from proctor.agents.history import Log, PastTurn, when
from proctor.agents.messages import said_text, take_notes
from proctor.agents.native.outside import beside_the_computer, read_outside
from proctor.agents.native.setup import Setup
from proctor.agents.native.view import View
from proctor.agents.native.words import has_closing_word, last_words, told_text
from proctor.agents.settings import NativeSettings
from proctor.models.model import RawModel
from proctor.models.usage import Budget
from proctor.models.vendor_tool import CallResult, Heard, ToolCall
from proctor.observations.observation import Observation
from proctor.records import Brief, Told

MAX_LOOKS = 5
"""How often in one turn a model may look without doing anything."""
MAX_REPLY = 100_000
"""Characters of a reply that are kept."""
LOOKED = "- looked at the screen again"
NOT_DONE = "Not done, because a call before this one failed."
ONLY_WORDS = "you did not use the tool, and did not end with one of the words that end the task"
CUT_OFF = "your reply was cut off because it was too long; be brief"
PROBLEMS = {"length": CUT_OFF, "malformed": "your call could not be read; write it again, as the tool declares it"}
"""Of an answer without a call, by how it finished."""


class Native:
    """An agent whose model calls its provider's own computer tool."""

    settings = NativeSettings

    def __init__(self, model: str | RawModel, *, budget: Budget | None = None, **settings: Any) -> None:
        """Open the model.

        Args:
            model: `openai/...`, `anthropic/...` or `google/...`, or an open model.
            budget: What may be spent.
            settings: See `settings.NativeSettings`.

        Raises:
            SpecError: The provider has no computer tool or not this version of it, or the model cannot be opened.
        """
        self._setup = Setup(model, self.settings(**settings), budget)
        self._dialect, self._model = self._setup.dialect, self._setup.model
        self._conversation = self._setup.conversation
        self.want, self.parts = self._setup.want, self._setup.parts
        self._log = Log()
        self._pending: list[tuple[ToolCall, Reading]] = []
        self._step = 0
        self._pointer: tuple[float, float] | None = None
        self._notes = ""
        self._first = True
        self._worked = False

    def start(self, brief: Brief) -> None:
        """Begin an episode."""
        self._brief = brief
        self._pending, self._pointer, self._notes, self._first = [], None, "", True
        self._step, self._worked = 0, False
        self._log.clear()
        self._model.take_calls()
        self._conversation.begin(self._setup.system(brief))
        self._conversation.others = beside_the_computer(brief)

    def act(self, observation: Observation) -> Turn:
        """Show the screen, ask the model, and translate its calls."""
        view, step = self._show(observation)
        turn = self._ask(view)
        self._log.add(PastTurn(step, {}, view.picture, turn.reply, turn.actions, turn.problem))
        return turn

    def first_messages(self, brief: Brief, observation: Observation) -> list[dict[str, object]]:
        """Return what the model would be sent first, as plain messages."""
        self.start(brief)
        self._show(observation)
        return self._conversation.preview()

    def close(self) -> None:
        """Let go of the model's connections."""
        self._model.close()

    def _show(self, observation: Observation) -> tuple[View, int]:
        view = View.of(observation, self._setup.sending, self._pointer)
        self._conversation.tool = self._dialect.tool(self._setup.version, view.frame.image, self._brief.actions)
        step = self._log.step(observation)
        done, self._step = step - self._step, step
        self._log.learn(observation, view.picture)
        if self._log.turns:
            self._conversation.note(self._log.turns[-1].lines)
        settings, most = self._setup.settings, self._brief.max_steps
        # What a tool answered is the result of its call, and not said once more.
        outputs = [told for told in observation.told if told.kind == "output"]
        calling = any(_calls_tool(reading) for _, reading in self._pending)
        rest = replace(observation, told=tuple(told for told in observation.told if told.kind != "output"))
        unseen = "" if view.seen else "The screen could not be seen this time."
        values = {
            **self._setup.values(self._brief),
            "told": told_text(rest if calling else observation, feedback=settings.feedback),
            "steps_left": f"Steps left: {max(most - step, 0)} of {most}." if settings.steps_left else "",
            "notes": f"Your notes:\n{self._notes}" if self._notes else "",
            "incomplete": "\n".join(filter(None, [unseen, "; ".join(observation.degraded)])),
            "screen": f"The screen {when(step)}." if view.seen else "",
            "step": str(step),
        }
        words = self.parts.render("first" if self._first else "turn", values)
        self._first = False
        self._report(view, words, values["screen"], done, outputs if calling else [])
        return view, step

    def _ask(self, view: View) -> Turn:
        heard: list[Heard] = []
        for _ in range(MAX_LOOKS):
            last = self._conversation.hear()
            heard.append(last)
            readings = self._up_to_failure(self._readings(last, view))
            self._pending = list(zip(last.calls, readings, strict=True))
            if not readings and last.finish == "pause":
                continue
            if not readings or last.finish == "refusal":
                return self._end_turn(heard)
            if any(reading.actions or reading.problem for reading in readings):
                return self._act_turn(heard, readings)
            self._conversation.note([LOOKED])
            self._report(view, "", "", 0)
        return self._turn(heard, problem=f"you looked {MAX_LOOKS} times without doing anything; take an action")

    def _readings(self, heard: Heard, view: View) -> list[Reading]:
        """Return what each call of an answer comes to; half a call comes to nothing."""
        readings = [self._read(call, view) for call in heard.calls]
        return [*readings[:-1], Reading(problem=CUT_OFF)] if heard.half else readings

    def _read(self, call: ToolCall, view: View) -> Reading:
        """Return what a call comes to: actions and looks at the computer, or a tool outside of it."""
        if not call.outside:
            return self._dialect.read_call(call.data, view.frame)
        return read_outside(call, self._brief)

    def _up_to_failure(self, readings: list[Reading]) -> list[Reading]:
        """Return readings up to the first that was not understood, where calls are a batch."""
        wrong = next((place for place, reading in enumerate(readings) if reading.problem), len(readings))
        if not self._conversation.stops_at_failure:
            return readings
        return [*readings[: wrong + 1], *(Reading(problem=NOT_DONE) for _ in readings[wrong + 1 :])]

    def _report(self, view: View, words: str, label: str, done: int, outputs: Sequence[Told] = ()) -> None:
        """Tell the model what came of its calls, or what there is to do when it made none.

        The first action that is refused ends a turn, so `done` tells which calls were carried out. `outputs` are what
        tools outside of the computer answered, in order.
        """
        answers = iter(outputs)
        if self._pending:
            results: list[CallResult] = []
            last = len(self._pending) - 1
            failed = False
            for place, (call, reading) in enumerate(self._pending):
                shown = place == last or self._conversation.pictures_always
                result = self._result(call, reading, view, label, shown=shown)
                if _calls_tool(reading) and len(reading.actions) <= done and (told := next(answers, None)):
                    text = said_text(told).partition(": ")[2]
                    result = replace(result, text=text, handed=self._setup.sending.tool_pictures(told))
                if failed and reading.actions:
                    result = replace(result, wrong=True, text=NOT_DONE)
                elif len(reading.actions) > done:
                    failed = True
                    result = replace(result, wrong=True)
                done -= len(reading.actions)
                results.append(result)
            self._conversation.give(results, words)
            self._pending = []
        else:
            said = "\n\n".join(filter(None, [words, label if label not in words else ""]))
            self._conversation.say(said or "Go on.", view.picture)

    def _result(self, call: ToolCall, reading: Reading, view: View, label: str, *, shown: bool) -> CallResult:
        picture = view.picture if shown else None
        text = [NOT_DONE] if reading.problem == NOT_DONE else []
        for look in reading.looks:
            if look.kind == "pointer":
                text.append(view.pointer())
            else:
                picture = view.zoom(look) if look.kind == "zoom" else view.picture
        whole = picture is view.picture
        return CallResult(
            call=call, picture=picture, text="\n".join(text), wrong=bool(reading.problem), checks=reading.checks,
            label=label if whole else "",
        )  # fmt: skip

    def _act_turn(self, heard: list[Heard], readings: list[Reading]) -> Turn:
        actions = tuple(action for reading in readings for action in reading.actions)
        self._worked = self._worked or bool(actions)
        for action in actions:
            self._pointer = _place(action) or self._pointer
        warnings = [f"{check.code} {check.message}" for reading in readings for check in reading.checks]
        if warnings and self._setup.settings.safety == "stop":
            warned = "; ".join(map(str.strip, warnings))
            return self._turn(heard, actions=(Fail(reason=f"the provider warned: {warned}"[:MAX_REPLY]),))
        problem = "; ".join(reading.problem for reading in readings if reading.problem not in ("", NOT_DONE))
        return self._turn(
            heard,
            actions=actions,
            problem=problem,
            remarks=[f"(acknowledged a safety check: {each})" for each in warnings],
        )

    def _end_turn(self, heard: list[Heard]) -> Turn:
        last = heard[-1]
        if last.finish == "refusal":
            declined = self._turn(heard, problem="you declined to continue")
            return replace(declined, reply=last.text[:MAX_REPLY], finish="refusal")
        if problem := PROBLEMS.get(last.finish):
            return replace(self._turn(heard, problem=problem), finish="length" if last.finish == "length" else "stop")
        if not last.text.strip():
            silent = self._turn(heard, problem="you neither called the tool nor said anything")
            return replace(silent, finish="empty")
        # After some work, a message without a call is a summary; before any, it may decline or ask in prose.
        if not self._worked and not has_closing_word(last.text):
            return self._turn(heard, problem=ONLY_WORDS)
        return self._turn(heard, actions=(last_words(last.text),))

    def _turn(
        self,
        heard: list[Heard],
        *,
        actions: tuple[Action, ...] = (),
        problem: str = "",
        remarks: list[str] | None = None,
    ) -> Turn:
        said = [answer.text for answer in heard if answer.text]
        calls = [call.text for answer in heard for call in answer.calls]
        thoughts = [answer.thought for answer in heard if answer.thought]
        if self._setup.settings.notes and (notes := take_notes("\n".join(said))[1]) is not None:
            self._notes = notes
        return Turn(
            actions=actions,
            reply="\n".join([*said, *calls])[:MAX_REPLY],
            thought="\n".join([*thoughts, *said, *(remarks or [])])[:MAX_REPLY],
            problem=problem,
            calls=self._model.take_calls(),
        )


def _calls_tool(reading: Reading) -> bool:
    """Tell whether a call is of a tool outside of the computer, which answers it."""
    return any(isinstance(action, CallTool) for action in reading.actions)


def _place(action: Action) -> tuple[float, float] | None:
    """Return where an action leaves the pointer; None when it does not say."""
    if isinstance(action, Drag):
        return action.path[-1]
    x, y = getattr(action, "x", None), getattr(action, "y", None)
    return None if x is None or y is None else (x, y)
