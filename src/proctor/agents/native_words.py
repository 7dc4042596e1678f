"""What is said to a model with a computer tool of its own, and how its last words are understood."""

from __future__ import annotations

import re

from proctor.actions.action import Action, Answer, AskUser, Done, Fail
from proctor.observations.observation import Observation
from proctor.records import Brief

_MOST = 10_000
"""Characters of last words that are kept."""
_CLOSING = re.compile(
    r"^(?P<marks>[\s*_`#>-]*)(?P<word>DONE|IMPOSSIBLE|ANSWER|QUESTION)\b[*_`]*"
    r"(?:\s*[:–—-]+[*_`]*\s*(?P<rest>.*)|[\s.!*_`]*)$"
)
_TOLD = {
    "reply": "The user says",
    "output": "It printed",
    "refused": "Not carried out",
    "feedback": "What is still missing",
}


def system_prompt(brief: Brief) -> str:
    """Return the standing instructions for an episode."""
    width, height = brief.size
    ends = ["DONE, when the task is finished and you have seen on the screen that it is"]
    ends.append("IMPOSSIBLE: and the reason, when you are sure that the task cannot be done on this computer")
    if "answer" in brief.actions:
        ends.append("ANSWER: and the answer alone, when the task asks you something")
    if "ask_user" in brief.actions:
        ends.append("QUESTION: and your question, when you cannot go on without a word from the user")
    lines = [
        f"You operate a Linux desktop of {width}x{height} pixels for its user, through the computer tool alone.",
        "Nobody watches or confirms your steps: carry the task out to its end, then check the result on the screen.",
        f"You have at most {brief.max_steps} actions.",
        "When you stop using the tool, close your message with a line that begins with one of these words:",
        *(f"- {end}" for end in ends),
    ]
    if brief.notes:
        lines += ["", brief.notes]
    return "\n".join(lines)


def task_message(brief: Brief) -> str:
    """Return the first message of the user."""
    intent = f"\n\nWhat I am after: {brief.intent}" if brief.intent else ""
    return f"{brief.instruction}{intent}"


def told_text(observation: Observation) -> str:
    """Return what was said to the agent since its last turn, as one text."""
    return "\n".join(f"{_TOLD[told.kind]}: {told.text}" for told in observation.told)


def last_words(text: str) -> Action:
    """Return what a message without a call means; one without a closing word means that the model is done."""
    lines = text.splitlines()
    for number in reversed(range(len(lines))):
        if found := _CLOSING.match(lines[number]):
            # What was opened before the word, such as bold type, is closed at the end of the line.
            rest = (found["rest"] or "").rstrip("".join(set(found["marks"]) & set("*_`")) + " ")
            return _meaning(found["word"], "\n".join([rest, *lines[number + 1 :]]).strip()[:_MOST])
    return Done()


def _meaning(word: str, said: str) -> Action:
    if word == "IMPOSSIBLE":
        return Fail(reason=said)
    if word == "ANSWER" and said:
        return Answer(text=said)
    if word == "QUESTION" and said:
        return AskUser(question=said)
    return Done()
