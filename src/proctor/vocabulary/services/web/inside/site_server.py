"""A small web site, told by plain data what to show and what to keep.

It runs inside a computer and needs nothing else. Called as `python3 -I site_server.py FOLDER ADDRESS PORT`; the folder,
which only root can enter, holds `site.json`; what is written into it later holds from then on. What forms receive is
added to `records` there and each request to `log`, one line of JSON each. It returns once the site answers, and goes on
in the background with no more rights than a web server needs.
"""

from __future__ import annotations

import contextlib
import html
import json
import os
import re
import secrets
import sys
import threading
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, quote, urlsplit

SERVICE_UID = 33
"""www-data: may neither read the folder nor be meddled with by the user."""
MOST_FORM_BYTES = 16 * 1024
MOST_LINES = 2000
MOST_BYTES = 2 * 2**20
"""Of each file that is kept. Whoever floods the site does not fill the disk; no honest visitor gets this far, and the
last line then says so."""
MOST_CONNECTIONS = 64
IDLE_SEC = 15.0
"""How long a connection on which nothing is said stays open."""
MOST_SESSIONS = 1000
FILES = {"txt": "plain", "html": "html", "csv": "csv"}
"""What files are by their endings; the others are XML, as feeds are."""

STYLE = """
body { margin: 0; font: 17px/1.5 'DejaVu Sans', sans-serif; color: #222; background: #f4f2ee }
header { background: #2b5d7d; color: #fff; padding: 14px 40px; display: flex; gap: 32px;
  align-items: baseline }
header b { font-size: 24px } header a { color: #fff } header form { margin-left: auto }
main { max-width: 1000px; margin: 24px auto; background: #fff; padding: 16px 36px 32px; border-radius: 8px }
footer { max-width: 1000px; margin: 0 auto 40px; color: #666; font-size: 14px }
h1 { font-size: 28px } table { border-collapse: collapse; margin: 12px 0 }
th, td { border-bottom: 1px solid #ddd; padding: 6px 18px 6px 0; text-align: left }
main label { display: block; margin: 10px 0 2px }
main input, main select, main textarea { font: inherit; padding: 4px 8px }
main input[type=text], main input[type=password], main textarea { width: 380px }
button { font: inherit; padding: 6px 18px; border: 0; border-radius: 5px; background: #2b5d7d; color: #fff }
.problem { background: #fde8e4; border-left: 5px solid #c0392b; padding: 8px 14px }
.good { background: #e7f5e9; border-left: 5px solid #2e8b57; padding: 8px 14px }
.overlay { position: fixed; inset: 0; background: #0008; display: flex; align-items: center; justify-content: center }
.overlay > div { background: #fff; padding: 24px 40px; border-radius: 10px; max-width: 560px }
"""

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<link rel="stylesheet" href="/style.css"><link rel="icon" href="data:,"></head>
<body><header><b>{site}</b>{links}</header><main>{body}</main><footer>{footer}</footer>{overlay}</body></html>"""

SIGN_IN = """<h1>Sign in</h1>{problem}<form method="post" action="/sign-in">
<input type="hidden" name="next" value="{next}">
<label for="account">Account</label><input type="text" id="account" name="account" autocomplete="off">
<label for="password">Password</label><input type="password" id="password" name="password" autocomplete="off">
<p><button>Sign in</button></p></form>"""

DISMISS = "document.cookie='overlay=seen;path=/';document.querySelector('.overlay').remove()"


class Site:
    """What the data says, the sessions there are, and where records go."""

    def __init__(self, plan: int, records: int, log: int) -> None:
        self.plan = plan
        self.told = b""
        self.data: dict[str, Any] = {}
        self.take_in()
        self.records = records
        self.log = log
        self.count = 0
        self.kept: dict[int, list[int]] = {records: [0, 0], log: [0, 0]}
        """Of each file: how many lines and bytes it has."""
        self.writing = threading.Lock()
        self.sessions: dict[str, list[Any]] = {}
        """By token: the account, and how many more requests it lasts (-1 for ever)."""
        self.invitations: dict[str, dict[str, Any]] = {entry["key"]: entry for entry in self.data["invitations"]}

    def take_in(self) -> None:
        """Go by what the data says now; while it is being written, by what it said before."""
        told = os.pread(self.plan, os.fstat(self.plan).st_size, 0)
        if told != self.told:
            with contextlib.suppress(ValueError):
                self.data, self.told = json.loads(told), told

    def begin(self, account: str, requests: int = -1) -> str:
        """Begin a session and return its token."""
        token = secrets.token_hex(16)
        if len(self.sessions) >= MOST_SESSIONS:
            self.sessions.pop(next(iter(self.sessions)), None)
        self.sessions[token] = [account, requests]
        return token

    def account(self, token: str) -> str:
        """Return whose session a token means; empty when it is none any more."""
        session = self.sessions.get(token)
        if session is None or session[1] == 0:
            return ""
        session[1] -= session[1] > 0
        return str(session[0])

    def keep(self, fd: int, entry: dict[str, Any]) -> None:
        """Write one line; where a file has had enough, a last one that says so."""
        line = json.dumps(entry).encode() + b"\n"
        with self.writing:
            lines, size = self.kept[fd]
            if lines > MOST_LINES:
                return
            full = lines == MOST_LINES or size + len(line) > MOST_BYTES
            os.write(fd, b'{"too_much": true}\n' if full else line)
            self.kept[fd] = [MOST_LINES + 1 if full else lines + 1, size + len(line)]


class SiteServer(ThreadingHTTPServer):
    """Serves a bounded number of visitors at once; the others are turned away."""

    def __init__(self, *args: Any) -> None:
        self.room = threading.BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__(*args)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a visitor in a thread of its own, or turn it away."""
        if not self.room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # no more threads
            self.room.release()
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a visitor, and make room."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.room.release()


class SiteHandler(BaseHTTPRequestHandler):
    """Answers one request."""

    site: ClassVar[Site]
    server_version = "site"
    protocol_version = "HTTP/1.1"
    timeout = IDLE_SEC

    def do_GET(self) -> None:
        """Show a page."""
        self.site.take_in()
        url, data = urlsplit(self.path), self.site.data
        if url.path == "/style.css":
            self._send(200, STYLE, kind="text/css")
            return
        self.cookies = self._cookies()
        self.who = self.site.account(self.cookies.get("session", ""))
        query = {key: values[0] for key, values in parse_qs(url.query).items()}
        self._log()
        if url.path == "/sign-in" and data["accounts"]:
            self._sign_in_page(query.get("next", "/"), "")
        elif url.path == "/enter" and query.get("key") in self.site.invitations:
            invitation = self.site.invitations.pop(query["key"])
            self._redirect(invitation["page"], self.site.begin(invitation["account"], invitation["requests"]))
        elif url.path == "/search" and data["search"]:
            self._search(query.get("q", ""))
        elif url.path in data["files"]:
            ending = url.path.rpartition(".")[2]
            self._send(200, data["files"][url.path], kind=f"text/{FILES.get(ending, 'xml')}")
        elif url.path not in data["pages"]:
            self._page(404, "Not found", "<h1>Not found</h1><p>There is no such page here.</p>")
        elif url.path in data["members"] and not self.who:
            self._redirect(f"/sign-in?next={quote(self.path, safe='')}")
        else:
            page = data["pages"][url.path]
            self._page(200, page["title"], page["body"])

    def do_POST(self) -> None:
        """Take a form."""
        self.site.take_in()
        self.cookies = self._cookies()
        self.who = self.site.account(self.cookies.get("session", ""))
        said = self.headers.get("Content-Length") or "0"
        length = int(said) if said.isdecimal() and len(said) < 10 else MOST_FORM_BYTES + 1
        self._log()
        if length > MOST_FORM_BYTES:
            self.close_connection = True
            self._page(413, "Too much", "<h1>That is too much</h1>")
            return
        sent = parse_qs(self.rfile.read(length).decode(errors="replace"), keep_blank_values=True)
        fields = {key: ", ".join(values).strip() for key, values in sent.items()}
        path = urlsplit(self.path).path
        form = self.site.data["forms"].get(path)
        if path == "/sign-in" and self.site.data["accounts"]:
            self._sign_in(fields)
        elif form is None:
            self._page(404, "Not found", "<h1>Not found</h1>")
        elif form["members"] and not self.who:
            self._sign_in_page(form["page"] or "/", "Your session has expired. Please sign in again; nothing was sent.")
        else:
            self._take(form, fields)

    def _take(self, form: dict[str, Any], fields: dict[str, str]) -> None:
        """Keep what a form sent, or say what is wrong with it."""
        problems = [f"Please fill in: {name}." for name in form["needed"] if not fields.get(name)]
        for rule in form["refuses"]:
            if fields.get(rule["field"]) == rule["value"]:
                problems.append(rule["why"])
        entry = {"kind": form["kind"], "number": self.site.count + 1, "fields": fields, "account": self.who}
        if problems:
            self.site.keep(self.site.records, {**entry, "kind": f"refused {form['kind']}"})
            listed = "".join(f'<p class="problem">{html.escape(line)}</p>' for line in problems)
            back = html.escape(form["page"] or "/")
            self._page(422, "Not sent", f'<h1>Not sent yet</h1>{listed}<p><a href="{back}">Back to the form</a></p>')
            return
        self.site.count += 1
        self.site.keep(self.site.records, entry)
        shown = {**fields, "number": str(self.site.count)}
        body = re.sub(r"\{(\w+)\}", lambda found: html.escape(shown.get(found[1], "")), form["thanks"])
        self._page(200, "Thank you", body)

    def _search(self, words: str) -> None:
        hits = []
        for path, page in self.site.data["pages"].items():
            text = re.sub(r"<[^>]*>", " ", f"{page['title']} {page['body']}").lower()
            if page["listed"] and words.strip() and all(word in text for word in words.lower().split()):
                hits.append(f'<li><a href="{html.escape(path)}">{html.escape(page["title"])}</a></li>')
        found = f"<ul>{''.join(hits)}</ul>" if hits else "<p>Nothing was found.</p>"
        self._page(200, "Search", f"<h1>Search results for “{html.escape(words)}”</h1>{found}")

    def _sign_in_page(self, after: str, problem: str) -> None:
        shown = f'<p class="problem">{html.escape(problem)}</p>' if problem else ""
        self._page(200, "Sign in", SIGN_IN.format(problem=shown, next=html.escape(after)))

    def _sign_in(self, fields: dict[str, str]) -> None:
        account, password = fields.get("account", ""), fields.get("password", "")
        after = fields.get("next") or "/"
        if self.site.data["accounts"].get(account) != password or not password:
            self._sign_in_page(after, "Account and password do not match.")
        else:
            # Only a path of this site: a full address could lead anywhere.
            self._redirect(after if re.match(r"/(?!/)", after) else "/", self.site.begin(account))

    def _page(self, status: int, title: str, body: str) -> None:
        data = self.site.data
        links = "".join(f'<a href="{html.escape(at)}">{html.escape(name)}</a>' for name, at in data["menu"].items())
        if data["search"]:
            links += '<form action="/search"><input name="q" aria-label="Search"> <button>Search</button></form>'
        overlay = ""
        if data["overlay"] and self.cookies.get("overlay") != "seen":
            overlay = f'<div class="overlay" role="dialog" aria-label="Notice"><div>{data["overlay"]}</div></div>'
            overlay = overlay.replace("data-dismiss", f'type="button" onclick="{DISMISS}"')
        who = f"Signed in as {html.escape(self.who)}. " if self.who else ""
        full = {"site": html.escape(data["title"]), "links": links, "body": body, "overlay": overlay}
        heading = html.escape(f"{title} - {data['title']}")
        self._send(status, PAGE.format(title=heading, footer=who + html.escape(data["footer"]), **full))

    def _redirect(self, to: str, token: str = "") -> None:
        self.send_response(303)
        self.send_header("Location", to)
        if token:
            self.send_header("Set-Cookie", f"session={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, status: int, text: str, *, kind: str = "text/html") -> None:
        content = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def _cookies(self) -> dict[str, str]:
        try:
            found = SimpleCookie(self.headers.get("Cookie") or "")
        except CookieError:
            return {}
        return {name: morsel.value for name, morsel in found.items()}

    def _log(self) -> None:
        self.site.keep(self.site.log, {"method": self.command, "path": self.path[:2000], "account": self.who})

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: requests are in the log, and there is nobody to read more."""


def main(folder: str, address: str, port: int) -> None:
    """Listen, then go into the background; whoever waits for this process may connect when it ends."""
    plan = os.open(Path(folder) / "site.json", os.O_RDONLY)
    append = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    records, log = (os.open(Path(folder) / name, append, 0o600) for name in ("records", "log"))
    SiteHandler.site = Site(plan, records, log)
    server = SiteServer((address, port), SiteHandler)
    if os.fork():
        os._exit(0)
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nowhere, fd)
    os.setgroups([])
    os.setgid(SERVICE_UID)
    os.setuid(SERVICE_UID)
    server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
