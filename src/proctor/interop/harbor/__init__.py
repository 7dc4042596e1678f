"""Proctor's computers as environments of Harbor, its suites as Harbor's task folders.

proctor tasks export --suite tour --format harbor --out tasks
harbor run -p tasks -a oracle -e proctor.interop.harbor:ProctorEnvironment
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proctor.interop.harbor.environment import ProctorEnvironment
    from proctor.interop.harbor.verifier import ProctorVerifier

__all__ = ["ProctorEnvironment", "ProctorVerifier"]


def __getattr__(name: str) -> Any:
    # Task folders are written without Harbor; only whoever asks for these classes needs it.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{name.removeprefix('Proctor').lower()}"), name)
