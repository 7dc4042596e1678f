"""Checks on the screen: windows, controls, and what can be read from the picture."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from proctor.errors import SpecError
from proctor.plain_text import compose
from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.tasks.words import Sought, matches, short
from proctor.vocabulary.desktop.selectors import CssSelector, ScreenElement


def _check_selector(text: str) -> str:
    try:
        CssSelector.of(text)
    except SpecError as error:
        raise ValueError(error.message) from error
    return text


Selectors = Annotated[list[Annotated[str, AfterValidator(_check_selector)]], Field(min_length=1)]
"""CSS selectors of which one is enough."""


@CHECKS.register
def window_open(of: Seen, title: Sought, app: Sought | None = None) -> Finding:
    """A window with this in its title is open, minimised or not; `/.../` is a regular expression."""
    if _windows(of, title, app):
        return right()
    return wrong(f"No window titled {short(title)} is open; there are {_titles(of)}.")


@CHECKS.register
def window_closed(of: Seen, title: Sought, app: Sought | None = None) -> Finding:
    """No window with this in its title is open; `/.../` is a regular expression."""
    found = _windows(of, title, app)
    return wrong(f"The window {short(found[0]['title'])} is still open.") if found else right()


@CHECKS.register
def window_active(of: Seen, title: Sought, app: Sought | None = None) -> Finding:
    """The window that has the focus has this in its title; `/.../` is a regular expression."""
    if any(window["active"] for window in _windows(of, title, app)):
        return right()
    active = next((window["title"] for window in of["windows"] if window["active"]), None)
    held = f"the window {short(active)} has" if active is not None else "no window has"
    return wrong(f"No window titled {short(title)} has the focus; {held} it.")


@CHECKS.register
def window_minimised(of: Seen, title: Sought, minimised: bool = True) -> Finding:
    """Every window with this in its title is minimised, or none is."""
    found = _windows(of, title, None)
    if not found:
        return wrong(f"No window titled {short(title)} is open; there are {_titles(of)}.")
    if all(window["minimised"] == minimised for window in found):
        return right()
    return wrong(f"The window {short(found[0]['title'])} is {'not ' if minimised else ''}minimised.")


@CHECKS.register
def window_fills_screen(of: Seen, screen: Seen, app: Sought) -> Finding:
    """A window of an application is as large as the screen (of `screen_size`) and not minimised."""
    found = [each for each in of["windows"] if matches(app, each["app"]) and not each["minimised"]]
    whole = [0, 0, screen["width"], screen["height"]]
    if any(list(each["box"]) == whole for each in found):
        return right()
    return wrong(f"No window of {short(str(app))} fills the screen; there are {_titles(of)}.")


@CHECKS.register
def text_in_controls(of: Seen, text: Sought, role: str | None = None) -> Finding:
    """A control that is showing has this in its name or text, ignoring case (of `see.controls`)."""
    found = any(matches(text, held) for control in _controls(of, role) for held in (control["name"], control["text"]))
    return right() if found else wrong(f"No control on the screen says {short(text)}.")


@CHECKS.register
def control_has(of: Seen, name: Sought, state: str, role: str | None = None, present: bool = True) -> Finding:
    """A named control has a state such as `checked`, `selected` or `pressed`, or lacks it."""
    found = [control for control in _controls(of, role) if matches(name, control["name"])]
    whole = [control for control in found if control["name"].casefold() == name.casefold()] or found
    if not whole:
        return wrong(f"There is no control {short(name)} on the screen.")
    if any((state in control["states"]) == present for control in whole):
        return right()
    return wrong(f"The control {short(whole[0]['name'])} is {'not ' if present else ''}{state}.")


@CHECKS.register
def control_between(of: Seen, name: Sought, least: float, most: float, role: str | None = None) -> Finding:
    """A named slider, spin button or bar has a value in a range, both ends included."""
    found = [each for each in _controls(of, role) if matches(name, each["name"]) and "value" in each]
    if not found:
        return wrong(f"There is no control {short(name)} with a number on the screen.")
    if any(least <= control["value"] <= most for control in found):
        return right()
    return wrong(f"The control {short(found[0]['name'])} is at {found[0]['value']:g}, expected {least:g} to {most:g}.")


@CHECKS.register
def text_on_screen(of: Seen, text: str) -> Finding:
    """A text can be read on the screen (of `see.screen_text`).

    Blanks, case and similar signs do not matter.
    """
    return right() if _legible(of, text) else wrong(f"{short(text)} cannot be read on the screen.")


@CHECKS.register
def text_shown(of: Seen, screen: Seen, text: Sought) -> Finding:
    """A text is in a control (of `see.controls`) or can be read on the screen."""
    if text_in_controls(of, text).passed or _legible(screen, text):
        return right()
    return wrong(f"{short(text)} is shown neither in a control nor anywhere else on the screen.")


@CHECKS.register
def elements_match(of: Seen, selectors: Annotated[list[Selectors], Field(min_length=1)]) -> Finding:
    """For each of these lists of CSS selectors, one finds an element of the screen.

    Of `see.elements`. `attr|id` is an attribute of the application, `st|showing` a state; others are `name` and `text`.
    """
    listed = [
        ScreenElement(
            each["tag"],
            each["parent"],
            {
                "name": each["name"],
                "text": each["text"],
                **{f"attr|{name}": value for name, value in each["attributes"].items()},
                **{f"st|{state}": "true" for state in each["states"]},
            },
        )
        for each in of["elements"]
    ]
    return unless(
        f"Nothing on the screen is {short(' or '.join(group), 200)}."
        for group in selectors
        if not any(True for text in group for _ in CssSelector.of(text).places(listed))
    )


def _windows(of: Any, title: Sought, app: Sought | None) -> list[dict[str, Any]]:
    return [each for each in of["windows"] if matches(title, each["title"]) and matches(app, each["app"])]


def _titles(of: Any) -> str:
    return ", ".join(short(window["title"], 60) for window in of["windows"]) or "none"


def _controls(of: Any, role: str | None) -> list[dict[str, Any]]:
    return [each for each in of["controls"] if role is None or each["role"].casefold() == role.casefold()]


def _legible(of: Any, text: str) -> bool:
    # A text may be read as several lines, and one line as several pieces.
    return _bare(text) in _bare("".join(of["lines"]))


def _bare(text: str) -> str:
    """Return a text as it compares after reading it off a picture: no blanks, no case, plain signs."""
    plain = compose(text, "NFKC").translate(str.maketrans("‘’“”–—−", "''\"\"---"))
    return "".join(plain.casefold().split())
