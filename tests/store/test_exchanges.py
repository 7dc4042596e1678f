"""What models were sent and answered is kept exactly, once each, and is put together again within bounds."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.errors import RecordError
from proctor.observations.encode import png
from proctor.records import Exchange, ModelCall, Result
from proctor.store.completeness import episode_damage
from proctor.store.episode import EpisodeWriter
from proctor.store.exchanges import Exchanges
from proctor.store.files import plain_json
from proctor.store.pack import TOO_DEEP, PackedParts, Packer
from proctor.store.read import open_episode
from tests.store.making import header, key, picture, seen

URL = "data:image/png;base64,"


def encoded(shade: int = 0, size: tuple[int, int] = (64, 48)) -> str:
    return base64.b64encode(png(picture(shade, size))).decode()


def call(request: Any, answer: Any = None, **fields: Any) -> ModelCall:
    return ModelCall(model="open/small", exchange=Exchange(request=request, answer=answer, **fields))


def begun(folder: Path) -> EpisodeWriter:
    return EpisodeWriter.begin(folder / "0", header(key()))


def ended(writer: EpisodeWriter) -> Path:
    writer.finish(Result(key=key(), folder="x", score=1.0), None, [])
    assert not list(episode_damage(writer.folder))
    return writer.folder


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=600),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.text(max_size=8) | st.sampled_from(["$part", "$data", "$picture", "text"]), inner, max_size=5
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_data_comes_back_exactly(data: Any) -> None:
    parts = PackedParts()
    packer = Packer(lambda name, value: parts.add(name, json.loads(plain_json(value))), lambda data, ending: "0000.png")
    packed = json.loads(plain_json(packer.pack(data, str)))
    assert parts.unpack(packed, lambda found: pytest.fail("no picture")) == data


@given(st.text(min_size=300, max_size=2000))
def test_what_is_repeated_is_kept_once(text: str) -> None:
    kept: list[str] = []
    packer = Packer(lambda name, value: kept.append(name), lambda data, ending: "")
    first = packer.pack({"messages": [{"role": "user", "content": text}]}, str)
    assert packer.pack({"messages": [{"role": "user", "content": text}] * 2}, str)["messages"] == first["messages"] * 2
    assert len(kept) == len(set(kept)) == 1


def test_a_request_is_put_together_as_it_was_sent(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    writer.see(seen(3, screenshot=picture(3, (64, 48))), 0)
    request = {"model": "small", "messages": [
        {"role": "system", "content": "orders " * 100},
        {"role": "user", "content": [{"type": "text", "text": "look"}, {"image_url": {"url": URL + encoded(3)}}]},
        {"role": "user", "content": [{"inlineData": {"data": encoded(9)}}]},
    ]}  # fmt: skip
    line = writer.call(call(request, {"choices": [{"message": {"content": "ok " * 200}}]}, path="/p"), 1)
    assert line == ModelCall(model="open/small", sent=1)
    longer = {**request, "messages": [*request["messages"], {"role": "assistant", "content": "ok"}]}
    assert writer.call(call(longer), 2).sent == 2
    folder = ended(writer)
    one, two = open_episode(folder).exchanges()
    assert json.dumps(one.request()) == json.dumps(request)
    assert json.dumps(two.request()) == json.dumps(longer)
    assert one.answer() == {"choices": [{"message": {"content": "ok " * 200}}]}
    assert (one.turn, one.path, two.answer()) == (1, "/p", None)
    # The recorded picture is referred to; only the one that is nowhere else was written.
    names = sorted(path.name for path in folder.glob("*.png"))
    assert names[0] == "0000.png"
    assert len(names) == 2
    assert one.request(lambda name: name)["messages"][1]["content"][1]["image_url"]["url"] == "0000.png"


def test_a_history_does_not_grow_the_log_by_its_square(tmp_path: Path) -> None:
    def log(turns: int) -> int:
        writer = begun(tmp_path / str(turns))
        messages: list[Any] = []
        for turn in range(turns):
            messages.append({"role": "user", "content": f"{turn} " + "what was seen " * 400})
            writer.call(call({"messages": list(messages)}), turn)
        return (ended(writer) / "model.jsonl").stat().st_size

    (tmp_path / "10").mkdir()
    (tmp_path / "40").mkdir()
    assert log(40) < 5 * log(10)


def test_secrets_are_hidden_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "very-secret-value")
    writer = begun(tmp_path)
    writer.call(call({"messages": [{"role": "user", "content": "the key is very-secret-value, not that"}]}), 1)
    writer.call(call({"said": "x"}, hide=lambda text: text.replace("x", "[hidden]")), 1)
    folder = ended(writer)
    assert b"very-secret-value" not in (folder / "model.jsonl").read_bytes()
    one, two = open_episode(folder).exchanges()
    assert one.request()["messages"][0]["content"] == "the key is [hidden], not that"
    assert two.request() == {"said": "[hidden]"}


def test_a_record_without_models_has_no_log(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    assert writer.call(ModelCall(model="a/b", input_tokens=3), 1) == ModelCall(model="a/b", input_tokens=3)
    folder = ended(writer)
    assert not (folder / "model.jsonl").exists()
    assert open_episode(folder).exchanges() == []


def test_verify_finds_a_changed_message(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    writer.call(call({"messages": ["what was said " * 100]}), 1)
    folder = ended(writer)
    log = folder / "model.jsonl"
    log.write_bytes(log.read_bytes().replace(b"what was said", b"what was sung"))
    assert [damage.file for damage in episode_damage(folder)] == ["model.jsonl"]
    with pytest.raises(RecordError, match="not what was recorded"):
        open_episode(folder).exchanges()


def test_a_picture_that_was_changed_is_not_passed_off_as_sent(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    writer.call(call({"messages": [{"picture": encoded(5)}]}), 1)
    folder = ended(writer)
    (sent,) = folder.glob("sent-*.png")
    sent.write_bytes(b"another")
    (one,) = open_episode(folder).exchanges()
    with pytest.raises(RecordError, match="not the picture that was sent"):
        one.request()


def test_an_unfinished_log_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    log = Exchanges(writer.folder)
    assert log.more() == []
    writer.call(call({"messages": ["a" * 500]}), 1)
    assert len(log.more()) == 1
    writer.call(call({"messages": ["a" * 500, "b" * 500]}), 2)
    assert [found.request()["messages"][-1][0] for found in log.more()] == ["a", "b"]
    with (writer.folder / "model.jsonl").open("ab") as file:
        file.write(b'{"call": 3, "tu')
    assert len(log.more()) == 2
    writer.close()


def test_data_that_unfolds_without_end_is_refused() -> None:
    parts = PackedParts()
    value: Any = "x" * 1000
    for _ in range(40):
        name = hashlib.sha256(plain_json(value)).hexdigest()[:20]
        parts.add(name, value)
        value = [{"$part": name}] * 10
    with pytest.raises(RecordError, match="unfolds"):
        parts.unpack(value, lambda found: "")
    with pytest.raises(RecordError, match="lacks the part"):
        parts.unpack({"$part": "0" * 20}, lambda found: "")
    with pytest.raises(RecordError, match="not what was recorded"):
        parts.add("0" * 20, "x")


def test_depth_is_bounded() -> None:
    deep: Any = "x"
    for _ in range(500):
        deep = [deep]
    packed = Packer(lambda name, value: None, lambda data, ending: "").pack(deep, str)
    assert TOO_DEEP in json.dumps(packed)


@pytest.mark.parametrize("name", ["../0000.png", "result.json", "/etc/passwd", 3, "0000.tree.json.gz"])
def test_a_message_names_only_pictures(tmp_path: Path, name: Any) -> None:
    line = {"call": 1, "turn": 1, "request": {"$picture": name, "sha256": "", "as": ""}}
    (tmp_path / "model.jsonl").write_bytes(plain_json(line) + b"\n")
    (one,) = Exchanges(tmp_path).more()
    for shown in (None, str):
        with pytest.raises(RecordError, match="not a picture of a record"):
            one.request(shown)


def test_what_only_looks_like_a_picture_is_a_text(tmp_path: Path) -> None:
    writer = begun(tmp_path)
    texts = ["iVBORw0KGgo" + "not base64! " * 100, URL + "iVBORw0KGgo" + "=" * 400, "/9j/" + "a" * 401]
    writer.call(call({"messages": texts}), 1)
    (one,) = open_episode(ended(writer)).exchanges()
    assert one.request() == {"messages": texts}
