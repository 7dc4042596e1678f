"""What must agree in a world: each rule names what does not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

from PIL import Image

from proctor.worlds.author import LEAST_EVIDENCE
from proctor.worlds.check.written import WrittenWorld, read_entry
from proctor.worlds.people.load import towns
from proctor.worlds.prose.speak import sentences

Rule = Callable[[WrittenWorld], Iterator[str]]
DAY = re.compile(
    r"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? (\d{1,2}) "
    r"(January|February|March|April|May|June|July|August|September|October|November|December)"
    r"(?: (20\d\d))?"
)
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
WEEKDAYS = ("Mon", "Tues", "Wednes", "Thurs", "Fri", "Satur", "Sun")
MOST_OFTEN = 9
"""How often people may write the same sentence of more than six words."""
NEAR_DEGREES = 0.03


def answers_come_later(world: WrittenWorld) -> Iterator[str]:
    """Every answer follows what it answers, which is there."""
    known = {mail.id: mail for mail in world.mails}
    for mail in world.mails:
        if mail.answers and (mail.answers not in known or known[mail.answers].at >= mail.at):
            yield f"{mail.id} answers {mail.answers}, which is missing or later"


def senders_are_known(world: WrittenWorld) -> Iterator[str]:
    """Nobody writes before the owner knows them; strangers only where that is planted."""
    since = {each["address"]: each["since"] for each in world.author["people"]}
    hotels = {
        f"{''.join(letter for letter in town.hotel.lower() if letter.isalpha())}.example" for town in towns().values()
    }
    for mail in world.mails:
        known = since.get(
            mail.sender,
            "" if mail.sender.partition("@")[2] in hotels or mail.sender == world.author["owner"]["address"] else None,
        )
        if mail.event not in world.planted and (known is None or known > f"{mail.at:%Y-%m-%d}"):
            yield f"{mail.id}: {mail.sender} is not known"


def invitations_stand_in_calendar(world: WrittenWorld) -> Iterator[str]:
    """What mails invite to stands in the calendar at the last time told, unless it was cancelled."""
    told: dict[str, tuple[int, datetime]] = {}
    for mail in world.mails:
        if card := mail.enclosures.get("invite.ics"):
            entry = read_entry(card.decode())
            told[entry.uid] = max(told.get(entry.uid, (-1, entry.start)), (entry.changes, entry.start))
    off = {str(each["cause"]) for each in world.events.values() if each["kind"] == "session.off"}
    for uid, (_, start) in told.items():
        if uid in off:
            if uid in world.entries:
                yield f"{uid} was cancelled and stands in the calendar"
        elif uid not in world.entries or world.entries[uid].start != start:
            yield f"{uid} is at {start} by mail, and not so in the calendar"


def appointments_agree(world: WrittenWorld) -> Iterator[str]:
    """What practices and railways wrote last stands in the calendar, unless it is a plant."""
    for name, event in world.events.items():
        if event["kind"] in ("appointment", "ticket", "trip", "outing", "visit"):
            facts = event["facts"]
            assert isinstance(facts, dict)
            moved = [
                each
                for each in world.events.values()
                if each["cause"] == name and each["kind"] == "appointment.moved" and not each.get("plant")
            ]
            now = moved[-1]["facts"] if moved else facts
            assert isinstance(now, dict)
            start = datetime.fromisoformat(now.get("start") or now["leaves"])
            if name not in world.entries or world.entries[name].start != start:
                yield f"{name} ({event['kind']}) is at {start}, and not so in the calendar"


def nothing_at_once(world: WrittenWorld) -> Iterator[str]:
    """Meetings and appointments do not overlap."""
    kinds = ("session", "appointment", "visit", "outing")
    timed = sorted(
        (each.start, each.end, each.uid) for each in world.entries.values() if world.events[each.uid]["kind"] in kinds
    )
    for (_, end, first), (start, _, second) in zip(timed, timed[1:], strict=False):
        if start < end:
            yield f"{first} and {second} overlap at {start}"


def invoices_add_up(world: WrittenWorld) -> Iterator[str]:
    """The lines of every invoice add up, with tax, to its total."""
    for path in [
        *world.home.glob("Documents/Bills/*/*.pdf"),
        *world.home.glob("Documents/Invoices/*/*.pdf"),
        *world.home.glob("Documents/Customers/*/*.pdf"),
    ]:
        lines = world.text_of(path).split("\n")
        amounts = lines[lines.index("Amount") + 1 : lines.index("Net")]
        listed = round(sum(_number(amount) for amount in amounts[4::5]), 2)
        net, tax, total = (_number(lines[lines.index(name) + 1]) for name in ("Net", "VAT 20%", "Total"))
        if abs(listed - net) > 0.005 or abs(net + tax - total) > 0.005:
            yield f"{path.name} does not add up: {listed}, {net}, {tax}, {total}"


def invoices_are_paid(world: WrittenWorld) -> Iterator[str]:
    """Every invoice has its one payment, its plant, or some days left."""
    paid = Counter((memo, round(abs(amount), 2)) for _, amount, memo in world.ledger)
    for name, event in world.events.items():
        facts = event["facts"]
        assert isinstance(facts, dict)
        if event["kind"] not in ("bill", "order.billed", "invoice"):
            continue
        count = paid[(facts["invoice"], facts["total"])]
        late = event["kind"] == "invoice" or date.fromisoformat(facts["due"]) >= world.last
        if (
            count != 1
            and name not in world.planted
            and not (count == 0 and late and date.fromisoformat(facts["due"]) > world.last - timedelta(days=16))
        ):
            yield f"{facts['invoice']} is paid {count} times"
        if name in world.planted and count:
            yield f"{facts['invoice']} is planted as unpaid and is paid"


def statements_agree(world: WrittenWorld) -> Iterator[str]:
    """Statements go on from each other, add up, and say what the household book says."""
    balance: float | None = None
    for line in world.lines:
        if balance is not None and abs(balance + line.amount - line.balance) > 0.005:
            yield f"statement of {line.day}: {line.balance} does not follow from {balance}"
        balance = line.balance
    first = min((line.day for line in world.lines), default=world.last)
    until = (world.last.replace(day=1)) - timedelta(days=1)
    told = Counter((line.day, line.amount, line.memo) for line in world.lines if line.amount)
    kept = Counter((day, amount, memo) for day, amount, memo in world.ledger if first <= day <= until)
    for difference in ((told - kept) + (kept - told)).elements():
        yield f"only in one of statement and household book: {difference}"


def photographs_lie_in_trips(world: WrittenWorld) -> Iterator[str]:
    """Every photograph was taken on a journey or an outing, in its town."""
    spans = [
        (each.start, each.end, each.place)
        for each in world.entries.values()
        if world.events[each.uid]["kind"] in ("trip", "outing")
    ]
    for path in world.home.glob("Pictures/**/*.jpg"):
        with Image.open(path) as image:
            exif = image.getexif()
        taken = datetime.strptime(str(exif.get_ifd(0x8769)[36867]), "%Y:%m:%d %H:%M:%S")
        place = exif.get_ifd(0x8825)
        north, east = (float(d) + float(m) / 60 + float(s) / 3600 for d, m, s in (place[2], place[4]))
        near = [
            town.name
            for town in towns().values()
            if abs(town.latitude - north) < NEAR_DEGREES and abs(town.longitude - east) < NEAR_DEGREES
        ]
        if not any(start <= taken <= end and near and near[0] in where for start, end, where in spans):
            yield f"{path.name}: taken {taken} in {near}, where nobody was"


def weekdays_fit(world: WrittenWorld) -> Iterator[str]:
    """Days of the week fit their dates, in mails and in papers."""
    for mail in world.mails:
        yield from (f"{mail.id}: {found}" for found in wrong_days(f"{mail.subject}\n{mail.own_text}", mail.at.date()))
    for path in world.files:
        written = datetime.fromtimestamp(path.stat().st_mtime).date()
        yield from (f"{path.name}: {found}" for found in wrong_days(world.text_of(path), written))


def wrong_days(text: str, written: date) -> Iterator[str]:
    """Yield the dates in a text with a wrong day of the week; without a year the nearest is meant."""
    for found in DAY.finditer(re.sub(r"\s+", " ", text)):
        day, month, year = int(found[2]), MONTHS.index(found[3]) + 1, found[4]
        years = [int(year)] if year else [written.year - 1, written.year, written.year + 1]
        possible = [date(each, month, day) for each in years if not (month == 2 and day == 29 and each % 4)]
        if WEEKDAYS[min(possible, key=lambda each: abs(each - written)).weekday()] != found[1]:
            yield found[0]


def enclosures_are_files(world: WrittenWorld) -> Iterator[str]:
    """What came with mails lies in the home folder, the same byte for byte."""
    by_name: dict[str, list[Path]] = {}
    for path in world.files:
        by_name.setdefault(path.name, []).append(path)
    for mail in world.mails:
        for name, data in mail.enclosures.items():
            if name != "invite.ics" and not any(path.read_bytes() == data for path in by_name.get(name, [])):
                yield f"{mail.id}: {name} is not in the home folder as it came"


def birthdays_agree(world: WrittenWorld) -> Iterator[str]:
    """Birthdays in the calendar are those of the cards."""
    for entry in world.entries.values():
        name = entry.summary.removeprefix("Birthday ")
        if name != entry.summary and f"{entry.start:%m%d}\r" not in f"{world.cards[name]}\r".replace("\n", "\r"):
            yield f"{entry.summary} is on {entry.start:%d %B}, and not so on the card"


def plants_are_pairs(world: WrittenWorld) -> Iterator[str]:
    """Both sides of every contradiction are there and say what they should."""
    for plant in world.author["plants"]:
        for side in (plant["old"], plant["new"]):
            if side["says"] not in text_at(world, side["where"]):
                yield f"{plant['id']} ({plant['what']}): {side['where']} does not say {side['says']!r}"


def preferences_show(world: WrittenWorld) -> Iterator[str]:
    """What somebody likes shows three times or more, and is said nowhere."""
    said = "\n".join(mail.own_text for mail in world.mails).lower()
    short = (world.last - date.fromisoformat(world.author["from"])).days < 300
    for preference in world.author["preferences"]:
        if len(preference["evidence"]) < LEAST_EVIDENCE and not short:
            yield f"{preference['key']} shows only {len(preference['evidence'])} times"
        if preference["what"].lower() in said:
            yield f"{preference['key']} is said in so many words"


def prose_is_clean(world: WrittenWorld) -> Iterator[str]:
    """No bracket of a bank is left, no word stands twice, and people do not repeat themselves."""
    counts: Counter[str] = Counter()
    machines = {
        each["address"]
        for each in world.author["people"]
        if each["role"] in ("shop", "utility", "rail", "bank", "care", "news", "employer")
    }
    for mail in world.mails:
        text = f"{mail.subject}\n{mail.own_text}"
        yield from (f"{mail.id}: {found!r}" for found in flaws(text))
        if mail.sender not in machines:
            counts.update(
                {each for each in sentences(mail.own_text) if len(each.split()) > 6 and not each.startswith("- ")}
            )
    yield from (f"said {count} times: {text}" for text, count in counts.items() if count > MOST_OFTEN)
    for path in world.files:
        if path.suffix in (".odt", ".docx", ".txt", ".md", ".pdf"):
            yield from (f"{path.name}: {found!r}" for found in flaws(world.text_of(path)) if found[:1] != "[")


def flaws(text: str) -> Iterator[str]:
    """Yield what no text must have: brackets of banks, a word twice, blanks before a stop."""
    yield from re.findall(r"[{}\[\]|]", re.sub(r"^\|.*\|$|^- \[[x ]\]", "", text, flags=re.MULTILINE))
    yield from (found[0] for found in re.finditer(r"\b([A-Za-z]{2,}) \1\b", text) if found[1] not in ("that", "had"))
    yield from re.findall(r"\w [.,;?!](?:\s|$)", text)


def text_at(world: WrittenWorld, where: str) -> str:
    """Return what stands at a reference."""
    kind, _, name = where.partition(":")
    if kind == "mail":
        return "\n".join(re.sub(r"\s+", " ", mail.own_text) for mail in world.mails if mail.event == name)
    if kind == "file":
        return re.sub(r"\s+", " ", world.text_of(world.home / name))
    if kind == "calendar":
        entry = world.entries[name]
        return f"{entry.start:%Y-%m-%d %H:%M} {entry.summary} {entry.place}"
    if kind == "contact":
        return re.sub(r"BDAY;VALUE=DATE:(\d{4})(\d\d)(\d\d)", r"\1-\2-\3", world.cards[name])
    facts = world.events[name]["facts"]
    assert isinstance(facts, dict)
    if kind == "bank":
        day = datetime.fromisoformat(str(world.events[name]["at"])).date()
        return "\n".join(
            f"{amount:.2f} {memo}" for when, amount, memo in world.ledger if when == day and memo == facts["memo"]
        )
    if kind == "todo":
        listed = (world.home / ".local/share/gtg/gtg_data.xml").read_text()
        return str(facts["title"]) if f"<title>{facts['title']}</title>" in listed else ""
    log = next(world.home.glob(f".config/hexchat/logs/*/{facts['channel']}.log")).read_text()
    return "\n".join(str(line[1]) for line in facts["lines"] if str(line[1]) in log)


def _number(text: str) -> float:
    return float(text.removesuffix(" EUR").replace(",", ""))


RULES: tuple[Rule, ...] = (
    answers_come_later, senders_are_known, invitations_stand_in_calendar, appointments_agree, nothing_at_once,
    invoices_add_up, invoices_are_paid,
    statements_agree, photographs_lie_in_trips, weekdays_fit, enclosures_are_files, birthdays_agree, plants_are_pairs,
    preferences_show, prose_is_clean,
)  # fmt: skip


def disagreements(folder: Path) -> dict[str, list[str]]:
    """Return what does not agree in a world, by the rule it breaks; rules that hold have nothing."""
    world = WrittenWorld(folder)
    return {rule.__name__.replace("_", " "): list(rule(world)) for rule in RULES}
