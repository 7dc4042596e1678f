"""Password safes are made inside the machine, opened with their passphrase only, and judged entry by entry."""

from __future__ import annotations

from typing import Any

import pytest

from proctor import open_computer
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.setup_context import SetupContext
from proctor.vocabulary.apps.keepassxc import checks
from proctor.vocabulary.apps.keepassxc.checks import Kept
from proctor.vocabulary.apps.keepassxc.parse import exported_entries
from proctor.vocabulary.apps.keepassxc.probes import password_safe as look
from proctor.vocabulary.apps.keepassxc.setup import Login, password_safe

EXPORT = (
    '"Group","Title","Username","Password","URL","Notes"\n"Passwords","Bakery","rosa","Brot-7","",""\n'
    '"Passwords/Shops","Books","rosa","x, ""y""","https://x.example",""\n"Passwords/Recycle Bin","Old","","","",""\n'
)
SEEN: dict[str, Any] = {"path": "a.kdbx", "entries": exported_entries(EXPORT)}
BAKERY = Kept(title="Bakery", username="rosa", password="Brot-7", group="")
BOOKS = Kept(title="Books", password='x, "y"', group="Shops")


def test_an_export_is_read() -> None:
    assert [entry["title"] for entry in SEEN["entries"]] == ["Bakery", "Books"]
    assert exported_entries("") == []


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
