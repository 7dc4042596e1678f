"""An agent that writes code: blocks of Python and shell run in the computer, and what they print is what it sees."""

from __future__ import annotations

from proctor.actions.dialects import open_dialect
from proctor.agents import prompts
from proctor.agents.agent import Turn
from proctor.agents.blocks import read_blocks
from proctor.agents.conversation import Conversation, opened
from proctor.agents.messages import frame_of, turn, user_message
from proctor.agents.seeing import ObserveOrNot, want_for
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

OTHERS = "Everything else is an action, written in a block that says `json`.\n\n"

NO_CODE = "Code cannot be run in this task.\n\n"


class Coder:
    """A model that works through code, and through the desktop where the task allows it."""

    uses = ("run_code",)

    def __init__(
        self,
        model: str | Model,
        *,
        observe: ObserveOrNot = "nothing",
        history: int = 10,
        scale: float = 1.0,
        intent: bool = True,
        feedback: bool = True,
        timeout: float = 30.0,
        temperature: float | None = None,
        max_tokens: int = 4096,
        tree_chars: int = 40_000,
        base_url: str | None = None,
        budget: Budget | None = None,
    ) -> None:
        """Open the model.

        Args:
            model: `provider/name`, or an opened one.
            observe: What it is shown of the screen; it may do without.
            history: How many past turns it is shown again.
            scale: Size of pictures relative to the desktop.
            intent: Whether it is told what its user is after, where the task says so.
            feedback: Whether it is told what the judge finds missing, where the run lets the judge speak.
            timeout: Seconds that one block may run.
            temperature: For drawing words; the provider's own when left out.
            max_tokens: Longest reply.
            tree_chars: Longest list of elements.
            base_url: Server of the model, where it is not the provider's own.
            budget: What may be spent.
        """
        self.want = want_for(observe, scale=scale)
        self._feedback = feedback
        self._observe: ObserveOrNot = observe
        self._intent = intent
        self._timeout = timeout
        self._tree_chars = tree_chars
        self._dialect = open_dialect("plain_json")
        self._talk = Conversation(
            opened(model, base_url, budget), history=history, max_tokens=max_tokens, temperature=temperature
        )

    def start(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._brief = brief
        self._talk.begin()

    def act(self, observation: Observation) -> Turn:
        """Ask the model what to run next."""
        reply = self._talk.ask(self.messages(observation))
        frame, cut = frame_of(observation), reply.finish == "length"
        reading = read_blocks(reply.text, self._dialect, frame, timeout=self._timeout, cut=cut)
        return turn(reply, reading, self._talk.take_calls())

    def messages(self, observation: Observation) -> list[Message]:
        """Return exactly what the model is sent."""
        system = prompts.system_prompt(
            self._brief,
            seen="" if self._observe == "nothing" else prompts.SEEN[self._observe],
            writing=f"{prompts.THINK}\n\n{self._writing(observation)}",
            kinds=self._dialect.kinds,
            intent=self._intent,
        )
        now = user_message(
            observation, tree_chars=self._tree_chars, feedback=self._feedback, otherwise="What do you do next?"
        )
        return self._talk.messages(system, now)

    def close(self) -> None:
        """Let go of the model's connections."""
        self._talk.close()

    def _writing(self, observation: Observation) -> str:
        kinds = [kind for kind in self._brief.actions if kind != "run_code"]
        described = OTHERS + self._dialect.describe(kinds, frame_of(observation))
        return f"{CODE}\n\n{described}" if "run_code" in self._brief.actions else NO_CODE + described
