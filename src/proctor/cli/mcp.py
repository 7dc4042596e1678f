"""`proctor serve mcp`: a computer for any MCP client, until the client leaves or Ctrl-C."""

from __future__ import annotations

import signal
from types import FrameType
from typing import TYPE_CHECKING

import click

from proctor.cli.detach import end_process
from proctor.cli.mcp_options import ClientOptions, client_options
from proctor.cli.options import preset
from proctor.errors import SpecError

if TYPE_CHECKING:
    from mcp.server.lowlevel.server import Server

INSTRUCTIONS = (
    "These tools let you see and operate a computer of your own, apart from the one you run on. Take a screenshot "
    "first; coordinates are pixels of the screenshot. Look again after what you do."
)


@click.command("mcp")
@preset(
    "--computer",
    "backend",
    default="sandbox",
    metavar="COMPUTER",
    help="NAME,option=value,... or module:Class, such as sandbox,look=light.",
)
@click.option("--image", help="Desktop image (see `proctor images list`).")
@click.option("--list", "listed", is_flag=True, help="List the tools that can be granted, and exit.")
@client_options
def mcp(given: ClientOptions, backend: str, image: str | None, listed: bool) -> None:
    """Give any MCP client a computer: over standard input and output, or over HTTP.

    The client may see the screen and use mouse and keyboard; commands and files need --grant shell. All clients of one
    server share one computer, and their actions are performed one after the other.

    \b
    proctor serve mcp                                              what to put into a client's list of servers
    proctor serve mcp --http --port 8000                           for clients that call http://127.0.0.1:8000/mcp
    proctor serve mcp --computer sandbox,look=light,network=loopback
    proctor serve mcp --grant see                                  looking only
    proctor serve mcp --names cua --grant see,input,computer_run_command
    """  # fmt: skip
    if listed:
        _list(given)
        return
    from proctor.computers import open_computer
    from proctor.interop.mcp.live import LiveDesk
    from proctor.interop.mcp.server import build
    from proctor.runner.computer_spec import ComputerSpec

    spec = ComputerSpec.parse(backend)
    options = spec.constructor_options()
    if image is not None:
        if "image" in options:
            raise SpecError("the image is named twice", remedy="name it by --image, or as an option of --computer")
        options["image"] = image
    tools = given.tools()
    with LiveDesk(
        lambda: open_computer(spec.name, **options), tools, fit=given.fit, picture_after=given.picture_after
    ) as desk:
        absent = [tool.name for tool in tools if tool not in desk.offered]
        if absent:
            click.echo(f"left out, because this computer does not have it: {', '.join(absent)}", err=True)
        status = _until_the_end(build(desk, instructions=INSTRUCTIONS), given)
    # A thread may still wait for a line of a client that is never going to come.
    end_process(status)


def _until_the_end(server: Server[object], given: ClientOptions) -> int:
    try:
        _serve(server, given)
    except KeyboardInterrupt:
        return 130
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def _serve(server: Server[object], given: ClientOptions) -> None:
    from proctor.interop.mcp.background import Background
    from proctor.interop.mcp.serve import HttpServer, Wire, address
    from proctor.interop.server_socket import listen

    signal.signal(signal.SIGTERM, _end)
    if given.http:
        listener = listen(given.host, given.port)
        http = HttpServer(server, host=given.host, allowed=given.allowed)
        click.echo(f"serving at {address(listener)}; Ctrl-C stops it", err=True)
        Background(lambda: http.serve(listener)).wait()
    else:
        wire = Wire()
        Background(lambda: wire.serve(server)).wait()


def _end(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _list(given: ClientOptions) -> None:
    from proctor.interop.mcp.families import FAMILIES
    from proctor.interop.mcp.tool import GROUPS

    tools = FAMILIES[given.names]()
    for group, what in GROUPS.items():
        click.echo(f"{group}: {what}")
        for tool in tools:
            if tool.group == group:
                click.echo(f"  {tool.name:<34} {tool.what}")
