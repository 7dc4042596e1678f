"""The replay draws its signs: no font lacks them, and a screen reader is told what they mean."""

from __future__ import annotations

import re

import pytest

from proctor.web.replay.routes import STATIC

BUTTON = re.compile(r"<button([^>]*)>(.*?)</button>", re.DOTALL)
SIGNS = re.compile(r"[\u2300-\u27bf\u25a0-\u25ff\U0001f000-\U0001ffff]")
"""Technical signs, shapes, dingbats and emoji: what fonts lack."""


def test_every_button_has_a_drawing_or_plain_letters() -> None:
    buttons = BUTTON.findall((STATIC / "replay.html").read_text(encoding="utf-8"))
    assert len(buttons) == 7
    for about, inside in buttons:
        words = re.sub(r"<[^>]+>", "", inside)
        assert words.isascii()
        assert words.strip() or ("<svg" in inside and "aria-label=" in about)


@pytest.mark.parametrize("name", sorted(path.name for path in STATIC.iterdir()))
def test_no_page_and_no_script_writes_a_sign_that_a_font_may_lack(name: str) -> None:
    assert SIGNS.findall((STATIC / name).read_text(encoding="utf-8")) == []
