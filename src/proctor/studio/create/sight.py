"""What a desktop is like beyond its files: windows, settings, mail."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from proctor.computers.computer import Computer
from proctor.computers.entries import Change
from proctor.errors import ComputerError, ComputerLost, HostError
from proctor.exam.state import ExamState
from proctor.exam.watcher import Watcher
from proctor.plain_text import printable
from proctor.records import Step
from proctor.tasks.call import Call
from proctor.tasks.collateral import noise, unexplained_changes
from proctor.tasks.examine import looker
from proctor.tasks.findings import Fault
from proctor.tasks.probe_context import ProbeContext

MOST_TEXT = 64 * 1024
"""Bytes of a text that is shown and written into a task."""
MOST_BYTES = 8 << 20
"""Bytes of any other file that a task brings with it."""
MOST_FILES = 200
SETTINGS = """
command -v xfconf-query >/dev/null && for channel in $(xfconf-query -l 2>/dev/null | tail -n +2); do
  echo "[xfconf $channel]"; xfconf-query -c "$channel" -lv 2>/dev/null
done
command -v dconf >/dev/null && echo "[dconf]" && dconf dump / 2>/dev/null
true
"""
RESTLESS = (
    "xfce4-session ",
    "displays ",
    "xfce4-appfinder ",
    "/org/gtk/settings/file-chooser",
    "window-",
    "/last-",
    "/sessions/",
    "/state/",
)
"""Parts of the names of settings that programs keep for themselves."""


@dataclass(frozen=True)
class Sight:
    """A desktop at an instant."""

    windows: tuple[Mapping[str, object], ...] = ()
    """Each with title, app and argv."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """By `xfconf CHANNEL PROPERTY` or `dconf KEY`."""
    services: Mapping[str, object] = field(default_factory=dict)
    """What probes of services saw, by the probe as a task file writes it."""


@dataclass(frozen=True)
class ChangedFile:
    """A file that was made, changed or removed."""

    path: str
    """Relative to the home folder where it lies there."""
    kind: str
    file: str
    before: bytes | None = None
    after: bytes | None = None
    too_large: bool = False

    @property
    def content_digest(self) -> str:
        """The digest by which a file is found again under another name."""
        data = self.before if self.kind == "deleted" else self.after
        return hashlib.sha256(data).hexdigest() if data else ""


def as_text(data: bytes | None) -> str | None:
    """Return what a file holds, where it is a text that can be shown; None otherwise."""
    if data is None or len(data) > MOST_TEXT or b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


class Looking(Watcher):
    """Looks at a desktop before and after a person's work, keeps what they did and tells it."""

    def __init__(self, told: Callable[[Looking], None], apps: Sequence[str], probes: Sequence[Call] = ()) -> None:
        """Begin without having looked; `told` is called at the end, in the thread of the episode.

        Traces that `apps` leave are no changes; `probes` ask for more, such as mailboxes.
        """
        self._told, self._apps, self._probes = told, tuple(apps), tuple(probes)
        self.prepared = self.left = Sight()
        self.files: list[ChangedFile] = []
        self.steps: list[Step] = []
        self.trouble = ""

    def begin(self, exam: ExamState) -> None:
        """Look at the prepared desktop."""
        self.prepared = self._look(exam)

    def after(self, exam: ExamState, step: Step) -> Step:
        """Keep what was done."""
        if step.action is not None and not step.refused:
            self.steps.append(step)
        return step

    def end(self, exam: ExamState) -> None:
        """Look at what is there now; an episode that came to nothing tells nothing."""
        if exam.stop not in ("done", "answered", "gave_up"):
            self.trouble = "It was left unfinished: nothing of it was used."
        else:
            self.left = self._look(exam)
            self.files = changed_files(exam.computer, self._apps)
        self._told(self)

    def _look(self, exam: ExamState) -> Sight:
        try:
            return look(exam.computer, self._probes)
        except HostError:
            raise
        except (ComputerError, OSError) as error:
            self.trouble = printable(f"The desktop could not be looked at: {error}")
            return Sight()


def look(computer: Computer, probes: Sequence[Call] = ()) -> Sight:
    """Return a desktop as it is now."""
    windows = []
    for window in computer.windows() if "windows" in computer.capabilities else ():
        argv = _argv(computer, window.pid)
        windows.append({"title": window.title, "app": window.app, "argv": argv, "minimised": window.minimised})
    ask = looker(ProbeContext(computer), {})
    # What cannot be seen yet, such as a service that is not set up, says nothing.
    seen = {probe.key: found for probe in probes if not isinstance(found := ask(probe), Fault)}
    return Sight(tuple(windows), _settings(computer), seen)


def changed_files(computer: Computer, apps: Sequence[str]) -> list[ChangedFile]:
    """Return the files that changed, without the traces that programs leave."""
    if "changes" not in computer.capabilities:
        return []
    left = list(unexplained_changes(computer.changes(), (), noise(tuple(apps)), home=computer.home))
    return [_file(computer, change) for change in left[:MOST_FILES]]


def _file(computer: Computer, change: Change) -> ChangedFile:
    path = change.path.removeprefix(f"{computer.home}/")
    if change.file != "file":
        return ChangedFile(path, change.kind, change.file)
    before = computer.before(change.path) if change.kind != "created" else None
    after, too_large = None, change.size > MOST_BYTES
    if change.kind != "deleted" and not too_large:
        try:
            after = computer.read_file(change.path, most=MOST_BYTES, follow=False)
        except OSError:
            too_large = True
    return ChangedFile(path, change.kind, "file", before, after, too_large)


def _argv(computer: Computer, pid: int) -> list[str]:
    if not pid or "shell" not in computer.capabilities:
        return []
    read = computer.run(["cat", f"/proc/{pid}/cmdline"])
    return [part for part in read.stdout.split("\0") if part] if read.code == 0 else []


def _settings(computer: Computer) -> dict[str, str]:
    if "shell" not in computer.capabilities:
        return {}
    try:
        read = computer.run(["bash", "-c", SETTINGS])
    except (ComputerLost, HostError):
        raise
    except ComputerError:
        return {}  # a computer without a shell of this kind keeps its settings elsewhere
    return read_settings(read.stdout) if read.code == 0 else {}


def read_settings(printed: str) -> dict[str, str]:
    """Return settings by name from what the programs that keep them print."""
    found: dict[str, str] = {}
    channel, folder = "", ""
    for line in printed.splitlines():
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
            if section.startswith("xfconf ") or section == "dconf":
                channel, folder = section, ""
            else:
                folder = section
        elif channel.startswith("xfconf "):
            name, _, value = line.partition(" ")
            if name.startswith("/") and not value.strip().startswith("<<"):
                found[f"{channel} {name}"] = value.strip()
        elif channel and "=" in line:
            key, _, value = line.partition("=")
            place = f"/{folder}/{key}" if folder != "/" else f"/{key}"
            found[f"dconf {place}"] = value
    return {name: value for name, value in found.items() if not any(part in name for part in RESTLESS)}
