"""The OpenEnv server: its application, and the loop that serves it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from openenv.core.env_server import create_app
from openenv.core.env_server.types import ConcurrencyConfig

from proctor.errors import EpisodeVoid, NotReady, ProctorError
from proctor.interop.callers import Callers
from proctor.interop.catalogue import TRAIN_SEEDS, Catalogue
from proctor.interop.elements import TreeForm
from proctor.interop.openenv.environment import DesktopEnvironment
from proctor.interop.openenv.guard import MOST_BYTES, Guard
from proctor.interop.openenv.models import DesktopObservation, DesktopState, offer
from proctor.interop.server_socket import http_address, listen
from proctor.interop.sessions import Sessions
from proctor.interop.venue import Venue
from proctor.suites.suite import Suite

PING_SEC = 20.0
SILENCE_SEC = 600.0
"""A client that answers no ping for so long has gone. A trainer whose loop stands still while its model writes has not:
OpenEnv's usual 20 s would end its session."""


def make_app(
    suite: Suite,
    venue: Venue | None = None,
    *,
    sessions: int = 1,
    train_seeds: int = TRAIN_SEEDS,
    host: str = "127.0.0.1",
    allowed: Sequence[str] = (),
    tree: TreeForm = "outline",
) -> FastAPI:
    """Return the application that serves a suite.

    Args:
        suite: Whose tasks are set.
        venue: On which computers, and what is seen of them.
        sessions: How many clients may be connected at once, each with a computer.
        train_seeds: How many variants of each template the split `train` has.
        host: The address that it will listen on; requests under other names than local ones and this are refused.
        allowed: Other names by which clients may call it, as `NAME` or `NAME:PORT`.
        tree: How elements are listed where the venue wants them: `outline`, or `osworld` for the table of its paper.
    """
    venue = venue or Venue(assets=suite.assets)
    shared = Sessions(venue, sessions)
    app: FastAPI = create_app(
        partial(DesktopEnvironment, Catalogue(suite, train_seeds=train_seeds), shared, tree),
        offer(venue.offers(next(iter(suite.tasks())))),
        DesktopObservation,
        env_name=f"proctor_{suite.name}",
        # Sessions without a connection (over HTTP) are let go when nobody has asked for so long.
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=sessions, session_timeout=SILENCE_SEC),
        state_cls=DesktopState,
    )
    app.add_exception_handler(ProctorError, _explain)
    app.add_middleware(Guard, callers=Callers(host, allowed), release=shared.close)
    return app


def serve(app: Any, *, host: str, port: int, ready: Callable[[str], None] = lambda address: None) -> None:
    """Serve what `make_app` returned until interrupted; computers that are open then are closed."""
    listener = listen(host, port)
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws_max_size=MOST_BYTES,
        ws_ping_interval=PING_SEC,
        ws_ping_timeout=SILENCE_SEC,
        # Pictures are compressed already; deflating a megabyte of base64 would take longer than the step.
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=10,
    )
    with listener:
        ready(http_address(listener))
        uvicorn.Server(config).run(sockets=[listener])


async def _explain(_request: Request, error: Exception) -> JSONResponse:
    """Answer a plain request that failed: the client's own mistake, or ours, which is never a reward."""
    ours = isinstance(error, EpisodeVoid | NotReady)
    return JSONResponse({"detail": str(error), "error": type(error).__name__}, status_code=503 if ours else 409)
