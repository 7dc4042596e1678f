"""Probes that look at git repositories, running nothing that the repository asks git to run."""

from __future__ import annotations

import base64
import binascii
import re

from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext
from proctor.tasks.shelves import PROBES

MOST_COMMITS = 50
MOST_FILES = 300
SMALL_TEXT = 64 * 2**10
MOST_OUTPUT = 4 * 2**20
PATIENCE_SEC = 10

# A repository may name programs for git to run (hooks, monitors, pagers, filters); it is the agent's, and so is the
# user they would run as. They are switched off where git allows it, and what does not end is ended.
_GIT = (
    "/usr/bin/git", "--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs",
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false",
    "-c", "core.untrackedCache=false", "-c", "core.alternateRefsCommand=", "-c", "core.attributesFile=/dev/null",
    "-c", "diff.external=", "-c", "log.showSignature=false", "-c", "status.submoduleSummary=false",
    "-c", "protocol.allow=never",
)  # fmt: skip
_CLEAN = (
    "/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1",
    "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ATTR_NOSYSTEM=1",
)  # fmt: skip
_SCRIPT = (
    f'set -o pipefail; /usr/bin/timeout -k 1 {PATIENCE_SEC} "$@" 2>&3 | /usr/bin/head -c {MOST_OUTPUT} '
    "| /usr/bin/base64 -w 0"
)


@PROBES.register
def repository(context: ProbeContext, path: str) -> dict[str, object]:
    """Branches, tags, commits (newest first, `changed` for the last), status, and files at HEAD.

    `branch` is None when HEAD is detached.
    """
    if context.info(f"{path}/.git") is None:
        raise CannotSee("absent", f"there is no git repository at {path}")
    git = _Git(context, path)
    git.ask("rev-parse", "--git-dir")
    born = git.ask("rev-parse", "--verify", "--quiet", "HEAD", may_fail=True) != b""
    head = git.ask("symbolic-ref", "--short", "--quiet", "HEAD", may_fail=True).decode(errors="replace").strip()
    return {
        "path": path,
        "branch": head or None,
        "branches": _words(git.ask("for-each-ref", "--format=%(refname:short)", "refs/heads")),
        "tags": _words(git.ask("for-each-ref", "--format=%(refname:short)", "refs/tags")),
        "commits": _commits(git) if born else [],
        "changed": _changed_files(git) if born else [],
        "status": _status(git),
        "files": _files(git) if born else {},
    }


@PROBES.register
def merged(context: ProbeContext, path: str, branch: str) -> dict[str, object]:
    """Whether all that a branch was when the task began is part of what a repository is on now."""
    tip = _tip_before(context, path, branch)
    # Empty where git does not know the commit any more, or where it stands apart.
    shared = _Git(context, path).ask("merge-base", tip, "HEAD", may_fail=True).decode(errors="replace").strip()
    return {"path": path, "branch": branch, "tip": tip, "merged": shared == tip}


@PROBES.register
def branch_place(context: ProbeContext, path: str, branch: str) -> dict[str, object]:
    """The commit where a branch was at the beginning (`tip`) and is `now`, empty where it is gone."""
    tip = _tip_before(context, path, branch)
    words = ("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}")
    now = _Git(context, path).ask(*words, may_fail=True).decode(errors="replace").strip()
    return {"path": path, "branch": branch, "tip": tip, "now": now}


def _tip_before(context: ProbeContext, path: str, branch: str) -> str:
    if context.info(f"{path}/.git") is None:
        raise CannotSee("absent", f"there is no git repository at {path}")
    tip = context.before(f"{path}/.git/refs/heads/{branch}").decode(errors="replace").strip()
    if not re.fullmatch(r"[0-9a-f]{40,64}", tip):
        raise CannotSee("unreadable", f"the branch {branch} of {path} was no commit when the task began")
    return tip


class _Git:
    """Runs git inside the computer as the agent's user and returns exactly what it wrote."""

    def __init__(self, context: ProbeContext, path: str) -> None:
        self._scene = context
        self._path = path

    def ask(self, *words: str, may_fail: bool = False, input: bytes = b"") -> bytes:
        command = ["/bin/bash", "-c", f"{{ {_SCRIPT}; }} 3>&2", "bash", *_CLEAN, *_GIT, "-C", self._path, *words]
        result = self._scene.run(command, input=input, timeout_sec=PATIENCE_SEC + 20)
        if result.code in (124, 137):
            raise CannotSee("refused", f"git took longer than {PATIENCE_SEC} s to read the repository {self._path}")
        if result.code != 0 and may_fail:
            return b""
        if result.code == 141:
            raise CannotSee("refused", f"the repository {self._path} holds more than is looked at")
        if result.code != 0:
            said = result.stderr.strip()[-300:]
            raise CannotSee("unreadable", f"git cannot read the repository {self._path}: {said}")
        try:
            return base64.b64decode(result.stdout, validate=True)
        except binascii.Error as error:
            raise CannotSee("unreadable", f"what git said of {self._path} is garbled: {error}") from error


def _commits(git: _Git) -> list[dict[str, str]]:
    said = _parts(git.ask("log", f"--max-count={MOST_COMMITS}", "-z", "--no-show-signature", "--format=%s"))
    return [{"subject": subject} for subject in said[: -1 if said[-1] == "" else None]]


def _changed_files(git: _Git) -> list[str]:
    said = git.ask(
        "diff-tree", "--root", "--no-commit-id", "--no-ext-diff", "--no-renames", "--name-only", "-r", "-z", "HEAD"
    )
    return [name for name in _parts(said) if name]


def _status(git: _Git) -> list[dict[str, str]]:
    said = git.ask("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all")
    return [{"path": entry[3:], "state": entry[:2]} for entry in _parts(said) if entry]


def _files(git: _Git) -> dict[str, str | None]:
    entries = [entry.partition("\t") for entry in _parts(git.ask("ls-tree", "-r", "-z", "--long", "HEAD")) if entry]
    if len(entries) > MOST_FILES:
        raise CannotSee("refused", f"the repository holds {len(entries):,} files, more than the {MOST_FILES} looked at")
    texts: dict[str, str | None] = {}
    for about, _, path in entries:
        told = re.fullmatch(r"(\d{6}) (\w+) ([0-9a-f]+) +(\d{1,18}|-)", about)
        if told is None:
            raise CannotSee("unreadable", f"git lists a file of the repository as {about[:80]!r}")
        mode, kind, name, size = told.groups()
        small = kind == "blob" and mode.startswith("100") and size != "-" and int(size) <= SMALL_TEXT
        texts[path] = _text(git.ask("cat-file", "blob", name)) if small else None
    return texts


def _text(data: bytes) -> str | None:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _parts(data: bytes) -> list[str]:
    return data.decode(errors="replace").split("\0")


def _words(data: bytes) -> list[str]:
    return data.decode(errors="replace").split()
