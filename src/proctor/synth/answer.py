"""Reads what a model answers as data: bounded in size, depth and letters, and of a form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from pydantic import ValidationError

from proctor.errors import ModelError
from proctor.tasks import positions
from proctor.tasks.call import DataPath
from proctor.tasks.model import PlainModel
from proctor.tasks.shelf import Problem

MOST_CHARS = 40_000
"""The longest answer that is read."""
MOST_DEPTH = 16
MOST_TEXT = 4_000
"""Characters of one text in it."""
MOST_ITEMS = 200
MOST_FAULTS = 8
"""Faults that a model is told of at once."""

Form = TypeVar("Form", bound=PlainModel)


class AnswerRefused(ModelError):
    """A model answered something that cannot be used; its words say where and why."""


class AlreadyThere(ModelError):
    """A model proposed what is a task already."""


def read_answer(text: str, form: type[Form]) -> Form:
    """Return what an answer says; raises AnswerRefused that names each fault with its place."""
    data = _read_object(text)
    refuse_where(_bad_values(data, (), 0))
    try:
        return form.model_validate_json(json.dumps(data, allow_nan=False), strict=True)
    except ValidationError as error:
        refuse_where(Problem(tuple(fault["loc"]), _in_words(fault["type"], fault["msg"])) for fault in error.errors())
    except (TypeError, ValueError) as error:
        raise AnswerRefused(f"the answer is not plain data: {error}") from error
    raise AnswerRefused("the answer is not of the form that was asked for")


def refuse_where(problems: Iterable[Problem]) -> None:
    """Raise AnswerRefused where there is any problem."""
    found = list(dict.fromkeys(f"{_place(problem.path)}: {problem.message}" for problem in problems))
    if found:
        more = f"\nand {len(found) - MOST_FAULTS} more" if len(found) > MOST_FAULTS else ""
        raise AnswerRefused("\n".join(found[:MOST_FAULTS]) + more)


def _place(path: DataPath) -> str:
    return ".".join(map(str, path)) or "the answer"


def _read_object(text: str) -> Any:
    """Return the one JSON object in an answer; words and code fences around it do no harm."""
    if len(text) > MOST_CHARS:
        raise AnswerRefused(f"the answer has {len(text):,} characters; at most {MOST_CHARS:,} are read")
    start, end = text.find("{"), text.rfind("}")
    if not 0 <= start < end:
        raise AnswerRefused("the answer holds no JSON object; reply with one object between { and }, and nothing else")
    try:
        document = positions.read(text[start : end + 1])
    except json.JSONDecodeError as error:
        raise AnswerRefused(
            f"the answer is not valid JSON: {error.msg} (line {error.lineno}, column {error.colno} of the object)"
        ) from error
    refuse_where(Problem(place, message) for place, message in document.doubles)
    return document.data


def _bad_values(value: object, at: DataPath, depth: int) -> Iterator[Problem]:
    """Yield what no answer may hold: too deep, too long, or letters that nobody sees."""
    if depth > MOST_DEPTH:
        yield Problem(at, f"it is nested more than {MOST_DEPTH} deep")
    elif isinstance(value, dict | list):
        if len(value) > MOST_ITEMS:
            yield Problem(at, f"it has {len(value)} members; at most {MOST_ITEMS}")
            return
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(key, str):
                yield from _bad_text(key, at)
            yield from _bad_values(item, (*at, key), depth + 1)
    elif isinstance(value, str):
        yield from _bad_text(value, at)


def _bad_text(text: str, at: DataPath) -> Iterator[Problem]:
    if len(text) > MOST_TEXT:
        yield Problem(at, f"it has {len(text):,} characters; at most {MOST_TEXT:,}")
        return
    hidden = next((letter for letter in text if not letter.isprintable() and letter not in "\n\t"), None)
    if hidden is not None:
        yield Problem(at, f"it has the invisible character U+{ord(hidden):04X}; write plain text")


def _in_words(kind: str, said: str) -> str:
    if kind == "missing":
        return "this field is missing"
    if kind == "extra_forbidden":
        return "there is no such field; leave it out"
    return said.removeprefix("Value error, ").replace("Tuple should", "it should")
