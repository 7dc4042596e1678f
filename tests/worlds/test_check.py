"""A world agrees with itself, and each rule sees what breaks it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest
from PIL import Image

from proctor.worlds.check.rules import disagreements
from proctor.worlds.check.written import WrittenWorld
from proctor.worlds.layers import write_world
from tests.worlds.conftest import DAYS

Spoil = Callable[[Path], None]
Copy = Callable[[], Path]


@pytest.mark.parametrize(("person", "seed"), [("emeka", 11), ("signe", 5)])
def test_nothing_disagrees_whoever_it_is(person: str, seed: int, tmp_path: Path) -> None:
    write_world(person, seed, tmp_path / "world", days=DAYS)
    assert {rule: wrong for rule, wrong in disagreements(tmp_path / "world").items() if wrong} == {}


def test_nothing_disagrees(small_world: Path) -> None:
    assert {rule: wrong for rule, wrong in disagreements(small_world).items() if wrong} == {}


def entries(world: Path, kind: str) -> list[Path]:
    return sorted(world.glob(f"calendar/store/collection-root/*/*/{kind}-*.ics"))


def change(path: Path, pattern: str, new: str) -> None:
    old = path.read_bytes().decode()
    changed = re.sub(pattern, new, old, count=1)
    assert changed != old
    path.write_bytes(changed.encode())


def invited(world: Path) -> Path:
    told = [mail.event for mail in WrittenWorld(world).mails if "invite.ics" in mail.enclosures]
    return next(path for path in entries(world, "session") if path.stem in told)


def move_meeting(world: Path) -> None:
    change(invited(world), r"DTSTART:\d{8}", "DTSTART:20250101")


def forget_appointment(world: Path) -> None:
    entries(world, "ticket")[0].unlink()


def lose_mail(world: Path) -> None:
    lost = min(mail.answers for mail in WrittenWorld(world).mails if mail.answers)
    head = f"Message-ID: <{lost}>".encode()
    next(path for path in world.glob("mail/store/*/Maildir/**/cur/*") if head in path.read_bytes()).unlink()


def change_sender(world: Path) -> None:
    path = next(path for path in world.glob("mail/store/*/Maildir/cur/*") if b"From: Lena" in path.read_bytes())
    change(path, r"lena\.krey@", "stranger@")


def change_payment(world: Path) -> None:
    ledger = world / "home/Documents/Money/household.xhb"
    change(ledger, r'amount="-(\d[^>]*wording="[A-Z]{2}-\d{4}-)', r'amount="-9\1')


def overlap(world: Path) -> None:
    first, second = entries(world, "outing")[:2]
    for name in ("DTSTART", "DTEND"):
        moment = re.findall(rf"{name}:(\S+)", first.read_text())[0]
        change(second, rf"{name}:\S+", f"{name}:{moment}")


def move_photograph(world: Path) -> None:
    path = next((world / "home/Pictures").rglob("*.jpg"))
    with Image.open(path) as image:
        exif = image.getexif()
        exif.get_ifd(0x8769)[36867] = "2023:01:01 10:00:00"
        image.load()
        image.save(path, exif=exif)


def change_weekday(world: Path) -> None:
    path = sorted(world.glob("home/Notes/*.md"))[0]
    day = date.fromisoformat(path.name[:10])
    change(path, f"{day:%A}", f"{day + timedelta(days=1):%A}")


def change_enclosure(world: Path) -> None:
    path = next(iter(sorted(world.glob("home/Documents/Bills/*/*.pdf"))))
    path.write_bytes(path.read_bytes() + b"%")


def change_birthday(world: Path) -> None:
    change(entries(world, "birthday")[0], r"DTSTART;VALUE=DATE:(\d{4})\d{4}", r"DTSTART;VALUE=DATE:\g<1>0115")


def change_plant(world: Path) -> None:
    path = world / "author.json"
    author = json.loads(path.read_text())
    author["plants"][0]["old"]["says"] = "something else"
    path.write_text(json.dumps(author))


def say_preference(world: Path) -> None:
    path = next(path for path in world.glob("mail/store/*/Maildir/.Sent/cur/*") if b"Hi " in path.read_bytes())
    change(path, r"\r\n\r\n", "\r\n\r\nShe books rooms without breakfast.\r\n")


def leave_brace(world: Path) -> None:
    note = sorted(world.glob("home/Notes/*.txt"))[0]
    note.write_text(note.read_text() + "\nAsk {who}.\n")


@pytest.mark.parametrize(
    ("rule", "spoil"),
    [
        ("answers come later", lose_mail),
        ("senders are known", change_sender),
        ("invitations stand in calendar", move_meeting),
        ("appointments agree", forget_appointment),
        ("nothing at once", overlap),
        ("statements agree", change_payment),
        ("invoices are paid", change_payment),
        ("photographs lie in trips", move_photograph),
        ("weekdays fit", change_weekday),
        ("enclosures are files", change_enclosure),
        ("birthdays agree", change_birthday),
        ("plants are pairs", change_plant),
        ("preferences show", say_preference),
        ("prose is clean", leave_brace),
    ],
)
def test_each_rule_sees_what_breaks_it(rule: str, spoil: Spoil, own_world: Copy) -> None:
    world = own_world()
    spoil(world)
    assert disagreements(world)[rule]
