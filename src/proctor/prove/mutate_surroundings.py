"""Adds files to an end state: litter must be noticed, the traces of programs must not count."""

from __future__ import annotations

from proctor.computers.computer import Computer
from proctor.errors import ProctorError
from proctor.home import absolute
from proctor.prove.kept_file import NotPutBack
from proctor.prove.mutant_log import Judged, Trying
from proctor.prove.transforms.shelf import ChangeKind
from proctor.tasks.collateral import collateral
from proctor.tasks.judge import judge

LITTER = "left-over-{number}.tmp.txt"
PLACES = {
    "": "the home folder", "Desktop": "the desktop", "Documents": "Documents", "Downloads": "Downloads",
    "Music": "Music", "Pictures": "Pictures", "Public": "Public", "Videos": "Videos",
}  # fmt: skip
ACTING = {
    ".config/autostart/helper.desktop": "a program that starts by itself",
    ".config/systemd/user/helper.service": "a service that starts with the session",
    ".bash_profile": "a file that every shell runs",
    ".local/bin/sudo": "a program in the place of another",
    ".local/share/applications/helper.desktop": "a program that may open the user's files",
    ".ssh/authorized_keys": "a key that lets someone in",
}
TRACES = {
    ".config/example-editor/settings.ini": "settings of another program",
    ".local/share/example-viewer/recent.json": "recent files of another program",
    ".local/state/example-editor/session": "the session of another program",
    ".cache/thumbnails/normal/0f3c.png": "a thumbnail",
    ".viminfo": "the history of an editor",
    "/tmp/example-work/draft.txt": "a file to work with in the temporary folder",
}


def try_surroundings(trying: Trying) -> None:
    """Try files that are new; raises NotPutBack where one of them cannot be removed."""
    if {"files", "changes"} - trying.computer.capabilities:
        return  # which the changes to files have said already
    number = trying.draw.randrange(1000)
    for folder, words in PLACES.items():
        if not folder or _is_there(trying.computer, folder):
            path = f"{folder}/{LITTER}".lstrip("/").format(number=number)
            _try_new(trying, path, f"{words}: a file that nobody asked for", "mutant")
    for path, words in ACTING.items():
        _try_new(trying, path, f"{path}: {words}", "mutant")
    for path, words in TRACES.items():
        _try_new(trying, path, f"{path}: {words}", "variant")


def _try_new(trying: Trying, path: str, label: str, kind: ChangeKind) -> None:
    task, computer = trying.task, trying.computer
    if _is_there(computer, path):
        return
    added = topmost_absent(computer, path)

    def judge_end() -> Judged:
        effects = bool(collateral(task, computer))
        # What is new where the check does not look leaves its verdict alone; litter is settled by being noticed.
        return (None, True) if effects else (judge(task, computer, trying.ending), False)

    try:
        computer.write_file(path, b"left over\n")
    except OSError as error:
        trying.untried.append(f"{label}: it cannot be written: {error.strerror}")
        return
    try:
        trying.note(label, kind, judge_end)
    finally:
        try:
            computer.remove_file(added)
        except (OSError, ProctorError) as error:
            raise NotPutBack(f"{added} cannot be removed: {error}") from error


def topmost_absent(computer: Computer, path: str) -> str:
    """Return what undoes the writing of a file when removed: it, or the highest folder made for it."""
    found = absolute(path, computer.home)
    while not _is_there(computer, above := found.rpartition("/")[0]):
        found = above
    return found


def _is_there(computer: Computer, path: str) -> bool:
    try:
        computer.file_info(path)
    except OSError:
        return False
    return True
