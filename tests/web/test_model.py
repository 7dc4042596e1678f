"""What a model was sent and answered, over HTTP: as plain messages, as it was sent, and nothing made up."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from proctor.observations.encode import png
from proctor.records import Exchange, ModelCall, Step
from tests.web.recorded import begin_episode, begin_run, end_episode, screen, write_run
from tests.web.site import Site

URL = "data:image/png;base64,"


def exchange(number: int) -> Exchange:
    picture = base64.b64encode(png(screen(number))).decode()
    said: list[Any] = [{"type": "text", "text": "This is the screen now. <b>"}]
    said.append({"type": "image_url", "image_url": {"url": URL + picture}})
    request = {
        "model": "small",
        "messages": [{"role": "system", "content": "orders " * 99}, {"role": "user", "content": said}],
    }
    answer = {"choices": [{"message": {"role": "assistant", "content": "I click.", "reasoning_content": "hm"}}]}
    return Exchange(request=request, answer=answer, path="/chat/completions")


def write_talk(root: Path) -> Path:
    """Write a run whose episode says what its model was sent."""
    record = begin_run(root)
    writer = begin_episode(root)
    calls = tuple(writer.call(ModelCall(model="local/small", input_tokens=7, exchange=exchange(n)), 1) for n in (0, 1))
    writer.step(Step(step=0, turn=1, at=1.0, calls=calls, action={"type": "done"}))
    record.add(end_episode(writer, steps=1))
    record.commit()
    record.seal()
    record.close()
    return writer.folder


def test_an_exchange_is_shown_as_messages(site: Site, place: Path) -> None:
    episode = write_talk(place)
    about = site.record(episode).data
    assert about["model"] is True
    assert [call["sent"] for call in about["steps"][0]["calls"]] == [1, 2]
    found = site.record(episode, "/calls/1").data
    assert (found["model"], found["turn"], found["path"]) == ("local/small", 1, "/chat/completions")
    system, user = found["messages"]
    assert system == {"role": "system", "parts": [{"type": "text", "text": "orders " * 99}]}
    assert user["parts"][0]["text"] == "This is the screen now. <b>"
    assert [part["type"] for part in found["answer"]["parts"]] == ["thought", "text"]
    name = user["parts"][1]["picture"]
    picture = site.record(episode, f"/{name}")
    assert picture.body == png(screen(0))
    assert picture.headers["Content-Type"] == "image/png"


def test_the_request_as_it_was_sent(site: Site, place: Path) -> None:
    episode = write_talk(place)
    raw = site.record(episode, "/calls/2?raw=yes").data
    expected = exchange(1).request
    assert raw["messages"][0] == expected["messages"][0]
    assert raw["messages"][1]["content"][1]["image_url"]["url"].startswith("sent-")


def test_what_is_not_there_is_not_made_up(site: Site, place: Path) -> None:
    episode = write_talk(place)
    assert site.record(episode, "/calls/3").status == 404
    assert site.record(episode, "/model.jsonl").status == 404
    older = write_run(place.with_name("older"))
    assert site.record(older).data["model"] is False
    assert site.record(older, "/calls/1").status == 404


@pytest.mark.parametrize("damage", [b"{broken\n", b'{"part": "x", "value": 1}\n'])
def test_a_damaged_log_is_not_shown(site: Site, place: Path, damage: bytes) -> None:
    episode = write_talk(place)
    log = episode / "model.jsonl"
    log.write_bytes(damage + log.read_bytes())
    assert site.record(episode, "/calls/1").status == 404
    assert site.record(episode).status == 200
