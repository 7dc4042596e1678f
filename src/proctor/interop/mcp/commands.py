"""What tools do beside screen and input: programs, commands and files."""

from __future__ import annotations

import json
import posixpath
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from proctor.actions.dialects.space import Space
from proctor.computers.computer import Computer
from proctor.errors import AgentError, CommandLate, ComputerError
from proctor.interop.mcp.arguments import Param
from proctor.interop.mcp.pieces import Ask
from proctor.interop.mcp.tool import Asked, DeskTool, Group

MOST_OUTPUT = 100_000
"""Characters of each stream of a command that are answered."""
MOST_READ = 10_000_000
"""Bytes of a file that are read."""
LATE = "give it a larger `timeout`, or start it in the background with & and look later"

PATH = Param("path", "string", "Its path; a relative path starts at the user's home folder.")
Doing = Callable[[Computer, Mapping[str, object]], Any]


def launches(arguments: Mapping[str, Any], _space: Space) -> Asked:
    """Start an application as a menu would: with files or addresses, and without options."""
    argv = [arguments["app"], *arguments["args"]]
    if not argv[0].strip() or any(word.startswith("-") for word in argv):
        raise AgentError("name an application, and files or URLs to open with it; options are not accepted")

    def start(computer: Computer) -> str:
        app = computer.launch(argv)
        return f"Started {argv[0]}" + (f"; it shows the window {app.window.title!r}" if app.window else "")

    return Asked(errand=start, code=f"setsid {shlex.join(argv)} >/dev/null 2>&1 &")


def runs(arguments: Mapping[str, Any], _space: Space) -> Asked:
    """Run a command line in the shell."""
    line: str = arguments["command"]
    if not line.strip():
        raise AgentError("the command is empty; give one, such as ls -la")

    def run(computer: Computer) -> str:
        try:
            done = computer.run(["sh", "-c", line], timeout_sec=arguments["timeout"])
        except CommandLate as late:
            raise ComputerError(f"the command did not end within {arguments['timeout']:g} s", remedy=LATE) from late
        streams = {"stdout": done.stdout[:MOST_OUTPUT], "stderr": done.stderr[:MOST_OUTPUT]}
        return json.dumps({**streams, "returncode": done.code})

    return Asked(errand=run, code=line, code_sec=arguments["timeout"])


def does(doing: Doing) -> Ask:
    """Return what does something with the files of a computer, and answers with plain data."""

    def ask(arguments: Mapping[str, object], _space: Space) -> Asked:
        return Asked(errand=lambda computer: json.dumps(doing(computer, arguments)))

    return ask


def read_file(computer: Computer, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return a file as text."""
    return {"content": computer.read_file(arguments["path"], most=MOST_READ).decode("utf-8", "replace")}


def write_file(computer: Computer, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Write a text to a file, making folders as needed."""
    data = arguments["content"].encode("utf-8", "replace")
    computer.write_file(arguments["path"], data)
    return {"written": len(data)}


def exists(kind: str) -> Doing:
    """Return what tells whether something of a kind stands at a path."""

    def look(computer: Computer, arguments: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return {"exists": computer.file_info(arguments["path"]).kind == kind}
        except (FileNotFoundError, NotADirectoryError):
            return {"exists": False}

    return look


def list_folder(computer: Computer, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names in a folder."""
    return {"entries": [posixpath.basename(entry.path) for entry in computer.list_files(arguments["path"])]}


def delete(computer: Computer, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Remove a file or a whole folder."""
    computer.remove_file(arguments["path"])
    return {"deleted": arguments["path"]}


def size_of(computer: Computer, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return how many bytes a file has."""
    return {"size": computer.file_info(arguments["path"]).size}


def tools(prefix: str) -> list[DeskTool]:
    """Return these tools with their names as a family begins them."""
    group: Group = "shell"
    command = (
        Param("command", "string", "A command line for the shell."),
        Param("timeout", "number", "Time limit in seconds.", 60.0, bounds=(0.1, 600)),
    )
    program = (
        Param("app", "string", "Name of the application, such as mousepad."),
        Param("args", "strings", "Files or URLs to open with it.", ()),
    )
    content = Param("content", "string", "The text to write.")
    looks: list[tuple[str, str, Doing]] = [
        ("file_read", "Read the text of a file.", read_file),
        ("file_exists", "Check whether a file exists.", exists("file")),
        ("directory_exists", "Check whether a folder exists.", exists("folder")),
        ("list_directory", "List the names in a folder.", list_folder),
        ("get_file_size", "Get the size of a file in bytes.", size_of),
    ]

    def on_files(name: str, what: str, doing: Doing, *more: Param, reads: bool = False) -> DeskTool:
        return DeskTool(
            name=f"{prefix}{name}", group=group, what=what, needs=("files",), params=(PATH, *more), ask=does(doing),
            errand=True, reads=reads,
        )  # fmt: skip

    return [
        DeskTool(
            name=f"{prefix}launch_app", group="input", params=program, needs=("windows",), ask=launches,
            what="Start an application and wait for its window.", errand=True, is_code=True,
        ),
        DeskTool(
            name=f"{prefix}run_command", group=group, params=command, needs=("shell",), ask=runs,
            what="Run a command in the computer's shell and return what it printed.", errand=True, is_code=True,
        ),
        *(on_files(*look, reads=True) for look in looks),
        on_files("file_write", "Write a text to a file.", write_file, content),
        on_files("delete_file", "Delete a file or folder.", delete),
    ]  # fmt: skip
