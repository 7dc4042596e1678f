"""An episode's talk with a model: instructions, a line per older step, the last turns, and now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from proctor.actions.action import Action
from proctor.agents.agent import Turn
from proctor.agents.history import Log, PastTurn, when
from proctor.agents.messages import take_notes
from proctor.agents.parts import PromptParts
from proctor.agents.send_pictures import Sending
from proctor.agents.settings import Settings
from proctor.errors import SpecError
from proctor.models import open_model
from proctor.models.model import Message, Model, ModelAnswer, Picture
from proctor.models.past import bounded_lines
from proctor.models.usage import Budget, Metered
from proctor.observations.observation import Observation
from proctor.records import ModelCall

HANDED = "Pictures that a tool answered with:"
PAST = "What you did before the turns that follow, oldest first:\n"


def open_metered(model: str | Model, base_url: str | None, budget: Budget | None) -> Metered:
    """Return a model by name, or one that is open already, so that it keeps count and a budget."""
    return Metered(open_model(model, base_url=base_url) if isinstance(model, str) else model, budget)


class Conversation:
    """A model and as much of the past as it is shown again."""

    def __init__(
        self,
        model: str | Model,
        settings: Settings,
        parts: PromptParts,
        sending: Sending,
        *,
        budget: Budget | None = None,
        words: Callable[[Action], str] | None = None,
        blind: bool = False,
    ) -> None:
        """Open the model; a blind one is shown nothing of the screen, `words` are those of `Log`."""
        self._model = open_metered(model, settings.base_url, budget)
        if settings.history < 0:
            raise SpecError(f"history={settings.history}", remedy="give 0 or more turns")
        if settings.max_tokens < 1:
            raise SpecError(f"max_tokens={settings.max_tokens} leaves no room for a reply", remedy="give 1 or more")
        self._settings, self._parts, self._sending, self._blind = settings, parts, sending, blind
        self._log = Log(words)
        self._notes = ""
        self._now: PastTurn | None = None

    def begin(self) -> None:
        """Forget everything."""
        self._log.clear()
        self._notes, self._now = "", None
        self._model.take_calls()

    def messages(
        self,
        system: str,
        observation: Observation,
        picture: Picture | None,
        values: Mapping[str, str],
        most: int,
        *,
        handed: Sequence[Picture] = (),
    ) -> list[Message]:
        """Return exactly what the model is sent.

        Args:
            system: The standing instructions.
            observation: What is seen now.
            picture: Its picture, as it is sent.
            values: What placeholders about the task, and about what is seen and said now, stand for.
            most: How many steps there are in all.
            handed: Pictures that tools answered with; they are shown once.
        """
        step = self._log.step(observation)
        self._log.learn(observation, picture)
        self._now = PastTurn(step, dict(values), picture)
        count = self._settings.history
        kept = self._log.turns[-count:] if count else []
        older = [line for turn in self._log.turns[: len(self._log.turns) - len(kept)] for line in turn.lines]
        shown = self._sending.pictures - (picture is not None)
        past: list[Message] = []
        for turn in reversed(kept):
            shown -= turn.picture is not None
            past[:0] = self._past(turn, with_picture=shown >= 0, before=older if turn is kept[0] else [])
        left = f"Steps left: {max(most - step, 0)} of {most}." if self._settings.steps_left else ""
        now = {
            **values,
            "past": "" if kept or not older else PAST.replace("the turns that follow", "now") + bounded_lines(older),
            "steps_left": left,
            "notes": f"Your notes:\n{self._notes}" if self._notes else "",
            "screen": self._screen(step, values, picture),
            "step": str(step),
        }
        user = self._user(now, picture, first=not self._log.turns, handed=handed)
        return [Message("system", (system,)), *past, user]

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """Return the model's reply."""
        settings = self._settings
        return self._model.ask(messages, max_tokens=settings.max_tokens, temperature=settings.temperature)

    def without_notes(self, reply: ModelAnswer) -> str:
        """Return what a reply says besides its notes, which are kept."""
        if not self._settings.notes:
            return reply.text
        text, notes = take_notes(reply.text)
        self._notes = self._notes if notes is None else notes
        return text

    def remember(self, turn: Turn) -> Turn:
        """Take note of what became of the present turn, and return it."""
        if self._now is not None:
            self._now.reply, self._now.actions, self._now.problem = turn.reply, turn.actions, turn.problem
            self._log.add(self._now)
        return turn

    def take_calls(self) -> tuple[ModelCall, ...]:
        """Return the requests since this was last asked."""
        return self._model.take_calls()

    def close(self) -> None:
        """Let go of the model's connections."""
        self._model.close()

    def _screen(self, step: int, values: Mapping[str, str], picture: Picture | None) -> str:
        if self._blind:
            return "" if values.get("told") else "What do you do next?"
        if picture is None and not values.get("elements"):
            return "The screen could not be seen this time."
        return f"This is the screen now, {when(step)}."

    def _past(self, turn: PastTurn, *, with_picture: bool, before: Sequence[str]) -> list[Message]:
        picture = turn.picture if with_picture else None
        left_out = " Its picture is left out here." if turn.picture is not None and picture is None else ""
        screen = "" if self._blind else f"This was the screen {when(turn.step)}.{left_out}"
        values = {
            **turn.values,
            "elements": turn.values.get("elements_then", ""),
            "past": PAST + bounded_lines(before) if before else "",
            "steps_left": "",
            "notes": "",
            "screen": screen,
            "step": str(turn.step),
        }
        # Providers refuse empty messages.
        answer = Message("assistant", (turn.reply.strip() or "(nothing)",))
        return [self._user(values, picture, first=turn is self._log.turns[0]), answer]

    def _user(
        self, values: Mapping[str, str], picture: Picture | None, *, first: bool, handed: Sequence[Picture] = ()
    ) -> Message:
        """Return what is said to the model; what tools answered with goes before it, the screen after it."""
        text = self._parts.render("first" if first else "turn", values) or "(nothing was said)"
        before: tuple[str | Picture, ...] = (HANDED, *handed) if handed else ()
        return Message("user", (*before, text, *([picture] if picture is not None else [])))
