"""Instructions that a model writes for a marked element, and what of its reply is one."""

from __future__ import annotations

import re

from proctor.models.answer_text import answer_part

MOST_WORDS = 60
PROMPT = """\
The red box marks one element on the screen. Write one short instruction that asks somebody to click it, in such words \
that no other element can be meant. Do not mention the red box: the reader of the instruction does not see it.

It was described as: {instruction}

End with one line:
Instruction: ..."""
_SAID = re.compile(r"^\W{0,4}instruction\W{0,4}:\W{0,3}(.+)$", re.IGNORECASE | re.MULTILINE)
_GIVES_AWAY = re.compile(r"\b(?:red|bounding|marked|highlighted)\s+(?:box|rectangle|frame|outline)\b", re.IGNORECASE)
_NO_CAPTION = re.compile(
    r"^(?:i(?:['\u2019]m| am) (?:sorry|unable|not)\b|i (?:cannot|(?:can|could|do|will)(?: not|n?['\u2019]t))\b|sorry\b|"
    r"unfortunately\b|as an ai\b|answer\s?:)|[(\[]\s?\d+(?:\.\d+)?\s?,\s?\d+(?:\.\d+)?\s?[)\]]",
    re.IGNORECASE,
)
"""What a model says instead: that it will not, or where the element is."""


def caption_in(reply: str) -> str:
    """Return the instruction in a reply; nothing where it speaks of the mark or the place."""
    text, _ = answer_part(reply)
    said = _SAID.findall(text)
    line = said[-1] if said else text.strip() if "\n" not in text.strip() else ""
    line = " ".join(line.strip().strip("*`\"' ").split())
    if not line or len(line.split()) > MOST_WORDS or _GIVES_AWAY.search(line) or _NO_CAPTION.search(line):
        return ""
    return line
