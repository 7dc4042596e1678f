"""What a model is told of the past: the last turns in full, a line for everything older, pictures by their step."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.agents.messages import NOTES_CHARS, take_notes
from proctor.agents.prompted.agent import Prompted
from proctor.agents.sample import sample_brief, sample_observation
from proctor.agents.send_pictures import sending_for
from proctor.errors import SpecError
from proctor.models.model import Message, Picture
from proctor.models.past import MOST_CHARS, bounded_lines
from proctor.models.script import ScriptedModel
from proctor.records import Told

DONE = '{"type": "done"}'


def press(key: str) -> str:
    return f'{{"type": "press", "keys": "{key}"}}'


def played(*turns: tuple[str, int, tuple[Told, ...]], **options: Any) -> list[tuple[Message, ...]]:
    """Play turns of reply, steps carried out before it, and what is told with it; return what the model was sent."""
    model = ScriptedModel(replies=[reply for reply, _, _ in turns])
    agent = Prompted(model, **options)
    agent.start(sample_brief())
    for number, (_, steps, told) in enumerate(turns):
        observation = sample_observation(agent.want, told=told, steps=steps)
        if observation.screenshot is not None:
            observation.screenshot.putpixel((0, 0), (number, 0, 0))
        agent.act(observation)
    return model.asked


def text(message: Message) -> str:
    return "\n".join(part for part in message.parts if isinstance(part, str))


def shown(messages: tuple[Message, ...]) -> list[int]:
    """Return which messages of a request have a picture."""
    return [place for place, message in enumerate(messages) if any(isinstance(part, Picture) for part in message.parts)]


def test_nothing_vanishes_without_a_trace() -> None:
    asked = played(*((press(f"f{step + 1}"), step, ()) for step in range(7)), history=2)
    last = asked[-1]
    assert len(last) == 1 + 2 * 2 + 1
    before, *_ = text(last[1]).split("\n\n")
    assert before.splitlines() == [
        "What you did before the turns that follow, oldest first:",
        *(f'{step}. {{"type": "press", "keys": "f{step}"}}: carried out' for step in range(1, 5)),
    ]
    # Everything else is in the turns that are shown in full.
    everything = "\n".join(map(text, last))
    for step in range(1, 7):
        assert everything.count(f'"f{step}"') == 1


def test_only_the_newest_screen_is_the_one_now() -> None:
    for asked in played(*((press("a"), step, ()) for step in range(6)), pictures=2):
        *past, now = asked[1:]
        assert "This is the screen now" in text(now)
        assert not any("the screen now" in text(message) for message in past)
    last = asked
    assert text(last[-1]) == "This is the screen now, after step 5."
    assert [text(message) for message in last[1:-1:2]] == [
        text(last[1]),
        "This was the screen after step 3. Its picture is left out here.",
        "This was the screen after step 4.",
    ]
    assert text(last[1]).endswith("This was the screen after step 2. Its picture is left out here.")
    assert shown(last) == [5, 7]


@pytest.mark.parametrize("pictures", [1, 2, 3, 9])
def test_pictures_are_dropped_by_the_stated_rule(pictures: int) -> None:
    for turn, asked in enumerate(played(*((press("a"), step, ()) for step in range(6)), pictures=pictures)):
        assert len(shown(asked)) == min(pictures, turn + 1, 4)
        assert shown(asked)[-1] == len(asked) - 1


def test_without_history_the_list_stands_in_the_present_message() -> None:
    last = played((press("a"), 0, ()), (press("b"), 1, ()), (DONE, 2, ()), history=0)[-1]
    assert len(last) == 2
    assert '1. {"type": "press", "keys": "a"}: carried out' in text(last[1])
    assert "before now" in text(last[1])


def test_lines_say_what_came_of_each_action() -> None:
    several = f"[{press('a')}, {press('b')}, {press('c')}]"
    code = '{"type": "run_code", "code": "print(1)"}'
    turns = (
        (several, 0, ()),
        ("What?", 1, (Told("refused", "b is broken"),)),
        (code, 1, (Told("refused", "no action was found; write actions as JSON"),)),
        ('{"type": "ask_user", "question": "Who?"}', 2, (Told("output", "1\n"),)),
        (DONE, 2, (Told("reply", "Ada"),)),
        (DONE, 2, (Told("feedback", "the file is missing"),)),
    )
    last = played(*turns, history=0)[-1]
    lines = text(last[1]).split("\n\n")[0].splitlines()[1:]
    assert lines[:3] == [
        '1. {"type": "press", "keys": "a"}: carried out',
        '- {"type": "press", "keys": "b"}: not carried out, b is broken',
        '- {"type": "press", "keys": "c"}: not carried out',
    ]
    assert lines[3].startswith("- (not understood: no action was found;")
    assert lines[4] == f"2. {code}: printed 1"
    assert lines[5] == '- {"type": "ask_user", "question": "Who?"}: your user answered Ada'
    assert lines[6] == f"- {DONE}: not finished yet, the file is missing"


def test_a_step_that_changed_nothing_says_so() -> None:
    model = ScriptedModel(replies=[press("a"), DONE])
    agent = Prompted(model, history=0)
    agent.start(sample_brief())
    agent.act(sample_observation(steps=0))
    agent.act(sample_observation(steps=1))
    assert "carried out, and nothing changed on the screen" in text(model.asked[1][1])


def test_where_nobody_counts_the_steps_are_counted_here() -> None:
    model = ScriptedModel(replies=[press("a"), press("b"), DONE])
    agent = Prompted(model)
    agent.start(sample_brief())
    for told in ((), (), (Told("refused", "no"),)):
        agent.act(dataclasses.replace(sample_observation(told=told), steps=None))
    assert [text(asked[-1]).rpartition("now, ")[2] for asked in model.asked] == [
        "at the start.", "after step 1.", "after step 1.",
    ]  # fmt: skip


@given(st.lists(st.text(max_size=500), max_size=200))
def test_the_list_is_bounded_and_says_what_it_leaves_out(lines: list[str]) -> None:
    found = bounded_lines(lines)
    assert len(found) <= MOST_CHARS + 100
    if sum(len(line) + 1 for line in lines) <= MOST_CHARS:
        assert found == "\n".join(lines)
    else:
        assert "earlier lines are left out" in found


def test_steps_left_are_told_on_request() -> None:
    first, second = played((press("a"), 0, ()), (DONE, 1, ()), steps_left=True)
    assert "Steps left: 15 of 15." in text(first[-1])
    assert "Steps left: 14 of 15." in text(second[-1])
    assert "Steps left" not in text(second[1])
    assert "Steps left" not in text(played((DONE, 0, ()))[0][-1])


def test_notes_come_back_until_they_are_replaced() -> None:
    noted = f"<notes>The name is Ada.</notes>\n{press('a')}"
    asked = played((noted, 0, ()), (press("b"), 1, ()), (f"<notes>x</notes>{DONE}", 2, ()), (DONE, 2, ()), notes=True)
    assert "<notes>" in text(asked[0][0])
    assert ["Your notes:\nThe name is Ada." in text(each[-1]) for each in asked] == [False, True, True, False]
    assert "Your notes:\nx" in text(asked[3][-1])
    assert "notes" not in text(played((DONE, 0, ()))[0][0])


def test_without_the_option_notes_are_part_of_the_reply() -> None:
    asked = played((f"<notes>Ada</notes>{DONE}", 0, ()), (DONE, 0, ()))
    assert "Your notes" not in text(asked[1][-1])


def test_notes_are_bounded() -> None:
    rest, notes = take_notes(f"a<notes>{'x' * 10_000}</notes>b")
    assert rest == "ab"
    assert notes is not None
    assert len(notes) < NOTES_CHARS + 10
    assert take_notes("<notes>never closed") == ("<notes>never closed", None)


def test_what_suits_each_provider() -> None:
    assert sending_for("anthropic/x", None).fit == (1280, 800)
    assert sending_for("gemini/x", None).pictures == 3
    assert sending_for("openai/x", "http://localhost:1/v1").fit is None
    assert sending_for("openai/x", None, size="full").fit is None
    assert sending_for("openai/x", None, size="800x600", form="jpeg", pictures=1).fit == (800, 600)
    for wrong in ({"size": "big"}, {"pictures": 0}):
        with pytest.raises(SpecError):
            sending_for("openai/x", None, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("form", "magic"), [("png", b"\x89PNG"), ("jpeg", b"\xff\xd8"), ("webp", b"RIFF")])
def test_pictures_come_in_the_format_that_was_asked_for(form: str, magic: bytes) -> None:
    ((_, now),) = played((DONE, 0, ()), picture_format=form)
    (picture,) = [part for part in now.parts if isinstance(part, Picture)]
    assert picture.data.startswith(magic)
    assert picture.media == f"image/{form}"
