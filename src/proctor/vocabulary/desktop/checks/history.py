"""Checks on what the agent did and asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from proctor.tasks.findings import Finding, right, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.topics import is_about
from proctor.tasks.words import Sought, matches
from proctor.vocabulary.desktop.operations import InputEvent, Operation, events, find, label

NEVER_LOOKED = "The agent gave up without having looked whether it can be done."

COMMENT = re.compile(r"(?m)(?:^|(?<=\s))#.*$")

Place = Annotated[list[Sought], Field(min_length=1)]
"""What is shown where one looks; all of it."""
Words = Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]


@CHECKS.register
def operated(
    of: Seen, steps: Annotated[list[Operation], Field(min_length=1)], programs: list[str] | None = None
) -> Finding:
    """These operations were made in this order, in one of these programs; others may come between.

    Names and texts are found anywhere whatever the case, `/.../` is a regular expression. Keys compare whatever their
    spelling. Typing counts however many actions it was spread over, while nothing else came between. A click is also
    made by the keys that do the same to the element.

    `programs` are paths of the image. What went to another one, or to none, does not count, whatever a window calls
    itself; on computers that cannot tell, it is believed.
    """
    stream = [event for event in events(of["performed"]) if _went_to(event, programs)]
    place = 0
    for number, step in enumerate(steps, start=1):
        found = find(stream, place, step)
        if found is None:
            early = find(stream, 0, step) is not None
            why = "was made only before the steps that should come first" if early else "was never made"
            return wrong(f"Step {number} of {len(steps)} ({step}) {why}.")
        place = found
    return right()


@CHECKS.register
def clicked(of: Seen, text: Sought, role: str | None = None) -> Finding:
    """An element with this name (or text, where it has no name) was clicked."""
    wanted = Operation(do="click", name=text, role=role)
    found = find(events(of["performed"]), 0, wanted)
    return right() if found else wrong(f"Nothing called '{text}' was clicked.")


@CHECKS.register
def typed(of: Seen, text: str) -> Finding:
    """A text was typed, in one go or in several consecutive ones."""
    found = find(events(of["performed"]), 0, Operation(do="type", text=text))
    return right() if found else wrong(f"'{text}' was not typed.")


@CHECKS.register
def pressed(of: Seen, keys: str) -> Finding:
    """Keys were pressed together, such as `ctrl+s`, whatever the spelling."""
    found = find(events(of["performed"]), 0, Operation(do="press", keys=keys))
    return right() if found else wrong(f"{keys} was not pressed.")


@CHECKS.register
def text_under_cursor(of: Seen, text: Sought) -> Finding:
    """The element under the pointer has this in its name or text, ignoring case."""
    element = of["element"]
    held = [label(element), element["text"]] if element else []
    if any(matches(text, each) for each in held):
        return right()
    return wrong(f"Under the pointer is {label(element)!r}, expected {text!r}." if held else "Nothing is there.")


@CHECKS.register
def was_shown(
    of: Seen,
    questions: Seen,
    at: list[Place] | None = None,
    windows: list[Place] | None = None,
    searched: list[Place] | None = None,
    about: list[str] | None = None,
) -> Finding:
    """The agent was shown the evidence that the task cannot be done before it said so.

    All the texts of one place in `at` stood on its screen, or in what its commands printed or it was told; or windows
    of all these titles lay on top; or it ran something that names all these words (comments aside) and read what
    `see.shown` follows, which may have printed nothing; or it asked the user about one of these. Of `see.shown` and
    `see.questions`.
    """
    read = any(_is_shown(place, of["lines"]) for place in at or ())
    went = any(_is_shown(place, of["windows"]) for place in windows or ())
    searches = [COMMENT.sub("", search["code"]) for search in of["searches"] if search["read"]]
    sought = any(all(matches(word, code) for word in place) for place in searched or () for code in searches)
    # What the user knows nothing of goes by the words of the question.
    asked = any(_is_asked(each["question"], each.get("about") or None, about or ()) for each in questions["asked"])
    return right() if read or went or sought or asked else wrong(NEVER_LOOKED)


@CHECKS.register
def looked(
    of: Seen,
    questions: Seen,
    windows: list[Sought] | None = None,
    names: list[Sought] | None = None,
    words: list[Sought] | None = None,
    about: list[str] | None = None,
    screen: Seen = None,
    opened: list[Sought] | None = None,
) -> Finding:
    """The agent looked where the task cannot be done, as recorded by earlier versions.

    It worked in one of these windows (or applications), operated an element of one of these names, typed one of these
    words (or had code with them run), asked the user about one of these, or left a window open that was not there
    before. Of `see.history`, `see.questions` and `see.windows`. New tasks ask `was_shown`, which takes nobody's word.
    """
    if any(
        matches(each, window["title"]) for each in opened or () for window in (screen or {"windows": ()})["windows"]
    ):
        return right()
    stream = events(of["performed"])
    touched = [event.element for event in stream if event.element is not None]
    wrote = "".join(event.char for event in stream)
    code = "\n".join(event.action["code"] for event in stream if event.do == "code")
    seen = any(matches(each, element[of]) for each in windows or () for element in touched for of in ("window", "app"))
    used = any(matches(each, label(element)) for each in names or () for element in touched)
    said = any(matches(each, written) for each in words or () for written in (wrote, code))
    asked = any(_is_asked(each["question"], each.get("about") or None, about or ()) for each in questions["asked"])
    return right() if seen or used or said or asked else wrong(NEVER_LOOKED)


@CHECKS.register
def asked_about(of: Seen, words: Words) -> Finding:
    """A question to the user is about one of these words, as the user understands it, and in time.

    These are the first words of what the user knows (`about` of its replies).

    One that came when the agent had already done what it asks about (`undecided` of the user's reply) does not count.
    """
    asked = [exchange for exchange in of["asked"] if _is_asked(exchange["question"], exchange.get("about"), words)]
    if any(not exchange.get("late") for exchange in asked):
        return right()
    when = " before it acted" if asked else ""
    return wrong(f"The agent did not ask the user about {' or '.join(words)}{when}.")


@CHECKS.register
def asked_at_most(of: Seen, count: Annotated[int, Field(ge=0)]) -> Finding:
    """The user was asked at most this many questions."""
    number = len(of["asked"])
    return right() if number <= count else wrong(f"The agent asked {number} questions, at most {count} were needed.")


def _is_asked(question: str, taken: Sequence[str] | None, words: Sequence[str]) -> bool:
    """Tell whether a question was about one of some words: as the user took it, where that was kept."""
    return is_about(question, words) if taken is None else any(word in words for word in taken)


def _went_to(event: InputEvent, programs: list[str] | None) -> bool:
    return programs is None or event.program is None or event.program in programs


def _is_shown(place: list[str], lines: list[str]) -> bool:
    return all(any(matches(text, line) for line in lines) for text in place)
