"""What an instruction asks for, read by general rules of English; nothing here knows a page."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """One thing that is to be done."""

    do: str
    """What, as `doing.py` names it."""
    name: str = ""
    """Of the element it is about."""
    text: str = ""
    """What is to be entered."""
    place: int = 0
    """Which of several, from 1; -1 for the last, 0 for any."""
    kind: str = ""
    """Of the element, as people call it."""


_Q = r"[\"“]([^\"”]*)[\"”]"
_N = r"(\d+)(?:st|nd|rd|th)"
_FIELD = r"(?:text ?(?:field|input|box|area)|input(?: textbox)?|textbox|form)s?"
_PUSH = r"(?:press|click|hit|push)"

Maker = Callable[[re.Match[str]], list[Wish]]


def _names(listed: str) -> list[str]:
    return [name.strip() for name in re.split(r",\s*(?:and\s+)?|\s+and\s+(?=\S+$)", listed) if name.strip()]


def _enter_in_case(match: re.Match[str]) -> list[Wish]:
    text = match[1].upper() if match[2] == "upper" else match[1].lower() if match[2] == "lower" else match[1]
    return [Wish(do="enter", text=text)]


_RULES: list[tuple[str, Maker]] = [
    (rf"the username {_Q} and the password {_Q}", lambda m: [
        Wish(do="enter", name="username", text=m[1]), Wish(do="enter", name="password", text=m[2])]),
    (rf"the password {_Q} into both", lambda m: [
        Wish(do="enter", text=m[1], place=1), Wish(do="enter", text=m[1], place=2)]),
    (rf"(?:enter|type) the number {_Q} into the {_N} {_FIELD}", lambda m: [
        Wish(do="enter", text=m[1], place=int(m[2]))]),
    (rf"item that starts with {_Q} and ends with {_Q}", lambda m: [Wish(do="complete", text=m[1], name=m[2])]),
    (rf"item that starts with {_Q}", lambda m: [Wish(do="complete", text=m[1])]),
    (rf"(?:enter|type) {_Q}(?: in all (upper|lower) ?case letters)?", _enter_in_case),
    (r"enter (\d\d/\d\d/\d{4}) as the date", lambda m: [Wish(do="enter", text=m[1])]),
    (r"enter (\d?\d:\d\d [AP]M) as the time", lambda m: [Wish(do="enter", text=m[1])]),
    (r"select (\d\d/\d\d/\d{4}) as the date", lambda m: [Wish(do="date", text=m[1])]),
    (r"select (-?\d+) with the slider", lambda m: [Wish(do="slide", text=m[1])]),
    (r"select (-?\d+) with the spinner", lambda m: [Wish(do="spin", text=m[1])]),
    (rf"find the {_N} word in the paragraph", lambda m: [Wish(do="copy word", place=int(m[1]))]),
    (r"find the last word in the text area", lambda m: [Wish(do="copy word", place=-1)]),
    (rf"copy the text (?:in|from) the (?:{_N} )?text ?area", lambda m: [Wish(do="copy text", place=int(m[1] or 1))]),
    (r"the value of (.+?) into the", lambda m: [Wish(do="copy value", name=m[1])]),
    (r"value that corresponds with each label", lambda m: [Wish(do="copy values")]),
    (r"solve (?:the math problem|for x)", lambda m: [Wish(do="solve")]),
    (r"scroll the textarea to the (bottom|top)", lambda m: [Wish(do="scroll", name=m[1])]),
    (r"focus into the (?:(\d+)(?:st|nd|rd|th) )?(?:input )?textbox", lambda m: [
        Wish(do="focus", place=int(m[1] or 1))]),
    (r"mark the numbers below as odd or even", lambda m: [Wish(do="odd or even")]),
    (r"numbers in ascending order", lambda m: [Wish(do="ascending")]),
    (r"select nothing", lambda m: []),
    (r"(?:select|choose) (.+?) from the (?:scroll )?(?:list|dropdown)", lambda m: [
        Wish(do="choose", name=name) for name in _names(m[1])]),
    (rf"(?:select|choose) (?!all|words|the |option)(.+?)(?= and {_PUSH}| then |\.?$)", lambda m: [
        Wish(do="choose", name=name) for name in (m[1].split(">") if ">" in m[1] else _names(m[1]))]),
    (rf"(?:check|click|select) the {_N} (checkbox|radio)(?: button)?", lambda m: [
        Wish(do="click", place=int(m[1]), kind=m[2])]),
    (r"expand the section below", lambda m: [Wish(do="open all")]),
    (rf"for the user (\S+?),? click on the {_Q} button", lambda m: [Wish(do="click beside", text=m[1], name=m[2])]),
    (r"find the email by (\w+) and click the (\w+) icon", lambda m: [
        Wish(do="click beside", text=m[1], name=m[2])]),
    (rf"find the email by (\w+) and reply to them with the text {_Q}", lambda m: [
        Wish(do="click", name=m[1]), Wish(do="click", name="reply"), Wish(do="enter", text=m[2]),
        Wish(do="click", name="send")]),
    (r"find the email by (\w+) and forward that email to (\w+)", lambda m: [
        Wish(do="click", name=m[1]), Wish(do="click", name="forward"), Wish(do="enter", text=m[2]),
        Wish(do="click", name="send")]),
    (rf"click (?:on )?a {_Q} widget", lambda m: [Wish(do="click", kind=m[1])]),
    (rf"by clicking the {_Q}", lambda m: [Wish(do="close" if m[1].lower() == "x" else "click", name=m[1])]),
    (rf"find and click the {_N} search result", lambda m: [Wish(do="result", place=int(m[1]))]),
    (r"(?<![\"“])\bbutton ([A-Z]+)\b", lambda m: [Wish(do="click", name=m[1], kind="button")]),
    (r"wait (\d+) seconds?", lambda m: [Wish(do="wait", text=m[1])]),
    (rf"{_Q} button\b(?! on)", lambda m: [Wish(do="click", name=m[1], kind="button")]),
    (rf"button (?:\w+ ){{0,4}}(?:labeled|named|called) {_Q}", lambda m: [Wish(do="click", name=m[1], kind="button")]),
    (rf"(?:link|item|folder or file|tab|file|folder)(?: labeled| named| called)? {_Q}", lambda m: [
        Wish(do="find", name=m[1])]),
    (rf"{_PUSH} {_Q}", lambda m: [Wish(do="click", name=m[1], kind="button")]),
    (r"click (?:on )?(tab #\d+)", lambda m: [Wish(do="click", name=m[1])]),
    (r"click (?:on )?the grid coordinate (\(-?\d+,-?\d+\))", lambda m: [Wish(do="click marked", name=m[1])]),
    (r"click (?:on )?the (\w+) colored box", lambda m: [Wish(do="click coloured", name=m[1])]),
    (r"(?:click|press) the button\b(?! (?:that|in|labeled|named))", lambda m: [Wish(do="click", kind="button")]),
    (r"click the (\w+) button", lambda m: [Wish(do="click", name=m[1], kind="button")]),
    (rf"(?:{_PUSH}|text|and) (submit|login|search)\b", lambda m: [Wish(do="click", name=m[1], kind="button")]),
]  # fmt: skip
"""Each is looked for everywhere; where two overlap, the earlier one in this list counts."""


def read(instruction: str) -> list[Wish]:
    """Return what is asked for, in the order in which it is asked; empty where nothing is understood."""
    taken: list[tuple[int, int, list[Wish]]] = []
    for pattern, make in _RULES:
        # Case says something where a name is given in capitals, and nothing in the words around it.
        flags = 0 if "[A-Z]+" in pattern else re.IGNORECASE
        for match in re.finditer(pattern, instruction, flags):
            if all(match.end() <= start or match.start() >= end for start, end, _ in taken):
                taken.append((match.start(), match.end(), make(match)))
    return [wish for _, _, wishes in sorted(taken, key=lambda each: each[0]) for wish in wishes]
