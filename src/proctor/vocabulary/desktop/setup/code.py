"""Setup steps about Visual Studio Code, of which files, settings and extensions can be had."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Annotated

from pydantic import Field

from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP

EXTENSIONS = ".vscode/extensions"
_PLACE = """
set -e
mkdir -p /usr/local/bin /usr/local/share/applications
cat > /usr/local/bin/code
chmod 755 /usr/local/bin/code
printf '[Desktop Entry]\\nType=Application\\nName=Visual Studio Code\\nExec=code %F\\nIcon=text-editor\\n' \
    > /usr/local/share/applications/code.desktop
"""
Identifier = Annotated[str, Field(pattern=r"^[\w-]+\.[\w.-]+$", examples=["ms-python.python"])]


@SETUP.register_before_use
def code_command(context: SetupContext) -> None:
    """Provide `code`, which opens files in the text editor and manages extensions.

    The program itself is not there: what it would show is not shown, and extensions do nothing.
    """
    script = files("proctor.vocabulary.desktop").joinpath("code_command.py").read_bytes()
    context.command(["sh", "-c", _PLACE], root=True, input=script)
    context.command(["sh", "-c", "cd && mkdir -p .config/Code/User"])


@SETUP.register
def code_extension(
    context: SetupContext, id: Identifier, version: Annotated[str, Field(pattern=r"^\d[\w.+-]*$")] = "0.0.0"
) -> None:
    """Mark an extension of Visual Studio Code as installed, by its name only."""
    publisher, _, name = id.partition(".")
    told = json.dumps({"publisher": publisher, "name": name, "version": version})
    context.computer.write_file(f"{EXTENSIONS}/{id.lower()}-{version}/package.json", told.encode())
