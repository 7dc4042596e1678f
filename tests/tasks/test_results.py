"""Results of programs, letters in files, filters of mail, YAML, players and windows: one right, one nearly."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.tasks.findings import CannotSee, Finding
from proctor.vocabulary.apps.players import checks as players
from proctor.vocabulary.desktop.checks.screen import window_fills_screen
from proctor.vocabulary.formats.data.parse_yaml import yaml_data
from proctor.vocabulary.formats.databases.checks import query_holds
from proctor.vocabulary.formats.letters import checks as letters
from proctor.vocabulary.formats.letters.parse import letter
from proctor.vocabulary.formats.letters.parse_mbox import mbox_letters
from proctor.vocabulary.formats.text import checks_of_results as results


def said(text: str) -> Any:
    return {"path": "out", "text": text}


ACCOUNTS = "url,user\nimap://a.example,me\nsmtp://a.example,me\n"
PAGE = "<p class='x'>Hello <b>you</b></p>"
FILTERS = """version="9"
logging="no"
name="sales"
enabled="yes"
type="17"
action="Move to folder"
actionValue="mailbox://nobody@Local%20Folders/Promotions"
condition="AND (subject,contains,discount) AND (from,contains,\\"a (b)\\")"
name="on"
enabled="no"
action="Forward"
actionValue="me@b.example"
condition="ALL"
"""
MOVE = {
    "enabled": "yes", "action": "Move to folder",
    "condition": ['AND (from,contains,"a (b)")', "AND (subject,contains,discount)"],
}  # fmt: skip


def mail(*subjects: str, status: str = "0001", extra: str = "") -> Any:
    held = "".join(
        f"From - Thu Nov 19 2026\r\nX-Mozilla-Status: {status}\r\nMessage-ID: <{each}@x>\r\n"
        f"From: a@b.example\r\nTo: c@d.example\r\nSubject: {each}\r\n\r\nHello {each}\r\n>From here\r\n\r\n"
        for each in subjects
    )
    return mbox_letters((held + extra).encode(), "Bills")


def one(text: str = "Come at ten.", to: str = "user@localhost") -> Any:
    data = (
        f"From: a@b.example\nTo: {to}\nSubject: Meeting\nMIME-Version: 1.0\n"
        "Content-Type: multipart/mixed; boundary=x\n\n"
        f"--x\nContent-Type: text/plain\n\n{text}\n--x\nContent-Type: application/pdf\n"
        "Content-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=a.pdf\n\neA==\n--x--\n"
    )
    return letter(data.encode())


FILE = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
"""The SHA-256 of an x."""


def vlc(**settings: str) -> Any:
    return {"path": "vlcrc", "settings": {name.replace("_", "-"): value for name, value in settings.items()}}


def plays(file: str, state: str = "playing") -> Any:
    return {"player": "vlc", "file": file, "state": state}


def shown(*box: int, minimised: bool = False, app: str = "vlc") -> Any:
    return {"windows": [{"title": "a", "app": app, "box": list(box), "active": True, "minimised": minimised}]}


SCREEN = {"path": "the screen", "width": 1920, "height": 1080}
SLIDER, BRIGHT = "qt-slider-colours", "153;210;153;20;210;20"


@pytest.mark.parametrize(
    ("finding", "right"),
    [
        (results.same_without_blanks(said("a = [1,\n 2]"), said("a=[1,2]")), True),
        (results.same_without_blanks(said("a = [1, 3]"), said("a=[1,2]")), False),
        (results.same_result(said("12.50001\n"), said("12.5")), True),
        (results.same_result(said("The price is 12.5"), said("12.5")), True),
        (results.same_result(said("12.5 or 13"), said("12.5")), False),
        (results.same_result(said("112.5"), said("12.5")), False),
        (results.same_result(said("yes"), said("yes\n")), True),
        (results.same_result(said("no"), said("yes")), False),
        (results.printed_rows_agree(said(ACCOUNTS), [{"url": "imap://a.example", "user": "me"}], None), True),
        (results.printed_rows_agree(said(ACCOUNTS), None, [{"url": "imap://a.example"}]), False),
        (results.printed_rows_agree(said(ACCOUNTS), [{"user": "you"}], None), False),
        (results.printed_rows_agree(said(""), None, [{"user": "you"}]), True),
        (results.one_item(said('[{"a": 1}, {"a": 2}]'), {"a": 2}), True),
        (results.one_item(said('[{"a": 1}, {"a": 2}]'), {"a": 3}), False),
        (results.one_item(said("first\nsecond line"), pieces=["line", "sec"]), True),
        (results.one_item(said("first\nsecond line"), pieces=["line", "first"]), False),
        (results.list_is(said('["A", 2]'), ["a", "2"], case=False), True),
        (results.list_is(said('["A", 2]'), ["a", "2"]), False),
        (results.list_is(said("nothing"), []), False),
        (results.same_html(said("<p  class=x>\n Hello <b>you</b>\n</p>"), said(PAGE)), True),
        (results.same_html(said("<p class='y'>Hello <b>you</b></p>"), said(PAGE)), False),
        (results.same_html(said(f"{PAGE}<p>More</p>"), said(PAGE)), False),
        (letters.mail_filters_agree(said(FILTERS), [MOVE]), True),
        (letters.mail_filters_agree(said(FILTERS), [{**MOVE, "condition": ["ALL"]}]), False),
        (letters.mail_filters_agree(said(FILTERS), [{"action": "Forward", "enabled": "yes"}]), False),
        (letters.mail_filters_agree(said(FILTERS), None, [{"action": "Forward", "condition": ["ALL"]}]), False),
        (letters.mail_filters_agree(said("version"), None, [{"action": "Forward"}]), True),
        (letters.same_letters_kept(mail("a", "b"), mail("b", "a")), True),
        (letters.same_letters_kept(mail("a"), mail("b", "a")), False),
        (letters.same_letters_kept(mail("a", "b", "c"), mail("b", "a")), False),
        (letters.same_letters_kept(mail("a", "a"), mail("a")), True),
        (letters.same_letters_kept(mail("a", "a"), mail("a"), twice=True), False),
        (letters.same_letters_kept(mail("a", status="0009"), mail()), True),
        (letters.same_letters_kept(mail("a", status="0009"), mail(), struck=True), False),
        (letters.letter_reads(one(), "USER@localhost", "Meeting", "Come at ten.", files=[FILE]), True),
        (
            letters.letter_reads(one("Please  come\nat ten. Bye"), body="come at ten.", how="contains", blanks=False),
            True,
        ),
        (letters.letter_reads(one(), body="Come at nine."), False),
        (letters.letter_reads(one(), to="other@localhost"), False),
        (letters.letter_reads(one(), files=[]), False),
        (query_holds({"path": "a", "rows": [[1]]}), True),
        (query_holds({"path": "a", "rows": [[0]]}), False),
        (query_holds({"path": "a", "rows": [[None]]}), False),
        (query_holds({"path": "a", "rows": []}), False),
        (players.playing_address(plays("https://a.example/x/master.m3u8"), "https://a.example/x/master.m3u8"), True),
        (players.playing_address(plays("https://a.example/x/other.m3u8"), "https://a.example/x/master.m3u8"), False),
        (players.playing_address(plays("https://a.example/x.m3u8", "paused"), "https://a.example/x.m3u8"), False),
        (players.colours_dark(vlc(qt_slider_colours="10;20;30;0;0;99"), SLIDER, BRIGHT), True),
        (players.colours_dark(vlc(qt_slider_colours="10;20;30;0;0;190"), SLIDER, BRIGHT), False),
        (players.colours_dark(vlc(), SLIDER, BRIGHT), False),
        (players.player_setting_made(vlc(global_key="Space"), "global-key"), True),
        (players.player_setting_made(vlc(), "global-key"), False),
        (players.player_setting_made(vlc(), "global-key", made=False), True),
        (window_fills_screen(shown(0, 0, 1920, 1080), SCREEN, "vlc"), True),
        (window_fills_screen(shown(0, 24, 1920, 1056), SCREEN, "vlc"), False),
        (window_fills_screen(shown(0, 0, 1920, 1080, minimised=True), SCREEN, "vlc"), False),
        (window_fills_screen(shown(0, 0, 1920, 1080, app="gimp"), SCREEN, "vlc"), False),
    ],
)
def test_results(finding: Finding, right: bool) -> None:
    assert finding.passed is right, finding.feedback
    assert right or finding.feedback


def test_shares() -> None:
    assert results.text_near(said("abcd\n"), "abcd").score == 1
    assert results.text_near(said("abcx"), "abcd").score == 0.75


def test_what_mail_programs_quote_is_a_line_of_the_letter() -> None:
    assert "From here" in mail("a")["letters"][0]["text"]
    assert mbox_letters(b"", "Bills")["letters"] == []
    with pytest.raises(CannotSee):
        mbox_letters(b"no letters", "Bills")


def test_yaml_is_plain_data() -> None:
    data = b"base: &b {x: 1}\nuse:\n  <<: *b\n  day: 2020-01-02\n  3: [yes, .inf, null]\n"
    assert yaml_data(data, "a")["data"] == {
        "base": {"x": 1},
        "use": {"x": 1, "day": "2020-01-02", "3": [True, "inf", None]},
    }


BOMB = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9))


@pytest.mark.parametrize(
    "text", ["a: [", "!!python/object/apply:os.system ['true']", BOMB, "&a [*a]", "[" * 5000, "a: 1\n---\nb: 2"]
)
def test_yaml_that_does_more_is_refused(text: str) -> None:
    with pytest.raises(CannotSee):
        yaml_data(text.encode(), "a")
