from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proctor.errors import SpecError
from proctor.models import open_model
from proctor.models.model import Message, Picture
from proctor.models.retry import CallFailed
from proctor.models.script import ScriptedModel

ASK = [Message("user", ("Hello", Picture(b"")))]


def test_replies_come_from_a_file_in_order(tmp_path: Path) -> None:
    script = tmp_path / "replies.jsonl"
    script.write_text(
        '"one"\n\n{"text": "two", "thought": "hm", "finish": "refusal"}\n{"error": "overloaded"}\n"last"\n'
    )
    model = open_model(f"scripted/{script}")
    assert model.name == f"scripted/{script}"
    assert model.ask(ASK).text == "one"
    two = model.ask(ASK)
    assert (two.text, two.thought, two.finish) == ("two", "hm", "refusal")
    with pytest.raises(CallFailed) as caught:
        model.ask(ASK)
    assert caught.value.kind == "overloaded"
    assert model.ask(ASK).text == "last"
    with pytest.raises(CallFailed, match="no more than 4 replies") as ended:
        model.ask(ASK)
    assert ended.value.kind == "empty"


def test_tokens_are_plausible_and_cost_nothing() -> None:
    call = ScriptedModel(replies=["12345678"]).ask(ASK).call
    assert (call.input_tokens, call.output_tokens, call.cost_usd) == (1002, 2, 0.0)


def test_a_long_reply_is_cut_off() -> None:
    reply = ScriptedModel(replies=["x" * 100]).ask(ASK, max_tokens=10)
    assert (len(reply.text), reply.finish, reply.call.output_tokens) == (40, "length", 10)


def test_a_script_may_begin_again() -> None:
    model = ScriptedModel(replies=["a", "b"], repeat=True)
    assert [model.ask(ASK).text for _ in range(5)] == ["a", "b", "a", "b", "a"]
    assert len(model.asked) == 5


@pytest.mark.parametrize(
    "reply", [3, None, {}, {"text": 3}, {"error": "other"}, {"text": "x", "finish": "no"}, {"txet": "x"}]
)
def test_a_wrong_reply_is_named(reply: Any) -> None:
    with pytest.raises(SpecError, match="reply 2"):
        ScriptedModel(replies=["fine", reply])


def test_a_script_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"absent\.jsonl"):
        open_model(f"scripted/{tmp_path}/absent.jsonl")
    (tmp_path / "bad.jsonl").write_text('"one"\nplain text\n')
    with pytest.raises(SpecError, match=r"bad\.jsonl:2 is not JSON"):
        open_model(f"scripted/{tmp_path}/bad.jsonl")
