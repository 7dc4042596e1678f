"""The baseline of the papers: a model sees the screen and writes its next actions in a dialect."""

from __future__ import annotations

from typing import Annotated, Any

from proctor.actions.dialects import DIALECTS, open_dialect
from proctor.actions.dialects.dialect import Frame
from proctor.agents import prompts
from proctor.agents.agent import Turn
from proctor.agents.prompted.text_agent import Speaking
from proctor.agents.settings import Coordinates, Settings
from proctor.agents.views import Observe
from proctor.models.model import Message, Model
from proctor.models.usage import Budget
from proctor.observations.observation import Observation
from proctor.records import Brief
from proctor.text_options import Allowed


class Prompted:
    """A model with a prompt."""

    settings = Settings

    def __init__(
        self,
        model: str | Model,
        *,
        observe: Observe = "screenshot",
        dialect: Annotated[str, Allowed(names=DIALECTS.names, more="module:Class")] = "plain_json",
        space: Coordinates | None = None,
        windows: bool = False,
        terminal: bool = False,
        budget: Budget | None = None,
        **settings: Any,
    ) -> None:
        """Open the model.

        Args:
            model: `provider/name`, or an opened one.
            observe: What it is shown of the screen.
            dialect: How it writes actions.
            space: What its coordinates mean, for dialects that leave it open; the dialect's own when left out.
            windows: Whether it gets a list of the windows.
            terminal: Whether it gets the text of the frontmost terminal.
            budget: What may be spent.
            settings: See `settings.Settings`.
        """
        self._dialect = open_dialect(dialect, **({"space": space} if space else {}))
        self._space: str = getattr(self._dialect, "space", "image")
        chosen = self.settings(**settings)
        self._speaking = Speaking(model, observe, chosen, windows=windows, terminal=terminal, budget=budget)
        self.want, self.parts = self._speaking.want, self._speaking.parts
        self.goal = self._speaking.goal

    def start(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._speaking.begin(brief)

    def act(self, observation: Observation) -> Turn:
        """Ask the model what to do next."""
        said = self._speaking.ask(self.messages(observation))
        if turn := said.of_tools(self._speaking.brief.tools):
            return turn
        return said.turn(self._dialect.read(said.text, self._speaking.frame(observation)))

    def close(self) -> None:
        """Let go of the model's connections."""
        self._speaking.close()

    def messages(self, observation: Observation) -> list[Message]:
        """Return exactly what the model is sent."""
        return self._speaking.messages(observation, self._style, self._space)

    def _style(self, brief: Brief, frame: Frame) -> prompts.PromptStyle:
        return prompts.PromptStyle.of(self._dialect, brief, frame, self._speaking.observe)
