"""The OpenEnv server: its application, and the loop that serves it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from openenv.core.env_server import create_app
from openenv.core.env_server.types import ConcurrencyConfig

from proctor.errors import EpisodeVoid, HostError, NotReady, ProctorError
from proctor.interop.callers import Callers
from proctor.interop.catalogue import TRAIN_SEEDS, Catalogue
from proctor.interop.openenv.environment import DesktopEnvironment
from proctor.interop.openenv.guard import MOST_BYTES, Guard
from proctor.interop.openenv.models import DesktopAction, DesktopObservation, DesktopState
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
) -> FastAPI:
    """Return the application that serves a suite.

    Args:
        suite: Whose tasks are set.
        venue: On which computers, and what is seen of them.
        sessions: How many clients may be connected at once, each with a computer.
        train_seeds: How many variants of each template the split `train` has.
        host: The address that it will listen on; requests under other names than local ones and this are refused.
        allowed: Other names by which clients may call it, as `NAME` or `NAME:PORT`.
    """
    venue = venue or Venue(assets=suite.assets)
    shared = Sessions(venue, sessions)
    app: FastAPI = create_app(
        partial(DesktopEnvironment, Catalogue(suite, train_seeds=train_seeds), shared),
        DesktopAction,
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
    """Serve until interrupted; computers that are open then are closed.

    Args:
        app: What `make_app` returned.
        host: Address to listen on.
        port: 0 for any free one.
        ready: Is told the address.
    """
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
        address = listener.getsockname()
        shown = f"[{address[0]}]" if ":" in address[0] else address[0]
        ready(f"http://{shown}:{address[1]}")
        uvicorn.Server(config).run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, and whose connections notice when the other machine is gone."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise HostError(f"cannot listen on {host!r}: {error}", remedy="choose another address with --host") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # The kernel answers for a client that is busy, and for none that is gone.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 6)):
            if hasattr(socket, option):
                listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
        listener.bind((host, port))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise HostError(
            f"cannot listen on {host}:{port}: {error.strerror or error}", remedy="choose another --port, or 0 for any"
        ) from error
    return listener


async def _explain(_request: Request, error: Exception) -> JSONResponse:
    """Answer a plain request that failed: the client's own mistake, or ours, which is never a reward."""
    ours = isinstance(error, EpisodeVoid | NotReady)
    return JSONResponse({"detail": str(error), "error": type(error).__name__}, status_code=503 if ours else 409)
