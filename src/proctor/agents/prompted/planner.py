"""A planner that says what to do to which element, and a second model that finds the place."""

from __future__ import annotations

from typing import Any, Literal

from proctor.actions.action import Action
from proctor.actions.dialects.dialect import Frame
from proctor.agents import prompts
from proctor.agents.agent import Turn
from proctor.agents.prompted import place_finder
from proctor.agents.prompted.conversation import open_metered
from proctor.agents.prompted.text_agent import Speaking
from proctor.agents.settings import Coordinates, Settings
from proctor.models.model import Message, Model, Picture
from proctor.models.usage import Budget
from proctor.observations.observation import Observation
from proctor.records import Brief


class Grounded:
    """Two models: one plans in words, one points."""

    settings = Settings

    def __init__(
        self,
        model: str | Model,
        grounder: str | Model,
        *,
        observe: Literal["screenshot", "screenshot+tree"] = "screenshot",
        space: Coordinates = "image",
        grounder_url: str | None = None,
        budget: Budget | None = None,
        **settings: Any,
    ) -> None:
        """Open both models.

        Args:
            model: The planner, as `provider/name` or opened.
            grounder: The model that finds elements, likewise.
            observe: What the planner is shown of the screen; the grounder sees the screenshot.
            space: What the coordinates of the grounder mean.
            grounder_url: Server of the grounder, where it is not the provider's own.
            budget: What may be spent, by both together.
            settings: See `settings.Settings`; they are about the planner.
        """
        self._speaking = Speaking(model, observe, self.settings(**settings), budget=budget, words=_words)
        self.want, self.parts = self._speaking.want, self._speaking.parts
        self.goal = self._speaking.goal
        self._finder = open_metered(grounder, grounder_url, budget)
        self._space = space

    def start(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._speaking.begin(brief)
        self._finder.take_calls()

    def act(self, observation: Observation) -> Turn:
        """Ask the planner what to do next, and the grounder where."""
        messages = self.messages(observation)
        said = self._speaking.ask(messages)
        if turn := said.of_tools(self._speaking.brief.tools):
            return turn
        seen = messages[-1].parts[-1]
        picture = seen if isinstance(seen, Picture) else None
        grounder = place_finder.Grounder(self._finder, picture, self._speaking.frame(observation), self._space)
        reading = place_finder.read_steps(said.text, grounder)
        return said.turn(reading, self._finder.take_calls())

    def messages(self, observation: Observation) -> list[Message]:
        """Return exactly what the planner is sent."""
        return self._speaking.messages(observation, self._style)

    def close(self) -> None:
        """Let go of the models' connections."""
        self._speaking.close()
        self._finder.close()

    def _style(self, brief: Brief, frame: Frame) -> prompts.PromptStyle:
        return prompts.PromptStyle(
            observe=self._speaking.observe,
            actions=place_finder.describe_steps(brief.actions),
            endings=place_finder.endings(brief.actions),
            points=False,
        )


def _words(action: Action) -> str:
    """Return an action of the planner in a few words: it named elements, not places."""
    element = action.given.text if action.given else ""
    fields = {name: value for name, value in action.to_json().items() if name not in ("given", "x", "y", "path")}
    return f"{fields.pop('type')} {element} {fields or ''}".strip()
