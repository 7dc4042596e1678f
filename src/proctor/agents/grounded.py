"""A planner that says what to do to which element, and a second model that finds the place, as OS-MAP examines it."""

from __future__ import annotations

from typing import Literal

from proctor.agents import prompts
from proctor.agents.agent import Turn
from proctor.agents.conversation import Conversation, opened
from proctor.agents.grounding import Grounder, describe_steps, read_steps
from proctor.agents.messages import frame_of, turn, user_message
from proctor.agents.seeing import want_for
from proctor.models.model import Message, Model, Picture
from proctor.models.usage import Budget
from proctor.observations.observation import Observation
from proctor.records import Brief


class Grounded:
    """Two models: one plans in words, one points."""

    def __init__(
        self,
        model: str | Model,
        grounder: str | Model,
        *,
        observe: Literal["screenshot", "screenshot+tree"] = "screenshot",
        space: Literal["image", "unit", "grid 0-999", "grid 0-1000"] = "image",
        history: int = 3,
        scale: float = 1.0,
        intent: bool = True,
        feedback: bool = True,
        temperature: float | None = None,
        max_tokens: int = 2048,
        tree_chars: int = 40_000,
        base_url: str | None = None,
        grounder_url: str | None = None,
        budget: Budget | None = None,
    ) -> None:
        """Open both models.

        Args:
            model: The planner, as `provider/name` or opened.
            grounder: The model that finds elements, likewise.
            observe: What the planner is shown of the screen; the grounder sees the screenshot.
            space: What the coordinates of the grounder mean.
            history: How many past turns the planner is shown again, pictures included.
            scale: Size of pictures relative to the desktop.
            intent: Whether it is told what its user is after, where the task says so.
            feedback: Whether it is told what the judge finds missing, where the run lets the judge speak.
            temperature: For drawing words; the provider's own when left out.
            max_tokens: Longest reply of the planner.
            tree_chars: Longest list of elements.
            base_url: Server of the planner, where it is not the provider's own.
            grounder_url: Server of the grounder, likewise.
            budget: What may be spent, by both together.
        """
        self.want = want_for(observe, scale=scale)
        self._feedback = feedback
        self._seen = prompts.SEEN[observe]
        self._intent = intent
        self._tree_chars = tree_chars
        self._talk = Conversation(
            opened(model, base_url, budget), history=history, max_tokens=max_tokens, temperature=temperature
        )
        self._finder = opened(grounder, grounder_url, budget)
        self._space = space

    def start(self, brief: Brief) -> None:
        """Forget the last episode."""
        self._brief = brief
        self._talk.begin()
        self._finder.take_calls()

    def act(self, observation: Observation) -> Turn:
        """Ask the planner what to do next, and the grounder where."""
        messages = self.messages(observation)
        reply = self._talk.ask(messages)
        picture = messages[-1].parts[-1]
        assert isinstance(picture, Picture)
        grounder = Grounder(self._finder, picture, frame_of(observation), self._space)
        reading = read_steps(reply.text, grounder)
        return turn(reply, reading, [*self._talk.take_calls(), *self._finder.take_calls()])

    def messages(self, observation: Observation) -> list[Message]:
        """Return exactly what the planner is sent."""
        system = prompts.system_prompt(
            self._brief,
            seen=self._seen,
            writing=f"{prompts.THINK}\n\n{describe_steps(self._brief.actions)}",
            kinds=self._brief.actions,
            intent=self._intent,
        )
        now = user_message(observation, tree_chars=self._tree_chars, feedback=self._feedback)
        return self._talk.messages(system, now)

    def close(self) -> None:
        """Let go of the models' connections."""
        self._talk.close()
        self._finder.close()
