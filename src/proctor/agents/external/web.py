"""`http://...`: an agent that is a server, posted the same JSON that commands read as lines.

`POST <url>/start` takes the object that begins an episode; any answer with status 200 will do. `POST <url>/act` takes
an observation and answers with actions. `proctor.agents.wire` draws the objects. One server may serve many episodes
side by side: the header `Proctor-Episode` is the same for all requests of one.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import time
import uuid
from urllib.parse import urlsplit

from proctor.agents.agent import Turn
from proctor.agents.views import ObserveOrNot, want_for
from proctor.agents.wire import MAX_REPLY_BYTES, TOO_LONG, observe_message, read_reply, start_message
from proctor.errors import AgentError, SpecError
from proctor.models.secrets import redact
from proctor.observations.observation import Observation
from proctor.records import Brief

_CHUNK = 65_536
_COMPLAINT = 500
"""How much of the body of a failure is shown."""


class _Unreachable(AgentError):
    """No connection could be made."""


class WebAgent:
    """A server that receives its brief and observations as JSON, and answers with actions."""

    def __init__(
        self,
        url: str,
        *,
        observe: ObserveOrNot = "screenshot",
        scale: float = 1.0,
        patience: float = 120.0,
        token_env: str = "",
    ) -> None:
        """Prepare to talk to a server.

        Args:
            url: Its address; `/start` and `/act` are added.
            observe: What it is shown.
            scale: Size of the picture relative to the desktop; coordinates remain those of the desktop.
            patience: Maximum seconds for a turn.
            token_env: Name of the environment variable whose content is sent as a bearer token.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SpecError(f"{url!r} is not an address of a server", remedy="write it as http://host:port")
        self.want = want_for(observe, scale=scale)
        self._url = url.rstrip("/")
        self._parts = parts
        self._patience = patience
        self._headers = {"Content-Type": "application/json"}
        if token_env:
            if not os.environ.get(token_env):
                raise SpecError(f"the environment variable {token_env!r} is not set", remedy=f"export {token_env}=...")
            self._headers["Authorization"] = f"Bearer {os.environ[token_env]}"

    def start(self, brief: Brief) -> None:
        """Post the brief; raises SpecError when nobody listens at the address."""
        self._headers["Proctor-Episode"] = uuid.uuid4().hex
        try:
            self._post("start", start_message(brief))
        except _Unreachable as error:
            raise SpecError(
                f"nothing listens at {self._url}: {error}",
                remedy="start your agent's server first, and check host and port",
            ) from error

    def act(self, observation: Observation) -> Turn:
        """Post an observation and return the answer; raises AgentError for failures and late answers."""
        try:
            body = self._post("act", observe_message(observation))
        except _Unreachable as error:
            raise AgentError(f"the agent at {self._url} no longer listens: {error}") from error
        return read_reply(body) if body is not None else Turn(problem=TOO_LONG)

    def first_messages(self, brief: Brief, observation: Observation) -> list[dict[str, object]]:
        """Return the objects that the server would be posted, for people to read."""
        return [start_message(brief), observe_message(observation)]

    def _post(self, verb: str, message: dict[str, object]) -> bytes | None:
        """Return the body of the answer; None when it is over the limit."""
        deadline = time.monotonic() + self._patience
        secure = self._parts.scheme == "https"
        factory = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = factory(self._parts.hostname or "", self._parts.port, timeout=self._patience)
        try:
            connection.connect()
        except OSError as error:
            raise _Unreachable(str(error)) from error
        try:
            connection.request("POST", f"{self._parts.path.rstrip('/')}/{verb}", json.dumps(message), self._headers)
            connected = connection.sock
            with connection.getresponse() as answer:
                body = _read(answer, connected, deadline)
        except TimeoutError as error:
            raise AgentError(
                f"the agent at {self._url} did not answer within {self._patience:g} s",
                remedy="make it faster, or allow more: http,url=...,patience=SECONDS",
            ) from error
        except (OSError, http.client.HTTPException) as error:
            why = str(error) or type(error).__name__
            raise AgentError(f"the agent at {self._url} dropped the connection at /{verb}: {why}") from error
        finally:
            connection.close()
        if answer.status != http.HTTPStatus.OK:
            said = redact((body or b"")[:_COMPLAINT].decode("utf-8", "replace"))
            raise AgentError(f"the agent at {self._url} answered /{verb} with status {answer.status}: {said}")
        return body


def _read(answer: http.client.HTTPResponse, connected: socket.socket, deadline: float) -> bytes | None:
    """Read a body within the time that is left for all of it; None, as soon as it is over the limit."""
    body = bytearray()
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        connected.settimeout(left)
        chunk = answer.read1(_CHUNK)
        if not chunk:
            return bytes(body)
        body += chunk
        if len(body) > MAX_REPLY_BYTES:
            return None
