"""What is said to a model with a computer tool of its own, and how its last words are understood."""

from __future__ import annotations

import re
from collections.abc import Mapping

from proctor.actions.action import Action, Answer, AskUser, Done, Fail
from proctor.agents.messages import said_text, take_notes
from proctor.agents.parts import PromptParts
from proctor.agents.prompts import CONTENT, KEEP_NOTES, OF_THE_TASK, limits
from proctor.observations.observation import Observation
from proctor.records import Brief

_MOST = 10_000
"""Characters of last words that are kept."""
_CLOSING = re.compile(
    r"^(?P<marks>[\s*_`#>-]*)(?P<word>DONE|IMPOSSIBLE|ANSWER|QUESTION)\b[*_`]*"
    r"(?:\s*[:–—-]+[*_`]*\s*(?P<rest>.*)|[\s.!*_`]*)$"
)

SYSTEM = """\
You use a Linux desktop on behalf of its user. The computer tool is your only way to act on it. {places}

{rules}

{keep_notes}

{ends}

{task_notes}"""

RULES = """\
Nobody confirms your steps: keep working until the task is finished, then check the result on the screen.
{content}
{limits}"""

FIRST = """\
{instruction}

{intent}

{told}

{steps_left}

{incomplete}

{screen}"""

TURN = """\
{told}

{steps_left}

{notes}

{incomplete}"""

CLOSE = "When you stop using the tool, end your message with a line that starts with one of these words:"
ENDS = {
    "done": "DONE, when the task is finished and you have checked the result on the screen",
    "fail": "IMPOSSIBLE: and the reason, if you are sure that the task cannot be done on this computer",
    "answer": "ANSWER: and only the answer, if the task asks a question",
    "ask_user": "QUESTION: and your question, if you need something that only the user knows",
}


def usual_parts() -> PromptParts:
    """Return the prompt of a model with a computer tool."""
    fixed = (*OF_THE_TASK, "places", "content", "limits", "ends")
    changing = (*OF_THE_TASK, "told", "steps_left", "notes", "incomplete", "screen", "step")
    places = {
        "system": ("rules", "keep_notes", *fixed), "rules": fixed, "keep_notes": (), "first": changing,
        "turn": changing,
    }  # fmt: skip
    texts = {"system": SYSTEM, "rules": RULES, "keep_notes": KEEP_NOTES, "first": FIRST, "turn": TURN}
    return PromptParts(texts, places)


def system_prompt(
    parts: PromptParts, brief: Brief, places: str, values: Mapping[str, str], *, notes: bool = False
) -> str:
    """Return an episode's standing instructions; `places` is what the tool's description leaves open."""
    ends = [f"- {text}" for kind, text in ENDS.items() if kind in brief.actions]
    filled = {
        **values,
        "places": places,
        "content": CONTENT,
        "limits": limits(brief),
        "ends": "\n".join([CLOSE, *ends]) if ends else "",
    }
    if not notes:
        filled["keep_notes"] = ""
    return parts.render("system", filled)


def told_text(observation: Observation, *, feedback: bool = True) -> str:
    """Return what was said to the agent since its last turn, as one text."""
    said = [told for told in observation.told if feedback or told.kind != "feedback"]
    return "\n".join(said_text(told) for told in said)


def last_words(text: str) -> Action:
    """Return what a message without a call means: done, unless it closes with another word."""
    # No action can hold the character NUL, and it says nothing.
    lines = take_notes(text)[0].replace("\0", "").splitlines()
    for number in reversed(range(len(lines))):
        if found := _CLOSING.match(lines[number]):
            # What was opened before the word, such as bold type, is closed at the end of the line.
            rest = (found["rest"] or "").rstrip("".join(set(found["marks"]) & set("*_`")) + " ")
            return _signal_of(found["word"], "\n".join([rest, *lines[number + 1 :]]).strip()[:_MOST])
    return Done()


def has_closing_word(text: str) -> bool:
    """Tell whether a message says itself how the episode ends."""
    return any(_CLOSING.match(line) for line in take_notes(text)[0].splitlines())


def _signal_of(word: str, said: str) -> Action:
    if word == "IMPOSSIBLE":
        return Fail(reason=said)
    if word == "ANSWER" and said:
        return Answer(text=said)
    if word == "QUESTION" and said:
        return AskUser(question=said)
    return Done()
