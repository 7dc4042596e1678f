"""The baseline of the papers: a model is shown the screen and writes its next actions in a dialect."""

from __future__ import annotations

from proctor.actions.dialects import open_dialect
from proctor.agents import prompts
from proctor.agents.agent import Turn
from proctor.agents.conversation import Conversation, opened
from proctor.agents.messages import frame_of, turn, user_message
from proctor.agents.seeing import Observe, want_for
from proctor.models.model import Message, Model
from proctor.models.usage import Budget
from proctor.observations.observation import Observation
from proctor.records import Brief


class Prompted:
    """A model with a prompt."""

    def __init__(
        self,
        model: str | Model,
        *,
        observe: Observe = "screenshot",
        dialect: str = "plain_json",
        space: str | None = None,
        history: int = 3,
        scale: float = 1.0,
        intent: bool = True,
        feedback: bool = True,
        windows: bool = False,
        terminal: bool = False,
        temperature: float | None = None,
        max_tokens: int = 2048,
        tree_chars: int = 40_000,
        base_url: str | None = None,
        budget: Budget | None = None,
    ) -> None:
        """Open the model.

        Args:
            model: `provider/name`, or an opened one.
            observe: What it is shown of the screen.
            dialect: How it writes actions.
            space: What its coordinates mean, for dialects that leave it open: `image`, `unit`, `grid 0-1000`.
            history: How many past turns it is shown again, pictures included.
            scale: Size of pictures relative to the desktop.
            intent: Whether it is told what its user is after, where the task says so.
            feedback: Whether it is told what the judge finds missing, where the run lets the judge speak.
            windows: Whether it gets a list of the windows.
            terminal: Whether it gets the text of the frontmost terminal.
            temperature: For drawing words; the provider's own when left out.
            max_tokens: Longest reply.
            tree_chars: Longest list of elements.
            base_url: Server of the model, where it is not the provider's own.
            budget: What may be spent.
        """
        self.want = want_for(observe, scale=scale, windows=windows, terminal=terminal)
        self._feedback = feedback
        self._observe: Observe = observe
        self._intent = intent
        self._tree_chars = tree_chars
        self._dialect = open_dialect(dialect, **({"space": space} if space else {}))
        self._talk = Conversation(
            opened(model, base_url, budget), history=history, max_tokens=max_tokens, temperature=temperature
        )

    def start(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._brief = brief
        self._talk.begin()

    def act(self, observation: Observation) -> Turn:
        """Ask the model what to do next."""
        reply = self._talk.ask(self.messages(observation))
        return turn(reply, self._dialect.read(reply.text, frame_of(observation)), self._talk.take_calls())

    def close(self) -> None:
        """Let go of the model's connections."""
        self._talk.close()

    def messages(self, observation: Observation) -> list[Message]:
        """Return exactly what the model is sent."""
        described = self._dialect.describe(self._brief.actions, frame_of(observation))
        system = prompts.system_prompt(
            self._brief,
            seen=prompts.SEEN[self._observe],
            writing=f"{prompts.THINK}\n\n{described}",
            kinds=self._dialect.kinds,
            intent=self._intent,
        )
        now = user_message(observation, tree_chars=self._tree_chars, feedback=self._feedback)
        return self._talk.messages(system, now)
