"""Groups of commands that are imported when they are used, so that help is instant."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import click


class Lazy(NamedTuple):
    """A command that has not been imported yet."""

    target: str
    summary: str
    hidden: bool = False
    """Whether the list of commands leaves it out."""


class LazyGroup(click.Group):
    """A group that lists its commands from a table and imports the one that is called."""

    def __init__(self, *args: Any, lazy: Mapping[str, Lazy], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table, those that are imported already last."""
        return list(dict.fromkeys([*self._lazy, *self.commands]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self._lazy:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = self._lazy[cmd_name].target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was typed, or suggest the nearest."""
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], known, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else f" There are {', '.join(known)}."
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        rows = []
        for name in self.list_commands(ctx):
            found = self._lazy.get(name)
            if found and found.hidden:
                continue
            rows.append((name, found.summary if found else self.commands[name].get_short_help_str(limit=100)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)
