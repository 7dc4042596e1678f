"""What the providers' tools and the languages of calls refuse: each by the words that help a model to put it right."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from proctor.actions import action as act
from proctor.actions.action import Action
from proctor.actions.dialects import open_dialect
from proctor.actions.dialects.dialect import Look
from proctor.actions.dialects.reply import MAX_FENCES, special, special_lines, take_apart, without_special_lines
from proctor.actions.dialects.translation import MAX_ACTIONS, bare
from tests.actions.dialects.samples import HALF, SAME, fenced, refused, understood, vendor_dialect


def called(name: str, data: Any) -> list[Action]:
    return understood(vendor_dialect(name).read_call(data, SAME))


def refusal(name: str, data: Any) -> str:
    return refused(vendor_dialect(name).read_call(data, SAME))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"action": "left_click", "coordinate": [1]}, "a pair [x, y]"),
        ({"action": "left_click", "coordinate": ["a", 1]}, "coordinate is 'a'"),
        ({"action": "mouse_move"}, "lacks 'coordinate'"),
        ({"action": "left_click_drag", "start_coordinate": [1, 2]}, "lacks 'coordinate'"),
        ({"action": "scroll", "coordinate": [1, 2]}, "no direction to scroll"),
        ({"action": "scroll", "scroll_direction": "down"}, "lacks 'scroll_amount'"),
        ({"action": "scroll", "scroll_direction": "in", "scroll_amount": 1}, "no direction to scroll"),
        ({"action": "key"}, "lacks 'text'"),
        ({"action": "key", "text": "nokey"}, "unknown key 'nokey'"),
        ({"action": "key", "text": "a", "repeat": 0}, "repeat is 0"),
        ({"action": "key", "text": "a", "repeat": 101}, "from 1 to 100"),
        ({"action": "type"}, "lacks 'text'"),
        ({"action": "type", "text": ["a"]}, "it must be a text"),
        ({"action": "wait", "duration": "long"}, "duration is 'long'"),
        ({"action": "wait", "duration": 61}, "seconds=61"),
        ({"action": "zoom"}, "lacks 'region'"),
        ({"action": "zoom", "region": [1, 2, 3]}, "the region of zoom"),
        ({"action": "fly"}, "unknown action 'fly'"),
        ({"action": None}, "unknown action 'None'"),
        ({"name": "computer", "input": 7}, "the input is 7"),
        ([], "the call is []"),
    ],
)
def test_anthropic_calls_are_refused_with_a_reason(data: Any, said: str) -> None:
    assert said in refusal("anthropic", data)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"type": "click"}, "x is None"),
        ({"type": "click", "x": 1, "y": "b"}, "y is 'b'"),
        ({"type": "click", "x": 1, "y": 1, "button": "nose"}, "button is 'nose'"),
        ({"type": "click", "x": 1, "y": 1, "keys": ["nokey"]}, "unknown key 'nokey'"),
        ({"type": "drag", "path": []}, "the path of a drag is empty"),
        ({"type": "drag"}, "lacks 'path'"),
        ({"type": "drag", "path": [[1]]}, "a pair [x, y]"),
        ({"type": "keypress"}, "must not be empty"),
        ({"type": "type"}, "lacks 'text'"),
        ({"type": "scroll", "x": 1, "y": 1, "scroll_y": "much"}, "scroll_y is 'much'"),
        ({"type": "fly"}, "unknown action type 'fly'"),
        ({"actions": [{"type": "wait"}, 7]}, "an action is 7"),
        ({"actions": [{"type": "wait"}] * (MAX_ACTIONS + 1)}, "more than"),
        (7, "the call is 7"),
    ],
)
def test_openai_calls_are_refused_with_a_reason(data: Any, said: str) -> None:
    assert said in refusal("openai", data)


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("click_at", {}, "lacks 'x'"),
        ("click_at", {"x": 1}, "lacks 'y'"),
        ("drag_and_drop", {"x": 1, "y": 1, "destination_x": 2}, "lacks 'destination_y'"),
        ("drag_and_drop", {"start_x": 1}, "lacks"),
        ("scroll_at", {"x": 1, "y": 1}, "there is no direction"),
        ("scroll", {"direction": "in"}, "there is no direction"),
        ("scroll_document", {"direction": 7}, "there is no direction"),
        ("type_text_at", {"x": 1, "y": 1}, "lacks 'text'"),
        ("key_combination", {}, "lacks 'keys'"),
        ("hotkey", {"keys": ["ctrl", "nokey"]}, "unknown key"),
        ("press_key", {}, "lacks 'key'"),
        ("move", {}, "lacks 'x'"),
        ("navigate", {"url": "x"}, "not available on a desktop"),
        ("fly", {}, "unknown function 'fly'"),
        ("click_at", {"x": 1, "y": 1, "safety_decision": {"decision": "blocked"}}, "blocked by the provider"),
        (7, {}, "the call has no name"),
        ("click_at", 7, "args is 7"),
    ],
)
def test_gemini_calls_are_refused_with_a_reason(name: Any, arguments: Any, said: str) -> None:
    assert said in refusal("gemini", {"name": name, "args": arguments})


@pytest.mark.parametrize(
    ("name", "data", "look"),
    [
        ("anthropic", {"action": "screenshot"}, Look(kind="screenshot")),
        ("anthropic", {"action": "cursor_position"}, Look(kind="pointer")),
        ("anthropic", {"action": "zoom", "region": [0, 1, 2, 3]}, Look(kind="zoom", region=(0, 1, 2, 3))),
        ("openai", {"type": "screenshot"}, Look(kind="screenshot")),
        ("gemini", {"name": "take_screenshot"}, Look(kind="screenshot")),
    ],
)
def test_a_model_may_only_look(name: str, data: Any, look: Look) -> None:
    reading = vendor_dialect(name).read_call(data, SAME)
    assert (reading.actions, reading.looks, reading.problem) == ((), (look,), "")


def test_looks_know_what_goes_before_them() -> None:
    batch = {"actions": [{"type": "wait"}, {"type": "screenshot"}, {"type": "wait"}, {"type": "screenshot"}]}
    reading = vendor_dialect("openai").read_call(batch, SAME)
    assert [look.after for look in reading.looks] == [1, 2]
    assert called("anthropic", {"action": "key", "text": "a", "repeat": 3}) == [act.Press(keys="a")] * 3


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("click('9')", "there is no element 9; the nearest: 12, 3"),
        ("click('x')", "there is no element with the bid 'x'"),
        ("click()", "missing a required argument"),
        ("click('3', colour='red')", "unexpected keyword"),
        ("mouse_click(1, 'a')", "y is 'a'"),
        ("scroll('far', 0)", "delta_x is 'far'"),
        ("tab_focus(9)", "tab 9 cannot be reached"),
        ("select_option('3', ['a', 'b'])", "one option at a time"),
        ("upload_file('3', 'x')", "is not possible here"),
        ("keyboard_press('nokey')", "unknown key"),
        ("fly()", "unknown function 'fly'"),
        ("click(bid)", "takes plain values"),
        ("click(**{})", "name each argument"),
        ("x = 1", "is not a call"),
        ("a.b()", "is not a call of a known function"),
        ("click('3'", "the calls cannot be parsed"),
    ],
)
def test_browsergym_calls_are_refused_with_a_reason(call: str, said: str) -> None:
    assert said in refused(open_dialect("browsergym").read(fenced(call), HALF))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("click(start_box='here')", "the place 'here' of click is not understood"),
        ("drag(start_box='')", "drag lacks its place"),
        ("scroll(start_box='(1,2)', direction='in')", "scroll lacks its place or direction"),
        ("hotkey(key='ctrl nokey')", "unknown key"),
        ("type(content='never closed)", "content of type is not closed"),
        ("click(colour='red')", "the arguments of click cannot be parsed"),
        ("fly()", "unknown action 'fly'"),
        ("hover()", "hover lacks its place"),
    ],
)
def test_ui_tars_calls_are_refused_with_a_reason(call: str, said: str) -> None:
    assert said in refused(open_dialect("ui_tars").read(f"Thought: so.\nAction: {call}", SAME))


words = some.sampled_from(["DONE", "FAIL", "WAIT", "CALL_USER"])


@given(
    word=words,
    before=some.sampled_from(["", "**", "> ", "- ", "Action: ", "`"]),
    after=some.sampled_from(["", "**", "()", "`", ".", "!"]),
)
def test_special_words_stand_alone(word: str, before: str, after: str) -> None:
    kinds = {"DONE": "done", "FAIL": "fail", "WAIT": "wait", "CALL_USER": "ask_user"}
    found = special(f"{before}{word}{after}")
    assert found is not None and found.kind == kinds[word]
    assert special(f"{before}{word} for the page") is None
    assert special(f"I am {word}") is None


@given(word=words)
def test_in_the_midst_of_a_text_they_are_written_large(word: str) -> None:
    assert special(word, alone=False) is not None
    assert special(word.lower(), alone=False) is None
    assert special(f"{word}.", alone=False) is None
    assert special(f"Action: {word.lower()}", alone=False) is not None
    text = f"first\n{word}\nlast"
    assert [action.kind for action in special_lines(text)] == [special(word).kind]  # type: ignore[union-attr]
    assert without_special_lines(text) == "first\nlast"


@given(
    some.lists(
        some.tuples(some.sampled_from(["python", "json", "bash"]), some.text("ab c(1)", min_size=1, max_size=9)),
        max_size=4,
    )
)
def test_fences_are_found_with_their_labels(fences: list[tuple[str, str]]) -> None:
    wanted = [(label, body.strip()) for label, body in fences if body.strip()]
    reply = "\n".join(f"words\n{fenced(body, label)}" for label, body in wanted)
    found = take_apart(reply)
    assert [(fence.label, fence.body.strip()) for fence in found.fences] == wanted
    assert found.prose.split() == ["words"] * len(wanted)


def test_there_are_not_too_many_fences() -> None:
    assert len(take_apart("```a```\n" * (MAX_FENCES + 5)).fences) == MAX_FENCES


@pytest.mark.parametrize("tag", ["think", "thinking", "reasoning", "thought", "analysis"])
def test_reasoning_is_told_apart(tag: str) -> None:
    parts = take_apart(f"<{tag}>I wonder\n```python\nx\n```</{tag}>\nso")
    assert (parts.prose, parts.fences) == ("so", ())
    assert "I wonder" in parts.thinking
    assert take_apart(f"still wondering</{tag}>\nso").prose == "so"


@given(some.text(some.characters(), max_size=80))
def test_any_reply_can_be_taken_apart(reply: str) -> None:
    parts = take_apart(reply)
    assert len(parts.prose) <= len(reply)
    assert bare(list(special_lines(reply))) == bare(list(special_lines(reply)))
