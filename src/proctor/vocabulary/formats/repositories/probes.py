"""Probes that look at git repositories, by a copy of their content."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from weakref import WeakKeyDictionary

from proctor.computers.computer import Computer
from proctor.home import printable
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.reader.client import parsed
from proctor.tasks.shelves import PROBES
from proctor.vocabulary.formats.repositories.copy import GIT, copy_repository, files_below
from proctor.vocabulary.formats.repositories.parse import Report, repository_report, settings_text

LOOK = Path(__file__).parent / "inside" / "repository_look.py"
PATIENCE_SEC = 40
USUAL_MODE = "100644"
UNFINISHED = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "BISECT_LOG")
"""What git leaves while something is only half done."""
_read: WeakKeyDictionary[Computer, dict[str, str]] = WeakKeyDictionary()
"""What was printed of copies, by their digests, on computers that are still there."""


@PROBES.register_with(repository_report, settings_text, whole="folder")
def repository(context: ProbeContext, path: str) -> dict[str, object]:
    """Branches, tags, commits (newest first, `changed` for the last), status, and files at HEAD.

    `branch` is None when HEAD is detached. Beside that: who made commits, refs that are neither branch nor tag, files
    with other modes or line ends, settings, and what runs by itself. `derived` has what follows from the rest: refs,
    commits, trees.
    """
    told = _report(context, path)
    people = sorted({str(each[role]) for each in told["history"] for role in ("author", "committer")})
    return {
        "path": path,
        "branch": told["branch"][0] if told["branch"] else None,
        "branches": sorted(told["heads"]),
        "tags": told["tags"],
        "commits": [{"subject": subject} for subject in told["commits"]],
        "changed": told["changed"],
        "status": [{"path": name, "state": state} for state, name in told["status"]],
        "files": told["files"],
        "line_ends": [{"path": name, "ends": "CRLF"} for name, text in told["files"].items() if "\r\n" in (text or "")],
        "people": [{"name": name} for name in people],
        "others": [each for each in told["refs"] if not each["name"].startswith(("refs/heads/", "refs/tags/"))],
        "modes": [{"path": each["path"], "mode": each["mode"]} for each in told["tree"] if each["mode"] != USUAL_MODE],
        **_beside_the_content(context, path),
        "derived": {
            "head": told["head"][0] if told["head"] else "",
            "folder": files_below(context, path),
            **{key: told[key] for key in ("refs", "history", "tree", "staged")},
        },
    }


def _beside_the_content(context: ProbeContext, path: str) -> dict[str, object]:
    """Return what says how git is to behave, as text, and the files in the folder."""
    git = f"{path}/{GIT}"
    texts = [(name, context.read_beside(f"{git}/{name}")) for name in ("config", "info/exclude", "info/attributes")]
    hooks = context.entries(f"{git}/hooks") if context.info(f"{git}/hooks") is not None else []
    named = [(entry, entry.path.rpartition("/")[2]) for entry in hooks]
    return {
        "settings": [{"path": name, "text": parsed(name, settings_text, data)} for name, data in texts if data],
        "hooks": [
            {"name": printable(name), "mode": f"{entry.mode & 0o7777:o}", "size": entry.size}
            for entry, name in named
            if not name.endswith(".sample")
        ],
        "unfinished": [name for name in UNFINISHED if context.info(f"{git}/{name}") is not None],
    }


@PROBES.register
def merged(context: ProbeContext, path: str, branch: str) -> dict[str, object]:
    """Whether everything in a branch when the task began is part of the current branch."""
    tip = _tip_before(context, path, branch)
    return {"path": path, "branch": branch, "tip": tip, "merged": tip in _report(context, path)["ancestors"]}


@PROBES.register_with(repository_report)
def branch_place(context: ProbeContext, path: str, branch: str) -> dict[str, object]:
    """The commit of a branch at the beginning (`tip`) and `now`, empty if it is gone."""
    tip = _tip_before(context, path, branch)
    return {"path": path, "branch": branch, "tip": tip, "now": _report(context, path)["heads"].get(branch, "")}


def _tip_before(context: ProbeContext, path: str, branch: str) -> str:
    if context.info(f"{path}/.git") is None:
        raise CannotSee("absent", f"there is no git repository at {path}")
    tip = context.before(f"{path}/.git/refs/heads/{branch}").decode(errors="replace").strip()
    if not re.fullmatch(r"[0-9a-f]{40,64}", tip):
        raise CannotSee("unreadable", f"the branch {branch} of {path} was no commit when the task began")
    return tip


def _report(context: ProbeContext, path: str) -> Report:
    """Return what one program tells of a copy of the repository."""
    copy = copy_repository(context, path)
    known = _read.setdefault(context.computer, {})
    key = hashlib.sha256(copy).hexdigest()
    if key not in known:
        argv = ["/usr/bin/timeout", "-k", "1", str(PATIENCE_SEC), "/usr/bin/python3", "-I", "-c", LOOK.read_text()]
        made = context.run(argv, reader=True, input=copy, timeout_sec=PATIENCE_SEC + 10)
        if made.code != 0:
            raise CannotSee("unreadable", f"the repository {path} cannot be read: {made.stderr.strip()[-300:]}")
        known[key] = made.stdout
    return parsed(path, repository_report, known[key], path)
