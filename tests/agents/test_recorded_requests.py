"""What a server on loopback receives is what the record gives back, for every provider, body for body."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from proctor.agents.native.agent import Native
from proctor.agents.prompted.agent import Prompted
from proctor.agents.sample import sample_brief, sample_observation
from proctor.errors import ModelError
from proctor.models import open_model
from proctor.models.script import ScriptedModel
from proctor.models.transcript import plain_answer, plain_request
from proctor.records import Result, Told
from proctor.store.episode import EpisodeWriter
from proctor.store.read import open_episode
from tests.agents.test_native import anthropic_says, gemini_says, openai_says
from tests.models.clock import Clock
from tests.models.provider import Provider, provider
from tests.models.wires import KEY, WIRES, Wire
from tests.store.making import header, key

PRESS = 'I save it.\n```json\n{"type": "press", "keys": "ctrl+s"}\n```'
NATIVE = {
    "openai/gpt-5.4": openai_says("I save.", {"type": "keypress", "keys": ["CTRL", "S"]}, batch=True),
    "anthropic/claude-opus-4-6": anthropic_says("I save.", {"action": "key", "text": "ctrl+s"}),
    "google/gemini-x": gemini_says("I save.", {"name": "key_combination", "args": {"keys": "control+s"}}),
}


@pytest.fixture
def server() -> Iterator[Provider]:
    with provider() as running:
        yield running


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for wire in WIRES:
        monkeypatch.setenv(wire.variable, KEY)


def played(agent: Any, folder: Path, turns: int = 6) -> EpisodeWriter:
    """Let an agent take some turns, each recorded as an episode records it."""
    writer = EpisodeWriter.begin(folder, header(key()))
    agent.start(sample_brief())
    for step in range(turns):
        told = (Told("refused", f"the key {KEY} is not to be recorded"),) if step == 2 else ()
        observation = sample_observation(agent.want, told=told, steps=step)
        for image in filter(None, [observation.screenshot, observation.marks and observation.marks.image]):
            assert isinstance(image, Image.Image)
            image.putpixel((1, 1), (step, 0, 0))
        turn = agent.act(observation)
        writer.see(observation, step)
        assert all(writer.call(call, step + 1).sent for call in turn.calls)
    agent.close()
    writer.finish(Result(key=key(), folder="x", score=1.0), None, [])
    return writer


def compare(server: Provider, folder: Path) -> None:
    """Check every request of the record against what the server received."""
    found = open_episode(folder).exchanges()
    assert len(found) == len(server.asked)
    for exchange, asked in zip(found, server.asked, strict=True):
        assert exchange.request() == json.loads(json.dumps(asked.body).replace(KEY, "[hidden]"))
        assert asked.path.partition("?")[0].endswith(exchange.path.partition("?")[0])
    assert KEY.encode() not in (folder / "model.jsonl").read_bytes()
    if where := os.environ.get("PROCTOR_DUMP_REQUESTS"):
        _dump(found, Path(where))


def _dump(found: list[Any], folder: Path) -> None:
    folder.mkdir(exist_ok=True, parents=True)
    name = os.environ["PYTEST_CURRENT_TEST"].partition("::")[2].partition(" ")[0].replace("/", "_")
    lines = []
    for message in [*plain_request(found[-1].request(str)), plain_answer(found[-1].answer())]:
        parts = [part.get("text") or str(part) for part in message["parts"]]
        lines += [f"--- {message['role']} ---", *parts]
    (folder / f"{name}.txt").write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name.partition("/")[0])
@pytest.mark.parametrize("observe", ["screenshot", "tree", "screenshot+tree", "marks"])
def test_prompted(server: Provider, tmp_path: Path, wire: Wire, observe: Any) -> None:
    server.will(wire.answer(PRESS))
    model = open_model(wire.name, base_url=server.url, patience=Clock().patience())
    writer = played(Prompted(model, observe=observe, history=2, notes=True, steps_left=True), tmp_path / "0")
    compare(server, writer.folder)
    for exchange in open_episode(writer.folder).exchanges():
        messages = plain_request(exchange.request())
        kinds = [part["type"] for message in messages for part in message["parts"]]
        assert messages[0]["role"] == "system"
        assert set(kinds) <= {"text", "picture"}
        assert ("picture" in kinds) == (observe != "tree")
        assert plain_answer(exchange.answer()) == {"role": "assistant", "parts": [{"type": "text", "text": PRESS}]}
    # Pictures were sent as they were kept, so nothing lies there twice.
    assert not list(writer.folder.glob("sent-*"))


@pytest.mark.parametrize("model", sorted(NATIVE))
def test_native(server: Provider, tmp_path: Path, model: str) -> None:
    server.will(NATIVE[model])
    opened = open_model(model, base_url=server.url, patience=Clock().patience())
    writer = played(Native(opened, history=2, picture_size="800x600"), tmp_path / "0")  # type: ignore[arg-type]
    compare(server, writer.folder)
    exchange = open_episode(writer.folder).exchanges()[-1]
    assert exchange.path
    answer = plain_answer(exchange.answer())
    assert [part["type"] for part in answer["parts"]] == ["thought", "text", "call"]
    messages = plain_request(exchange.request(str))
    assert [message["role"] for message in messages[:3]] == ["system", "tools", "user"]
    pictures = [part["picture"] for message in messages for part in message["parts"] if part["type"] == "picture"]
    assert len(pictures) == 2
    results = [part for message in messages for part in message["parts"] if part["type"] == "result"]
    assert len(results) == (2 if model.startswith("openai") else 5)


def test_other_sizes_and_formats_are_kept_beside(server: Provider, tmp_path: Path) -> None:
    server.will(WIRES[0].answer(PRESS))
    model = open_model(WIRES[0].name, base_url=server.url, patience=Clock().patience())
    writer = played(Prompted(model, picture_format="jpeg"), tmp_path / "0", turns=3)
    compare(server, writer.folder)
    assert 1 <= len(list(writer.folder.glob("sent-*.jpg"))) <= 3


def test_models_without_a_wire_are_recorded_too(tmp_path: Path) -> None:
    model = ScriptedModel(replies=[PRESS] * 3)
    writer = played(Prompted(model), tmp_path / "0", turns=3)
    found = open_episode(writer.folder).exchanges()
    for exchange, asked in zip(found, model.asked, strict=True):
        messages = plain_request(exchange.request(str))
        texts = [part["text"] for message in messages for part in message["parts"] if part["type"] == "text"]
        sent = [part for message in asked for part in message.parts if isinstance(part, str)]
        assert texts == [text.replace(KEY, "[hidden]") for text in sent]
        assert plain_answer(exchange.answer())["parts"] == [{"type": "text", "text": PRESS}]


def test_a_request_that_failed_is_kept_with_its_reason(server: Provider, tmp_path: Path) -> None:
    server.will(WIRES[1].error("too busy"), status=503)
    model = open_model(WIRES[1].name, base_url=server.url, patience=Clock().patience())
    agent = Prompted(model)
    agent.start(sample_brief())
    with pytest.raises(ModelError) as caught:
        agent.act(sample_observation(agent.want))
    writer = EpisodeWriter.begin(tmp_path / "0", header(key()))
    writer.call(caught.value.call, 1)  # type: ignore[attr-defined]
    writer.close()
    (one,) = open_episode(writer.folder).exchanges()
    assert one.request() == server.asked[-1].body
    assert "too busy" in one.error
    assert one.answer() is None
