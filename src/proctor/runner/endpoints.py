"""Trying, before a run, the servers that it depends on: what is away is said at once."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from proctor.agents import find
from proctor.agents.spec import AgentSpec
from proctor.errors import ModelError, SpecError
from proctor.models import MODELS, asked_as, open_model
from proctor.models.model import Message
from proctor.models.provider_model import Hosted
from proctor.models.retry import CallFailed, Kind, Patience, announced_to, persist

CONNECT_SEC = 4.0
ANSWER_SEC = 30.0
"""How long a model may take for one word: a server may have to load it first."""
PATIENCE = Patience(seconds=60.0)
"""How long trouble that passes is waited out: one bad moment of a provider is no reason to refuse a run."""
ENDPOINTS = {"model": "base_url", "grounder": "grounder_url"}
"""Options that name models, and those that name their servers."""

_PORTS = {"http": 80, "https": 443}
_THERE: tuple[Kind, ...] = ("rate", "empty")
"""Failures of what is there and answers; a run waits for more."""
_PASSING: tuple[Kind, ...] = ("overloaded", "timeout", "connection")
"""Failures of a single try that say nothing of the next one."""
_OWN_SERVER = "the log of that server says why; try again when it answers"
_HOW = "; it was tried {tries} before the run (--no-preflight leaves that out)"


def try_endpoints(
    agents: Sequence[AgentSpec],
    said: Callable[[str], object] = str,
    *,
    user_model: str = "",
    critic: str = "",
    patience: Patience = PATIENCE,
) -> None:
    """Ask each model of a run for one word, also the user's and the critic's, and see that agents' servers listen.

    What passes is tried again, and said. Raises ModelError or SpecError that names the address, the model and what to
    do.
    """
    with announced_to(said):
        _try_all(agents, said, [user_model, critic], patience)


def _try_all(
    agents: Sequence[AgentSpec], said: Callable[[str], object], others: Sequence[str], patience: Patience
) -> None:
    tried: set[tuple[str, str]] = set()
    for beside in filter(None, dict.fromkeys(others)):
        tried.add((beside, ""))
        said(f"trying {beside}")
        _ask(beside, "", patience, native=False)
    for spec in (find(spec)[1] for spec in agents):
        if spec.name == "http":
            url, how = spec.options["url"], "start your agent's server first, and check host and port"
            _persist(partial(_connect, url, "the agent", how), patience)
        if find(spec)[0].__module__.startswith("proctor."):
            for option, place in ENDPOINTS.items():
                model, url = spec.options.get(option, ""), spec.options.get(place, "")
                if model and (model, url) not in tried:
                    tried.add((model, url))
                    said(f"trying {model}{f' at {url}' if url else ''}")
                    _ask(model, url, patience, native=spec.name == "native")


def _ask(name: str, url: str, patience: Patience, *, native: bool) -> None:
    """Ask a model for one word; what runs in this process has no endpoint."""
    provider = MODELS.get(asked_as(name.partition("/")[0]))
    if not (isinstance(provider, type) and issubclass(provider, Hosted)):
        return
    model: Any = open_model(name, base_url=url or None, timeout=ANSWER_SEC, patience=Patience(seconds=0.0))

    def ask() -> None:
        if model.base_url:
            _connect(model.base_url, name, "check the base URL, the network, and that the server runs")
        model.ask([Message("user", ("Answer with the word OK.",))], max_tokens=16)

    try:
        _persist(ask, patience, own_server=bool(model.base_url), may_refuse=native)
    finally:
        model.close()


def _persist(
    ask: Callable[[], None], patience: Patience, *, own_server: bool = False, may_refuse: bool = False
) -> None:
    """Ask until there is an answer, or a failure that does not pass.

    `may_refuse` is for models made for computer tools: they may know only the requests of those tools.
    """

    def attempt() -> None:
        try:
            ask()
        except CallFailed as failed:
            if (failed.kind in _THERE and not failed.final) or (may_refuse and failed.kind == "bad_request"):
                return
            failed.final = failed.final or failed.kind not in _PASSING
            raise

    tried = persist(attempt, patience)
    if (failed := tried.failure) is None:
        return
    times = f"{tried.retries + 1} times in {tried.seconds:.0f} s" if tried.retries else "once"
    asked = f"; the provider asks to wait {failed.retry_after:.0f} s" if failed.retry_after else ""
    remedy = _OWN_SERVER if failed.kind == "overloaded" and own_server else failed.remedy
    raise ModelError(f"{failed.message}{asked}{_HOW.format(tries=times)}", remedy=remedy) from failed


def _connect(url: str, what: str, remedy: str) -> None:
    """See that somebody listens; through a proxy that cannot be known."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme in getproxies() and not proxy_bypass(host):
        return
    try:
        socket.create_connection((host, parts.port or _PORTS.get(parts.scheme, 80)), timeout=CONNECT_SEC).close()
    except TimeoutError as error:
        raise CallFailed("timeout", f"no answer from {url} for {what} within {CONNECT_SEC:g} s") from error
    except OSError as error:
        why = error.strerror or error
        raise SpecError(
            f"nothing listens at {url} for {what}: {why}{_HOW.format(tries='once')}", remedy=remedy
        ) from error
