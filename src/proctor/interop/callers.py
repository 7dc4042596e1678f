"""By which names a server may be called, and from which pages: exact lists.

A name that somebody made to lead here opens nothing, nor does a page of another server of this machine.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence

from proctor.errors import SpecError

LOCAL = ("127.0.0.1", "localhost", "[::1]")
_USUAL_PORTS = (80, 443)
"""What browsers leave out."""


class Callers:
    """The Host and Origin headers that a server answers to."""

    def __init__(self, host: str, allowed: Sequence[str] = ()) -> None:
        """Make the lists.

        Args:
            host: Where it listens; its own name may be called.
            allowed: Other names, as `NAME` or `NAME:PORT`.
        """
        for name in allowed:
            if not name or "/" in name or "*" in name:
                raise SpecError(f"{name!r} is not the name of a host", remedy="write it as NAME or NAME:PORT")
        self._names = [*LOCAL, *([] if _is_any(host) else [_in_brackets(host)])]
        self._allowed = [name.lower() for name in allowed]

    def refusal(
        self, headers: Iterable[tuple[bytes, bytes]], server: tuple[str, int | None] | None
    ) -> tuple[int, str] | None:
        """Return the status of a refusal with its reason; None for a request that may pass.

        `server` is the address and port that were reached.
        """
        said = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}
        host, origin = said.get("host", "").lower(), said.get("origin")
        known = self._names_at(*(server or ("", None)))
        if host not in known:
            return 421, f"this server is not called {host[:100]!r}; --allow-host adds a name"
        if origin is not None and origin.lower() not in {
            f"{how}://{name}" for how in ("http", "https") for name in known
        }:
            return 403, f"a page of {origin[:100]!r} may not use this server; --allow-host adds a name"
        return None

    def _names_at(self, address: str, port: int | None) -> set[str]:
        """Return the hosts that may be named, on a connection that reached this address and port.

        Nobody makes an address lead elsewhere, so the one that was reached is always right.
        """
        own = [*self._names, *([_in_brackets(address)] if address else [])]
        with_port = {f"{name}:{port}".lower() for name in [*own, *self._allowed]}
        bare = [*self._allowed, *(own if port in _USUAL_PORTS else [])]
        return with_port | {name.lower() for name in bare}


def _in_brackets(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _is_any(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False
