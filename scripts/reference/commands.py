"""The page of the command line, from its help."""

from __future__ import annotations

from collections.abc import Iterator

import click

from proctor.cli.main import cli
from proctor.cli.old_names import COMMANDS

WIDTH = 110
HEAD = """# Command line

Every command prints this with `--help`. The exit status is 0 on success, 1 for an error, 2 for a wrong option; if there
are others, the command says so.

"""


def page() -> str:
    """Return the whole page."""
    listed = list(_pages(cli, ("proctor",)))
    contents = "".join(f"{'  ' * (len(path) - 2)}- [`{' '.join(path)}`](#{'-'.join(path)})\n" for path, _ in listed[1:])
    helps = "".join(f"\n## {' '.join(path)}\n\n```\n{text}\n```\n" for path, text in listed)
    old = "".join(f"| `proctor {name}` | `proctor {new}` |\n" for name, new in COMMANDS.items())
    return f"{HEAD}{contents}{helps}\n## Earlier names\n\nThese still work.\n\n| earlier | now |\n| --- | --- |\n{old}"


def _pages(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    # Commands keep the option of help that they were first asked with.
    settings = {**cli.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(command, info_name=" ".join(path), **settings)
    text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    yield path, text
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if (found := command.get_command(context, name)) is not None:
                yield from _pages(found, (*path, name))
