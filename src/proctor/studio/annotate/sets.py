"""Annotation sets on disk: items that never change, and a file of each annotator's labels.

```
annotations/NAME/
├── set.json            what is annotated, by how many people each item, what can be chosen
├── items.jsonl         one item a line; more may be appended
├── pictures/           by the SHA-256 of their content
├── elements/           what was on the screen, from accessibility trees
├── labels/WHO.jsonl    every version that an annotator saved, one a line
├── decisions.jsonl     what was decided where annotators differ, in the same form
└── texts.jsonl thumbs/ what was read off pictures, and small copies: both can be made again
```
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from proctor.errors import RecordError, SpecError
from proctor.store.files import disk_trouble, plain_json, read_json, write_whole
from proctor.store.lines import JsonLines
from proctor.store.paths import folder_name
from proctor.store.versions import Version, VersionLog
from proctor.studio.annotate.items import AnnotationItem, item_from
from proctor.studio.annotate.labels import KINDS, Kind

FORMAT = 1
HOME = "annotations"
"""The folder of all sets, in the workspace of a studio."""
MOST_ITEMS = 1_000_000
MOST_ANNOTATORS = 20
LONGEST_NAME = 64

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}", re.ASCII)


@dataclass(frozen=True, kw_only=True, slots=True)
class About:
    """What a set is."""

    kind: Kind
    annotators: int = 1
    options: tuple[str, ...] = ()
    """The actions to choose from, for transitions."""
    source: str = ""

    def plain(self) -> dict[str, object]:
        """Return it as `set.json` has it."""
        return {"format": FORMAT, **asdict(self), "options": list(self.options), "made": time.time()}


class AnnotationSet:
    """One set, opened; it may grow while it is open, and others may save in it."""

    def __init__(self, folder: Path) -> None:
        """Open the set in a folder; raises RecordError where there is none."""
        self.folder = folder
        self.about = _about(folder)
        self._lock = threading.Lock()
        self._file = JsonLines(folder / "items.jsonl", MOST_ITEMS)
        self._items: dict[str, AnnotationItem] = {}
        self._logs: dict[str, VersionLog] = {}
        self.decisions = VersionLog(folder / "decisions.jsonl")

    @property
    def name(self) -> str:
        """What it is called."""
        return self.folder.name

    def items(self) -> list[AnnotationItem]:
        """Return all items in their order."""
        with self._lock:
            self._refresh()
            return list(self._items.values())

    def item(self, id: str) -> AnnotationItem | None:
        """Return an item by its id."""
        with self._lock:
            if id not in self._items:
                self._refresh()
            return self._items.get(id)

    def log(self, person: str) -> VersionLog:
        """Return what an annotator saves into."""
        return self._log(f"{folder_name(person)}.jsonl")

    def labels(self) -> dict[str, dict[str, Version]]:
        """Return what annotators saved last: by item, then by annotator."""
        found: dict[str, dict[str, Version]] = {}
        folder = self.folder / "labels"
        names = sorted(path.name for path in folder.glob("*.jsonl")) if folder.is_dir() else []
        for name in names:
            for key, version in self._log(name).latest().items():
                found.setdefault(key, {})[version.by or name.removesuffix(".jsonl")] = version
        return found

    def done_labels(self, labels: dict[str, dict[str, Version]], item: str) -> dict[str, dict[str, object]]:
        """Return the labels of an item that annotators say are done, by annotator."""
        return {who: label.data for who, label in labels.get(item, {}).items() if label.data.get("done") is True}

    def picture(self, name: str) -> Path:
        """Return where a picture lies."""
        return self.folder / "pictures" / name

    def _log(self, name: str) -> VersionLog:
        with self._lock:
            if name not in self._logs:
                self._logs[name] = VersionLog(self.folder / "labels" / name)
            return self._logs[name]

    def _refresh(self) -> None:
        for line in self._file.more():
            if item := item_from(line.data):
                self._items.setdefault(item.id, item)


class Sets:
    """The sets in the workspace of a studio, by name."""

    def __init__(self, workspace: Path) -> None:
        self.folder = workspace / HOME
        self._open: dict[str, AnnotationSet] = {}
        self._lock = threading.Lock()

    def names(self) -> list[str]:
        """Return the names of all sets."""
        if not self.folder.is_dir():
            return []
        return sorted(path.name for path in self.folder.iterdir() if _NAME.fullmatch(path.name) and _is_set(path))

    def find(self, name: str) -> AnnotationSet | None:
        """Return a set; None where there is none of this name. Nothing but a plain name is looked for."""
        if not _NAME.fullmatch(name) or not _is_set(self.folder / name):
            return None
        with self._lock:
            if name not in self._open:
                try:
                    self._open[name] = AnnotationSet(self.folder / name)
                except RecordError:
                    return None
            return self._open[name]

    def each(self) -> Iterator[AnnotationSet]:
        """Walk all sets that can be opened."""
        for name in self.names():
            if found := self.find(name):
                yield found


def set_folder(workspace: Path, name: str) -> Path:
    """Return where a set lies; raises SpecError for a name that could lead elsewhere."""
    if not _NAME.fullmatch(name):
        raise SpecError(
            f"{name[:80]!r} is not a valid name for a set",
            remedy=f"use at most {LONGEST_NAME} letters, digits, blanks and ._-, the first a letter or digit",
        )
    return workspace / HOME / name


@contextmanager
def new_set(folder: Path, about: About) -> Iterator[Path]:
    """Make a set that appears with everything in it, or not at all; yields the folder to fill."""
    set_folder(folder.parent.parent, folder.name)
    if not 1 <= about.annotators <= MOST_ANNOTATORS:
        raise SpecError(f"{about.annotators} annotators for each item", remedy=f"choose 1 to {MOST_ANNOTATORS}")
    if os.path.lexists(folder):
        raise SpecError(f"{folder} already exists", remedy="choose another name")
    with disk_trouble(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
        try:
            for name in ("pictures", "elements", "labels"):
                (part / name).mkdir()
            (part / "items.jsonl").touch()
            write_whole(part, "set.json", plain_json(about.plain()), durable=True)
            yield part
            part.chmod(0o755)
            part.rename(folder)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise


def _about(folder: Path) -> About:
    data = read_json(folder / "set.json", 1 << 20)
    kind, annotators, options = (
        (data.get("kind"), data.get("annotators"), data.get("options")) if isinstance(data, dict) else (None,) * 3
    )
    if not isinstance(data, dict) or data.get("format") != FORMAT or kind not in KINDS:
        raise RecordError(f"{folder} is not an annotation set", remedy="`proctor studio new` makes one")
    return About(
        kind=kind,
        annotators=annotators if isinstance(annotators, int) and 1 <= annotators <= MOST_ANNOTATORS else 1,
        options=tuple(str(each) for each in options) if isinstance(options, list) else (),
        source=str(data.get("source") or ""),
    )


def _is_set(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and (path / "set.json").is_file()
