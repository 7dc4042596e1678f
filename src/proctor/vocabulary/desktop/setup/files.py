"""Setup steps that make plain files and folders."""

from __future__ import annotations

import csv
import io
import json
import struct
import tarfile
from datetime import datetime
from typing import Annotated

from pydantic import Field, JsonValue

from proctor.computers.computer import Computer
from proctor.errors import SetupFailed
from proctor.home import absolute
from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

Cell = str | int | float | bool | None


@SETUP.register
def text_file(context: SetupContext, path: str, text: str) -> None:
    """Write a text file (UTF-8, exactly as given), creating missing folders."""
    context.computer.write_file(path, text.encode())


@SETUP.register
def asset_file(context: SetupContext, path: str, asset: str) -> None:
    """Copy a file from next to the task file to the computer, creating missing folders."""
    context.computer.write_file(path, context.asset(asset))


@SETUP.register
def json_file(context: SetupContext, path: str, data: JsonValue) -> None:
    """Write data as JSON, indented."""
    context.computer.write_file(path, (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode())


@SETUP.register
def ini_file(context: SetupContext, path: str, sections: dict[str, dict[str, str]]) -> None:
    """Write a settings file of sections with `key=value` lines, the way desktop programs do."""
    blocks = ["\n".join([f"[{name}]", *(f"{k}={v}" for k, v in keys.items())]) for name, keys in sections.items()]
    context.computer.write_file(path, ("\n\n".join(blocks) + "\n").encode())


@SETUP.register
def csv_file(context: SetupContext, path: str, rows: list[list[Cell]], delimiter: str = ",") -> None:
    """Write rows as comma-separated values."""
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter, lineterminator="\n").writerows(rows)
    context.computer.write_file(path, buffer.getvalue().encode())


@SETUP.register
def big_file(context: SetupContext, path: str, size: Annotated[int, Field(ge=0, le=2**40)], begins: str = "") -> None:
    """Create a file of this many bytes that takes no space: zeros after the text `begins`.

    A .tar is an archive of one file that holds them, an .mp4 a film without pictures.
    """
    context.computer.write_file(path, (_heading(path, size) + begins.encode())[:size])
    context.command(["truncate", f"--size={size}", "--", path])


def _heading(path: str, size: int) -> bytes:
    """Return how a file begins of the format that the ending of a path stands for."""
    if path.endswith(".tar"):
        # A block for the heading, and two empty ones at the end.
        held = tarfile.TarInfo("backup")
        held.size = max(size - 3 * tarfile.BLOCKSIZE, 0)
        return held.tobuf()
    if path.endswith(".mp4"):
        kind = b"ftypisom\0\0\2\0isommp41"
        return struct.pack(">I", len(kind) + 4) + kind + struct.pack(">I", max(size - len(kind) - 4, 8)) + b"mdat"
    return b""


@SETUP.register
def folder(context: SetupContext, path: str) -> None:
    """Create a folder and its parents."""
    context.command(["mkdir", "-p", "--", path])


@SETUP.register
def copy_file(context: SetupContext, source: str, target: str) -> None:
    """Copy a file or folder inside the computer, creating missing folders."""
    _parent(context, target)
    context.command(["cp", "--recursive", "--no-target-directory", "--", source, target])


@SETUP.register
def move_file(context: SetupContext, source: str, target: str) -> None:
    """Move or rename a file or folder inside the computer, creating missing folders."""
    _parent(context, target)
    context.command(["mv", "--no-target-directory", "--", source, target])


@SETUP.register
def remove_file(context: SetupContext, path: str) -> None:
    """Delete a file or a whole folder, which must exist."""
    try:
        context.computer.remove_file(path)
    except FileNotFoundError as error:
        raise SetupFailed(f"there is no {path} to remove") from error


@SETUP.register
def symlink(context: SetupContext, path: str, target: str) -> None:
    """Create a symbolic link at a path; the target need not exist."""
    _parent(context, path)
    context.command(["ln", "--symbolic", "--no-target-directory", "--", target, path])


@SETUP.register
def read_only(context: SetupContext, path: str) -> None:
    """Make a file or folder read-only."""
    context.command(["chmod", "a-w", "--", path])


@SETUP.register
def executable(context: SetupContext, path: str) -> None:
    """Make a file executable."""
    context.command(["chmod", "a+x", "--", path])


@SETUP.register
def modified(context: SetupContext, path: str, at: datetime) -> None:
    """Set when a file was last modified, such as `2026-02-01T08:00:00`, by the computer's clock."""
    context.command(["touch", "--no-create", f"--date={at.isoformat()}", "--", path])


def _parent(context: SetupContext, path: str) -> None:
    above = path.rstrip("/").rpartition("/")[0]
    if above:
        context.command(["mkdir", "-p", "--", above])


@SETUP.register
def writing_ended(context: SetupContext, path: str) -> None:
    """Wait until no application has a file open any more, for example after a long export."""
    holders = ["find", "/proc", "-mindepth", "3", "-maxdepth", "3", "-path", "*/fd/*", "-lname", absolute(path)]

    def is_closed(computer: Computer) -> bool:
        # Processes that end meanwhile make it complain; what it printed is what counts.
        return not computer.run(holders, root=True).stdout.strip()

    context.computer.wait_for(is_closed, what=f"the end of writing {path}", timeout_sec=30)
