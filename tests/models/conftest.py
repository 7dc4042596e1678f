from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from proctor.models import open_model
from tests.models.clock import Clock
from tests.models.provider import Provider, provider
from tests.models.wires import KEY, WIRES, Wire


@pytest.fixture
def server() -> Iterator[Provider]:
    with provider() as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=WIRES, ids=lambda wire: wire.name.partition("/")[0])
def wire(request: pytest.FixtureRequest) -> Wire:
    chosen: Wire = request.param
    return chosen


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> str:
    """Put a key for every provider into the environment."""
    for wire in WIRES:
        monkeypatch.setenv(wire.variable, KEY)
    return KEY


@pytest.fixture
def opened(server: Provider, clock: Clock, keys: str) -> Iterator[Callable[..., Any]]:
    """Open models of the server on loopback, and close them afterwards."""
    models: list[Any] = []

    def open_here(name: str, **options: Any) -> Any:
        models.append(open_model(name, base_url=server.url, **{"patience": clock.patience(), **options}))
        return models[-1]

    yield open_here
    for model in models:
        model.close()
