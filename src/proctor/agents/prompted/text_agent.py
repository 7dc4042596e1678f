"""What agents that write actions as text have in common: prompt, view, past and model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from proctor.actions.action import Action
from proctor.actions.dialects.dialect import Frame, Reading
from proctor.actions.dialects.space import open_space
from proctor.agents import messages, prompts
from proctor.agents.agent import Turn
from proctor.agents.prompted.conversation import Conversation
from proctor.agents.send_pictures import sending_for
from proctor.agents.settings import Settings
from proctor.agents.tools import describe_tools, read_tools
from proctor.agents.views import ObserveOrNot, want_for
from proctor.models.model import Message, Model, Picture
from proctor.models.usage import Budget
from proctor.observations.observation import Observation
from proctor.observations.outline import Outline
from proctor.records import Brief, ModelCall


class TextAgent(ABC):
    """A model that is told its task and shown the screen, turn by turn, and writes what to do."""

    settings: ClassVar[type[Settings]] = Settings
    space = "image"
    """What its coordinates mean."""

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
        """Open the model; raises SpecError for options that make no sense, and faults of the prompt."""
        given = self._given = settings
        self._observe = observe
        self.goal = given.goal
        self._sending = sending_for(
            model, given.base_url, size=given.picture_size, form=given.picture_format, pictures=given.pictures
        )
        self.want = want_for(observe, scale=given.scale, fit=self._sending.fit, windows=windows, terminal=terminal)
        self.parts = prompts.parts_for(observe, given.goal, given.prompt, given.tree)
        self._telling = messages.Telling(
            want=self.want,
            marked=observe == "marks",
            tree=given.tree,
            tree_chars=given.tree_chars,
            feedback=given.feedback,
        )
        blind = observe == "nothing"
        self._talk = Conversation(model, given, self.parts, self._sending, budget=budget, words=words, blind=blind)
        self._shown: Picture | None = None
        """What it was last shown of the screen, as it was sent."""
        self._before: Outline | None = None
        """What was on the screen at the turn before."""

    def start(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._brief = brief
        self._talk.begin()
        self._before = None

    def act(self, observation: Observation) -> Turn:
        """Ask the model what to do next."""
        reply = self._talk.ask(self.messages(observation))
        self._before = self._telling.outline(observation)
        said = self._talk.without_notes(reply)
        reading = read_tools(said, self._brief.tools)
        if reading is None:
            reading = self._read(said, self._telling.frame(observation), cut=reply.finish == "length")
        return self._talk.remember(messages.turn(reply, reading, self._take_calls()))

    def messages(self, observation: Observation) -> list[Message]:
        """Return exactly what the model is sent."""
        brief, frame = self._brief, self._telling.frame(observation)
        image = messages.picture_in(observation) if frame.shown else None
        self._shown = None if image is None else self._sending.picture(image)
        values = prompts.task_values(brief, frame.image, intent=self._given.intent)
        style = replace(self._style(brief, frame), outline=self._telling.lists)
        if brief.tools:
            style = replace(style, actions=f"{style.actions}\n\n{describe_tools(brief.tools)}")
        system = prompts.system_prompt(self.parts, brief, style, values, notes=self._given.notes)
        values |= self._telling.values(observation, open_space(self.space, frame), self._before)
        told = observation.told if frame.shown else ()
        handed = [picture for each in told for picture in self._sending.tool_pictures(each)]
        return self._talk.messages(system, observation, self._shown, values, brief.max_steps, handed=handed)

    def close(self) -> None:
        """Let go of the model's connections."""
        self._talk.close()

    @abstractmethod
    def _style(self, brief: Brief, frame: Frame) -> prompts.PromptStyle:
        """Return how the model writes."""

    @abstractmethod
    def _read(self, said: str, frame: Frame, *, cut: bool) -> Reading:
        """Return what a reply without notes comes to; `cut` where it ended before the model was through."""

    def _take_calls(self) -> tuple[ModelCall, ...]:
        return self._talk.take_calls()
