"""The mail service inside a computer: Dovecot for IMAP, and an SMTP server that delivers to it."""

import base64
import imaplib
import itertools
import json
import os
import pwd
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

TOP = Path("/run/mail")
STORE = TOP / "store"
OUTBOX = TOP / "outbox"
SMTP_PORT = 587
NUMBERS = itertools.count(1)
MOST_CONNECTIONS = 40
IDLE_SEC = 60.0
"""How long a connection on which nothing is said stays open."""
LARGEST_LETTER = 8 * 2**20
MOST_LETTERS = 400
MOST_BYTES = 16 * 2**20
"""Letters that are taken in all, and their size: whoever floods the post does not fill the disk."""


def main() -> None:
    """Lay out the mailboxes, start both servers and leave when every account can log in."""
    plan = json.load(sys.stdin)
    os.umask(0o077)
    lay_out(plan)
    bind = ["--inh-caps=-all,+net_bind_service", "--ambient-caps=-all,+net_bind_service"]
    who = ["--reuid=mail", "--regid=mail", "--clear-groups", *bind, "--bounding-set=-all,+net_bind_service"]
    subprocess.run(["setpriv", *who, "/usr/sbin/dovecot", "-c", str(TOP / "dovecot.conf")], check=True)
    passwords = {address: account["password"] for address, account in plan["accounts"].items()}
    listener = socket.create_server(("127.0.0.1", SMTP_PORT), backlog=64)
    # It listens before the fork, so that whoever connects from now on is served.
    if os.fork() == 0:
        become_service()
        serve(listener, passwords)
    for address, password in passwords.items():
        with imaplib.IMAP4("127.0.0.1", 143) as client:
            client.login(address, password)
            client.select("INBOX")


def lay_out(plan: "dict[str, Any]") -> None:
    """Write settings, passwords and letters, in folders that only the service can enter."""
    TOP.mkdir(0o700, exist_ok=True)
    (TOP / "dovecot.conf").write_text(plan["settings"])
    users = TOP / "users"
    users.write_text("".join(f"{address}:{account['password']}\n" for address, account in plan["accounts"].items()))
    OUTBOX.mkdir()
    for address, account in plan["accounts"].items():
        top = STORE / address / "Maildir"
        for name, letters in account["folders"].items():
            folder = top if name == "INBOX" else top / f".{name}"
            for part in ("cur", "new", "tmp"):
                (folder / part).mkdir(parents=True, exist_ok=True)
            there = len(list((folder / "cur").iterdir()))
            for number, letter in enumerate(letters, there):
                put(folder, number, letter)
        known = (top / "subscriptions").read_text().split("\n") if (top / "subscriptions").exists() else []
        named = [name for name in account["folders"] if name != "INBOX" and name not in known]
        with (top / "subscriptions").open("a") as subscriptions:
            subscriptions.write("".join(f"{name}\n" for name in named))
    for path in (TOP, *TOP.rglob("*")):
        shutil.chown(path, "mail", "mail")
    TOP.chmod(0o700)


def put(folder: Path, number: int, letter: "dict[str, Any]") -> None:
    """Put a letter into a folder with its flags and its date, by which mail programs sort."""
    file = folder / "cur" / f"{letter['seconds']}.{number:05}.desktop:2,{letter['flags']}"
    file.write_bytes(base64.b64decode(letter["data"]))
    os.utime(file, (letter["seconds"], letter["seconds"]))


def become_service() -> None:
    """Go on as the mail service's own user, apart from whoever started it."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    log = os.open(TOP / "smtp.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for standard, source in enumerate((null, log, log)):
        os.dup2(source, standard)
    user = pwd.getpwnam("mail")
    os.setgroups([])
    os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
    os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)


def serve(listener: socket.socket, passwords: "dict[str, str]") -> None:
    """Take letters from those who know a password, for ever."""
    import asyncio

    async def forever() -> None:
        server = await asyncio.get_running_loop().create_server(visitors_of(passwords), sock=listener)
        await server.serve_forever()

    asyncio.run(forever())


class Post:
    """Keeps what is posted and delivers it to those who live here."""

    def __init__(self, residents: "set[str]") -> None:
        self.residents = residents

    async def handle_DATA(self, _server: Any, session: Any, envelope: Any) -> str:
        """Take one letter, while there is room."""
        if not room_for(envelope.content):
            return "452 Too much mail"
        keep(session.auth_data, envelope.mail_from, envelope.rcpt_tos, envelope.content)
        for address in {name.lower() for name in envelope.rcpt_tos} & self.residents:
            deliver(address, envelope.content)
        return "250 OK"


def visitors_of(passwords: "dict[str, str]") -> Any:
    """Return what serves one visitor each: a bounded number at once, the others are turned away."""
    from aiosmtpd.smtp import SMTP, AuthResult  # type: ignore[import-not-found]

    def is_known(_server: Any, _session: Any, _envelope: Any, _mechanism: str, given: Any) -> Any:
        right = passwords.get(given.login.decode()) == given.password.decode()
        return AuthResult(success=right, handled=False, auth_data=given.login.decode())

    visitors: set[Any] = set()

    class Visitor(SMTP):  # type: ignore[misc]
        """One connection."""

        def connection_made(self, transport: Any) -> None:
            """Let somebody in."""
            if len(visitors) >= MOST_CONNECTIONS:
                transport.abort()
                return
            visitors.add(self)
            super().connection_made(transport)

        def connection_lost(self, error: object) -> None:
            """Make room."""
            if self in visitors:
                visitors.discard(self)
                super().connection_lost(error)

    return lambda: Visitor(
        Post(set(passwords)), hostname="localhost", authenticator=is_known, auth_required=True, auth_require_tls=False,
        enable_SMTPUTF8=True, timeout=IDLE_SEC, data_size_limit=LARGEST_LETTER,
    )  # fmt: skip


taken = [0, 0]


def room_for(data: bytes) -> bool:
    """Tell whether another letter is taken; that one was not is noted, since nothing is known of it."""
    taken[0], taken[1] = taken[0] + 1, taken[1] + len(data)
    if taken[0] <= MOST_LETTERS and taken[1] <= MOST_BYTES:
        return True
    (OUTBOX / "full").touch()
    return False


def keep(account: str, sender: str, recipients: "list[str]", data: bytes) -> None:
    """Note who signed in, who is said to send to whom, and the letter: complete or not at all."""
    number = next(NUMBERS)
    record = {"account": account, "from": sender, "to": recipients, "data": base64.b64encode(data).decode()}
    partial = OUTBOX / f"{number:05}.part"
    partial.write_text(json.dumps(record))
    partial.rename(OUTBOX / f"{number:05}.json")


def deliver(address: str, data: bytes) -> None:
    """Put a letter into an inbox as new."""
    box = STORE / address / "Maildir"
    name = f"9{next(NUMBERS):09}.post.desktop"
    (box / "tmp" / name).write_bytes(data)
    (box / "tmp" / name).rename(box / "new" / name)


if __name__ == "__main__":
    main()
