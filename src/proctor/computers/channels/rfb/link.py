"""A connection to an RFB server that is opened again when it is cut, a bounded number of times."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NoReturn, TypeVar

from proctor.computers.channels.rfb.address import Address
from proctor.computers.channels.rfb.client import Rfb, RfbHands
from proctor.computers.channels.rfb.line import LineCut, RfbLine, RfbNonsense
from proctor.computers.channels.rfb.security import Trust
from proctor.errors import ComputerError, ComputerLost
from proctor.pause import pause

LOOK_SEC = 15.0
"""How long one look at the screen may take, however many messages it needs."""
MAX_REOPENED = 20
"""How often a connection that was cut is opened again, all in all."""
AGAIN_SEC = 10.0
"""How long a server that went away is called again."""
FIRST_PAUSE_SEC, MOST_PAUSE_SEC = 0.05, 1.0

Seen = TypeVar("Seen")


@dataclass(frozen=True, kw_only=True)
class LinkPlan:
    """Whom to call, and how to introduce oneself."""

    address: Address
    trust: Trust
    encodings: tuple[int, ...]
    timeout_sec: float = 10.0
    again_sec: float = AGAIN_SEC


@dataclass
class RfbLink:
    """A server that is called when it is first needed, and again when it went away."""

    plan: LinkPlan
    note: Callable[[str], None]
    """Is told in words what happened to the connection."""
    reopened: int = 0
    hands: RfbHands = field(default_factory=RfbHands)
    lost: str = ""
    """Why it is gone for good."""
    nonsense: bool = False
    """Whether that was because the server broke the protocol."""
    _client: Rfb | None = None
    _size: tuple[int, int] = (0, 0)

    def open(self) -> Rfb:
        """Call the server, and return when its whole screen was seen; raises ComputerError or SpecError."""
        if self._client is None:
            try:
                client = self._call()
            except OSError as error:
                raise ComputerError(
                    f"no VNC server answers at {self.plan.address}: {error.strerror or error}",
                    remedy="start it, or correct the address",
                ) from error
            try:
                with client.line.within(LOOK_SEC):
                    client.refresh()
            except BaseException:
                client.close()
                raise
            self._client, self.lost, self.nonsense = client, "", False
        return self._client

    def close(self) -> None:
        if self._client:
            self._size = self.size
            self._client.close()
        self._client = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the screen, as last heard; nothing before the first call."""
        return self._client.picture.size if self._client else self._size

    @property
    def is_open(self) -> bool:
        """Whether there is a connection."""
        return self._client is not None

    @property
    def client(self) -> Rfb:
        """The connection there is now; raises ComputerLost when there is none."""
        if self._client is None:
            raise ComputerLost(
                self.lost or "this computer has not been started", remedy="use `with`, or call its start()"
            )
        return self._client

    def look(self, operation: Callable[[Rfb], Seen], *, timeout_sec: float = LOOK_SEC) -> Seen:
        """Do something with the server within a time, again when the connection was cut meanwhile."""
        while True:
            client = self.client
            try:
                with client.line.within(timeout_sec):
                    return operation(client)
            except LineCut as error:
                self._again(error.message)
            except ComputerLost as error:
                # What was to follow is lost with it: nobody knows any more where a message begins.
                self._give_up(error.message, nonsense=isinstance(error, RfbNonsense))

    def another(self) -> Rfb:
        """Return a second connection, for a thread of its own."""
        return self._call(hands=RfbHands(at=self.hands.at))

    def _call(self, hands: RfbHands | None = None) -> Rfb:
        address, trust = self.plan.address, self.plan.trust
        line = RfbLine(address.dial(self.plan.timeout_sec), timeout_sec=self.plan.timeout_sec)
        try:
            with line.within(self.plan.timeout_sec):
                return Rfb(
                    line,
                    trust=trust,
                    host=address.host,
                    encodings=self.plan.encodings,
                    hands=hands or self.hands,
                    note=self.note,
                )
        except BaseException:
            line.close()
            raise

    def _again(self, why: str) -> None:
        """Open the connection again, and go on as before."""
        assert self._client
        self._client.close()
        ends, delay = time.monotonic() + self.plan.again_sec, FIRST_PAUSE_SEC
        while self.reopened < MAX_REOPENED:
            self.reopened += 1
            try:
                fresh = self._call()
                # Whatever was drawn meanwhile counts as drawn.
                fresh.picture.drawings += self._client.picture.drawings + 1
                fresh.hold_again()
            except (OSError, LineCut) as error:
                if time.monotonic() + delay > ends:
                    said = error.message if isinstance(error, LineCut) else error.strerror or error
                    self._give_up(f"{why}, and reconnecting failed: {said}")
                pause(delay)
                delay = min(2 * delay, MOST_PAUSE_SEC)
                continue
            except ComputerLost as error:
                self._give_up(error.message, nonsense=isinstance(error, RfbNonsense))
            self._client = fresh
            self.note(f"{why}; it was reopened")
            return
        self._give_up(f"{why}; it was reopened {self.reopened} times")

    def _give_up(self, why: str, *, nonsense: bool = False) -> NoReturn:
        self.close()
        self.lost, self.nonsense = why, nonsense
        raise ComputerLost(why, remedy="check that the VNC server works and can be reached, and start again")
