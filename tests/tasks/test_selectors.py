"""CSS selectors over the screen: what they mean is found, and what is not understood is said."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.errors import SpecError
from proctor.vocabulary.desktop.checks.screen import elements_match
from proctor.vocabulary.desktop.selectors import CssSelector, ScreenElement

ELEMENTS = [
    ScreenElement("application", None, {"name": "Thunderbird"}),
    ScreenElement("tool-bar", 0, {"name": "", "attr|id": "Headers"}),
    ScreenElement("label", 1, {"name": "To"}),
    ScreenElement("section", 1, {"name": "", "attr|class": "pill big", "st|showing": "true"}),
    ScreenElement("label", 3, {"name": "fox@some.example", "attr|class": "pill-label"}),
    ScreenElement("label", 1, {"name": "Cc"}),
    ScreenElement("page-tab-list", 0, {"name": "", "attr|id": "tabmail-tabs"}),
    ScreenElement("page-tab", 6, {"name": "About Profiles"}),
]


def hits(selector: str) -> list[int]:
    return list(CssSelector.of(selector).places(ELEMENTS))


@pytest.mark.parametrize(
    ("selector", "places"),
    [
        ("label", [2, 4, 5]),
        ("*[name=To]", [2]),
        ("[attr|id]", [1, 6]),
        ('tool-bar[attr|id=Headers] label[name=To]~[attr|class~="pill"]>label[name*="fox@"]', [4]),
        ('application[name=Thunderbird] page-tab-list[attr|id="tabmail-tabs"]>page-tab[name="About Profiles"]', [7]),
        ('label[name="To"] + section', [3]),
        ('label[name="To"] + label', []),
        ("label[name^='f'][name$='example']", [4]),
        ("tool-bar > label", [2, 5]),
        ("application > label", []),
        ("section[st|showing=true]", [3]),
        ("[name*='']", []),
    ],
)
def test_what_a_selector_means(selector: str, places: list[int]) -> None:
    assert hits(selector) == places


@pytest.mark.parametrize(
    "selector", ["", "label >", "a:has(b)", "[name", "[name='x]", "label,section", ">a", "a" * 6000]
)
def test_what_is_not_understood_is_said(selector: str) -> None:
    with pytest.raises(SpecError, match="selector"):
        CssSelector.of(selector)


def seen() -> dict[str, Any]:
    listed = [
        {"tag": "tool-bar", "name": "", "text": "", "parent": None, "attributes": {"id": "Headers"}, "states": []},
        {"tag": "label", "name": "To", "text": "x", "parent": 0, "attributes": {}, "states": ["showing"]},
    ]
    return {"path": "the elements of the screen", "elements": listed}


def test_every_list_must_find_something() -> None:
    assert elements_match(seen(), [["[attr|id=Headers]>label[name=To]"], ["gone", "label[st|showing=true]"]]).passed
    found = elements_match(seen(), [["label"], ["[attr|id=Headers]>label[name=Cc]"]])
    assert not found.passed and "name=Cc" in found.feedback[0]
    assert not elements_match({"path": "x", "elements": []}, [["label"]]).passed
