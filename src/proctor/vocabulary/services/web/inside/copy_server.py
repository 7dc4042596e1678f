"""A copy of a web site, served as it lies in a folder over HTTP and HTTPS.

It runs inside a computer and needs nothing else. Called as `python3 -I copy_server.py FOLDER ADDRESS`; the folder holds
`pages.json`, which says which file stands at which path, the files, and the key and certificate of the site. It returns
once the site answers, and goes on in the background with no more rights than a web server needs.
"""

from __future__ import annotations

import json
import mimetypes
import os
import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote, urlsplit

SERVICE_UID = 33
"""www-data: may neither read the folder nor be meddled with by the user."""
IDLE_SEC = 15.0
"""How long a connection on which nothing is said stays open."""
MISSING = b"<!doctype html><title>Not found</title><h1>Not found</h1><p>This page is not in the copy of the site.</p>"


def place_of(address: str, pages: dict[str, str]) -> str | None:
    """Return where in a copy the page of an address stands, as programs that copy sites lay it out."""
    url = urlsplit(address)
    path = unquote(url.path) or "/"
    names = [f"{path}?{unquote(url.query)}"] if url.query else []
    names += [path, f"{path.rstrip('/')}/index.html", f"{path.rstrip('/')}.html"]
    return next((name for name in names if name in pages), None)


class CopyHandler(BaseHTTPRequestHandler):
    """Answers one request."""

    pages: ClassVar[dict[str, str]]
    contents: ClassVar[dict[str, bytes]]
    server_version = "copy"
    protocol_version = "HTTP/1.1"
    timeout = IDLE_SEC

    def do_GET(self) -> None:
        """Show a page."""
        place = place_of(self.path, self.pages)
        content = MISSING if place is None else self.contents[self.pages[place]]
        self.send_response(404 if place is None else 200)
        self.send_header("Content-Type", kind_of(place or "/", content))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: there is nobody to read it."""


class SecureServer(ThreadingHTTPServer):
    """Greets each visitor in the visitor's own thread, so that none keeps the others waiting."""

    secure: ssl.SSLContext

    def finish_request(self, request: object, client_address: object) -> None:
        """Serve a visitor, encrypted."""
        request.settimeout(IDLE_SEC)  # type: ignore[attr-defined]
        try:
            with self.secure.wrap_socket(request, server_side=True) as visitor:  # type: ignore[arg-type]
                super().finish_request(visitor, client_address)
        except OSError:
            return  # it hung up


def kind_of(place: str, content: bytes) -> str:
    """Return what sort of content stands at a place; a page where its name does not tell."""
    kind, _ = mimetypes.guess_type(place.partition("?")[0])
    return kind if kind and not content.lstrip()[:15].lower().startswith(b"<!doctype html") else "text/html"


def main(folder: str, address: str) -> None:
    """Listen, then go into the background; whoever waits for this process may connect when it ends."""
    held = Path(folder)
    CopyHandler.pages = json.loads((held / "pages.json").read_text(encoding="utf-8"))
    CopyHandler.contents = {name: (held / name).read_bytes() for name in set(CopyHandler.pages.values())}
    plain, secure = ThreadingHTTPServer((address, 80), CopyHandler), SecureServer((address, 443), CopyHandler)
    secure.secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secure.secure.load_cert_chain(held / "cert.pem", held / "key.pem")
    if os.fork():
        os._exit(0)
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nowhere, fd)
    os.setgroups([])
    os.setgid(SERVICE_UID)
    os.setuid(SERVICE_UID)
    threading.Thread(target=plain.serve_forever, daemon=True).start()
    secure.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
