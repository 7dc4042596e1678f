"""What agents that write actions as text have in common: prompt, view, past and model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from proctor.actions.action import Action
from proctor.actions.dialects.dialect import Frame, Reading
from proctor.actions.dialects.space import open_space
from proctor.agents import messages, prompts
from proctor.agents.agent import Turn
from proctor.agents.history import Log
from proctor.agents.prompted.conversation import Conversation, Memory, open_metered
from proctor.agents.send_pictures import sending_for
from proctor.agents.settings import Settings
from proctor.agents.tools import describe_tools, read_tools
from proctor.agents.views import ObserveOrNot, want_for
from proctor.models.model import Message, Model, ModelAnswer
from proctor.models.usage import Budget
from proctor.observations.observation import Observation
from proctor.records import Brief, ModelCall, Tool


class TextAnswer:
    """A model's reply, on its way to become a turn."""

    def __init__(
        self, reply: ModelAnswer, text: str, finish: Callable[[Turn], Turn], calls: Callable[[], Sequence[ModelCall]]
    ) -> None:
        self.reply = reply
        self.text = text
        """What is to be read: the reply without notes."""
        self._finish = finish
        self._calls = calls

    def turn(self, reading: Reading, more: Sequence[ModelCall] = ()) -> Turn:
        """Return the turn that was read from it; the conversation takes note of it."""
        return self._finish(messages.turn(self.reply, reading, [*self._calls(), *more]))

    def of_tools(self, tools: Sequence[Tool]) -> Turn | None:
        """Return the turn of a reply that calls tools; None for any other."""
        calls = read_tools(self.text, tools)
        return None if calls is None else self.turn(calls)


class Speaking:
    """A model that is told its task and shown the screen, turn by turn."""

    def __init__(
        self,
        model: str | Model,
        observe: ObserveOrNot,
        settings: Settings,
        *,
        windows: bool = False,
        terminal: bool = False,
        budget: Budget | None = None,
        words: Callable[[Action], str] | None = None,
    ) -> None:
        """Open the model.

        Args:
            model: `provider/name`, or an opened one.
            observe: What it is shown of the screen.
            settings: What all of these agents can be told.
            windows: Whether it gets a list of the windows.
            terminal: Whether it gets the text of the frontmost terminal.
            budget: What may be spent.
            words: How its actions are named in the list of what it did; as the model wrote them when None.

        Raises SpecError for options that make no sense, and for faults in the prompt's file.
        """
        given = settings
        self.observe = observe
        self.goal = given.goal
        self._settings = given
        self._sending = sending_for(
            model, given.base_url, size=given.picture_size, form=given.picture_format, pictures=given.pictures
        )
        self.want = want_for(observe, scale=given.scale, fit=self._sending.fit, windows=windows, terminal=terminal)
        self.parts = prompts.parts_for(observe, given.goal, given.prompt)
        self._telling = messages.Telling(
            want=self.want, marked=observe == "marks", tree_chars=given.tree_chars, feedback=given.feedback
        )
        self._talk = Conversation(
            open_metered(model, given.base_url, budget),
            self.parts,
            self._sending,
            Memory(history=given.history, steps_left=given.steps_left, notes=given.notes),
            max_tokens=given.max_tokens,
            temperature=given.temperature,
            log=Log(words),
            blind=observe == "nothing",
        )

    def begin(self, brief: Brief) -> None:
        """Begin an episode."""
        self._brief = brief
        self._talk.begin()

    @property
    def brief(self) -> Brief:
        """The task."""
        return self._brief

    def frame(self, observation: Observation) -> Frame:
        """Return what coordinates in a reply to an observation refer to."""
        return self._telling.frame(observation)

    def messages(
        self,
        observation: Observation,
        style: Callable[[Brief, Frame], prompts.PromptStyle],
        space: str = "image",
    ) -> list[Message]:
        """Return exactly what the model is sent.

        Args:
            observation: What is seen now.
            style: How the model writes.
            space: What its coordinates mean.
        """
        frame = self.frame(observation)
        image = messages.picture_in(observation) if frame.shown else None
        picture = None if image is None else self._sending.picture(image)
        values = prompts.task_values(self._brief, frame.image, intent=self._settings.intent)
        notes = self._settings.notes
        form = style(self._brief, frame)
        if self._brief.tools:
            form = replace(form, actions=f"{form.actions}\n\n{describe_tools(self._brief.tools)}")
        system = prompts.system_prompt(self.parts, self._brief, form, values, notes=notes)
        seen = self._telling.values(observation, open_space(space, frame))
        handed = (
            [each for told in observation.told for each in self._sending.tool_pictures(told)] if frame.shown else []
        )
        most = self._brief.max_steps
        return self._talk.messages(system, observation, picture, {**values, **seen}, most, handed=handed)

    def ask(self, sent: Sequence[Message]) -> TextAnswer:
        """Ask the model."""
        reply = self._talk.ask(sent)
        return TextAnswer(reply, self._talk.without_notes(reply), self._talk.remember, self._talk.take_calls)

    def close(self) -> None:
        """Let go of the model's connections."""
        self._talk.close()
