"""Asking a server of the pages over HTTP."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proctor.store.addresses import episode_id, run_id


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Site:
    folder: Path
    port: int

    def get(self, path: str, **headers: str) -> Answer:
        """Ask for a path exactly as it is given; headers are named with underscores."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.putrequest("GET", path, skip_host="Host" in named, skip_accept_encoding=True)
            for name, value in named.items():
                connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def names(self, episode: Path) -> str:
        """Return how a browser names an episode: `run/episode`."""
        root = episode.parents[4]
        return f"{run_id(root)}/{episode_id(root, episode)}"

    def record(self, episode: Path, part: str = "", **headers: str) -> Answer:
        return self.get(f"/data/{self.names(episode)}{part}", **headers)
