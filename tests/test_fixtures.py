"""Files that tasks plant are what their names say, by their first bytes, so that programs can open and show them."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from proctor import load_suite
from proctor.computers.backends.fake.computer import FakeComputer
from proctor.suites.parts.fixtures import plant
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import make, run
from proctor.tasks.task import Task

BEGINNINGS: dict[str, tuple[int, tuple[bytes, ...]]] = {
    ".pdf": (0, (b"%PDF-",)),
    ".jpg": (0, (b"\xff\xd8\xff",)),
    ".jpeg": (0, (b"\xff\xd8\xff",)),
    ".png": (0, (b"\x89PNG\r\n\x1a\n",)),
    ".gif": (0, (b"GIF8",)),
    ".bmp": (0, (b"BM",)),
    ".webp": (8, (b"WEBP",)),
    ".zip": (0, (b"PK",)),
    ".odt": (0, (b"PK",)),
    ".ods": (0, (b"PK",)),
    ".odp": (0, (b"PK",)),
    ".docx": (0, (b"PK",)),
    ".xlsx": (0, (b"PK",)),
    ".pptx": (0, (b"PK",)),
    ".epub": (0, (b"PK",)),
    ".gz": (0, (b"\x1f\x8b",)),
    ".tar": (257, (b"ustar",)),
    ".mp3": (0, (b"ID3", b"\xff\xfb", b"\xff\xf3")),
    ".ogg": (0, (b"OggS",)),
    ".flac": (0, (b"fLaC",)),
    ".wav": (0, (b"RIFF",)),
    ".mp4": (4, (b"ftyp",)),
    ".mkv": (0, (b"\x1a\x45\xdf\xa3",)),
    ".db": (0, (b"SQLite format 3",)),
    ".sqlite": (0, (b"SQLite format 3",)),
}
"""How files begin, by the endings of their names, and from which byte on."""
PLAIN = frozenset({"text_file", "csv_file", "json_file", "ini_file"})
"""Setup steps that write what they are given, whatever the name; others make the format of the name themselves."""


def is_of_its_kind(path: str, data: bytes) -> bool:
    start, beginnings = BEGINNINGS[PurePosixPath(path).suffix.lower()]
    return data[start:].startswith(beginnings)


def claims_a_kind(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in BEGINNINGS


def planted_plainly(task: Task) -> list[str]:
    """Return the files of a task that plain setup steps write under a name that promises more."""
    steps = (call for call in task.setup if call.name in PLAIN)
    return [path for call in steps if claims_a_kind(path := str(call.arguments["path"]))]


def named_otherwise(suite: str, seed: int, every: int = 1) -> list[tuple[str, str]]:
    """Return the tasks of a suite with the files that have a name of another kind."""
    tasks = (load_suite(suite).task(template.name, seed) for template in load_suite(suite).templates[::every])
    return [(task.id, path) for task in tasks for path in planted_plainly(task)]


@pytest.mark.parametrize("suite", ["core", "tour"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_plain_files_have_no_names_of_other_formats(suite: str, seed: int) -> None:
    assert named_otherwise(suite, seed) == []


def test_neither_have_those_of_composed_tasks() -> None:
    assert named_otherwise("graph", 0, every=45) == []


@pytest.mark.parametrize("path", ["a.pdf", "b.jpg", "c.png", "d.zip", "e.tar", "f.webp"])
def test_a_planted_file_is_of_its_kind(path: str) -> None:
    with FakeComputer() as computer:
        run(plant(path, "Lease"), SetupContext(computer))
        assert is_of_its_kind(path, computer.read_file(path))


def test_what_says_something_else_is_another_file() -> None:
    with FakeComputer() as computer:
        for path, says in (("a.jpg", "bridge"), ("b.jpg", "cat"), ("c.pdf", "bridge"), ("d.pdf", "cat")):
            run(plant(path, says), SetupContext(computer))
        held = [computer.read_file(path) for path in ("a.jpg", "b.jpg", "c.pdf", "d.pdf")]
        assert len(set(held)) == 4


def test_a_text_stays_a_text() -> None:
    with FakeComputer() as computer:
        run(plant("notes.txt", "Lease"), SetupContext(computer))
        assert computer.read_file("notes.txt") == b"Lease\n"


@pytest.mark.parametrize(("path", "size"), [("a.tar", 200_000), ("b.mp4", 11 * 2**20), ("c.mp4", 20), ("d.bin", 10)])
def test_a_big_file_begins_as_its_kind_does(path: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeComputer() as computer:
        context = SetupContext(computer)
        monkeypatch.setattr(SetupContext, "command", lambda self, argv: None)
        run(make.big_file(path, size, begins="backup of May\n"), context)
        data = computer.read_file(path)
    assert len(data) <= size
    assert not claims_a_kind(path) or is_of_its_kind(path, data)
