"""An agent that writes code: blocks run in the computer, and it sees what they print."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from proctor.actions.dialects import open_dialect
from proctor.actions.dialects.dialect import Frame, Reading
from proctor.agents.prompted.blocks import read_blocks
from proctor.agents.prompted.text_agent import TextAgent
from proctor.agents.prompts import PromptStyle
from proctor.agents.settings import CoderSettings
from proctor.agents.views import ObserveOrNot
from proctor.models.model import Model
from proctor.models.usage import Budget
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


class Coder(TextAgent):
    """A model that works through code, and through the desktop where the task allows it."""

    uses = ("run_code",)
    settings = CoderSettings

    def __init__(
        self, model: str | Model, *, observe: ObserveOrNot = "nothing", budget: Budget | None = None, **settings: Any
    ) -> None:
        """Open the model.

        Args:
            model: `provider/name`, or an open model.
            observe: What it is shown of the screen; it may do without.
            budget: What may be spent.
            settings: See `settings.CoderSettings`.
        """
        given = CoderSettings(**settings)
        super().__init__(model, observe, given, budget=budget)
        self._timeout = given.timeout
        self._dialect = open_dialect("plain_json")

    def _read(self, said: str, frame: Frame, *, cut: bool) -> Reading:
        return read_blocks(said, self._dialect, frame, timeout=self._timeout, cut=cut)

    def _style(self, brief: Brief, frame: Frame) -> PromptStyle:
        kinds = tuple(kind for kind in brief.actions if kind != "run_code")
        described = self._dialect.describe(kinds, frame) if kinds else ""
        code = f"{CODE}\n\n{OTHERS}" if "run_code" in brief.actions else NO_CODE
        usual = PromptStyle.of(self._dialect, brief, frame, self._observe)
        return replace(usual, actions=(code + described).removesuffix(OTHERS).strip())
