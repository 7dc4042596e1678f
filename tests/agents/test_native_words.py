from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from proctor.actions.action import Action, Answer, AskUser, Done, Fail
from proctor.agents.native.words import last_words, system_prompt, usual_parts
from proctor.agents.prompts import task_values
from proctor.records import Brief


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("DONE", Done()),
        ("The file is saved.\n\nDONE.", Done()),
        ("**DONE**", Done()),
        ("It is finished.", Done()),
        ("", Done()),
        ("IMPOSSIBLE", Fail()),
        ("I looked everywhere.\nIMPOSSIBLE: there is no printer", Fail(reason="there is no printer")),
        ("IMPOSSIBLE - no printer", Fail(reason="no printer")),
        ("**IMPOSSIBLE:** no printer", Fail(reason="no printer")),
        ("ANSWER: 42", Answer(text="42")),
        ("**ANSWER: 42**", Answer(text="42")),
        ("ANSWER: 3.5.", Answer(text="3.5.")),
        ("ANSWER:\none\ntwo", Answer(text="one\ntwo")),
        ("ANSWER: a ** b", Answer(text="a ** b")),
        ("QUESTION: which one?", AskUser(question="which one?")),
        ("ANSWER:", Done()),
        ("IMPOSSIBLE: at first\nbut then it worked\nDONE", Done()),
        ("I am not DONE: more to do, and it is not IMPOSSIBLE: no", Done()),
        ("impossible: in small letters it is prose", Done()),
        ("DONE with the first half", Done()),
    ],
)
def test_last_words(text: str, meant: Action) -> None:
    assert last_words(text) == meant


@example("ANSWER: 4\0 2")
@given(st.text(max_size=300) | st.from_regex(r"(DONE|ANSWER|QUESTION|IMPOSSIBLE)[:*\s].{0,40}"))
def test_any_text_has_a_meaning(text: str) -> None:
    assert isinstance(last_words(text), Done | Fail | Answer | AskUser)


def test_endless_words_are_cut() -> None:
    meant = last_words("ANSWER: " + "x" * 1_000_000)
    assert isinstance(meant, Answer)
    assert len(meant.text) == 10_000


def test_the_instructions_name_only_what_is_allowed() -> None:
    brief = Brief(instruction="Do it.", actions=("click", "done"), size=(800, 600), max_steps=7, intent="order")
    prompt = system_prompt(usual_parts(), brief, "Coordinates are pixels.", task_values(brief, (800, 600)))
    assert "DONE" in prompt
    assert "You have 7 actions." in prompt
    assert "Coordinates are pixels." in prompt
    for word in ("ANSWER", "QUESTION", "IMPOSSIBLE", "notes", "800"):
        assert word not in prompt
