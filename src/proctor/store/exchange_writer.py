"""Writing down what an episode's models are sent and answer; `exchanges.py` says in which form."""

from __future__ import annotations

import hashlib
import time

from proctor.models.secrets import Redactor
from proctor.records import ModelCall
from proctor.store.background import EpisodeFiles
from proctor.store.log import JsonLog
from proctor.store.pack import LOG, MAX_LOG, PICTURE, Packer


class ExchangeWriter:
    """Appends exchanges to the log of an episode that is being written."""

    def __init__(self, files: EpisodeFiles) -> None:
        self._files = files
        self._log = JsonLog(files.folder, LOG)
        self._calls = 0
        self._packer = Packer(self._keep_part, self._keep_picture)

    def keep(self, call: ModelCall, turn: int) -> int | None:
        """Keep what was sent and received in a call; returns its number, None where there is nothing."""
        exchange = call.exchange
        if exchange is None or self._log.bytes > MAX_LOG:
            return None
        if not self._log.is_open:
            self._log.open()
        hide = exchange.hide or Redactor().text
        # Pictures that are being written would not be found among those that are there.
        self._files.settle()
        packed = {name: self._packer.pack(getattr(exchange, name), hide) for name in ("request", "answer", "headers")}
        self._calls += 1
        about = {"call": self._calls, "turn": turn, "at": time.time(), "model": call.model, "path": exchange.path}
        self._log.append({**about, **packed, "error": hide(exchange.error)})
        if self._log.bytes > MAX_LOG:
            self._log.append({"full": True})
        return self._calls

    def close(self) -> None:
        """Let go of the file; a second time has no effect."""
        self._log.close()

    def _keep_part(self, name: str, value: object) -> None:
        self._log.append({"part": name, "value": value})

    def _keep_picture(self, data: bytes, ending: str) -> str:
        digest = hashlib.sha256(data).hexdigest()
        if found := self._files.file_like(digest, PICTURE):
            return found
        name = f"sent-{digest[:20]}.{ending}"
        self._files.put(name, data)
        return name
