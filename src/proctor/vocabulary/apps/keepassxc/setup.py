"""Setup steps that make password safes."""

from __future__ import annotations

import base64
from typing import Annotated
from xml.sax.saxutils import escape

from pydantic import Field

from proctor.tasks.model import PlainModel
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

SETTINGS = "[General]\nConfigVersion=2\nUpdateCheckMessageShown=true\n\n[GUI]\nCheckForUpdates=false\n"


class Login(PlainModel):
    """An entry of a password safe; `group` is empty for the outermost one."""

    title: Annotated[str, Field(min_length=1)]
    username: str = ""
    password: str = ""
    url: str = ""
    group: str = ""


@SETUP.register_before_use
def password_safe(
    context: SetupContext,
    path: str,
    passphrase: Annotated[str, Field(min_length=1)],
    entries: list[Login] | None = None,
) -> None:
    """Write a KeePassXC safe with a passphrase, and answer the questions of its first start."""
    context.computer.write_file(".config/keepassxc/keepassxc.ini", SETTINGS.encode())
    plain = "/tmp/safe.xml"
    context.computer.write_file(plain, safe_xml(entries or []).encode())
    context.command(["mkdir", "-p", "--", path.rpartition("/")[0] or "."])
    # A short derivation of the key: nobody attacks this safe, and every opening waits for it.
    context.command(
        ["keepassxc-cli", "import", "--quiet", "--set-password", "--decryption-time", "100", plain, path],
        input=f"{passphrase}\n{passphrase}\n".encode(),
    )
    context.computer.remove_file(plain)


def safe_xml(entries: list[Login]) -> str:
    """Return a safe as KeePassXC exports it."""
    groups: dict[str, list[Login]] = {"": []}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    inner = "".join(
        f"<Group><UUID>{_uuid(1000 + number)}</UUID><Name>{escape(name)}</Name>{_entries(held, 100 * number)}</Group>"
        for number, (name, held) in enumerate(groups.items())
        if name
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<KeePassFile><Meta><Generator>KeePassXC</Generator></Meta>'
        f"<Root><Group><UUID>{_uuid(1000)}</UUID><Name>Passwords</Name>{_entries(groups[''], 1)}{inner}</Group></Root>"
        "</KeePassFile>\n"
    )


def _entries(entries: list[Login], first: int) -> str:
    return "".join(_entry(entry, first + number) for number, entry in enumerate(entries))


def _entry(entry: Login, number: int) -> str:
    fields = {"Title": entry.title, "UserName": entry.username, "Password": entry.password, "URL": entry.url}
    strings = "".join(
        f"<String><Key>{key}</Key><Value>{escape(value)}</Value></String>" for key, value in fields.items()
    )
    return f"<Entry><UUID>{_uuid(number)}</UUID>{strings}</Entry>"


def _uuid(number: int) -> str:
    return base64.b64encode(number.to_bytes(16, "big")).decode()
