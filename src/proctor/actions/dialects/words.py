"""What a prompt must know of a dialect beyond its actions: how many at once, and its signals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proctor.actions.action import SIGNALS
from proctor.actions.dialects.dialect import Dialect


def takes_several(dialect: Dialect) -> bool:
    """Tell whether a reply may hold several actions; a dialect that does not say so takes them."""
    return bool(getattr(dialect, "several", True))


def thinks(dialect: Dialect) -> bool:
    """Tell whether the form of a reply has a place of its own for reasoning."""
    return bool(getattr(dialect, "thinks", False))


def endings(dialect: Dialect, kinds: Sequence[str]) -> dict[str, str]:
    """Return how each allowed signal is written, by kind; only those that the dialect has."""
    own: Mapping[str, str] = getattr(dialect, "endings", {})
    sayable = [kind for kind in kinds if kind in SIGNALS and kind in dialect.kinds]
    return {kind: f"`{own[kind]}`" if kind in own else f"the action `{kind}`" for kind in sayable}
