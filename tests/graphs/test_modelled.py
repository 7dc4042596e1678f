"""Instructions by a model: used when they are found to mean what is meant, and replaced when not."""

from __future__ import annotations

import json

import pytest

from proctor.errors import ModelError
from proctor.graphs.language.modelled import described, infer_with, realise_with
from proctor.graphs.language.realise import realise
from proctor.models.script import ScriptedModel
from tests.graphs.test_realise import POOL, joined
from tests.graphs.test_validate import JOINED

FREE = (
    "Could you get the bake sale mail out? Priya Quinn needs sale.zip under the subject All of it, with "
    "Pictures/one.png (Pictures/map.png, 320 wide) and Pictures/two.png (Pictures/team.jpg, 320 wide) inside."
)
RIGHT = json.dumps({"a": [], "b": [], "c": ["a", "b"], "d": ["c"]})
WRONG = json.dumps({"a": [], "b": ["a"], "c": ["a", "b"], "d": ["c"]})


def test_a_text_that_the_rules_can_read_needs_no_judge() -> None:
    model = ScriptedModel(replies=[JOINED])
    made = realise_with(model, joined(), POOL)
    assert (made.text, made.author, len(made.calls)) == (JOINED, "scripted/list", 1)


def test_other_words_are_judged_by_a_model() -> None:
    model, judge = ScriptedModel(replies=[FREE]), ScriptedModel(replies=[RIGHT])
    made = realise_with(model, joined(), POOL, judge=judge)
    assert (made.text, made.author, len(made.calls)) == (FREE, "scripted/list", 2)
    (asked,) = judge.asked
    question = str(asked[1].parts[0])
    assert FREE in question
    assert "some file" in question.split("The pieces of work:")[1], "the list does not say where things come from"


def test_what_does_not_validate_is_asked_for_again_with_the_faults() -> None:
    model, judge = ScriptedModel(replies=[FREE, JOINED]), ScriptedModel(replies=[WRONG])
    made = realise_with(model, joined(), POOL, judge=judge)
    assert made.text == JOINED
    assert "edge added: a before b" in str(model.asked[1][-1].parts[0])


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("Do what you like.", "value"),
        (FREE.replace("320 wide) and", "wide) and").replace("320", "3"), "value"),
        ("", "unread"),
        ({"text": JOINED, "finish": "refusal"}, "unread"),
    ],
)
def test_the_realiser_writes_where_the_model_fails(reply: object, kind: str) -> None:
    model = ScriptedModel(replies=[reply], repeat=True)  # type: ignore[list-item]
    made = realise_with(model, joined(), POOL, tries=2)
    assert (made.text, made.author, len(made.calls)) == (realise(joined(), POOL), "", 2)
    assert made.faults[0].kind == kind


@pytest.mark.parametrize(
    "answer",
    ["I cannot tell", "{", "[]", '{"a": "b"}', '{"a": ["z"]}', '{"z": []}', '{"a": [1]}', "{" * 5000 + "}" * 5000],
)
def test_an_answer_that_cannot_be_read_proves_nothing(answer: str) -> None:
    read = infer_with(ScriptedModel(replies=[answer]), JOINED, {"a": "this", "b": "that"})
    assert read.dependencies is None
    model = ScriptedModel(replies=[FREE, answer])
    assert realise_with(model, joined(), POOL, tries=1).author == ""


def test_dependencies_are_read_from_the_answer() -> None:
    listed = {node.id: described(node, POOL[node.subtask]) for node in joined().nodes}
    read = infer_with(ScriptedModel(replies=[f"```json\n{RIGHT}\n```"]), FREE, listed)
    assert read.dependencies == {("a", "c"), ("b", "c"), ("c", "d")}


def test_a_model_that_cannot_be_asked_is_no_reason_to_fall_back() -> None:
    with pytest.raises(ModelError):
        realise_with(ScriptedModel(replies=[]), joined(), POOL)
