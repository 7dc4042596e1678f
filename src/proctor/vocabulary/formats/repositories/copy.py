"""Copies of git repositories: their content, and nothing that tells git how to behave."""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Iterator

from proctor.computers.computer import FileInfo
from proctor.home import printable
from proctor.tasks.findings import CannotSee
from proctor.tasks.probe_context import ProbeContext

MOST_PATHS = 6000
MOST_BYTES = 64 * 2**20
MOST_DEPTH = 30
# No settings and what they include, hooks, attributes, grafts, alternates, nor what git has worked out of the history.
_HELD = re.compile(
    r"HEAD|index|sharedindex\.[0-9a-f]+|packed-refs|refs/.+"
    r"|objects/[0-9a-f]{2}/[0-9a-f]{38}|objects/pack/pack-[0-9a-f]{40}\.(pack|idx)"
)
_FOLDER = re.compile(r"refs(/.*)?|objects|objects/[0-9a-f]{2}|objects/pack")
GIT = ".git"


def copy_repository(context: ProbeContext, path: str) -> bytes:
    """Return a tar archive of a repository; raises CannotSee where there is none or it is too large."""
    git = context.info(f"{path}/{GIT}")
    if git is None:
        raise CannotSee("absent", f"there is no git repository at {path}")
    if git.kind != "folder":
        raise CannotSee("refused", f"{path}/{GIT} is a {git.kind}, not a folder")
    found = list(_below(context, path, "", MOST_DEPTH))
    if sum(entry.size for _, entry in found if entry.kind == "file") > MOST_BYTES:
        raise CannotSee("refused", f"{path} holds more than the {MOST_BYTES >> 20} MiB that are looked at")
    targets = _targets(context, [entry.path for _, entry in found if entry.kind == "link"])
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, entry in found:
            member = tarfile.TarInfo(name)
            member.mode = 0o755 if entry.kind == "folder" or entry.mode & 0o100 else 0o644
            data = b""
            if entry.kind == "folder":
                member.type = tarfile.DIRTYPE
            elif entry.kind == "link":
                member.type, member.linkname = tarfile.SYMTYPE, targets[entry.path]
            else:
                data = context.read(entry.path)
                member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        for name in (f"{GIT}/info", f"{GIT}/objects", f"{GIT}/refs"):
            member = tarfile.TarInfo(name)
            member.type, member.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(member)
    return held.getvalue()


def files_below(context: ProbeContext, path: str) -> list[dict[str, object]]:
    """Return the files in the folder of a repository, ignored ones too: path, kind, mode and size."""
    return [
        {"path": printable(name), "kind": entry.kind, "mode": f"{entry.mode & 0o7777:o}", "size": entry.size}
        for name, entry in _below(context, path, "", MOST_DEPTH)
        if GIT not in name.split("/")[:1]
    ]


def _below(context: ProbeContext, path: str, above: str, depth: int) -> Iterator[tuple[str, FileInfo]]:
    """Yield what is copied, with its name in the copy."""
    count = 0
    for entry in context.entries(f"{path}/{above}".rstrip("/")):
        name = above + entry.path.rpartition("/")[2]
        if not _is_copied(name, entry):
            continue
        for inner in ((name, entry), *(_below(context, path, f"{name}/", depth - 1) if entry.kind == "folder" else ())):
            count += 1
            if count > MOST_PATHS or depth <= 0:
                raise CannotSee("refused", f"{path} holds more than the {MOST_PATHS:,} files that are looked at")
            yield inner


def _is_copied(name: str, entry: FileInfo) -> bool:
    if entry.kind not in ("file", "folder", "link"):
        return False
    above, inside, within = f"/{name}".rpartition(f"/{GIT}/")
    if not inside:
        return True
    return bool((_FOLDER if entry.kind == "folder" else _HELD).fullmatch(within)) and entry.kind != "link"


def _targets(context: ProbeContext, paths: list[str]) -> dict[str, str]:
    if not paths:
        return {}
    # Its own user may not enter every folder of the agent's.
    read = context.run(["readlink", "--zero", "--", *paths], root=context.computer.parts.programs is not None)
    told = read.stdout.split("\0")[:-1]
    if read.code != 0 or len(told) != len(paths):
        raise CannotSee("unreadable", f"{len(paths)} links cannot be read: {read.stderr.strip()[-200:]}")
    return dict(zip(paths, told, strict=True))
