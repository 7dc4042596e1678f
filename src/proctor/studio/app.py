"""The server of the studio: every room's pages behind one guard and one entrance."""

from __future__ import annotations

import importlib
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import ModuleType

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute

from proctor.studio.answers import answer_problem
from proctor.studio.entrance import Entrance
from proctor.studio.home import Home
from proctor.studio.studio import Studio
from proctor.web.guard import PageGuard
from proctor.web.listen import host_text, listen
from proctor.web.live import Live, can_watch
from proctor.web.replay.routes import Replay
from proctor.web.runs import Runs

ROOMS = (
    "proctor.studio.record.pages",
    "proctor.studio.annotate.pages",
    "proctor.studio.review.pages",
    "proctor.studio.refine.pages",
    "proctor.studio.create.pages",
)
"""Each module has `routes(studio)` and `HOME`: title, address and a sentence for the first page; one may have
`close(studio)`, called when the server ends."""


def rooms() -> list[ModuleType]:
    """Return the rooms."""
    return [importlib.import_module(name) for name in ROOMS]


def routes_of(studio: Studio) -> list[BaseRoute]:
    """Return where everything is found: the first page, the replay of runs, and what each room has."""
    for folder in (studio.demonstrations, studio.refined_runs):
        folder.mkdir(parents=True, exist_ok=True)
    found = rooms()
    runs = Runs(studio.all_runs)
    return [
        *Home(studio, runs, [room.HOME for room in found]).routes(),
        *Replay(runs, can_watch).routes(),
        *Live(runs).routes(),
        *(route for room in found for route in room.routes(studio)),
    ]


def make_app(studio: Studio, entrance: Entrance, host: str = "127.0.0.1") -> PageGuard:
    """Return the application."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        for room in rooms():
            if hasattr(room, "close"):
                room.close(studio)

    app = Starlette(routes=routes_of(studio), lifespan=lifespan, exception_handlers={HTTPException: answer_problem})
    return PageGuard(entrance.before(app), host=host)


def serve(studio: Studio, *, host: str, port: int, ready: Callable[[str], None], browse: bool) -> None:
    """Serve the studio until interrupted; port 0 is any free one.

    `ready` hears the address by which one visitor can enter, and the next one each time one was used.
    """
    listener = listen(host, port)
    root = f"http://{host_text(host)}:{listener.getsockname()[1]}"
    entrance = Entrance(used=lambda: ready(f"{root}{entrance.invite()}"))
    config = uvicorn.Config(
        make_app(studio, entrance, host),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=1 << 20,
        # What comes from a screen is packed already.
        ws_per_message_deflate=False,
    )
    address = f"{root}{entrance.invite()}"
    ready(address)
    if browse:
        webbrowser.open(address)
    uvicorn.Server(config).run(sockets=[listener])
