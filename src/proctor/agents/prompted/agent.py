"""The baseline of the papers: a model sees the screen and writes its next actions in a dialect."""

from __future__ import annotations

from typing import Annotated, Any

from proctor.actions.dialects import DIALECTS, open_dialect
from proctor.actions.dialects.dialect import Frame, Reading
from proctor.agents.prompted.text_agent import TextAgent
from proctor.agents.prompts import PromptStyle
from proctor.agents.settings import Coordinates
from proctor.agents.views import Observe
from proctor.models.model import Model
from proctor.models.usage import Budget
from proctor.records import Brief
from proctor.text_options import Allowed


class Prompted(TextAgent):
    """A model with a prompt."""

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
            model: `provider/name`, or an open model.
            observe: What it is shown of the screen.
            dialect: How it writes actions.
            space: Coordinate space, for dialects that leave it open; by default as the dialect says.
            windows: Whether it gets a list of the windows.
            terminal: Whether it gets the text of the frontmost terminal.
            budget: What may be spent.
            settings: See `settings.Settings`.
        """
        self._dialect = open_dialect(dialect, **({"space": space} if space else {}))
        self.space = getattr(self._dialect, "space", "image")
        given = self.settings(**settings)
        super().__init__(model, observe, given, windows=windows, terminal=terminal, budget=budget)

    def _style(self, brief: Brief, frame: Frame) -> PromptStyle:
        return PromptStyle.of(self._dialect, brief, frame, self._observe)

    def _read(self, said: str, frame: Frame, *, cut: bool) -> Reading:
        return self._dialect.read(said, frame)
