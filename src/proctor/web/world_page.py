"""One page to browse a world, as its owner would and as its author."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from pathlib import Path

from proctor.report.style import STYLE
from proctor.worlds.check.written import Received, WrittenWorld

MOST_TEXT = 6_000
"""Characters of a file that are shown; the file itself is a link away."""
HERE = Path(__file__).parent
LOOKS = (HERE / "world_page.css").read_text()
SCRIPT = (HERE / "world_page.js").read_text()
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src file:; base-uri 'none'; form-action 'none'; "
    f"script-src 'sha256-{base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()}'"
)
"""What the page may load and run: its own script, and pictures of the world."""

Item = dict[str, object]


def world_page(folder: Path) -> str:
    """Return the page of a world that lies in a folder."""
    world = WrittenWorld(folder)
    owner = world.author["owner"]
    shelves = {
        "Mail": [_mail(mail) for mail in reversed(world.mails)],
        "Calendar": _calendar(world),
        "Files": [_file(world, path) for path in world.files if path.suffix != ".jpg"],
        "Pictures": [_picture(world, path) for path in world.files if path.suffix == ".jpg"],
        "Account": [{"title": f"{line.amount:,.2f}  {line.payee}", "when": f"{line.day}",
        "text": f"{line.memo}\nbalance {line.balance:,.2f}"} for line in reversed(world.lines)],
        "People": [{"title": name, "when": "", "text": card.strip(), "ref": f"contact:{name}"} for name,
        card in world.cards.items()],
        "Contradictions": [_plant(each) for each in world.author["plants"]],
        "Likes": [{"title": each["what"], "when": each["key"], "head": [f"shows {len(each['evidence'])} times"],
        "refs": each["evidence"]} for each in world.author["preferences"]],
        "Events": [_event(each) for each in world.author["events"]],
    }  # fmt: skip
    data = json.dumps(shelves, ensure_ascii=False).replace("<", "\\u003c")
    title = f"The desk of {owner['name']}"
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><meta "
        f"http-equiv='Content-Security-Policy' content=\"{POLICY}\">"
        f"<meta name='viewport' "
        f"content='width=device-width'><title>{escape(title)}</title><style>{STYLE}{LOOKS}</style></head><body>"
        f"<h1>{escape(title)}</h1><p class='quiet'>{escape(owner['about'])}; {world.author['from']} to "
        f"{world.author['to']}. "
        "The first six lists are what the owner sees; contradictions, likes and events are the author's.</p><nav></nav>"
        "<input type='search' placeholder='find' aria-label='find'><p class='note'><span id='count'></span> found</p>"
        "<main><div class='list'></div><article></article></main>"
        f"<script type='application/json' id='world'>{data}</script><script>{SCRIPT}</script></body></html>\n"
    )


def _mail(mail: Received) -> Item:
    head = [
        f"{mail.at:%A %d %B %Y, %H:%M}",
        f"from {mail.sender}",
        f"in {mail.folder.removeprefix('.')}",
        *(f"with {name}" for name in mail.enclosures),
    ]
    return {
        "title": mail.subject,
        "when": f"{mail.at:%Y-%m-%d %H:%M}",
        "who": mail.sender,
        "head": head,
        "text": mail.text,
        "ref": f"mail:{mail.event}",
    }


def _calendar(world: WrittenWorld) -> list[Item]:
    entries = sorted(world.entries.values(), key=lambda entry: entry.start, reverse=True)
    return [
        {
            "title": each.summary,
            "when": f"{each.start:%a %Y-%m-%d %H:%M}",
            "head": [f"until {each.end:%Y-%m-%d %H:%M}", each.place],
            "ref": f"calendar:{each.uid}",
        }
        for each in entries
    ]


def _file(world: WrittenWorld, path: Path) -> Item:
    name = path.relative_to(world.home).as_posix()
    text = world.text_of(path)
    shown = text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}\n[...]"
    return {
        "title": name,
        "when": f"{path.stat().st_size:,} bytes",
        "file": path.resolve().as_uri(),
        "text": shown,
        "ref": f"file:{name}",
    }


def _picture(world: WrittenWorld, path: Path) -> Item:
    name = path.relative_to(world.home).as_posix()
    return {"title": name, "when": "", "image": path.resolve().as_uri(), "ref": f"file:{name}"}


def _plant(plant: dict[str, object]) -> Item:
    sides = []
    for side in ("old", "new"):
        told = plant[side]
        assert isinstance(told, dict)
        right = plant["right"] == side
        sides.append(
            [f"{side}, {'right' if right else 'wrong'}:", told["says"], told["where"], "right" if right else "wrong"]
        )
    return {"title": plant["what"], "when": plant["id"], "text": plant["why"], "sides": sides}


def _event(event: dict[str, object]) -> Item:
    text = json.dumps(event["facts"], ensure_ascii=False, indent=1)
    head = [f"because of {event['cause']}"] if event["cause"] else []
    return {
        "title": event["id"],
        "when": event["at"],
        "who": event["kind"],
        "head": head,
        "text": text,
        "refs": event["shown"],
    }
