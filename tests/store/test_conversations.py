"""The conversations that are exported are those that took place: what each model got, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from proctor.agents.native.agent import Native
from proctor.agents.prompted.agent import Prompted
from proctor.agents.sample import sample_brief, sample_observation
from proctor.models import open_model
from proctor.models.script import ScriptedModel
from proctor.records import Result, Step
from proctor.store.episode import EpisodeWriter
from proctor.store.export import export
from proctor.store.run import RunRecord
from tests.agents.test_native import anthropic_says
from tests.models.clock import Clock
from tests.models.provider import provider
from tests.models.wires import ANTHROPIC, KEY
from tests.store.making import header, key

PRESS = '```json\n{"type": "press", "keys": "ctrl+s"}\n```'


def recorded(folder: Path, agent: Any, turns: int = 4) -> Path:
    """Record a run of one episode in which an agent takes some turns."""
    with RunRecord.create(folder, {}) as run:
        writer = EpisodeWriter.begin(run.paths.episode(key()), header(key()))
        agent.start(sample_brief())
        for step in range(turns):
            observation = sample_observation(agent.want, steps=step)
            turn = agent.act(observation)
            # The record keeps a picture whatever the agent sees.
            shot = writer.see(sample_observation(steps=step), step).screenshot
            saw = replace(writer.see(observation, step), screenshot=shot)
            calls = tuple(writer.call(call, step + 1) for call in turn.calls)
            action = turn.actions[0].to_json() if turn.actions else None
            said = {"reply": turn.reply, "problem": turn.problem, "action": action}
            writer.step(Step(step=step, turn=step + 1, saw=saw, calls=calls, **said))
        agent.close()
        run.add(writer.finish(Result(key=key(), score=1.0, steps=turns), None, []))
    return folder


def lines(folder: Path, out: Path) -> list[dict[str, Any]]:
    done = export(folder, "sft", out)
    assert done.remarks == ()
    return [json.loads(line) for line in (out / "conversations.jsonl").read_text().splitlines()]


def words(message: dict[str, Any]) -> str:
    return "\n".join(part["text"] for part in message["content"] if part["type"] == "text")


def images(line: dict[str, Any]) -> list[str]:
    return [part["image"] for message in line["messages"] for part in message["content"] if part["type"] == "image"]


@pytest.mark.parametrize("observe", ["screenshot", "tree", "screenshot+tree", "marks"])
def test_what_the_model_got_is_what_is_exported(tmp_path: Path, observe: Any) -> None:
    model = ScriptedModel(replies=[PRESS] * 4)
    run = recorded(tmp_path / "run", Prompted(model, observe=observe, history=2))
    found = lines(run, tmp_path / "out")
    assert len(found) == 4
    for line, asked in zip(found, model.asked, strict=True):
        assert [message["role"] for message in line["messages"]] == [*(each.role for each in asked), "assistant"]
        for message, sent in zip(line["messages"], asked, strict=False):
            assert words(message) == "\n".join(part for part in sent.parts if isinstance(part, str))
            shown = [part for part in message["content"] if part["type"] == "image"]
            assert len(shown) == sum(not isinstance(part, str) for part in sent.parts)
        assert words(line["messages"][-1]) == PRESS
        assert line["metadata"]["exact"]
        assert line["metadata"]["understood"]
        assert set(images(line)) == set(line["images"])
    last = found[-1]
    assert last["messages"][0]["role"] == "system"
    assert "# Rules" in words(last["messages"][0])
    assert bool(images(last)) == (observe != "tree")
    assert ('2 "Save" 165,35' in words(last["messages"][-2])) == (observe != "screenshot")
    if observe == "tree":
        assert not (tmp_path / "out" / "images").exists()
    for name in images(last):
        with Image.open(tmp_path / "out" / name) as picture:
            assert picture.size == (1280, 720)
            plain = sample_observation().screenshot
            assert plain is not None
            assert (picture.convert("RGB").tobytes() != plain.tobytes()) == (observe == "marks")


def test_calls_of_a_tool_and_their_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ANTHROPIC.variable, KEY)
    with provider() as server:
        server.will(anthropic_says("I save.", {"action": "key", "text": "ctrl+s"}))
        model = open_model("anthropic/claude-opus-4-6", base_url=server.url, patience=Clock().patience())
        run = recorded(tmp_path / "run", Native(model), turns=2)  # type: ignore[arg-type]
    first, second = lines(run, tmp_path / "out")
    assert first["tools"][0]["type"] == "computer_20251124"
    assert [message["role"] for message in second["messages"]] == ["system", "user", "assistant", "tool", "assistant"]
    answer, result = second["messages"][2:4]
    assert answer["reasoning_content"] == "hm"
    assert answer["tool_calls"][0]["function"] == {"name": "computer", "arguments": {"action": "key", "text": "ctrl+s"}}
    assert result["tool_call_id"] == answer["tool_calls"][0]["id"] == "toolu_0"
    assert [part["type"] for part in result["content"]] == ["text", "image"]


def test_answers_that_were_not_understood_are_marked(tmp_path: Path) -> None:
    run = recorded(tmp_path / "run", Prompted(ScriptedModel(replies=["What?", PRESS])), turns=2)
    assert [line["metadata"]["understood"] for line in lines(run, tmp_path / "out")] == [False, True]


def test_they_load_as_a_dataset(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow.json", reason="needs the extra 'parquet'")
    run = recorded(tmp_path / "run", Prompted(ScriptedModel(replies=[PRESS] * 4), observe="screenshot+tree"))
    lines(run, tmp_path / "out")
    table = pyarrow.read_json(tmp_path / "out" / "conversations.jsonl")
    assert table.num_rows == 4
    for row in table.to_pylist():
        assert all(message["role"] and isinstance(message["content"], list) for message in row["messages"])
        assert all((tmp_path / "out" / name).is_file() for name in row["images"])
