"""Trying once, before a run, the servers that it depends on: what is away is said at once, not after minutes."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from proctor.agents import find
from proctor.agents.spec import AgentSpec
from proctor.errors import ModelError, SpecError
from proctor.models import MODELS, asked_as, open_model
from proctor.models.model import Message
from proctor.models.provider_model import Hosted
from proctor.models.retry import CallFailed, Patience

CONNECT_SEC = 4.0
ANSWER_SEC = 30.0
"""How long a model may take for one word: a server may have to load it first."""
ENDPOINTS = {"model": "base_url", "grounder": "grounder_url"}
"""Options that name models, and those that name their servers."""

_PORTS = {"http": 80, "https": 443}
_PASSES = ("rate", "empty")
"""Failures of a single try that say nothing of the next one: it is there, and answers."""
_OWN_SERVER = "the log of that server says why; try again when it answers"
_HOW = "; it was tried once before the run (--no-preflight leaves that out)"


def try_endpoints(
    agents: Sequence[AgentSpec],
    said: Callable[[str], object] = str,
    *,
    user_model: str = "",
    critic: str = "",
) -> None:
    """Ask each model of a run for one word, also the user's and the critic's, and see that agents' servers listen.

    Raises ModelError or SpecError that names the address, the model and what to do.
    """
    tried: set[tuple[str, str]] = set()
    for beside in filter(None, dict.fromkeys((user_model, critic))):
        tried.add((beside, ""))
        said(f"trying {beside}")
        _ask(beside, "", native=False)
    for spec in (find(spec)[1] for spec in agents):
        if spec.name == "http":
            _connect(spec.options["url"], "the agent", "start your agent's server first, and check host and port")
        if find(spec)[0].__module__.startswith("proctor."):
            for option, place in ENDPOINTS.items():
                model, url = spec.options.get(option, ""), spec.options.get(place, "")
                if model and (model, url) not in tried:
                    tried.add((model, url))
                    said(f"trying {model}{f' at {url}' if url else ''}")
                    _ask(model, url, native=spec.name == "native")


def _ask(name: str, url: str, *, native: bool) -> None:
    """Ask a model for one word, once; what runs in this process has no endpoint."""
    provider = MODELS.get(asked_as(name.partition("/")[0]))
    if not (isinstance(provider, type) and issubclass(provider, Hosted)):
        return
    model: Any = open_model(name, base_url=url or None, timeout=ANSWER_SEC, patience=Patience(seconds=0.0))
    try:
        if model.base_url:
            _connect(model.base_url, name, "check the base URL, the network, and that the server runs")
        model.ask([Message("user", ("Answer with the word OK.",))], max_tokens=16)
    except CallFailed as failed:
        # Models made for computer tools may know only the requests of those tools.
        if (failed.kind in _PASSES and not failed.final) or (native and failed.kind == "bad_request"):
            return
        remedy = _OWN_SERVER if failed.kind == "overloaded" and model.base_url else failed.remedy
        raise ModelError(f"{failed.message}{_HOW}", remedy=remedy) from failed
    finally:
        model.close()


def _connect(url: str, what: str, remedy: str) -> None:
    """See that somebody listens; through a proxy that cannot be known."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme in getproxies() and not proxy_bypass(host):
        return
    try:
        socket.create_connection((host, parts.port or _PORTS.get(parts.scheme, 80)), timeout=CONNECT_SEC).close()
    except OSError as error:
        why = f"no answer within {CONNECT_SEC:g} s" if isinstance(error, TimeoutError) else error.strerror or error
        raise SpecError(f"nothing listens at {url} for {what}: {why}{_HOW}", remedy=remedy) from error
