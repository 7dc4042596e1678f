"""A critic in the loop: a model judges by the pictures whether the task was done, beside the checks."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from proctor.actions.action import ACTIONS, Action, Answer, Done, SignalAction
from proctor.actions.in_words import action_words
from proctor.exam.critic import Critic, Seen
from proctor.exam.recorder import Recorder
from proctor.exam.rules import Rules
from proctor.exam.state import ExamState
from proctor.exam.watcher import Refusal, Reply, Watcher
from proctor.models import open_model
from proctor.models.answer_text import answer_part
from proctor.models.usage import Metered
from proctor.records import Criticism, Step, Told

LAST = 5
"""Actions that a critic is shown, the last ones, with the picture before each; as offline."""
MOST_TOLD = 1_000
"""Characters of its reasons that an agent is told."""


class CriticWatcher(Watcher):
    """Asks a critic when the episode is over, and before an agent's last word is taken where that is wanted.

    It is told what the agent was told and shown what was on the screen. Its time is not the agent's, what it costs is
    counted apart, and a critic that cannot be asked changes nothing.
    """

    def __init__(self, critic: Critic, recorder: Recorder, *, feedback: int = 0) -> None:
        self._critic = critic
        self._recorder = recorder
        self._left = feedback
        self._now: list[Seen] = []
        """What is on the screen; nothing where nobody looked."""
        self._done: deque[list[Seen]] = deque(maxlen=LAST)
        self._heard = 0
        self._said: list[Criticism] = []

    def begin(self, exam: ExamState) -> None:
        """Look at the screen."""
        self._look(exam)

    def before(self, exam: ExamState, action: Action) -> Reply:
        """Tell an agent that says it is done why the critic doubts it, so often as was said."""
        if not self._left or not isinstance(action, Done | Answer):
            return None
        self._left -= 1
        found = self._ask_critic(exam, action)
        doubted = found.success is False
        self._keep(replace(found, told=doubted))
        return Refusal((Told("feedback", _doubts(found.reply)),)) if doubted else None

    def after(self, exam: ExamState, step: Step) -> Step:
        """Keep what was done, and what is seen now."""
        # Words to the examiner change nothing on the screen.
        said = step.kind in ACTIONS and issubclass(ACTIONS[step.kind], SignalAction)
        if step.action and not step.refused and not said:
            words = action_words(step.action, step.element, exam.observation.desktop)
            self._done.append([*self._now, f"Action: {words}"])
            self._heard += 1
        self._look(exam)
        return step

    def end(self, exam: ExamState) -> None:
        """Have the whole judged, unless the episode is void."""
        if exam.stop is not None:
            found = self._ask_critic(exam, exam.signal)
            self._keep(found)
            exam.figures |= _figures(self._said, found)

    def _look(self, exam: ExamState) -> None:
        seen = exam.observation.screenshot
        self._now = [seen] if seen is not None else []

    def _keep(self, found: Criticism) -> None:
        self._said.append(found)
        self._recorder.note(critic=tuple(self._said))

    def _ask_critic(self, exam: ExamState, last_word: Action | None) -> Criticism:
        seen = [part for each in self._done for part in each] + self._now
        if isinstance(last_word, Answer):
            # It is on no picture.
            seen.append(f"Answer that was given: {last_word.text}")
        return self._critic.judge(exam.brief.instruction, seen, step=self._heard)


def critics(rules: Rules, recorder: Recorder) -> list[Watcher]:
    """Return the critic that the rules of a run ask for."""
    if not rules.critic:
        return []
    critic = Critic(Metered(open_model(rules.critic)))
    return [CriticWatcher(critic, recorder, feedback=rules.critic_feedback)]


def _doubts(reply: str) -> str:
    """Return what an agent is told: that it is doubted, and the reasons as far as they are given."""
    text, _ = answer_part(reply)
    kept = [line for line in text.splitlines() if not line.lower().lstrip("*# ").startswith(("answer", "confidence"))]
    reasons = "\n".join(kept).strip()[:MOST_TOLD]
    doubt = "A critic that looked at the screen does not consider the task done."
    return f"{doubt} It says: {reasons}" if reasons else doubt


def _figures(said: Sequence[Criticism], last: Criticism) -> dict[str, float]:
    """Return what goes into the result of the episode."""
    found = {"critic_asked": float(len(said)), "critic_cost_usd": sum(each.cost_usd or 0.0 for each in said)}
    if last.success is not None:
        found["critic_success"] = float(last.success)
        if last.confidence is not None:
            found["critic_confidence"] = last.confidence
    return found
