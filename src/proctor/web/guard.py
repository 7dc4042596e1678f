"""Who may ask the pages: Host and Origin of requests are looked at, answers say what they load."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
EVERYWHERE = frozenset({"0.0.0.0", "::"})

STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""For everything that shows an agent's words: only files of this server run, whatever a text may hold."""
FRAMEWORK = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'self'; frame-ancestors 'none'"
)
"""For the lists: NiceGUI compiles its templates in the browser and starts from an inline script."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class PageGuard:
    """Lets only requests in that were meant for this server; stands before everything else."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        host: str = "127.0.0.1",
        framework_paths: Iterable[str] = (),
        policies: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Guard an application; `policies` says by the beginning of its path what a page may load."""
        self.app = app
        self._names = LOOPBACK_NAMES | {host.lower(), *({socket.gethostname().lower()} if host in EVERYWHERE else ())}
        self._any_address = host in EVERYWHERE
        self._framework_paths = tuple(framework_paths)
        self._policies = policies
        # The first page is the framework's, too, where there is a framework at all.
        self._framework_pages = ("/",) if self._framework_paths else ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if problem := self._problem(Headers(scope=scope)):
            await _refuse(problem, scope, receive, send)
            return
        framework = scope["path"] in self._framework_pages or scope["path"].startswith(self._framework_paths)
        own = next((policy for path, policy in self._policies.items() if scope["path"].startswith(path)), STRICT)
        policy = FRAMEWORK if framework else own

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update({**HEADERS, "Content-Security-Policy": policy})
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, send_guarded)

    def _problem(self, headers: Headers) -> str:
        host = headers.get("host", "")
        if not self._knows(_name_of(host)):
            return "This address is not served here; use the address that was printed."
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return "Other sites may not use this server."
        elsewhere = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if elsewhere and headers.get("sec-fetch-mode") != "navigate":
            return "Other sites may not read from this server."
        return ""

    def _knows(self, name: str) -> bool:
        return name in self._names or (self._any_address and _is_address(name))


def _name_of(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    """Tell whether a name is a bare address, which no foreign name server can turn elsewhere."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def _refuse(problem: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    await PlainTextResponse(problem + "\n", status_code=403)(scope, receive, send)
