"""All of Inspect's own checks of sandbox providers, on a real desktop."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from inspect_ai.util import SandboxEnvironment
from inspect_ai.util._sandbox.self_check import *  # noqa: F403

from proctor.interop.inspect.sandbox import ProctorConfig, ProctorSandbox

pytestmark = [pytest.mark.anyio]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def sandbox_env(anyio_backend: str) -> AsyncIterator[SandboxEnvironment]:
    # One of the checks wants the program adduser, which the small image has not.
    config = ProctorConfig(look="light", image="full")
    found = await ProctorSandbox.sample_init("self_check", config, {})
    yield found["default"]
    await ProctorSandbox.sample_cleanup("self_check", config, found, False)
