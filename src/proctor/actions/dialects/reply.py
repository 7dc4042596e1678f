"""The outer form of a reply: its reasoning, its code fences, and special words that stand alone."""

from __future__ import annotations

import re
import textwrap
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass

from proctor.actions.action import Action, AskUser, Done, Fail, Wait
from proctor.actions.dialects.translation import raw_form

MAX_REPLY = 200_000
"""Characters; a longer reply is not read at all."""
MAX_FENCES = 100
"""Further ones are taken for prose."""
DEFAULT_QUESTION = "I need your help to go on. What should I do?"
"""Of an agent that calls its user without saying why."""

LANGUAGES = (
    "python", "py", "python3", "pyautogui", "tool_code", "code", "json", "json5", "jsonc", "jsonl", "action", "actions",
    "text", "txt", "plaintext", "plain", "bash", "sh", "shell", "console", "markdown", "md", "xml", "html", "yaml",
)  # fmt: skip
"""Labels that may stand before the content on the line of an opening fence."""

_TAGS = "think|thinking|thought|reasoning|analysis"
_THINKING = re.compile(rf"^[ \t]*<({_TAGS})>(.*?)(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL | re.MULTILINE)
_END_OF_THINKING = re.compile(rf"^[ \t]*</(?:{_TAGS})>|</(?:{_TAGS})>[ \t]*$", re.IGNORECASE | re.MULTILINE)
_FENCE_LINE = re.compile(r"^[ \t]*`{3,}", re.MULTILINE)
_SPECIAL_WORD = re.compile("DONE|FAIL|WAIT|CALL_USER", re.IGNORECASE)
_SPECIAL = re.compile(
    r"(?P<label>(?:next |final )?actions?[*_` \t]*[:：][*_`\"'“”‘’ \t]*)?"
    r"(?P<word>DONE|FAIL|WAIT|CALL_USER)(?P<rest>[^\n]*)",
    re.IGNORECASE,
)
_BEFORE, _AFTER = "*_`\"'“”‘’-># \t\r\n", "*_`\"'“”‘’ \t\r\n"


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block."""

    label: str
    """The word after the opening marks, in lower case."""
    body: str


@dataclass(frozen=True, slots=True)
class ReplyParts:
    """A reply taken apart."""

    thinking: str
    """What stood in sections for reasoning."""
    prose: str
    """What stood outside the fences."""
    tail: str
    """What of it came after the last fence."""
    fences: tuple[Fence, ...]


def take_apart(reply: str) -> ReplyParts:
    """Return the parts of a reply."""
    thoughts: list[str] = []
    if _THINKING.search(reply):
        thoughts = [match[2].strip() for match in _THINKING.finditer(reply)]
        reply = _THINKING.sub("", reply)
    # Some models are started inside their reasoning, so that only its end is to be seen.
    if ends := list(_END_OF_THINKING.finditer(reply)):
        thoughts.append(reply[: ends[-1].start()].strip())
        reply = reply[ends[-1].end() :]
    lines = [match.span() for match in _FENCE_LINE.finditer(reply)]
    fences: list[Fence] = []
    prose: list[str] = []
    position = 0
    while len(fences) < MAX_FENCES and (opening := reply.find("```", position)) >= 0:
        prose.append(reply[position:opening])
        fence, position = _fence(reply, opening, lines)
        fences.append(fence)
    tail = reply[position:]
    outside = [piece.strip("\n") for piece in (*prose, tail) if piece.strip()]
    return ReplyParts("\n".join(filter(None, thoughts)), "\n".join(outside), tail, tuple(fences))


def _fence(reply: str, opening: int, lines: list[tuple[int, int]]) -> tuple[Fence, int]:
    """Return the fence that opens here, at the end closed or not, and where the text goes on.

    Marks inside a line of the body do not close it where there are marks that begin a line; `lines` has those.
    """
    start = opening
    while reply.startswith("`", start):
        start += 1
    line_end = _line_end(reply, start)
    inline = reply.find("```", start, line_end)
    following = bisect(lines, (line_end, 0))
    if inline >= 0:
        end, after = inline, inline + 3
    elif following < len(lines):
        end, after = lines[following]
        if reply[after : _line_end(reply, after)].strip().lower() in LANGUAGES:
            # The next fence opens before this one was closed.
            after = end
    else:
        end = reply.find("```", line_end)
        end, after = (len(reply), len(reply)) if end < 0 else (end, end + 3)
    label, body = _label(reply[start:end])
    return Fence(label, textwrap.dedent(body.strip("\r\n").rstrip())), after


def _line_end(reply: str, position: int) -> int:
    end = reply.find("\n", position)
    return len(reply) if end < 0 else end


def _label(content: str) -> tuple[str, str]:
    """Split the label from the body; a word that is not a label (`DONE`) is the body."""
    first, newline, rest = content.partition("\n")
    word = first.strip()
    if newline and rest.strip() and re.fullmatch(r"[\w+#.-]{0,30}", word):
        return word.lower(), rest
    head, _, more = word.partition(" ")
    if head.lower() in LANGUAGES:
        return head.lower(), more + newline + rest
    return "", content


def special(block: str, *, alone: bool = True) -> Action | None:
    """Return the action of a line that is nothing but a special word.

    `alone` says that nothing else competes with it (its own fence, the whole reply, the last line): only then may it
    be written in small letters or end in a full stop. `Wait.` in the midst of a text is a thought.
    """
    match = _SPECIAL.fullmatch(block.lstrip(_BEFORE).rstrip(_AFTER))
    if not match:
        return None
    word, rest = match["word"], match["rest"].strip(_AFTER)
    message = rest[1:].rstrip(")").strip(_AFTER) if word == "CALL_USER" and rest[:1] in (":", "：", "(") else ""
    full_stop = rest in (".", "!", "。")
    if not (message or full_stop or rest in ("", "()")):
        return None
    if not (alone or match["label"] or (word.isupper() and not full_stop)):
        return None
    source = raw_form(block.strip())
    match word.upper():
        case "DONE":
            return Done(given=source)
        case "FAIL":
            return Fail(given=source)
        case "WAIT":
            return Wait(given=source)
    return AskUser(question=raw_form(message).text or DEFAULT_QUESTION, given=source)


def special_lines(text: str, *, to_the_end: bool = True) -> Iterator[Action]:
    """Yield the words that stand alone on their lines; `to_the_end` when nothing follows."""
    lines = [line for line in text.split("\n") if line.strip()] if _SPECIAL_WORD.search(text) else []
    for place, line in enumerate(lines):
        if action := special(line, alone=to_the_end and place == len(lines) - 1):
            yield action


def without_special_lines(text: str) -> str:
    """Return a text without the lines that are special words."""
    if not _SPECIAL_WORD.search(text):
        return text
    return "\n".join(line for line in text.split("\n") if not special(line))
