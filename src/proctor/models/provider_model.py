"""What models behind a provider's API share: keys, retries, usage, cost, and silence about keys."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal, NamedTuple
from urllib.parse import urlsplit

from proctor.errors import SpecError
from proctor.models.model import Message, ModelAnswer, RawAnswer
from proctor.models.retry import CallFailed, Patience, kind_of_status, kind_of_word, persist
from proctor.models.secrets import Redactor
from proctor.models.streams import StreamCut, assemble, is_stream
from proctor.models.usage import Price, Prices, Usage
from proctor.records import Exchange, ModelCall

MAX_MESSAGE = 2_000
"""Characters of a provider's error message that are kept."""
MAX_ANSWER = 16 * 2**20
"""Characters of an answer that are read at all."""
NO_KEY = "none"
"""Sent to servers of one's own, which need no key while the SDKs insist on one."""


class Read(NamedTuple):
    """What a provider's answer says."""

    text: str
    thought: str = ""
    finish: Literal["stop", "length", "refusal"] = "stop"


class Hosted(ABC):
    """A model behind an API; one class per provider, each around its official SDK."""

    provider: ClassVar[str]
    key_variables: ClassVar[tuple[str, ...]]
    """Where the key is looked for, in order."""
    url_variable: ClassVar[str]
    _path: str = ""
    """Where ordinary asking goes."""

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        key_variable: str = "",
        timeout: float = 120.0,
        patience: Patience | None = None,
        price: Price | None = None,
        extra: Mapping[str, object] | None = None,
        stream: bool = False,
        vendor: str = "",
    ) -> None:
        """Open a model; nothing is sent yet.

        Args:
            name: The model's name at its provider.
            base_url: Another server that speaks the same format; such a server may need no key.
            key_variable: The environment variable that holds the key, when not the provider's usual one.
            timeout: Seconds for one request.
            patience: How long to go on after failures.
            price: Instead of the one in the price table.
            extra: Fields for the body of every request, such as `{"reasoning_effort": "low"}`.
            stream: Whether answers are asked for in pieces: a long one then cannot look like a server that is silent,
                to `timeout` or to a gateway between. What comes is the same.
            vendor: Whose model it is, where another provider's format is spoken.

        Raises:
            SpecError: The key is missing or the URL is none.
        """
        self.name = f"{vendor or self.provider}/{name}"
        self.base_url = checked_url(base_url or os.environ.get(self.url_variable))
        self.price = price or Prices.load().find(self.name)
        self._model = name
        self._patience = patience or Patience()
        self._extra = dict(extra or {})
        self._stream = stream
        key = self._key(key_variable)
        self._redactor = Redactor([key])
        self._connect(key, timeout)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def ask(
        self, messages: Sequence[Message], *, max_tokens: int = 2048, temperature: float | None = None
    ) -> ModelAnswer:
        """Return the reply; raises CallFailed when there is none after all retries."""
        payload = self._payload(messages, max_tokens, temperature)
        answer = self._request(payload, "", {}, self._not_empty)
        read = self._read(answer.data)
        return ModelAnswer(text=read.text, thought=read.thought, finish=read.finish, call=answer.call, raw=answer.data)

    def request(
        self, payload: Mapping[str, Any], *, path: str = "", headers: Mapping[str, str] | None = None
    ) -> RawAnswer:
        """Send a request body in the provider's format, the model's name added, and return the answer."""
        return self._request(dict(payload), path, dict(headers or {}), lambda data: bool(self._content(data)))

    @abstractmethod
    def close(self) -> None:
        """Let go of the connections."""

    @abstractmethod
    def _connect(self, key: str, timeout: float) -> None:
        """Make the SDK's client, its own retries off."""

    @abstractmethod
    def _send(self, payload: dict[str, object], path: str, headers: dict[str, str]) -> object:
        """Make one request and return the answer as plain data; raises CallFailed by class."""

    def _body(self, payload: dict[str, object]) -> dict[str, object]:
        """Return the body that a payload is sent as."""
        return payload

    @abstractmethod
    def _payload(self, messages: Sequence[Message], max_tokens: int, temperature: float | None) -> dict[str, object]:
        """Return the body of a request for ordinary asking."""

    @abstractmethod
    def _read(self, data: dict[str, object]) -> Read:
        """Return what an answer to ordinary asking says; may raise what malformed data makes it raise."""

    @abstractmethod
    def _usage(self, data: dict[str, object]) -> Usage:
        """Return the tokens that an answer reports."""

    @abstractmethod
    def _content(self, data: dict[str, object]) -> object:
        """Return the part of an answer that must not be empty; may raise what malformed data does."""

    def _says_something(self, data: dict[str, Any], good: Callable[[dict[str, object]], bool]) -> bool:
        """Tell whether there is anything in an answer; raises CallFailed where the provider withheld it."""
        if withheld := self._withheld(data):
            raise self._failure("filtered", f"the provider withheld its reply: {withheld}")
        return good(data)

    def _withheld(self, data: dict[str, Any]) -> str:
        """Return why the provider, not its model, withheld an answer; empty where it did not."""
        return ""

    def _not_empty(self, data: dict[str, object]) -> bool:
        read = self._read(data)
        return bool(read.text.strip()) or read.finish != "stop"

    def _request(
        self, payload: dict[str, object], path: str, headers: dict[str, str], good: Callable[[dict[str, object]], bool]
    ) -> RawAnswer:
        used, silent = Usage(), {}
        sent = copy_data(self._body({**payload, **self._extra}))  # the caller goes on with its lists

        def attempt() -> dict[str, Any]:
            nonlocal used, silent
            data = self._redactor.data(self._send({**payload, **self._extra}, path, headers))
            if isinstance(data, dict) and (told := self._error_in(data)):
                raise told
            try:
                used += self._usage(data)
                said = self._says_something(data, good)
            except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
                raise self._failure("malformed", f"its answer has an unknown form: {show(data)}") from error
            assert isinstance(data, dict)
            if not said:
                silent = data
                raise self._failure("empty", "its answer was empty")
            return data

        tried = persist(attempt, self._patience)
        if tried.failure is not None and tried.failure.kind == "empty":
            # Asked again, it is silent still: that is its answer.
            tried = replace(tried, result=silent, failure=None)
        # What a discarded answer used is paid for too.
        exchange = Exchange(
            request=sent,
            answer=tried.result,
            path=path or self._path,
            headers=dict(headers),
            error=tried.failure.message if tried.failure else "",
            hide=self._redactor.text,
        )
        call = ModelCall(
            model=self.name,
            **used.counts,
            cost_usd=None if self.price is None else self.price.cost(used),
            seconds=tried.seconds,
            retries=tried.retries,
            asked_again=bool(silent),
            error=tried.failure.kind if tried.failure else "",
            exchange=exchange,
        )
        if tried.failure is not None:
            tried.failure.call = call
            raise tried.failure
        assert tried.result is not None
        return RawAnswer(tried.result, call)

    def _whole(self, text: str) -> object:
        """Return an answer, whole or from a stream, as data; raises CallFailed where it was cut."""
        if not is_stream(text) or len(text) > MAX_ANSWER:
            return decode_json(text)
        try:
            return assemble(text)
        except StreamCut as cut:
            failure = self._failure("connection", f"its answer was cut off in the middle of a stream: {cut}")
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            return text
        raise failure

    def _error_in(self, data: dict[str, object]) -> CallFailed | None:
        """Return the error that an answer tells of though it came as a success, as from gateways."""
        told = data.get("error")
        if not isinstance(told, dict) or not (told.get("message") or told.get("type") or told.get("code")):
            return None
        word, code = told.get("code") or told.get("type"), told.get("code")
        kind = kind_of_status(code) if isinstance(code, int) and code >= 400 else kind_of_word(word)
        return self._failure(kind, f"it answered with an error: {told.get('message') or word}")

    def _failure(self, kind: Any, what: str, **details: Any) -> CallFailed:
        """Return a failure whose message names the model and the server, and hides every key."""
        where = f" at {self.base_url}" if self.base_url else ""
        text = self._redactor.text(f"{self.name}{where}: {what}")
        return CallFailed(kind, text if len(text) <= MAX_MESSAGE else text[:MAX_MESSAGE] + " ...", **details)

    def _key(self, variable: str) -> str:
        names = (variable,) if variable else self.key_variables
        found = next(filter(None, (os.environ.get(name, "").strip() for name in names)), "")
        if not found and (variable or self.base_url is None):
            raise SpecError(
                f"{self.name} needs a key, and {' and '.join(names)} {'is' if len(names) == 1 else 'are'} not set",
                remedy=f"export {names[0]}=..., or give the base URL of a server that needs no key",
            )
        return found or NO_KEY


def checked_url(url: str | None) -> str | None:
    """Return a base URL as it is; raises SpecError for what is not an address of a web server."""
    if not url:
        return None
    named = False
    try:
        parts = urlsplit(url)
        named = bool(parts.username or parts.password)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if named:
        # Options are recorded, and this is one.
        raise SpecError("a base URL must not hold a name or a password", remedy="put the key into the environment")
    if not sound:
        raise SpecError(f"{show(url)} is not a base URL", remedy="write it like http://localhost:8000/v1")
    return url


def copy_data(data: object) -> object:
    """Return plain data whose lists and objects are its own; texts are shared."""
    if isinstance(data, Mapping):
        return {name: copy_data(value) for name, value in data.items()}
    return [copy_data(item) for item in data] if isinstance(data, list | tuple) else data


def decode_json(text: str) -> object:
    """Return JSON as data, or the text itself when it is none or endless; that is then reported."""
    if len(text) > MAX_ANSWER:
        return f"{len(text)} characters: {text[:100]}"
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def show(data: object) -> str:
    """Return data as a short text for a message."""
    text = data if isinstance(data, str) else repr(data)
    return text if len(text) <= 200 else text[:200] + " ..."
