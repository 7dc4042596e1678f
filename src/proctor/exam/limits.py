"""When an episode has gone on long enough: repetition, fruitless turns, tokens, money."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from proctor.actions.action import Action
from proctor.agents.agent import Turn
from proctor.exam.costs import refuse_unpriced
from proctor.exam.rules import Rules
from proctor.observations.observation import Observation
from proctor.records import ModelCall, Stop

MOST_WORDS = 300
"""Characters of a refusal that are shown."""
_LETTERS = 8
"""Less is no sentence in any language."""
_ATTEMPT = re.compile(r"```|</?[a-z_]\w*[\s/>]|[{\[]\s*[\"'{\[]|\w\((?:\)|[\"']|\w+\s*=|[^)\n]*\d)|\d\s*,\s*\d")
"""What is in a reply that tries to act, in whichever dialect: a block, a tag, JSON, a call, a place."""


@dataclass(frozen=True)
class LimitReached:
    """A limit that was reached."""

    stop: Stop
    why: str


class LimitCounter:
    """Counts what an agent does against the rules of its run."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._fruitless = 0
        self._silent = self._prose = 0
        self._last: tuple[dict[str, Any], int | None] | None = None
        """The last action, and the picture after it where it was a repetition."""
        self._same = 0

    def note(self, action: Action, seen: Observation) -> None:
        """Count how often the same action has changed nothing."""
        plain = {name: value for name, value in action.to_json().items() if name != "given"}
        if self._last is None or self._last[0] != plain:
            # A picture is only looked at once an action is repeated.
            self._last, self._same = (plain, None), 1
            return
        picture = zlib.crc32(seen.screenshot.tobytes()) if seen.screenshot is not None else 0
        self._same = self._same + 1 if self._last[1] in (None, picture) else 1
        self._last = (plain, picture)

    def find_limit(
        self, turn: Turn, *, fruitful: bool, problem: str, calls: Sequence[ModelCall]
    ) -> LimitReached | None:
        """Return the limit that a turn has brought the episode to; `problem` is what it was told was wrong with it."""
        rules = self._rules
        self._fruitless = 0 if fruitful else self._fruitless + 1
        self._silent = self._silent + 1 if turn.finish == "empty" and not fruitful else 0
        prose = not fruitful and turn.finish != "length" and _is_prose(turn.reply)
        self._prose = self._prose + 1 if prose else 0
        if self._same >= rules.repetition:
            return LimitReached("repetition_limit", f"the same action {self._same} times, and nothing changed")
        if turn.finish == "refusal" and not fruitful:
            return LimitReached("refused", f"the model declined: {_words(turn)}")
        # Its client may have asked a model again already.
        if self._silent >= (1 if any(call.asked_again for call in turn.calls) else 2):
            return LimitReached("silent", "the model answered with nothing, even when asked again")
        if self._fruitless >= rules.fruitless:
            if self._prose >= min(2, rules.fruitless):
                return LimitReached("refused", f"the model kept answering in prose, without an action: {_words(turn)}")
            why = f"; the last: {problem}" if problem else ""
            return LimitReached(
                "agent_error", f"{self._fruitless} turns in a row contained nothing that could be carried out{why}"
            )
        if rules.tokens is not None and sum(call.input_tokens + call.output_tokens for call in calls) >= rules.tokens:
            return LimitReached("token_limit", f"{rules.tokens} tokens are used")
        if rules.cost_usd is not None:
            refuse_unpriced(calls)
            if sum(call.cost_usd or 0.0 for call in calls) >= rules.cost_usd:
                return LimitReached("cost_limit", f"{rules.cost_usd} US dollars are spent")
        return None


def _is_prose(reply: str) -> bool:
    """Tell whether a reply is only sentences, as models decline in any language."""
    return sum(map(str.isalpha, reply)) >= _LETTERS and not _ATTEMPT.search(reply)


def _words(turn: Turn) -> str:
    words = " ".join((turn.reply or turn.thought).split())
    return (words if len(words) <= MOST_WORDS else f"{words[:MOST_WORDS]}...") or "no reason given"
