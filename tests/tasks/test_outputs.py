"""Checks to the letter: texts, what commands print, structured data by rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from pydantic import ValidationError

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.findings import Finding
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.apps.browsers.checks import addresses_lack
from proctor.vocabulary.apps.players.checks import playing_file_named
from proctor.vocabulary.desktop.checks.combine import mean_of
from proctor.vocabulary.desktop.probes.programs import output
from proctor.vocabulary.desktop.setup import elsewhere
from proctor.vocabulary.formats.data import checks_of_rules as data
from proctor.vocabulary.formats.data.checks_of_rules import KeyRule
from proctor.vocabulary.formats.rules import ValueRule
from proctor.vocabulary.formats.text import checks as text


def said(content: str) -> dict[str, str]:
    return {"path": "a.txt", "text": content}


@pytest.mark.parametrize(
    ("finding", "right"),
    [
        (text.output_is(said("1\n"), "1"), True),
        (text.output_is(said("1"), "1\n"), True),
        (text.output_is(said("1\n\n"), "1"), False),
        (text.output_is(said(" 1 "), "1"), False),
        (text.output_is(said(" 1 "), "1", strip=True), True),
        (text.output_is(said("11"), "1", strip=True), False),
        (text.output_among(said("b\n"), ["a", "b"]), True),
        (text.output_among(said("c"), ["a", "b"]), False),
        (text.text_includes(said("one two"), every=["one"], none=["three"]), True),
        (text.text_includes(said("one two"), every=["one", "three"]), False),
        (text.text_includes(said("one two"), none=["two"]), False),
        (text.lines_match(said("a=1\nb=2\n"), every=["^b=", "1$"], none=["^c"]), True),
        (text.lines_match(said("a=1\nb=2\n"), every=["a.*2"]), False),
        (text.lines_match(said("a=1\n"), none=[".+"]), False),
        (text.lines_match(said(""), none=[".+"]), True),
        (text.same_letters(said("a  b"), said("a b")), False),
        (text.same_letters(said("a  b\n"), said("a b"), blanks=False), True),
        (text.same_letters(said("A"), said("a"), case=False), True),
        (text.same_letters(said("a\r\n"), said("a\n")), True),
        (text.same_lines(said("a\nb\n"), said("a\nb")), True),
        (text.same_lines(said("b\na"), said("a\nb")), False),
        (text.same_lines(said("a \n\nb"), said("a\nb")), False),
        (text.same_lines(said("a \n\nb"), said("a\nb"), strict=False), True),
        (text.same_lines(said("A"), said("a"), case=False), True),
        (text.output_has(said('{"a": 1, "b": "xyz"}'), {"a": 1}), True),
        (text.output_has(said("{'a': 1}"), {"a": 1}), True),
        (text.output_has(said('{"a": 2}'), {"a": 1}), False),
        (text.output_has(said('{"b": "xyz"}'), {"b": "y"}, within=True), True),
        (text.output_has(said('{"b": "xyz"}'), {"b": ["q", "z"]}, within=True), True),
        (text.output_has(said("{}"), {"b": "y"}, within=True), False),
        (text.output_has(said("__import__('os')"), {"a": 1}), False),
        (text.output_items(said("['b', 'a']\n"), ["a", "b"]), True),
        (text.output_items(said("['b']"), ["a", "b"]), False),
        (text.output_items(said("(" * 9000), ["a"]), False),
        (text.output_above(said("1.25\n"), 1.0), True),
        (text.output_above(said("1.0"), 1.0), False),
        (text.output_above(said("nan?"), 1.0), False),
        (text.says_something(said("x")), True),
        (text.says_something(said(" \n")), False),
        (text.count_of_lines(said("10:00:00 x\nno\n11:00:00 y"), r"\d{2}:\d{2}:\d{2}", 2), True),
        (text.count_of_lines(said("10:00:00 x"), r"\d{2}:\d{2}:\d{2}", 2), False),
        (addresses_lack({"urls": ["http://news.example/a"]}, ["tube"]), True),
        (addresses_lack({"urls": ["http://YouTube.example/a"]}, ["youtube"]), False),
        (playing_file_named({"player": "vlc", "file": "/home/user/a.mp4", "state": "playing"}, "a.mp4"), True),
        (playing_file_named({"player": "vlc", "file": "/home/user/a.mp4", "state": "paused"}, "a.mp4"), False),
        (playing_file_named({"player": "vlc", "file": None, "state": "stopped"}, "a.mp4"), False),
    ],
)
def test_texts_to_the_letter(finding: Finding, right: bool) -> None:
    assert finding.passed is right
    assert right or finding.feedback


def test_text_like_tells_the_share() -> None:
    assert text.text_like(said("a\nb"), said("a\nb")).score == 1.0
    assert text.text_like(said("a\nb\nc\nd"), said("a\nb\nc\ne")).score == pytest.approx(0.75)
    assert text.text_like(said("x"), said("y")).score == 0.0


def test_the_mean_is_nothing_where_one_gives_nothing() -> None:
    scores = (1.0, 0.5)
    assert mean_of([Finding(score) for score in scores]).score == 0.75
    assert mean_of([Finding(1.0), Finding(1.0)]).score == 1.0
    assert mean_of([Finding(1.0), Finding(0.0, ("no",))]).score == 0.0


@pytest.mark.parametrize(
    ("method", "ref", "value", "holds"),
    [
        ("eq", 3, 3.0, True),
        ("eq", [1, 2], (1, 2), True),
        ("ne", 3, 4, True),
        ("lt", 3, 2, True),
        ("ge", 3, 3, True),
        ("gt", 3, None, False),
        ("gt", 3, "x", False),
        ("re", "^a.c$", "abc", True),
        ("re.I", "ABC", "abc", True),
        ("re.S.I", "a.C", "a\nc", True),
        ("re", "(", "x", False),
        ("approx:0.1", 1.0, 1.05, True),
        ("approx:0.1", 1.0, 1.2, False),
        ("range.te", [1, 3], 3, True),
        ("range.te", [1, 3], 1, False),
        ("str_list_eq", ["a", "b"], "a, b", True),
        ("str_set_eq", ["a", "b"], ["b", "a"], True),
        ("spreadsheet_range", ["D2:D29"], "$D$2:$D$29", True),
    ],
)
def test_rules_for_one_value(method: str, ref: Any, value: Any, holds: bool) -> None:
    assert ValueRule(method=method, ref=ref).holds(value) is holds


@pytest.mark.parametrize("method", ["re.Q", "like", "range", "range.xx", ""])
def test_rules_that_are_none_are_refused(method: str) -> None:
    with pytest.raises(ValidationError, match="there is no method"):
        ValueRule(method=method, ref=1)


@given(some.sampled_from(["eq", "lt", "re", "approx:1", "range.tt", "str_set_eq", "spreadsheet_range"]), some.data())
def test_a_rule_never_raises(method: str, drawn: some.DataObject) -> None:
    value = some.none() | some.booleans() | some.floats() | some.text() | some.lists(some.integers() | some.text())
    assert ValueRule(method=method, ref=drawn.draw(value)).holds(drawn.draw(value)) in (True, False)


PREFS = 'user_pref("mail.sig", "Anonym\\nXYZ");\nuser_pref("a.b", true);\n// user_pref("c", 1);\n'


@pytest.mark.parametrize(
    ("finding", "right"),
    [
        (data.json_includes({"path": "a", "data": {"x": 1, "y": 2}}, {"x": 1}), True),
        (data.json_includes({"path": "a", "data": {"x": 2}}, {"x": 1}), False),
        (data.json_includes({"path": "a", "data": {}}, {"x": None}), False),
        (data.json_includes({"path": "a", "data": {"x": {"y": True, "z": 1}}}, {"x": {"y": True}}), True),
        (data.json_includes({"path": "a", "data": {"x": {"z": 1}}}, {"x": {"y": True}}), False),
        (data.json_includes({"path": "a", "data": {"x": 1}}, {"x": True}), False),
        (data.json_includes({"path": "a", "data": []}, {"x": 1}), False),
        (data.json_lists({"path": "a", "data": [{"key": "f"}]}, {"key": "f"}), True),
        (data.json_lists({"path": "a", "data": {}}, {"key": "f"}), False),
        (
            data.json_agrees(
                {"path": "a", "data": {"x": [{"y": 3}]}}, [KeyRule(key=["x", 0, "y"], method="eq", ref=3)]
            ),
            True,
        ),
        (data.json_agrees({"path": "a", "data": {"x": 1}}, [KeyRule(key=["x", "y"], method="eq", ref=3)]), False),
        (data.json_agrees({"path": "a", "data": {"x": 1}}, unexpect=[KeyRule(key=["x"], method="eq", ref=1)]), False),
        (data.rows_agree({"path": "a", "rows": [["k", "v"], ["a", "1"]]}, [{"k": "a"}], [{"v": "2"}]), True),
        (data.rows_agree({"path": "a", "rows": [["k", "v"], ["a", "1"]]}, [{"k": "b"}]), False),
        (data.rows_agree({"path": "a", "rows": []}, unexpect=[{"k": "b"}]), True),
        (data.same_sections({"path": "a", "sections": {"x": {"k": "1"}}}, {"sections": {"x": {"k": "1"}}}), True),
        (data.same_sections({"path": "a", "sections": {"x": {"k": "1"}}}, {"sections": {"x": {"k": "2"}}}), False),
        (data.prefs_agree(said(PREFS), {"mail.sig": ValueRule(method="re.S", ref="Anonym\nXYZ")}), True),
        (data.prefs_agree(said(PREFS), {"c": ValueRule(method="eq", ref=1)}), False),
        (data.prefs_agree(said(PREFS), unexpect={"a.b": ValueRule(method="eq", ref=True)}), False),
    ],
)
def test_data_by_rules(finding: Finding, right: bool) -> None:
    assert finding.passed == right


def test_what_a_command_prints_is_told() -> None:
    with FakeComputer() as computer:
        computer.write_file("a.txt", b"hello\n")
        seen = output(ProbeContext(computer), ["cat", "a.txt"])
        assert (seen["text"], seen["code"]) == ("hello\n", 0)
        assert output(ProbeContext(computer), ["cat", "none.txt"], stream="error")["text"]


def test_steps_of_other_desktops() -> None:
    with FakeComputer() as computer:
        context = SetupContext(computer)
        elsewhere.data_file(context, "b.bin", "AAEC")
        assert computer.read_file("b.bin") == b"\0\1\2"
        before = [window.title for window in computer.windows()]
        elsewhere.bring_forward(context, "No such window", whole=True)
        elsewhere.close_if_open(context, "No such window")
        assert [window.title for window in computer.windows()] == before
        elsewhere.actions(context, [{"type": "press", "keys": "Escape"}])
        assert computer.history


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("data_file", {"path": "a", "base64": "§"}),
        ("actions", {"actions": [{"type": "done"}]}),
        ("actions", {"actions": [{"type": "jump"}]}),
        ("actions", {"actions": []}),
        ("open_tabs", {"urls": []}),
    ],
)
def test_steps_that_make_no_sense_are_refused(name: str, arguments: dict[str, Any]) -> None:
    from proctor.errors import SpecError
    from proctor.tasks.shelves import make

    with pytest.raises(SpecError):
        getattr(make, name)(**arguments)
