"""The screen of an episode under way: its VNC socket carried to the browser, for looking only.

The runner says where the screen is in the episode's `live.json`: `{"rfb": "<path of a Unix socket>", "pid": ...}`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
import zipfile
from collections.abc import Coroutine
from importlib.util import find_spec
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from proctor.web.files import read_object
from proctor.web.rfb import LookingOnly, NotLooking
from proctor.web.runs import Runs

CHUNK = 1 << 18
"""Bytes that are passed on at once: a window that is dragged brings many millions a second."""
VIEWER = "novnc"
"""The package that carries noVNC's files in an archive."""


def screen_of(folder: Path) -> Path | str:
    """Return the socket of the screen of an episode under way, or why there is none."""
    live = read_object(folder / "live.json")
    if live is None:
        return "not available"
    place, pid = live.get("rfb"), live.get("pid")
    if not isinstance(place, str) or not isinstance(pid, int):
        return "live.json cannot be read"
    try:
        os.kill(pid, 0)
        found = os.stat(place)  # noqa: PTH116 (the path is not ours to open)
    except (OSError, OverflowError, ValueError):
        return "the runner has stopped"
    # A record may come from anywhere: only a socket of one's own is spoken to.
    if not stat.S_ISSOCK(found.st_mode) or found.st_uid != os.geteuid():
        return "it belongs to another user"
    return Path(place)


def can_watch(folder: Path) -> str:
    """Say `yes`, or why the screen of an episode cannot be watched."""
    found = screen_of(folder)
    if isinstance(found, str):
        return found
    return "yes" if _archive() else "noVNC is not installed: pip install 'proctor[web]'"


class Live:
    """Carries screens to browsers."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    def routes(self) -> list[BaseRoute]:
        """Return where everything is found."""
        return [WebSocketRoute("/screen/{run}/{episode}", self.screen), Route("/novnc/{name:path}", self.viewer)]

    def viewer(self, request: Request) -> Response:
        """Return a file of noVNC."""
        archive, name = _archive(), request.path_params["name"]
        if archive is None or not name.endswith(".js") or not name.startswith(("core/", "vendor/")):
            raise HTTPException(404, "There is no such file.")
        try:
            with zipfile.ZipFile(archive) as files:
                text = files.read(name)
        except KeyError:
            raise HTTPException(404, "There is no such file.") from None
        return Response(text, media_type="text/javascript", headers={"Cache-Control": "private, max-age=86400"})

    async def screen(self, socket: WebSocket) -> None:
        """Carry the screen of one episode until either side goes."""
        found = self._runs.find_episode(socket.path_params["run"], socket.path_params["episode"])
        # Nobody writes a record that came from elsewhere, so what it offers to watch is not asked for.
        place = screen_of(found[1].folder) if found and found[0].state == "running" else ""
        if not isinstance(place, Path):
            await socket.close(1008)
            return
        try:
            reader, writer = await asyncio.open_unix_connection(place, limit=CHUNK)
        except OSError:
            await socket.close(1011)
            return
        await socket.accept()
        try:
            await until_one_ends(show_screen(reader, socket), _hear(socket, writer))
        finally:
            writer.close()
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # the browser was first
                await socket.close()


async def until_one_ends(*work: Coroutine[None, None, object]) -> None:
    """Do several things until one of them ends; what any of them fails by is the end of it."""
    tasks = {asyncio.create_task(each) for each in work}
    _, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def show_screen(reader: asyncio.StreamReader, socket: WebSocket) -> None:
    """Carry what a screen sends to a browser."""
    while data := await reader.read(CHUNK):
        await socket.send_bytes(data)


async def _hear(socket: WebSocket, writer: asyncio.StreamWriter) -> None:
    only = LookingOnly()
    with contextlib.suppress(WebSocketDisconnect, NotLooking, OSError):
        while True:
            writer.write(only.let_through(await socket.receive_bytes()))
            await writer.drain()


def _archive() -> Path | None:
    """Return noVNC's archive, if it is installed; its package is not imported: that unpacks it."""
    found = find_spec(VIEWER)
    for folder in (found.submodule_search_locations or ()) if found else ():
        archive = Path(folder) / "resources" / "novnc_server.zip"
        if archive.is_file():
            return archive
    return None
