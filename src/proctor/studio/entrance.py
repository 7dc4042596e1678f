"""Who may come in: an address that works once is exchanged for a cookie."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from proctor.studio.studio import PERSON, cookie_text

ENTER = "/enter"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
MOST_VISITORS = 1000
MOST_INVITATIONS = 100
YEAR = 365 * 24 * 3600

REFUSED = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Not let in · Proctor studio</title>
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"></head>
<body><main><h1>This studio does not know your browser</h1>
<p>The address that <code>proctor studio</code> prints opens in one browser, once; then it prints the next one.</p>
<ul><li>Open the newest address from the terminal where the studio runs.</li>
<li>Or let somebody who is in press <b>Invite</b> on the first page and give you the address.</li>
<li>If the studio was started anew, it has a new address: what you made is kept.</li></ul></main></body></html>
"""
AGAIN = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Proctor studio</title><meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="0;url=/"><link rel="icon" href="data:,"></head>
<body><main><h1>Proctor studio</h1><p><a href="/">Enter the studio</a></p></main></body></html>
"""
"""A browser that comes by a link of another site does not send its cookie; it does once it asks from here."""


class Entrance:
    """Stands before the rooms; knows which addresses are still good, and which browsers came in."""

    def __init__(self, used: Callable[[], object] = lambda: None) -> None:
        """Begin without visitors; `used` is called when somebody came in, for the next address."""
        self._used = used
        self._invitations: OrderedDict[str, None] = OrderedDict()
        self._visitors: OrderedDict[str, None] = OrderedDict()
        # Cookies belong to a host whatever its port: two studios on one machine must not send each other's away.
        self.cookie = f"proctor-studio-{secrets.token_hex(4)}"

    def invite(self) -> str:
        """Return a path that lets one browser in."""
        token = secrets.token_urlsafe(24)
        _remember(self._invitations, token, MOST_INVITATIONS)
        return f"{ENTER}?token={token}"

    def knows(self, connection: HTTPConnection) -> bool:
        """Tell whether a browser has come in."""
        return _hash(connection.cookies.get(self.cookie, "")) in self._visitors

    def before(self, app: ASGIApp) -> ASGIApp:
        """Return an application that lets only those through to another who came in."""

        async def guard(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] not in ("http", "websocket"):
                await app(scope, receive, send)
                return
            connection = HTTPConnection(scope)
            # A browser always says where a post or a websocket comes from; the guard has compared it with this host.
            safe = scope["type"] == "http" and scope["method"] in SAFE
            known = self.knows(connection) and (safe or "origin" in connection.headers)
            if known and scope["path"] != ENTER:
                scope["studio_invite"] = self.invite
                scope["studio_visitor"] = _hash(connection.cookies[self.cookie])[:16]
                await app(scope, receive, send)
            elif scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.close", "code": 1008})
            else:
                await self._at_the_door(connection)(scope, receive, send)

        return guard

    def _at_the_door(self, connection: HTTPConnection) -> Response:
        scope = connection.scope
        if scope["path"] == ENTER and scope["method"] == "GET":
            if self.knows(connection):
                return RedirectResponse("/", 303)
            if self._take(scope["query_string"]):
                return self._let_in(connection)
        elif scope["method"] == "GET" and _from_another_site(connection.headers):
            return HTMLResponse(AGAIN)
        return HTMLResponse(REFUSED, 403)

    def _take(self, query: bytes) -> bool:
        """Use up the invitation in an address; tell whether it was good."""
        try:
            given = parse_qs(query.decode("latin-1"), max_num_fields=8).get("token", [""])[0]
        except ValueError:
            return False
        return self._invitations.pop(_hash(given), 0) is None

    def _let_in(self, connection: HTTPConnection) -> Response:
        secret = secrets.token_urlsafe(32)
        _remember(self._visitors, secret, MOST_VISITORS)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(self.cookie, secret, httponly=True, samesite="strict")
        if not connection.cookies.get(PERSON):
            made_up = cookie_text(f"visitor-{secrets.token_hex(2)}")
            answer.set_cookie(PERSON, made_up, httponly=True, samesite="strict", max_age=YEAR)
        self._used()
        return answer


def _remember(known: OrderedDict[str, None], secret: str, most: int) -> None:
    """Keep the hash of a secret; the oldest goes when there are too many."""
    known[_hash(secret)] = None
    while len(known) > most:
        known.popitem(last=False)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _from_another_site(headers: Headers) -> bool:
    elsewhere = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
    return elsewhere and headers.get("sec-fetch-mode") == "navigate"
