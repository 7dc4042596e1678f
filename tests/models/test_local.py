"""A real language model, small enough to run anywhere: it need not be clever, the machinery must hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor.errors import SpecError
from proctor.models import open_model
from proctor.models.model import Message, Picture
from proctor.models.retry import CallFailed

pytestmark = pytest.mark.local_model


@pytest.fixture(scope="module")
def smollm2() -> Iterator[Any]:
    model: Any = open_model("local/smollm2", context=512, threads=1)
    yield model
    model.close()


def test_a_real_model_answers(smollm2: Any) -> None:
    talk = [Message("user", ("What is the capital of France?", Picture(b"not looked at")))]
    reply = smollm2.ask(talk, max_tokens=8)
    assert reply.text.strip()
    assert reply.finish in ("stop", "length")
    assert 1 <= reply.call.output_tokens <= 8
    assert reply.call.input_tokens > 10
    assert (reply.call.model, reply.call.cost_usd) == ("local/smollm2", 0.0)
    assert reply.call.seconds > 0
    assert smollm2.ask(talk, max_tokens=8).text == reply.text


def test_more_than_the_model_can_read_is_an_error(smollm2: Any) -> None:
    with pytest.raises(CallFailed, match="context size") as caught:
        smollm2.ask([Message("user", ("word " * 2000,))])
    assert caught.value.kind == "bad_request"
    assert caught.value.call is not None


def test_files_that_are_no_models(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="smollm2"):
        open_model(f"local/{tmp_path}/absent.gguf")
    (tmp_path / "text.gguf").write_text("not a model")
    with pytest.raises(SpecError, match="not a GGUF"):
        open_model(f"local/{tmp_path}/text.gguf")
    (tmp_path / "cut.gguf").write_bytes(b"GGUF\x03\0\0\0")
    with pytest.raises(SpecError, match="cannot be loaded"):
        open_model(f"local/{tmp_path}/cut.gguf")
