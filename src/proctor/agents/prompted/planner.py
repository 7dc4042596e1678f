"""A planner that says what to do to which element, and a second model that finds the place."""

from __future__ import annotations

from typing import Any, Literal

from proctor.actions.action import Action
from proctor.actions.dialects.dialect import Frame, Reading
from proctor.agents.prompted import place_finder
from proctor.agents.prompted.conversation import open_metered
from proctor.agents.prompted.text_agent import TextAgent
from proctor.agents.prompts import PromptStyle
from proctor.agents.settings import Coordinates
from proctor.models.model import Model
from proctor.models.usage import Budget
from proctor.records import Brief, ModelCall


class Grounded(TextAgent):
    """Two models: one plans in words, one points."""

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
            model: The planner, as `provider/name` or open.
            grounder: The model that finds elements, as `provider/name` or open.
            observe: What the planner is shown of the screen; the grounder sees the screenshot.
            space: Coordinate space of the grounder.
            grounder_url: Server of the grounder, if not the provider's own.
            budget: What may be spent, by both together.
            settings: See `settings.Settings`; they are about the planner.
        """
        super().__init__(model, observe, self.settings(**settings), budget=budget, words=_words)
        self._finder = open_metered(grounder, grounder_url, budget)
        self._pointing = space

    def start(self, brief: Brief) -> None:
        """Forget the last episode."""
        super().start(brief)
        self._finder.take_calls()

    def close(self) -> None:
        """Let go of the models' connections."""
        super().close()
        self._finder.close()

    def _read(self, said: str, frame: Frame, *, cut: bool) -> Reading:
        return place_finder.read_steps(said, place_finder.Grounder(self._finder, self._shown, frame, self._pointing))

    def _take_calls(self) -> tuple[ModelCall, ...]:
        return (*super()._take_calls(), *self._finder.take_calls())

    def _style(self, brief: Brief, frame: Frame) -> PromptStyle:
        return PromptStyle(
            observe=self._observe,
            actions=place_finder.describe_steps(brief.actions, listed=frame.listed),
            endings=place_finder.endings(brief.actions),
            points=False,
        )


def _words(action: Action) -> str:
    """Return an action of the planner in a few words: it named elements, not places."""
    element = action.given.text if action.given else ""
    fields = {name: value for name, value in action.to_json().items() if name not in ("given", "x", "y", "path")}
    return f"{fields.pop('type')} {element} {fields or ''}".strip()
