"""Tests that run in environments of their own, where another house's package is; `tests/interop` starts them there."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
