"""The worlds on this host, each a layer: a folder that is complete, or not there.

<data>/worlds/
├── <name>/
│   ├── home/                 as it is to appear in /home/user
│   ├── mail/store/           as it is to appear in /run/mail/store: the mailbox that Dovecot serves
│   ├── calendar/store/       as it is to appear in /run/calendars/store: the calendars that Radicale serves
│   ├── author.json           events, evidence, plants, preferences; no agent's computer ever has it
│   └── world.json            written last: without it the folder is no world
├── .<name>.lock              held by whoever builds or removes that world
└── .building-<name>-*        work in progress, or what a killed build left; swept by the next one
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from proctor.computers.images.folders import data_folder, make
from proctor.errors import HostError, SpecError
from proctor.worlds.author import author_data
from proctor.worlds.life.tell import DAYS, tell
from proctor.worlds.people.load import load, names
from proctor.worlds.stores.calendars import write_calendars
from proctor.worlds.stores.home import write_home
from proctor.worlds.stores.mailbox import write_mailbox
from proctor.worlds.views.lay import Progress, lay

SOURCES = Path(__file__).parent
BUILDING = ".building-{name}-{process}"


@dataclass(frozen=True)
class World:
    """A world that is built."""

    name: str
    person: str
    seed: int
    days: int
    sources: str
    """Digest of the people, banks and code it was made from."""
    digest: str
    counts: dict[str, int]
    folder: Path

    @property
    def current(self) -> bool:
        """Whether it would be built the same today."""
        return self.sources == sources_digest()


def worlds_folder() -> Path:
    """Return the folder that holds one folder per world."""
    return data_folder() / "worlds"


def world_name(person: str, seed: int = 0) -> str:
    """Return what a world is called: by its person, and by its seed unless that is 0."""
    return f"{person}-{seed}" if seed else person


def parse_name(name: str) -> tuple[str, int]:
    """Return the person and the seed of a name."""
    person, _, seed = name.partition("-")
    if seed and not (seed.isdecimal() and seed == str(int(seed)) and int(seed)):
        raise SpecError(
            f"{name!r} is no world", remedy="a world is called by its person and perhaps a seed: nora, nora-7"
        )
    load(person)
    return person, int(seed or 0)


def find(name: str) -> World:
    """Return a world that is built."""
    parse_name(name)
    folder = worlds_folder() / name
    if not (folder / "world.json").is_file():
        raise SpecError(f"world {name} is not built", remedy=f"build it with `proctor worlds build {name}`")
    try:
        return World(folder=folder, **json.loads((folder / "world.json").read_text()))
    except (ValueError, TypeError) as error:
        raise SpecError(
            f"world {name} cannot be read: {error}", remedy=f"`proctor worlds build {name} --force`"
        ) from error


def worlds() -> list[World]:
    """Return every world that is built."""
    found = sorted(path.parent.name for path in worlds_folder().glob("*/world.json"))
    return [find(name) for name in found if name.partition("-")[0] in names()]


def build(name: str, *, force: bool = False, days: int = DAYS, progress: Progress = lambda _: None) -> World:
    """Build a world, unless it is there and would be the same.

    One that was begun and not finished is built anew.
    """
    person, seed = parse_name(name)
    top = make(worlds_folder())
    with _lock(top, name):
        if not force and (top / name / "world.json").is_file():
            found = find(name)
            if found.current and found.days == days:
                return found
        work = top / BUILDING.format(name=name, process=os.getpid())
        try:
            write_world(person, seed, work, days=days, progress=progress)
            _put_in_place(work, top / name)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return find(name)


def write_world(person: str, seed: int, folder: Path, *, days: int = DAYS, progress: Progress = lambda _: None) -> None:
    """Write a whole world into a folder; its own description comes last."""
    progress("telling the life")
    life, plants = tell(load(person), seed, days)
    desk = lay(life, progress)
    progress("writing it down")
    folder.mkdir(parents=True)
    steps: list[tuple[str, Callable[[Path], None]]] = [
        ("home", lambda top: write_home(desk, top)), ("mail", lambda top: write_mailbox(desk, top)), ("calendar",
        lambda top: write_calendars(desk, top)),
    ]  # fmt: skip
    for place, step in steps:
        step(folder / place)
    (folder / "author.json").write_text(json.dumps(author_data(desk, plants), ensure_ascii=False, indent=1))
    counts = {
        "events": len(life.events), "mails": len(desk.mails), "files": len(desk.files),
        "photographs": sum(each.path.endswith(".jpg") for each in desk.files),
        "entries": len(desk.entries), "contacts": len(desk.cards), "bookings": len(desk.bookings),
        "tasks": len(desk.errands), "chat": len(desk.said),
        "pages": len(desk.seen), "bookmarks": len(desk.bookmarks), "plants": len(plants),
        "preferences": len(life.owner.preferences),
        "bytes": sum(path.stat().st_size for path in _files(folder)),
    }  # fmt: skip
    about = World(world_name(person, seed), person, seed, days, sources_digest(), digest(folder), counts, folder)
    (folder / "world.json").write_text(
        json.dumps({key: value for key, value in asdict(about).items() if key != "folder"}, indent=2)
    )


def remove(name: str) -> None:
    """Delete a world."""
    find(name)
    with _lock(worlds_folder(), name):
        shutil.rmtree(worlds_folder() / name)


def digest(folder: Path) -> str:
    """Return the digest of all files of a world: names, times and contents."""
    total = hashlib.sha256()
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        if name != "world.json":
            # Where people and programs sort by time, it is a part of the world.
            told_at = int(path.stat().st_mtime) if name.startswith("home/") or "/cur/" in name else 0
            total.update(f"{name}\0{told_at}\0".encode())
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


@cache
def sources_digest() -> str:
    """Return the digest of everything that a world is made from."""
    total = hashlib.sha256()
    for path in sorted(path for path in SOURCES.rglob("*") if path.suffix in (".py", ".toml", ".sql")):
        total.update(path.relative_to(SOURCES).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    return iter(sorted(path for path in folder.rglob("*") if path.is_file()))


def _put_in_place(work: Path, target: Path) -> None:
    """Have a folder stand where another one stood, in one step for whoever looks."""
    old = target.with_name(f"{work.name}-old")
    if target.exists():
        target.rename(old)
    work.rename(target)
    shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _lock(top: Path, name: str) -> Iterator[None]:
    """Be the only one that changes a world of this name, and sweep what a killed one left."""
    with (top / f".{name}.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise HostError(
                f"world {name} is being built by another process", remedy="wait for it and try again"
            ) from error
        for left in top.glob(BUILDING.format(name=name, process="*")):
            shutil.rmtree(left, ignore_errors=True)
        yield
