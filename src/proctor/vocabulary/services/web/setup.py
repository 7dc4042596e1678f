"""Setup steps that start real web sites inside the computer."""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path
from typing import Annotated

from pydantic import Field

from proctor.errors import SetupFailed
from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

SITES = "/run/proctor-sites"
"""Only root can enter it: records, and the script itself, are out of the agent's reach."""


class Page(PlainModel):
    """One page: its title and what stands in its middle."""

    title: str
    body: str
    """HTML; header, menu and style sheet come with the site."""
    listed: bool = True


class FormRefusal(PlainModel):
    """A value that a form does not take, such as something sold out."""

    field: str
    value: str
    why: str


class WebForm(PlainModel):
    """What happens with a form that is posted to a path."""

    kind: str
    """What its records are: `order`, `booking`, `message`."""
    needed: tuple[str, ...] = ()
    """Fields that must not be empty."""
    refuses: tuple[FormRefusal, ...] = ()
    thanks: str = "<h1>Thank you</h1>"
    """HTML shown afterwards; `{field}` and `{number}` stand for what was sent."""
    members: bool = False
    """Whether only someone signed in may send it."""
    page: str = ""
    """Where the form stands, to lead back to."""


class Invitation(PlainModel):
    """A link `/enter?key=...` that signs in once, by which setup opens a page for somebody."""

    key: str
    account: str
    page: str = "/"
    requests: int = -1
    """The session ends after so many requests; -1 for never."""


@SETUP.register_before_use
def web_site(
    context: SetupContext,
    name: Annotated[str, Field(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)*\.example$")],
    title: str,
    pages: dict[str, Page],
    menu: dict[str, str] | None = None,
    forms: dict[str, WebForm] | None = None,
    accounts: dict[str, str] | None = None,
    members: list[str] | None = None,
    invitations: list[Invitation] | None = None,
    files: dict[str, str] | None = None,
    search: bool = False,
    overlay: str = "",
    footer: str = "",
    port: int = 80,
) -> None:
    """Start a website at `http://NAME/` and return when it answers.

    What its forms receive only root can read. `menu` maps words in the header to paths, `accounts` names to passwords,
    `members` lists pages that need signing in, `files` maps paths to what stands there as it is (.txt, .csv, .html, XML
    otherwise), and `overlay` is HTML laid over every page until a button in it marked `data-dismiss` is pressed.
    """
    data = {
        "title": title,
        "pages": {path: page.model_dump() for path, page in pages.items()},
        "menu": menu or {},
        "forms": {path: form.model_dump() for path, form in (forms or {}).items()},
        "accounts": accounts or {},
        "members": members or [],
        "invitations": [invitation.model_dump() for invitation in invitations or []],
        "files": files or {},
        "search": search,
        "overlay": overlay,
        "footer": footer,
    }
    folder, address = f"{SITES}/{name}", site_address(name)
    script = (Path(__file__).parent / "inside" / "site_server.py").read_bytes()
    context.command(["mkdir", "-p", "-m", "700", SITES, folder], root=True)
    root_file(context, f"{folder}/site.json", json.dumps(data).encode())
    root_file(context, f"{folder}/server.py", script)
    append_to_hosts(context, address, name)
    context.command(["python3", "-I", f"{folder}/server.py", folder, address, str(port)], root=True)


@SETUP.register
def site_changed(
    context: SetupContext,
    name: str,
    pages: dict[str, Page] | None = None,
    forms: dict[str, WebForm] | None = None,
    files: dict[str, str] | None = None,
) -> None:
    """Change pages, forms and files of a running website; whoever loads them next sees it."""
    plan = f"{SITES}/{name}/site.json"
    data = json.loads(context.command(["cat", plan], root=True).stdout)
    data["pages"] |= {path: page.model_dump() for path, page in (pages or {}).items()}
    data["forms"] |= {path: form.model_dump() for path, form in (forms or {}).items()}
    data["files"] |= files or {}
    # The same file, which the site keeps open; it goes by the old data until all of the new is there.
    root_file(context, plan, json.dumps(data).encode())


def site_address(name: str) -> str:
    """Return the loopback address of a site: each has its own, so that all of them can have port 80."""
    number = zlib.crc32(name.encode())
    return f"127.80.{number % 254}.{number // 254 % 254 + 1}"


def root_file(context: SetupContext, path: str, data: bytes) -> None:
    """Write a file that only root can read."""
    context.command(["sh", "-c", 'umask 077; cat > "$1"', "sh", path], root=True, input=data)


def append_to_hosts(context: SetupContext, address: str, name: str) -> None:
    """Give an address inside a name."""
    if not re.fullmatch(r"[a-z0-9.-]+", name):
        raise SetupFailed(f"{name!r} is not a name for a host")
    context.command(["sh", "-c", "cat >> /etc/hosts"], root=True, input=f"{address} {name}\n".encode())
