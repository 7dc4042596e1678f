"""The mark of tests that each start real sandboxes: they need the image, and take turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., Any])


def real(test: Test) -> Test:
    """Mark a test that starts sandboxes."""
    return pytest.mark.turns(pytest.mark.sandbox(test))
