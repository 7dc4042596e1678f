"""What a harvest visits: programs, documents for them to show, and the looks they are shown in."""

from __future__ import annotations

import configparser
import csv
import io
import random
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from PIL import Image, ImageDraw

from proctor.computers.computer import Computer
from proctor.home import HOME
from proctor.vocabulary.formats.office.blocks import DocumentBlock, Paper
from proctor.vocabulary.formats.office.write_odf import odt
from proctor.vocabulary.formats.pack import pack
from proctor.vocabulary.formats.spreadsheets.spec import SheetSpec
from proctor.vocabulary.formats.spreadsheets.write import ods

APPLICATIONS = "/usr/share/applications"
SIZES = ((1920, 1080), (1366, 768), (1280, 800), (1600, 900), (2560, 1440))
THEMES = ("light", "dark")
SCALES = (1.0, 1.25, 1.5)
LOCALES = ("en_US.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "ja_JP.UTF-8")
LOOKS = ("light", "xfce")
TOGETHER = 5
"""Programs that are visited on one computer, one after the other."""
_MOST_ENTRY = 200_000
_SKIPPED = re.compile(
    r"logout|shutdown|lock|xfce4-run|appfinder|web-browser|mail-reader|terminal-emulator|file-manager|lxde-x|kcm_|kded|"
    r"kwallet|telnet|python|geoclue|panel-desktop|^openbox|previewer|device|xsltfilter|vlc-open|okularApplication|"
    r"lrfviewer|bulk-rename|display-settings|accessibility-settings|xfce-wm"
)
"""Entries that only start what another entry is for, have no window, or change the desktop that they run on."""

_Choice = TypeVar("_Choice")


@dataclass(frozen=True, slots=True)
class VisitedProgram:
    """A program that can be visited."""

    name: str
    argv: tuple[str, ...]
    document: str = ""
    """The name of one of DOCUMENTS that it is opened with."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One program in one look."""

    number: int
    group: int
    """Visits of one group share a computer."""
    program: VisitedProgram
    size: tuple[int, int]
    theme: str
    scale: float
    locale: str
    look: str

    @property
    def key(self) -> str:
        """What its file is called."""
        width, height = self.size
        shown = f"{self.program.name}-{width}x{height}-{self.theme}-{self.scale:g}-{self.locale.partition('.')[0]}"
        return f"{self.number:04d}-{re.sub(r'[^A-Za-z0-9.-]+', '_', shown)}-{self.look}"

    @property
    def english(self) -> bool:
        """Whether names are in English."""
        return self.locale.startswith(("en", "C"))


@dataclass(frozen=True, kw_only=True)
class Looks:
    """In what looks programs are visited; each computer draws one of each, some the first oftener."""

    sizes: Sequence[tuple[int, int]] = SIZES
    themes: Sequence[str] = THEMES
    scales: Sequence[float] = SCALES
    locales: Sequence[str] = LOCALES
    looks: Sequence[str] = LOOKS

    def plain(self) -> dict[str, object]:
        """Return it as plain data."""
        return {name: list(each) for name, each in vars(self).items()}


def visits(programs: Sequence[VisitedProgram], looks: Looks, *, seed: int, rounds: int) -> list[Visit]:
    """Return the plan: every program once a round, in an order and in looks that the seed draws.

    A few programs in a row are visited on one computer, since starting one takes as long as looking at a program; only
    the size of letters is each one's own.
    """
    planned: list[Visit] = []
    group = 0
    # In turn, so that every size comes up however few groups there are.
    sizes = random.Random(f"{seed}/sizes").sample(list(looks.sizes), len(looks.sizes))
    for turn in range(rounds):
        order = sorted(programs, key=lambda program: program.name)
        random.Random(f"{seed}/{turn}").shuffle(order)
        for start in range(0, len(order), TOGETHER):
            draw = random.Random(f"{seed}/{turn}/{start}")
            size, theme = sizes[group % len(sizes)], draw.choice(looks.themes)
            locale, look = _first_oftener(draw, looks.locales), draw.choice(looks.looks)
            for program in order[start : start + TOGETHER]:
                scale = _first_oftener(random.Random(f"{seed}/{turn}/{program.name}"), looks.scales)
                planned.append(Visit(len(planned), group, program, size, theme, scale, locale, look))
            group += 1
    return planned


def _first_oftener(draw: random.Random, choices: Sequence[_Choice]) -> _Choice:
    """Draw one, the first as often as all others together."""
    return choices[0] if len(choices) == 1 or draw.random() < 0.5 else draw.choice(choices[1:])


def programs_of(computer: Computer) -> list[VisitedProgram]:
    """Return the programs that a computer's menu offers, by their names."""
    found = {}
    for entry in computer.list_files(APPLICATIONS):
        name = entry.path.rpartition("/")[2]
        if name.endswith(".desktop") and not _SKIPPED.search(name.removesuffix(".desktop")):
            try:
                text = computer.read_file(f"{APPLICATIONS}/{name}", most=_MOST_ENTRY).decode("utf-8", "replace")
            except OSError:
                continue
            if program := read_entry(name.removesuffix(".desktop"), text):
                found[program.name] = program
    return [found[name] for name in sorted(found)]


def read_entry(name: str, text: str) -> VisitedProgram | None:
    """Return the program that a desktop entry starts; None for one that has no window of its own."""
    parser = configparser.RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
    try:
        parser.read_string(text)
        entry: Mapping[str, str] = parser["Desktop Entry"]
        argv = shlex.split(entry["exec"])
    except (configparser.Error, KeyError, ValueError):
        return None
    if any(entry.get(flag, "").lower() == "true" for flag in ("nodisplay", "hidden", "terminal")):
        return None
    takes = any(re.fullmatch(r"%[fFuU]", part) for part in argv)
    argv = [part for part in argv if not re.fullmatch(r"%[a-zA-Z]", part)]
    types = entry.get("mimetype", "").split(";")
    document = next((each for each, kind in DOCUMENTS.items() if takes and kind in types), "")
    return VisitedProgram(name, tuple(argv), document) if argv else None


def open_program(computer: Computer, visit: Visit) -> None:
    """Open the program with its document in its look; raises ComputerError without a window."""
    program, argv = visit.program, list(visit.program.argv)
    if program.document:
        computer.write_file(program.document, document(program.document))
        argv.append(f"{HOME}/{program.document}")
    scale = f"{visit.scale:g}"
    env = {"GDK_DPI_SCALE": scale, "QT_FONT_DPI": f"{round(96 * visit.scale)}"} if visit.scale != 1 else {}
    computer.launch(argv, env=env)


_OPEN_DOCUMENT = "application/vnd.oasis.opendocument."
DOCUMENTS = {
    # Before texts and tables: of those an office asks first how they are to be read, and shows nothing else.
    "letter.odt": f"{_OPEN_DOCUMENT}text",
    "prices.ods": f"{_OPEN_DOCUMENT}spreadsheet",
    "notes.txt": "text/plain",
    "table.csv": "text/csv",
    "paper.pdf": "application/pdf",
    "picture.png": "image/png",
    "papers.zip": "application/zip",
    "page.html": "text/html",
}
"""Documents by the kind of content that a program must say it opens."""


def document(name: str) -> bytes:
    """Return the content of a document, always the same."""
    if name == "notes.txt":
        return "\n".join(_sentences(40)).encode()
    if name == "table.csv":
        sink = io.StringIO()
        table = csv.writer(sink)
        table.writerow(["Item", "Shelf", "Amount", "Price"])
        table.writerows([f"Item {row}", chr(65 + row % 6), row * 3 % 17, f"{row * 1.25:.2f}"] for row in range(1, 31))
        return sink.getvalue().encode()
    if name == "page.html":
        body = "".join(f"<h2>Part {n}</h2><p>{text} <a href='#'>More</a></p>" for n, text in enumerate(_sentences(8)))
        return f"<!doctype html><title>Notes</title><body>{body}</body>".encode()
    if name == "letter.odt":
        return odt(Paper(blocks=tuple(DocumentBlock(text=text) for text in _sentences(20))))
    if name == "prices.ods":
        rows = [(f"Item {row}", chr(65 + row % 6), str(row * 3 % 17)) for row in range(1, 25)]
        return ods([SheetSpec(name="Prices", rows=(("Item", "Shelf", "Amount"), *rows))])
    if name == "papers.zip":
        return pack({f"papers/page-{number}.txt": text for number, text in enumerate(_sentences(6), 1)})
    image = Image.new("RGB", (800, 500), "#e8e4d8")
    draw = ImageDraw.Draw(image)
    for number, text in enumerate(_sentences(12)):
        draw.ellipse((500 + number * 8, 40 + number * 30, 560 + number * 8, 100 + number * 30), outline="#336699")
        draw.text((40, 40 + number * 34), text, fill="#222222")
    sink_bytes = io.BytesIO()
    if name == "paper.pdf":
        image.save(sink_bytes, "PDF", creationDate=None, modDate=None)
    else:
        image.save(sink_bytes, "PNG")
    return sink_bytes.getvalue()


def _sentences(count: int) -> Iterator[str]:
    things = ("ladder", "kettle", "garden", "window", "letter", "harbour", "bicycle", "lantern")
    verbs = ("waits for", "is older than", "stands beside", "was painted after")
    for number in range(count):
        first, second = things[number % len(things)], things[(number * 3 + 1) % len(things)]
        yield f"{number + 1}. The {first} {verbs[number % len(verbs)]} the {second}."
