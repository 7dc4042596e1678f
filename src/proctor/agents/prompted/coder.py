"""An agent that writes code: blocks run in the computer, and it sees what they print."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from proctor.actions.dialects import open_dialect
from proctor.actions.dialects.dialect import Frame
from proctor.agents import prompts
from proctor.agents.agent import Turn
from proctor.agents.prompted.blocks import read_blocks
from proctor.agents.prompted.text_agent import Speaking
from proctor.agents.settings import CoderSettings
from proctor.agents.views import ObserveOrNot
from proctor.models.model import Message, Model
from proctor.models.usage import Budget
from proctor.observations.observation import Observation
from proctor.records import Brief

CODE = """\
Write what is to be run as fenced blocks, each of which says its language:

```python
print(open("letter.txt").read())
```

```sh
ls ~/Documents
```

Blocks are run one after another in the computer, as its user. Variables, imports and the working folder last from one
block to the next of the same language. Print what you want to know: at the next turn you get what was printed."""

OTHERS = "Besides code there are actions.\n"

NO_CODE = "Code cannot be run in this task.\n"


class Coder:
    """A model that works through code, and through the desktop where the task allows it."""

    uses = ("run_code",)

    settings = CoderSettings

    def __init__(
        self,
        model: str | Model,
        *,
        observe: ObserveOrNot = "nothing",
        budget: Budget | None = None,
        **settings: Any,
    ) -> None:
        """Open the model.

        Args:
            model: `provider/name`, or an opened one.
            observe: What it is shown of the screen; it may do without.
            budget: What may be spent.
            settings: See `settings.CoderSettings`.
        """
        chosen = self.settings(**settings)
        self._timeout = chosen.timeout
        self._dialect = open_dialect("plain_json")
        self._speaking = Speaking(model, observe, chosen, budget=budget)
        self.want, self.parts = self._speaking.want, self._speaking.parts
        self.goal = self._speaking.goal

    def start(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._speaking.begin(brief)

    def act(self, observation: Observation) -> Turn:
        """Ask the model what to run next."""
        said = self._speaking.ask(self.messages(observation))
        if turn := said.of_tools(self._speaking.brief.tools):
            return turn
        frame, cut = self._speaking.frame(observation), said.reply.finish == "length"
        return said.turn(read_blocks(said.text, self._dialect, frame, timeout=self._timeout, cut=cut))

    def messages(self, observation: Observation) -> list[Message]:
        """Return exactly what the model is sent."""
        return self._speaking.messages(observation, self._style)

    def close(self) -> None:
        """Let go of the model's connections."""
        self._speaking.close()

    def _style(self, brief: Brief, frame: Frame) -> prompts.PromptStyle:
        kinds = tuple(kind for kind in brief.actions if kind != "run_code")
        described = self._dialect.describe(kinds, frame) if kinds else ""
        code = f"{CODE}\n\n{OTHERS}" if "run_code" in brief.actions else NO_CODE
        usual = prompts.PromptStyle.of(self._dialect, brief, frame, self._speaking.observe)
        return replace(usual, actions=(code + described).removesuffix(OTHERS).strip())
