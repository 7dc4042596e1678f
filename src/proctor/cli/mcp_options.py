"""The options that `proctor serve mcp` and `serve exam` share: tools, and where they are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING

import click

from proctor.cli.options import Command, take_fields, with_options

if TYPE_CHECKING:
    from proctor.interop.mcp.tool import DeskTool

NAMES = ("harbor", "cua")


@dataclass(frozen=True, kw_only=True)
class ClientOptions:
    """What a client is given, and where it calls."""

    names: str
    grants: tuple[str, ...] | None
    """Tools and groups that are allowed; None for the usual."""
    fit: tuple[int, int]
    picture_after: bool
    http: bool
    host: str
    port: int
    allowed: tuple[str, ...]

    def tools(self) -> list[DeskTool]:
        """Return the tools that are granted; raises UnknownName for a grant that means nothing."""
        from proctor.interop.mcp.families import FAMILIES
        from proctor.interop.mcp.tool import grant_tools

        return grant_tools(FAMILIES[self.names](), self.grants)


def _split(_context: click.Context, _parameter: click.Parameter, texts: Sequence[str]) -> tuple[str, ...] | None:
    if not texts:
        return None
    return tuple(name.strip() for text in texts for name in text.split(",") if name.strip())


def _fit(_context: click.Context, _parameter: click.Parameter, text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([1-9]\d{1,4})x([1-9]\d{1,4})", text, re.ASCII)
    if not found:
        raise click.BadParameter(f"{text!r} is not WIDTHxHEIGHT, such as 1280x800")
    return int(found[1]), int(found[2])


_OPTIONS = (
    click.option("--names", type=click.Choice(NAMES), default="harbor", show_default=True,
                 help="Names of the tools: those of Harbor's cookbook, or of cua's computer server."),
    click.option("--grant", "grants", multiple=True, metavar="TOOL,...", callback=_split,
                 help="Only these tools or groups of tools: see, input, shell; repeatable.  [default: see,input]"),
    click.option("--picture-size", "fit", default="1280x800", show_default=True, metavar="WIDTHxHEIGHT", callback=_fit,
                 help="Largest screenshot to send; coordinates are its pixels."),
    click.option("--picture-after", is_flag=True, help="Answer each action with a screenshot too."),
    click.option("--http", is_flag=True, help="Serve streamable HTTP rather than standard input and output."),
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on, with --http."),
    click.option("--port", type=click.IntRange(0, 65_535), default=8000, show_default=True,
                 help="Port to listen on, with --http; 0 for any free one."),
    click.option("--allow-host", "allowed", multiple=True, metavar="NAME[:PORT]",
                 help="Another name by which clients may reach this server, such as that of a proxy; repeatable."),
)  # fmt: skip


def client_options(command: Command) -> Command:
    """Give a command the options on what a client is given, gathered in `given`."""

    @wraps(command)
    def gather(**given: object) -> object:
        return command(given=ClientOptions(**take_fields(ClientOptions, given)), **given)

    return with_options(*_OPTIONS)(gather)
