"""Password safes are made inside the machine, opened with their passphrase only, and judged entry by entry."""

from __future__ import annotations

import base64
import gzip
import hashlib
from typing import Any

import pytest

from proctor import open_computer
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.apps.keepassxc import checks
from proctor.vocabulary.apps.keepassxc.checks import Kept
from proctor.vocabulary.apps.keepassxc.parse import exported_safe
from proctor.vocabulary.apps.keepassxc.probes import password_safe as look
from proctor.vocabulary.apps.keepassxc.setup import Login, password_safe


def entry(uid: str, more: str = "", **strings: str) -> str:
    told = "".join(f"<String><Key>{key}</Key><Value>{value}</Value></String>" for key, value in strings.items())
    return f"<Entry><UUID>{uid}</UUID>{told}{more}</Entry>"


def group(name: str, *inside: str, uid: str = "") -> str:
    return f"<Group><UUID>{uid}</UUID><Name>{name}</Name>{''.join(inside)}</Group>"


def export(*inside: str, meta: str = "") -> str:
    return f"<KeePassFile><Meta>{meta}</Meta><Root>{group('Passwords', *inside)}</Root></KeePassFile>"


EXPORT = export(
    entry("1", Title="Bakery", UserName="rosa", Password="Brot-7"),
    group("Shops", entry("2", Title="Books", UserName="rosa", Password='x, "y"', URL="https://x.example")),
    group("Recycle Bin", entry("3", Title="Old")),
)
SEEN: dict[str, Any] = exported_safe(EXPORT, "a.kdbx")
BAKERY = Kept(title="Bakery", username="rosa", password="Brot-7", group="")
BOOKS = Kept(title="Books", password='x, "y"', group="Shops")


def test_an_export_is_read() -> None:
    assert [entry["title"] for entry in SEEN["entries"]] == ["Bakery", "Books"]
    assert [entry["title"] for entry in SEEN["derived"]["thrown_away"]] == ["Old"]
    for broken in ("", "<a/>", "<KeePassFile/>", "Group,Title\n"):
        with pytest.raises(CannotSee):
            exported_safe(broken, "a.kdbx")


def test_all_that_somebody_adds_is_told() -> None:
    packed = base64.b64encode(gzip.compress(b"a scan")).decode()
    expiry = "<Times><ExpiryTime>2027-01-31T10:00:00Z</ExpiryTime><Expires>True</Expires></Times>"
    file = "<Binary><Key>scan.png</Key><Value Ref='0'/></Binary>"
    history = f"<History>{entry('1', Title='Bakery')}</History>"
    seen = exported_safe(
        export(
            entry("1", f"<Tags>home</Tags>{expiry}{file}{history}", Title="Bakery", Notes="new one: x", PIN="77"),
            group("Empty", group("Inner")),
            group("Papierkorb", entry("2", Title="Old"), uid="bin"),
            meta=f"<Binaries><Binary ID='0' Compressed='True'>{packed}</Binary></Binaries>"
            "<RecycleBinUUID>bin</RecycleBinUUID><DatabaseName>Ours</DatabaseName>",
        ),
        "a.kdbx",
    )
    (bakery,) = seen["entries"]
    assert (bakery["notes"], bakery["fields"], bakery["tags"]) == ("new one: x", {"PIN": "77"}, "home")
    assert (bakery["expires"], bakery["derived"]["earlier"], bakery["uid"]) == ("2027-01-31", 1, "1")
    assert bakery["attachments"] == [{"name": "scan.png", "size": 6, "sha256": hashlib.sha256(b"a scan").hexdigest()}]
    assert [each["name"] for each in seen["groups"]] == ["Empty", "Empty/Inner"]
    assert ([each["title"] for each in seen["derived"]["thrown_away"]], seen["name"]) == (["Old"], "Ours")


def test_a_file_that_cannot_be_unpacked_still_counts() -> None:
    for content in ("abc", base64.b64encode(b"no gzip").decode()):
        binary = f"<Binaries><Binary ID='0' Compressed='True'>{content}</Binary></Binaries>"
        seen = exported_safe(export(entry("1", "<Binary><Key>a</Key><Value Ref='0'/></Binary>"), meta=binary), "a")
        assert seen["entries"][0]["attachments"][0]["size"] == len(content)


def test_entries() -> None:
    assert checks.entry_exists(SEEN, BAKERY).passed
    assert checks.entry_exists(SEEN, BOOKS).passed
    assert checks.entry_exists(SEEN, BAKERY.model_copy(update={"title": "BAKERY"})).passed
    for update in (
        {"password": "brot-7"},
        {"username": "tom"},
        {"username": "Rosa"},
        {"group": "Shops"},
        {"title": "Old"},
    ):
        assert not checks.entry_exists(SEEN, BAKERY.model_copy(update=update)).passed
    assert checks.entry_missing(SEEN, "Old").passed
    assert not checks.entry_missing(SEEN, "bakery").passed


def test_passwords_are_not_told() -> None:
    finding = checks.entry_exists(SEEN, BAKERY.model_copy(update={"password": "guess"}))
    assert "Brot-7" not in " ".join(finding.feedback)


def test_whole_safes() -> None:
    assert checks.entries_are(SEEN, [BOOKS, BAKERY]).passed
    assert not checks.entries_are(SEEN, [BAKERY]).passed
    assert not checks.entries_are(SEEN, [BOOKS, BAKERY, BAKERY]).passed


@pytest.mark.turns
@pytest.mark.sandbox("full")
def test_a_safe_comes_back() -> None:
    logins = [Login(title="Bakery", username="rosa", password="Brot & <7>"), Login(title="Books", group="Shops")]
    with open_computer("sandbox", image="full") as computer:
        password_safe(SetupContext(computer), "Documents/a.kdbx", "three plain words", logins)
        found = look(ProbeContext(computer), "Documents/a.kdbx", "three plain words")
        wanted = [Kept.model_validate(login.model_dump()) for login in logins]
        assert checks.entries_are(found, wanted).passed
        with pytest.raises(CannotSee):
            look(ProbeContext(computer), "Documents/a.kdbx", "other words")
        computer.write_file("Documents/b.kdbx", b"not a safe")
        with pytest.raises(CannotSee):
            look(ProbeContext(computer), "Documents/b.kdbx", "three plain words")
        for argv in (
            ["mkdir", "--quiet", "Documents/a.kdbx", "Spare"],
            ["edit", "--quiet", "--notes", "Brot-7", "Documents/a.kdbx", "Bakery"],
            ["attachment-import", "--quiet", "Documents/a.kdbx", "Bakery", "host", "/etc/hostname"],
        ):
            assert computer.run(["keepassxc-cli", *argv], input=b"three plain words\n").code == 0
        now = look(ProbeContext(computer), "Documents/a.kdbx", "three plain words")
        (bakery,) = (each for each in now["entries"] if each["title"] == "Bakery")
        assert (bakery["notes"], [each["name"] for each in bakery["attachments"]]) == ("Brot-7", ["host"])
        assert [each["name"] for each in now["groups"]] == ["Spare"]
        same = [each for each in now["entries"] if each["title"] == "Books"]
        assert same == [each for each in found["entries"] if each["title"] == "Books"]
